"""Views of English articles, from pageview_complete files and from pulled `pageviews.jsonl` files."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.config import Views
from everwhen.core.errors import InputError
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import count_outcomes, state_input
from everwhen.core.session import checkpoint
from everwhen.core.storage import find_input_files
from everwhen.facts.files import collect_malformed, locate_line, require_bounded
from everwhen.facts.stage import Parsed, Parser
from everwhen.tables.facts import PAGEVIEWS
from everwhen.tables.record_counts import record_counts

UNIT = "view line"
MAX_LINE_BYTES = 16 << 20
"""Bytes of the longest line that a compressed file may unpack to; a view line has some 100."""
SHOWN = 1000
"""Characters of a line that are kept to show it."""
BUCKETS = 64
"""Rows into which the lines of one reason are counted; each shows its least line."""
PROJECT = "en.wikipedia"
COMPLETE = re.compile(r"pageviews-([0-9]{4})([0-9]{2})([0-9]{2})?-(user|spider|automated)(\.bz2|\.gz|\.txt)?")
"""File name of a day's or a month's pageview_complete dump."""
MALFORMED = (RejectReason.BAD_VIEW_LINE, RejectReason.BAD_PULLED_LINE)
LINES = "source string, file string, place string, line string, title string, views bigint, reason string"
"""A line of either source; `reason` is null where it counts."""


def read_pageviews(spark: SparkSession, paths: Iterable[str], views: Views) -> Parsed:
    """Read views of the configured period by the configured agent, in one pass over the files.

    A title's lines in pageview_complete files add up. A pulled number is a total already: it counts once, and only for
    titles that no pageview_complete line has.

    Args:
        paths: Files, folders or globs. `pageviews-YYYYMMDD-user` (also -spider, -automated; also a month's
            `pageviews-YYYYMM-user`), plain, .bz2 or .gz; and pulled `.jsonl`.
        views: The period and the agent.

    Raises:
        InputError: A path has no file, or a file's name does not say its day and agent, or it unpacks to a line without
            end.
    """
    pulled, complete = [], []
    for file in find_input_files(spark, paths, "pageviews"):
        name = file.rpartition("/")[2]
        if name.endswith(".jsonl"):
            pulled.append(file)
        elif COMPLETE.fullmatch(name):
            complete.append(file)
        elif not name.endswith(".json"):  # the manifest that a pull leaves beside its files
            raise InputError(f"{file}: a pageviews file is named pageviews-YYYYMMDD-user[.bz2] or ends in .jsonl")
    require_bounded(spark, complete, MAX_LINE_BYTES)
    lines = read_view_lines(spark, complete, views).unionByName(read_pulled_lines(spark, pulled))
    seen = Observation()
    summed = add_up(lines.observe(seen, F.count(F.lit(1)).alias("lines"))).transform(checkpoint)
    if pulled:
        settled = deduplicate_totals(summed).transform(checkpoint)
    else:
        settled = _select_outcome(summed, F.col("reason"), F.col("sum"), F.col("records"))
    malformed = settled.where(F.col("reason").isin(*MALFORMED))
    came_in = state_input(spark, {UNIT: seen.get["lines"]})
    decided = settled.where("records > 0")
    outcomes = count_outcomes(decided, UNIT, F.col("reason"), F.col("line"), F.col("records"))
    return Parsed(
        rows=PAGEVIEWS.select(decided.where("reason IS NULL").select("title", "views")),
        rejects=collect_malformed(malformed, UNIT),
        record_counts=record_counts("facts").select(came_in.unionByName(outcomes)),
    )


def read_view_lines(spark: SparkSession, files: list[str], views: Views) -> DataFrame:
    """Read the lines of pageview_complete files (`LINES`)."""
    if not files:
        return spark.createDataFrame([], LINES)
    fields = F.split("value", " ")
    project, number = F.get(fields, F.lit(0)), F.get(fields, F.lit(4)).try_cast("bigint")
    title = F.get(fields, F.lit(1))
    is_line = (F.size(fields) == 6) & (title != "") & (number >= 0) & F.is_valid_utf8("value")
    is_elsewhere = project.rlike(r"^[a-z0-9_-]+\.[a-z0-9_.-]+$") & (project != PROJECT) & (F.size(fields) >= 5)
    reason = F.when(is_elsewhere, RejectReason.OTHER_PROJECT)
    reason = reason.when(~F.coalesce(is_line, F.lit(False)), RejectReason.BAD_VIEW_LINE)
    for why, names in _list_skipped_files(files, views).items():
        reason = reason.when(F.col("_metadata.file_name").isin(*names), F.lit(why))
    return spark.read.text(files).select(
        F.lit("complete").alias("source"),
        *locate_line(),
        _truncate_line().alias("line"),
        _normalize_title(title).alias("title"),
        number.alias("views"),
        reason.alias("reason"),
    )


def _truncate_line() -> Column:
    """As much of a line as is kept; Spark's substring makes up more where bytes are no UTF-8: they are mended first."""
    cut = F.substring(F.make_valid_utf8("value"), 1, SHOWN)
    return F.when(F.octet_length("value") > SHOWN, cut).otherwise(F.col("value"))


def read_pulled_lines(spark: SparkSession, files: list[str]) -> DataFrame:
    """Read the lines of pulled `.jsonl` files (`LINES`)."""
    if not files:
        return spark.createDataFrame([], LINES)
    row = F.from_json(F.try_validate_utf8("value"), "title string, views bigint")
    broken = (F.coalesce(row["title"], F.lit("")) == "") | (F.coalesce(row["views"], F.lit(-1)) < 0)
    return spark.read.text(files).select(
        F.lit("pulled").alias("source"),
        *locate_line(),
        _truncate_line().alias("line"),
        _normalize_title(row["title"]).alias("title"),
        row["views"].alias("views"),
        F.when(broken, RejectReason.BAD_PULLED_LINE).alias("reason"),
    )


def add_up(lines: DataFrame) -> DataFrame:
    """Group the lines (`LINES`) of one source and reason: the sum and the maximum of views, records, the least line.

    Lines of one title are one row, malformed lines a row each with their file and place, and lines that are out of
    scope a row for each of 64 buckets.
    """
    kept, malformed = F.col("reason").isNull(), F.col("reason").isin(*MALFORMED)
    bucket = F.pmod(F.xxhash64("line"), F.lit(BUCKETS)).cast("string")
    return lines.groupBy(
        "source",
        "reason",
        F.when(kept, F.col("title")).alias("title"),
        F.when(malformed, F.col("file")).alias("file"),
        F.when(malformed, F.col("place")).alias("place"),
        F.when(malformed, F.col("line")).when(~kept, bucket).alias("key"),
    ).agg(
        F.sum("views").alias("sum"),
        F.max("views").alias("most"),
        F.count(F.lit(1)).alias("records"),
        F.min("line").alias("line"),
    )


def deduplicate_totals(summed: DataFrame) -> DataFrame:
    """Count a pulled total once, and not beside lines of the same title.

    Args:
        summed: The result of `add_up`.

    Returns:
        reason (null: kept), title, views, file, place, line, records.
    """
    complete = summed.where("source = 'complete' AND reason IS NULL").select("title", F.lit(True).alias("is_complete"))
    joined = summed.join(complete, on="title", how="left")
    pulled = F.expr("source = 'pulled' AND reason IS NULL")
    counts = F.when(~pulled, F.col("records")).when(F.col("is_complete"), F.lit(0)).otherwise(F.lit(1)).cast("bigint")
    why = F.when(F.col("is_complete"), RejectReason.TITLE_IN_COMPLETE_FILE).otherwise(RejectReason.REPEATED_TITLE)
    views = F.when(pulled, F.col("most")).otherwise(F.col("sum"))
    again = joined.where(pulled & (F.col("records") > counts))
    return _select_outcome(joined, F.col("reason"), views, counts).unionByName(
        _select_outcome(again, why, F.lit(None).cast("bigint"), F.col("records") - counts)
    )


def _select_outcome(summed: DataFrame, reason: Column, views: Column, records: Column) -> DataFrame:
    return summed.select(
        reason.alias("reason"),
        "title",
        views.alias("views"),
        "file",
        "place",
        F.make_valid_utf8("line").alias("line"),
        records.alias("records"),
    )


def _list_skipped_files(files: list[str], views: Views) -> dict[str, list[str]]:
    left_out: dict[str, list[str]] = {RejectReason.OTHER_AGENT: [], RejectReason.OUTSIDE_PERIOD: []}
    for file in files:
        name = file.rpartition("/")[2]
        found = COMPLETE.fullmatch(name)
        assert found
        year, month, day, agent, _ = found.groups()
        try:
            first = dt.date(int(year), int(month), int(day or 1))
        except ValueError:
            raise InputError(f"{file}: its name gives no day") from None
        last = first if day else first.replace(day=calendar.monthrange(first.year, first.month)[1])
        if views.agent == "user" and agent != "user":
            left_out[RejectReason.OTHER_AGENT].append(name)
        elif not views.start <= first <= last <= views.end:
            left_out[RejectReason.OUTSIDE_PERIOD].append(name)
    return left_out


def _normalize_title(title: Column) -> Column:
    """Write spaces for underscores and the first letter in upper case, as MediaWiki titles an article."""
    text = F.trim(F.replace(title, F.lit("_"), F.lit(" ")))
    return F.concat(F.upper(F.substr(text, F.lit(1), F.lit(1))), F.substr(text, F.lit(2)))


def _parse(build: Build) -> Parsed:
    return read_pageviews(build.spark, build.config.sources.pageviews, build.config.views)


PARSER = Parser(_parse, (PAGEVIEWS,))
