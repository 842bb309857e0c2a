"""What is right of an item, as the scorer reads it, and the names of the values that are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from everwhen.evaluate.items import Gold
from everwhen.families.tdbench.evaluation.lexicon import Lexicon, build_lexicon

ALL_DECLARATIONS = ""
"""In the place of a declaration: the names of a column in all declarations, for the hops of joins."""

Lexicons = Mapping[tuple[str, str], Lexicon]
"""The names of the values of a column, by declaration and column."""


@dataclass(frozen=True)
class Reference:
    """A date that a response must give.

    Attributes:
        answer: The answer that it belongs to.
        role: start, end or point.
        date: An ISO date of its precision, or `still`.
        is_stated: Whether the question states it.
    """

    answer: str
    role: str
    date: str
    is_stated: bool = False


@dataclass(frozen=True)
class GoldQuestion:
    """What is right of an item.

    Attributes:
        question: The question.
        task: alignment, reasoning and the others.
        declaration: The declaration of the table.
        asked: The columns that are asked for.
        answer: The answers; empty where no row fits.
        references: The dates that must be given.
        granularity: How exactly: day, month or year.
        given: The values that the question names.
        hops: The answers before the last, as column and value.
        once: Answers that were right at another time.
    """

    question: str
    task: str
    declaration: str
    asked: tuple[str, ...]
    answer: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    granularity: str = "month"
    given: tuple[str, ...] = ()
    hops: tuple[tuple[str, str], ...] = ()
    once: frozenset[str] = frozenset()


def iter_items(gold: Gold, granularity: str | None = None) -> Iterator[tuple[int, GoldQuestion]]:
    """Iterate over the items of a gold with their ids, in its order.

    Args:
        gold: The gold, with the columns that the evaluation declares.
        granularity: How exactly dates are compared; by default as the declaration of each item says.
    """
    for batch in gold.table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            item = GoldQuestion(
                question=row["question"],
                task=row["task"],
                declaration=row["declaration"],
                asked=tuple(row["asked"]),
                answer=tuple(row["answer"]),
                references=tuple(Reference(**each) for each in row["references"] or ()),
                granularity=granularity or row["score"],
                given=tuple(pair["value"] for pair in row["given"] or ()),
                hops=tuple((step["column"], step["value"]) for step in row["hop_answers"] or ()),
                once=frozenset(gold.once.get(row["item_id"], ())),
            )
            yield row["item_id"], item


def build_lexicons(named: pa.Table) -> Lexicons:
    """Build the lexicons of the columns that are asked for, and of those of hops.

    Args:
        named: What the evaluation's table `names` has: declaration, column, value, also and is_person.
    """
    names: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    people: dict[tuple[str, str], bool | None] = {}
    for row in named.to_pylist():
        key = (row["declaration"], row["column"])
        names[key][row["value"]] = row["also"] or []
        people[key] = row["is_person"]
    return {key: build_lexicon(found, are_people=people[key]) for key, found in names.items()}


def find_lexicon(lexicons: Lexicons, declaration: str, column: str) -> Lexicon:
    """Find the names of a column of a declaration, else those of all declarations that have such a column."""
    return lexicons.get((declaration, column)) or lexicons.get((ALL_DECLARATIONS, column)) or build_lexicon({})
