"""Choose names that fit one subject: its label, else the label with its class, else with its year.

A subject gets no name if all of these are ambiguous. A label is ambiguous if another item has the same one, or if
another member of its class has it as an alias.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.catalog.load import load_articles
from everwhen.catalog.models import EntityList
from everwhen.tables.facts import select_best_rank
from everwhen.temporal.calendars_spark import find_stated_year
from everwhen.wikidata.properties import Property

INTERNAL_CLASSES = (4167410, 4167836, 13406463, 11266439)
"""Classes of Wikimedia's own pages (disambiguation, category, list, template); these share labels with other items."""

NO_NAME = "^(None|Q[0-9]+)$"
"""Labels that read like an id or a missing value."""

NO_TEXT = r"[\p{Cc}\u2028\u2029]"
"""Characters that Wikidata allows in no label and would break a line of text: line breaks, tabs, other controls."""

IN_YEARS = r"^(.+) \(([0-9]{4}([–-][0-9]{2,4})?)\)$"
"""Labels of events that end in years: "Battle of Raqqa (2017)". Questions say "the 2017 Battle of Raqqa"."""

MAX_HOLDERS = 1_000
"""Members of a list with one label that are gathered: a surname or a village name may have thousands, whom no year
distinguishes."""


def name_entities(
    entities: DataFrame, members: DataFrame, primary: DataFrame, statements: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Name every entity that has an unambiguous name: rows of the table `names`.

    Labels and aliases are compared without regard to case. The competitors of an entity are the other members of the
    entity lists that it is in.

    - A label alone is unambiguous if no other item has it as a label, and no competitor has it as an alias.
    - A label with its class is unambiguous if no competitor has the label as a label or alias.
    - A label with its year is unambiguous if no such competitor is, or may be, of that year.

    Titles (`EntityList.titles`) prefer the year to the class. Aliases of countries do not count: those of former states
    include the names of today's.

    Args:
        members: Table `members`, before it is cut by pageviews.
        primary: Columns entity, list, kind: the entity list whose noun names the entity.
        statements: Table `statements`, to find Wikimedia's own pages.
    """
    pages = select_best_rank(statements).where(
        (F.col("property") == Property.INSTANCE_OF) & F.col("value_item").isin(*INTERNAL_CLASSES)
    )
    labelled = (
        entities.where((F.trim("label") != "") & ~F.col("label").rlike(NO_NAME) & ~F.col("label").rlike(NO_TEXT))
        .join(pages.select(F.col("subject").alias("item")).distinct(), on="item", how="left_anti")
        .select(F.col("item").alias("entity"), "label", F.lower("label").alias("key"))
    )
    alone = labelled.groupBy("key").agg((F.count(F.lit(1)) == 1).alias("label_alone"))
    aliases = entities.select(F.col("item").alias("entity"), F.explode("aliases").alias("alias"))
    patterns = _expand_name_patterns(members.sparkSession, lists)
    in_list = _check_uniqueness(members, labelled, aliases, primary, lists)
    named = (
        labelled.join(alone, on="key", how="inner")
        .join(in_list, on="entity", how="left")
        .join(F.broadcast(patterns), on="list", how="left")
    )
    return _choose_names(named)


def _expand_name_patterns(spark: SparkSession, lists: Sequence[EntityList]) -> DataFrame:
    """Return the name patterns of each entity list, by class and by year, and whether its members are events."""
    rows = [
        (
            *(e.id, e.kind == "event", e.titles, e.with_class, e.with_year),
            *(rf"(?i)\b({'|'.join([e.noun, *e.says_class])})\b", e.vehicle, e.with_vehicle),
        )
        for e in lists
    ]
    schema = (
        "list string, is_event boolean, titles boolean, with_class string, with_year string, says_class string,"
        " vehicle string, with_vehicle string"
    )
    return spark.createDataFrame(rows, schema)


def _check_uniqueness(
    members: DataFrame, labelled: DataFrame, aliases: DataFrame, primary: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Check for each listed entity whether its label is unique in its class, and unique in its year there.

    The class of an entity is all entity lists that it is in and that have the kind (event or item) of its primary list.
    A head of state, for example, is also a person. A label is unique if no other member has it as a label or alias.
    """
    list_kinds = members.sparkSession.createDataFrame([(e.id, e.kind) for e in lists], "other_list string, kind string")
    labels = (
        members.join(primary.select("entity", "list"), on=["entity", "list"], how="left_semi")
        .join(labelled, on="entity", how="inner")
        .withColumn("year", find_stated_year(F.col("first_day"), F.col("start_last"), F.col("start_calendar")))
        .select("entity", "list", "key", "year")
    )
    classes = (
        members.select("entity", F.col("list").alias("other_list"))
        .join(F.broadcast(list_kinds), on="other_list", how="inner")
        .join(primary.select("entity", "kind"), on=["entity", "kind"], how="left_semi")
    )
    holders = _gather_label_holders(members, labelled, aliases, lists)

    def clashes(other: Column) -> Column:
        may_be_of_year = other["a"].isNull() | F.col("year").between(other["a"], other["b"])
        return (other["entity"] != F.col("entity")) & may_be_of_year

    clash = F.exists(F.col("them"), clashes)
    in_year = F.when(F.col("year").isNotNull() & F.col("them").isNotNull(), ~clash).otherwise(False)
    return (
        labels.join(classes, on="entity", how="inner")
        .join(holders.where(F.col("same") <= MAX_HOLDERS), on=["other_list", "key"], how="left")
        .groupBy("entity", "list", "year")
        .agg(
            F.bool_and(F.coalesce("same", F.lit(MAX_HOLDERS + 1)) == 1).alias("class_alone"),
            F.bool_and(in_year).alias("year_alone"),
        )
    )


def _gather_label_holders(
    members: DataFrame, labelled: DataFrame, aliases: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Gather the members of each list that share a label or alias.

    Returns:
        Columns other_list, key (the label or alias), same (number of members) and them (the members with their years).
    """
    with_aliases = F.col("list").isin([e.id for e in lists if not e.own_country])
    keys = aliases.select("entity", F.lower("alias").alias("key"))
    aliased = members.where(with_aliases).join(keys, on="entity", how="inner")
    years = F.year("first_day").alias("a"), F.year("start_last").alias("b")
    named = (
        members.join(labelled.select("entity", "key"), on="entity", how="inner")
        .unionByName(aliased)
        .dropDuplicates(["list", "entity", "key"])
        .withColumnRenamed("list", "other_list")
    )
    return named.groupBy("other_list", "key").agg(
        F.count(F.lit(1)).alias("same"),
        F.collect_list(F.struct("entity", *years)).alias("them"),
    )


def _choose_names(named: DataFrame) -> DataFrame:
    """Choose the first unambiguous name of each entity."""
    label, year = F.col("label"), F.col("year").cast("string")
    # A label that mentions its class takes none: "the company Ford Motor Company" would repeat it.
    repeats_class = F.coalesce(F.regexp_like(label, F.col("says_class")), F.lit(False))
    by_class = F.when(~repeats_class, F.replace(F.col("with_class"), F.lit("{label}"), label))
    by_year = F.replace(F.replace(F.col("with_year"), F.lit("{year}"), year), F.lit("{label}"), label)
    bare = F.when(
        _needs_article(label, F.coalesce("is_event", F.lit(False)), F.coalesce("titles", F.lit(False))),
        F.concat(F.lit("the "), label),
    ).otherwise(label)
    has_year = F.col("year_alone") & by_year.isNotNull()
    method = (
        F.when(F.col("label_alone") & F.coalesce("class_alone", F.lit(True)), "label")
        .when(F.col("titles") & has_year, "year")
        .when(F.col("class_alone") & by_class.isNotNull(), "class")
        .when(has_year, "year")
    )
    of_vehicle = F.when(F.regexp_like(label, F.col("vehicle")), F.replace("with_vehicle", F.lit("{label}"), label))
    of_year = F.when(F.col("is_event") & label.rlike(IN_YEARS), F.regexp_replace(label, IN_YEARS, "the $2 $1"))
    bare = F.coalesce(of_vehicle, of_year, bare)
    name = F.when(method == "label", bare).when(method == "class", by_class).when(method == "year", by_year)
    of_class = F.when(F.col("titles"), by_class)  # "the mountain K2" reads like a form to fill in
    long_name = F.when(method == "label", F.coalesce(of_class, bare)).otherwise(name)
    return (
        named.withColumn("method", method)
        .where(F.col("method").isNotNull())
        .select("entity", name.alias("name"), long_name.alias("long_name"), "label", "method")
    )


def _needs_article(label: Column, is_event: Column, is_title: Column) -> Column:
    """Whether a label without class or year takes "the" (templates/articles.yaml)."""
    articles = load_articles()
    has_article = label.rlike("^[Tt]he ")
    event, item = (
        reduce(or_, (label.rlike(pattern) for pattern in patterns)) for patterns in (articles.events, articles.items)
    )
    return ~has_article & ((is_event & event) | (~is_event & ~is_title & item) | label.isin(articles.places))
