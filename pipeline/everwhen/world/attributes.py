"""The one value of an attribute, which events and items can be asked for and compared by; values at ends of paths."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_units
from everwhen.catalog.models import MAX_PATH_LENGTH, Attribute, EntityList, PropertyPath
from everwhen.core.reasons import RejectReason
from everwhen.tables.facts import select_best_rank
from everwhen.temporal.calendars import Calendar
from everwhen.temporal.precision import Precision

AMOUNT = "decimal(38,9)"
TIME = ("first_day", "last_day", "precision", "calendar")
VALUE = ("value_item", "amount", "unit", *TIME)
"""The columns of a statement's value, of any datatype. Times are sorted by them: the others are null then."""


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
        members: Table `members`; those that nobody asks about are counted and compared with.

    Returns:
        Columns of the table `attributes`, and reason.
    """
    key = ("entity", "attribute", "property", "value", "pick", "base", "factor")
    rows = [
        (e.id, a.id, a.property, a.value, a.pick, *find_conversion_factor(a.unit))
        for a in attributes
        for e in lists
        if e.kind == a.kind and (not a.lists or e.id in a.lists)
    ]
    schema = f"list string, attribute string, property int, value string, pick string, base bigint, factor {AMOUNT}"
    wanted = statements.sparkSession.createDataFrame(rows, schema)
    asked = members.select("entity", "list").join(F.broadcast(wanted), on="list", how="inner").select(*key)
    value = F.struct(*VALUE).alias("stated")
    stated = select_best_rank(statements).select(F.col("subject").alias("entity"), "property", "snak", value)
    gathered = (
        asked.distinct()
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy(*key)
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
    first = F.try_element_at("stated", F.lit(1))  # of times the earliest
    quantity, time = F.col("value") == "quantity", F.col("value") == "time"
    of_year, year = F.col("pick") == "year", F.year(first["first_day"])
    whole_year = {
        "first_day": F.make_date(year, F.lit(1), F.lit(1)),
        "last_day": F.make_date(year, F.lit(12), F.lit(31)),
        "precision": F.lit(Precision.YEAR.value).cast("tinyint"),
    }
    return gathered.select(
        *("entity", "attribute", "property"),
        F.when(F.col("value") == "item", first["value_item"]).alias("value_item"),
        F.when(quantity, in_unit(first["amount"], F.col("factor"))).alias("amount"),
        *(
            F.when(time, F.when(of_year, value).otherwise(first[name])).alias(name)
            for name, value in whole_year.items()
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


# Paths: every property of a path has exactly one value.


def follow_paths(statements: DataFrame, heads: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Follow every property path from every head that it applies to: rows of the table `hops`.

    A path continues only if its next property has exactly one best-rank value: all statements of best rank have a
    value, and the same one. The last property must also have one value; a quantity must be in a unit of the path's
    dimension. All paths are followed together, with one join for each depth.

    Args:
        heads: The entities at which paths start: columns entity, list, kind.
    """
    single_values = _select_single_values(statements, paths)
    reached = _start_paths(heads, paths, single_values)
    for depth in range(1, MAX_PATH_LENGTH + 1):
        reached = _advance_paths(reached, single_values, depth)
    value, kind = F.col("value"), F.col("value_kind")
    fits = (
        F.when(kind == "item", value["value_item"].isNotNull())
        .when(kind == "time", value["first_day"].isNotNull())
        .otherwise(value["amount"].isNotNull() & (value["unit"] == F.col("base")))
    )
    return reached.where(fits).select(
        *("entity", "hop", "hops", "bridges"),
        F.element_at("properties", -1).alias("property"),
        F.when(kind == "item", value["value_item"]).alias("value_item"),
        F.when(kind == "quantity", in_unit(value["amount"], F.col("factor"))).alias("amount"),
        *(F.when(kind == "time", value[name]).alias(name) for name in TIME),
    )


def _select_single_values(statements: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Select the best-rank value of each subject and property that has exactly one: columns here, property, read."""
    wanted = sorted({property_ for path in paths for property_ in path.properties})
    return (
        select_best_rank(statements.where(F.col("property").isin(wanted)))
        .groupBy(F.col("subject").alias("here"), "property")
        .agg(F.bool_and(F.col("snak") == "value").alias("known"), F.collect_set(F.struct(*VALUE)).alias("values"))
        .where(F.col("known") & (F.size("values") == 1))
        .select("here", "property", F.element_at("values", 1).alias("read"))
    )


def _start_paths(heads: DataFrame, paths: Sequence[PropertyPath], single_values: DataFrame) -> DataFrame:
    """Pair every head with every path that applies to it, at the beginning of the path."""
    rows = [
        (path.id, path.kind, name, path.hops, path.properties, path.value, *find_conversion_factor(path.unit))
        for path in paths
        for name in path.lists or ["*"]
    ]
    schema = (
        "hop string, for_kind string, for_list string, hops array<int>, properties array<int>, value_kind string,"
        f" base bigint, factor {AMOUNT}"
    )
    wanted = heads.sparkSession.createDataFrame(rows, schema)
    on = (F.col("kind") == F.col("for_kind")) & ((F.col("for_list") == "*") | (F.col("for_list") == F.col("list")))
    return heads.join(F.broadcast(wanted), on=on, how="inner").select(
        *("entity", "hop", "hops", "properties", "value_kind", "base", "factor"),
        F.col("entity").alias("here"),
        F.array().cast("array<bigint>").alias("bridges"),
        F.lit(None).cast(single_values.schema["read"].dataType).alias("value"),
    )


def _advance_paths(reached: DataFrame, single_values: DataFrame, depth: int) -> DataFrame:
    """Read the property of this depth at the current item of each path, and advance to its value.

    A path that ends here keeps its item. Paths that ended earlier stay unchanged; paths without a value are dropped.
    """
    length = F.size("properties")
    reads, continues = F.lit(depth) <= length, F.lit(depth) < length
    item = F.col("read.value_item")
    found = (
        reached.withColumn("property", F.get("properties", F.lit(depth - 1)))
        .join(single_values, on=["here", "property"], how="left")
        .where(~reads | (F.col("read").isNotNull() & (~continues | item.isNotNull())))
    )
    return found.select(
        *(name for name in reached.columns if name not in ("here", "bridges", "value")),
        F.when(continues, item).otherwise(F.col("here")).alias("here"),
        F.when(continues, F.concat("bridges", F.array(item))).otherwise(F.col("bridges")).alias("bridges"),
        F.when(reads, F.col("read")).otherwise(F.col("value")).alias("value"),
    )
