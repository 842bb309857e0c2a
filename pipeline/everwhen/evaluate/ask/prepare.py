"""The prompts of a run: the items that are asked, each with its examples and its context."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Condition, Contexts, read_contexts, read_items_in_need
from everwhen.evaluate.ask.examples import choose_shots, describe_items, read_pool, read_replies
from everwhen.evaluate.conditions import NONE, ORACLE
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import CHOICE, GENERATION, Gold, GoldItem
from everwhen.evaluate.messages import Message, build_messages
from everwhen.evaluate.prompts import Prompts


@dataclass(frozen=True)
class Additions:
    """What is added to the questions.

    Attributes:
        shots: How many examples come before a question.
        condition: With what context a question is asked.
        wording: The name of the prompt; None for the family's own choice.
        opens_choices: Whether choices with letters are asked without their options.
    """

    shots: int = 0
    condition: Condition = field(default_factory=Condition)
    wording: str | None = None
    opens_choices: bool = False


@dataclass(frozen=True)
class Prepared:
    """The prompts of a run.

    Attributes:
        family: The family of the items.
        content_hash: The content hash of the dataset.
        prompts: The messages of each prompt, by ascending item.
        condition: With what context they are asked.
        wording: The name of the prompt, of families that have several.
        manners: How choices with letters are asked, by item: as `choice`, or as `generation`.
        remarks: What prompts lack, and which items are left out, with the number of each.
    """

    family: str
    content_hash: str
    prompts: Mapping[int, Sequence[Message]]
    condition: Condition = field(default_factory=Condition)
    wording: str | None = None
    manners: Mapping[int, str] = field(default_factory=dict)
    remarks: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def list_remarks(self) -> list[str]:
        """List what prompts lack and which items are left out, in lines to read."""
        return write_remarks(self.remarks)


def write_remarks(remarks: Mapping[tuple[str, str], int]) -> list[str]:
    """Write remarks on prompts and items, a line each; of nothing there is no remark."""
    return [text.format(count_noun(count, noun)) for (noun, text), count in remarks.items() if count]


WITHOUT_CONTEXT = ("prompt", "{} without context, since none was found")
OTHER_TYPES = ("prompt", "{} with examples of another type, since train has too few of theirs")
FEWER_DOCUMENTS = ("prompt", "{} with fewer documents than asked for, since their group has no more")
NOT_ALONE = ("item", "{} left out, since without a context they mean nothing")
NOT_OPEN = ("item", "{} left out, since without their options they cannot be asked")
NOT_RELEVANT = ("item", "{} left out, since no document is relevant to them")
"""Remarks on prompts and on items that are left out: what is counted, and what is said of it."""


def prepare_prompts(
    dataset: str | Path, family: str, evaluation: Evaluation, ids: Collection[int], additions: Additions
) -> Prepared:
    """Prepare a prompt for each item; those that a condition does not suit are left out, and counted.

    Raises:
        InputError: The family declares no such prompt or context, train has too few examples, files cannot be read, or
            no item is left.
    """
    wording, prompts = choose_prompts(dataset, family, evaluation, additions.wording)
    asked = read_asked(dataset, family, evaluation, prompts, ids, additions)
    gold, remarks = asked.gold, dict(asked.remarks)
    examples: Mapping[int, Sequence[GoldItem]] = {}
    replies: Mapping[int, str] = {}
    if additions.shots:
        described = describe_items(dataset, family, prompts.shots, gold.table["item_id"].to_pylist())
        chosen = choose_shots(read_pool(dataset, family, prompts.shots), described, additions.shots)
        used = {shot for found in chosen.by_item.values() for shot in found}
        replies = read_replies(dataset, family, prompts.examples, used)
        shown = read_gold(dataset, family, evaluation, ids=used)
        texts = {item.item_id: item for item in shown.iter_items()}
        if additions.opens_choices:  # a choice that cannot be asked without its options keeps them
            texts |= {item.item_id: item for item in shown.open_choices(used).iter_items()}
        examples = {item: [texts[shot] for shot in found] for item, found in chosen.by_item.items()}
        remarks[OTHER_TYPES] = chosen.of_other_types
    messages = {
        item.item_id: build_messages(
            own, item, examples.get(item.item_id, ()), asked.contexts.get(item.item_id, ()), replies
        )
        for item, own in iter_prompts(gold, prompts)
    }
    return Prepared(family, gold.content_hash, messages, additions.condition, wording, asked.manners, remarks)


@dataclass(frozen=True)
class Asked:
    """The items that are asked.

    Attributes:
        gold: What is right of them.
        contexts: Their contexts.
        manners: How choices with letters are asked.
        remarks: What they lack, and how many others are left out.
    """

    gold: Gold
    contexts: Contexts = field(default_factory=dict)
    manners: Mapping[int, str] = field(default_factory=dict)
    remarks: Mapping[tuple[str, str], int] = field(default_factory=dict)


def read_asked(
    dataset: str | Path,
    family: str,
    evaluation: Evaluation,
    prompts: Prompts,
    ids: Collection[int],
    additions: Additions,
) -> Asked:
    """Read the items that are asked, with their contexts; those that a condition does not suit are left out.

    Examples are not read.

    Raises:
        InputError: As of `prepare_prompts`.
    """
    condition = additions.condition
    evaluation.conditions.require(condition.name, family)
    gold = read_gold(dataset, family, evaluation, ids=ids)
    opened, manners = _open_choices(gold, evaluation, opens=additions.opens_choices)
    gold, remarks = opened, {NOT_OPEN: gold.table.num_rows - opened.table.num_rows}
    if condition.name == NONE:
        in_need = read_items_in_need(dataset, family, evaluation.conditions, gold.table["item_id"].to_pylist())
        gold, remarks[NOT_ALONE] = _drop(gold, in_need)
    kept = gold.table["item_id"].to_pylist()
    contexts = read_contexts(dataset, family, evaluation, prompts, kept, condition)
    without = {item for item in kept if not contexts.get(item)}
    if condition.name == ORACLE:
        gold, remarks[NOT_RELEVANT] = _drop(gold, without)
        remarks[FEWER_DOCUMENTS] = sum(len(found) < condition.count for found in contexts.values())
    elif condition.name != NONE:
        remarks[WITHOUT_CONTEXT] = len(without)
    if not gold.table.num_rows:
        raise InputError(f"{dataset}: {family}: no item is left to ask: {'; '.join(write_remarks(remarks))}")
    return Asked(gold, contexts, manners, remarks)


def _open_choices(gold: Gold, evaluation: Evaluation, *, opens: bool) -> tuple[Gold, dict[int, str]]:
    """Open the choices with letters, if that is asked for; return how each is asked, too."""
    if opens and not evaluation.has_choices:
        raise InputError(f"--as {GENERATION}: {gold.family} has no choices with letters; leave it out")
    choices = sorted(item.item_id for item in gold.iter_items() if item.is_choice) if evaluation.has_choices else []
    return gold.open_choices(choices) if opens else gold, dict.fromkeys(choices, GENERATION if opens else CHOICE)


def _drop(gold: Gold, ids: Collection[int]) -> tuple[Gold, int]:
    """Drop items; return how many were there, too."""
    table = gold.table.filter(pc.invert(pc.is_in(gold.table["item_id"], pa.array(sorted(ids), pa.int64()))))
    return gold.select(table), gold.table.num_rows - table.num_rows


def iter_prompts(gold: Gold, prompts: Prompts) -> Iterator[tuple[GoldItem, Prompts]]:
    """Iterate over items, each with its own prompts: their instruction depends on a column and the answer type."""
    values = gold.table[prompts.by].to_pylist() if prompts.by else [""] * gold.table.num_rows
    narrow = cache(prompts.narrow)
    for item, value in zip(gold.iter_items(), values, strict=True):
        yield item, narrow(value, item.answer_type)


def choose_prompts(
    dataset: str | Path, family: str, evaluation: Evaluation, wording: str | None
) -> tuple[str | None, Prompts]:
    """Choose the prompts with a name, else the family's first; a family may have prompts without names.

    Raises:
        InputError: The family declares no prompts, or none of that name.
    """
    if evaluation.prompts is None:
        raise InputError(f"{dataset}: {family} declares no prompts, so its items cannot be asked")
    if wording is None:
        named = next((name for name, each in evaluation.variants.items() if each is evaluation.prompts), None)
        return named, evaluation.prompts
    if wording not in evaluation.variants:
        known = ", ".join(evaluation.variants)
        raise InputError(f"--prompt {wording}: {family} has {known or 'one prompt, without a name; leave it out'}")
    return wording, evaluation.variants[wording]
