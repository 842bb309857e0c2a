"""Examples for few-shot prompts: items of train of the same type, chosen by hash, with no subject of the question."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import duckdb

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import hash_id
from everwhen.evaluate.gold import open_items
from everwhen.validate.manifest import load_manifest

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
        by_type: dict[str, list[tuple[str, Described]]] = defaultdict(list)
        by_manner: dict[str, list[tuple[str, Described]]] = defaultdict(list)
        for pair in sorted(((hash_item("example", each.item_id), each) for each in candidates), key=itemgetter(0)):
            by_type[pair[1].type].append(pair)
            by_manner[pair[1].manner].append(pair)
        self._by_type, self._by_manner = by_type, by_manner

    def choose(self, asked: Described, count: int, purpose: str = "shots") -> list[int]:
        """Choose items of the question's type that have none of its subjects; fewer where there are no more.

        Args:
            asked: The question.
            count: How many.
            purpose: Another purpose has another choice.
        """
        return self._choose(self._by_type.get(asked.type, []), asked, count, purpose)

    def choose_others(self, asked: Described, count: int) -> list[int]:
        """Choose items of other types that are answered as the question is, and have none of its subjects."""
        pairs = self._by_manner.get(asked.manner, [])
        return self._choose(pairs, asked, count, "shots", without=asked.type)

    def _choose(
        self, pairs: Sequence[tuple[str, Described]], asked: Described, count: int, purpose: str, without: str = ""
    ) -> list[int]:
        chosen: list[int] = []
        for candidate in self._iter_from(pairs, hash_item(purpose, asked.item_id)):
            if len(chosen) == count:
                break
            is_other = candidate.item_id != asked.item_id and candidate.type != without
            if is_other and not candidate.subjects & asked.subjects:
                chosen.append(candidate.item_id)
        return chosen

    def _iter_from(self, pairs: Sequence[tuple[str, Described]], start: str) -> Iterator[Described]:
        """Iterate over items once: those after a hash, then those before it."""
        first = bisect_left(pairs, start, key=lambda pair: pair[0])
        for step in range(len(pairs)):
            yield pairs[(first + step) % len(pairs)][1]


def hash_item(purpose: str, item_id: int) -> str:
    """Return the SHA-256 of purpose and id, by which items are in an order without meaning."""
    return hashlib.sha256(f"{purpose}\x1f{item_id}".encode()).hexdigest()


def read_pool(dataset: str | Path, family: str, shots: str) -> ExamplePool:
    """Read the items of train that examples are chosen from.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        shots: SQL of `Prompts.shots`.

    Raises:
        InputError: The family has no split train, or the dataset cannot be read.
    """
    with open_items(dataset, load_manifest(dataset), family, split="train") as db:
        return ExamplePool(_read(db, CANDIDATES.format(shots=shots, hash=hash_id("item_id"), pool=POOL)).values())


def describe_items(dataset: str | Path, family: str, shots: str, ids: Collection[int]) -> Mapping[int, Described]:
    """Read what decides which examples items may have, by item.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        shots: SQL of `Prompts.shots`.
        ids: The items.

    Raises:
        InputError: The dataset cannot be read.
    """
    with open_items(dataset, load_manifest(dataset), family, ids=ids) as db:
        return _read(db, shots)


def read_replies(dataset: str | Path, family: str, sql: str | None, ids: Collection[int]) -> Mapping[int, str]:
    """Read how examples are answered, by item; nothing where the prompts do not declare it.

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        sql: SQL of `Prompts.examples`.
        ids: The items that are examples.

    Raises:
        InputError: The dataset cannot be read.
    """
    if sql is None:
        return {}
    with open_items(dataset, load_manifest(dataset), family, ids=ids) as db:
        return dict(db.sql(f"SELECT item_id, text FROM ({sql})").fetchall())


@dataclass(frozen=True)
class Shots:
    """The examples of questions.

    Attributes:
        by_item: By question, its examples.
        of_other_types: How many questions have examples of another type than their own.
    """

    by_item: Mapping[int, list[int]]
    of_other_types: int = 0


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


def _read(db: duckdb.DuckDBPyConnection, sql: str) -> dict[int, Described]:
    rows = db.sql(f"SELECT item_id, type, subjects, manner FROM ({sql})").fetchall()
    return {item: Described(item, str(name), frozenset(subjects), manner) for item, name, subjects, manner in rows}
