"""What a question is asked with: the statements of its answer, those among others, or documents."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.examples import Described, ExamplePool, describe_items, read_pool
from everwhen.evaluate.conditions import EVIDENCE, MIXED, NONE, ORACLE, OWN, PASSAGES, Conditions
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.evidence import read_evidence
from everwhen.evaluate.gold import select_rows
from everwhen.evaluate.prompts import Prompts
from everwhen.evaluate.retrieval.collection import (
    BEIR_FIELDS,
    Document,
    Fields,
    read_collection,
    select_passages,
)
from everwhen.evaluate.retrieval.run_file import read_run

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
class Passages:
    """Where passages are from; a query of the run is an item's id.

    Attributes:
        run: A TREC run file.
        corpus: Its corpus: a JSONL file, or a folder in BEIR's layout.
        count: The first so many passages of a question are used.
        fields: The names of fields in a JSONL file.
    """

    run: Path
    corpus: Path
    count: int
    fields: Fields = field(default_factory=Fields)


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
    """Read the contexts of items; `shots` of the prompts choose the other items of `evidence-mixed`.

    Raises:
        InputError: The family has no such condition, or files cannot be read.
    """
    declared = evaluation.conditions
    declared.require(asked.name, family)
    if asked.passages is not None:
        return read_passages(asked.passages, ids)
    if asked.name == EVIDENCE:
        own = declared.evidence
        return read_own_contexts(dataset, family, own, ids) if own else read_sentences(dataset, family, ids)
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
    rows = select_rows(dataset, family, f"SELECT item_id FROM ({declared.needs_context})", ids=ids)
    return {item for (item,) in rows}


def read_oracle(dataset: str | Path, family: str, sql: str, ids: Collection[int], count: int) -> Contexts:
    """Read the relevant documents of items among others of their group, both drawn and in an order by hash.

    A greater count adds documents and removes none. An item without a relevant document has no context.

    Of so many documents those that are relevant come first; `sql` is SQL of `Conditions.candidates`.

    Raises:
        InputError: The dataset cannot be read.
    """
    rows = select_rows(dataset, family, DRAWN.format(candidates=sql), [count], ids=ids)
    drawn = _group((item, Document(str(doc_id), text, title or "")) for item, doc_id, title, text in rows)
    return {item: render_passages(documents) for item, documents in drawn.items()}


def read_sentences(dataset: str | Path, family: str, ids: Collection[int]) -> Contexts:
    """Read the statements of answers as sentences, by item.

    Raises:
        InputError: The dataset or its checks cannot be used.
    """
    return _group((row["item_id"], row["sentence"]) for row in read_evidence(dataset, family, ids).to_pylist())


def read_own_contexts(dataset: str | Path, family: str, sql: str, ids: Collection[int]) -> Contexts:
    """Read sentences that each item has in the dataset; `sql` is SQL of `Conditions.own` or `Conditions.evidence`.

    Raises:
        InputError: The dataset cannot be read.
    """
    ordered = f"SELECT item_id, sentence FROM ({sql}) ORDER BY item_id, position"
    return _group(select_rows(dataset, family, ordered, ids=ids))


def _group(pairs: Iterable[tuple[Any, ...]]) -> dict[int, list[Any]]:
    """Group by item what each has, in order."""
    groups: dict[int, list[Any]] = defaultdict(list)
    for item, each in pairs:
        groups[item].append(each)
    return groups


def read_mixed_sentences(
    dataset: str | Path, family: str, described: Mapping[int, Described], pool: ExamplePool, others: int
) -> Contexts:
    """Read the statements of answers among at most so many of other items, in an order by hash.

    The others are statements of items of train of the same type, with no subject of the question.

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
    mixed = dict.fromkeys((*gold, *added))
    return sorted(mixed, key=lambda sentence: hashlib.sha256(f"{item_id}\x1f{sentence}".encode()).digest())


def read_passages(passages: Passages, ids: Collection[int]) -> Contexts:
    """Read the passages of items; an item that the run has no documents for has none.

    Raises:
        InputError: A file cannot be used, the run has a document that the corpus lacks, or no query is an item.
    """
    run, _ = read_run(passages.run)
    if not any(run.get(str(item)) for item in ids):
        raise InputError(
            f"{passages.run}: no query is an item that is asked; the id of a query must be that of an item"
        )
    corpus, fields = passages.corpus, passages.fields
    if corpus.is_dir():
        corpus, fields = corpus / "corpus.jsonl", replace(BEIR_FIELDS, query=None)
    documents = read_collection(corpus, fields).documents
    return {item: render_passages(select_passages(documents, run, str(item), passages.count)) for item in ids}


def render_passages(documents: Iterable[Document]) -> list[str]:
    """Render passages as prompts have them: numbered, the title first.

    >>> render_passages([Document("d7", "It opened in 1891.", "Museum")])
    ['[1] Museum: It opened in 1891.']
    """
    titles = ((f"{title}: " if (title := one.title.strip()) else "", one.text.strip()) for one in documents)
    return [f"[{number}] {title}{text}" for number, (title, text) in enumerate(titles, 1)]
