"""Which items are asked: a set, a split, ids of a file, or so many by hash."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from everwhen.core.errors import InputError
from everwhen.evaluate.gold import Chosen, select_rows
from everwhen.validate.manifest import load_manifest

if TYPE_CHECKING:
    from everwhen.evaluate.ask.prepare import Additions

MAX_ITEMS = 1_000_000
"""More prompts than this are not kept in memory, and cost more than anyone means to pay."""

ID = re.compile("[0-9]{1,19}")


@dataclass(frozen=True)
class Selection:
    """Which items of a family are asked; all conditions hold together.

    Attributes:
        ids: Only these.
        split: Only those of this split.
        item_set: Only those of this set, such as "lite-1000".
        limit: At most so many of them, chosen by hash: a greater limit adds items and removes none.
        private: Of exports, the private tables whose items may be written; who asks needs no leave.
        additions: Of exports to harnesses, with which prompt and context items are asked; None where nothing says so.
    """

    ids: Collection[int] | None = None
    split: str | None = None
    item_set: str | None = None
    limit: int | None = None
    private: Collection[str] = ()
    additions: Additions | None = None

    @property
    def chosen(self) -> Chosen:
        """What chooses the items, but for the limit."""
        return {"ids": self.ids, "split": self.split, "item_set": self.item_set}


def select_ids(dataset: str | Path, family: str, selection: Selection) -> list[int]:
    """Select the ids of items, in ascending order.

    Raises:
        InputError: There is no such split, set or id, no item is left, or more than a million are.
    """
    key = load_manifest(dataset)["families"][family]["id"]
    most = min(selection.limit or MAX_ITEMS + 1, MAX_ITEMS + 1)
    sql = f'SELECT "{key}" FROM items ORDER BY {hash_id(key)}, 1 LIMIT $1'
    found = select_rows(dataset, family, sql, [most], **selection.chosen)
    if not found:
        raise InputError(f"{dataset}: {family}: no item is left to ask")
    if len(found) > MAX_ITEMS:
        raise InputError(
            f"{dataset}: {family}: more than {MAX_ITEMS:,} items; choose some with --set, --split, --limit or --ids"
        )
    return sorted(int(item) for (item,) in found)


def hash_id(column: str) -> str:
    """Return SQL of a number by which ids, BIGINT, are in an order without meaning: Knuth's multiplicative hash."""
    return f'("{column}"::HUGEINT * 11400714819323198485) % 18446744073709551616'


def read_ids(path: Path) -> list[int]:
    """Read ids from a file, one a line; blank lines are skipped.

    Raises:
        InputError: A line is no id, or an id occurs twice; the message names the line.
    """
    first: dict[int, int] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            continue
        if not ID.fullmatch(text) or int(text) >= 1 << 63:
            raise InputError(f"{path}:{number}: an item's id is expected, not {text[:40]}")
        if first.setdefault(int(text), number) != number:
            raise InputError(f"{path}:{number}: id {text} is also in line {first[int(text)]}")
    if not first:
        raise InputError(f"{path}: no ids; one a line is expected")
    return list(first)
