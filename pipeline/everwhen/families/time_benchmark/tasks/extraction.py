"""Level 1, Extract: which of four times a text mentions."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.time_benchmark.tasks.candidates import LAST_YEAR, Texts, build_candidates, write_bound
from everwhen.families.time_benchmark.texts import list_times
from everwhen.temporal.precision import Precision

OPTIONS = 4
"""Times that are offered, beside that none of them is mentioned."""
NONE_OF_THEM = "None of these"
YEARS, MONTHS, DAYS = range(-9, 10), (0, 5), (0, 11)
"""By how much false times differ from mentioned ones: in years, months, days or all of them."""
TRIED = 64
"""False times of a text that are compared with those that it mentions."""


def ask_which_times(texts: Texts, mentioned: DataFrame) -> DataFrame:
    """Ask which of four times a text mentions: none to all, evenly. False ones share no day with any that it mentions.

    Args:
        texts: What the texts mention.
        mentioned: Facts that texts mention: context_id, statement_id, and the columns of the table `facts`.
    """
    times = _list_times(mentioned).withColumn("hash", texts.hash("context_id", "first", "precision"))
    times = times.transform(checkpoint)
    by_hash = Window.partitionBy("context_id").orderBy("hash", "first")
    count = F.pmod(texts.hash(F.lit("true"), "context_id"), F.lit(OPTIONS + 1)).cast("int")
    placed = times.withColumns({"place": F.row_number().over(by_hash), "count": count})
    chosen = placed.where(F.col("place") <= OPTIONS)
    shifted = _shift(chosen).where(F.col("year") <= LAST_YEAR)
    hashed = shifted.withColumn("hash", texts.hash("context_id", "first", "precision"))
    false = hashed.withColumn("place", F.row_number().over(by_hash)).where(F.col("place") <= TRIED).drop("place")
    is_shared = (F.col("false.first") <= F.col("mentioned.last")) & (F.col("mentioned.first") <= F.col("false.last"))
    unmentioned = (
        false.alias("false")
        .join(
            times.alias("mentioned"),
            (F.col("false.context_id") == F.col("mentioned.context_id")) & is_shared,
            "left_anti",
        )
        .join(_list_named_years(mentioned), ["context_id", "year"], "left_anti")
        .withColumn("place", F.row_number().over(by_hash))
        .where(F.col("place") <= OPTIONS - F.col("count"))
    )
    nothing = F.lit(None).cast("string").alias("statement_id")
    offered = chosen.where(F.col("place") <= F.col("count")).select("context_id", "first", "precision", "statement_id")
    offered = offered.unionByName(unmentioned.select("context_id", "first", "precision", nothing))
    text = write_bound(F.col("first"), F.col("precision"))
    option = F.struct(texts.hash("context_id", F.lit("place"), text).alias("hash"), text.alias("text"), "statement_id")
    rows = offered.groupBy("context_id").agg(F.array_sort(F.collect_list(option)).alias("shown"))
    rows = rows.where(F.size(F.array_distinct("shown.text")) == OPTIONS)
    rows = rows.withColumn("true", F.filter("shown", lambda each: each["statement_id"].isNotNull()))
    is_none = F.size("true") == 0
    kinds = F.transform("shown", lambda each: F.when(each["statement_id"].isNull(), "shifted").otherwise("right"))
    return build_candidates(
        texts,
        rows,
        "extract",
        question=F.lit("Which of these dates appear in the text?"),
        answer=F.when(is_none, F.array(F.lit(NONE_OF_THEM))).otherwise(F.col("true.text")),
        evidence=F.col("true.statement_id"),
        parameters=F.create_map(F.lit("times"), F.array_join("shown.text", "; ")),
        options=F.concat("shown.text", F.array(F.lit(NONE_OF_THEM))),
        option_kinds=F.concat(kinds, F.array(F.when(is_none, "right").otherwise("none"))),
    )


def _list_times(mentioned: DataFrame) -> DataFrame:
    """List the times of texts, each once: context_id, first, last, precision, and one statement that has it."""
    rows = mentioned.select("context_id", "statement_id", F.inline(list_times()))
    rows = rows.withColumn("first", _cut(F.col("day"), F.col("precision")))
    once = rows.groupBy("context_id", "first", "precision").agg(F.min("statement_id").alias("statement_id"))
    return once.withColumn("last", _find_last(F.col("first"), F.col("precision")))


def _list_named_years(mentioned: DataFrame) -> DataFrame:
    """List the years inside names of a text."""
    names = F.explode(F.array("subject_name", "value_name")).alias("name")
    years = F.explode(F.regexp_extract_all("name", F.lit(r"(\d{4})"), 1)).alias("year")
    found = mentioned.select("context_id", names).select("context_id", years).distinct()
    return found.withColumn("year", F.col("year").cast("int"))


def _shift(chosen: DataFrame) -> DataFrame:
    """Shift times by years, months and days, as far as their precision reaches."""

    def list_shifts(year: Column) -> Column:
        pairs = ((12 * year + month, F.lit(day)) for month in MONTHS for day in DAYS)
        return F.array(*(F.struct(months.alias("months"), days.alias("days")) for months, days in pairs))

    shifts = F.flatten(F.transform(F.sequence(F.lit(YEARS[0]), F.lit(YEARS[-1])), list_shifts))
    moved = chosen.select("context_id", "count", "first", "precision", F.inline(shifts))
    day = F.date_add(F.add_months("first", F.col("months")), F.col("days"))
    cut = moved.withColumn("first", _cut(day, F.col("precision"))).drop("months", "days").distinct()
    return cut.withColumns({"last": _find_last(F.col("first"), F.col("precision")), "year": F.year("first")})


def _cut(day: Column, precision: Column) -> Column:
    """Cut a day to the first of its month or year, as far as a precision reaches."""
    coarse = F.when(precision == Precision.MONTH, F.trunc(day, "month")).otherwise(F.trunc(day, "year"))
    return F.when(precision == Precision.DAY, day).otherwise(coarse)


def _find_last(first: Column, precision: Column) -> Column:
    """Find the last day of a time that begins on a day."""
    coarse = F.when(precision == Precision.MONTH, F.last_day(first)).otherwise(F.date_sub(F.add_months(first, 12), 1))
    return F.when(precision == Precision.DAY, first).otherwise(coarse)
