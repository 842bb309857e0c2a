"""Items with what is right of each, as scorers read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pyarrow as pa

AnswerType = Literal["date", "number", "yes_no", "name"]
"""How an answer is compared."""

GOLD_COLUMNS = (
    "item_id",
    "question",
    "answer",
    "accepted",
    "answer_type",
    "unit",
    "is_ordered",
    "options",
    "split",
)
"""The columns that a family selects of its items (`everwhen.evaluate.declaration`), before those of the slices."""


@dataclass(frozen=True)
class GoldItem:
    """What is right of one item.

    Attributes:
        item_id: Its id.
        question: Its question.
        answer: The published parts of the answer; all must be given.
        accepted: For each part the other texts that are right.
        answer_type: How the parts are compared.
        unit: The unit of a number, in the singular; None where it counts.
        is_ordered: Whether the order of the parts counts.
        options: What a choice question offers.
        once: Texts that were right at another time.
    """

    item_id: int
    question: str
    answer: tuple[str, ...]
    accepted: tuple[tuple[str, ...], ...]
    answer_type: AnswerType
    unit: str | None = None
    is_ordered: bool = False
    options: tuple[str, ...] = ()
    once: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gold:
    """Items of one family with what is right.

    Attributes:
        family: The family.
        content_hash: The content hash of the dataset, by its manifest.
        slices: The columns that scores are tabulated by.
        table: The columns of `GOLD_COLUMNS` and of the slices, by ascending item_id.
        once: By item, the texts that were right at another time.
        tables: The further tables that the family's own scorer reads, by name.
    """

    family: str
    content_hash: str
    slices: tuple[str, ...]
    table: pa.Table
    once: Mapping[int, tuple[str, ...]]
    tables: Mapping[str, pa.Table] = field(default_factory=dict)

    def select(self, table: pa.Table) -> Gold:
        """The same gold with only the items of a table that was selected from its own."""
        return replace(self, table=table)

    def iter_items(self) -> Iterator[GoldItem]:
        """Iterate over the items in the order of the table."""
        columns = [name for name in GOLD_COLUMNS if name != "split"]
        for batch in self.table.select(columns).to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                yield self._read_item(row)

    def _read_item(self, row: Mapping[str, Any]) -> GoldItem:
        lists = {"answer": tuple(row["answer"]), "options": tuple(row["options"])}
        accepted = tuple(map(tuple, row["accepted"]))
        return GoldItem(**{**row, **lists, "accepted": accepted}, once=self.once.get(row["item_id"], ()))
