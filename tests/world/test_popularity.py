from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Config, Views
from everwhen.tables.facts import ENTITIES, PAGEVIEWS
from everwhen.tables.world import POPULARITY
from everwhen.world.popularity import find_obscurity_reason, join_views, rate_popularity
from table_rows import build_table

pytestmark = pytest.mark.spark

BIG = 10**12


def test_popular_is_one_standard_deviation_exactly(spark: SparkSession) -> None:
    # Events 2, 4, 4, 4, 5, 5, 7, 9: the mean is 5, the standard deviation exactly 2.
    events = {1: 2, 2: 4, 3: 4, 4: 4, 5: 5, 6: 5, 7: 7, 8: 9}
    # Items 2 and BIG alike: the standard deviation is (BIG - 2) / 2, far beyond what a double tells apart.
    items = {11: 2, 12: BIG}
    views = [*events.items(), *items.items(), (20, None), (21, BIG // 2 - 1), (22, BIG // 2 - 2), (23, None)]
    populations = [(n, "events") for n in [*events, 20]] + [(n, "items") for n in items]
    found = rate_popularity(
        spark.createDataFrame(views, "entity bigint, views bigint").repartition(3),
        spark.createDataFrame(populations, "entity bigint, population string"),
    ).collect()
    popular = {row.entity: row.popular for row in found}
    assert len(found) == len(views)
    assert popular == {n: True for n in events} | {11: False, 12: True, 20: False, 21: True, 22: False, 23: False}
    assert {row.entity: row.population for row in found if row.entity >= 20} == {
        20: "events",
        21: "items",
        22: "items",
        23: "items",
    }
    assert {row.entity for row in found if not row.member} == {21, 22, 23}


@pytest.mark.parametrize(
    ("views", "expected"),
    [
        # sqrt((0 + 9 + 36 + 81) / 4 - 4.5 ** 2) = sqrt(11.25): 3 is below, 4 above.
        pytest.param([0, 3, 6, 9], {0: False, 3: False, 6: True, 9: True}, id="between"),
        pytest.param([1, 7], {1: False, 7: True}, id="two"),
        pytest.param([3, 9], {3: True, 9: True}, id="equal-is-popular"),
        pytest.param([5], {5: True}, id="alone"),
        pytest.param([0, 0], {0: True}, id="nobody-looks"),
    ],
)
def test_boundaries(spark: SparkSession, views: list[int], expected: dict[int, bool]) -> None:
    rows = list(enumerate(views))
    found = rate_popularity(
        spark.createDataFrame(rows, "entity bigint, views bigint"),
        spark.createDataFrame([(n, "events") for n, _ in rows], "entity bigint, population string"),
    )
    assert POPULARITY.select(found).columns == ["entity", "population", "member", "views", "popular"]
    assert {row.views: row.popular for row in found.collect()} == expected


FEW_VIEWS, FEW_LINKS = "fewer views than the list asks for", "unknown views, and fewer sitelinks than asked for"


@pytest.mark.parametrize(
    ("views", "sitelinks", "reason", "kept_unknown"),
    [
        (300, None, None, None),
        (299, 90, FEW_VIEWS, FEW_VIEWS),
        (0, 90, FEW_VIEWS, FEW_VIEWS),
        (None, 3, None, None),
        (None, 2, FEW_LINKS, FEW_LINKS),
        (None, None, FEW_LINKS, None),
    ],
)
def test_obscurity_reasons(
    spark: SparkSession, views: int | None, sitelinks: int | None, reason: str | None, kept_unknown: str | None
) -> None:
    known = spark.createDataFrame([(views, sitelinks, 300)], "views bigint, sitelinks int, min_views bigint")
    for keep, expected in ((False, reason), (True, kept_unknown)):
        config = Config(version="1", snapshot="s", views=Views(keep_unknown=keep))
        (row,) = known.select(find_obscurity_reason(config).alias("reason")).collect()
        assert row.reason == expected


@pytest.mark.parametrize(("known", "expected"), [(True, {1: 70, 2: 0, 3: None}), (False, {1: None, 2: None, 3: None})])
def test_views_are_unknown_without_an_article_or_without_a_source(
    spark: SparkSession, known: bool, expected: dict[int, int | None]
) -> None:
    entities = build_table(spark, ENTITIES, [{"item": 1, "title": "A"}, {"item": 2, "title": "B"}, {"item": 3}])
    views = spark.createDataFrame([("A", 70), ("C", 9)] if known else [], PAGEVIEWS.ddl)
    assert {row.entity: row.views for row in join_views(entities, views, known).collect()} == expected
