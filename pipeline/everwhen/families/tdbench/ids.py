"""The published id of an item: a hash of what it asks, of no word that it asks with (docs/reference/stability.md)."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.hashing import derive_id, hash_text, refuse_duplicate_ids

NONE = -1
"""The number of what there is not: a date, a length of time."""

SAYS_END_ALONE = (
    "relation IN ('after', 'meets') OR (relation = 'finished_by' AND is_short) OR (relation = 'finishes' AND is_point)"
)
SAYS_START_ALONE = (
    "relation IN ('before', 'met_by') OR (relation = 'started_by' AND is_short) OR (relation = 'starts' AND is_point)"
)
"""Whether one day of its interval alone is what a question is about."""


def number_items(items: DataFrame, declarations: DataFrame, config: Config) -> DataFrame:
    """Give items their published ids, in place of those by which wordings and quotas were chosen.

    Args:
        items: The columns of `everwhen.families.tdbench.tables.ITEMS`.
        declarations: Table `declarations`.
        config: Its seed.

    Raises:
        DuplicateIdError: Two items share an id; change the configuration's seed.
    """
    points = declarations.select("declaration", (F.col("ends") == "points").alias("is_point"))
    joined = items.join(F.broadcast(points), on="declaration", how="left")
    numbered = joined.withColumn("item_id", derive_id(_list_numbers(config))).select(*items.columns)
    refuse_duplicate_ids(numbered, "item_id", F.col("question"))
    return numbered


def _list_numbers(config: Config) -> Column:
    """List what is hashed, an array of bigint."""
    has_times = F.col("event").isNull() & (F.col("task") != "counting")
    is_current = F.col("relation").isin("after", "current", "counted")
    return F.concat(
        F.array(
            *(hash_text(text) for text in (F.lit(config.seed), F.col("declaration"), F.col("task"), F.col("relation"))),
            *(F.col(name).cast("bigint") for name in ("is_short", "wording")),
        ),
        _count_and_list("given", lambda pair: F.array(hash_text(pair["column"]), hash_text(pair["value"]))),
        _count_and_list("hops", lambda step: F.array(hash_text(step["column"]))),
        _count_and_list("asked", lambda column: F.array(hash_text(column))),
        F.array(
            hash_text(F.when(has_times, F.col("granularity")).otherwise("")),
            _write_day("b_start", has_times & ~F.expr(SAYS_END_ALONE)),
            _write_day("b_end", has_times & ~F.expr(SAYS_START_ALONE)),
            _number("offset_months"),
            _write_day("as_of", is_current),
            _number("counted"),
            _number("is_at_least"),
        ),
    )


def _count_and_list(name: str, hash_part: Callable[[Column], Column]) -> Column:
    """The length of an array, then the numbers of each part."""
    return F.concat(F.array(F.size(name).cast("bigint")), F.flatten(F.transform(name, hash_part)))


def _number(name: str) -> Column:
    return F.coalesce(F.col(name).cast("bigint"), F.lit(NONE).cast("bigint"))


def _write_day(name: str, is_asked: Column) -> Column:
    """A day as the number YYYYMMDD, where the question is about it."""
    day = F.year(name) * 10_000 + F.month(name) * 100 + F.dayofmonth(name)
    return F.coalesce(F.when(is_asked, day).cast("bigint"), F.lit(NONE).cast("bigint"))
