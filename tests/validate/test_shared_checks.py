"""What plans of checks ask for, and what the shared checks find."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest
import xxhash

from everwhen.core.errors import InputError
from everwhen.validate.shared_checks import add_shared_checks

PLAN: dict[str, Any] = {
    "family": "toy",
    "reads_facts": False,
    "items": {"table": "items", "id": "toy_id", "group": "kind", "text": "question"},
    "names": ["answer"],
    "derivations": {},
    "show": "show.sql",
}
FULL = {
    **PLAN,
    "unique_texts": True,
    "id_numbers": "numbers.sql",
    "split_keys": "keys.sql",
    "kept_together": "together.sql",
    "item_sets": {"strata": ["kind"], "sizes": {"lite-2": 2}},
}
PARTS = {
    "numbers.sql": "CREATE VIEW id_numbers AS SELECT toy_id, kind, [toy_id]::HUGEINT[] AS numbers FROM sampled;\n",
    "keys.sql": 'CREATE TABLE split_keys AS SELECT toy_id, kind AS "key" FROM items;\n',
    "together.sql": 'CREATE TABLE kept_together AS SELECT toy_id, split, question[1] AS "key" FROM all_items;\n',
    "show.sql": "SELECT 'id' AS name, toy_id::VARCHAR AS value FROM item",
}


def add(plan: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    files = add_shared_checks({**PARTS, "checks.json": json.dumps(plan)})
    return files, json.loads(files["checks.json"])


def run(name: str, *rows: tuple[int, str, str, str]) -> list[tuple[Any, ...]]:
    """What a check finds wrong in items: id, kind, question and split."""
    files, _ = add(FULL)
    with duckdb.connect() as db:
        db.execute("CREATE TABLE parameters AS SELECT 'seed' AS seed, 40 AS train, 30 AS validation")
        db.execute(
            "CREATE TABLE items (toy_id BIGINT, kind VARCHAR, question VARCHAR, split VARCHAR, answer VARCHAR[])"
        )
        db.executemany("INSERT INTO items VALUES ($1, $2, $3, $4, [])", [list(row) for row in rows])
        db.execute("CREATE VIEW all_items AS FROM items")
        db.execute("CREATE TABLE item_sets AS SELECT 'lite-2' AS item_set, * FROM items WHERE question LIKE '%!'")
        db.execute(files["hashes.sql"])
        return db.execute(files[f"{name}.sql"]).fetchall()


def test_a_plan_that_asks_for_nothing_has_the_check_of_ids_alone() -> None:
    files, plan = add(PLAN)
    assert [check["file"] for check in plan["checks"]] == ["unique.sql"]
    assert (plan["setup"], plan["names"]) == (["hashes.sql"], ["answer", "id"])
    assert {*files} == {*PARTS, "checks.json", "hashes.sql", "unique.sql"}


def test_a_plan_names_the_checks_in_place_of_what_it_asks_for() -> None:
    files, plan = add(FULL)
    checks = ("unique", "ids", "splits", "kept_together", "item_sets")
    assert [check["name"] for check in plan["checks"]] == list(checks)
    assert plan["names"] == ["answer", "id", "split", "item_sets"]
    assert not plan.keys() & {"unique_texts", "id_numbers", "split_keys", "kept_together", "item_sets"}
    assert {*files} == {"show.sql", "checks.json", "hashes.sql", *(f"{name}.sql" for name in checks)}


def test_an_unknown_wish_is_refused() -> None:
    with pytest.raises(InputError, match="unique_text"):
        add({**PLAN, "unique_text": True})


def test_ids_and_texts_that_are_there_twice_are_found() -> None:
    rows = [(1, "a", "Who?", "test"), (1, "a", "Whose?", "test"), (2, "a", "When?", "test"), (3, "b", "When?", "test")]
    assert run("unique", *rows) == [
        (1, "a", "id", '"in 2 rows"', '"in one row"'),
        (2, "a", "question", '"When?"', '"asked once, not 2 times"'),
    ]


def test_an_id_is_the_hash_of_its_numbers() -> None:
    expected = xxhash.xxh64((5).to_bytes(8, "little"), seed=42).intdigest() % 2**63
    assert run("ids", (5, "a", "Who?", "test")) == [(5, "a", "id", "5", str(expected))]


def test_a_split_is_the_hash_of_its_key() -> None:
    rows = [(number, kind, f"{number}?", "test") for number, kind in enumerate("abcdefgh", 1)]
    found = {item: json.loads(expected) for item, _, _, _, expected in run("splits", *rows)}
    right = [(n, kind, question, found.get(n, "test")) for n, kind, question, _ in rows]
    assert set(found.values()) == {"train", "validation"}
    assert run("splits", *right) == []


def test_what_belongs_together_is_in_one_split() -> None:
    rows = [(1, "a", "Who?", "test"), (2, "b", "What?", "train"), (3, "b", "Is it?", "train")]
    found = sorted(run("kept_together", *rows))
    assert [(item, name, json.loads(expected)) for item, _, name, _, expected in found] == [
        (1, "split", ["test", "train"]),
        (2, "split", ["test", "train"]),
    ]


def test_a_set_has_the_items_of_its_quotas() -> None:
    rows = [(1, "a", "Who!", "test"), (2, "a", "When?", "test"), (3, "b", "What!", "test")]
    assert run("item_sets", *rows) == []
    assert [row[0] for row in run("item_sets", *rows, (0, "a", "Where?", "test"))] == [0, 1]
