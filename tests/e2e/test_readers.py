"""The dataset loads as it is, whoever reads it: the same rows with the same values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from everwhen.core.build import Build
from everwhen.families.complextempqa.tables.questions import QUESTIONS

pytestmark = pytest.mark.spark

Row = tuple[int, str, list[str], int | None]


def by_hugging_face(folder: Path, cache: Path) -> list[Any]:
    import datasets

    splits = datasets.load_dataset(str(folder), "complextempqa", cache_dir=str(cache))
    return [row for split, rows in splits.items() for row in rows if row["split"] == split]


def by_hugging_face_streaming(folder: Path, cache: Path) -> list[Any]:
    import datasets

    splits = datasets.load_dataset(str(folder), "complextempqa", streaming=True, cache_dir=str(cache))
    return [row for split, rows in splits.items() for row in rows if row["split"] == split]


def by_duckdb(folder: Path, cache: Path) -> list[Any]:
    found = duckdb.sql(
        f"SELECT question_id, question, answer, property FROM '{folder}/complextempqa/questions/*.parquet'"
    )
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def by_polars(folder: Path, cache: Path) -> list[Any]:
    import polars as pl

    return pl.read_parquet(f"{folder}/complextempqa/questions/*.parquet").to_dicts()


def by_pandas(folder: Path, cache: Path) -> list[Any]:
    frame = pd.read_parquet(folder / "complextempqa" / "questions")
    frame["property"] = frame["property"].astype(object).where(frame["property"].notna(), None)
    return frame.to_dict("records")


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(by_hugging_face, marks=pytest.mark.full),
        pytest.param(by_hugging_face_streaming, marks=pytest.mark.full),
        by_duckdb,
        pytest.param(by_polars, marks=pytest.mark.full),
        by_pandas,
    ],
)
def test_every_reader_finds_the_same_rows(
    read: Callable[[Path, Path], list[Any]], small_world_build: Build, tmp_path: Path
) -> None:
    folder = Path(small_world_build.root) / "dataset" / small_world_build.config.version
    columns = ("question_id", "question", "answer", "property")

    def plain(row: Any) -> Row:
        number = row["property"]
        return (row["question_id"], row["question"], list(row["answer"]), None if number is None else int(number))

    expected = sorted(plain(row) for row in small_world_build.read(QUESTIONS).select(*columns).collect())
    assert sorted(plain(row) for row in read(folder, tmp_path)) == expected
