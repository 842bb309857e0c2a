"""The statements that the questions of ComplexTempQA are derived from."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_attributes, load_entity_lists, load_property_paths
from everwhen.core.build import Build
from everwhen.families.family_build import Evidence
from everwhen.tables.facts import SUBCLASSES
from everwhen.tables.world import ATTRIBUTES, AWARDS, MEMBERS, POSITION_TERMS, PROPERTY_PATHS
from everwhen.wikidata.properties import Property

SHARED = (
    *(Property.INSTANCE_OF, Property.POSITION_HELD, Property.AWARD_RECEIVED, Property.SUBCLASS_OF),
    *(Property.START_TIME, Property.END_TIME, Property.POINT_IN_TIME, Property.APPLIES_TO_JURISDICTION),
)
"""Class, position, award, time and jurisdiction: what every template may look at."""


def list_properties() -> list[int]:
    """List every property that entity lists, attributes and property paths name."""
    used: set[int] = set(SHARED)
    for entry in load_entity_lists():
        used |= {entry.via, *entry.start, *entry.end, *entry.country}
    used |= {a.property for a in load_attributes()}
    for path in load_property_paths():
        used |= set(path.properties)
    return sorted(used)


def collect_evidence(build: Build) -> Evidence:
    """Collect whose statements the questions are derived from.

    These are every list member, class and bridge, every position and award with its holders, and every item that is an
    answer. All their statements of the properties in use are published, whatever their rank: they show that an answer
    is the only one, or the best-ranked.
    """
    members = build.read(MEMBERS)
    subjects = (
        members.select("entity"),
        build.read(SUBCLASSES).select("class"),
        build.read(ATTRIBUTES).where("value_item IS NOT NULL").select("value_item"),
        build.read(PROPERTY_PATHS).select(F.explode("bridges")),
        build.read(POSITION_TERMS).select(F.explode(F.array("position_id", "holder_id"))),
        build.read(AWARDS).select(F.explode(F.array("award", "recipient"))),
        members.select(F.explode("countries")),
    )
    return Evidence(reduce(DataFrame.union, subjects).toDF("subject").distinct(), list_properties())
