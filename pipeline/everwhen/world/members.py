"""Who belongs to an entity list; from when to when, and in which countries, a member is; its primary list."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.catalog.models import EntityList
from everwhen.core.reasons import RejectReason
from everwhen.tables.facts import select_best_rank
from everwhen.wikidata.properties import Property
from everwhen.world.attributes import TIME


def find_closure_members(statements: DataFrame, subclasses: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Find the members of the lists by subclass closure over the dump; those by a hedged class are not certain.

    Args:
        subclasses: Table `subclasses`, for the roots of these lists at least.

    Returns:
        Columns list, entity, certain (by a class that is not hedged); no list and entity twice.
    """
    spark = statements.sparkSession
    rows = [(e.id, e.via, root, e.ranks) for e in lists for root in e.roots]
    wanted = spark.createDataFrame(rows, "list string, property int, root bigint, ranks string")
    classes = (
        subclasses.join(F.broadcast(wanted), on="root", how="inner")
        .select("list", "property", "ranks", F.col("class").alias("value_item"))
        .distinct()
    )
    leading = statements.where(F.col("property").isin(sorted({e.via for e in lists})))
    columns = ("subject", "property", "value_item", "snak")
    best = select_best_rank(leading).select(*columns, F.lit("best").alias("ranks"))
    all_ = leading.where("rank <> 'deprecated'").select(*columns, F.lit("all").alias("ranks"))
    return (
        best.unionByName(all_)
        .where("snak IN ('value', 'hedged')")
        .join(F.broadcast(classes), on=["property", "value_item", "ranks"], how="inner")
        .groupBy("list", F.col("subject").alias("entity"))
        .agg(F.bool_or(F.col("snak") == "value").alias("certain"))
    )


def list_members(
    statements: DataFrame, subclasses: DataFrame, pulled: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """List the members: as a SPARQL endpoint answered where a list was pulled, else by subclass closure.

    Args:
        pulled: Table `list_members`.

    Returns:
        Columns list, entity, certain; no list and entity twice.
    """
    have = {row["list"] for row in pulled.select("list").distinct().collect()}
    known = pulled.where(F.col("list").isin([e.id for e in lists])).select("list", F.col("item").alias("entity"))
    rest = [e for e in lists if e.id not in have]
    answered = known.distinct().withColumn("certain", F.lit(True))
    return answered.unionByName(find_closure_members(statements, subclasses, rest)) if rest else answered


def derive_lifetimes(members: DataFrame, statements: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Add to each member its time: start and end by the list's properties, best rank.

    Start and end are each the one value of the first property that has any best-rank statement (of publication dates
    the earliest). A time that cannot be derived gives a reason and no days.

    Args:
        members: Columns list, entity, certain.

    Returns:
        Columns of the table `members` but countries.
    """
    starts = [(e.id, property_, order, "start") for e in lists for order, property_ in enumerate(e.start)]
    ends = [(e.id, property_, order, "end") for e in lists for order, property_ in enumerate(e.end)]
    schema = "list string, property int, order int, bound string"
    wanted = members.sparkSession.createDataFrame(starts + ends, schema)
    values = (
        select_best_rank(statements)
        .join(F.broadcast(wanted.select("property").distinct()), on="property", how="left_semi")
        .groupBy("subject", "property")
        .agg(
            F.size(F.collect_set(F.struct(*TIME))).alias("values"),
            F.bool_and((F.col("snak") == "value") & F.col("first_day").isNotNull()).alias("known"),
            F.bool_and(F.col("first_day").isNotNull()).alias("bounded"),
            *_find_earliest(),
            F.min("first_day").alias("least"),
            F.max("last_day").alias("most"),
            F.min("last_day").alias("least_last"),
        )
    )
    on = (F.col("subject") == F.col("entity")) & (values["property"] == wanted["property"])
    found = (
        members.join(F.broadcast(wanted), on="list", how="inner")
        .join(values, on=on, how="inner")
        .groupBy("list", "entity", "bound")
        .agg(F.min_by(F.struct(*BOUND, wanted["property"]), "order").alias("value"))
    )
    both = members
    for bound in ("start", "end"):
        of_bound = found.where(F.col("bound") == bound).select("list", "entity", F.col("value").alias(bound))
        both = both.join(of_bound, on=["list", "entity"], how="left")
    events = [e.id for e in lists if e.kind == "event"]
    return _derive_extent(both, F.col("list").isin(events))


def _find_earliest() -> list[Column]:
    """Find the first of several times, and whether it is clear which one that is: only an equal one overlaps it."""
    times = F.sort_array(F.collect_set(F.struct(*TIME)))
    first = F.element_at(times, 1)
    others = F.slice(times, 2, 1_000_000)
    clear = F.forall(others, lambda t: t["first_day"] > first["last_day"])
    return [F.try_element_at(times, F.lit(1)).alias("earliest"), F.when(F.size(times) > 0, clear).alias("clear")]


BOUND = ("values", "known", "bounded", "earliest", "clear", "least", "most", "least_last")
"""What is known of a start or an end."""


def _explain_missing_time(start: Column, end: Column, is_event: Column) -> Column:
    """Return the reason why two stated bounds give no time; null where they give one."""
    several = (start["values"] > 1) & (start["property"] != Property.PUBLICATION_DATE)
    point = start["property"] == Property.POINT_IN_TIME
    return (
        F.when(start.isNull() & end.isNull(), RejectReason.NO_TIME_STATED)
        .when(start.isNull(), RejectReason.END_WITHOUT_START)
        .when(~start["known"], RejectReason.START_UNKNOWN)
        .when(several, RejectReason.SEVERAL_STARTS)
        .when(~start["clear"], RejectReason.SEVERAL_PUBLICATION_DATES)
        .when(end.isNotNull() & (end["values"] > 1), RejectReason.SEVERAL_ENDS)
        .when(end.isNotNull() & ~end["known"] & is_event, RejectReason.END_UNKNOWN)
        .when(end.isNull() & is_event & ~point, RejectReason.START_WITHOUT_END)
        .when(end["earliest"]["last_day"] < start["earliest"]["first_day"], RejectReason.END_BEFORE_START)
    )


def _derive_extent(both: DataFrame, is_event: Column) -> DataFrame:
    """Turn the stated bounds into a time, or say why there is none."""
    start, end = F.col("start"), F.col("end")
    point = start["property"] == Property.POINT_IN_TIME
    extent = (
        F.when(point & end.isNull(), "instant")
        .when(start["property"] == Property.PUBLICATION_DATE, "instant")
        .when(end.isNotNull() & end["known"], "span")
        .otherwise("open")
    )
    closing = F.when(extent == "instant", start["earliest"]).when(extent == "span", end["earliest"])
    precision = F.least(start["earliest"]["precision"], F.when(extent == "span", end["earliest"]["precision"]))
    # Whichever stated value is right, hedged or not, it is between these days; a first publication is before the least
    # last one.
    latest = (
        F.when(start["property"] == Property.PUBLICATION_DATE, start["least_last"])
        .when(end.isNotNull(), F.when(end["bounded"], end["most"]))
        .when(point, start["most"])
    )
    reason = _explain_missing_time(start, end, is_event)
    first = start["earliest"]
    times = {"first_day": first["first_day"], "last_day": closing["last_day"]}
    times |= {"start_last": first["last_day"], "end_first": closing["first_day"]}
    times |= {"start_precision": first["precision"], "precision": precision}
    times |= {"start_calendar": first["calendar"], "end_calendar": closing["calendar"], "extent": extent}
    return both.withColumn("reason", reason).select(
        *("list", "entity", "certain"),
        *(F.when(F.col("reason").isNull(), value).alias(name) for name, value in times.items()),
        F.when(start["bounded"], start["least"]).alias("earliest"),
        F.when(start["bounded"], latest).alias("latest"),
        "reason",
    )


CANDIDATE = (
    *("entity", "list", "first_day", "last_day", "start_last", "end_first", "start_precision", "precision"),
    *("start_calendar", "end_calendar", "extent", "countries"),
)
"""The columns of who may be asked about: those of `members` that the table `subjects` takes."""


def assign_primary_lists(members: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Assign each entity the list that gives its kind, noun and topic: item lists first, then by precedence.

    A work that Wikidata's class tree also puts below occurrence is thus an item and no event.

    Returns:
        Columns entity, list, kind, linked.
    """
    rows = [(e.id, e.kind, e.linked, (0 if e.kind == "item" else 1000) + e.precedence) for e in lists]
    order = members.sparkSession.createDataFrame(rows, "list string, kind string, linked boolean, order int")
    return (
        members.select("entity", "list")
        .join(F.broadcast(order), on="list", how="inner")
        .groupBy("entity")
        .agg(F.min(F.struct("order", "list", "kind", "linked")).alias("first"))
        .select("entity", "first.list", "first.kind", "first.linked")
    )


def derive_item_candidates(members: DataFrame, primary: DataFrame) -> DataFrame:
    """Derive every member of an item list, with the reason why it is not asked about: rows of the table `members`.

    Args:
        primary: Columns entity, list, named, place_reason (why it has no place in the world; null where it has).

    Returns:
        Columns entity, list, the times of `members`, reason. An item without a usable time stays: it can be asked
        for other properties.
    """
    reason = F.when(~F.col("named"), RejectReason.NO_NAME).otherwise(F.col("place_reason"))
    return members.join(primary, on=["entity", "list"], how="inner").select(*CANDIDATE, reason.alias("reason"))


def list_country_properties(spark: SparkSession, lists: Sequence[EntityList]) -> DataFrame:
    """List the properties that state countries: columns list and property."""
    return spark.createDataFrame([(e.id, p) for e in lists for p in e.country], "list string, property int")


def with_countries(lifetimes: DataFrame, statements: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Add the countries of each member: its list's country properties, best rank, ascending; a country is its own.

    A country that is hedged is none of them.

    Args:
        lifetimes: Columns list, entity, …: one row a member.
    """
    wanted = list_country_properties(lifetimes.sparkSession, lists)
    stated = (
        select_best_rank(statements)
        .where("value_item IS NOT NULL AND snak = 'value'")
        .select(F.col("subject").alias("entity"), "property", "value_item")
    )
    found = (
        lifetimes.select("entity", "list")
        .join(F.broadcast(wanted), on="list", how="inner")
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy("entity", "list")
        .agg(F.sort_array(F.collect_set("value_item")).alias("countries"))
    )
    own = F.when(F.col("list").isin([e.id for e in lists if e.own_country]), F.array("entity"))
    return lifetimes.join(found, on=["entity", "list"], how="left").withColumn(
        "countries", F.coalesce("countries", own, F.array().cast("array<bigint>"))
    )
