"""What a question is asked with: the statements of its answer, those among others, or passages that were retrieved."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path

from everwhen.evaluate.ask.examples import Described, ExamplePool
from everwhen.evaluate.evidence import read_evidence
from everwhen.evaluate.gold import open_items
from everwhen.validate.manifest import load_manifest

Contexts = Mapping[int, list[str]]
"""By item, sentences or passages; an item may have none."""


def read_sentences(dataset: str | Path, family: str, ids: Collection[int]) -> Contexts:
    """Read the statements of answers as sentences, by item.

    Raises:
        InputError: The dataset or its checks cannot be used.
    """
    sentences: dict[int, list[str]] = defaultdict(list)
    for row in read_evidence(dataset, family, ids).to_pylist():
        sentences[row["item_id"]].append(row["sentence"])
    return sentences


def read_own_contexts(dataset: str | Path, family: str, sql: str, ids: Collection[int]) -> Contexts:
    """Read the context that each item has in the dataset.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        sql: SQL of `Prompts.contexts`.
        ids: The items.

    Raises:
        InputError: The dataset cannot be read.
    """
    contexts: dict[int, list[str]] = defaultdict(list)
    with open_items(dataset, load_manifest(dataset), family, ids=ids) as db:
        for item, sentence in db.sql(f"SELECT item_id, sentence FROM ({sql}) ORDER BY item_id, position").fetchall():
            contexts[item].append(sentence)
    return contexts


def read_mixed_sentences(
    dataset: str | Path, family: str, described: Mapping[int, Described], pool: ExamplePool, others: int
) -> Contexts:
    """Read the statements of answers among those of other items, in an order by hash.

    The others are statements of items of train of the same type, with no subject of the question.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        described: What is asked.
        pool: Where the other items are from.
        others: How many sentences of other items there are at most.

    Raises:
        InputError: The dataset or its checks cannot be used.
    """
    chosen = {item: pool.choose(asked, others, "others") for item, asked in described.items()}
    sentences = read_sentences(dataset, family, {*described, *chain.from_iterable(chosen.values())})
    mixed = {}
    for item, found in chosen.items():
        added = chain.from_iterable(sentences.get(other, ()) for other in found)
        mixed[item] = mix_sentences(item, sentences.get(item, ()), added, others)
    return mixed


def mix_sentences(item_id: int, gold: Collection[str], others: Iterable[str], count: int) -> list[str]:
    """Mix the statements of an answer with others, in an order by hash; a question without statements has none."""
    if not gold:
        return []
    added = [sentence for sentence in dict.fromkeys(others) if sentence not in gold][:count]
    return sorted(dict.fromkeys((*gold, *added)), key=lambda sentence: _hash(item_id, sentence))


def _hash(item_id: int, sentence: str) -> str:
    return hashlib.sha256(f"{item_id}\x1f{sentence}".encode()).hexdigest()
