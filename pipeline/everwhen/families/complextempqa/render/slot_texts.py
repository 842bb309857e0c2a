"""The words of enumerated bindings: the text of each slot, and labels and countries of answers."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import DESCRIPTION


def with_texts(
    bindings: DataFrame, names: DataFrame, descriptions: DataFrame, members: DataFrame, entities: DataFrame
) -> DataFrame:
    """Whole bindings with the texts that their questions and answers are made of.

    Args:
        bindings: Table `bindings`.
        names: Table `names`.
        descriptions: Table `descriptions`.
        members: Table `members`, for the countries of answers.
        entities: Table `entities`, for the labels of what is described.

    Returns:
        Columns of the table `bindings`, texts (of each slot, in slot order; null where an entity has no unambiguous
        name), described_labels (the labels of what is described and not named), answer (null where an item of it has no
        label) and answer_countries.
    """
    texts = _derive_slot_texts(bindings, names, descriptions)
    described = _collect_described_labels(bindings, entities)
    answers = _label_answers(bindings, names, members)
    is_entity = F.size("answer_entity") > 0
    return (
        bindings.join(texts, on="question_id", how="inner")
        .join(answers, on="question_id", how="left")
        .join(described, on="question_id", how="left")
        .withColumn("answer", F.when(is_entity, F.col("answer_labels")).otherwise(F.col("answer_text")))
        .withColumn("answer_countries", F.coalesce("answer_countries", F.array().cast("array<bigint>")))
        .select(*(c.name for c in BINDINGS.columns), "texts", "described_labels", "answer", "answer_countries")
    )


def _derive_slot_texts(bindings: DataFrame, names: DataFrame, descriptions: DataFrame) -> DataFrame:
    """The text of each slot: columns question_id, texts (in slot order; null where an entity has no name)."""
    slots = (
        bindings.select("question_id", F.posexplode("slots").alias("number", "slot"))
        .where("slot.form <> 'text'")
        .select("question_id", "number", "slot.*")
    )
    described = descriptions.select(
        "entity", F.col("key").alias("text"), F.lit(DESCRIPTION).alias("form"), "description"
    )
    named = slots.join(names, on="entity", how="left").join(described, on=["entity", "form", "text"], how="left")
    forms = ("name", "long_name", "label", DESCRIPTION)
    text = F.coalesce(*(F.when(F.col("form") == form, F.col(form)) for form in forms))
    found = named.groupBy("question_id").agg(
        F.map_from_entries(F.collect_list(F.struct("number", text.alias("text")))).alias("named")
    )
    return (
        bindings.select("question_id", "slots")
        .join(found, on="question_id", how="left")
        .select(
            "question_id",
            F.transform(
                "slots",
                lambda slot, number: F.when(slot["form"] == "text", slot["text"]).otherwise(
                    F.try_element_at(F.col("named"), number)
                ),
            ).alias("texts"),
        )
    )


def _collect_described_labels(bindings: DataFrame, entities: DataFrame) -> DataFrame:
    """The labels of what is described: columns question_id, described_labels."""
    described = bindings.select("question_id", F.explode("slots").alias("slot")).where(
        F.col("slot.form") == DESCRIPTION
    )
    return (
        described.join(entities.where("label IS NOT NULL"), on=F.col("slot.entity") == F.col("item"), how="inner")
        .groupBy("question_id")
        .agg(F.sort_array(F.collect_set("label")).alias("described_labels"))
    )


def _label_answers(bindings: DataFrame, names: DataFrame, members: DataFrame) -> DataFrame:
    """Labels and countries of entities in answers: columns question_id, answer_labels, answer_countries."""
    entities = bindings.select("question_id", F.explode("answer_entity").alias("entity"))
    countries = members.groupBy("entity").agg(F.sort_array(F.flatten(F.collect_set("countries"))).alias("countries"))
    return (
        entities.join(names.select("entity", "label"), on="entity", how="left")
        .join(countries, on="entity", how="left")
        .groupBy("question_id")
        .agg(
            F.when(F.count("label") == F.count(F.lit(1)), F.sort_array(F.collect_list("label"))).alias("answer_labels"),
            F.sort_array(F.array_distinct(F.flatten(F.collect_list("countries")))).alias("answer_countries"),
        )
    )
