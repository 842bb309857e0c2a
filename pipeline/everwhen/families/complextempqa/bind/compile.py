"""Compile templates: relation and expressions to candidates, candidates to bindings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.hashing import derive_id
from everwhen.families.complextempqa.bind.relations import RELATIONS
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.numbering import NAMED, list_first_numbers
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, DESCRIPTION, Answer, Slot, Template
from everwhen.temporal.calendars_spark import write_stated_day
from everwhen.temporal.precision import Precision

METADATA_COLUMNS = ("popular", "countries", "span", "topic", "split", "head")
"""What every relation brings along for the row (see `pipeline/everwhen/families/complextempqa/bind/relations.py`)."""


def require_relation(template: Template) -> None:
    """Refuse a template of a relation that there is not.

    Raises:
        InputError: It is.
    """
    known = (*RELATIONS, *BLOCK_RELATIONS)
    if template.relation not in known:
        raise InputError(f"template {template.id}: relation: no {template.relation}; there are {', '.join(known)}")


def bind_template(world: WorldTables, template: Template) -> DataFrame:
    """Bind the slots of one template and derive its answers.

    The rows have only values that differ; workers add the template's constants.

    Returns:
        Columns template_id, slots, answer_text, answer_entity, hops, property, threshold, counted_over, calendar, those
        of METADATA_COLUMNS, and reason: why there is no question (then the other columns may be null).

    Raises:
        InputError: The template names an unknown relation, or an expression cannot be resolved.
    """
    require_relation(template)
    try:
        rows = RELATIONS[template.relation](world, template.params)
    except KeyError as error:
        raise InputError(f"template {template.id}: params: {error} is missing for {template.relation}") from None
    answer_text, answer_entity = _derive_answer(template.answer)
    try:
        return rows.select(
            F.lit(template.id).alias("template_id"),
            F.array(*(_build_slot(slot) for slot in template.slots.values())).alias("slots"),
            answer_text.alias("answer_text"),
            answer_entity.alias("answer_entity"),
            evaluate(template.hops or "array()", "array<int>").alias("hops"),
            evaluate(template.property, "int").alias("property"),
            evaluate(template.threshold, "decimal(38,9)").alias("threshold"),
            evaluate("counted_over" if "counted_over" in rows.columns else None, "string").alias("counted_over"),
            _derive_calendar(template.answer).alias("calendar"),
            *METADATA_COLUMNS,
            _derive_reason(template).alias("reason"),
        )
    except AnalysisException as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"template {template.id}: {first}") from None


def add_ids(rows: DataFrame, templates: Sequence[Template], config: Config) -> DataFrame:
    """Candidates with their ids.

    Args:
        rows: As `bind_template` returns them, of all templates together.
        config: Its seed salts the ids.

    Returns:
        Columns of the table `bindings`, and reason.
    """
    declared = rows.sparkSession.createDataFrame(
        [(t.id, t.version, t.type.value, t.timeframe == "years") for t in templates],
        "template_id string, version int, type string, names_years boolean",
    )
    asked = F.filter("slots", lambda s: s["entity"].isNotNull())
    subjects = F.transform(
        asked,
        lambda s: F.array(
            s["entity"],
            F.when(s["form"] == DESCRIPTION, F.xxhash64(s["text"])).otherwise(F.lit(NAMED).cast("bigint")),
        ),
    )
    numbers = F.concat(
        list_first_numbers(
            config,
            F.col("version"),
            F.size(asked),
            F.when(F.col("names_years"), F.col("span")),
            F.regexp_replace(F.col("threshold").cast("string"), r"\.?0+$", ""),
        ),
        F.flatten(subjects),
    )
    return (
        rows.join(F.broadcast(declared), on="template_id", how="inner")
        .withColumn("polarity", F.lit(None).cast("string"))
        .withColumn("question_id", derive_id(numbers))
        .select(*(c.name for c in BINDINGS.columns), "reason")
    )


def is_described() -> Column:
    """Whether an entity of a binding is described and not named."""
    return F.exists("slots", lambda s: s["form"] == DESCRIPTION)


def _build_slot(slot: Slot) -> Column:
    """A slot as a struct of entity, form and text."""
    return F.struct(
        evaluate(slot.entity, "bigint").alias("entity"),
        F.lit("text" if slot.text else slot.form).alias("form"),
        evaluate(slot.text, "string").alias("text"),
    )


def evaluate(expression: str | int | None, type_: str) -> Column:
    """The value of an expression of a template, or of a number in its place; null where it has none."""
    return F.expr(str(expression or "NULL")).cast(type_)


def _derive_reason(template: Template) -> Column:
    """The relation's own reason, then the template's conditions in order; a condition that is null fails."""
    failures = [F.when(~F.coalesce(F.expr(r.keep), F.lit(False)), F.lit(r.otherwise)) for r in template.require]
    return reduce(lambda a, b: F.coalesce(a, b), failures, F.col("reason"))


def _derive_answer(answer: Answer) -> tuple[Column, Column]:
    """The columns answer_text and answer_entity."""
    no_text, no_entity = F.array().cast("array<string>"), F.array().cast("array<bigint>")
    if answer.entity is not None:
        return no_text, F.array(F.expr(answer.entity).cast("bigint"))
    if answer.date is not None:
        return F.array(_format_time(answer.date)), no_entity
    if answer.period is not None:
        return F.array(*(_format_time(time) for time in answer.period)), no_entity
    if answer.number is not None:
        return F.array(format_number(F.expr(answer.number))), no_entity
    return F.array(F.when(F.expr(str(answer.yes_no)), "yes").otherwise("no")), no_entity


def _derive_calendar(answer: Answer) -> Column:
    """The calendar in which the dates of an answer are stated; null where it is no date."""
    times = answer.period or ([answer.date] if answer.date else [])
    return F.expr(times[0])["calendar"] if times else F.lit(None).cast("string")


def _format_time(time: str) -> Column:
    """The text of a struct with first_day, precision and calendar."""
    return format_date(F.expr(time)["first_day"], F.expr(time)["precision"], F.expr(time)["calendar"])


def format_date(day: Column, precision: Column, calendar: Column) -> Column:
    """A time as it is answered, in its own calendar: YYYY-MM-DD, YYYY-MM or a year alone, by its precision.

    A year alone is as people write it, 843, and only a month or a day has ISO's four digits, 0843-08.

    Null for coarser ones, and for 29 February of Julian years of which no other calendar has the day: nobody reads it.
    """
    stated = write_stated_day(day, calendar)
    return (
        F.when(precision == Precision.DAY, F.when(stated.try_cast("date").isNotNull(), stated))
        .when(precision == Precision.MONTH, F.left(stated, F.lit(7)))
        .when(precision == Precision.YEAR, F.left(stated, F.lit(4)).cast("int").cast("string"))
    )


def format_number(number: Column) -> Column:
    """A number as it is answered: no exponent, no needless zeros."""
    return F.regexp_replace(number.cast("decimal(38,9)").cast("string"), r"\.?0+$", "")
