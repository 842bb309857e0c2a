from __future__ import annotations

from typing import Any

import duckdb
import pytest

from pipeline.validate.repetitions import repetitions

COLUMNS = """question_id BIGINT, question VARCHAR, type VARCHAR, template_id VARCHAR, property INT, hops INT[],
    question_entity BIGINT[], descriptions STRUCT(entity BIGINT, "key" VARCHAR)[]"""


def row(number: int, **changes: Any) -> dict[str, Any]:
    """A comparison that is like no other."""
    plain = {
        "question_id": number,
        "question": f"Is {number} older?",
        "type": "2b",
        "template_id": "t",
        "property": 577,
    }
    return {**plain, "hops": [], "question_entity": [number, number + 1], "descriptions": [], **changes}


def found(*rows: dict[str, Any]) -> dict[str, list[str]]:
    with duckdb.connect() as db:
        db.execute(f"CREATE TABLE questions ({COLUMNS})")
        for each in rows:
            db.execute(f"INSERT INTO questions VALUES ({', '.join('?' * len(each))})", list(each.values()))
        return repetitions(db)


def test_rows_that_differ_are_no_repetitions() -> None:
    assert found(row(10), row(20)) == {"ids": [], "texts": [], "bindings": []}


@pytest.mark.parametrize(
    ("second", "twice"),
    [
        (row(20, question_id=10), {"ids": ["10 (2 rows, 10 and 10)"]}),
        (row(20, question="Is 10 older?"), {"texts": ["Is 10 older? (2 rows, 10 and 20)"]}),
    ],
)
def test_what_stands_there_twice_is_named(second: dict[str, Any], twice: dict[str, list[str]]) -> None:
    assert found(row(10), second) == {"ids": [], "texts": [], "bindings": []} | twice


def test_a_comparison_and_its_mirror_are_one() -> None:
    repeated = found(row(10), row(20, question_entity=[11, 10]))
    (shown,) = repeated["bindings"]
    assert "'things': [10, 11]" in shown
    assert "(2 rows, 10 and 20)" in shown
    assert (repeated["ids"], repeated["texts"]) == ([], [])


@pytest.mark.parametrize(
    "other",
    [
        {"template_id": "u"},
        {"property": 571},
        {"hops": [57, 569]},
        {"descriptions": [{"entity": 10, "key": "cast_pair"}]},
    ],
)
def test_the_same_things_are_compared_in_other_ways(other: dict[str, Any]) -> None:
    assert found(row(10), row(20, question_entity=[11, 10], **other))["bindings"] == []


def test_only_comparisons_have_a_mirror() -> None:
    first, second = row(10, type="1b"), row(20, type="1b", question_entity=[11, 10])
    assert found(first, second)["bindings"] == []
