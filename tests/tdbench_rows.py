"""Rows of a temporal table made in code, for tests of what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.tables.rows import ROWS
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import read_date

Row = tuple[Mapping[str, str], str, str | None]
"""Values by column, stated start, stated end or None."""


def declare(text: Mapping[str, Any], columns: Sequence[str]) -> Declaration:
    """Make a declaration without a file."""
    declaration = Declaration.model_validate({"from": {"file": "table.csv"}, **text})
    declaration._path, declaration._columns = Path(f"{declaration.name}.yaml"), tuple(columns)
    return declaration


def list_rows(declaration: Declaration, rows: Iterable[Row]) -> list[tuple[Any, ...]]:
    """State rows as the table `rows` has them; their ids count from one."""
    return [_state(declaration, number, *row) for number, row in enumerate(rows, 1)]


def create_rows(spark: SparkSession, rows: Sequence[tuple[Any, ...]]) -> DataFrame:
    """Make a DataFrame with the columns of the table `rows`."""
    return spark.createDataFrame(list(rows), ROWS.ddl)


def _state(declaration: Declaration, number: int, fields: Mapping[str, str], start: str, end: str | None) -> Any:
    is_points = declaration.time.end is None
    started, ended = _read(start), _read(start if is_points else end)
    first = last = None
    if ended is not None:
        first, last = ended.first, ended.last
        if declaration.time.ends == "inclusive" and not is_points:
            following = TimeValue.from_day(last + timedelta(days=1), int(ended.precision))
            first, last = following.first, following.last
    assert started is not None
    return (
        number,
        declaration.name,
        dict(fields),
        start,
        start if is_points else end,
        int(started.precision),
        int(ended.precision) if ended else None,
        started.first,
        started.last,
        first,
        last,
    )


def _read(text: str | None) -> TimeValue | None:
    return read_date(text) if text else None


def day(text: str) -> date:
    """Read an ISO date."""
    return date.fromisoformat(text)
