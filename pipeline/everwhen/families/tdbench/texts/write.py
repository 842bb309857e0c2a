"""Writes the questions of bound items: a template for each, chosen by hash, filled with values and dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.hashing import MAX_ID
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.reasons import QuestionReason
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.slots import VALUE_SEPARATOR, fill_slot, subtract_unit
from everwhen.families.tdbench.texts.templates import WORDINGS, compile_templates
from everwhen.language.lint_spark import find_lint_error
from everwhen.language.wording import MARK
from everwhen.language.wording_spark import capitalize, choose_wordings, join_pieces

TEMPLATES = (
    "scope_id string, form string, wording tinyint, pieces array<string>, event_pieces array<string>,"
    " is_choice boolean, is_stated_before boolean, worded map<string,string>"
)
"""Columns of the table of templates."""

VALUES = r" \| "
"""Separates the values of several asked columns."""


def write_texts(
    bindings: DataFrame, declarations: Sequence[Declaration], scopes: Sequence[Scope], *, wordings: int = 1
) -> DataFrame:
    """Write the questions of bound items.

    Args:
        bindings: Columns of `everwhen.families.tdbench.tables.ITEMS` but question and wording, and scope_id.
            `given` has the values of all columns that the question names, those that name an event among them.
        declarations: The declarations of the scopes, and those that they join with.
        scopes: The scopes.
        wordings: Questions of each item, 1 to 3. With more than one, `item_id` becomes the hash of item and wording.

    Returns:
        The columns of `bindings` with question and wording, the event in words, and `text_error`: the reason to reject
        the question, null where it is sound.
    """
    if not 1 <= wordings <= WORDINGS:
        raise ValueError(f"wordings: 1 to {WORDINGS} are expected, not {wordings}")
    templates = tabulate_templates(bindings.sparkSession, declarations, scopes)
    chosen = _choose_wordings(bindings.withColumn("form", name_form()), wordings)
    joined = chosen.drop("event").join(F.broadcast(templates), ["scope_id", "form", "wording"], "left")
    texts = (
        joined.withColumn("sentence", _fill_pieces("pieces"))
        .withColumn("question", capitalize(F.col("sentence")))
        .withColumn("event", F.when(F.size("event_pieces") > 0, _fill_pieces("event_pieces")))
    )
    question, is_choice = F.col("question"), F.coalesce("is_choice", F.lit(False))
    values = F.flatten(F.transform("answer", lambda value: F.split(value, VALUES)))
    error = (
        F.when(~_is_reversible(), str(QuestionReason.NOT_REVERSIBLE))
        .when(question.isNull() | question.contains(MARK), str(QuestionReason.NOT_FILLED))
        .otherwise(find_lint_error(question, values, is_choice))
    )
    shown = F.translate("question", MARK, "…")  # a reject is an example in reports
    return (
        texts.withColumn("text_error", error)
        .withColumn("question", shown)
        .drop("sentence", "form", "pieces", "event_pieces", "is_choice", "is_stated_before", "worded")
    )


def tabulate_templates(spark: SparkSession, declarations: Sequence[Declaration], scopes: Sequence[Scope]) -> DataFrame:
    """Put the templates of scopes into a table with the columns `TEMPLATES`."""
    by_name = {declaration.name: declaration for declaration in declarations}
    worded = {scope.scope_id: _list_values(scope, by_name) for scope in scopes}
    inclusive = {scope.scope_id: by_name[scope.declaration].time.is_inclusive for scope in scopes}
    rows = [
        (
            *(template.scope_id, template.form, template.wording, list(template.pieces), list(template.event)),
            *(template.is_choice, inclusive[template.scope_id], worded[template.scope_id]),
        )
        for template in compile_templates(scopes, declarations)
    ]
    return spark.createDataFrame(rows, TEMPLATES)


def _list_values(scope: Scope, declarations: Mapping[str, Declaration]) -> dict[str, str]:
    """List the values in words of a scope, by column, separator and value."""
    joined = [declarations[scope.join.other]] if scope.join else []
    return {
        f"{column}{VALUE_SEPARATOR}{value}": words
        for declaration in (*joined, declarations[scope.declaration])
        for column, values in declaration.words.values.items()
        for value, words in values.items()
    }


def name_form() -> Column:
    """Name the form of an item, as `everwhen.families.tdbench.texts.templates` does."""
    relation = F.concat(F.col("relation"), F.when(F.col("is_short"), "/short").otherwise(""))
    unit = F.when(F.col("granularity") == "day", "day").otherwise("unit")
    least = F.when(F.col("is_at_least"), "at_least").otherwise("exactly")
    number = F.when(F.col("counted") == 1, "one").otherwise("more")
    return (
        F.when(F.col("task") == "alignment", "current")
        .when(F.col("task") == "multi_hop", "joined")
        .when(F.col("task") == "counting", F.concat(F.lit("counted/"), least, F.lit("/"), number))
        .when(F.col("task") == "implicit", F.concat(F.lit("event/"), unit, F.lit("/"), relation))
        .otherwise(F.concat(F.lit("times/"), relation))
    )


def _fill_pieces(pieces: str) -> Column:
    """Join the pieces of a column with the texts of their slots."""
    return join_pieces(F.col(pieces), lambda slot: fill_slot(slot, F.col("worded")))


def _choose_wordings(bindings: DataFrame, wordings: int) -> DataFrame:
    """Choose the wordings of each item by the hash of item and number, and name each by an item of its own."""
    hashes = {number: F.xxhash64("item_id", F.lit(number)) for number in range(WORDINGS)}
    chosen = bindings.withColumn("wording", F.explode(choose_wordings(hashes, wordings)))
    if wordings == 1:
        return chosen
    return chosen.withColumn("item_id", F.xxhash64("item_id", "wording").bitwiseAND(F.lit(MAX_ID)))


def _is_reversible() -> Column:
    """Whether the stated date of meets and met_by, moved by the offset, is the date that is meant.

    Of inclusive ends, the text moves the stated date, which is one unit before the date that is compared.
    """
    unit, offset = F.col("granularity"), F.col("offset_months")
    start, end = subtract_unit(F.col("b_start"), unit), subtract_unit(F.col("b_end"), unit)
    is_stated = F.col("is_stated_before") & (F.col("relation") == "meets") & offset.isNotNull()
    return F.coalesce(
        ~is_stated | ((F.add_months(end, -offset) == start) & (F.add_months(start, offset) == end)), F.lit(True)
    )
