"""Statements with the time in which they hold: from a start to an end, or at a point.

Sources: Wikidata's qualifiers start time (P580), end time (P582) and point in time (P585),
https://www.wikidata.org/wiki/Help:Qualifiers.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason

CLOSED, BEGUN, ENDED, POINT = "closed", "begun", "ended", "point"
"""The kinds of temporal facts."""


def find_temporal_facts(statements: DataFrame) -> DataFrame:
    """Find every statement that is not deprecated and has a qualifier P580, P582 or P585.

    Start and end decide the kind; a point in time decides it only where neither has a value. A qualifier stated as
    somevalue or novalue, or hedged, gives no bound; the columns `..._snak` keep the difference. A statement that is
    hedged or could not be read, several starts or ends, no value in any qualifier, and an end that is surely before the
    start leave the time of no use. Such a row has a reason, and neither kind nor bounds.

    Args:
        statements: Table `statements`; it is read once, without a shuffle.

    Returns:
        Rows of the table `temporal_facts`.
    """
    start, end, point = F.col("start_time"), F.col("end_time"), F.col("point_in_time")
    reason = F.coalesce(explain_uncertain(), _explain_unusable(start, end, point))
    kind = _classify_bounds(start, end, point)
    first = F.when(kind == POINT, point).when(kind != ENDED, start)
    last = F.when(kind == POINT, point).when(kind != BEGUN, end)
    usable = reason.isNull()
    return statements.where((F.col("rank") != "deprecated") & _is_dated()).withColumns(
        {
            "subject_id": F.col("subject"),
            "value_id": F.col("value_item"),
            "kind": F.when(usable, kind),
            "earliest_start": F.when(usable, first["first_day"]),
            "latest_start": F.when(usable, first["last_day"]),
            "earliest_end": F.when(usable, last["first_day"]),
            "latest_end": F.when(usable, last["last_day"]),
            "start_precision": F.when(usable, first["precision"]),
            "end_precision": F.when(usable, last["precision"]),
            "start_calendar": F.when(usable, first["calendar"]),
            "end_calendar": F.when(usable, last["calendar"]),
            "start_snak": start["snak"],
            "end_snak": end["snak"],
            "point_snak": point["snak"],
            "earliest_point": point["first_day"],
            "latest_point": point["last_day"],
            "point_precision": point["precision"],
            "point_calendar": point["calendar"],
            "reason": reason,
        }
    )


def select_property(facts: DataFrame, statements: DataFrame, property_: int) -> DataFrame:
    """Select all values of a property, with their time where they have one.

    Args:
        facts: Table `temporal_facts`: the statements that have a qualifier of time come from here.
        statements: Table `statements`: those without any such qualifier come from here.
        property_: Id of the property without P.

    Returns:
        The columns of `temporal_facts`, those of time null where no time is stated. Neither deprecated statements nor
        unknown values are among the rows. Values that are hedged, or of statements that could not be read, are: they
        may hold at any time, and have a reason.
    """
    undated = statements.where((F.col("rank") != "deprecated") & ~_is_dated()).select(
        *("statement_id", "property", "snak"),
        F.col("subject").alias("subject_id"),
        F.col("value_item").alias("value_id"),
        explain_uncertain().alias("reason"),
    )
    both = facts.unionByName(undated, allowMissingColumns=True)
    is_possible = F.col("snak").isin("hedged", "unreadable") & F.col("value_id").isNotNull()
    return both.where((F.col("property") == property_) & ((F.col("snak") == "value") | is_possible))


def explain_uncertain() -> Column:
    """Return why a statement is not certain; null where it is."""
    return F.when(F.col("snak") == "hedged", RejectReason.HEDGED).when(
        F.col("snak") == "unreadable", RejectReason.UNREADABLE
    )


def _is_dated() -> Column:
    """Whether a statement has a qualifier that says when it holds."""
    return F.coalesce("start_time", "end_time", "point_in_time").isNotNull()


def _has_value(qualifier: Column) -> Column:
    return F.coalesce(qualifier["snak"] == "value", F.lit(False))


def _classify_bounds(start: Column, end: Column, point: Column) -> Column:
    return (
        F.when(_has_value(start) & _has_value(end), CLOSED)
        .when(_has_value(start), BEGUN)
        .when(_has_value(end), ENDED)
        .when(_has_value(point), POINT)
    )


def _explain_unusable(start: Column, end: Column, point: Column) -> Column:
    """Return why a time is unusable; null where it is usable."""
    is_reversed = _has_value(start) & _has_value(end) & (end["last_day"] < start["first_day"])
    return (
        F.when(start["snak"] == "several", RejectReason.SEVERAL_STARTS)
        .when(end["snak"] == "several", RejectReason.SEVERAL_ENDS)
        .when(is_reversed, RejectReason.END_BEFORE_START)
        .when(_has_value(start) | _has_value(end) | _has_value(point), F.lit(None))
        .when(point["snak"] == "several", RejectReason.SEVERAL_POINTS)
        .otherwise(RejectReason.TIME_UNKNOWN)
    )
