from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import (
    Document,
    Fields,
    read_beir,
    read_collection,
    select_passages,
)
from everwhen.evaluate.retrieval.ranking import Ranked

NAMED = Fields(doc_id="id", text="body", query="ask")


def write_jsonl(path: Path, rows: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def write_beir(folder: Path, qrels: str = "query-id\tcorpus-id\tscore\nq1\tb\t2\nq1\ta\t0\n") -> Path:
    write_jsonl(folder / "corpus.jsonl", [{"_id": "b", "title": "", "text": "two"}, {"_id": "a", "text": "one"}])
    write_jsonl(folder / "queries.jsonl", [{"_id": "q1", "text": "which?"}, {"_id": "q2", "text": "why?"}])
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(qrels)
    return folder


def test_each_document_may_have_a_query_of_its_own(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "c.jsonl", [{"id": n, "body": f"text {n}", "ask": f"what {n}?"} for n in (10, 9)])
    found = read_collection(path, NAMED)
    assert list(found.documents.values()) == [Document("9", "text 9"), Document("10", "text 10")]
    assert found.queries == {"10": "what 10?", "9": "what 9?"}
    assert found.qrels == {"10": {"10": 1}, "9": {"9": 1}}


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_files_may_be_compressed_and_begin_with_a_mark(tmp_path: Path, suffix: str, pack: Any) -> None:
    path = tmp_path / f"c.jsonl{suffix}"
    path.write_bytes(pack('\ufeff{"doc_id": "ä", "text": "ö", "title": "ü"}\r\n\n'.encode()))
    assert read_collection(path, Fields()).documents == {"ä": Document("ä", "ö", "ü")}


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_a_truncated_file_is_named(tmp_path: Path, suffix: str, pack: Any) -> None:
    path = tmp_path / f"c.jsonl{suffix}"
    lines = [f'{{"doc_id": {number}, "text": "b"}}\n' for number in range(1000)]
    path.write_bytes(pack("".join(lines).encode())[:-5])
    with pytest.raises(InputError, match=rf"c\.jsonl{suffix}: cannot be unpacked after line"):
        read_collection(path, Fields())


def test_a_beir_folder_is_read(tmp_path: Path) -> None:
    found = read_beir(write_beir(tmp_path))
    assert list(found.documents) == ["a", "b"]
    assert found.qrels == {"q1": {"b": 2, "a": 0}}
    assert found.select_queries() == {"q1": "which?"}
    assert [path.name for path in found.files] == ["corpus.jsonl", "queries.jsonl", "test.tsv"]


def test_a_beir_folder_without_qrels_has_queries_and_nothing_judged(tmp_path: Path) -> None:
    folder = write_beir(tmp_path)
    (folder / "qrels" / "test.tsv").unlink()
    found = read_beir(folder)
    assert (found.qrels, list(found.select_queries())) == (None, ["q1", "q2"])


def test_qrels_of_trec_are_read(tmp_path: Path) -> None:
    assert read_beir(write_beir(tmp_path, "q1 0 b 1\nq2 0 a -2\n")).qrels == {"q1": {"b": 1}, "q2": {"a": -2}}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param([], r"c\.jsonl: an empty corpus", id="empty"),
        pytest.param(['{"id": 1}'], r"c\.jsonl:1: no field body; there are id$", id="no-field"),
        pytest.param(["", "{}"], r"c\.jsonl:2: no field id; there are none$", id="no-fields"),
        pytest.param(['{"a\\nb": 1}'], "1: no field id; there are a b$", id="line-break-in-field"),
        pytest.param(['{"id": 1, "body": 2}'], "1: body: a text is expected, not int", id="number-for-text"),
        pytest.param(['{"id": 1.5, "body": ""}'], "1: id: a text or an integer is expected, not float", id="float-id"),
        pytest.param(['{"id": true, "body": ""}'], "1: id: a text or an integer is expected, not bool", id="bool-id"),
        pytest.param(
            ['{"id": "a b", "body": ""}'], "1: id: an id without white space or NUL is expected", id="space-in-id"
        ),
        pytest.param(['{"id": "", "body": ""}'], "1: id: an id without white space or NUL is expected", id="empty-id"),
        pytest.param(['{"id": "a\\u0000", "body": ""}'], "1: id: an id without white space or NUL", id="nul-in-id"),
        pytest.param(["[1]"], "1: a JSON object is expected", id="list"),
        pytest.param(['{"id": NaN}'], "1: not JSON", id="nan"),
        pytest.param(
            ['{"id": 1, "body": "", "ask": ""}', '{"id": "1", "body": "", "ask": ""}'],
            "2: id 1: an earlier line has the same id",
            id="doubled",
        ),
        pytest.param(['{"id": 1, "body": ""}'], "1: no field ask", id="no-query"),
    ],
)
def test_a_corpus_that_cannot_be_used_is_named_by_line(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=message) as error:
        read_collection(path, NAMED)
    assert "\n" not in str(error.value)


def test_bytes_that_are_not_utf8_are_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(b'{"doc_id": "a", "text": "b"}\n{"doc_id": "\xff"}\n')
    with pytest.raises(InputError, match=r"c\.jsonl:2: not UTF-8 at byte 12$"):
        read_collection(path, Fields())


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        pytest.param("query-id\tcorpus-id\tscore\nq9\tb\t1\n", "2: query q9: no query has this id", id="query"),
        pytest.param("q1\tz\t1\n", "1: document z: no document has this id", id="document"),
        pytest.param("q1\ta\t1\nq1\ta\t2\n", "2: query q1, document a: this pair is judged twice", id="twice"),
        pytest.param(
            "q1\ta\t1\nq1\tb\tgood\n", "2: grade good: an integer of at most four digits is expected", id="grade"
        ),
        pytest.param("q1\tb\tnan\n", "1: grade nan: an integer of at most four", id="nan"),
        pytest.param("q1\ta\t99999\n", "1: grade 99999: an integer of at most four", id="large"),
        pytest.param("query\tcorpus-id\tscore\n", "1: grade score: an integer", id="another-header"),
        pytest.param("q1\ta\n", "1: query, document and grade are expected, not 2 fields", id="fields"),
        pytest.param("query-id\tcorpus-id\tscore\n", r"test\.tsv: no qrels", id="header-alone"),
    ],
)
def test_qrels_that_cannot_be_used_are_named_by_line(tmp_path: Path, qrels: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_beir(write_beir(tmp_path, qrels))


def test_qrels_without_queries_are_refused(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "c.jsonl", [{"doc_id": "a", "text": ""}])
    with pytest.raises(InputError, match="qrels without queries"):
        read_collection(path, Fields(), qrels=path)


def test_passages_are_the_first_documents_of_a_query(tmp_path: Path) -> None:
    documents = read_beir(write_beir(tmp_path)).documents
    run = {"7": (Ranked("b", 2.0), Ranked("a", 1.0))}
    assert [one.text for one in select_passages(documents, run, "7", 1)] == ["two"]
    assert [one.text for one in select_passages(documents, run, "7", 9)] == ["two", "one"]
    assert select_passages(documents, run, "8", 9) == []
    with pytest.raises(InputError, match="a number of passages from 1 is expected, not 0"):
        select_passages(documents, run, "7", 0)
    with pytest.raises(InputError, match="document c for query 7: it is not in the corpus"):
        select_passages(documents, {"7": (Ranked("c", 1.0),)}, "7", 1)
