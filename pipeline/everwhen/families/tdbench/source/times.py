"""Times of declared tables: texts read to days, each form once."""

from __future__ import annotations

import re

import duckdb
import pyarrow as pa

from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import read_date
from everwhen.temporal.precision import Precision

TIMESTAMP = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)? ?(Z|UTC|[+-]\d{2}(:?\d{2})?)?")
"""A day with a time of the day, as databases and spreadsheets write it; the day counts as it is written."""

YEAR_AS_NUMBER = re.compile(r"(\d{4})\.0")
"""A year in a column that has become floating-point numbers because values were missing."""

MACROS = f"""
CREATE OR REPLACE MACRO first_of(day, p) AS CAST(CASE p WHEN {Precision.YEAR} THEN date_trunc('year', day)
    WHEN {Precision.MONTH} THEN date_trunc('month', day) ELSE day END AS DATE);
CREATE OR REPLACE MACRO last_of(day, p) AS CAST(CASE p WHEN {Precision.YEAR} THEN make_date(year(day), 12, 31)
    WHEN {Precision.MONTH} THEN last_day(day) ELSE day END AS DATE);
CREATE OR REPLACE MACRO shift_unit(day, p, n) AS CAST(CASE p WHEN {Precision.YEAR} THEN first_of(day, p) + to_years(n)
    WHEN {Precision.MONTH} THEN first_of(day, p) + to_months(n) ELSE day + to_days(n) END AS DATE);
CREATE OR REPLACE MACRO write_iso(day, p) AS left(CAST(day AS VARCHAR), CASE p WHEN {Precision.YEAR} THEN 4
    WHEN {Precision.MONTH} THEN 7 ELSE 10 END);
"""
"""First and last day of the unit of a precision around a day, the unit n later, and its text in ISO 8601."""


def read_time(text: str) -> TimeValue | None:
    """Read a day, a month or a year; None where the text is none for certain.

    >>> read_time("2010-05-31 00:00:00") == read_time("May 31, 2010") == read_time("2010-05-31")
    True
    >>> read_time("2010.0") == read_time("2010"), read_time("31/05/2010"), read_time("2010-13")
    (True, None, None)
    """
    plain = text.strip()
    for form in (TIMESTAMP, YEAR_AS_NUMBER):
        if found := form.fullmatch(plain):
            plain = found[1]
    return read_date(plain)


def load_readings(db: duckdb.DuckDBPyConnection, columns: list[str]) -> None:
    """Read every text that the columns of `records` have, once, and keep the result as table `readings`.

    Args:
        db: Has the table `records`; gets `readings` with the columns text, day and precision: those of texts that are a
            date for certain.
        columns: The columns of times.
    """
    union = " UNION ".join(f"SELECT DISTINCT {column} AS text FROM records" for column in columns)
    texts = [
        row[0] for row in db.execute(f"SELECT text FROM ({union}) WHERE trim(text) <> '' ORDER BY text").fetchall()
    ]
    read = [(text, value) for text in texts if (value := read_time(text)) is not None]
    arrow = pa.table(
        {
            "text": pa.array([text for text, _ in read], pa.string()),
            "day": pa.array([value.first for _, value in read], pa.date32()),
            "precision": pa.array([value.precision for _, value in read], pa.int8()),
        }
    )
    db.register("arrow", arrow)
    db.execute("CREATE OR REPLACE TABLE readings AS SELECT * FROM arrow")
    db.unregister("arrow")
