"""How many rows of each group are kept, and which: decided by ids and other hashes, with reasons for the others."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint


def keep_least(judged: DataFrame, limits: DataFrame, name: str, reason: str, is_asked: Column) -> DataFrame:
    """Keep so many rows of each group, those of the least ids; the others get a reason.

    Args:
        judged: Rows with an id, reason (null where a row is kept), and the columns of the groups.
        limits: The columns of the groups, and `most`, the rows that are kept; few rows. Groups without a limit are
            kept.
        name: The column of the ids, which are hashes.
        reason: Why a row is left out.
        is_asked: Which rows count.

    Returns:
        The columns of `judged`.
    """
    groups = [column for column in limits.columns if column != "most"]
    place = F.row_number().over(Window.partitionBy(*groups).orderBy(name))
    ends = (
        judged.where(is_asked)
        .select(*groups, name)
        .join(F.broadcast(limits), on=groups, how="inner")
        .withColumn("place", place)
        .where("place = most + 1")
        .select(*groups, F.col(name).alias("beyond"))
        .transform(checkpoint)
    )
    return reject_beyond(judged, ends, name, reason, is_asked)


def reject_beyond(
    judged: DataFrame, ends: DataFrame, name: str, reason: str, is_asked: Column | None = None
) -> DataFrame:
    """Give a reason to the rows of each group from an id on.

    Args:
        judged: Rows with an id, reason, and the columns of the groups.
        ends: The columns of the groups, and `beyond`, the least id that is left out; few rows.
        name: The column of the ids.
        reason: Why a row is left out; one that has a reason keeps it.
        is_asked: Which rows count; all by default.

    Returns:
        The columns of `judged`.
    """
    groups = [column for column in ends.columns if column != "beyond"]
    is_beyond = F.col(name) >= F.col("beyond")
    is_rejected = is_beyond if is_asked is None else is_asked & is_beyond
    joined = judged.join(F.broadcast(ends), on=groups, how="left")
    given = F.coalesce("reason", F.when(is_rejected, F.lit(reason)))
    return joined.withColumn("reason", given).select(*judged.columns)


def rank_in_turns(rows: DataFrame, cells: Sequence[tuple[str, str]], place: str, most: int | None = None) -> DataFrame:
    """Number rows so that the parts of a cell take turns, as far as they go: a cell that is cut short has some of each.

    Args:
        rows: The rows.
        cells: From the smallest to the largest: the columns of a cell, and the order in it, in Spark SQL. The order of
            a larger cell begins with `place`, a row's number in the smaller one.
        place: The column of the numbers, from 1.
        most: What is beyond so many rows of a cell is left out.
    """
    for cell, order in cells:
        partition = f"PARTITION BY {cell}" if cell else ""
        kept = (name for name in rows.columns if name != place)
        rows = rows.selectExpr(*kept, f"row_number() OVER ({partition} ORDER BY {order}) AS {place}")
        rows = rows if most is None else rows.where(F.col(place) <= most)
    return rows
