"""The dataset loads as it is, whoever reads it: the same rows with the same values."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from everwhen.families.complextempqa.build import BUILD
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.publish.names import name_readers
from hostile_world import UndisturbedBuild

pytestmark = pytest.mark.full

Row = tuple[int, str, list[str], int | None]
COLUMNS = ["question_id", "question", "answer", "property"]


def by_hugging_face(folder: Path, cache: Path) -> list[Any]:
    import datasets

    splits = datasets.load_dataset(str(folder), "complextempqa", cache_dir=str(cache))
    return [row for split, rows in splits.items() for row in rows if row["split"] == split]


def by_hugging_face_streaming(folder: Path, cache: Path) -> list[Any]:
    import datasets

    splits = datasets.load_dataset(str(folder), "complextempqa", streaming=True, cache_dir=str(cache))
    return [row for split, rows in splits.items() for row in rows if row["split"] == split]


def open_croissant(folder: Path) -> Any:
    import mlcroissant  # seconds, which only these tests should take

    return mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))


def by_croissant(folder: Path, cache: Path) -> list[Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, bytes):
            return value.decode()
        return [plain(part) for part in value] if isinstance(value, list) else value

    rows = open_croissant(folder).records("complextempqa")
    return [{name.rpartition("/")[2]: plain(value) for name, value in row.items()} for row in rows]


def by_duckdb(folder: Path, cache: Path) -> list[Any]:
    found = duckdb.sql(
        f"SELECT question_id, question, answer, property FROM '{folder}/complextempqa/questions/*.parquet'"
    )
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def by_polars(folder: Path, cache: Path) -> list[Any]:
    import polars as pl

    return pl.read_parquet(f"{folder}/complextempqa/questions/*.parquet").to_dicts()


def by_pandas(folder: Path, cache: Path) -> list[Any]:
    df = pd.read_parquet(folder / "complextempqa" / "questions")
    df["property"] = df["property"].astype(object).where(df["property"].notna(), None)
    return df.to_dict("records")


def list_rows(rows: Iterable[Any]) -> list[Row]:
    """The columns that are compared, of rows of any reader."""
    found = []
    for row in rows:
        number = row["property"]
        found.append(
            (row["question_id"], row["question"], list(row["answer"]), None if number is None else int(number))
        )
    return sorted(found)


def list_written(undisturbed: UndisturbedBuild) -> list[Row]:
    """The rows that the build wrote before it published them."""
    (written,) = (undisturbed.out / "complextempqa" / "questions").glob("rows-*")
    expected = list_rows(pq.read_table(written, columns=COLUMNS).to_pylist())
    assert len(expected) > 500
    return expected


@pytest.mark.parametrize(
    "read", [by_hugging_face, by_hugging_face_streaming, by_croissant, by_duckdb, by_polars, by_pandas]
)
def test_every_reader_finds_the_same_rows(
    read: Callable[[Path, Path], list[Any]], undisturbed: UndisturbedBuild, tmp_path: Path
) -> None:
    assert list_rows(read(undisturbed.dataset, tmp_path)) == list_written(undisturbed)


@pytest.mark.spark
def test_spark_finds_the_same_rows_with_the_types_of_the_table(
    undisturbed: UndisturbedBuild, spark: SparkSession
) -> None:
    read = spark.read.parquet(str(undisturbed.dataset / "complextempqa" / "questions"))
    assert {field.name: field.dataType.simpleString() for field in read.schema} == {
        field.name: field.dataType.simpleString() for field in QUESTIONS.schema
    }
    assert list_rows(read.select(*COLUMNS).collect()) == list_written(undisturbed)


def test_hugging_face_finds_the_item_sets(undisturbed: UndisturbedBuild, tmp_path: Path) -> None:
    import datasets

    files = f"{undisturbed.dataset}/complextempqa/questions/test-*.parquet"
    tested = set(duckdb.sql(f"SELECT question_id FROM '{files}'").fetchall())
    assert tested
    for name in ("lite-1000", "lite-10000"):
        rows = datasets.load_dataset(str(undisturbed.dataset), f"complextempqa-{name}", cache_dir=str(tmp_path))["test"]
        assert {row["item_set"] for row in rows} == {name}
        assert {(row["question_id"],) for row in rows} == tested  # of the small world the sets have all


def test_croissant_describes_nested_columns(undisturbed: UndisturbedBuild) -> None:
    row = next(iter(open_croissant(undisturbed.dataset).records("complextempqa")))
    questions = pq.read_table(undisturbed.dataset / "complextempqa" / "questions").to_pylist()
    (stored,) = (q for q in questions if q["question_id"] == row["complextempqa/question_id"])
    start = row["complextempqa/timeframe"]["complextempqa/timeframe/start"]
    assert start.date() == stored["timeframe"]["start"]


def test_croissant_describes_every_table(undisturbed: UndisturbedBuild) -> None:
    dataset = open_croissant(undisturbed.dataset)
    assert dataset.metadata.issues.errors == set()
    manifest = json.loads((undisturbed.dataset / "manifest.json").read_text())
    rows = {s.id: sum(1 for _ in itertools.islice(dataset.records(s.id), 3)) for s in dataset.metadata.record_sets}
    assert rows == {
        name_readers([BUILD])[folder]: min(3, table["rows"]) for folder, table in manifest["tables"].items()
    }
