"""Graphs: a root, entities that its facts link it with, and which facts the story of each mentions (TimE, A.1.2)."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.time_benchmark.config import TimeSettings
from everwhen.families.time_benchmark.facts import list_sides

MIN_FACTS = 3
"""Facts of an entity that has a story, as subject or as value."""
MIN_STORIES = 3
"""Stories within two steps of a root: its own, and those of two links, each with facts of its own."""
MAX_MENTIONS = 24
"""Facts of a timeline that a text mentions; of a longer one those around the fact that links the entity."""
SENTENCE_WORDS = 13
"""Words of a sentence, about: of 69,650 sentences of real statements the mean is 12.8."""
STORY_FACTS = 12
"""Facts of a story, about, by which the stories that a text still lacks are counted."""
MAX_ROUNDS = 8
"""Rounds of adding stories to long texts; each takes further entities, the nearest to the root first."""


Hash = Callable[..., Column]
"""Hashes columns, with the name of what is chosen and the seed."""


def compose_graphs(facts: DataFrame, settings: TimeSettings, seed: str) -> DataFrame:
    """Compose the graphs.

    Args:
        facts: Table `facts`.
        settings: How many graphs, links and words.
        seed: The seed of all choices.

    Returns:
        A row for each mention of a fact: root, story (0 that of the root), entity, statement_id, and `is_asked`,
        whether questions are asked of it: it is within two steps of the root.
    """

    def hash_(name: str, *columns: str) -> Column:
        return F.xxhash64(F.lit(f"{seed}\x1ftime {name}"), *columns)

    shared = ["statement_id", "property", "earliest_start", "latest_end", "latest_start", "entity", "side", "other"]
    sides = list_sides(facts).select(*shared).transform(checkpoint)
    eligible = sides.groupBy("entity").agg(F.count_distinct("statement_id").alias("n")).where(F.col("n") >= MIN_FACTS)
    eligible = eligible.select("entity").transform(checkpoint)
    linked = sides.join(eligible, "entity", "left_semi").join(
        eligible.withColumnRenamed("entity", "other"), "other", "left_semi"
    )
    roots = (
        linked.groupBy("entity")
        .agg(F.count_distinct("other").alias("neighbours"))
        .where("neighbours >= 2")
        .orderBy(hash_("root", "entity"), "entity")
        .limit(settings.graphs)
        .select(F.col("entity").alias("root"))
        .transform(checkpoint)
    )
    first = roots.select(
        "root", F.lit(0).alias("story"), F.col("root").alias("entity"), F.lit(None).cast("string").alias("link")
    )
    mentioned = _choose_mentions(first, sides, hash_, is_asked=True).transform(checkpoint)
    links = _add_stories(mentioned, eligible, hash_, F.lit(settings.links))
    mentioned = mentioned.unionByName(_choose_mentions(links, sides, hash_, is_asked=True)).transform(checkpoint)
    for _ in range(MAX_ROUNDS):
        missing = (settings.words / SENTENCE_WORDS - F.col("facts")) / STORY_FACTS
        added = _choose_mentions(
            _add_stories(mentioned, eligible, hash_, F.floor(missing)), sides, hash_, is_asked=False
        )
        added = added.transform(checkpoint)
        if added.isEmpty():
            break
        mentioned = mentioned.unionByName(added)
    once = F.row_number().over(Window.partitionBy("root", "statement_id").orderBy("story"))
    mentioned_once = mentioned.withColumn("turn", once).where("turn = 1")
    stories = F.size(F.collect_set(F.when(F.col("is_asked"), F.col("story"))).over(Window.partitionBy("root")))
    linked_well = mentioned_once.withColumn("stories", stories).where(F.col("stories") >= MIN_STORIES)
    return linked_well.select("root", "story", "entity", "statement_id", "is_asked")


def _choose_mentions(stories: DataFrame, sides: DataFrame, hash_: Hash, *, is_asked: bool) -> DataFrame:
    """Choose the facts that stories mention."""
    rows = stories.join(sides, "entity").withColumn("is_link", F.col("statement_id") == F.col("link"))
    timeline = Window.partitionBy("root", "story", "property", "side")
    begin = F.coalesce("earliest_start", "latest_start", "latest_end")
    rows = rows.withColumn("place", F.row_number().over(timeline.orderBy(begin, "statement_id")))
    size = F.count(F.lit(1)).over(timeline)
    drawn = F.pmod(hash_("centre", "root", "entity", "property", "side"), size) + 1
    centre = F.coalesce(F.max(F.when(F.col("is_link"), F.col("place"))).over(timeline), drawn)
    rows = rows.withColumn("distance", F.abs(F.col("place") - centre))
    near = F.row_number().over(timeline.orderBy("distance", "place"))
    return (
        rows.withColumn("near", near)
        .where(F.col("near") <= MAX_MENTIONS)
        .select("root", "story", "entity", "statement_id", "other", F.lit(is_asked).alias("is_asked"))
    )


def _add_stories(mentioned: DataFrame, eligible: DataFrame, hash_: Hash, most: Column) -> DataFrame:
    """Choose the entities whose stories are added: others of facts that are mentioned, the nearest first, then by hash.

    Args:
        mentioned: What is mentioned.
        eligible: Column entity: who may have a story.
        hash_: Hashes columns.
        most: How many are added to a graph that mentions so many `facts`.
    """
    done = mentioned.groupBy("root").agg(F.count(F.lit(1)).alias("facts"), (F.max("story") + 1).alias("next"))
    # Most graphs need no more stories after the first round.
    lacking = done.withColumn("most", most).where("most >= 1").select("root", "next", "most").transform(checkpoint)
    has_story = mentioned.select("root", F.col("entity").alias("other")).distinct()
    found = (
        mentioned.join(lacking.select("root"), "root", "left_semi")
        .join(eligible.withColumnRenamed("entity", "other"), "other", "left_semi")
        .join(has_story, ["root", "other"], "left_anti")
        .groupBy("root", "other")
        .agg(F.min(F.struct("story", "statement_id")).alias("near"))
    )
    order = Window.partitionBy("root").orderBy("near.story", hash_("story", "root", "other"), "other")
    story = (F.col("next") + F.col("place") - 1).cast("int").alias("story")
    return (
        found.join(lacking, "root")
        .withColumn("place", F.row_number().over(order))
        .where(F.col("place") <= F.col("most"))
        .select("root", story, F.col("other").alias("entity"), F.col("near.statement_id").alias("link"))
    )
