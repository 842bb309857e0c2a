"""Which landmarks are usable, why others are not, and which ones sets take."""

from __future__ import annotations

import json

import pytest
from pyspark.sql import DataFrame, SparkSession

from everwhen.core.errors import InputError
from everwhen.families.impliret.landmarks import choose_landmarks, find_landmarks, require_countries
from everwhen.families.impliret.reasons import LandmarkReason
from everwhen.tables.facts import ENTITIES, STATEMENTS
from everwhen.tables.world import NAMES, POPULARITY
from table_rows import Row, build_statement, build_table

pytestmark = pytest.mark.spark

STATE, CHURCH, MUSEUM, CHAPEL, REGION = 3624078, 16970, 33506, 11, 12
ARDONIA, BELVIA, CORLAND, DUNMARK, OLDLAND, PROVINCE = 21, 22, 23, 24, 25, 26
CAPITAL, QUARTER = 31, 32
PLACES = {
    ARDONIA: "Ardonia",
    BELVIA: "The Belvia",
    CORLAND: "Corland",
    DUNMARK: "Dunmark",
    OLDLAND: "Oldland",
    PROVINCE: "Hillshire",
    CAPITAL: "Teverin",
    QUARTER: "Saltgate",
}
TOWNS = {
    41: (BELVIA, "Qazburg"),
    42: (BELVIA, "Qazwick"),
    43: (BELVIA, "Old Qazholm"),
    44: (BELVIA, "Marble Chapelton"),
    45: (CORLAND, "Great Marble Chapel Hill"),
    46: (DUNMARK, "Marble Chapelwick"),
}
"""What lies where: their letters suggest countries."""

USABLE, RARE = 51, 52
LANDMARKS: dict[int, tuple[str, list[int], LandmarkReason | None]] = {
    USABLE: ("Marble Chapel", [ARDONIA], None),
    RARE: ("Marble Minster", [ARDONIA], LandmarkReason.UNPOPULAR),
    53: ("Quill Cloister", [], LandmarkReason.NO_COUNTRY),
    54: ("Quill Tower", [ARDONIA, BELVIA], LandmarkReason.NO_COUNTRY),
    55: ("Quill House", [PROVINCE], LandmarkReason.NO_STATE),
    56: ("Quill Gate", [OLDLAND], LandmarkReason.NO_STATE),
    57: ("Quill Hall", [ARDONIA], LandmarkReason.NO_NAME),
    58: ("Quill (hall)", [ARDONIA], LandmarkReason.UNFIT),
    59: ("North Church 2", [ARDONIA], LandmarkReason.GENERIC),
    60: ("Old White Church", [ARDONIA], LandmarkReason.GENERIC),
    61: ("Árdonian Quill", [ARDONIA], LandmarkReason.TELLING),
    62: ("Teverin Quill", [ARDONIA], LandmarkReason.TELLING),
    63: ("Saltgate Quill", [ARDONIA], LandmarkReason.TELLING),
    64: ("Suomala Quill", [ARDONIA], LandmarkReason.TELLING),
    65: ("Zhariv Quill", [ARDONIA], LandmarkReason.TELLING),
    66: ("Qazholm Court", [BELVIA], LandmarkReason.GUESSABLE),
}
VIEWS = {USABLE: 6_000, RARE: 100, 53: 5_000}


def list_statements() -> list[Row]:
    classes = {state: STATE for state in (ARDONIA, BELVIA, CORLAND, DUNMARK, OLDLAND)} | {PROVINCE: REGION}
    rows = [build_statement(item, 31, class_) for item, class_ in classes.items()]
    rows += [build_statement(CHAPEL, 279, CHURCH), build_statement(OLDLAND, 576, "1990")]
    rows += [build_statement(ARDONIA, 36, CAPITAL), build_statement(63, 131, QUARTER)]
    for language, text in (("en", "Zharish"), ("fi", "Suomalainen")):
        demonym = json.dumps({"language": language, "text": text})
        rows.append(build_statement(ARDONIA, 1549, value_text=demonym))
    rows += [build_statement(town, 17, country) for town, (country, _) in TOWNS.items()]
    for item, (_, countries, _) in LANDMARKS.items():
        rows.append(build_statement(item, 31, CHAPEL, statement_id=f"Q{item}$class"))
        rows += [
            build_statement(item, 17, country, statement_id=f"Q{item}${place}")
            for place, country in enumerate(countries)
        ]
    rows.append(build_statement(USABLE, 17, BELVIA, rank="deprecated"))
    rows.append(build_statement(USABLE, 31, MUSEUM, rank="deprecated"))
    return rows


def judge(spark: SparkSession, partitions: int = 1, *, with_views: bool = True) -> DataFrame:
    labels = PLACES | {town: label for town, (_, label) in TOWNS.items()}
    labels |= {item: label for item, (label, *_) in LANDMARKS.items()}
    named = [
        {
            "entity": item,
            "name": label,
            "long_name": label,
            "label": label,
            "method": "year" if label == "Quill Hall" else "label",
        }
        for item, label in labels.items()
    ]
    aliases = {ARDONIA: ["Republic of Ardonia"]}
    items = [{"item": item, "label": label, "aliases": aliases.get(item, [])} for item, label in labels.items()]
    views = [{"entity": item, "views": VIEWS.get(item, 0) if with_views else None} for item in LANDMARKS]
    tables = ((STATEMENTS, list_statements()), (ENTITIES, items), (NAMES, named), (POPULARITY, views))
    return find_landmarks(*(build_table(spark, table, rows).repartition(partitions) for table, rows in tables))


@pytest.fixture(scope="module")
def judged(spark: SparkSession) -> dict[int, Row]:
    """Each landmark as it is judged, by its id."""
    return {row["landmark"]: row.asDict() for row in judge(spark).collect()}


@pytest.mark.parametrize("landmark", LANDMARKS, ids=[label for label, *_ in LANDMARKS.values()])
def test_a_landmark_is_usable_or_has_a_reason(judged: dict[int, Row], landmark: int) -> None:
    assert judged[landmark]["reason"] == LANDMARKS[landmark][2]


def test_nothing_else_is_a_landmark(judged: dict[int, Row]) -> None:
    assert set(judged) == set(LANDMARKS)


def test_a_usable_landmark_has_all_that_texts_and_checks_need(judged: dict[int, Row]) -> None:
    assert judged[USABLE] == {
        "landmark": USABLE,
        "landmark_name": "Marble Chapel",
        "landmark_phrase": "Marble Chapel",
        "class": "church",
        "country": ARDONIA,
        "country_name": "Ardonia",
        "country_phrase": "Ardonia",
        "statement_ids": [f"Q{USABLE}$class", f"Q{USABLE}$0"],
        "forms": ["Ardonia", "Republic of Ardonia", "Zharish"],
        "reason": None,
    }


@pytest.mark.full
def test_the_partitioning_and_unknown_views_change_no_other_reason(spark: SparkSession, judged: dict[int, Row]) -> None:
    found = {row["landmark"]: row["reason"] for row in judge(spark, 5, with_views=False).collect()}
    assert found == {item: row["reason"] for item, row in judged.items()} | {RARE: None}


def test_too_few_countries_are_refused_with_what_each_filter_took(spark: SparkSession) -> None:
    rows = [
        (1, 10, None),
        (2, 10, None),
        (3, 11, LandmarkReason.GENERIC.value),
        (4, None, LandmarkReason.NO_COUNTRY.value),
    ]
    judged = spark.createDataFrame(rows, "landmark bigint, country bigint, reason string")
    require_countries(judged, 1)
    with pytest.raises(InputError) as error:
        require_countries(judged, 30)
    assert str(error.value) == (
        "wknow: 1 country with a usable landmark, 30 are needed; of 4 landmarks 2 are usable"
        " (not exactly one country: 1; its name is generic: 1)"
    )


def choose(spark: SparkSession, partitions: int) -> set[tuple[int, ...]]:
    usable = [(country * 100 + number, country, None) for country in range(10, 18) for number in range(country - 9)]
    landmarks = spark.createDataFrame(usable, "landmark bigint, country bigint, reason string").repartition(partitions)
    sets = spark.createDataFrame([(key,) for key in range(40)], "set_key bigint").repartition(partitions)
    chosen = choose_landmarks(landmarks, sets, 5, "seed")
    return {tuple(row) for row in chosen.select("set_key", "place", "country", "landmark").collect()}


@pytest.fixture(scope="module")
def chosen(spark: SparkSession) -> set[tuple[int, ...]]:
    """Set, place, country and landmark, of forty sets of five."""
    return choose(spark, 1)


def test_each_set_has_its_number_of_countries(chosen: set[tuple[int, ...]]) -> None:
    assert {(key, place) for key, place, _, _ in chosen} == {(key, place) for key in range(40) for place in range(5)}
    assert len({(key, country) for key, _, country, _ in chosen}) == 200


def test_countries_are_chosen_about_as_often_whatever_they_have(chosen: set[tuple[int, ...]]) -> None:
    often = [sum(country == each for _, _, country, _ in chosen) for each in range(10, 18)]
    assert min(often) >= 15
    assert max(often) <= 35


def test_all_landmarks_of_a_country_are_chosen(chosen: set[tuple[int, ...]]) -> None:
    assert {landmark for *_, country, landmark in chosen if country == 14} == {1400, 1401, 1402, 1403, 1404}


def test_the_partitioning_does_not_change_the_choice(spark: SparkSession, chosen: set[tuple[int, ...]]) -> None:
    assert choose(spark, 7) == chosen
