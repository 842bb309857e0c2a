"""The prompts of a run: the items that are asked, each with its examples and its context."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Contexts, read_mixed_sentences, read_own_contexts, read_sentences
from everwhen.evaluate.ask.examples import Shots, choose_shots, describe_items, read_pool, read_replies
from everwhen.evaluate.ask.passages import Passages, read_passages
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.messages import Message, build_messages
from everwhen.evaluate.prompts import Prompts

OWN = "dataset"
"""The choice of `everwhen ask --context` for the context that each item has in the dataset."""

FROM_STATEMENTS = ("evidence", "evidence-mixed")
"""The choices of statements, of which items with a context of their own have none."""


@dataclass(frozen=True)
class Additions:
    """What is added to the questions.

    Attributes:
        shots: How many examples come before a question.
        context: A choice of `everwhen ask --context`.
        others: How many statements of other items `evidence-mixed` has.
        passages: Where the passages are from, if the context is some.
        wording: The name of the prompt; None for the family's own choice.
    """

    shots: int = 0
    context: str = "none"
    others: int = 8
    passages: Passages | None = None
    wording: str | None = None


@dataclass(frozen=True)
class Prepared:
    """The prompts of a run.

    Attributes:
        family: The family of the items.
        content_hash: The content hash of the dataset.
        prompts: The messages of each prompt, by ascending item.
        without_context: How many have no context, although one was asked for.
        wording: The name of the prompt, of families that have several.
        of_other_types: How many have examples of another type than their own, since train has too few of that.
    """

    family: str
    content_hash: str
    prompts: Mapping[int, Sequence[Message]]
    without_context: int = 0
    wording: str | None = None
    of_other_types: int = 0

    def list_remarks(self) -> list[str]:
        """List what prompts lack, in lines to read."""
        remarks = {
            "without context, since none was found": self.without_context,
            "with examples of another type, since train has too few of theirs": self.of_other_types,
        }
        return [f"{count_noun(count, 'prompt')} {text}" for text, count in remarks.items() if count]


def prepare_prompts(
    dataset: str | Path, family: str, evaluation: Evaluation, ids: Collection[int], additions: Additions
) -> Prepared:
    """Prepare a prompt for each item.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        evaluation: What the family declares.
        ids: The items that are asked.
        additions: Examples and context.

    Raises:
        InputError: The family declares no such prompt or context, train has too few examples, or files cannot be read.
    """
    wording, prompts = choose_prompts(dataset, family, evaluation, additions.wording)
    if prompts.contexts is not None and additions.context in FROM_STATEMENTS:
        raise InputError(f"--context {additions.context}: {family} has no statements; use --context {OWN}")
    gold = read_gold(dataset, family, evaluation, ids=ids)
    examples = _Examples()
    contexts: Contexts = {}
    if additions.shots or additions.context == "evidence-mixed":
        sql = prompts.shots
        pool, described = read_pool(dataset, family, sql), describe_items(dataset, family, sql, ids)
        if additions.shots:
            chosen = choose_shots(pool, described, additions.shots)
            examples = _read_examples(dataset, family, evaluation, prompts, chosen)
        if additions.context == "evidence-mixed":
            contexts = read_mixed_sentences(dataset, family, described, pool, additions.others)
    if additions.context == "evidence":
        contexts = read_sentences(dataset, family, ids)
    if additions.context == OWN:
        if prompts.contexts is None:
            raise InputError(f"--context {OWN}: items of {family} have no context of their own")
        contexts = read_own_contexts(dataset, family, prompts.contexts, ids)
    if additions.passages is not None:
        contexts = read_passages(additions.passages, ids)
    values = gold.table[prompts.by].to_pylist() if prompts.by else [""] * gold.table.num_rows
    by_value = {value: prompts.narrow(value) for value in set(values)}
    messages = {
        item.item_id: build_messages(
            by_value[value],
            item,
            examples.by_item.get(item.item_id, ()),
            contexts.get(item.item_id, ()),
            examples.replies,
        )
        for item, value in zip(gold.iter_items(), values, strict=True)
    }
    missing = 0 if additions.context == "none" else sum(not contexts.get(item) for item in messages)
    return Prepared(family, gold.content_hash, messages, missing, wording, examples.of_other_types)


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


@dataclass(frozen=True)
class _Examples:
    """The examples of a run.

    Attributes:
        by_item: By question, its examples.
        replies: By example, how it is answered, where the prompts declare it.
        of_other_types: How many questions have examples of another type than their own.
    """

    by_item: Mapping[int, Sequence[GoldItem]] = field(default_factory=dict)
    replies: Mapping[int, str] = field(default_factory=dict)
    of_other_types: int = 0


def _read_examples(
    dataset: str | Path, family: str, evaluation: Evaluation, prompts: Prompts, chosen: Shots
) -> _Examples:
    """Read the examples that were chosen."""
    used = {shot for found in chosen.by_item.values() for shot in found}
    texts = {item.item_id: item for item in read_gold(dataset, family, evaluation, ids=used).iter_items()}
    by_item = {item: [texts[shot] for shot in found] for item, found in chosen.by_item.items()}
    return _Examples(by_item, read_replies(dataset, family, prompts.examples, used), chosen.of_other_types)
