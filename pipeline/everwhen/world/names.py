"""One name, one thing: label, else label with class, else with year; still ambiguous, no name."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_articles
from everwhen.catalog.models import EntityList
from everwhen.tables.ranks import best_rank
from everwhen.wikidata.properties import Property

NOT_THINGS = (4167410, 4167836, 13406463, 11266439)
"""Wikimedia's own pages (disambiguation, category, list, template): they bear the labels of things but are none."""

NO_NAME = "^(None|Q[0-9]+)$"
"""Labels that are an id, or the trace of a missing value, and would read as one."""

NO_TEXT = r"[\p{Cc}\u2028\u2029]"
"""What Wikidata allows in no label, and a line of text cannot hold: line breaks, tabs, other control characters."""


def names(
    entities: DataFrame, members: DataFrame, primary: DataFrame, statements: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Name every entity that a name can tell apart from all others.

    Labels are compared without regard to case. With its class, a name may fit no other member of the same list; with
    its year, no other member whose time lies or may lie in that year.

    Args:
        entities: Table `entities`.
        members: Table `members`, uncut by views.
        primary: Columns entity, list: the list that gives an entity its noun.
        statements: Table `statements`, to leave out Wikimedia's own pages.
        lists: The lists.

    Returns:
        Rows of the table `names`.
    """
    pages = best_rank(statements).where(
        (F.col("property") == Property.INSTANCE_OF) & F.col("value_item").isin(*NOT_THINGS)
    )
    labelled = (
        entities.where((F.trim("label") != "") & ~F.col("label").rlike(NO_NAME) & ~F.col("label").rlike(NO_TEXT))
        .join(pages.select(F.col("subject").alias("item")).distinct(), on="item", how="left_anti")
        .select(F.col("item").alias("entity"), "label", F.lower("label").alias("key"))
    )
    alone = labelled.groupBy("key").agg((F.count(F.lit(1)) == 1).alias("label_alone"))
    forms = _forms(members.sparkSession, lists)
    in_list = _by_class_and_year(members, labelled, primary)
    named = (
        labelled.join(alone, on="key", how="inner")
        .join(in_list, on="entity", how="left")
        .join(F.broadcast(forms), on="list", how="left")
    )
    return _choose(named)


def _forms(spark: object, lists: Sequence[EntityList]) -> DataFrame:
    """How each list names a member by class and by year, and whether its members are events."""
    rows = [
        (
            *(e.id, e.kind == "event", e.with_class, e.with_year),
            *(rf"(?i)\b({'|'.join([e.noun, *e.says_class])})\b", e.vehicle, e.with_vehicle),
        )
        for e in lists
    ]
    schema = (
        "list string, is_event boolean, with_class string, with_year string, says_class string, vehicle string,"
        " with_vehicle string"
    )
    return spark.createDataFrame(rows, schema)  # type: ignore[attr-defined,no-any-return]


def _by_class_and_year(members: DataFrame, labelled: DataFrame, primary: DataFrame) -> DataFrame:
    """For each listed entity: whether its label is alone in its list, and alone in its year there."""
    mine = (
        members.join(primary, on=["entity", "list"], how="left_semi")
        .join(labelled, on="entity", how="inner")
        .withColumn("year", F.when(F.year("first_day") == F.year("start_last"), F.year("first_day")))
    )
    all_ = members.join(labelled, on="entity", how="inner")
    others = all_.groupBy("list", "key").agg(
        F.count(F.lit(1)).alias("same"),
        F.collect_list(F.struct("entity", F.year("first_day").alias("a"), F.year("start_last").alias("b"))).alias(
            "them"
        ),
    )
    clash = F.exists(
        F.col("them"),
        lambda t: (
            (t["entity"] != F.col("entity"))
            & (t["a"].isNull() | ((t["a"] <= F.col("year")) & (t["b"] >= F.col("year"))))
        ),
    )
    # Labels that thousands bear (a surname, a village) are never told apart by year; do not gather them.
    return mine.join(others.where("same <= 1000"), on=["list", "key"], how="left").select(
        "entity",
        "list",
        (F.coalesce("same", F.lit(1001)) == 1).alias("class_alone"),
        F.when(F.col("year").isNotNull() & F.col("them").isNotNull(), ~clash).otherwise(False).alias("year_alone"),
        "year",
    )


def _choose(named: DataFrame) -> DataFrame:
    """Take the least form that is unambiguous."""
    label, year = F.col("label"), F.col("year").cast("string")
    # "the company Ford Motor Company" says it twice.
    doubled = F.coalesce(F.regexp_like(label, F.col("says_class")), F.lit(False))
    by_class = F.when(~doubled, F.replace(F.col("with_class"), F.lit("{label}"), label))
    by_year = F.replace(F.replace(F.col("with_year"), F.lit("{year}"), year), F.lit("{label}"), label)
    bare = F.when(
        _takes_article(label, F.coalesce("is_event", F.lit(False))), F.concat(F.lit("the "), label)
    ).otherwise(label)
    method = (
        F.when(F.col("label_alone"), "label")
        .when(F.col("class_alone") & by_class.isNotNull(), "class")
        .when(F.col("year_alone") & by_year.isNotNull(), "year")
    )
    of_vehicle = F.when(F.regexp_like(label, F.col("vehicle")), F.replace("with_vehicle", F.lit("{label}"), label))
    bare = F.coalesce(of_vehicle, bare)
    name = F.when(method == "label", bare).when(method == "class", by_class).when(method == "year", by_year)
    long_name = F.when(method == "label", F.coalesce(by_class, bare)).otherwise(name)
    return (
        named.withColumn("method", method)
        .where(F.col("method").isNotNull())
        .select("entity", name.alias("name"), long_name.alias("long_name"), "label", "method")
    )


def _takes_article(label: Column, is_event: Column) -> Column:
    """Whether a bare label takes "the" (templates/articles.yaml)."""
    takes_the = load_articles()
    started = label.rlike("^[Tt]he ")
    event = F.lit(False)
    for pattern in takes_the.events:
        event = event | label.rlike(pattern)
    return ~started & ((is_event & event) | label.isin(takes_the.places))
