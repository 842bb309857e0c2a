"""Queries that items name: they are run, and may do no more than read the tables of their check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.validate import item_queries
from everwhen.validate.database import refuse_queries
from everwhen.validate.explain import explain
from everwhen.validate.verify import verify
from tiny_dataset import write_checks, write_manifest, write_table

FAMILY = "tables"
ITEMS = pa.schema(
    [
        ("key", pa.int64()),
        ("question", pa.string()),
        ("task", pa.string()),
        ("answer", pa.list_(pa.string())),
        ("sql", pa.string()),
    ]
)
ROWS = pa.schema([("name", pa.string()), ("fields", pa.map_(pa.string(), pa.string()))])
PLAN: dict[str, Any] = {
    "family": FAMILY,
    "items": {"table": "items", "id": "key", "group": "task", "text": "question"},
    "reads_facts": False,
    "names": ["answer", "sql"],
    "derivations": {"name": {"file": "name.sql", "rule": "The name."}},
    "checks": [
        {
            "name": "sql",
            "file": "sql.sql",
            "queried_tables": ["rows"],
            "explained": {"where": "true", "show": "notes.sql"},
        }
    ],
    "show": "show.sql",
}
FILES = {
    "checks.json": json.dumps(PLAN),
    "name.sql": "SELECT q.key, q.answer, []::VARCHAR[] AS facts FROM q",
    "sql.sql": """SELECT key AS item_id, task AS "group", 'sql' AS name, sql, answer AS expected FROM items""",
    "notes.sql": "SELECT 'note' AS name, 'a note' AS value, ['row 1'] AS facts",
    "show.sql": "SELECT 'rows' AS name, count(*)::VARCHAR AS value FROM rows",
}
NAMES = ["Update", "Zoë", "O'Neil"]


def build_item(key: int, sql: str, *answer: str) -> dict[str, Any]:
    return {"key": key, "question": "Who?", "task": "name", "answer": answer, "sql": sql}


FIELDS = [[("Country", "Copy"), ("Name", name)] for name in (*NAMES, NAMES[0])]


def write_family(folder: Path, *items: dict[str, Any], fields: list[list[tuple[str, str]]] = FIELDS) -> Path:
    """A dataset of a family whose items are derived from its own tables, without facts."""
    write_table(folder / FAMILY / "items", items, ITEMS)
    rows = [{"name": row[-1][1], "fields": row} for row in fields]
    write_table(folder / FAMILY / "rows", rows, ROWS)
    write_checks(folder, {f"{FAMILY}/{name}": text for name, text in FILES.items()})
    window = {"start": "1987-01-01", "end": "2023-12-31"}
    write_manifest(folder, window=window)
    return folder


ALL = "SELECT r.fields['Name'] AS answer FROM rows r WHERE r.fields['Country'] = 'Copy'"


def test_a_column_in_other_capitals_is_no_column(tmp_path: Path) -> None:
    found = verify(write_family(tmp_path, build_item(1, ALL.replace("'Name'", "'name'"), *sorted(NAMES))))
    assert found.wrong == 1


def test_a_value_may_be_a_column_in_other_capitals(tmp_path: Path) -> None:
    found = verify(write_family(tmp_path, build_item(1, f"{ALL} AND r.fields['Name'] <> 'name'", *sorted(NAMES))))
    assert found.wrong == 0


def test_columns_may_differ_in_capitals_alone(tmp_path: Path) -> None:
    item = build_item(1, "SELECT r.fields['name'] AS answer FROM rows r", "Zoë")
    assert verify(write_family(tmp_path, item, fields=[[("Name", "Copy"), ("name", "Zoë")]])).wrong == 0


@pytest.mark.parametrize("column", ["O'Neil", 'a "quoted" name', "with {braces}", ""])
def test_a_column_may_have_any_name(tmp_path: Path, column: str) -> None:
    query = f"SELECT r.fields['{column.replace(chr(39), chr(39) * 2)}'] AS answer FROM rows r"
    assert verify(write_family(tmp_path, build_item(1, query, "Zoë"), fields=[[(column, "Zoë")]])).wrong == 0


def test_answers_are_compared_as_sorted_and_distinct(tmp_path: Path) -> None:
    found = verify(write_family(tmp_path, build_item(1, ALL, *sorted(NAMES)), build_item(2, f"{ALL} AND false")))
    assert (found.rows, found.wrong, found.passed) == (2, 0, True)


def test_another_answer_is_shown_beside_that_of_the_item(tmp_path: Path) -> None:
    folder = write_family(tmp_path, build_item(1, f"{ALL} AND r.name = 'Zoë'", "Zoë"), build_item(2, ALL, "Zoë"))
    found = verify(folder).families[FAMILY]
    assert (found.wrong, found.by_check) == (1, {"answer": 0, "sql": 1})
    (example,) = found.examples
    assert (example.item_id, example.actual, example.expected) == (2, ["Zoë"], ["O'Neil", "Update", "Zoë"])
    (disagreement,) = explain(folder, 2).disagreements
    assert (disagreement.check, disagreement.actual) == ("sql", ["Zoë"])


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT answer[1] FROM items", "a query may read rows alone, not items"),
        ("SELECT answer[1] FROM main.all_items, rows", "a query may read rows alone, not all_items"),
        ("WITH x AS (SELECT answer[1] a FROM items) SELECT a FROM x", "a query may read rows alone, not items"),
        ("SELECT 'Zoë'; SELECT 'Zoë'", "a query must be one SELECT"),
        ("CREATE TABLE x AS SELECT 'Zoë'", "a query must be one SELECT"),
        ("COPY rows TO 'rows.csv'", "a query must be one SELECT"),
        ("FROM query('SELECT 1')", "a query may not contain the word query"),
        ("SELECT * FROM \"query\"('FROM rows')", "a query may not contain the word query"),
        ("WITH x AS (COPY rows TO 'x.csv') SELECT 'Zoë'", "a query may not contain the word COPY"),
        ("SELECT 'Zoë' -- copy\n", "a query may not contain the word copy"),
        ("SELECT 'Zoë", "a query: Parser Error: unterminated string literal"),
        ("SELECT 1 / 'x' FROM rows", "Conversion Error"),
        ("SELECT content FROM read_text('/etc/hostname')", "a query may read rows alone, not table function"),
        ("SUMMARIZE items", "a query may read rows alone, not items"),
        ("", "a query must be one SELECT"),
        (None, "no query"),
    ],
)
def test_a_query_that_may_not_run_is_wrong(tmp_path: Path, sql: str | None, reason: str) -> None:
    item = {**build_item(1, "", "Zoë"), "sql": sql}
    (example,) = verify(write_family(tmp_path, item)).families[FAMILY].examples
    assert example.check == "sql"
    assert reason in example.expected


def test_of_many_items_those_of_the_least_ids_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_queries, "MAX_QUERIES", 2)
    items = [build_item(key, ALL, "Zoë") for key in (3, 1, 2)]
    assert verify(write_family(tmp_path, *items)).families[FAMILY].by_check["sql"] == 2


def test_an_explanation_reads_the_tables_of_the_family(tmp_path: Path) -> None:
    found = explain(write_family(tmp_path, build_item(1, ALL, *sorted(NAMES))), 1)
    assert (found.agrees, found.facts, found.metadata) == (True, [], {"rows": "4"})
    assert [(note.name, note.facts) for note in found.notes] == [("note", [])]
    assert "the tables give the same" in found.render()
    assert "Facts" not in found.render()


def test_a_family_that_reads_facts_needs_them(tmp_path: Path) -> None:
    folder = write_family(tmp_path, build_item(1, ALL, *sorted(NAMES)))
    write_checks(folder, {f"{FAMILY}/checks.json": json.dumps({**PLAN, "reads_facts": True})})
    write_manifest(folder)
    with pytest.raises(InputError, match="no table facts/statements"):
        verify(folder)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_a_literal_may_contain_any_text(text: str) -> None:
    with duckdb.connect() as db:
        db.execute("CREATE TABLE rows (name VARCHAR)")
        literal = "'" + text.replace("'", "''") + "'"
        queries = [
            f"SELECT {literal} AS answer FROM rows r WHERE r.name = {literal}",
            f"SELECT {literal} AS update FROM rows",
        ]
        assert refuse_queries(db, queries, ["rows"]) == [None, "a query may not contain the word update"]
