"""Render bindings to text: wordings and names, nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pipeline.questions.compile import DESCRIPTION
from pipeline.tables.questions import QUESTIONS
from pipeline.template import Template


def render(
    bindings: DataFrame, names: DataFrame, descriptions: DataFrame, members: DataFrame, templates: Sequence[Template]
) -> DataFrame:
    """Make the text of questions and answers.

    Texts stand side by side and are never scanned for slots, so that a label may hold braces.

    Args:
        bindings: Table `bindings`.
        names: Table `names`.
        descriptions: Table `descriptions`.
        members: Table `members`, for the countries of answers.
        templates: The templates that the bindings come from.

    Returns:
        Columns of the table `questions`; question or answer is null where an entity has no name.
    """
    wordings = _wordings(bindings, templates)
    texts = _slot_texts(bindings, names, descriptions)
    answers = _answers(bindings, names, members)
    rendered = (
        bindings.join(F.broadcast(wordings), on=["template_id", "template_version", "wording"], how="inner")
        .join(texts, on="question_id", how="inner")
        .join(answers, on="question_id", how="left")
    )
    whole = ~F.exists("texts", lambda t: t.isNull())
    is_entity = F.size("answer_entity") > 0
    return (
        rendered.withColumn("question", F.when(whole, _capital(_text())))
        .withColumn("answer", F.when(is_entity, F.col("answer_labels")).otherwise(F.col("answer_text")))
        .withColumn("answer_country_entity", F.coalesce("answer_countries", "answer_country_entity"))
        .select(*(c.name for c in QUESTIONS.columns), "choice")
    )


def _wordings(bindings: DataFrame, templates: Sequence[Template]) -> DataFrame:
    """Every wording cut at its slots: pieces (one more than slots) and the slots between them, by number."""
    rows = [(t.id, t.version, i, *t.pieces(i)) for t in templates for i in range(len(t.questions))]
    schema = "template_id string, template_version int, wording int, pieces array<string>, slot_order array<int>"
    return bindings.sparkSession.createDataFrame(rows, schema)


def _slot_texts(bindings: DataFrame, names: DataFrame, descriptions: DataFrame) -> DataFrame:
    """The text of each slot: columns question_id, texts (in slot order; null where an entity has no name)."""
    slots = (
        bindings.select("question_id", F.posexplode("slots").alias("number", "slot"))
        .where("slot.form <> 'text'")
        .select("question_id", "number", "slot.*")
    )
    told = descriptions.select("entity", F.col("key").alias("text"), F.lit(DESCRIPTION).alias("form"), "description")
    named = slots.join(names, on="entity", how="left").join(told, on=["entity", "form", "text"], how="left")
    text = (
        F.when(F.col("form") == "name", F.col("name"))
        .when(F.col("form") == "long_name", F.col("long_name"))
        .when(F.col("form") == "label", F.col("label"))
        .when(F.col("form") == DESCRIPTION, F.col("description"))
    )
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


def _answers(bindings: DataFrame, names: DataFrame, members: DataFrame) -> DataFrame:
    """Labels and countries of entities in answers: columns question_id, answer_labels, answer_countries."""
    entities = bindings.select("question_id", F.explode("answer_entity").alias("entity"))
    countries = members.groupBy("entity").agg(F.array_sort(F.flatten(F.collect_set("countries"))).alias("countries"))
    return (
        entities.join(names.select("entity", "label"), on="entity", how="left")
        .join(countries, on="entity", how="left")
        .groupBy("question_id")
        .agg(
            F.when(F.count("label") == F.count(F.lit(1)), F.array_sort(F.collect_list("label"))).alias("answer_labels"),
            F.array_sort(F.array_distinct(F.flatten(F.collect_list("countries")))).alias("answer_countries"),
        )
    )


def _text() -> Column:
    """The pieces of the wording with the texts of the slots between them."""
    filled = F.transform("slot_order", lambda number: F.element_at("texts", number + 1))
    parts = F.zip_with(F.col("pieces"), filled, lambda piece, text: F.concat(piece, F.coalesce(text, F.lit(""))))
    return F.array_join(parts, "")


def _capital(text: Column) -> Column:
    """A sentence begins with a capital."""
    return F.concat(F.upper(F.substring(text, 1, 1)), text.substr(2, 100_000))
