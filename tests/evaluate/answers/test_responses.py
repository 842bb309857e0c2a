"""Responses as chat models write them, half of them traps, with verdicts that were written before they were scored.

`scored` is what the rules say where they differ from the verdict.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.evaluate.explanations import Kind
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.scoring import score

ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("responses.jsonl").read_text(encoding="utf-8").splitlines()
]
GIVES = ("right", "coarse")


def read_item(row: dict[str, Any]) -> GoldItem:
    lists = {name: tuple(row.get(name, ())) for name in ("answer", "options", "once")}
    accepted = tuple(map(tuple, row.get("accepted", [[]] * len(row["answer"]))))
    plain = {name: row[name] for name in ("question", "answer_type", "unit", "is_ordered") if name in row}
    return GoldItem(item_id=1, accepted=accepted, **plain, **lists)


@pytest.mark.parametrize("row", ROWS, ids=[row["response"][:60] for row in ROWS])
def test_the_outcome_is_that_on_record(row: dict[str, Any]) -> None:
    found = score(row["response"], read_item(row))
    assert found.outcome == row.get("scored", row["verdict"])
    assert found.is_right or (found.why or "").partition(": ")[0] in {*Kind}


def test_no_wrong_response_is_right() -> None:
    assert not [row["response"] for row in ROWS if row.get("scored") in GIVES and row["verdict"] not in GIVES]
