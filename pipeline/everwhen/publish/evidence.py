"""The facts that a dataset ships: the statements its items are derived from, and the entities they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.table import Table
from everwhen.families.family_build import Evidence, FamilyBuild
from everwhen.tables.facts import ENTITIES, LIST_MEMBERS, STATEMENTS, SUBCLASSES, select_best_rank
from everwhen.tables.labels import LABELS
from everwhen.tables.world import MEMBERS, POPULARITY
from everwhen.wikidata.properties import Property

EVIDENCE = replace(STATEMENTS, stage="evidence")
"""Table `statements`, cut to what items and checks are derived from."""

EVIDENCE_ENTITIES = replace(ENTITIES, stage="evidence", columns=tuple(c for c in ENTITIES.columns if c.name != "file"))
"""Table `entities`, cut to those that the evidence names, without the paths of the machine that built it."""

EVIDENCE_POPULARITY = replace(POPULARITY, stage="evidence")
"""Table `popularity`, cut to the populations and to what the evidence names."""

TABLES = (EVIDENCE, EVIDENCE_ENTITIES, EVIDENCE_POPULARITY, LABELS)
"""All that `write_evidence` writes."""

PUBLISHED_FACTS: Mapping[str, Table] = {
    "facts/statements": EVIDENCE,
    "facts/entities": EVIDENCE_ENTITIES,
    "facts/labels": LABELS,
    "facts/subclasses": SUBCLASSES,
    "facts/list_members": LIST_MEMBERS,
    "facts/popularity": EVIDENCE_POPULARITY,
}
"""The tables of facts in a dataset, by their folder in it."""


def select_facts(families: Sequence[FamilyBuild]) -> Mapping[str, Table]:
    """Select the tables of facts in a dataset, by their folder: all, or none where no family is derived from facts."""
    return PUBLISHED_FACTS if any(family.evidence for family in families) else {}


def write_evidence(build: Build, families: Sequence[FamilyBuild]) -> None:
    """Write the tables of the evidence: what the items of all families are derived from, each statement once.

    Where no family is derived from statements, there are none.
    """
    collect = [family.evidence for family in families if family.evidence]
    if not collect:
        return
    evidence = build.materialize(
        EVIDENCE, lambda: _select_statements(build.read(STATEMENTS), [each(build) for each in collect])
    )
    entities = build.materialize(EVIDENCE_ENTITIES, lambda: _select_entities(build.read(ENTITIES), evidence))
    build.materialize(EVIDENCE_POPULARITY, lambda: _select_popularity(build.read(POPULARITY), entities))
    build.materialize(
        LABELS,
        lambda: collect_labels(build.read(ENTITIES), entities, build.read(STATEMENTS), build.read(MEMBERS)),
    )


def collect_labels(entities: DataFrame, named: DataFrame, statements: DataFrame, members: DataFrame) -> DataFrame:
    """Collect the holders of some entities' labels: they show whether a name fits one entity alone.

    Args:
        entities: Table `entities`.
        named: The entities whose labels are looked for: column label.
        statements: Table `statements`.
        members: Table `members`.

    Returns:
        Rows of the table `labels`.
    """
    keys = named.where("label IS NOT NULL").select(F.lower("label").alias("key")).distinct()
    labels = entities.where("label IS NOT NULL").select(
        "item", F.lit("label").alias("kind"), F.col("label").alias("text")
    )
    aliases = entities.select("item", F.lit("alias").alias("kind"), F.explode("aliases").alias("text"))
    borne = (
        labels.unionByName(aliases)
        .withColumn("key", F.lower("text"))
        .join(keys, on="key", how="left_semi")
        .dropDuplicates(["item", "kind", "text"])
    )
    classes = (
        select_best_rank(statements)
        .where((F.col("property") == Property.INSTANCE_OF) & F.col("value_item").isNotNull())
        .groupBy(F.col("subject").alias("item"))
        .agg(F.sort_array(F.collect_set("value_item")).alias("classes"))
    )
    began = F.struct(
        "list", "first_day", F.col("start_last").alias("last_day"), F.col("start_calendar").alias("calendar")
    )
    lists = members.groupBy(F.col("entity").alias("item")).agg(F.sort_array(F.collect_set(began)).alias("memberships"))
    known = borne.join(classes, on="item", how="left").join(lists, on="item", how="left")
    return LABELS.select(
        known.withColumn("classes", F.coalesce("classes", F.array().cast("array<bigint>"))).withColumn(
            "memberships", F.coalesce("memberships", F.array().cast(LABELS.schema["memberships"].dataType))
        )
    )


def _select_statements(statements: DataFrame, needed: Sequence[Evidence]) -> DataFrame:
    parts = [
        statements.where(F.col("property").isin(list(each.properties))).join(
            each.subjects.select("subject").distinct(), on="subject", how="left_semi"
        )
        for each in needed
    ]
    return parts[0] if len(parts) == 1 else reduce(DataFrame.unionByName, parts).dropDuplicates(["statement_id"])


def _select_entities(entities: DataFrame, evidence: DataFrame) -> DataFrame:
    named = (
        evidence.select(F.explode(F.array("subject", "value_item")).alias("item")).where("item IS NOT NULL").distinct()
    )
    return entities.join(named, on="item", how="left_semi")


def _select_popularity(popularity: DataFrame, entities: DataFrame) -> DataFrame:
    """All members of the populations, whose views decide, and of the rest those that the evidence names."""
    named = entities.select(F.col("item").alias("entity"), F.lit(True).alias("named"))
    return popularity.join(named, on="entity", how="left").where("member OR named").drop("named")
