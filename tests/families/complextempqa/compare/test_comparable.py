"""Who meets whom: what compared subjects share, and how near their values are."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import pytest
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from comparison_blocks import build_template
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.compare.block_members import BlockMembers, arrange_members
from everwhen.families.complextempqa.compare.comparable import _find_shared
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.tables.facts import STATEMENTS
from table_rows import ACCIDENTS, QUAKES, build_statement

pytestmark = pytest.mark.spark

TEMPLATES = [
    build_template(f"{kind} by {by}", kind=kind, by=by)
    for kind, by in [("event", "time"), ("event", "amounts"), ("item", "times"), ("item", "hop times")]
]
FILMS = range(100, 105)
DIRECTORS = {100: 60, 101: 60, 102: 60, 103: 61}
"""Of the last film there is no director, and 103 is the only one of its director."""
EVENTS = dict(enumerate(["battles", "wars", "battles", QUAKES, QUAKES, ACCIDENTS, ACCIDENTS, "battles"], 200))
"""Events of the first years of the century, by list."""
NEAR_QUAKES = [(300, 255, "1979-12-31"), (301, 256, "1980-01-01"), (302, 511, "1999-12-31"), (303, 512, "2000-01-01")]
"""Earthquakes: their deaths and their days."""
STATED = [
    *(build_statement(film, 57, director) for film, director in DIRECTORS.items()),
    *(build_statement(event, 17, country) for event, country in {200: 20, 201: 20, 202: 21, 205: 20, 206: 21}.items()),
    # What their lists do not name is not shared: a crash's airline, a quake's country, a battle's place.
    *(build_statement(*phrase) for phrase in [(203, 17, 20), (205, 137, 90), (206, 137, 90), (207, 276, 20)]),
]


def at(name: str, day: str) -> Column:
    """A struct whose time is a day."""
    first, last = ("earliest_start", "latest_end") if name == "subject" else ("first_day", "last_day")
    return F.col(name).withField(first, F.to_date(day)).withField(last, F.to_date(day))


def join_parts(*parts: DataFrame) -> DataFrame:
    return reduce(DataFrame.unionByName, parts)


@pytest.fixture(scope="module")
def arrange(world: WorldTables, but: Callable[..., WorldTables]) -> Callable[[bool], BlockMembers]:
    """Put people, films, events and earthquakes into blocks, by what they share or not."""
    spark = world.spark
    films = spark.range(FILMS.start, FILMS.stop).withColumn("day", F.concat(F.col("id") + 1890, F.lit("-01-01")))
    days = [(n, of, f"{1700 + n}-01-01") for n, of in EVENTS.items()]
    events = spark.createDataFrame(days, "id bigint, of string, day string")
    quakes = spark.createDataFrame(NEAR_QUAKES, "id bigint, n int, day string")
    released = world.values.where("subject.entity = 10 AND value.key = 'release'").select("value", "words")
    people = world.subjects.where("subject.list = 'persons'").crossJoin(released)
    made = world.values.where("subject.entity = 10 AND value.key IN ('release', 'film_birth')").crossJoin(films)
    deaths = world.values.where("subject.entity = 3 AND value.key = 'deaths'").crossJoin(quakes)
    amount = F.col("value").withField("amount", F.col("n").cast("decimal(38,9)"))
    own = F.col("subject").withField("entity", F.col("id")).alias("subject")
    shaken = at("subject", "day").withField("entity", F.col("id")).alias("subject")
    values = join_parts(
        people,
        made.select(own, at("value", "day").alias("value"), "words"),
        deaths.select(shaken, amount.alias("value"), "words"),
    ).localCheckpoint()
    happened = at("subject", "day").withField("entity", F.col("id")).withField("list", F.col("of"))
    subjects = join_parts(
        values.select("subject").distinct(),
        world.subjects.where("subject.entity = 1").crossJoin(events).select(happened.alias("subject")),
    ).localCheckpoint()
    letters = "translate(subject.entity, '0123456789', 'abcdefghij')"
    names = subjects.selectExpr(
        "subject.entity AS entity", *(f"{letters} AS {form}" for form in ("name", "long_name", "label"))
    ).localCheckpoint()
    stated = [row.asDict() for row in world.build.read(STATEMENTS).collect()]

    def make(compare_alike: bool) -> BlockMembers:
        changed = but(
            settings={"compare_alike": compare_alike},
            tables={STATEMENTS: [*stated, *STATED]},
            subjects=subjects,
            values=values,
            named_texts=names,
        )
        return arrange_members(changed, TEMPLATES)

    return make


Blocks = dict[tuple[str, str, str], list[int]]


def find_blocks(members: BlockMembers, entities: range) -> Blocks:
    """Who of these is in which block: by key, what is shared, and split."""
    rows, found = members.rows["entity"].to_pylist(), {}
    for block in members.blocks:
        seated = rows[block.offset : block.offset + block.size]
        if mine := [entity for entity in seated if entity in entities]:
            key = block.key, block.grouping, block.split
            assert key not in found
            found[key] = mine
    return found


def find_reasons(members: BlockMembers) -> dict[tuple[int, str], str]:
    """Why something is not compared: by entity and key."""
    return {(row.entity, row.key): row.reason for row in members.judged.where("reason IS NOT NULL").collect()}


@pytest.fixture(scope="module")
def alike(arrange: Callable[[bool], BlockMembers]) -> BlockMembers:
    """What meets where compared subjects share something."""
    return arrange(True)


@pytest.fixture(scope="module")
def any_two(arrange: Callable[[bool], BlockMembers]) -> BlockMembers:
    """What meets where compared subjects need not share anything."""
    return arrange(False)


def test_like_subjects_share_the_value_that_most_members_have(world: WorldTables) -> None:
    # 60 has two occupations; an occupation that only one has is still what it has. 64 has no citizenship to share.
    rows = _find_shared(world).collect()
    people = {60: "20 500", 61: "20 500", 63: "21 500", 65: "20 300"}
    assert {row.of_subject: row.shared for row in rows} == people | {10: "60", 11: "60", 12: "61"}


def test_subjects_are_compared_with_like_subjects(alike: BlockMembers) -> None:
    blocks = find_blocks(alike, range(60, 70))
    assert {key: sorted(entities) for key, entities in blocks.items()} == {
        ("release", "20 500 1980 to 1999", "train"): [60, 61],
        ("release", "21 500 1980 to 1999", "train"): [63],
        ("release", "20 300 1980 to 1999", "test"): [65],
    }


def test_films_of_one_director_meet_only_each_other(alike: BlockMembers) -> None:
    """By what they reach over their directors they meet those of others, too."""
    assert find_blocks(alike, FILMS) == {
        ("release", "60 1980 to 1999", "train"): [100, 101, 102],
        ("release", "61 1980 to 1999", "train"): [103],
        ("film_birth", "1980 to 1999", "train"): [100, 101, 102, 103],
    }


@pytest.mark.full
def test_films_meet_whoever_directed_them_where_nothing_need_be_shared(any_two: BlockMembers) -> None:
    assert find_blocks(any_two, FILMS) == {
        ("release", "", "train"): [*FILMS],
        ("film_birth", "", "train"): [*FILMS],
    }


def test_events_are_compared_within_their_group(alike: BlockMembers) -> None:
    assert find_blocks(alike, range(200, 300)) == {
        ("time", "conflict 20 1900 to 1919", "train"): [200, 201],
        ("time", "conflict 21 1900 to 1919", "train"): [202],
        # Of quakes nothing is asked for that they share.
        ("time", "disaster 1900 to 1919", "train"): [203, 204],
        ("time", "disaster 20 1900 to 1919", "train"): [205],
        ("time", "disaster 21 1900 to 1919", "train"): [206],
    }


def test_what_has_nothing_to_share_is_not_compared(alike: BlockMembers) -> None:
    lone = [(64, "release"), (104, "release"), (104, "film_birth"), (207, "time")]
    assert find_reasons(alike) == dict.fromkeys(lone, BindingReason.NOTHING_SHARED)


@pytest.mark.full
def test_whatever_it_shares_is_compared_where_nothing_need_be_shared(any_two: BlockMembers) -> None:
    assert find_reasons(any_two) == {}


def test_compared_values_are_near(alike: BlockMembers) -> None:
    assert find_blocks(alike, range(300, 400)) == {
        ("time", "disaster 1960 to 1979", "train"): [300],
        ("time", "disaster 1980 to 1999", "train"): [301, 302],
        ("time", "disaster 2000 to 2019", "train"): [303],
        ("deaths", "2^7 to 2^8", "train"): [300],
        ("deaths", "2^8 to 2^9", "train"): [301, 302],
        ("deaths", "2^9 to 2^10", "train"): [303],
    }


@pytest.mark.full
def test_values_far_apart_are_compared_where_nothing_need_be_shared(any_two: BlockMembers) -> None:
    assert find_blocks(any_two, range(300, 400)) == {
        ("time", "disaster", "train"): [300, 301, 302, 303],
        ("deaths", "", "train"): [300, 301, 302, 303],
    }
