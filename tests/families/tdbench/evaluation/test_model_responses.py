"""Responses as chat models write them, half of them traps, with verdicts that were written before they were scored.

The first line of the file has the names of values; `scored` is what the rules say where they differ from the verdict.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from everwhen.families.tdbench.evaluation.items import GoldQuestion, Reference, build_lexicons
from everwhen.families.tdbench.evaluation.verdict import judge_response

FIRST, *LINES = Path(__file__).with_name("responses.jsonl").read_text(encoding="utf-8").splitlines()
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
LEXICONS = build_lexicons(
    pa.Table.from_pylist(
        [{"also": None, "is_person": None, **row} for row in json.loads(FIRST)["names"]],
        schema=pa.schema(
            {
                "declaration": pa.string(),
                "column": pa.string(),
                "value": pa.string(),
                "also": pa.list_(pa.string()),
                "is_person": pa.bool_(),
            }
        ),
    )
)
WITHOUT_ANSWER = ("unsure", "missing", "cut_off")


def judge(row: dict[str, Any]) -> str:
    item = GoldQuestion(
        question=row["question"],
        task=row["task"],
        declaration=row["declaration"],
        asked=tuple(row["asked"]),
        answer=tuple(row.get("answer", ())),
        references=tuple(Reference(*each) for each in row.get("references", ())),
        granularity=row["granularity"],
        given=tuple(row.get("given", ())),
        hops=tuple(map(tuple, row.get("hops", ()))),
        once=frozenset(row.get("once", ())),
    )
    verdict = judge_response(row["response"], item, LEXICONS)
    if verdict.is_right:
        return "right"
    return verdict.class_.value if verdict.class_.value in WITHOUT_ANSWER else "wrong"


@pytest.mark.parametrize("row", ROWS, ids=[row["response"][:60] for row in ROWS])
def test_the_verdict_is_that_on_record(row: dict[str, Any]) -> None:
    assert judge(row) == row.get("scored", row["verdict"])


def test_no_wrong_response_is_right() -> None:
    assert "right" not in {row["scored"] for row in ROWS if "scored" in row}
