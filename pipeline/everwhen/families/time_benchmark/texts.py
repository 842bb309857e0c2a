"""Texts: the sentences of stories in order of time, in paragraphs, and where each fact stands."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.language.prose_spark import choose_in_texts, write_sentences_in_spark
from everwhen.tables.world import BEGUN, CLOSED, ENDED, POINT
from everwhen.temporal.phrases_spark import write_date

PARAGRAPH = 6
"""Sentences of a paragraph."""


def compose_texts(graphs: DataFrame, facts: DataFrame, statements: DataFrame) -> DataFrame:
    """Compose the sentences of texts.

    Args:
        graphs: As `compose_graphs` returns them, with context_id.
        facts: Table `facts`.
        statements: Table `statements`, for the times as they are stated.

    Returns:
        The columns of the table `fact_mentions`, and root.
    """
    begin = F.coalesce("earliest_start", "latest_start", "latest_end")
    text = Window.partitionBy("context_id").orderBy("story", "begin", "statement_id")
    story = Window.partitionBy("context_id", "story").orderBy("begin", "statement_id")
    placed = graphs.join(
        facts.select("statement_id", begin.alias("begin"), "subject_name", "value_name"), "statement_id"
    )
    placed = placed.withColumns(
        {"position": F.row_number().over(text) - 1, "nth_in_story": F.row_number().over(story) - 1}
    )
    stated = placed.join(statements.drop("subject"), "statement_id").withColumn(
        "story_of", F.concat_ws("/", "context_id", "story")
    )
    chosen = choose_in_texts(stated, text="story_of", position="position")
    written = write_sentences_in_spark(chosen, month_first=True)
    return _place(written).select(
        "root",
        "context_id",
        "statement_id",
        "position",
        "story",
        "entity",
        "is_asked",
        "sentence",
        "start",
        (F.col("start") + F.length("sentence")).alias("end"),
        "separator",
    )


def _place(written: DataFrame) -> DataFrame:
    """Place each sentence in its text: behind those before it, each with what separates it."""
    before = Window.partitionBy("context_id").orderBy("position").rowsBetween(Window.unboundedPreceding, -1)
    is_paragraph = F.col("nth_in_story") % PARAGRAPH == 0
    separator = F.when(F.col("position") == 0, "").when(is_paragraph, "\n\n").otherwise(" ")
    length = F.length("sentence") + F.length("separator")
    start = F.coalesce(F.sum(length).over(before), F.lit(0)) + F.length("separator")
    return written.withColumn("separator", separator).withColumn("start", start.cast("int"))


def join_texts(mentioned: DataFrame) -> DataFrame:
    """Join sentences to texts.

    Args:
        mentioned: As `compose_texts` returns them.

    Returns:
        The columns of the table `contexts` but split.
    """
    parts = F.sort_array(F.collect_list(F.struct("position", "separator", "sentence", "story", "entity")))
    text = F.array_join(F.transform("parts", lambda part: F.concat(part["separator"], part["sentence"])), "")
    return (
        mentioned.groupBy("context_id", "root")
        .agg(parts.alias("parts"))
        .select(
            "context_id",
            "root",
            F.array_distinct("parts.entity").alias("entities"),
            text.alias("text"),
            _count_words(text).alias("words"),
            F.size("parts").alias("facts"),
        )
    )


def list_times() -> Column:
    """List the times that the sentence about a fact states: an array of structs of day and precision."""
    kind = F.col("kind")
    bounds = (
        ((CLOSED, BEGUN), "earliest_start", "start_precision"),
        ((CLOSED, ENDED), "latest_end", "end_precision"),
        ((POINT,), "earliest_end", "end_precision"),
    )
    times = (
        F.when(kind.isin(*kinds), F.struct(F.col(day).alias("day"), F.col(precision).alias("precision")))
        for kinds, day, precision in bounds
    )
    return F.array_compact(F.array(*times))


def list_stated(facts: DataFrame, mentioned: DataFrame) -> DataFrame:
    """List what sentences must say: context_id, subject_name, value_name, and times as texts write them."""
    times = F.transform(list_times(), lambda time: write_date(time["day"], time["precision"], month_first=True))
    return mentioned.join(facts, "statement_id").select(
        "context_id", "subject_name", "value_name", F.array_distinct(times).alias("times")
    )


def _count_words(text: Column) -> Column:
    return F.size(F.split(text, r"\s+"))
