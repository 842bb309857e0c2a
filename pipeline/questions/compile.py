"""Compile templates: relation and expressions to bindings (DESIGN laws 9 to 11)."""

from __future__ import annotations

from functools import reduce

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.questions.bind import RELATIONS
from pipeline.questions.bind.world import World
from pipeline.template import Answer, Slot, Template
from pipeline.tables.bindings import BINDINGS

SEPARATOR = "\x1f"
LARGEST = 0x7FFF_FFFF_FFFF_FFFF


def bind(world: World, template: Template) -> DataFrame:
    """Bind the slots of one template.

    Args:
        world: The world.
        template: The template.

    Returns:
        Columns of the table `bindings`, and reason: why there is no question (then the other columns may be null).

    Raises:
        InputError: The template names an unknown relation, or an expression cannot be resolved.
    """
    if template.relation not in RELATIONS:
        raise InputError(f"template {template.id}: relation: no {template.relation}; there are {', '.join(RELATIONS)}")
    try:
        rows = RELATIONS[template.relation](world, template.params)
    except KeyError as error:
        raise InputError(f"template {template.id}: params: {error} is missing for {template.relation}") from None
    try:
        return _bound(rows, template, world.config).select(*(c.name for c in BINDINGS.columns), "reason")
    except AnalysisException as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"template {template.id}: {first}") from None


def _bound(rows: DataFrame, template: Template, config: Config) -> DataFrame:
    slots = F.array(*(_slot(slot) for slot in template.slots.values()))
    asked = [F.expr(slot.entity) for slot in template.slots.values() if slot.entity is not None]
    key = F.concat_ws(
        SEPARATOR,
        F.lit(config.seed),
        F.lit(template.id),
        F.lit(str(template.version)),
        F.transform(slots, _key_part),
    )
    question_id = F.xxhash64(key).bitwiseAND(F.lit(LARGEST))
    hard = template.type[0] == "3" or template.unnamed or template.hops is not None
    rating = F.lit(1) if hard else F.when(F.col("popular"), 0).otherwise(1)
    answer_text, answer_entity = _answer(template.answer)
    return rows.select(
        question_id.alias("question_id"),
        slots.alias("slots"),
        answer_text.alias("answer_text"),
        F.lit(template.choice).alias("choice"),
        F.lit(template.type).alias("type"),
        F.array(*asked).cast("array<bigint>").alias("question_entity"),
        answer_entity.alias("answer_entity"),
        F.col("countries").alias("question_country_entity"),
        F.array().cast("array<bigint>").alias("answer_country_entity"),
        (F.expr(template.hops) if template.hops else F.array()).cast("array<int>").alias("hops"),
        rating.cast("tinyint").alias("rating"),
        F.lit(template.unnamed).alias("is_unnamed"),
        F.col("span").alias("timeframe"),
        F.lit(template.id).alias("template_id"),
        F.lit(template.version).alias("template_version"),
        F.pmod(F.xxhash64(F.lit("wording"), question_id), F.lit(len(template.questions))).cast("int").alias("wording"),
        _property(template).alias("property"),
        (F.expr(template.threshold) if template.threshold else F.lit(None)).cast("decimal(38,9)").alias("threshold"),
        F.col("topic"),
        F.col("split"),
        F.year("span.start").alias("year"),
        F.col("head").alias("head_entity"),
        _reason(template).alias("reason"),
    )


def _key_part(slot: Column) -> Column:
    """One slot in the key of a question: its entity and its text."""
    return F.concat(
        F.coalesce(slot["entity"].cast("string"), F.lit("")), F.lit("="), F.coalesce(slot["text"], F.lit(""))
    )


def _slot(slot: Slot) -> Column:
    """A slot as a struct of entity, form and text."""
    return F.struct(
        (F.expr(slot.entity) if slot.entity else F.lit(None)).cast("bigint").alias("entity"),
        F.lit("text" if slot.text and slot.form != "description" else slot.form).alias("form"),
        (F.expr(slot.text) if slot.text else F.lit(None)).cast("string").alias("text"),
    )


def _property(template: Template) -> Column:
    if template.property is None:
        return F.lit(None).cast("int")
    if isinstance(template.property, int):
        return F.lit(template.property)
    return F.expr(template.property).cast("int")


def _reason(template: Template) -> Column:
    """The relation's own reason, then the template's conditions in order; a condition that is null fails."""
    failures = [F.when(~F.coalesce(F.expr(r.keep), F.lit(False)), F.lit(r.otherwise)) for r in template.require]
    return reduce(lambda a, b: F.coalesce(a, b), failures, F.col("reason"))


def _answer(answer: Answer) -> tuple[Column, Column]:
    """The columns answer_text and answer_entity."""
    no_text, no_entity = F.array().cast("array<string>"), F.array().cast("array<bigint>")
    if answer.entity is not None:
        return no_text, F.array(F.expr(answer.entity).cast("bigint"))
    if answer.date is not None:
        time = F.expr(answer.date)
        return F.array(date_text(time["first_day"], time["precision"])), no_entity
    if answer.number is not None:
        return F.array(number_text(F.expr(answer.number))), no_entity
    return F.array(F.when(F.expr(str(answer.yes_no)), "yes").otherwise("no")), no_entity


def date_text(day: Column, precision: Column) -> Column:
    """A time as it is answered: YYYY-MM-DD, YYYY-MM or YYYY, by its precision; null for coarser ones."""
    return (
        F.when(precision == 11, F.date_format(day, "yyyy-MM-dd"))
        .when(precision == 10, F.date_format(day, "yyyy-MM"))
        .when(precision == 9, F.date_format(day, "yyyy"))
    )


def number_text(number: Column) -> Column:
    """A number as it is answered: no exponent, no needless zeros."""
    return F.regexp_replace(number.cast("decimal(38,9)").cast("string"), r"\.?0+$", "")
