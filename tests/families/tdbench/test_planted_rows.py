"""Errors planted in rows and declarations: the checks find each of them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

import temporal_tables as tables
from temporal_tables import DECLARED, describe_declaration, describe_row, list_rows, write_dataset

YEAR = dt.date(1990, 1, 1)
CHANGES: dict[str, tuple[int, dict[str, Any]]] = {
    "a start other than stated": (1001, {"earliest_start": dt.date(1980, 3, 2), "latest_start": dt.date(1980, 3, 2)}),
    "a month as its first day": (1012, {"latest_start": dt.date(1979, 6, 1)}),
    "an inclusive end as a handover": (
        1018,
        {"earliest_end": dt.date(2003, 5, 31), "latest_end": dt.date(2003, 5, 31)},
    ),
    "another precision": (1002, {"start_precision": 10}),
    "an end before the start": (
        1003,
        {"stated_end": "1980-01-01", "earliest_end": dt.date(1980, 1, 1), "latest_end": dt.date(1980, 1, 1)},
    ),
    "an id twice": (1004, {"row_id": 1005}),
    "a row twice": (
        1008,
        {"fields": [("Town", "Borum"), ("Office", "Mayor"), ("Person", "Ed Gran")]}
        | {"stated_start": "1985-02-01", "stated_end": "1990-02-01"},
    ),
    "an open end of a point": (
        1027,
        {"stated_end": None, "end_precision": None, "earliest_end": None, "latest_end": None},
    ),
    "a padded year as a day": (
        1023,
        {"stated_start": "1990-01-01", "start_precision": 11, "earliest_start": YEAR, "latest_start": YEAR},
    ),
    "an open end where none may be": (
        1021,
        {"stated_end": None, "end_precision": None, "earliest_end": None, "latest_end": None},
    ),
}
FOUND = {"an id twice": 1005, "a row twice": 1007}
"""The row that an error is shown at, where it is not the changed one."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> set[Any]:
    changes = dict(CHANGES.values())
    rows = [describe_row(row) for row in list_rows()]
    changed = [{**row, **changes.get(row["row_id"], {})} for row in rows]
    return find_mismatches(write_dataset(tmp_path_factory.mktemp("rows") / "dataset", rows=changed), "rows")


def find_mismatches(dataset: Path, check: str) -> set[Any]:
    """What a check expected of the items that it finds wrong."""
    verification, _ = tables.verify_all(dataset)
    return {str(each.expected) for each in verification.families["tdbench"].examples if each.check == check}


@pytest.mark.parametrize("change", CHANGES)
def test_an_error_in_a_row_is_found(found: set[Any], change: str) -> None:
    assert f"row {FOUND.get(change, CHANGES[change][0])}" in found


def test_no_other_row_is_wrong(found: set[Any]) -> None:
    assert found == {f"row {FOUND.get(change, row_id)}" for change, (row_id, _) in CHANGES.items()} | {"row 1008"}


def test_a_term_that_goes_on_in_another_is_no_row_of_a_world(tmp_path: Path) -> None:
    """Two rows of one mayor that hand over to each other may stand in a table, but not in one of statements."""
    found = {}
    for source in ("file", "world"):
        declared = [describe_declaration(each | {"from": {source: 39}}) for each in DECLARED.values()]
        found[source] = find_mismatches(write_dataset(tmp_path / source, declared=declared), "rows")
    assert found == {"file": set(), "world": {"row 1004", "row 1033"}}


@pytest.mark.parametrize("word", ["Mayor", "máyor"])
def test_keys_that_read_alike_may_not_be_asked(tmp_path: Path, word: str) -> None:
    """Where the clerk is called a mayor, no question says which of the two it means."""
    words = {"words": {**DECLARED["mayors"]["words"], "values": {"Office": {"Mayor": "mayor", "Clerk": word}}}}
    declared = [describe_declaration(each | words if name == "mayors" else each) for name, each in DECLARED.items()]
    _, wrong = tables.verify_all(write_dataset(tmp_path / "dataset", declared=declared))
    items = {item["item_id"]: item for item in tables.list_items() if item["declaration"] == "mayors"}
    towns = {item: [each["value"] for each in items[item]["given"] if each["column"] == "Town"] for item in items}
    found = {item for item, names in wrong.items() if "key" in names}
    assert found
    assert found <= items.keys()
    assert {town for item in found for town in towns[item]} == {"Aldby"}  # Borum and Cliffe have no clerk
    assert any(not towns[item] for item in found)  # sets by office


def test_errors_in_declarations_are_found(tmp_path: Path) -> None:
    changes: dict[str, dict[str, Any]] = {
        "mayors": {"is_private": True},
        "leases": {"licence": None},
        "prizes": {"ends": "handover"},
        "laws": {"as_of": None},
        "fairs": {"source": "fairs.csv"},
        "wardens": {},
        "medals": {},
    }
    declared = [{**describe_declaration(each), **changes[name]} for name, each in DECLARED.items() if name in changes]
    _, wrong = tables.verify_all(write_dataset(tmp_path / "dataset", declared=declared))
    by_name = {item["item_id"]: item["declaration"] for item in tables.list_items()}
    found = {by_name[item] for item, names in wrong.items() if "declaration" in names}
    assert found == {"mayors", "leases", "prizes", "laws"}


@pytest.mark.parametrize(
    ("aliases", "reason"),
    [
        ([("Ed Gran", "Gus O'Hara")], "alias that is the name of another value: Gus O'Hara"),
        ([("Nobody", "Anyone")], "alias of a value that no row has: Anyone"),
        ([("Gus O'Hara", "Gus")], None),
    ],
)
def test_an_alias_has_one_value_of_the_table(
    tmp_path: Path, aliases: list[tuple[str, str]], reason: str | None
) -> None:
    verification, _ = tables.verify_all(write_dataset(tmp_path / "dataset", aliases=aliases))
    assert {each.actual for each in verification.families["tdbench"].examples} == ({reason} if reason else set())


def test_items_of_an_unknown_declaration_are_wrong(tmp_path: Path) -> None:
    declared = [describe_declaration(each) for name, each in DECLARED.items() if name != "leases"]
    _, wrong = tables.verify_all(write_dataset(tmp_path / "dataset", declared=declared))
    leases = {item["item_id"] for item in tables.list_items() if item["declaration"] == "leases"}
    assert {item for item, names in wrong.items() if "declaration" in names} == leases


def test_items_that_reach_before_a_table_is_complete_are_wrong(tmp_path: Path) -> None:
    since = dt.date(2010, 1, 1)
    complete = {"time": {**DECLARED["mayors"]["time"], "since": str(since)}}
    declared = [describe_declaration(each | complete if name == "mayors" else each) for name, each in DECLARED.items()]
    _, wrong = tables.verify_all(write_dataset(tmp_path / "dataset", declared=declared))
    mayors = [item for item in tables.list_items() if item["declaration"] == "mayors"]
    early = {
        item["item_id"]
        for item in mayors
        if min(filter(None, (item.get("b_start"), item.get("b_end"))), default=since) < since
    }
    unbounded = {item["item_id"] for item in mayors if item["relation"] == "before"}
    assert {item for item, names in wrong.items() if "since" in names} == early | unbounded
    assert early - unbounded
    # Of the stints of Aldby none began later, which no question says.
    counting = {item["item_id"]: item["answer"] for item in mayors if item["relation"] == "counted"}
    assert all("question" in wrong[item] for item in counting)
    assert {item for item in counting if "answer" in wrong[item]} == {item for item in counting if counting[item]}
