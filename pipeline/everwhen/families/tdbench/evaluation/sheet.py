"""A sheet of responses that people judge, chosen by hash, without what the scorer says of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from everwhen.evaluate.ask.examples import hash_item
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Predictions
from everwhen.families.tdbench.evaluation.items import GoldQuestion, iter_items

COLUMNS = ("item_id", "task", "question", "answer", "references", "score", "response", "judgement", "note")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that programs for tables take for a formula."""


def choose_responses(run: Predictions, count: int) -> list[int]:
    """Choose so many items of a run by hash; a greater count adds items."""
    return sorted(run.rows, key=hash_response)[:count]


def hash_response(item_id: int) -> str:
    """Return the hash by which responses are chosen, and by which they are in order."""
    return hash_item("sheet", item_id)


def write_sheet(gold: Gold, run: Predictions) -> str:
    """Write the sheet of the items of a gold as CSV; `judgement` and `note` are empty."""
    items = dict(iter_items(gold))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        [*map(_protect, _list_cells(item, items[item], run)), "", ""] for item in sorted(items, key=hash_response)
    )
    return stream.getvalue()


def _list_cells(item_id: int, item: GoldQuestion, run: Predictions) -> Iterator[Any]:
    references = (f"{each.answer}: {each.role} {each.date}" for each in item.references)
    answer = "; ".join(item.answer) or "No answer"
    yield from (item_id, item.task, item.question, answer, "; ".join(references), item.granularity)
    yield run.rows[item_id].response or ""


def _protect(cell: Any) -> Any:
    """Put an apostrophe in front of a text that a program would run as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
