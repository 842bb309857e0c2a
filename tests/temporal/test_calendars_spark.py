from __future__ import annotations

from datetime import date, timedelta

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.temporal.calendars import find_julian_date
from everwhen.temporal.calendars_spark import find_stated_year, write_stated_day

pytestmark = pytest.mark.spark


def test_days_are_written_in_the_calendar_in_which_they_are_stated(spark: SparkSession) -> None:
    days = [date(1, 1, 1) + timedelta(days=n * 1_237) for n in range(2_900)] + [date(1700, 3, 11), date(1616, 5, 3)]
    found = spark.createDataFrame([(day,) for day in days], "day date").select(
        "day",
        write_stated_day(F.col("day"), F.lit("julian")).alias("julian"),
        write_stated_day(F.col("day"), F.lit("gregorian")).alias("gregorian"),
    )
    for row in found.collect():
        assert row.julian == "{:04d}-{:02d}-{:02d}".format(*find_julian_date(row.day))
        assert row.gregorian == row.day.isoformat()


@pytest.mark.parametrize(
    ("first", "last", "calendar", "year"),
    [
        pytest.param("1603-05-01", "1603-05-31", "julian", 1603, id="both-calendars-agree"),
        pytest.param("1603-01-07", "1603-01-07", "julian", None, id="december-by-its-own-calendar"),
        pytest.param("1603-01-07", "1603-01-07", "gregorian", 1603, id="gregorian"),
        pytest.param("1603-01-11", "1604-01-10", "julian", None, id="a-julian-year"),
        pytest.param("1603-05-01", "1604-05-01", "gregorian", None, id="two-years"),
    ],
)
def test_a_year_is_told_where_both_calendars_agree(
    spark: SparkSession, first: str, last: str, calendar: str, year: int | None
) -> None:
    days = (F.lit(date.fromisoformat(day)) for day in (first, last))
    (row,) = spark.range(1).select(find_stated_year(*days, F.lit(calendar)).alias("year")).collect()
    assert row.year == year
