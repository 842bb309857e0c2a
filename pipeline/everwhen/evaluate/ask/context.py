"""What a question is asked with: the statements of its answer, those among others, or documents."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from everwhen.evaluate.ask.examples import Described, ExamplePool, describe_items, read_pool
from everwhen.evaluate.ask.passages import Passages, read_passages, render_passage
from everwhen.evaluate.conditions import EVIDENCE, MIXED, NONE, ORACLE, OWN, PASSAGES, Conditions
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.evidence import read_evidence
from everwhen.evaluate.gold import open_items
from everwhen.evaluate.prompts import Prompts
from everwhen.evaluate.retrieval.collection import Document
from everwhen.validate.manifest import load_manifest

Contexts = Mapping[int, list[str]]
"""By item, sentences or passages; an item may have none."""

DRAWN = """
WITH candidates AS ({candidates}),
hashed AS (
    SELECT *, sha256(concat_ws(chr(31), 'oracle', item_id, doc_id)) AS draw,
        sha256(concat_ws(chr(31), 'order', item_id, doc_id)) AS place
    FROM candidates),
drawn AS (
    SELECT *, row_number() OVER (PARTITION BY item_id ORDER BY NOT is_relevant, draw) AS turn,
        bool_or(is_relevant) OVER (PARTITION BY item_id) AS has_relevant
    FROM hashed)
SELECT item_id, doc_id, title, text FROM drawn WHERE turn <= $1 AND has_relevant ORDER BY item_id, place
"""


@dataclass(frozen=True)
class Condition:
    """With what the questions of a run are asked.

    Attributes:
        name: A choice of `everwhen ask --context`.
        others: How many statements of other items `evidence-mixed` has.
        count: How many documents `oracle` and `passages` have.
        passages: Where passages are from, if the context is some.
    """

    name: str = NONE
    others: int = 8
    count: int = 5
    passages: Passages | None = None

    def describe(self) -> dict[str, Any]:
        """Describe it as predictions do."""
        described: dict[str, Any] = {"context": self.name}
        if self.name == MIXED:
            described["others"] = self.others
        if self.name in (PASSAGES, ORACLE):
            described["passages"] = self.count
        return described | ({"run": self.passages.run.name} if self.passages is not None else {})


def read_contexts(
    dataset: str | Path, family: str, evaluation: Evaluation, prompts: Prompts, ids: Collection[int], asked: Condition
) -> Contexts:
    """Read the contexts of items.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        evaluation: What the family declares.
        prompts: Its prompts, whose `shots` choose the other items of `evidence-mixed`.
        ids: The items.
        asked: The condition.

    Raises:
        InputError: The family has no such condition, or files cannot be read.
    """
    declared = evaluation.conditions
    declared.require(asked.name, family)
    if asked.passages is not None:
        return read_passages(asked.passages, ids)
    if asked.name == EVIDENCE:
        return read_sentences(dataset, family, ids)
    if asked.name == MIXED:
        described = describe_items(dataset, family, prompts.shots, ids)
        return read_mixed_sentences(dataset, family, described, read_pool(dataset, family, prompts.shots), asked.others)
    if asked.name == OWN and declared.own is not None:
        return read_own_contexts(dataset, family, declared.own, ids)
    if asked.name == ORACLE and declared.candidates is not None:
        return read_oracle(dataset, family, declared.candidates, ids, asked.count)
    return {}


def read_items_in_need(dataset: str | Path, family: str, declared: Conditions, ids: Collection[int]) -> set[int]:
    """Read which items mean nothing without a context."""
    if declared.needs_context is None:
        return set()
    with open_items(dataset, load_manifest(dataset), family, ids=ids) as db:
        rows = db.sql(f"SELECT item_id FROM ({declared.needs_context})").fetchall()
    return {item for (item,) in rows}


def read_oracle(dataset: str | Path, family: str, sql: str, ids: Collection[int], count: int) -> Contexts:
    """Read the relevant documents of items among others of their group, both drawn and in an order by hash.

    A greater count adds documents and removes none.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        sql: SQL of `Conditions.candidates`.
        ids: The items; one without a relevant document has no context.
        count: How many documents: all that are relevant, as far as there is room, and others.

    Raises:
        InputError: The dataset cannot be read.
    """
    with open_items(dataset, load_manifest(dataset), family, ids=ids) as db:
        rows = db.execute(DRAWN.format(candidates=sql), [count]).fetchall()
    contexts: dict[int, list[str]] = defaultdict(list)
    for item, doc_id, title, text in rows:
        contexts[item].append(render_passage(len(contexts[item]) + 1, Document(str(doc_id), text, title or "")))
    return contexts


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
        sql: SQL of `Conditions.own`.
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
