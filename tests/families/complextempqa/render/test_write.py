from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from comparison_blocks import SCHEMA, build_template
from everwhen.core.record_counts import EXAMPLES, RecordCounts
from everwhen.families.complextempqa.compare.contexts import Context
from everwhen.families.complextempqa.compare.pairs import Bound
from everwhen.families.complextempqa.render import write
from everwhen.families.complextempqa.render.comparisons import ComparisonRenderer
from everwhen.families.complextempqa.render.write import (
    QuestionFile,
    list_rejected,
    read_rejected,
    write_bindings,
    write_comparisons,
)
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import Template
from schemas import convert_schema
from table_rows import parse_day

NAMES = ["Ada", "Bo", "Cy", "the  way", "Di", "Ed"]
YEARS = [1990, 1985, 2001, 1985, 1990, 1970]
TEMPLATES = [build_template("b.than"), build_template("a.than")]
CONTEXTS = [
    Context(0, False, "train", "greater", (None, None, "I"), 2047),
    Context(1, False, "train", "lesser", (None, None, "II"), 2047),
    Context(1, True, "train", "greater", (None, None, "I"), 2047, (17,)),
    Context(1, False, "test", "greater", (None, None, "I"), 2047),
]


def made() -> ComparisonRenderer:
    subjects = pa.table(
        {
            "number": pa.array(range(6), pa.int32()),
            "entity": pa.array(range(100, 106), pa.int64()),
            **{form: pa.array(NAMES) for form in ("name", "long_name", "label")},
            "popular": pa.array([True] * 6),
            "countries": pa.array([[20]] * 6, pa.list_(pa.int64())),
            **{at: pa.array([parse_day(f"{year}-05-01") for year in YEARS]) for at in ("earliest_start", "latest_end")},
            "topic": pa.array(["medtop:1"] * 6),
        }
    )
    described = pa.table({"entity": pa.array([100], pa.int64()), "key": ["deaths"], "description": ["the one of 1990"]})
    return ComparisonRenderer(TEMPLATES, CONTEXTS, subjects, described)


def bound(rows: Sequence[tuple[int, ...]]) -> Bound:
    """Rows (id, context, both subjects, answer, whether names reveal the order, a description) as they are bound."""
    if not rows:
        return {}
    types = {"question_id": np.int64, "answer": np.int8, "reveals_order": np.int8}
    names = (
        "question_id",
        "context",
        "first_subject",
        "second_subject",
        "answer",
        "reveals_order",
        "first_description",
    )
    columns = zip(*((*row, -1)[: len(names)] for row in rows), strict=True)
    return {name: np.array(v, dtype=types.get(name, np.int32)) for name, v in zip(names, columns, strict=True)}


ROWS = [
    (7, 1, 0, 1, 0, 0),
    (3, 0, 2, 4, 1, 0),
    (1, 1, 2, 0, 1, 0),
    (6, 0, 5, 4, 0, 0),
    (9, 0, 0, 4, 0, 1),
    (8, 1, 0, 3, 0, 0),
    (4, 0, 4, 2, 0, 1),
    (2, 2, 0, 1, 0, 0, 0),
    (5, 0, 0, 5, 1, 1),
]


def pairs(
    folder: Path, rows: Sequence[tuple[int, ...]] = tuple(ROWS), name: str = "pairs-00000"
) -> list[dict[str, Any]]:
    results = list(write_comparisons(bound(rows), made(), str(folder), name, SCHEMA))
    return [line | {"about": json.loads(line["about"])} for line in results]


def test_one_file_sorted_by_template_and_year(tmp_path: Path) -> None:
    file, *rejected = pairs(tmp_path / "made")
    (path,) = (tmp_path / "made").iterdir()
    assert (file["kind"], file["name"], file["rows"]) == ("file", path.name, 5)
    assert path.name.startswith("train-pairs-00000-")
    rows = pq.read_table(path).to_pylist()
    # Templates stand in the order of the build, which sorts them by id; in a group of rows by wording.
    order = [(row["template_id"], row["wording"]) for row in rows]
    assert order == sorted(order, key=lambda of: (of[0] == "a.than", of[1]))
    assert {row["question_id"]: row["year"] for row in rows} == {6: 1970, 3: 1990, 7: 1985, 2: 1985, 1: 1990}
    assert {row["question_id"] for row in rows if row["is_unnamed"]} == {2}
    assert file["about"] == {
        "bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "templates": {"a.than": 3, "b.than": 2},
    }
    assert rejected == [
        {
            "kind": "rejected",
            "name": "the names reveal the years being compared",
            "rows": 3,
            "about": {
                "record_type": "binding",
                "examples": ["b.than Q100 Q104", "b.than Q100 Q105", "b.than Q104 Q102"],
            },
        },
        {
            "kind": "rejected",
            "name": "doubled space",
            "rows": 1,
            "about": {"record_type": "question", "examples": ["Now II: Ada, the  way?"]},
        },
    ]


def test_the_file_reads_as_the_table_says(tmp_path: Path) -> None:
    pairs(tmp_path)
    (path,) = tmp_path.iterdir()
    read = pq.read_schema(path)
    assert read.names == SCHEMA.names
    for field in SCHEMA:
        assert read.field(field.name).type == field.type, field.name
        assert not pa.types.is_dictionary(read.field(field.name).type)
        assert read.field(field.name).nullable == field.nullable
    assert read.metadata is None, "nothing tells readers how the columns were held"
    file = pq.ParquetFile(path)
    assert {file.metadata.row_group(0).column(n).compression for n in range(file.metadata.num_columns)} == {"ZSTD"}


def test_a_bloom_filter_shows_where_an_id_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "ROWS_A_GROUP", 2)
    pairs(tmp_path)
    (path,) = tmp_path.iterdir()
    with duckdb.connect() as db:
        probed = f"parquet_bloom_probe('{path}', 'question_id', $id)"
        probe = f"SELECT row_group_id FROM {probed} WHERE NOT bloom_filter_excludes"
        found = {
            row["question_id"]: db.execute(probe, {"id": row["question_id"]}).fetchall()
            for row in pq.read_table(path).to_pylist()
        }
    assert all(len(groups) == 1 for groups in found.values())


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    results = [pairs(tmp_path / name)[0] for name in "ab"]
    assert results[0]["name"] != results[1]["name"], "two attempts of one task never write to the same file"
    assert results[0]["about"] == results[1]["about"]
    other = pairs(tmp_path / "c", ROWS[1:])[0]
    assert other["about"]["sha256"] != results[0]["about"]["sha256"]


def test_groups_of_rows_are_of_one_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enumerated = pairs(tmp_path / "whole")
    monkeypatch.setattr(write, "ROWS_A_GROUP", 2)
    parts = pairs(tmp_path / "parts")
    assert parts[1:] == enumerated[1:]
    read = [pq.ParquetFile(next((tmp_path / name).iterdir())) for name in ("whole", "parts")]
    assert read[0].read().sort_by("question_id") == read[1].read().sort_by("question_id")
    years = [read[1].read_row_group(n, ["template_id", "year"]).to_pylist() for n in range(read[1].num_row_groups)]
    # Each group has the next years of a template, in the order of wordings.
    assert [sorted(row["year"] for row in group) for group in years] == [[1970, 1990], [1985], [1985, 1990]]
    # What is faulty leaves its group one row short.
    assert [read[1].metadata.row_group(n).num_rows for n in range(read[1].num_row_groups)] == [2, 1, 2]


def test_a_task_without_rows_writes_nothing(tmp_path: Path) -> None:
    assert list(write_comparisons({}, made(), str(tmp_path / "a"), "x", SCHEMA)) == []
    described = pairs(tmp_path / "a", [(9, 0, 0, 4, 0, 1)])
    assert [(line["kind"], line["name"], line["rows"]) for line in described] == [
        ("rejected", "the names reveal the years being compared", 1)
    ]
    assert not (tmp_path / "a").exists()
    assert list(write_bindings(iter([]), {}, str(tmp_path / "a"), "x", SCHEMA)) == []


def test_where_all_questions_are_faulty_the_file_is_empty(tmp_path: Path) -> None:
    file, rejected = pairs(tmp_path, [(8, 1, 0, 3, 0, 0)])
    assert (file["rows"], rejected["rows"]) == (0, 1)
    assert pq.read_table(tmp_path / file["name"]).num_rows == 0
    assert pq.read_schema(tmp_path / file["name"]).names == SCHEMA.names


def test_the_split_is_in_the_name_of_the_file(tmp_path: Path) -> None:
    (file,) = pairs(tmp_path, [(1, 3, 0, 1, 0, 0)], "pairs-00007")
    assert file["name"].startswith("test-pairs-00007-")
    assert set(pq.read_table(tmp_path / file["name"])["split"].to_pylist()) == {"test"}


def test_a_null_in_a_required_column_is_refused(tmp_path: Path) -> None:
    sink = QuestionFile(str(tmp_path), "x", SCHEMA, 1)
    row = bound([(1, 1, 0, 1, 0, 0)]) | {"wording": np.zeros(1, dtype=np.int8)}
    rows = made().build_rows(row, pa.array(["Which?"]), SCHEMA)
    for name in ("topic", "question"):
        rows = rows.set_column(rows.schema.get_field_index(name), name, pa.nulls(1, pa.string()))
    with pytest.raises(ValueError, match="table questions: nulls in question, topic"):
        sink.add(rows)


def test_what_tasks_have_rejected_adds_up() -> None:
    tasks = [RecordCounts(), RecordCounts()]
    for start, rejected in zip((30, 0), tasks, strict=True):
        rejected.reject("question", "odd", 30, [f"text {n:02d}" for n in range(start, start + 30)])
        rejected.reject("binding", "odd", 1, ["x" * 300])
    counts = read_rejected(line for rejected in tasks for line in list_rejected(rejected))
    assert counts.records["question", "rejected", "odd"] == 60
    assert counts.examples["question", "odd"] == [f"text {n:02d}" for n in range(EXAMPLES)]
    assert counts.examples["binding", "odd"] == ["x" * 200]


def test_of_many_rejected_ten_are_shown(tmp_path: Path) -> None:
    (line,) = pairs(tmp_path, [(n, 0, n % 3, 3 + n % 2, 0, 1) for n in range(60)])
    assert line["rows"] == 60
    assert len(line["about"]["examples"]) <= EXAMPLES


ENUMERATED = Template.model_validate(
    {"id": "w", "version": 1, "type": "1b", "relation": "single_value", "slots": {"it": {"entity": "a"}}}
    | {
        "questions": {0: "What is {it}?", 1: "Which is {it}?", 2: "Who is {it}?"},
        "answer": {"number": "1"},
        "rule": "x",
    }
    | {"check": "SELECT 1", "example": {}}
)


def enumerated(*rows: dict[str, Any]) -> list[pa.RecordBatch]:
    plain: dict[str, Any] = {name: [] for name in ("answer_entity", "answer_countries", "hops", "countries")}
    plain |= {"answer": ["1"], "slots": [{"entity": 1, "form": "name", "text": None}], "head": 1}
    plain |= {"popular": True, "type": "1b", "topic": "medtop:1"}
    fields = [f.with_nullable(True) for f in convert_schema(BINDINGS)]
    fields += [pa.field(name, pa.list_(pa.string())) for name in ("texts", "described_labels", "answer")]
    fields += [pa.field("answer_countries", pa.list_(pa.int64()))]
    return pa.Table.from_pylist([plain | row for row in rows], pa.schema(fields)).to_batches(max_chunksize=2)


def test_enumerated_bindings_are_one_sorted_file_a_split(tmp_path: Path) -> None:
    other = ENUMERATED.model_copy(update={"id": "v"})
    each = [
        *(("train", "w", 1990), ("test", "w", 1985), ("train", "v", 2000), ("train", "w", 1985)),
        *(("train", "v", None), ("test", "v", 1990), ("train", "v", 2000), ("train", "w", 1985)),
    ]
    rows = [
        {
            "question_id": 100 - n,
            "split": split,
            "template_id": name,
            "span": {"start": year and dt.date(year, 5, 1), "end": None},
            "texts": [f"N{n}"],
        }
        for n, (split, name, year) in enumerate(each)
    ]
    rows[1] |= {"texts": [None]}
    rows[6] |= {"answer": ["N6"]}
    attempts = [
        list(
            write_bindings(
                iter(enumerated(*order)), {"w": ENUMERATED, "v": other}, str(tmp_path / name), "whole-00000", SCHEMA
            )
        )
        for name, order in (("a", rows), ("b", rows[::-1]))
    ]
    files = [line for line in attempts[0] if line["kind"] == "file"]
    assert sorted((f["name"].split("-")[0], f["rows"]) for f in files) == [("test", 1), ("train", 5)]
    (train,) = (f for f in files if f["name"].startswith("train-whole-00000-"))
    read = pq.read_table(tmp_path / "a" / train["name"])
    assert [(r["template_id"], r["year"], r["wording"], r["question"]) for r in read.to_pylist()] == [
        ("v", 2000, 0, "What is N2?"),
        ("v", None, 1, "Which is N4?"),
        ("w", 1985, 0, "What is N3?"),
        ("w", 1985, 2, "Who is N7?"),
        ("w", 1990, 0, "What is N0?"),
    ]
    assert read.schema.equals(SCHEMA)
    assert {(line["name"], line["rows"], line["about"]) for line in attempts[0] if line["kind"] == "rejected"} == {
        ("an entity has no unambiguous name", 1, json.dumps({"record_type": "question", "examples": ["w"]})),
        ("the answer stands in the question", 1, json.dumps({"record_type": "question", "examples": ["What is N6?"]})),
    }
    assert [line["about"] for line in attempts[0]] == [line["about"] for line in attempts[1]], (
        "in whatever order they come"
    )


@pytest.mark.parametrize("scheme", ["", "file:", "file://"])
def test_a_folder_may_be_named_as_hadoop_names_it(tmp_path: Path, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "made"
    list(write_comparisons(bound(ROWS), made(), f"{scheme}{folder}", "x", SCHEMA))
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
    assert len(list(folder.iterdir())) == 1
