from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.attribute import (
    _draw_country,
    pick_claimed_countries,
    select_lifetimes,
    select_path_values,
    select_single_values,
    select_stated_countries,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from table_rows import parse_day

pytestmark = pytest.mark.spark


def test_lifetimes_by_kind_and_extent(world: WorldTables) -> None:
    rows = select_lifetimes(world, {"kind": "event", "extents": ["instant"]}).collect()
    assert sorted(r.subject.entity for r in rows) == [1, 2, 4, 30, 32, 33]
    spans = select_lifetimes(world, {"kind": "event", "extents": ["span", "open"]}).collect()
    assert sorted(r.subject.entity for r in spans) == [3, 31]
    items = {
        r.subject.entity: r for r in select_lifetimes(world, {"kind": "item", "extents": ["span", "open"]}).collect()
    }
    assert set(items) == {40, 41, 42, 60, 61, 63, 64, 65}
    assert (items[42].span.start, items[42].span.end) == (parse_day("1950-02-01"), None)
    (row,) = (r for r in rows if r.subject.entity == 2)
    assert (row.popular, row.countries, row.topic, row.split, row.head, row.reason) == (
        False,
        [20, 21],
        "medtop:aviation_accidents",
        "train",
        2,
        None,
    )
    assert (row.span.start, row.span.end) == (parse_day("1992-03-01"), parse_day("1992-03-31"))
    assert (row.subject.noun, row.subject.which, row.subject.kind) == ("air crash", "Which air crash", "event")
    assert row.verbs == {"happen": "happen", "happened": "happened", "begin": "begin", "end": "end"}


def test_values_of_attributes_and_of_property_paths(world: WorldTables) -> None:
    rows = select_single_values(world, {"keys": ["deaths", "director", "height"]}).collect()
    # What is stated of entities that are not asked about (5, 7, 8, 9) gives nothing.
    assert sorted(
        (r.subject.entity, r.value.key, r.value.amount or r.value.value_item, r.value.property, r.value.hops)
        for r in rows
    ) == [
        (1, "deaths", Decimal(223), 1120, []),
        (1, "height", Decimal(2565), 2044, [17, 610]),
        (2, "deaths", Decimal(100), 1120, []),
        (2, "height", Decimal(100), 2044, [17, 610]),
        (3, "deaths", Decimal(10), 1120, []),
        (10, "director", 60, 57, []),
    ]
    words = {r.value.key: r.words for r in rows}
    assert (words["deaths"]["noun"], words["deaths"]["high"]) == ("death toll", "killed more people")
    assert (words["height"]["which"], words["height"]["high"], words["director"]) == ("Which is {degree}", "higher", {})
    one_kind = select_single_values(world, {"keys": ["deaths", "director"], "kind": "item"}).collect()
    assert [r.subject.entity for r in one_kind] == [10]


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        ("event", "quantity", [(1, "height"), (2, "height")]),
        ("event", "item", [(1, "country_capital")]),
        ("event", "time", []),
        ("item", "time", [(10, "film_birth"), (11, "film_birth")]),
    ],
)
def test_ends_of_property_paths_by_type_of_value(
    world: WorldTables, kind: str, value: str, found: list[tuple[int, str]]
) -> None:
    rows = select_path_values(world, {"kind": kind, "value": value}).collect()
    assert sorted((r.subject.entity, r.value.key) for r in rows) == found
    assert all(r.value.hops for r in rows)


@pytest.fixture(scope="module")
def many(world: WorldTables) -> DataFrame:
    """300 accidents: 200 of Thailand (popular), 98 of Laos, two of a country without a name; 40 battles of Laos."""
    n, base = F.col("id"), world.values.where("value.key = 'country'").crossJoin(world.spark.range(1000, 1340))
    country = F.when(n < 1200, 20).when(n < 1298, 21).when(n < 1300, 22).otherwise(21).cast("bigint")
    list_ = F.when(n < 1300, "aviation_accidents").otherwise("battles")
    return base.select(
        F.col("subject").withField("entity", n).withField("list", list_).alias("subject"),
        F.col("value").withField("value_item", country).alias("value"),
        "words",
    )


@pytest.fixture(scope="module")
def claimed(many: DataFrame, but: Callable[..., WorldTables]) -> dict[int, Row]:
    """What is claimed of each event."""
    return {row.subject.entity: row for row in pick_claimed_countries(but(values=many), {}).collect()}


def test_claimed_countries_are_in_balance_and_of_the_list(claimed: dict[int, Row]) -> None:
    rows = claimed
    assert len(rows) == 340
    single = "all events of the list are in one country"
    assert {r.reason for n, r in rows.items() if n >= 1300} == {single}, "no yes where there can be no no"
    accidents = [r for n, r in rows.items() if n < 1300]
    assert {r.claimed for r in accidents} == {20, 21, 22}
    assert {(r.claimed == 22, r.reason) for r in accidents} == {
        (False, None),
        (True, "the country has no unambiguous name"),
    }
    asked = [r for r in accidents if r.reason is None]
    assert 0.4 < sum(r.claimed == r.value.value_item for r in asked) / len(asked) < 0.6
    # The countries are those of the event and the one that is named.
    assert all(r.countries == sorted({20, r.claimed}) for r in asked)
    # Thailand is popular and Laos is not.
    assert all(r.popular == (r.claimed == 20) for r in asked)


def test_a_country_is_drawn_as_often_as_it_has_events(spark: SparkSession) -> None:
    others = [(21, 3), (22, 1), (23, 2)]
    rows = [(n, others) for n in range(13)] + [(99, [])]
    drawn = spark.createDataFrame(rows, "n bigint, others array<struct<item:bigint,events:bigint>>")
    found = {
        row.n: row.item for row in drawn.select("n", _draw_country(F.col("others"), F.col("n")).alias("item")).collect()
    }
    assert [found.pop(n) for n in range(13)] == [21, 21, 21, 22, 23, 23] * 2 + [21]
    assert found == {99: None}


def test_a_country_that_was_gone_is_not_claimed(many: DataFrame, but: Callable[..., WorldTables]) -> None:
    # Laos, which is the other country of accidents, is gone; those of two other lists are not.
    ended = {21: "1990-01-01", 121: "2020-01-01", 221: None}
    more, list_, country = F.col("more"), F.col("its_list"), F.col("value.value_item")
    cases = many.sparkSession.createDataFrame(
        [(0, "aviation_accidents"), (100, "earthquakes"), (200, "disasters")], "more int, its_list string"
    )
    values = many.where("subject.list = 'aviation_accidents' AND value.value_item <> 22").crossJoin(cases)
    values = values.select(
        F.col("subject")
        .withField("entity", F.col("subject.entity") + 1000 * more)
        .withField("list", list_)
        .alias("subject"),
        F.col("value").withField("value_item", F.when(country == 21, country + more).otherwise(country)).alias("value"),
        "words",
    )
    lives = many.sparkSession.createDataFrame(
        [(n, None, day and parse_day(day)) for n, day in ended.items()],
        "country bigint, first_day date, last_day date",
    )
    rows = pick_claimed_countries(but(values=values, country_lives=lives), {}).where("value.value_item = 20").collect()
    claimed = {(row.subject.list, row.claimed) for row in rows if row.claimed not in (None, 20)}
    assert claimed == {("earthquakes", 121), ("disasters", 221)}


def test_claimed_countries_follow_the_seed_alone(
    many: DataFrame, claimed: dict[int, Row], but: Callable[..., WorldTables]
) -> None:
    def claims(world: WorldTables) -> dict[int, int]:
        return {
            r.entity: r.claimed for r in pick_claimed_countries(world, {}).select("subject.entity", "claimed").collect()
        }

    plain = {entity: row.claimed for entity, row in claimed.items()}
    assert claims(but(values=many.repartition(7))) == plain
    assert claims(but(values=many, seed="other")) != plain


def test_a_country_in_the_name_is_not_asked_for(world: WorldTables, but: Callable[..., WorldTables]) -> None:
    labels = {
        400: "THAILAND crash",
        401: "Second Thai-Burmese war",
        402: "Sino-Laotian battle",
        # Begins with other letters; is no long word; has the letters elsewhere.
        403: "Thick fog",
        404: "Tha and Lao",
        405: "Exthaia of 1990",
        # No event is of Cambodia.
        406: "Cambodian raid",
        # Has no label.
        407: None,
        20: "Thailand",
        21: "Laos",
        22: "Cambodia",
    }
    named = [(n, label, label, label) for n, label in labels.items() if label]
    texts = world.spark.createDataFrame(named, world.named_texts.schema)
    base = world.values.where("subject.entity = 1 AND value.key = 'country'").crossJoin(world.spark.range(400, 408))
    values = base.select(
        F.col("subject").withField("entity", F.col("id")).alias("subject"),
        # The last one is of Laos, the others of Thailand.
        F.col("value")
        .withField("value_item", F.when(F.col("id") == 407, 21).otherwise(20).cast("bigint"))
        .alias("value"),
        "words",
    )
    changed = but(values=values, named_texts=texts)
    country_named = BindingReason.COUNTRY_IN_NAME
    expected = {400: country_named, 401: country_named, 402: country_named, **dict.fromkeys(range(403, 408))}
    rows = {r.subject.entity: r for r in select_stated_countries(changed, {}).collect()}
    assert {n: r.reason for n, r in rows.items()} == expected
    assert {n: r.value.value_item for n, r in rows.items()} == {**dict.fromkeys(range(400, 407), 20), 407: 21}
    assert (rows[403].head, rows[403].countries, rows[403].popular, rows[403].verbs["happen"]) == (
        403,
        [20],
        True,
        "happen",
    )
    assert {r.subject.entity: r.reason for r in pick_claimed_countries(changed, {}).collect()} == expected
    # Where none is of Laos, a name tells it no more.
    alone = but(values=values.where("value.value_item = 20"), named_texts=texts)
    assert {r.subject.entity: r.reason for r in select_stated_countries(alone, {}).collect()} == {
        n: reason for n, reason in {**expected, 402: None}.items() if n != 407
    }
