"""Roots, the entities that their facts link them with, and the facts that the stories mention."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

import pytest
from pyspark.sql import DataFrame, SparkSession

from everwhen.families.time_benchmark.config import TimeSettings
from everwhen.families.time_benchmark.graphs import MAX_MENTIONS, compose_graphs

pytestmark = pytest.mark.spark

CLUB = 54


def list_facts(spark: SparkSession, pairs: list[tuple[int, int]]) -> DataFrame:
    """List facts, one for each subject and value, each a year later than the one before."""
    rows = [
        (f"s{n}", subject, CLUB, value, date(1900 + n, 1, 1), date(1900 + n, 12, 31), date(1900 + n, 12, 31))
        for n, (subject, value) in enumerate(pairs)
    ]
    return spark.createDataFrame(
        rows,
        "statement_id string, subject bigint, property int, value_item bigint, earliest_start date, latest_start date,"
        " latest_end date",
    )


PLAYERS_AND_CLUBS = [(player, club) for player in range(1, 6) for club in range(11, 16)]
"""Five players, each of whom played for five clubs."""


def compose(
    spark: SparkSession, pairs: list[tuple[int, int]], **settings: int
) -> dict[int, list[tuple[int, int, str]]]:
    """Compose graphs: story, entity and statement of each mention, by root."""
    found = defaultdict(list)
    for row in compose_graphs(list_facts(spark, pairs), TimeSettings(**settings), "seed").collect():  # type: ignore[arg-type]
        found[row["root"]].append((row["story"], row["entity"], row["statement_id"]))
    return found


def test_each_root_has_one_graph(spark: SparkSession) -> None:
    assert len(compose(spark, PLAYERS_AND_CLUBS, words=200)) == 10
    assert len(compose(spark, PLAYERS_AND_CLUBS, words=200, graphs=4)) == 4


def test_the_root_has_the_first_story_and_links_have_the_others(spark: SparkSession) -> None:
    for root, mentions in compose(spark, PLAYERS_AND_CLUBS, words=200, links=2).items():
        entities = {story: entity for story, entity, _ in mentions}
        assert entities[0] == root
        assert len(entities) == 3
        linked = range(11, 16) if root < 10 else range(1, 6)
        assert {entities[1], entities[2]} <= {*linked}


def test_a_graph_mentions_a_fact_once(spark: SparkSession) -> None:
    for mentions in compose(spark, PLAYERS_AND_CLUBS, words=2_000).values():
        statements = [statement for *_, statement in mentions]
        assert len(statements) == len({*statements})


def test_stories_are_added_up_to_the_length(spark: SparkSession) -> None:
    short = compose(spark, PLAYERS_AND_CLUBS, words=200)
    long = compose(spark, PLAYERS_AND_CLUBS, words=2_000)
    assert all(len(long[root]) == len(PLAYERS_AND_CLUBS) for root in long)
    assert all(len(short[root]) < len(long[root]) for root in short)


def test_of_a_long_timeline_the_facts_near_the_link_are_mentioned(spark: SparkSession) -> None:
    pairs = [(player, club) for player in (1, 2, 3) for club in (11, 12, 13)] + [
        (player, 11) for player in range(100, 160)
    ]
    mentions = compose(spark, pairs, words=200)[1]
    of_club = [statement for _, entity, statement in mentions if entity == 11]
    assert len(of_club) <= MAX_MENTIONS
    assert "s0" in {statement for *_, statement in mentions}


def test_an_entity_with_one_neighbour_is_no_root(spark: SparkSession) -> None:
    assert compose(spark, [(1, 11), (1, 11), (1, 11), (2, 12), (2, 12), (2, 12)], words=200) == {}
