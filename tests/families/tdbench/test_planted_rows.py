"""Errors planted in rows and declarations: the checks find each of them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from temporal_tables import DECLARED, describe_declaration, describe_row, list_rows, verify_all, write_dataset

CHANGES: dict[str, tuple[int, dict[str, Any]]] = {
    "a start other than stated": (1001, {"earliest_start": dt.date(1980, 3, 2), "latest_start": dt.date(1980, 3, 2)}),
    "a month as its first day": (1012, {"latest_start": dt.date(1979, 6, 1)}),
    "an inclusive end as a handover": (
        1018,
        {"earliest_end": dt.date(2003, 5, 31), "latest_end": dt.date(2003, 5, 31)},
    ),
    "another precision": (1002, {"start_precision": 10}),
    "an end before the start": (1003, {"stated_end": "1980-01-01", "earliest_end": dt.date(1980, 1, 1)}),
    "an id twice": (1004, {"row_id": 1005}),
    "a row twice": (1008, {"fields": [("Town", "Borum"), ("Office", "Mayor"), ("Person", "Ed Gran")]}),
    "an open end of a point": (
        1027,
        {"stated_end": None, "end_precision": None, "earliest_end": None, "latest_end": None},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_error_in_a_row_is_found(change: str, tmp_path: Path) -> None:
    row_id, values = CHANGES[change]
    rows = [describe_row(row) for row in list_rows()]
    changed = [{**row, **values} if row["row_id"] == row_id else row for row in rows]
    if change == "a row twice":
        first = next(row for row in rows if row["row_id"] == 1007)
        changed = [{**first, "row_id": 1008} if row["row_id"] == 1008 else row for row in rows]
    assert changed != rows
    _, wrong = verify_all(write_dataset(tmp_path / "dataset", rows=changed))
    assert any("rows" in names for names in wrong.values())


@pytest.mark.parametrize(
    "values",
    [{"is_private": True}, {"licence": None}, {"ends": "inclusive"}, {"as_of": None}, {"declaration": "mayor"}],
    ids=str,
)
def test_an_error_in_a_declaration_is_found(values: dict[str, Any], tmp_path: Path) -> None:
    declared = [describe_declaration(each) for each in DECLARED.values()]
    changed = [{**each, **values} if each["declaration"] == "mayors" else each for each in declared]
    _, wrong = verify_all(write_dataset(tmp_path / "dataset", declared=changed))
    assert any("declaration" in names for names in wrong.values())
