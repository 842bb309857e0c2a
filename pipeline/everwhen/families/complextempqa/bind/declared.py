"""What is declared complete: over which years a count is one of the world and not of the known facts."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_declarations, load_descriptions
from everwhen.families.complextempqa.bind.common import fill_open_end
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.tables import DECLARATIONS
from everwhen.tables.world import DESCRIPTIONS

COUNTED_COMPLETE = "complete"
"""What a row says that counts over what is declared complete."""

COUNTED_KNOWN = "known facts"
"""What a row says that counts what the facts hold, be it all or not."""

WORKS = {"films_by": ("directed_by", "release"), "books_by": ("written_by", "publication")}
"""Of works that are declared by their makers: the attributes of the maker and of the date."""


def compare_declarations(world: WorldTables) -> DataFrame:
    """What `templates/complete.yaml` and the configuration declare, with what the facts hold of it.

    Returns:
        Columns of the table `declarations`. One whose number of members the facts do not meet is not complete.
        Of what is not in the world at all, such as a position of nobody who is asked about, no number is found.
    """
    return world.compute_once("declarations", lambda: _compare_declarations(world))


def _compare_declarations(world: WorldTables) -> DataFrame:
    roots = {e.id: e.roots[0] for e in world.lists}
    rows = []
    for number, entry in enumerate([*load_declarations(), *read_settings(world.config).complete]):
        named = getattr(entry, entry.what)
        if entry.list is not None and named != "all":
            if named not in roots:
                continue
            named = roots[named]
        item = None if named == "all" else named
        rows.append((number, entry.what, item, entry.start, entry.end, entry.members, entry.source))
    declared = world.spark.createDataFrame(
        rows, "number int, what string, item bigint, since int, until int, members int, source string"
    )
    first = F.make_date("since", F.lit(1), F.lit(1))
    last = F.make_date("until", F.lit(12), F.lit(31))
    open_end = fill_open_end("last_day")
    # A term counts on any day of it; all else must be in the years from its first day to its last.
    falls_into = F.when(F.col("what") == "position", (F.col("first_day") <= last) & (open_end >= first)).otherwise(
        (F.col("first_day") >= first) & (F.col("last_day") <= last)
    )
    found = (
        declared.join(
            _list_countable(world).withColumnsRenamed({"what": "kind", "item": "of"}),
            on=F.expr("what = kind AND item = of"),
        )
        .groupBy("number")
        .agg(F.count_distinct(F.when(falls_into, F.col("member"))).cast("int").alias("found"))
    )
    is_complete = F.col("members").isNull() | F.coalesce(F.col("members") == F.col("found"), F.lit(False))
    return (
        declared.join(found, on="number", how="left")
        .withColumn("is_complete", is_complete)
        .select(*(column.name for column in DECLARATIONS.columns))
    )


def _list_countable(world: WorldTables) -> DataFrame:
    """All that declarations may number: columns what, item, member, first_day, last_day."""
    roots = world.list_words.select("list", F.col("class").alias("item"))
    events = (
        world.members.where("earliest IS NOT NULL")
        .join(F.broadcast(roots), on="list", how="inner")
        .select(
            F.lit("list").alias("what"),
            "item",
            F.col("entity").cast("string").alias("member"),
            F.col("earliest").alias("first_day"),
            F.col("latest").alias("last_day"),
        )
    )
    holders = world.terms.select(
        F.lit("position"), "position", F.col("holder").cast("string"), "earliest_start", "latest_end"
    )
    awards = world.awards.select(F.lit("award"), "award", "statement_id", "first_day", "last_day")
    works = [_list_works(world, what, *attributes) for what, attributes in WORKS.items()]
    return events.union(holders).union(awards).union(works[0]).union(works[1])


def _list_works(world: WorldTables, what: str, maker: str, date: str) -> DataFrame:
    dates = world.attributes.where(F.col("attribute") == date).select("entity", "first_day", "last_day")
    makers = world.attributes.where(F.col("attribute") == maker).select("entity", F.col("value_item").alias("item"))
    return makers.join(dates, on="entity", how="inner").select(
        F.lit(what), "item", F.col("entity").cast("string"), "first_day", "last_day"
    )


def select_unique_descriptions(world: WorldTables) -> DataFrame:
    """Read the descriptions that fit one subject in the world, as far as it is known.

    A description that mentions maker and year of a work says that the maker made no other in that year. Facts that
    hold a part of somebody's works cannot show it: only what is declared complete is described so.

    Returns:
        Rows of the table `descriptions`.
    """
    every = world.build.read(DESCRIPTIONS)
    claims = {pattern.id: pattern.complete for pattern in load_descriptions() if pattern.complete}
    claiming = every.where(F.col("key").isin(list(claims)))
    works = world.spark.createDataFrame(list(claims.items()), "key string, work string")
    dates = world.spark.createDataFrame(
        [(what, date) for what, (_, date) in WORKS.items()], "work string, attribute string"
    )
    dated = (
        world.attributes.join(F.broadcast(dates), on="attribute", how="inner")
        .where(F.year("first_day") == F.year("last_day"))
        .select("entity", "work", F.year("first_day").alias("year"))
    )
    declared = compare_declarations(world).where("is_complete").select("what", "item", "since", "until")
    covers = (
        (F.col("work") == F.col("what"))
        & (F.col("item").isNull() | F.array_contains("items", F.col("item")))
        & F.col("year").between(F.col("since"), F.col("until"))
    )
    claimed = (
        claiming.join(F.broadcast(works), on="key", how="inner")
        .join(dated, on=["entity", "work"], how="inner")
        .join(F.broadcast(declared), on=covers, how="left_semi")
    )
    return every.where(~F.col("key").isin(list(claims))).unionByName(claimed.select(*every.columns))


def with_ranges(world: WorldTables, subjects: DataFrame, what: str, item: str) -> DataFrame:
    """Add to what is counted the years that its windows may cover.

    What is declared is counted in the years declared; all else in those of the configuration's window.

    Args:
        subjects: What is counted.
        what: The key of the declarations that fit.
        item: The column with the item that they name.

    Returns:
        The columns of `subjects`, since, until (years), counted_over, and range_reason: why nothing is counted there.
    """
    declared = compare_declarations(world).where(F.col("what") == what).select("item", "since", "until", "is_complete")
    fits = declared["item"].isNull() | (declared["item"] == subjects[item])
    window = world.config.window
    is_declared = F.col("is_complete").isNotNull()
    # One join, with nulls where nothing is declared: with two all that leads to `subjects` would be computed twice.
    return subjects.join(F.broadcast(declared), on=fits, how="left").select(
        *(subjects[column] for column in subjects.columns),
        F.coalesce("since", F.lit(window.start.year)).alias("since"),
        F.coalesce("until", F.lit(window.end.year)).alias("until"),
        F.when(is_declared, F.lit(COUNTED_COMPLETE)).otherwise(F.lit(COUNTED_KNOWN)).alias("counted_over"),
        F.when(~F.col("is_complete"), F.lit(BindingReason.MEMBERS_DIFFER))
        .when(~is_declared, reject_open_counts(world, F.lit(True)))
        .alias("range_reason"),
    )


def reject_open_counts(world: WorldTables, is_open: Column) -> Column:
    """Why an open count gives no question: the configuration does not ask for such; null where it does."""
    if read_settings(world.config).open_counts:
        return F.lit(None).cast("string")
    return F.when(is_open, F.lit(BindingReason.OPEN_COUNT))
