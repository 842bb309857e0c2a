"""Statements with the time in which they hold: from a start to an end, or at a point.

Terms of office are those of P39 (who held what position), awards received those of P166.

Sources: Wikidata's qualifiers start time (P580), end time (P582) and point in time (P585),
https://www.wikidata.org/wiki/Help:Qualifiers.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.tables.facts import select_best_rank
from everwhen.tables.world import BEGUN, CLOSED, ENDED, POINT
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property


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
    usable = {"kind": kind}
    for bound, value in (("start", first), ("end", last)):
        usable |= {f"earliest_{bound}": value["first_day"], f"latest_{bound}": value["last_day"]}
        usable |= {f"{bound}_precision": value["precision"], f"{bound}_calendar": value["calendar"]}
    return statements.where((F.col("rank") != "deprecated") & _is_dated()).withColumns(
        {
            "subject_id": F.col("subject"),
            "value_id": F.col("value_item"),
            **{name: F.when(reason.isNull(), value) for name, value in usable.items()},
            **{f"{name}_snak": bound["snak"] for name, bound in (("start", start), ("end", end), ("point", point))},
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


# Terms of office.


def find_term_candidates(facts: DataFrame, statements: DataFrame, holders: DataFrame) -> DataFrame:
    """Find every term of the holders' positions, of any rank but deprecated, and say why one cannot be used.

    A preferred rank often marks only today's holder, so that best rank would lose all earlier terms. An
    end that is stated not to be (novalue), or not stated at all, leaves the term open.

    Args:
        facts: Table `temporal_facts`: all bounds come from here.
        statements: Table `statements`: terms without any time come from here, and make a position incomplete.
        holders: Column item_id: whose positions have terms. All other holders of those positions count too.

    Returns:
        Columns of the table `position_terms` but jurisdiction_id, is_complete and is_only_term, and reason.
    """
    names = {"value_id": "position_id", "subject_id": "holder_id", "reason": "time_reason"}
    stated = select_property(facts, statements, Property.POSITION_HELD).withColumnsRenamed(names)
    asked = holders.select(F.col("item_id").alias("holder_id")).distinct()
    positions = stated.join(asked, on="holder_id", how="left_semi").select("position_id").distinct()
    reason = (
        F.when(F.col("snak") != "value", F.col("time_reason"))
        .when(F.col("start_snak").isNull() | (F.col("start_snak") != "value"), RejectReason.NO_USABLE_START)
        .when(~F.col("end_snak").isin("value", "novalue"), RejectReason.NO_USABLE_END)
        .otherwise(F.col("time_reason"))
    )
    return stated.join(positions, on="position_id", how="left_semi").select(
        *("position_id", "holder_id", "statement_id"),
        *("earliest_start", "latest_start", "start_precision", "start_calendar"),
        *("earliest_end", "latest_end", "end_precision", "end_calendar"),
        reason.alias("reason"),
    )


def derive_position_terms(candidates: DataFrame, statements: DataFrame) -> DataFrame:
    """Keep the usable terms, and say which positions are complete: rows of the table `position_terms`.

    A position with an unusable term, or with several open ones, is not complete.

    Args:
        candidates: As `find_term_candidates` returns them.
        statements: Table `statements`, for the positions' jurisdictions.
    """
    usable = F.col("reason").isNull()
    complete = candidates.groupBy("position_id").agg(
        (F.bool_and(usable) & (F.count_if(usable & F.col("latest_end").isNull()) <= 1)).alias("is_complete")
    )
    alone = candidates.groupBy("position_id", "holder_id").agg((F.count(F.lit(1)) == 1).alias("is_only_term"))
    return (
        candidates.where(usable)
        .drop("reason")
        .join(complete, on="position_id", how="inner")
        .join(alone, on=["position_id", "holder_id"], how="inner")
        .join(_find_jurisdictions(statements), on="position_id", how="left")
    )


def _find_jurisdictions(statements: DataFrame) -> DataFrame:
    """Find the one best-rank jurisdiction of each subject that has one: columns position_id, jurisdiction_id."""
    stated = select_best_rank(statements.where(F.col("property") == Property.APPLIES_TO_JURISDICTION))
    return (
        stated.groupBy(F.col("subject").alias("position_id"))
        .agg(
            F.min("value_item").alias("jurisdiction_id"),
            ((F.count_distinct("value_item") == 1) & F.bool_and(F.col("snak") == "value")).alias("is_one"),
        )
        .where("is_one")
        .drop("is_one")
    )


# Awards.


def derive_awards(facts: DataFrame, statements: DataFrame) -> DataFrame:
    """Derive every award received, of any rank but deprecated (a preferred rank would hide all earlier ones).

    The point in time counts whatever start and end say.

    Args:
        facts: Table `temporal_facts`: all times come from here.
        statements: Table `statements`: awards without any time come from here, and make an award incomplete.

    Returns:
        Rows of the table `awards`. A point in time that is unknown, doubled or coarser than a year is not usable. That
        of a hedged statement is not either.
    """
    usable = (F.col("snak") == "value") & (F.col("point_precision") >= Precision.YEAR)
    times = {"first_day": "earliest_point", "last_day": "latest_point"}
    times |= {"precision": "point_precision", "calendar": "point_calendar"}
    received = select_property(facts, statements, Property.AWARD_RECEIVED).select(
        F.col("value_id").alias("award"),
        F.col("subject_id").alias("recipient"),
        "statement_id",
        *(F.when(usable, F.col(column)).alias(name) for name, column in times.items()),
    )
    once = received.groupBy("award", "recipient").agg((F.count(F.lit(1)) == 1).alias("once"))
    complete = received.groupBy("award").agg(F.bool_and(F.col("first_day").isNotNull()).alias("complete"))
    return received.join(once, on=["award", "recipient"], how="inner").join(complete, on="award", how="inner")
