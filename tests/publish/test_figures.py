from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.families.family_build import Items
from everwhen.publish.figures import read_item, sample_items

ITEMS = Items(QUESTIONS, "question_id", show=("type", "question", "answer"))


@pytest.mark.parametrize(("types", "ids"), [(7, [0, 1, 2, 3, 4]), (2, [0, 1, 2, 3, 4]), (1, [0, 1, 2, 3, 4])])
def test_the_least_of_each_type_are_read(tmp_path: Path, types: int, ids: list[int]) -> None:
    rows = [
        {"question_id": n, "question": f"Question {n}?", "answer": ["x", "y"], "type": f"type {n % types}"}
        for n in range(70)
    ]
    for number, part in enumerate((rows[40:], rows[:40])):
        pq.write_table(pa.Table.from_pylist(part), tmp_path / f"{number}.parquet")
    shown = sample_items(tmp_path, ITEMS)
    assert sorted(row["question_id"] for row in shown) == ids
    assert shown == sorted((rows[n] for n in ids), key=lambda row: (row["type"], row["question_id"]))


def test_a_type_of_few_rows_is_among_them(tmp_path: Path) -> None:
    rows = [{"question_id": n, "question": "?", "answer": ["x"], "type": "b" if n == 69 else "a"} for n in range(70)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "0.parquet")
    assert [row["question_id"] for row in sample_items(tmp_path, ITEMS)] == [0, 1, 2, 3, 69]


def test_an_empty_table_has_no_samples(tmp_path: Path) -> None:
    columns = {"question_id": pa.int64(), "question": pa.string(), "answer": pa.list_(pa.string()), "type": pa.string()}
    pq.write_table(pa.schema(list(columns.items())).empty_table(), tmp_path / "0.parquet")
    assert sample_items(tmp_path, ITEMS) == []


def test_preferred_items_come_first(tmp_path: Path) -> None:
    rows = [{"question_id": n, "question": "?", "answer": ["x"], "type": "a", "is_unnamed": n < 67} for n in range(70)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "0.parquet")
    shown = sample_items(tmp_path, replace(ITEMS, prefer="NOT is_unnamed"))
    assert [row["question_id"] for row in shown] == [0, 1, 67, 68, 69]


def test_preferred_examples_come_first(tmp_path: Path) -> None:
    rows = [{"question_id": n, "question": "?", "answer": ["x"], "type": "b" if n < 9 else "a"} for n in range(70)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "0.parquet")
    shown = sample_items(tmp_path, replace(ITEMS, prefer="type = 'a'"))
    assert [row["question_id"] for row in shown] == [9, 10, 11, 12, 13]


def test_an_item_is_read_with_all_its_columns(tmp_path: Path) -> None:
    rows = [{"question_id": n, "question": f"Question {n}?", "answer": ["x", "y"]} for n in range(3)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "0.parquet")
    assert read_item(tmp_path, ITEMS, 1) == rows[1]
