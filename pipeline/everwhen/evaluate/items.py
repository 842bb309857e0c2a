"""Items with what is right of each, as scorers read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

AnswerType = Literal["date", "number", "yes_no", "name", "single_choice", "multiple_choice"]
"""How an answer is compared."""

SINGLE, MULTIPLE = "single_choice", "multiple_choice"
CHOICES = (SINGLE, MULTIPLE)
"""The types of items whose options are listed with letters: one of them is right, or one or more are."""

CHOICE, GENERATION = "choice", "generation"
"""What the setting `as` of a prediction says of a choice that was asked with its options, and without them."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The letters of options, in their order."""

GOLD_COLUMNS = (
    "item_id",
    "question",
    "answer",
    "accepted",
    "answer_type",
    "value_type",
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
        options: What a choice question offers; of the types in `CHOICES` they have letters, and the parts of the
            answer are the options that are right.
        once: Texts that were right at another time.
        value_type: Of a choice with letters, how its answer is compared where it is asked without its options; None
            where it cannot be.
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
    value_type: AnswerType | None = None

    @property
    def is_choice(self) -> bool:
        """Whether its options have letters."""
        return self.answer_type in CHOICES

    @property
    def lettered(self) -> dict[str, str]:
        """Its options by letter; empty where they have none."""
        return dict(zip(LETTERS, self.options, strict=False)) if self.is_choice else {}

    @property
    def right_letters(self) -> tuple[str, ...]:
        """The letters of the options that are right."""
        return tuple(letter for letter, option in self.lettered.items() if option in self.answer)


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
        kept: What the scorer keeps for the next call, by name, such as what it has made of the tables.
    """

    family: str
    content_hash: str
    slices: tuple[str, ...]
    table: pa.Table
    once: Mapping[int, tuple[str, ...]]
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    def select(self, table: pa.Table) -> Gold:
        """The same gold with only the items of a table that was selected from its own."""
        return replace(self, table=table)

    def open_choices(self, ids: Collection[int]) -> Gold:
        """The same gold with some choices asked without their options; what cannot be asked so is left out.

        Items of other types stay as they are.
        """
        chosen, table = frozenset(ids), self.table
        if not chosen:
            return self
        types, values = table["answer_type"].to_pylist(), table["value_type"].to_pylist()
        items = table["item_id"].to_pylist()
        opened = [item in chosen and type_ in CHOICES for item, type_ in zip(items, types, strict=True)]
        if not any(opened):
            return self
        columns = {
            "answer_type": [new if is_open else old for is_open, old, new in zip(opened, types, values, strict=True)],
            "options": [
                [] if is_open else old for is_open, old in zip(opened, table["options"].to_pylist(), strict=True)
            ],
        }
        for name, found in columns.items():
            place = table.schema.get_field_index(name)
            table = table.set_column(place, table.schema.field(place), pa.array(found, table.schema.field(place).type))
        return self.select(table.filter(pc.is_valid(table["answer_type"])))

    def iter_items(self) -> Iterator[GoldItem]:
        """Iterate over the items in the order of the table."""
        columns = [name for name in GOLD_COLUMNS if name != "split"]
        for batch in self.table.select(columns).to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                yield read_item({**row, "once": self.once.get(row["item_id"], ())})


def read_item(row: Mapping[str, Any]) -> GoldItem:
    """Read an item from a row of the gold that has `once`, too; further columns are not read."""
    lists: dict[str, Any] = {name: tuple(row[name]) for name in ("answer", "options", "once")}
    plain: dict[str, Any] = {name: row[name] for name in GOLD_COLUMNS if name not in {*lists, "accepted", "split"}}
    return GoldItem(**plain, **lists, accepted=tuple(map(tuple, row["accepted"])))
