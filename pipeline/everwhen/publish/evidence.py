"""The facts that a dataset ships: the statements its answers rest on, and the items they name."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_attributes, load_entity_lists, load_hops
from everwhen.core.build import Build
from everwhen.tables.attributes import ATTRIBUTES
from everwhen.tables.awards import AWARDS
from everwhen.tables.entities import ENTITIES
from everwhen.tables.hops import HOPS
from everwhen.tables.members import MEMBERS
from everwhen.tables.popularity import POPULARITY
from everwhen.tables.statements import STATEMENTS
from everwhen.tables.subclasses import SUBCLASSES
from everwhen.tables.timelines import TIMELINES
from everwhen.wikidata.properties import Property

EVIDENCE = replace(STATEMENTS, name="evidence", stage="questions")
"""Table `statements`, cut to what answers and checks rest on."""

EVIDENCE_ITEMS = replace(
    ENTITIES,
    name="evidence_items",
    stage="questions",
    columns=tuple(c for c in ENTITIES.columns if c.name != "file"),
)
"""Table `entities`, cut to the items that the evidence names, without the paths of the machine that built it."""

EVIDENCE_POPULARITY = replace(POPULARITY, name="evidence_popularity", stage="questions")
"""Table `popularity`, cut to the populations and to what the evidence names."""

ALWAYS = (
    *(Property.INSTANCE_OF, Property.POSITION_HELD, Property.AWARD_RECEIVED, Property.SUBCLASS_OF),
    *(Property.START_TIME, Property.END_TIME, Property.POINT_IN_TIME, Property.APPLIES_TO_JURISDICTION),
)
"""Class, position, award, time and jurisdiction: what every family of templates may look at."""


def used_properties() -> list[int]:
    """Every property that lists, attributes and hop chains name."""
    used: set[int] = set(ALWAYS)
    for entry in load_entity_lists():
        used |= {entry.via, *entry.start, *entry.end, *entry.country}
    used |= {a.property for a in load_attributes()}
    for hop in load_hops():
        used |= set(hop.properties)
    return sorted(used)


def make_evidence(build: Build) -> None:
    """Write the tables `evidence`, `evidence_items` and `evidence_popularity`.

    Of every list member, class and bridge, every position and award with its holders, and every item that is an answer,
    all statements of the properties in use are shipped, whatever their rank: that an answer is the only one, or the
    best-ranked, can then be seen from them.
    """
    members = build.read(MEMBERS)
    subjects = (
        members.select(F.col("entity").alias("subject"))
        .unionByName(build.read(SUBCLASSES).select(F.col("class").alias("subject")))
        .unionByName(
            build.read(ATTRIBUTES).where("value_item IS NOT NULL").select(F.col("value_item").alias("subject"))
        )
        .unionByName(build.read(HOPS).select(F.explode("bridges").alias("subject")))
        .unionByName(build.read(TIMELINES).select(F.explode(F.array("position", "holder")).alias("subject")))
        .unionByName(build.read(AWARDS).select(F.explode(F.array("award", "recipient")).alias("subject")))
        .unionByName(members.select(F.explode("countries").alias("subject")))
        .distinct()
    )
    evidence = build.make(EVIDENCE, lambda: _of(build.read(STATEMENTS), subjects))
    items = build.make(EVIDENCE_ITEMS, lambda: _named(build.read(ENTITIES), evidence))
    build.make(EVIDENCE_POPULARITY, lambda: _rated(build.read(POPULARITY), items))


def _of(statements: DataFrame, subjects: DataFrame) -> DataFrame:
    """The statements of the subjects, by the properties in use."""
    return statements.where(F.col("property").isin(used_properties())).join(subjects, on="subject", how="left_semi")


def _named(entities: DataFrame, evidence: DataFrame) -> DataFrame:
    """The items that the evidence names, as subject or value."""
    named = (
        evidence.select(F.explode(F.array("subject", "value_item")).alias("item")).where("item IS NOT NULL").distinct()
    )
    return entities.join(named, on="item", how="left_semi")


def _rated(popularity: DataFrame, items: DataFrame) -> DataFrame:
    """All members of the populations, whose views decide, and of the rest those that the evidence names."""
    named = items.select(F.col("item").alias("entity"), F.lit(True).alias("named"))
    return popularity.join(named, on="entity", how="left").where("member OR named").drop("named")
