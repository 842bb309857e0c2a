"""What the checks read in a text: dates, lengths of time and numbers, as others write them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from everwhen.families import tdbench
from everwhen.temporal.phrases import SMALL_NUMBERS, write_date
from everwhen.temporal.precision import Precision

CHECKS = Path(tdbench.__file__).with_name("checks")


@pytest.fixture(scope="module")
def db() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        for name in ("keys.sql", "texts.sql"):
            for statement in connection.extract_statements((CHECKS / name).read_text(encoding="utf-8")):
                if "CREATE MACRO" in statement.query:
                    connection.execute(statement)
        yield connection


def evaluate(db: duckdb.DuckDBPyConnection, macro: str, text: str) -> Any:
    ((value,),) = db.execute(f"SELECT {macro}($1)", [text]).fetchall()
    return value


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    days=st.lists(
        st.tuples(
            st.dates(date(1, 1, 1), date(2100, 1, 1)), st.sampled_from([Precision(9), Precision(10), Precision(11)])
        ),
        max_size=3,
    )
)
def test_dates_in_words_are_read(db: duckdb.DuckDBPyConnection, days: list[tuple[date, Precision]]) -> None:
    text = "who began " + " but not ".join(write_date(*day) for day in days) + "?"
    assert evaluate(db, "dates_in", text) == sorted({day.isoformat()[: 3 * precision - 23] for day, precision in days})


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on 2 January 2025", ["2025-01-02"]),
        ("on January 2, 2025, and in January 2025", ["2025-01", "2025-01-02"]),
        ("on the 3rd of May 1990", ["1990-05-03"]),
        ("from 2025-01-02 to 2026-03", ["2025-01-02", "2026-03"]),
        ("in 1990 or in 1992", ["1990", "1992"]),
        ("in April 1990s or so", []),
        ("in May, number 12345", []),
        ("from 4 September AD 476", ["0476-09-04"]),
    ],
)
def test_dates_in_other_forms_are_read(db: duckdb.DuckDBPyConnection, text: str, dates: list[str]) -> None:
    assert evaluate(db, "dates_in", text) == dates


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("exactly four months before 1 May 1990", 4),
        ("exactly 24 months after 1 May 1990", 24),
        ("half a year before May 1990", 6),
        ("a year after 1990", 12),
        ("Two years after 1990", 24),
        ("2 years and 3 months after 1990", 27),
        ("120 days before 1 May 1990", None),
        ("before 1 May 1990", 0),
    ],
)
def test_lengths_of_time_are_read_in_months(db: duckdb.DuckDBPyConnection, text: str, months: int | None) -> None:
    assert evaluate(db, "months_in", text) == months


def test_numbers_in_words_are_read(db: duckdb.DuckDBPyConnection) -> None:
    assert evaluate(db, "numbers_in", " ".join(SMALL_NUMBERS[1:])) == list(range(1, 21))
    assert evaluate(db, "numbers_in", "twice, 21 times or once") == [2, 21, 1]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *(("1", "1st"), ("2", "2nd"), ("11", "11th"), ("23", "23rd"), ("112", "112th")),
        *(
            ("007", "7th"),
            (" 3 ", "3rd"),
            ("-1", "-1st"),
            ("XXX", "XXX"),
            ("1.5", "1.5"),
            ("99999999999", "99999999999"),
        ),
    ],
)
def test_ordinals_are_written(db: duckdb.DuckDBPyConnection, number: str, text: str) -> None:
    assert evaluate(db, "ordinal", number) == text
