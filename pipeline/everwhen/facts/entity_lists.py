"""Members of entity lists as a SPARQL endpoint answered them, from pulled `<list>.jsonl` files."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from everwhen.catalog.load import load_entity_lists
from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import count_records
from everwhen.core.storage import find_input_files
from everwhen.facts.files import collect_malformed, locate_line
from everwhen.facts.stage import Parsed, Parser
from everwhen.tables.facts import LIST_MEMBERS
from everwhen.tables.record_counts import record_counts

UNIT = "list row"
SUFFIX = ".jsonl"


def read_entity_lists(spark: SparkSession, paths: Iterable[str], known: Collection[str]) -> Parsed:
    """Read pulled lists; a file's name is its list's id.

    Args:
        paths: Files, folders or globs.
        known: Ids of the lists that there are.

    Raises:
        InputError: A path has no file, or a file is named after no list.
    """
    files = []
    for file in find_input_files(spark, paths, "entity list"):
        name = file.rpartition("/")[2]
        if name.endswith(SUFFIX) and name.removesuffix(SUFFIX) in known:
            files.append(file)
        elif not name.endswith(".json"):  # the manifest that a pull leaves beside its lists
            raise InputError(f"{file}: there is no entity list of this name; known are {', '.join(sorted(known))}")
    rows = _read_rows(spark, files)
    same = Window.partitionBy("list", "item").orderBy("file", "place", "line")
    reason = F.when(F.coalesce("item", F.lit(0)) <= 0, RejectReason.BAD_LIST_ROW)
    reason = reason.when(F.row_number().over(same) > 1, RejectReason.REPEATED_MEMBER)
    judged = rows.withColumn("reason", reason)
    malformed = judged.where(F.col("reason") == RejectReason.BAD_LIST_ROW)
    counts = count_records(judged, UNIT, F.concat_ws(" ", "list", "line"), entered=rows)
    return Parsed(
        rows=LIST_MEMBERS.select(judged.where("reason IS NULL")),
        rejects=collect_malformed(malformed, UNIT),
        record_counts=record_counts("facts").select(counts),
    )


def _read_rows(spark: SparkSession, files: list[str]) -> DataFrame:
    if not files:
        return spark.createDataFrame([], "list string, item bigint, file string, place string, line string")
    return spark.read.text(files).select(
        F.regexp_extract(F.col("_metadata.file_name"), r"^(.*)\.jsonl$", 1).alias("list"),
        F.from_json(F.try_validate_utf8("value"), "item bigint")["item"].alias("item"),
        *locate_line(),
        F.make_valid_utf8("value").alias("line"),
    )


def _parse(build: Build) -> Parsed:
    known = {entry.id for entry in load_entity_lists()}
    return read_entity_lists(build.spark, build.config.sources.entity_lists, known)


PARSER = Parser(_parse, (LIST_MEMBERS,))
