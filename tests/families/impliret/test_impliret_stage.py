"""What the stage derives in columns: prices, dates, answers and lures; the partitions change nothing."""

from __future__ import annotations

import datetime as dt
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.families.impliret.config import NAME, Pool
from everwhen.families.impliret.draws.sets import load_words
from everwhen.families.impliret.stage import add_landmarks, ask, derive_tuples, draw_tuples, write_texts

pytestmark = pytest.mark.spark

DRAWN = (
    "pool string, set_number int, place int, base_price int, percent int, factor decimal(4,2), direction string,"
    " message_date date, offsets array<int>, asked_index int"
)
SETTINGS = {"sets": 2, "categories": ["arithmetic", "temporal"]}


def open_build(spark: SparkSession, folder: Path, **settings: Any) -> Build:
    """A build of this family alone."""
    config = Config(version="t", snapshot="s", families={NAME: SETTINGS | settings})
    return Build(spark, config, str(folder), console=Console(file=io.StringIO()))


@pytest.mark.parametrize(
    ("base", "percent", "factor", "direction", "price"),
    [
        (2000, 20, None, "lower", 1600),
        (750, 12, None, "higher", 840),
        (880, None, "2.05", "higher", 1804),
        (1870, None, "2.75", "lower", 680),
    ],
)
def test_a_price_follows_from_another(
    spark: SparkSession, base: int, percent: int | None, factor: str | None, direction: str, price: int
) -> None:
    row = ("arithmetic_uni", 0, 0, base, percent, factor and Decimal(factor), direction, None, None, None)
    (found,) = derive_tuples(spark.createDataFrame([row], DRAWN), "seed").collect()
    assert found["price"] == price


def test_dates_follow_from_the_day_of_the_message(spark: SparkSession) -> None:
    row = ("temporal_uni", 0, 0, None, None, None, None, dt.date(2024, 3, 1), [-2, -1, 1], 1)
    (found,) = derive_tuples(spark.createDataFrame([row], DRAWN), "seed").collect()
    assert found["dates"] == [dt.date(2024, 2, 28), dt.date(2024, 2, 29), dt.date(2024, 3, 2)]
    assert found["asked_date"] == dt.date(2024, 2, 29)


def test_rows_are_the_same_from_any_partitions(spark: SparkSession, tmp_path: Path) -> None:
    build, pools = open_build(spark, tmp_path), [Pool("arithmetic_multi", "arithmetic", "multi")]
    found = []
    for partitions in (2, 64):
        drawn = derive_tuples(draw_tuples(build, pools, load_words()), "seed").repartition(partitions)
        written = ask(build, write_texts(add_landmarks(drawn, None, 30, "seed"), "seed"))
        found.append(sorted(written.select("query_id", "document", "text", "split").collect()))
    assert found[0] == found[1]
    assert len({row["document"] for row in found[0]}) == 60


def test_a_header_that_bears_the_date_of_another_query_is_a_lure(spark: SparkSession, tmp_path: Path) -> None:
    build, pools = open_build(spark, tmp_path), [Pool("temporal_multi", "temporal", "multi")]
    drawn = derive_tuples(draw_tuples(build, pools, load_words()), "seed")
    rows = ask(build, write_texts(add_landmarks(drawn, None, 30, "seed"), "seed")).collect()
    assert sorted(row["place"] for row in rows if not row["has_lure"]) == [0, 0]
    assert all(row["answer"] == [row["speaker"]] for row in rows)


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        ({"brand": "Balven", "model": 2016, "item": "kayaks", "speaker": "Ada"}, "Balven 2016"),
        ({"brand": "Balven", "item": "sofa bed", "speaker": "Ada"}, "Balven sofa bed"),
        ({"deed": "flying a kite", "speaker": "Ada"}, "Ada"),
        ({"activity": "oil the loom", "speaker": "Ada"}, "oil the loom"),
        ({"deed": "got engaged", "speaker": "Ada"}, "Ada"),
        ({"purpose": "to polish the brass handles", "speaker": "Ada"}, "to polish the brass handles"),
    ],
)
def test_an_answer_is_what_a_tuple_implies(
    spark: SparkSession, tmp_path: Path, row: dict[str, Any], answer: str
) -> None:
    columns = "brand string, model int, item string, deed string, activity string, purpose string, speaker string"
    columns += ", set_id bigint, message_date date, asked_date date, query string"
    (found,) = ask(
        open_build(spark, tmp_path), spark.createDataFrame([{"set_id": 1, "query": "?", **row}], columns)
    ).collect()
    assert (found["answer"], found["has_lure"]) == ([answer], False)
