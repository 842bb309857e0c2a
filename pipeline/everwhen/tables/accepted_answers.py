"""Which texts are accepted as an answer beside the published one: a table of each family, and the rule for aliases."""

from __future__ import annotations

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, Window, WindowSpec
from pyspark.sql import functions as F

from everwhen.core.table import Column, Table


def describe_accepted_answers(stage: str, answer: str, scope: str, kinds: str) -> Table:
    """Describe the accepted answers of a family.

    Args:
        stage: The family.
        answer: What the column answer has.
        scope: Where a text is accepted.
        kinds: The kinds of texts.
    """
    return Table(
        name="accepted_answers",
        stage=stage,
        meaning="A text that is right as an answer, beside the published one.",
        total_by="kind",
        columns=(
            Column("answer", "string", f"the answer for which it is accepted: {answer}"),
            Column("scope", "string", f"where it is accepted: {scope}", nullable=True),
            Column("kind", "string", kinds),
            Column("text", "string", "the text"),
        ),
    )


def select_unambiguous(aliases: DataFrame, labels: DataFrame) -> DataFrame:
    """Select the aliases that can mean one answer only: nothing else of their scope has them as label or alias.

    Case does not matter. An alias that is the label of its own answer says nothing new, and is left out.

    Args:
        aliases: Columns answer, scope and text.
        labels: Likewise, of all that an answer can be mistaken for.

    Returns:
        The aliases, each once.
    """
    named = aliases.withColumn("is_label", F.lit(False)).unionByName(labels.withColumn("is_label", F.lit(True)))
    same = Window.partitionBy("scope", F.lower("text"))
    judged = named.withColumns({"is_single": _is_of_one_answer(same), "has_label": F.bool_or("is_label").over(same)})
    return judged.where("is_single AND NOT has_label").select("answer", "scope", "text").distinct()


def _is_of_one_answer(same: WindowSpec) -> SparkColumn:
    """Whether a text is that of one answer only."""
    return F.min("answer").over(same) == F.max("answer").over(same)
