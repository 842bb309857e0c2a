"""Expectation suites (`suites/*.json`), and the results of running them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from everwhen.core.errors import InputError, ValidationFailed
from everwhen.core.models import StrictModel, validate_model


class Meta(StrictModel):
    """Notes of a suite on one expectation."""

    why: str
    """Why a row has to meet it."""


class Expectation(StrictModel):
    """One expectation in Great Expectations' own format."""

    type: str
    kwargs: dict[str, Any]
    meta: Meta

    def __str__(self) -> str:
        """The expectation as a call."""
        return f"{self.type}({', '.join(f'{key}={value!r}' for key, value in self.kwargs.items())})"

    @property
    def column(self) -> str | None:
        """The column that it is about; None where it is about the table as a whole."""
        return self.kwargs.get("column")


class Suite(StrictModel):
    """The expectations of one table."""

    name: str
    id: str
    """The column that names a row."""
    columns: dict[str, str] = Field(min_length=1)
    """The columns to check, as DuckDB's SQL: flat, and with few values, so that many rows are equal. A condition that
    is null is not met."""
    unique: dict[str, str] = Field(default_factory=dict)
    """Columns that must differ in every row, as DuckDB's SQL; their value is the number of repeated values."""
    expectations: list[Expectation] = Field(min_length=1)


@dataclass(frozen=True)
class Failure:
    """An expectation that was not met, with up to ten of the rows."""

    expectation: str
    why: str
    rows_wrong: int | None
    """How many rows do not meet it; None where it is about the table as a whole."""
    observed: Any
    """What was found instead, where it is about the table as a whole."""
    rows: tuple[dict[str, Any], ...]

    def __str__(self) -> str:
        """What failed, why it matters, and the rows."""
        found = f"found {self.observed}" if self.rows_wrong is None else f"{self.rows_wrong:,} rows"
        lines = [f"  {self.expectation}: {found}", f"    {self.why}"]
        lines += [f"    {json.dumps(row, ensure_ascii=False, default=str)}" for row in self.rows]
        return "\n".join(lines)


@dataclass(frozen=True)
class SuiteResult:
    """The result of one suite on one table."""

    suite: str
    table: str
    expectations: tuple[Expectation, ...]
    """All that were run."""
    failures: tuple[Failure, ...]

    @property
    def checked(self) -> int:
        """How many expectations were run."""
        return len(self.expectations)

    @property
    def passed(self) -> int:
        """How many expectations were met."""
        return self.checked - len(self.failures)

    def __str__(self) -> str:
        """One line, and the failures below it."""
        head = f"{self.table}: {self.passed} of {self.checked} expectations met (suite {self.suite})"
        return "\n".join([head, *map(str, self.failures)])


def load_suite(path: Path) -> Suite:
    """Load a suite, a file `<name>.json`.

    Raises:
        InputError: It cannot be read, has an unknown key, or an expectation is about a column that it does not declare.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    suite = validate_model(Suite, data, path)
    if suite.name != path.stem:
        raise InputError(f"{path}: name: {suite.name} is not the file's name")
    for expectation in suite.expectations:
        if expectation.column is not None and expectation.column not in {**suite.columns, **suite.unique}:
            raise InputError(f"suite {suite.name}: {expectation}: no column {expectation.column}")
    return suite


def raise_on_failures(results: Sequence[SuiteResult]) -> None:
    """Raise if a suite has failures.

    Raises:
        ValidationFailed: An expectation is not met; the message shows which, why, and up to ten rows of each.
    """
    broken = [result for result in results if result.failures]
    if broken:
        raise ValidationFailed("\n".join(map(str, broken)))
