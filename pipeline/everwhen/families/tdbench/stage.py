"""The stage tdbench: rows of declared tables, then questions on them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import partial

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import DDL, RecordCounts, count_outcomes, count_records, state_input, sum_counts
from everwhen.core.session import checkpoint
from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.aliases import read_aliases
from everwhen.families.tdbench.bind.items import bind_items
from everwhen.families.tdbench.bind.steps import BindSettings
from everwhen.families.tdbench.config import NAME, read_settings
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.ids import number_items
from everwhen.families.tdbench.preflight import load_chosen
from everwhen.families.tdbench.reasons import BindReason, QuestionReason
from everwhen.families.tdbench.rows import SourceTable, read_tables
from everwhen.families.tdbench.scopes import derive_scopes
from everwhen.families.tdbench.source.world_aliases import collect_aliases, list_values
from everwhen.families.tdbench.tables import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, ITEMS, REJECTS, ROWS
from everwhen.families.tdbench.texts.write import write_texts
from everwhen.families.tdbench.unrecognised import reject_unrecognised
from everwhen.tables.record_counts import record_counts

COUNTS = record_counts(NAME)
TABLES = (DECLARATIONS, ACCEPTED_ANSWERS, ROWS, REJECTS, ITEMS, ITEM_SETS.table, COUNTS)
"""All that the stage writes."""


def run_tdbench(build: Build) -> None:
    """Write the tables of the stage, unless all are there.

    Raises:
        InputError: A declaration or its table cannot be used, or a table of the stage world is missing.
    """
    if build.has_all(NAME, TABLES):
        return
    source = read_tables(build.spark, load_chosen(build.config), build if build.has_world else None)
    declared = build.materialize(DECLARATIONS, lambda: describe_declarations(build, source.declarations))
    rows = build.materialize(ROWS, lambda: source.rows)
    accepted = build.materialize(ACCEPTED_ANSWERS, lambda: gather_aliases(build, source.declarations, rows))
    build.materialize(REJECTS, lambda: REJECTS.select(source.rejects))
    written, bound_counts = ask_questions(build, source, rows)
    texts = balance_unanswered(reject_unrecognised(written, rows, accepted, declared))
    kept = ITEMS.select(texts.where("reason IS NULL"))
    items = build.materialize(ITEMS, lambda: number_items(kept, declared, build.config))
    build.materialize(ITEM_SETS.table, lambda: ITEM_SETS.select(items))
    counts = [
        *count_rows(source, rows),
        bound_counts,
        count_records(texts, "question", F.coalesce("question", "scope_id")),
    ]
    _report_unrecognised(build, build.materialize(COUNTS, partial(sum_counts, counts)))
    _report_sizes(build, items, source.declarations)


def ask_questions(build: Build, source: SourceTable, rows: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Ask the rows of declared tables.

    Returns:
        The columns of ITEMS with scope_id and reason (why a question is rejected; null where it is asked), and the
        record counts of the candidates.
    """
    settings, declarations = read_settings(build.config), source.declarations
    scopes = derive_scopes(declarations)
    _report_unasked_keys(build, source.unasked)
    started = time.monotonic()
    wanted = BindSettings(build.config, size=settings.items, is_short=settings.short)
    bound = bind_items(rows, scopes, declarations, source.unasked, wanted)
    bound_at = time.monotonic()
    build.log(f"candidates: judged, {bound_at - started:.1f} s", seconds=bound_at - started)
    named = [column.name for column in ITEMS.columns if column.name not in ("question", "wording")]
    texts = write_texts(bound.items.select(*named, "scope_id"), declarations, scopes, wordings=settings.wordings)
    judged = checkpoint(judge_texts(texts))
    seconds = time.monotonic() - bound_at
    build.log(f"questions: written, {seconds:.1f} s", seconds=seconds)
    return judged, bound.record_counts


def judge_texts(texts: DataFrame) -> DataFrame:
    """Add why a question is rejected: the error of its text, or that another question has the same text.

    Args:
        texts: Columns item_id, question, answer and text_error.

    Returns:
        The same with reason in place of text_error; null where the question is asked. Of questions of one text that
        have one answer, that of the least id is.
    """
    is_sound = F.col("text_error").isNull()
    same = Window.partitionBy("question", is_sound)
    answers = F.size(F.collect_set(F.to_json("answer")).over(same))
    turn = F.row_number().over(same.orderBy("item_id"))
    judged = texts.withColumns({"answers": answers, "turn": turn})
    reason = F.when(~is_sound, F.col("text_error")).when(F.col("answers") > 1, str(QuestionReason.AMBIGUOUS))
    return judged.withColumn("reason", reason.when(F.col("turn") > 1, str(QuestionReason.REPEATED))).drop(
        "text_error", "answers", "turn"
    )


def balance_unanswered(texts: DataFrame) -> DataFrame:
    """Reject questions that no row answers where a relation, after other rejections, has more of them than others.

    Args:
        texts: Columns item_id, declaration, task, relation, is_short, cardinality and reason.
    """
    cell = Window.partitionBy("declaration", "task", "relation", "is_short")
    is_kept, is_none = F.col("reason").isNull(), F.col("cardinality") == "none"
    answered = F.count_if(is_kept & ~is_none).over(cell)
    place = F.count_if(is_kept & is_none).over(cell.orderBy("item_id"))
    counted = texts.withColumns({"answered": answered, "place": place})
    surplus = F.when(is_none & (F.col("place") > F.col("answered")), str(BindReason.UNANSWERED))
    return counted.withColumn("reason", F.coalesce("reason", surplus)).drop("answered", "place")


def gather_aliases(build: Build, declarations: Sequence[Declaration], rows: DataFrame) -> DataFrame:
    """Gather the aliases of values that some row has: those of the declarations' files, and of items of our world."""
    written = build.spark.createDataFrame(read_aliases(declarations), ACCEPTED_ANSWERS.ddl)
    used = written.join(list_values(rows), ["answer", "scope"], "left_semi")
    found = collect_aliases(rows, declarations, build).withColumn("kind", F.lit("alias"))
    return ACCEPTED_ANSWERS.select(used.unionByName(found).distinct())


def describe_declarations(build: Build, declarations: Sequence[Declaration]) -> DataFrame:
    """Describe declarations as rows of the table `declarations`."""
    return build.spark.createDataFrame(list(map(_describe, declarations)), DECLARATIONS.ddl)


def _describe(declaration: Declaration) -> tuple[object, ...]:
    content = declaration.model_dump(mode="json", by_alias=True, exclude_none=True)
    source = declaration.source
    for key in ("file", "database"):  # without the folders of the machine
        if key in content["from"]:
            content["from"][key] = content["from"][key].rstrip("/").rpartition("/")[2]
    named = content["from"].get("file") or content["from"].get("database") or source.events
    return (
        declaration.name,
        declaration.licence,
        declaration.licence is None,
        named or f"P{source.world}",
        "points" if declaration.time.end is None else declaration.time.ends,
        declaration.time.as_of,
        json.dumps(content, sort_keys=True, ensure_ascii=False),
    )


def count_rows(source: SourceTable, rows: DataFrame) -> list[DataFrame]:
    """Count the records of the tables: read, rejected by reason, kept as rows."""
    counts = RecordCounts()
    counts.keep("row", rows.count())
    kept = [tuple(row.values()) for row in counts.list_rows() if row["status"] == "kept"]
    spark = rows.sparkSession
    example = F.concat_ws(" ", "declaration", F.concat(F.lit("line "), "line"), "text")
    return [
        state_input(spark, {"row": sum(source.input_counts.values())}),
        spark.createDataFrame(kept, DDL),
        count_outcomes(source.rejects, "row", F.col("reason"), example),
    ]


def _report_unasked_keys(build: Build, unasked: DataFrame) -> None:
    """Print which keys are not asked: another one reads as they do, or a rejected record may belong to them."""
    record = F.concat(F.lit(" ("), "record", F.lit(")"))
    name = F.concat(F.array_join("key", SEPARATOR), F.coalesce(record, F.lit("")))
    for reason, what in (("ambiguous", "ambiguous keys"), ("incomplete", "keys that lack a record")):
        keys = unasked.where(F.col("reason") == reason).select(name.alias("key")).distinct().orderBy("key")
        if count := keys.count():
            shown = "; ".join(row.key for row in keys.limit(6).collect())
            build.log(f"{what}, not asked: {count:,}: {shown}")


def _report_unrecognised(build: Build, counts: DataFrame) -> None:
    """Print how many questions are not asked as the scorer does not recognise their answers, with the first of them."""
    is_unrecognised = (F.col("record_type") == "question") & (F.col("reason") == RejectReason.UNRECOGNISED_ANSWER)
    for row in counts.where(is_unrecognised).collect():
        what = "questions not asked, as the scorer does not recognise the answer"
        build.log(f"{what}: {row.records:,}, such as: {row.examples[0]}")


def _report_sizes(build: Build, items: DataFrame, declarations: Sequence[Declaration]) -> None:
    """Print how many items each declaration has, of those wanted."""
    counts = {row["declaration"]: row["count"] for row in items.groupBy("declaration").count().collect()}
    for declaration in declarations:
        items = counts.get(declaration.name, 0)
        build.log(f"{declaration.name}: {items:,} items", rows=items)
