"""Unnamed variants: questions whose events and entities are described and not named (the paper, Section 4.2).

The description of the least hash replaces the name of an entity. The hash is a chain over the question (the id of the
named one, or of a comparison the hash of its subjects), the entity, and the hash of the description's key.
"""

from __future__ import annotations

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.arrays import Ints
from everwhen.core.hash_chains import Hashes, extend_hashes
from everwhen.core.hashing import hash_text
from everwhen.families.complextempqa.question_type import Category, QuestionType
from everwhen.families.complextempqa.template import DESCRIPTION


def hash_descriptions(asked: Hashes, entities: Ints, keys: Ints) -> Hashes:
    """Hash the descriptions of one entity of each question, in a worker.

    Args:
        asked: What the chains have come to over what is asked.
        entities: The entity of each question.
        keys: The hashes of the keys of its descriptions, a row each.
    """
    return extend_hashes(extend_hashes(asked, entities.astype(np.int64))[:, None], keys.astype(np.int64))


def hash_description(asked: str, entity: str, key: str) -> Column:
    """The same of columns, to be sorted by: the id of the named question, the entity, the key of one description."""
    found = F.xxhash64(asked, entity, hash_text(F.col(key)))
    return F.struct(found < 0, found)  # as a number without a sign


def describe_subjects(named: DataFrame, descriptions: DataFrame) -> DataFrame:
    """For every candidate whose entities can be described, the same question with descriptions in place of names.

    Every entity that has a description is described, by one that is chosen by hash among those that do not give the
    answer away.

    Args:
        named: Candidates with their ids (`compile.add_ids`), without a reason against them.
        descriptions: Table `descriptions`.

    Returns:
        Candidates, whose ids are those of the named ones.
    """
    slots = named.select(
        "question_id",
        "type",
        "answer_text",
        "answer_entity",
        "hops",
        "property",
        F.posexplode("slots").alias("at", "slot"),
    ).where(F.col("slot.form").isin("name", "long_name"))
    described_items = F.concat("items", F.filter(F.array("country"), lambda c: c.isNotNull())).alias("items")
    described = descriptions.select(
        F.col("entity").alias("described_entity"), "key", "properties", "mentions_year", described_items
    )
    chosen = (
        slots.join(described, on=F.col("slot.entity") == F.col("described_entity"), how="inner")
        .where(~_is_answer_given())
        .groupBy("question_id", "at")
        .agg(F.min_by("key", hash_description("question_id", "described_entity", "key")).alias("key"))
        .groupBy("question_id")
        .agg(F.sort_array(F.collect_list(F.struct("at", "key"))).alias("chosen"))
    )
    return (
        named.join(chosen, on="question_id", how="inner")
        .withColumn("slots", F.transform("slots", lambda slot, at: _describe_slot(slot, at)))
        .select(*named.columns)
    )


def _is_answer_given() -> Column:
    """Whether a description gives away what the question asks for: its property, its answer, or its year.

    "When did the film that came out in 1999 come out?" is no question even where a day is asked for; of an event, which
    is described by the year in which it took place, the day may be asked.
    """
    asked = F.concat("hops", F.array("property"))
    asks_time = F.col("type").isin(QuestionType.select(Category.ATTRIBUTE, only_about_time=True))
    year_only = asks_time & F.exists("answer_text", lambda a: F.length(a) <= 4)
    own_date = (F.col("type") == QuestionType.ENTITY_ATTRIBUTE_IN_TIME) & (F.size("hops") == 0)
    return (
        F.coalesce(F.arrays_overlap("properties", F.filter(asked, lambda p: p.isNotNull())), F.lit(False))
        | F.coalesce(F.arrays_overlap("items", "answer_entity"), F.lit(False))
        | (F.col("mentions_year") & (year_only | own_date))
    )


def _describe_slot(slot: Column, at: Column) -> Column:
    """The slot, described if one of the chosen descriptions is for it."""
    mine = F.try_element_at(F.filter("chosen", lambda c: c["at"] == at), F.lit(1))
    return F.when(
        mine.isNotNull(),
        F.struct(slot["entity"].alias("entity"), F.lit(DESCRIPTION).alias("form"), mine["key"].alias("text")),
    ).otherwise(slot)
