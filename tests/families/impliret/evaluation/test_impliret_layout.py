"""The keys of IMPLIRET's own release: written, and read as a collection or with responses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.families.impliret.evaluation.layout import read_collection, read_responses, read_rows

KEYS = ["id", "tuple_set_id", "forum_question", "pos_document", "question", "answer", "explicit_hint", "pool", "canary"]


def export(dataset: Path, out: Path) -> list[dict[str, Any]]:
    """The lines of an export."""
    assert main(["export", "jsonl", str(dataset), str(out), "--layout", "impliret"]) == 0
    return [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def build_line(number: int = 0, **changes: Any) -> dict[str, Any]:
    document = f"2024-03-0{number + 1} 09:01, Bo: I read two days ago."
    question = "Who was reading on March 01, 2024?"
    return {"id": number, "tuple_set_id": 7, "pos_document": document, "question": question, "answer": "Bo"} | changes


def test_an_export_has_the_keys_of_the_release(dataset: Path, tmp_path: Path) -> None:
    lines = export(dataset, tmp_path / "out")
    assert {tuple(line) for line in lines} == {tuple(KEYS)}
    hints = {line["id"]: line["explicit_hint"] for line in lines}
    assert hints[1] == "message_date: 2024-03-01 ## base_price: 1000 ## percent: 20 ## direction: higher"
    assert hints[3] == "message_date: 2024-02-29 ## offset_days: 2 days ago"
    assert hints[10] == "message_date: 2024-05-02 ## offset_days: in 2 days"
    assert hints[5] == "message_date: 2024-02-29 ## landmark: Zwinger Hall"


def test_an_export_is_read_as_the_collection_that_it_is(dataset: Path, tmp_path: Path) -> None:
    export(dataset, tmp_path / "out")
    found = read_collection(tmp_path / "out" / "items.jsonl")
    queries = {row["query_id"]: row for row in found.queries.to_pylist()}
    assert {row["pool"] for row in queries.values()} == {row["pool"] for row in found.documents.to_pylist()}
    names = ("pool", "category", "style", "set_id", "has_lure")
    assert [queries["4"][name] for name in names] == ["temporal_multi", "temporal", "multi", "2", True]
    assert [query for query, row in queries.items() if row["has_lure"]] == ["4"]
    assert found.qrels.to_pylist()[0] == {"query_id": "1", "doc_id": "1", "grade": 1}


def test_a_file_of_the_release_is_one_pool(tmp_path: Path) -> None:
    lines = [build_line(0), build_line(1), build_line(2, question="Who was reading at noon?")]
    rows = read_collection(write_lines(tmp_path / "pool.jsonl", *lines)).queries.to_pylist()
    assert {row["pool"] for row in rows} == {"temporal_multi"}
    # A post bears the day that two of them ask for; it is the document of one of these.
    assert [row["has_lure"] for row in rows] == [False, True, False]


def test_all_queries_of_the_release_but_the_first_of_a_set_have_a_lure(shared_pool: Path) -> None:
    rows = read_collection(shared_pool).queries.to_pylist()
    assert {(row["category"], row["style"]) for row in rows} == {("temporal", "multi")}
    assert sum(row["has_lure"] for row in rows) == 50 * 29


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": None}, "id: a text or an integer is expected"),
        ({"tuple_set_id": 1.5}, "tuple_set_id: a text or an integer is expected"),
        ({"pos_document": 3}, "pos_document: a text is expected, not int"),
        ({"answer": ["Bo"]}, "answer: a text is expected, not list"),
        ({"pool": 3}, "pool: a text is expected, not int"),
        ({"pool": "spatial_multi"}, "pool spatial_multi: arithmetic, temporal or wknow is expected, then _multi or"),
        ({"pool": "temporal"}, "pool temporal: "),
        ({"pool": "temporal_multi_1"}, "pool temporal_multi_1: "),
        ({"id": 0}, "id 0: an earlier line has the same id"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    file = write_lines(tmp_path / "pool.jsonl", build_line(), build_line(1, **changes))
    with pytest.raises(InputError, match=f"pool.jsonl:2: {message}"):
        read_rows(file)


@pytest.mark.parametrize("key", ["id", "tuple_set_id", "pos_document", "question", "answer"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    line = build_line()
    del line[key]
    with pytest.raises(InputError, match=f"pool.jsonl:1: no field {key}"):
        read_rows(write_lines(tmp_path / "pool.jsonl", line))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no lines"):
        read_rows(write_lines(tmp_path / "pool.jsonl"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [({}, "no response; write null"), ({"response": 3}, "response: a text or null is expected")],
)
def test_a_line_without_response_is_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"pool.jsonl:1: {message}"):
        read_responses(write_lines(tmp_path / "pool.jsonl", build_line(**changes)))


def test_an_export_is_scored_with_responses(dataset: Path, tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")
    lines, out = export(dataset, tmp_path / "out"), tmp_path / "out.json"
    answered = [{**line, "response": "Answer: Bo" if line["id"] < 5 else f"Answer: {line['answer']}"} for line in lines]
    file = write_lines(tmp_path / "answered.jsonl", *answered)
    assert main(["evaluate", str(file), "--layout", "impliret", "--json", str(out)]) == 0
    (run,) = json.loads(out.read_text())["families"]["impliret"]["runs"].values()
    assert run["tables"]["all"]["all"]["exact_match"]["value"] == pytest.approx(9 / 12)
    assert run["tables"]["pool"]["temporal_multi"]["other_document"]["value"] == 0.5
    assert run["tables"]["pool"]["arithmetic_multi"]["malformed"]["value"] == 1
