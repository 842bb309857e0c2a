"""Examples for few-shot prompts: items of train of the same type, chosen by hash, with no subject of the question."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Unpack

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import hash_id
from everwhen.evaluate.gold import Chosen, select_rows

POOL = 2000
"""Items of each type that examples are chosen from."""

CANDIDATES = """
WITH described AS ({shots}),
hashed AS (SELECT *, {hash} AS hash FROM described),
chosen AS (SELECT unnest(arg_min(item_id, hash, {pool})) AS item_id FROM hashed GROUP BY type)
SELECT item_id, type, manner, subjects FROM described SEMI JOIN chosen USING (item_id)
"""


@dataclass(frozen=True)
class Described:
    """What decides which examples a question may have.

    Attributes:
        item_id: The item.
        type: Its type.
        subjects: Its subjects.
        manner: How it is answered.
    """

    item_id: int
    type: str
    subjects: frozenset[int]
    manner: str = ""


class ExamplePool:
    """Items of train by type, in the order of their hashes. A question takes those that follow its own hash.

    So an item that is removed leaves all other choices as they were.
    """

    def __init__(self, candidates: Collection[Described]) -> None:
        """Take the items to choose from."""
        self._by_type: dict[str, list[tuple[str, Described]]] = defaultdict(list)
        self._by_manner: dict[str, list[tuple[str, Described]]] = defaultdict(list)
        for pair in sorted(((hash_item("example", each.item_id), each) for each in candidates), key=itemgetter(0)):
            self._by_type[pair[1].type].append(pair)
            self._by_manner[pair[1].manner].append(pair)

    def choose(self, asked: Described, count: int, purpose: str = "shots") -> list[int]:
        """Choose so many items of the question's type that have none of its subjects; fewer where there are no more.

        Another purpose has another choice.
        """
        return self._choose(self._by_type.get(asked.type, []), asked, count, purpose)

    def choose_others(self, asked: Described, count: int) -> list[int]:
        """Choose items of other types that are answered as the question is, and have none of its subjects."""
        pairs = self._by_manner.get(asked.manner, [])
        return self._choose(pairs, asked, count, "shots", without=asked.type)

    def _choose(
        self, pairs: Sequence[tuple[str, Described]], asked: Described, count: int, purpose: str, without: str = ""
    ) -> list[int]:
        """Choose among pairs of hash and item: those after the hash of the question, then those before it."""
        first = bisect_left(pairs, hash_item(purpose, asked.item_id), key=itemgetter(0))
        fitting = (
            candidate.item_id
            for _, candidate in chain(pairs[first:], pairs[:first])
            if candidate.item_id != asked.item_id and candidate.type != without
            if not candidate.subjects & asked.subjects
        )
        return list(islice(fitting, count))


def hash_item(purpose: str, item_id: int) -> str:
    """Return the SHA-256 of purpose and id, by which items are in an order without meaning."""
    return hashlib.sha256(f"{purpose}\x1f{item_id}".encode()).hexdigest()


def read_pool(dataset: str | Path, family: str, shots: str) -> ExamplePool:
    """Read the items of train that examples are chosen from; `shots` is SQL of `Prompts.shots`.

    Raises:
        InputError: The family has no split train, or the dataset cannot be read.
    """
    sql = CANDIDATES.format(shots=shots, hash=hash_id("item_id"), pool=POOL)
    return ExamplePool(_read(dataset, family, sql, split="train").values())


def describe_items(dataset: str | Path, family: str, shots: str, ids: Collection[int]) -> Mapping[int, Described]:
    """Read what decides which examples items may have, by item; `shots` is SQL of `Prompts.shots`.

    Raises:
        InputError: The dataset cannot be read.
    """
    return _read(dataset, family, shots, ids=ids)


def read_replies(dataset: str | Path, family: str, sql: str | None, ids: Collection[int]) -> Mapping[int, str]:
    """Read how examples are answered, by item; nothing where the prompts do not declare it (`Prompts.examples`).

    Raises:
        InputError: The dataset cannot be read.
    """
    return dict(select_rows(dataset, family, f"SELECT item_id, text FROM ({sql})", ids=ids)) if sql else {}


class Shots(NamedTuple):
    """By question its examples, and how many questions have examples of another type than their own."""

    by_item: Mapping[int, list[int]]
    of_other_types: int


def choose_shots(pool: ExamplePool, described: Mapping[int, Described], count: int) -> Shots:
    """Choose so many examples for every item: of its type, and where train has too few, of others answered alike.

    Raises:
        InputError: Train has too few items.
    """
    by_item = {item: pool.choose(asked, count) for item, asked in described.items()}
    lacking = [item for item, shots in by_item.items() if len(shots) < count]
    for item in lacking:
        by_item[item] += pool.choose_others(described[item], count - len(by_item[item]))
        if len(by_item[item]) < count:
            raise InputError(
                f"--shots {count}: train has {count_noun(len(by_item[item]), 'item')} that may be an example of item"
                f" {item}: the others have its subjects, or are answered in another way; ask for fewer examples, or"
                " choose items, such as --split test"
            )
    return Shots(by_item, len(lacking))


def _read(dataset: str | Path, family: str, sql: str, **chosen: Unpack[Chosen]) -> dict[int, Described]:
    rows = select_rows(dataset, family, f"SELECT item_id, type, subjects, manner FROM ({sql})", **chosen)
    return {item: Described(item, str(name), frozenset(subjects), manner) for item, name, subjects, manner in rows}
