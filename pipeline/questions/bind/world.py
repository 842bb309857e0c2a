"""The tables of the stage world, as relations read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pipeline.build import Build
from pipeline.catalogue import EntityList, attributes, entity_lists, hops
from pipeline.config import Config
from pipeline.tables.attributes import ATTRIBUTES
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.tables.events import EVENTS
from pipeline.tables.hops import HOPS
from pipeline.tables.items import ITEMS
from pipeline.tables.members import MEMBERS
from pipeline.tables.names import NAMES
from pipeline.tables.popularity import POPULARITY
from pipeline.tables.timelines import TIMELINES

THING = (
    "entity",
    "kind",
    "list",
    "first_day",
    "last_day",
    "start_last",
    "start_precision",
    "precision",
    "extent",
    "countries",
    "popular",
    "topic",
    "split",
    "noun",
    "which",
)
"""The fields of a thing: an event or an item with its list's words."""


@dataclass
class World:
    """The world tables of a build, with events and items side by side as things.

    Attributes:
        spark: The session.
        config: The configuration.
        build: The build whose tables these are.
        lists: The entity lists.
    """

    spark: SparkSession
    config: Config
    build: Build
    lists: Sequence[EntityList]

    @staticmethod
    def of(build: Build) -> World:
        """The world of a build."""
        return World(build.spark, build.config, build, entity_lists())

    @cached_property
    def things(self) -> DataFrame:
        """Events and items: one column `thing`, a struct of the fields in THING."""
        events = self.build.read(EVENTS).withColumnRenamed("event", "entity").withColumn("kind", F.lit("event"))
        items = self.build.read(ITEMS).withColumnRenamed("item", "entity").withColumn("kind", F.lit("item"))
        shared = [name for name in THING if name not in ("noun", "which")]
        words = self.spark.createDataFrame(
            [(e.id, e.noun, e.which) for e in self.lists], "list string, noun string, which string"
        )
        both = (
            events.select(*shared).unionByName(items.select(*shared)).join(F.broadcast(words), on="list", how="inner")
        )
        return both.select(F.struct(*THING).alias("thing")).localCheckpoint()

    @cached_property
    def values(self) -> DataFrame:
        """Attributes of things: columns thing, v (row of `attributes`), words (map of the attribute's words)."""
        words = self.spark.createDataFrame(
            [(a.id, a.words) for a in attributes()], "attribute string, words map<string,string>"
        )
        stated = self.build.read(ATTRIBUTES)
        v = F.struct(*(F.col(f"v.{name}") for name in stated.columns))
        return (
            self.things.join(stated.alias("v"), on=F.col("thing.entity") == F.col("v.entity"), how="inner")
            .join(F.broadcast(words), on="attribute", how="inner")
            .select("thing", v.alias("v"), "words")
            .localCheckpoint()
        )

    @cached_property
    def hop_words(self) -> DataFrame:
        """The words of the hop chains: columns hop, words."""
        return self.spark.createDataFrame([(h.id, h.words) for h in hops()], "hop string, words map<string,string>")

    @cached_property
    def members(self) -> DataFrame:
        """Table `members`."""
        return self.build.read(MEMBERS)

    @cached_property
    def attributes(self) -> DataFrame:
        """Table `attributes`."""
        return self.build.read(ATTRIBUTES)

    @cached_property
    def timelines(self) -> DataFrame:
        """Table `timelines`."""
        return self.build.read(TIMELINES)

    @cached_property
    def names(self) -> DataFrame:
        """Table `names`."""
        return self.build.read(NAMES)

    @cached_property
    def popularity(self) -> DataFrame:
        """Table `popularity`."""
        return self.build.read(POPULARITY)

    @cached_property
    def descriptions(self) -> DataFrame:
        """Table `descriptions`."""
        return self.build.read(DESCRIPTIONS)

    @cached_property
    def hops(self) -> DataFrame:
        """Table `hops`."""
        return self.build.read(HOPS)
