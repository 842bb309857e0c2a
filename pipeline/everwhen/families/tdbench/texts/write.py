"""Writes the questions of bound items: a template for each, chosen by hash, filled with values, dates and numbers.

The words of dates and numbers are those of `everwhen.temporal.phrases`, which reads them back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.hashing import MAX_ID
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.reasons import QuestionReason
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.templates import WORDINGS, compile_templates
from everwhen.language.lint_spark import find_lint_error
from everwhen.language.wording import MARK
from everwhen.language.wording_spark import capitalize, choose_wordings, join_pieces
from everwhen.temporal import phrases_spark as phrases
from everwhen.temporal.precision import Precision

TEMPLATES = (
    "scope_id string, form string, wording tinyint, pieces array<string>, event_pieces array<string>,"
    " is_choice boolean, is_stated_before boolean, worded map<string,string>"
)
"""Columns of the table of templates; `worded` has values in words, by column, `VALUE_SEPARATOR` and value."""

VALUE_SEPARATOR = "\x1f"

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
    templates = _tabulate_templates(bindings.sparkSession, declarations, scopes)
    chosen = _choose_wordings(bindings.withColumn("form", name_form()), wordings)
    joined = chosen.drop("event").join(F.broadcast(templates), ["scope_id", "form", "wording"], "left")
    texts = (
        joined.withColumn("sentence", join_pieces(F.col("pieces"), _fill_slot))
        .withColumn("question", capitalize(F.col("sentence")))
        .withColumn("event", F.when(F.size("event_pieces") > 0, join_pieces(F.col("event_pieces"), _fill_slot)))
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


def name_form() -> Column:
    """Name the form of an item, as `everwhen.families.tdbench.texts.templates` does."""
    relation = F.concat(F.col("relation"), F.when(F.col("is_short"), "/short").otherwise(""))
    unit = F.when(F.col("granularity") == "day", "day").otherwise("unit")
    least = F.when(F.col("is_at_least"), "at_least").otherwise("exactly")
    number = F.when(F.col("counted") == 1, "one").otherwise("more")
    return (
        F.when(F.col("task") == "alignment", "current")
        .when(F.col("task") == "multi_hop", "joined")
        .when(F.col("task") == "counting", F.concat_ws("/", F.lit("counted"), least, number))
        .when(F.col("task") == "implicit", F.concat_ws("/", F.lit("event"), unit, relation))
        .otherwise(F.concat_ws("/", F.lit("times"), relation))
    )


def _tabulate_templates(spark: SparkSession, declarations: Sequence[Declaration], scopes: Sequence[Scope]) -> DataFrame:
    """Put the templates of scopes into a table with the columns `TEMPLATES`."""
    by_name = {declaration.name: declaration for declaration in declarations}
    of_scopes = {
        scope.scope_id: (by_name[scope.declaration].time.is_inclusive, _list_values(scope, by_name)) for scope in scopes
    }
    rows = [(*template, *of_scopes[template.scope_id]) for template in compile_templates(scopes, declarations)]
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


def _choose_wordings(bindings: DataFrame, wordings: int) -> DataFrame:
    """Choose the wordings of each item by the hash of item and number, and name each by an item of its own."""
    hashes = {number: F.xxhash64("item_id", F.lit(number)) for number in range(WORDINGS)}
    chosen = bindings.withColumn("wording", F.explode(choose_wordings(hashes, wordings)))
    if wordings == 1:
        return chosen
    return chosen.withColumn("item_id", F.xxhash64("item_id", "wording").bitwiseAND(F.lit(MAX_ID)))


def _fill_slot(name: Column) -> Column:
    """Find the text of a slot by its name; null without a value."""
    column, value = _find_given(name, "given:")
    worded = F.try_element_at("worded", F.concat(column, F.lit(VALUE_SEPARATOR), value))
    text = F.when(name.startswith("given:"), F.coalesce(worded, value))
    _, number = _find_given(name, "ordinal:")
    text = text.when(name.startswith("ordinal:"), phrases.write_ordinal(number))
    for slot, filled in _list_slots().items():
        text = text.when(name == slot, filled)
    return text


def _find_given(slot: Column, prefix: str) -> tuple[Column, Column]:
    """Find the column that a slot names behind a prefix, and its value as the table has it."""
    column = F.substring(slot, len(prefix) + 1, 1000)
    return column, F.get(F.filter("given", lambda each: each["column"] == column), F.lit(0))["value"]


def _list_slots() -> dict[str, Column]:
    """List the slots that are no columns of a table, with their texts."""
    unit = F.col("granularity")
    precision = F.when(unit == "day", Precision.DAY).when(unit == "month", Precision.MONTH).otherwise(Precision.YEAR)
    dates = {name: F.col(name) for name in ("b_start", "b_end")}
    dates |= {f"{name}_stated": _subtract_unit(F.col(name)) for name in ("b_start", "b_end")}
    offset = phrases.write_offset(F.col("offset_months"))
    unit_which = F.concat(unit, F.when(unit == "day", " on which").otherwise(" in which"))
    return {
        **{name: phrases.write_date(day, precision) for name, day in dates.items()},
        **{f"on:{name}": phrases.write_when(day, precision) for name, day in dates.items()},
        "as_of": phrases.write_date(F.col("as_of")),
        "count": phrases.write_number(F.col("counted")),
        "times": phrases.write_times(F.col("counted")),
        "offset": offset,
        "offset_half": F.when(F.col("offset_months") == 6, "half a year").otherwise(offset),
        "unit": unit,
        "unit_which": unit_which,
        "on_unit_which": F.concat(F.when(unit == "day", "on the ").otherwise("in the "), unit_which),
    }


def _subtract_unit(day: Column) -> Column:
    """Return the first day of the unit before: of an inclusive end, the stated one."""
    unit = F.col("granularity")
    by_month = F.add_months(day, F.when(unit == "month", -1).otherwise(-12))
    return F.when(unit == "day", F.date_sub(day, 1)).otherwise(by_month)


def _is_reversible() -> Column:
    """Whether the stated date of meets and met_by, moved by the offset, is the date that is meant.

    Of inclusive ends, the text moves the stated date, which is one unit before the date that is compared.
    """
    start, end, offset = _subtract_unit(F.col("b_start")), _subtract_unit(F.col("b_end")), F.col("offset_months")
    is_stated = F.col("is_stated_before") & (F.col("relation") == "meets") & offset.isNotNull()
    return F.coalesce(
        ~is_stated | ((F.add_months(end, -offset) == start) & (F.add_months(start, offset) == end)), F.lit(True)
    )
