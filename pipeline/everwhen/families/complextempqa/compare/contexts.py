"""What many comparisons have in common: all but the subjects, and which of them is the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.compile import evaluate
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.budget import select_comparisons
from everwhen.families.complextempqa.compare.blocks import Block
from everwhen.families.complextempqa.compare.comparable import COMPARED_BY
from everwhen.families.complextempqa.compare.quotas import Quota
from everwhen.families.complextempqa.numbering import list_first_numbers
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, COMPARED_SUBJECTS, Polarity, Template

COMPARED_ENTITY = re.compile(rf"({'|'.join(COMPARED_SUBJECTS)})\.entity")
"""What an entity slot of a comparison names: the first, second or third subject."""

POSITION = "position"
"""What another entity slot names: the office in which terms are compared."""


@dataclass(frozen=True)
class Context:
    """What many comparisons have in common.

    Attributes:
        template: Position of its template among those of comparisons.
        unnamed: Whether subjects are described in it.
        split: The split of its subjects.
        polarity: The direction in which it asks.
        texts: The text of each slot, in slot order; None for a subject.
        property: The property that is compared.
        hops: The properties passed on the way.
        office: The office that it asks about beside the subjects, and whether it is popular.
        hashed: What the chain of an id has come to before the subjects, as a bigint (`complextempqa/numbering.py`).
    """

    template: int
    unnamed: bool
    split: str
    polarity: Polarity
    texts: tuple[str | None, ...]
    property: int | None
    hops: tuple[int, ...] = ()
    office: tuple[int, bool] | None = None
    hashed: int = 0


ContextNumbers = dict[tuple[str, int, bool], tuple[int, ...]]
"""By template, block and whether subjects are described, the number of the context of each direction, upwards first."""


def locate_subjects(template: Template) -> list[int | None]:
    """Return which subject each slot of a comparison names, by position; None for a text.

    Raises:
        InputError: An entity slot names something else, or an office before a subject.
    """
    found: list[int | None] = []
    behind = False
    for name, slot in template.slots.items():
        if slot.entity is None or slot.entity == POSITION:
            found.append(None)
            behind = behind or slot.entity == POSITION
            continue
        match = COMPARED_ENTITY.fullmatch(slot.entity.strip())
        if match is None or behind:
            raise InputError(
                f"template {template.id}: slots.{name}: a comparison names first_subject.entity,"
                f" second_subject.entity or third_subject.entity, and {POSITION} behind them"
            )
        found.append(COMPARED_SUBJECTS.index(match[1]))
    return found


def list_pieces(context: Context, template: Template, wording: int) -> list[str]:
    """List the texts before, between and after the names of a context in a wording of its template."""
    pieces, order = template.split_wording(wording)
    between = [""]
    for slot, piece in zip(order, pieces, strict=False):
        text = context.texts[slot]
        between[-1] += piece + (text or "")
        between += [] if text is not None else [""]
    between[-1] += pieces[-1]
    return between


def build_contexts(
    world: WorldTables, words: DataFrame, blocks: Sequence[Block], found: Sequence[Quota], templates: Sequence[Template]
) -> tuple[list[Context], ContextNumbers]:
    """Build the contexts of all quotas.

    Args:
        world: The world; its seed salts the ids.
        words: What subjects are compared by (`BlockMembers.words`).
        found: The quotas.

    Returns:
        The contexts by number, and which of them each quota has.

    Raises:
        InputError: A text of a template cannot be derived from words, polarity and the list's words.
    """
    if not found:
        return [], {}
    compared = select_comparisons(templates)
    by_block = _collect_texts(world, words, blocks, found, compared)
    positions = {t.id: position for position, t in enumerate(compared)}
    made: list[Context] = []
    context_numbers: ContextNumbers = {}
    for template_id, block, unnamed in sorted({(d.template, d.block, d.unnamed) for d in found}):
        template = compared[positions[template_id]]
        numbers = []
        for polarity in template.list_directions():
            row = by_block[template_id, block, polarity]
            texts = tuple(row["texts"])
            if any(text is None for text, side in zip(texts, locate_subjects(template), strict=True) if side is None):
                raise InputError(f"template {template_id}: a slot has no text for {blocks[block].key}")
            numbers.append(len(made))
            made.append(
                Context(
                    template=positions[template_id],
                    unnamed=unnamed,
                    split=blocks[block].split,
                    polarity=polarity,
                    texts=texts,
                    property=row["property"],
                    hops=tuple(row["hops"]),
                    office=None if row["position"] is None else (row["position"], row["position_popular"]),
                    hashed=row["hashed"],
                )
            )
        context_numbers[template_id, block, unnamed] = tuple(numbers)
    return made, context_numbers


def _collect_texts(
    world: WorldTables, words: DataFrame, blocks: Sequence[Block], found: Sequence[Quota], compared: Sequence[Template]
) -> dict[tuple[str, int, str], Row]:
    """Collect what `_derive_texts` derives, by template, block and direction."""
    drawn = sorted({(d.template, d.block) for d in found})
    spark = world.spark
    named = [(b.number, b.kind, b.by, b.key, b.list, b.grouping) for b in blocks]
    each = spark.createDataFrame(
        named, "block int, kind string, by string, key string, on_list string, grouping string"
    )
    wanted = spark.createDataFrame(drawn, "template_id string, block int")
    # Once: each template reads it.
    known = checkpoint(words.join(F.broadcast(each), on=list(COMPARED_BY), how="inner"))
    asked = {template for template, _ in drawn}
    rows = reduce(DataFrame.unionByName, (_derive_texts(world, known, t) for t in compared if t.id in asked))
    lines = rows.join(F.broadcast(wanted), on=["template_id", "block"], how="inner").collect()
    return {(row["template_id"], row["block"], row["polarity"]): row for row in lines}


def _derive_texts(world: WorldTables, words: DataFrame, template: Template) -> DataFrame:
    """Texts, property, hops and office of one template for every block and direction, and how ids begin."""
    known = words.select(
        "block",
        F.explode(F.array(*map(F.lit, template.list_directions()))).alias("polarity"),
        "key",
        "words",
        *("position", "position_label", "position_popular"),
        F.struct("noun", "which").alias("subject"),
        F.struct("property", "hops").alias("value"),
    )
    texts = (
        evaluate(slot.text if side is None else None, "string")
        for slot, side in zip(template.slots.values(), locate_subjects(template), strict=True)
    )
    offices = sum(slot.entity == POSITION for slot in template.slots.values())
    try:
        texts_of = known.select(
            F.lit(template.id).alias("template_id"),
            "block",
            "polarity",
            F.array(*texts).alias("texts"),
            evaluate(template.property, "int").alias("property"),
            evaluate(template.hops or "array()", "array<int>").alias("hops"),
            *((F.col(name) if offices else F.lit(None)).alias(name) for name in ("position", "position_popular")),
        )
    except AnalysisException as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"template {template.id}: texts, property and hops of a comparison: {first}") from None
    numbers = list_first_numbers(
        world.config, F.lit(template.version), F.lit(BLOCK_RELATIONS[template.relation] + offices)
    )
    return texts_of.withColumn("hashed", F.xxhash64(numbers))
