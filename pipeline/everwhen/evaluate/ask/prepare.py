"""The prompts of a run: the items that are asked, each with its examples and its context."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Contexts, read_mixed_sentences, read_sentences
from everwhen.evaluate.ask.examples import choose_shots, describe_items, read_pool
from everwhen.evaluate.ask.passages import Passages, read_passages
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import GoldItem, read_gold
from everwhen.evaluate.messages import Message, build_messages


@dataclass(frozen=True)
class Additions:
    """What is added to the questions.

    Attributes:
        shots: How many examples come before a question.
        context: A choice of `everwhen ask --context`.
        others: How many statements of other items `evidence-mixed` has.
        passages: Where the passages are from, if the context is some.
    """

    shots: int = 0
    context: str = "none"
    others: int = 8
    passages: Passages | None = None


@dataclass(frozen=True)
class Prepared:
    """The prompts of a run.

    Attributes:
        family: The family of the items.
        content_hash: The content hash of the dataset.
        prompts: The messages of each prompt, by ascending item.
        without_context: How many have no context, although one was asked for.
    """

    family: str
    content_hash: str
    prompts: Mapping[int, Sequence[Message]]
    without_context: int = 0


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
        InputError: The family declares no prompts, train has too few examples, or files cannot be read.
    """
    if evaluation.prompts is None:
        raise InputError(f"{dataset}: {family} declares no prompts, so its items cannot be asked")
    gold = read_gold(dataset, family, evaluation, ids=ids)
    shots: Mapping[int, Sequence[GoldItem]] = {}
    contexts: Contexts = {}
    if additions.shots or additions.context == "evidence-mixed":
        sql = evaluation.prompts.shots
        pool, described = read_pool(dataset, family, sql), describe_items(dataset, family, sql, ids)
        if additions.shots:
            chosen = choose_shots(pool, described, additions.shots)
            texts = _read_items(dataset, family, evaluation, {shot for found in chosen.values() for shot in found})
            shots = {item: [texts[shot] for shot in found] for item, found in chosen.items()}
        if additions.context == "evidence-mixed":
            contexts = read_mixed_sentences(dataset, family, described, pool, additions.others)
    if additions.context == "evidence":
        contexts = read_sentences(dataset, family, ids)
    if additions.passages is not None:
        contexts = read_passages(additions.passages, ids)
    prompts = {
        item.item_id: build_messages(
            evaluation.prompts, item, shots.get(item.item_id, ()), contexts.get(item.item_id, ())
        )
        for item in gold.iter_items()
    }
    missing = 0 if additions.context == "none" else sum(not contexts.get(item) for item in prompts)
    return Prepared(family, gold.content_hash, prompts, missing)


def _read_items(
    dataset: str | Path, family: str, evaluation: Evaluation, ids: Collection[int]
) -> Mapping[int, GoldItem]:
    return {item.item_id: item for item in read_gold(dataset, family, evaluation, ids=ids).iter_items()}
