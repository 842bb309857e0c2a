"""Which texts are accepted as an answer: aliases that fit one entity only, and descriptions of options."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.tables import ACCEPTED_ANSWERS
from everwhen.tables.accepted_answers import select_unambiguous
from everwhen.tables.facts import list_aliases


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
    labels = texts.where("label IS NOT NULL").select(*_name("item", "label"))
    aliases = select_unambiguous(list_aliases(texts).select(*_name("item", "alias")), labels)
    accepted = aliases.join(answers.select(_write_id("entity")), on="answer", how="left_semi")
    return ACCEPTED_ANSWERS.select(
        accepted.withColumn("kind", F.lit("alias")).unionByName(_select_descriptions(questions, descriptions))
    )


def _write_id(item: str) -> Column:
    return F.concat(F.lit("Q"), F.col(item).cast("string")).alias("answer")


def _name(item: str, text: str) -> tuple[Column, Column, Column]:
    """A text of an item, wherever that is the answer."""
    return _write_id(item), F.lit(None).cast("string").alias("scope"), F.col(text).alias("text")


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
        _write_id("entity"),
        F.col("key").alias("scope"),
        F.lit("description").alias("kind"),
        F.col("description").alias("text"),
    )
