"""Which texts are accepted as an answer: labels, aliases that fit one entity only, and descriptions of options."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.tables.accepted_answers import ACCEPTED_ANSWERS
from everwhen.tables.entities import list_aliases


def collect_accepted_answers(questions: DataFrame, entities: DataFrame, descriptions: DataFrame) -> DataFrame:
    """List what is accepted as an answer.

    An alias is accepted if nothing else that is asked about or answered has it as its label or an alias, without
    regard to case: no other option of a question can be meant. A description is accepted where a question describes
    its answer by it.

    Args:
        questions: Table `questions`.
        entities: Table `entities`.
        descriptions: Table `descriptions`.

    Returns:
        Rows of the table `accepted_answers`.
    """
    # Checkpoints: each is joined several times, and there may be a hundred million questions.
    answers = questions.select(F.explode("answer_entity").alias("entity")).distinct().transform(checkpoint)
    asked = questions.select(F.explode("question_entity").alias("entity"))
    named = asked.union(answers).distinct().transform(checkpoint)
    texts = entities.join(named.withColumnRenamed("entity", "item"), on="item", how="left_semi")
    labels = texts.where("label IS NOT NULL").select(
        F.col("item").alias("entity"), F.lit("label").alias("kind"), F.col("label").alias("text")
    )
    aliases = list_aliases(texts).select(
        F.col("item").alias("entity"), F.lit("alias").alias("kind"), F.col("alias").alias("text")
    )
    alone = (
        labels.unionByName(aliases)
        .groupBy(F.lower("text").alias("folded"))
        .agg(_is_of_one_entity().alias("fits_one"))
        .where("fits_one")
    )
    own = labels.select("entity", F.lower("text").alias("folded"))
    unambiguous = (
        aliases.withColumn("folded", F.lower("text"))
        .join(alone, on="folded", how="left_semi")
        .join(own, on=["entity", "folded"], how="left_anti")
        .drop("folded")
    )
    return ACCEPTED_ANSWERS.select(
        labels.join(answers, on="entity", how="left_semi")
        .unionByName(unambiguous.join(answers, on="entity", how="left_semi"))
        .withColumn("key", F.lit(None).cast("string"))
        .unionByName(_select_descriptions(questions, descriptions))
    )


def _is_of_one_entity() -> Column:
    """Whether a text is that of one entity only."""
    return F.count_distinct("entity") == 1


def _select_descriptions(questions: DataFrame, descriptions: DataFrame) -> DataFrame:
    """The descriptions of answers under which questions offer them."""
    offered = (
        questions.where(F.size("descriptions") > 0)
        .select("answer_entity", F.explode("descriptions").alias("described"))
        .where(F.array_contains("answer_entity", F.col("described.entity")))
        .select("described.entity", "described.key")
        .distinct()
    )
    return offered.join(descriptions, on=["entity", "key"], how="inner").select(
        "entity", F.lit("description").alias("kind"), F.col("description").alias("text"), "key"
    )
