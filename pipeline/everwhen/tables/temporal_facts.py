"""Statements that say from when, until when or when they hold."""

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.table import Column, Table

_SNAK = "value, somevalue, novalue, several or hedged; null where it is not stated"

TEMPORAL_FACTS = Table(
    name="temporal_facts",
    stage="world",
    meaning="A statement that is not deprecated and has a start time, an end time or a point in time (P580, P582, P585).",
    columns=(
        Column("statement_id", "string", "Wikidata's id of the statement; unique"),
        Column("subject_id", "bigint", "item id without Q"),
        Column("property", "int", "property id without P"),
        Column("rank", "string", "preferred or normal"),
        Column("snak", "string", "whether the value is known: value, somevalue, novalue, hedged or unreadable"),
        Column("datatype", "string", "the property's datatype"),
        Column("value_id", "bigint", "the value where it is an item: its id without Q", nullable=True),
        Column("value_text", "string", "text, amount or time as written", nullable=True),
        Column(
            "amount", "decimal(38,9)", "quantity in the unit of its dimension (templates/units.yaml)", nullable=True
        ),
        Column("unit", "bigint", "the unit of amount as item id; 0 for a bare number", nullable=True),
        Column(
            "kind",
            "string",
            "closed (start and end), begun (a start alone), ended (an end alone) or point (a point in time alone);"
            " null where the time is of no use",
            nullable=True,
        ),
        Column("earliest_start", "date", "first day of the start; of a point, of the point", nullable=True),
        Column("latest_start", "date", "last day of the start", nullable=True),
        Column("earliest_end", "date", "first day of the end; of a point, of the point", nullable=True),
        Column("latest_end", "date", "last day of the end", nullable=True),
        Column("start_precision", "tinyint", "precision of the start: 6 millennium to 11 day", nullable=True),
        Column("start_calendar", "string", "calendar in which the start is stated", nullable=True),
        Column("end_precision", "tinyint", "precision of the end", nullable=True),
        Column("end_calendar", "string", "calendar in which the end is stated", nullable=True),
        Column("start_snak", "string", f"qualifier P580: {_SNAK}", nullable=True),
        Column(
            "end_snak",
            "string",
            f"qualifier P582: {_SNAK}. Of what has begun, somevalue says that it has ended, novalue that it continues",
            nullable=True,
        ),
        Column("point_snak", "string", f"qualifier P585: {_SNAK}", nullable=True),
        Column(
            "earliest_point", "date", "first day of the point in time, also where start or end decide", nullable=True
        ),
        Column("latest_point", "date", "last day of the point in time", nullable=True),
        Column("point_precision", "tinyint", "precision of the point in time", nullable=True),
        Column("point_calendar", "string", "calendar in which the point in time is stated", nullable=True),
        Column("reason", "string", "why the time is of no use; null where it is of use", nullable=True),
    ),
)


def count_profiles(facts: DataFrame) -> DataFrame:
    """Count the row profiles of temporal facts: facts that are alike in all that their suite uses become one row.

    There can be tens of millions of facts, and a few hundred profiles.

    Args:
        facts: Table `temporal_facts`.

    Returns:
        Columns kind, reason, rank, snak and the three snak types; start_bounds, end_bounds and point_bounds (none,
        ordered or broken); ends_after_start; bounds_agree (start and end are one interval); statement_id, the least of
        the facts; facts, how many there are.
    """
    profile = {
        **{name: F.col(name) for name in ("kind", "reason", "rank", "snak", "start_snak", "end_snak", "point_snak")},
        **{f"{name}_bounds": _describe_bounds(name) for name in ("start", "end", "point")},
        "ends_after_start": F.col("earliest_start") <= F.col("latest_end"),
        "bounds_agree": (F.col("earliest_start") == F.col("earliest_end"))
        & (F.col("latest_start") == F.col("latest_end")),
    }
    return facts.groupBy(*(column.alias(name) for name, column in profile.items())).agg(
        F.min("statement_id").alias("statement_id"), F.count(F.lit(1)).alias("facts")
    )


def _describe_bounds(name: str) -> SparkColumn:
    """none: neither days nor precision; ordered: both days in order, and a precision; broken: anything else."""
    first, last, precision = F.col(f"earliest_{name}"), F.col(f"latest_{name}"), F.col(f"{name}_precision")
    ordered = (first <= last) & precision.isNotNull()
    none = F.coalesce(first, last).isNull() & precision.isNull()
    return F.when(none, "none").when(ordered, "ordered").otherwise("broken")
