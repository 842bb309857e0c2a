"""The one value of an attribute: what events and items can be asked for and compared by."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.catalog.load import load_units
from everwhen.catalog.models import Attribute, EntityList
from everwhen.core.reasons import RejectReason
from everwhen.tables.ranks import select_best_rank
from everwhen.temporal.calendars import Calendar
from everwhen.temporal.precision import Precision

AMOUNT = "decimal(38,9)"


def find_conversion_factor(unit: int | None) -> tuple[int, Decimal]:
    """Find the unit in which the facts store a quantity, and how many of it make one of the unit asked for."""
    if unit is None:
        return 0, Decimal(1)
    entry = load_units()[unit]
    return entry.base, entry.factor


def derive_attribute_candidates(
    statements: DataFrame, members: DataFrame, lists: Sequence[EntityList], attributes: Sequence[Attribute]
) -> DataFrame:
    """Derive the best-rank value of each attribute of each list member, or the reason why there is not one.

    Args:
        statements: Table `statements`.
        members: Table `members`; those that nobody asks about are counted and compared with.
        lists: The lists.
        attributes: The attributes.

    Returns:
        Columns of the table `attributes`, and reason.
    """
    spark = statements.sparkSession
    wanted = _expand_attributes(spark, attributes)
    list_kinds = spark.createDataFrame([(e.id, e.kind) for e in lists], "list string, kind string")
    asked = (
        members.select("entity", "list")
        .join(F.broadcast(list_kinds), on="list", how="inner")
        .join(
            F.broadcast(wanted),
            on=(F.col("kind") == F.col("for_kind"))
            & ((F.col("for_list") == "*") | (F.col("for_list") == F.col("list"))),
            how="inner",
        )
        .select("entity", "attribute", "property", "value", "pick", "base", "factor")
    )
    stated = select_best_rank(statements).select(
        F.col("subject").alias("entity"),
        "property",
        "snak",
        F.struct("value_item", "amount", "unit", "first_day", "last_day", "precision", "calendar").alias("stated"),
    )
    gathered = (
        asked.distinct()
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy("entity", "attribute", "property", "value", "pick", "base", "factor")
        .agg(
            F.count(F.lit(1)).alias("values"),
            F.bool_and(F.col("snak") == "value").alias("known"),
            F.sort_array(F.collect_set("stated")).alias("stated"),
            F.sort_array(F.collect_set(F.when(F.col("snak") == "value", F.col("stated")))).alias("certain"),
        )
    )
    return _reduce_to_one_value(_take_each_item(gathered))


def _take_each_item(gathered: DataFrame) -> DataFrame:
    """Make a row of each certain item of attributes that pick all, and one row of all values of other attributes."""
    each = F.transform(F.filter("certain", lambda s: s["value_item"].isNotNull()), lambda s: F.array(s))
    pick_all = F.col("pick") == "all"
    together = F.array(F.when(pick_all, F.col("certain")).otherwise(F.col("stated")))
    return gathered.withColumn("known", F.col("known") | pick_all).withColumn(
        "stated", F.explode(F.when(pick_all & (F.size(each) > 0), each).otherwise(together))
    )


def _expand_attributes(spark: SparkSession, attributes: Sequence[Attribute]) -> DataFrame:
    """Return a row for each attribute and list of entities that have it; list "*" is any of its kind."""
    rows = []
    for a in attributes:
        base, factor = find_conversion_factor(a.unit)
        rows += [(a.id, a.property, a.value, a.kind, name, a.pick, base, factor) for name in (a.lists or ["*"])]
    schema = (
        "attribute string, property int, value string, for_kind string, for_list string, pick string,"
        f" base bigint, factor {AMOUNT}"
    )
    return spark.createDataFrame(rows, schema)


def _sort_by_day() -> Column:
    """Sort the stated values by their first day, then by their last."""
    return F.array_sort(
        F.col("stated"),
        lambda a, b: (
            F.when(a["first_day"] < b["first_day"], -1)
            .when(a["first_day"] > b["first_day"], 1)
            .when(a["last_day"] < b["last_day"], -1)
            .when(a["last_day"] > b["last_day"], 1)
            .otherwise(0)
        ),
    )


def _find_reject_reason(first: Column) -> Column:
    """Return the reason why the stated values do not give one value; null where they do.

    Args:
        first: The value that would be taken.
    """
    earliest = F.col("pick").isin("earliest", "year")
    years = F.array_distinct(
        F.flatten(F.transform("stated", lambda s: F.array(F.year(s["first_day"]), F.year(s["last_day"]))))
    )
    is_julian = F.exists("stated", lambda s: s["calendar"] == Calendar.JULIAN)
    of_several_years = (F.col("pick") == "year") & ((F.size(years) > 1) | is_julian)
    clear = F.forall(
        F.col("stated"),
        lambda s: (
            (s["first_day"] > first["last_day"])
            | (s["first_day"] == first["first_day"])
            & (s["last_day"] == first["last_day"])
            & (s["calendar"] == first["calendar"])
        ),
    )
    empty = (
        F.when(F.col("value") == "item", first["value_item"].isNull())
        .when(F.col("value") == "time", first["first_day"].isNull())
        .otherwise(first["amount"].isNull())
    )
    unfit = (F.col("value") == "quantity") & ~_has_fitting_unit(first)
    return (
        F.when(~F.col("known"), RejectReason.VALUE_UNKNOWN)
        .when(~earliest & (F.size("stated") > 1), RejectReason.SEVERAL_VALUES)
        .when(empty, RejectReason.NO_USABLE_VALUE)
        .when(unfit, RejectReason.OTHER_UNIT)
        .when(earliest & ~clear, RejectReason.NO_FIRST_DATE)
        .when(of_several_years, RejectReason.RELEASED_IN_SEVERAL_YEARS)
    )


def _reduce_to_one_value(gathered: DataFrame) -> DataFrame:
    """Reduce the stated values to one, or give the reason why that is not possible."""
    earliest = F.col("pick").isin("earliest", "year")
    first = F.try_element_at(F.when(earliest, _sort_by_day()).otherwise(F.col("stated")), F.lit(1))
    of_year = F.col("pick") == "year"
    quantity = F.col("value") == "quantity"
    time = F.col("value") == "time"
    year = F.year(first["first_day"])
    return gathered.select(
        "entity",
        "attribute",
        "property",
        F.when(F.col("value") == "item", first["value_item"]).alias("value_item"),
        F.when(quantity, in_unit(first["amount"], F.col("factor"))).alias("amount"),
        F.when(time, F.when(of_year, F.make_date(year, F.lit(1), F.lit(1))).otherwise(first["first_day"])).alias(
            "first_day"
        ),
        F.when(time, F.when(of_year, F.make_date(year, F.lit(12), F.lit(31))).otherwise(first["last_day"])).alias(
            "last_day"
        ),
        F.when(time, F.when(of_year, F.lit(Precision.YEAR.value).cast("tinyint")).otherwise(first["precision"])).alias(
            "precision"
        ),
        F.when(time, first["calendar"]).alias("calendar"),
        _find_reject_reason(first).alias("reason"),
    )


def in_unit(amount: Column, factor: Column) -> Column:
    """Convert an amount to the unit that questions ask for, to nine digits after the point.

    Spark leaves a quotient of two decimal(38,9) six digits; it keeps nine where the dividend has no more than twenty
    before the point.
    """
    exact = F.try_divide(amount.try_cast("decimal(29,9)"), factor).cast(AMOUNT)
    return F.when(factor == 1, amount).otherwise(F.coalesce(exact, F.try_divide(amount, factor).cast(AMOUNT)))


PERSON_UNITS = (0, 5)
"""Counts of people come as bare numbers, or in the unit "human"."""


def _has_fitting_unit(value: Column) -> Column:
    """Whether a quantity is in the base unit of the attribute; counts may be bare numbers or humans."""
    return F.when(F.col("base") == 0, value["unit"].isin(*PERSON_UNITS)).otherwise(value["unit"] == F.col("base"))
