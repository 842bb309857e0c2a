"""The tables of the stage world, as relations read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.catalog.load import load_articles, load_attributes, load_entity_lists, load_property_paths
from everwhen.catalog.models import EntityList
from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.session import checkpoint
from everwhen.tables.facts import STATEMENTS, select_best_rank
from everwhen.tables.world import (
    ATTRIBUTES,
    AWARDS,
    MEMBERS,
    NAMES,
    POPULARITY,
    POSITION_TERMS,
    PROPERTY_PATHS,
    SUBJECTS,
)

SUBJECT_FIELDS = (
    *("entity", "kind", "list", "earliest_start", "latest_end", "latest_start", "start_precision", "precision"),
    *("start_calendar", "end_calendar", "extent", "countries", "popular", "topic", "split", "noun", "which"),
)
"""The fields of a subject: an event or an item with its list's words."""

SUBJECT_ALIASES = {"item_id": "entity", "is_popular": "popular"}
"""What relations and templates call the columns of the table `subjects`."""

TERM_ALIASES = {
    "position_id": "position",
    "jurisdiction_id": "jurisdiction",
    "holder_id": "holder",
    "is_complete": "complete",
}
"""What relations and templates call the columns of the table `position_terms`."""

VALUE = ("key", "property", "hops", "value_item", "amount", "first_day", "last_day", "precision", "calendar")
"""The fields of a value: of an attribute (no hops) or at the end of a property path; key is the id of either."""


@dataclass
class WorldTables:
    """The world tables of a build, with events and items side by side as subjects.

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
    _made: dict[str, DataFrame] = field(default_factory=dict)
    _making: Any = field(default_factory=RLock)  # relations are made on two threads

    @staticmethod
    def open(build: Build) -> WorldTables:
        """The world of a build."""
        return WorldTables(build.spark, build.config, build, load_entity_lists())

    def compute_once(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """What several templates read: made for the first of them, and kept.

        A checkpoint and no cache: with one, all that follows would carry the plan along.
        """
        with self._making:
            if name not in self._made:
                self._made[name] = make().transform(checkpoint)
            return self._made[name]

    @cached_property
    def subjects(self) -> DataFrame:
        """Events and items: one column `subject`, a struct of the fields in SUBJECT_FIELDS."""
        subjects = self.build.read(SUBJECTS).withColumnsRenamed(SUBJECT_ALIASES)
        worded = subjects.join(F.broadcast(self.list_words), on="list", how="inner")
        return worded.select(F.struct(*SUBJECT_FIELDS).alias("subject")).transform(checkpoint)

    @cached_property
    def list_words(self) -> DataFrame:
        """The lists' words: list, class (its first root), noun, plural, happened, which, list_topic."""
        return self.spark.createDataFrame(
            [
                (e.id, e.kind, e.linked, e.roots[0], e.noun, e.plural, e.plural_happened, e.which, e.topic)
                for e in self.lists
            ],
            "list string, list_kind string, linked boolean, class bigint, noun string, plural string,"
            " happened string, which string, list_topic string",
        )

    def with_verbs(self, rows: DataFrame) -> DataFrame:
        """Add what members of the subject's list do: column verbs, a map of happen, happened, begin and end."""
        verbs = [
            (e.id, {"happen": e.happen, "happened": e.happened, "begin": e.begin, "end": e.end_verb})
            for e in self.lists
        ]
        of_list = self.spark.createDataFrame(verbs, "of_verbs string, verbs map<string,string>")
        return rows.join(F.broadcast(of_list), on=F.col("subject.list") == F.col("of_verbs"), how="inner").drop(
            "of_verbs"
        )

    @cached_property
    def words(self) -> DataFrame:
        """The words of attributes and property paths: columns key, words (map)."""
        rows = [(a.id, a.words) for a in load_attributes()]
        rows += [(h.id, {**h.words, **h.compare}) for h in load_property_paths()]
        return self.spark.createDataFrame(rows, "key string, words map<string,string>")

    @cached_property
    def values(self) -> DataFrame:
        """Values of subjects: columns subject, value (struct of the fields in VALUE), words (map of the key's words).

        The words are added anew for each reader: with them the rows that are kept would be twice as long.
        """
        values = self._read_values().select("entity", F.struct(*VALUE).alias("value"))
        return (
            self.subjects.join(values, on=F.col("subject.entity") == F.col("entity"), how="inner")
            .select("subject", "value")
            .transform(checkpoint)
            .join(F.broadcast(self.words), on=F.col("value.key") == F.col("key"), how="inner")
            .select("subject", "value", "words")
        )

    @cached_property
    def amounts(self) -> DataFrame:
        """Amounts of list members, whether they are asked about or not: columns entity, key, property, hops, amount."""
        amounts = self._read_values().where("amount IS NOT NULL")
        return amounts.select("entity", "key", "property", "hops", "amount")

    def _read_values(self) -> DataFrame:
        """Read attributes and the ends of property paths: columns entity and VALUE."""
        stated = self.build.read(ATTRIBUTES).withColumn("hops", F.array().cast("array<int>"))
        reached = self.build.read(PROPERTY_PATHS).withColumnRenamed("hop", "key")
        columns = ("entity", *VALUE)
        return stated.withColumnRenamed("attribute", "key").select(*columns).unionByName(reached.select(*columns))

    @cached_property
    def members(self) -> DataFrame:
        """Table `members`."""
        return self.build.read(MEMBERS)

    def select_doubtful_values(self, property_: int) -> DataFrame:
        """Select the best-rank items of a property that are not certain: columns entity, snak, item (null: unknown)."""
        stated = self.build.read(STATEMENTS).where(F.col("property") == property_)
        doubtful = select_best_rank(stated).where("snak <> 'value'")
        return doubtful.select(F.col("subject").alias("entity"), "snak", F.col("value_item").alias("item"))

    @cached_property
    def country_lives(self) -> DataFrame:
        """When countries begin and end, null where open or unknown: columns country, first_day, last_day."""
        own = [e.id for e in self.lists if e.own_country]
        return (
            self.members.where(F.col("list").isin(own))
            .groupBy(F.col("entity").alias("country"))
            .agg(F.min("first_day").alias("first_day"), F.max("last_day").alias("last_day"))
        )

    @cached_property
    def attributes(self) -> DataFrame:
        """Table `attributes`."""
        return self.build.read(ATTRIBUTES)

    @cached_property
    def terms(self) -> DataFrame:
        """Table `position_terms`, with position_label (null without an unambiguous name) and position_popular."""
        return (
            self.build.read(POSITION_TERMS)
            .withColumnsRenamed(TERM_ALIASES)
            .join(self._select_labels("position", "position_label", "position_popular"), on="position", how="left")
            .withColumn("position_popular", F.coalesce("position_popular", F.lit(False)))
            .transform(checkpoint)
        )

    @cached_property
    def awards(self) -> DataFrame:
        """Table `awards`, with award_label ("the Booker Prize"; null without an unambiguous name) and award_popular.

        Only names that `templates/articles.yaml` knows to take an article have one here.
        """
        known = self._select_labels("award", "label", "award_popular")
        takes_the = F.lit(False)
        for pattern in load_articles().awards:
            takes_the = takes_the | F.col("label").rlike(pattern)
        label = F.when(F.col("label").rlike("^[Tt]he "), F.concat(F.lit("the "), F.col("label").substr(5, 1000)))
        return (
            self.build.read(AWARDS)
            .join(known, on="award", how="left")
            .withColumn("award_popular", F.coalesce("award_popular", F.lit(False)))
            .withColumn("award_label", F.when(takes_the, F.coalesce(label, F.concat(F.lit("the "), F.col("label")))))
            .drop("label")
            .transform(checkpoint)
        )

    def _select_labels(self, key: str, label: str, popular: str) -> DataFrame:
        """Label and popularity of every entity that has an unambiguous label."""
        names = self.build.read(NAMES).where("method = 'label'")
        return names.join(self.build.read(POPULARITY), on="entity", how="left").select(
            F.col("entity").alias(key), F.col("label").alias(label), F.col("popular").alias(popular)
        )

    @cached_property
    def named_texts(self) -> DataFrame:
        """What entities are called: columns entity, name, long_name, label."""
        return self.build.read(NAMES).select("entity", "name", "long_name", "label")

    @cached_property
    def named(self) -> DataFrame:
        """What has an unambiguous name: columns named, name, named_popular, own_country (a country itself)."""
        lists = [e.id for e in self.lists if e.own_country]
        own = self.members.where(F.col("list").isin(lists)).select("entity", F.array("entity").alias("own_country"))
        names = (
            self.build.read(NAMES)
            .join(self.build.read(POPULARITY).select("entity", "popular"), on="entity", how="left")
            .join(own.distinct(), on="entity", how="left")
        )
        return names.select(
            F.col("entity").alias("named"),
            "name",
            F.coalesce("popular", F.lit(False)).alias("named_popular"),
            F.coalesce("own_country", F.array().cast("array<bigint>")).alias("own_country"),
        ).transform(checkpoint)

    def hash_of(self, salt: str, *keys: Column | str) -> Column:
        """A 64-bit number for a choice that must not follow anything: of stable keys, salted by use and seed."""
        return F.xxhash64(
            F.lit(f"{self.config.seed}\x1f{salt}"), *(F.col(k) if isinstance(k, str) else k for k in keys)
        )
