"""The tables of facts agree: each row that another requires is there, and labels are the same. DuckDB alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb
import pytest

from everwhen.families.complextempqa.checks.render import FOLDER

SQL = (FOLDER / "evidence.sql").read_text(encoding="utf-8")
FACTS: Mapping[str, Any] = {
    "entities": [
        (1, "Hamlet", ["The Dane"]),
        (2, "hamlet", []),
        (3, None, ["Hamlet", "Amleth"]),
        (4, "Ωmega", ["ωMEGA"]),
    ],
    "labels": [
        *((1, "label", "Hamlet", "hamlet"), (2, "label", "hamlet", "hamlet"), (3, "alias", "Hamlet", "hamlet")),
        *((4, "label", "Ωmega", "ωmega"), (4, "alias", "ωMEGA", "ωmega"), (9, "label", "HAMLET", "hamlet")),
    ],
    "statements": [(1, 2), (2, 3), (3, 4), (4, None)],
    "popularity": [(1,), (2,), (3,), (4,), (9,)],
}
COLUMNS = {
    "entities": "item BIGINT, label VARCHAR, aliases VARCHAR[]",
    "labels": 'item BIGINT, kind VARCHAR, text VARCHAR, "key" VARCHAR',
    "statements": "subject BIGINT, value_item BIGINT",
    "popularity": "entity BIGINT",
}


def find(**changes: Any) -> list[tuple[str, str]]:
    """What the check finds where some tables are others: what is there, and what should be."""
    with duckdb.connect() as db:
        for name, rows in {**FACTS, **changes}.items():
            db.execute(f"CREATE TABLE {name} ({COLUMNS[name]})")
            if rows:
                db.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        db.execute("CREATE TABLE items AS SELECT 7 AS question_id, 'start' AS template_id UNION ALL SELECT 8, 'end'")
        *before, last = db.extract_statements(SQL)
        for statement in before:
            db.execute(statement)
        found = db.execute(last).fetchall()
    assert {(item, group, name) for item, group, name, *_ in found} <= {(7, "start", "facts")}
    return sorted((actual.strip('"'), expected.strip('"')) for *_, actual, expected in found)


def test_facts_that_agree_pass() -> None:
    assert find() == []


def change(table: str, place: int, row: tuple[Any, ...] | None) -> dict[str, Any]:
    """A table with another row in a place, or without the row."""
    rows = list(FACTS[table])
    rows[place : place + 1] = [] if row is None else [row]
    return {table: rows}


@pytest.mark.parametrize(
    ("table", "place", "row", "expected"),
    [
        pytest.param(
            *("entities", 0, (1, "Hamlet", [])), [], id="an alias of which no other row says anything is not missed"
        ),
        pytest.param(
            *("entities", 0, (1, "Othello", ["The Dane"])),
            [("facts/entities: the label of Q1 is Othello", "facts/labels: it is Hamlet")],
            id="another label in entities",
        ),
        pytest.param(
            *("labels", 0, (1, "label", "Othello", "othello")),
            [("facts/entities: the label of Q1 is Hamlet", "facts/labels: it is Othello")],
            id="another label in labels",
        ),
        pytest.param(
            *("entities", 1, (2, None, [])),
            [("facts/labels: the label of Q2 is hamlet", "facts/entities: it has none")],
            id="no label in entities",
        ),
        pytest.param(
            *("labels", 0, None),
            [("facts/entities: the label of Q1 is Hamlet", "a row in facts/labels")],
            id="a lost label",
        ),
        pytest.param(
            *("labels", 2, None),
            [("facts/entities: an alias of Q3 is Hamlet", "a row in facts/labels, where others have this text")],
            id="a lost alias",
        ),
        pytest.param(
            *("entities", 2, (3, None, ["Amleth", "HAMLET"])),
            [
                ("facts/entities: an alias of Q3 is HAMLET", "a row in facts/labels, where others have this text"),
                ("facts/labels: an alias of Q3 is Hamlet", "facts/entities: it has no such alias"),
            ],
            id="another alias in entities",
        ),
        pytest.param(
            *("labels", 0, (1, "label", "Hamlet", "othello")),
            [("facts/labels: the key of Q1 is othello", "hamlet")],
            id="another key",
        ),
        pytest.param(
            *("entities", 3, None),
            [
                ("facts/labels has who is called Ωmega", "an item in facts/entities with this label"),
                ("facts/statements has statements of Q4", "a row in facts/entities"),
            ],
            id="a lost item",
        ),
        pytest.param(
            *("statements", 0, None),
            [("facts/entities has Q1", "a statement that names it")],
            id="the last statement of an item is lost",
        ),
        pytest.param(
            *("popularity", 1, None),
            [("facts/entities has Q2", "a row in facts/popularity")],
            id="a lost number of views",
        ),
    ],
)
def test_what_disagrees_is_named(table: str, place: int, row: Any, expected: list[tuple[str, str]]) -> None:
    found = find(**change(table, place, row))
    assert [pair for pair in found if not pair[0].startswith("facts/labels has who is called H")] == expected
