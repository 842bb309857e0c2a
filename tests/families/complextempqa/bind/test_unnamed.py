from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.hash_chains import START, extend_hashes
from everwhen.core.hashing import hash_text
from everwhen.families.complextempqa.bind.unnamed import describe_subjects, hash_description, hash_descriptions
from everwhen.tables.world import DESCRIPTIONS
from table_rows import build_table

pytestmark = pytest.mark.spark

SCHEMA = (
    "question_id bigint, template_id string, slots array<struct<entity:bigint,form:string,text:string>>,"
    " answer_text array<string>, answer_entity array<bigint>, hops array<int>, property int,"
    " threshold decimal(38,9), popular boolean,"
    " countries array<bigint>, span struct<start:date,end:date>, topic string, split string, head bigint,"
    " reason string, type string"
)
FLIGHT, QUAKE, FILM, SEQUEL, LAOS, DIRECTOR, OTHER = 1, 3, 10, 11, 21, 60, 99
# Of the flight: by deaths (1120) in 1991; by its country (17), which is Laos; by its operator (137). Of the quake: by
# deaths in 1990. Of the film: by its director (57) and year. Of the sequel: by two of its cast (161) and year, and by
# three of them without.
DESCRIBED = [
    {"entity": FLIGHT, "key": "deaths", "properties": [1120], "mentions_year": True, "items": []},
    {"entity": FLIGHT, "key": "country", "properties": [17], "mentions_year": False, "items": [], "country": LAOS},
    {"entity": FLIGHT, "key": "operator", "properties": [137], "mentions_year": False, "items": [90]},
    {"entity": QUAKE, "key": "deaths", "properties": [1120], "mentions_year": True, "items": []},
    {"entity": FILM, "key": "director", "properties": [57], "mentions_year": True, "items": [DIRECTOR]},
    {"entity": SEQUEL, "key": "pair", "properties": [161], "mentions_year": True, "items": [70, 71]},
    {"entity": SEQUEL, "key": "trio", "properties": [161], "mentions_year": False, "items": [70, 71, 72]},
]


def asked(name: str, type_: str, *entities: int, form: str = "name", **fields: Any) -> dict[str, Any]:
    """A candidate of a template of this name."""
    return {
        "question_id": crc32(name.encode()),
        "template_id": name,
        "slots": [(None, "text", "x"), *((entity, form, None) for entity in entities)],
        "answer_text": ["x"],
        "answer_entity": [],
        "hops": [],
        "type": type_,
    } | fields


@pytest.fixture(scope="module")
def described(spark: SparkSession) -> DataFrame:
    return build_table(spark, DESCRIPTIONS, DESCRIBED)


def named(spark: SparkSession, *rows: dict[str, Any]) -> DataFrame:
    columns = spark.createDataFrame([], SCHEMA).columns
    return spark.createDataFrame([tuple(row.get(c) for c in columns) for row in rows], SCHEMA)


def chosen(rows: DataFrame) -> dict[str, list[str | None]]:
    """By template, the key of the description in each slot after the first, or None where it is named."""
    found: dict[str, list[str | None]] = {}
    for row in rows.collect():
        assert row.template_id not in found
        assert tuple(row.slots[0]) == (None, "text", "x")
        found[row.template_id] = [s.text if s.form == "description" else None for s in row.slots[1:]]
    return found


def test_descriptions_never_tell_the_answer(spark: SparkSession, described: DataFrame) -> None:
    # Of each question the descriptions that may stand in it.
    cases: list[tuple[dict[str, Any], set[str]]] = [
        (asked("any", "1a", FLIGHT), {"deaths", "country", "operator"}),
        (asked("property", "1a", FLIGHT, property=1120), {"country", "operator"}),
        (asked("hop", "1a", FLIGHT, property=2044, hops=[17, 610]), {"deaths", "operator"}),
        (asked("country", "1a", FLIGHT, answer_entity=[LAOS], answer_text=[]), {"deaths", "operator"}),
        (asked("item", "1a", FLIGHT, answer_entity=[90], answer_text=[]), {"deaths", "country"}),
        (asked("year", "1ac", FLIGHT, answer_text=["1991"]), {"country", "operator"}),
        (asked("period", "1ac", FLIGHT, answer_text=["1991", "1991-05"]), {"country", "operator"}),
        (asked("date", "1ac", FLIGHT, answer_text=["1991-05-26"]), {"deaths", "country", "operator"}),
        (asked("amount", "1a", FLIGHT, answer_text=["1991"]), {"deaths", "country", "operator"}),
        (asked("own date", "1bc", SEQUEL, answer_text=["1994-05-26"], property=577), {"trio"}),
        (asked("both", "1a", FLIGHT, property=17, hops=[137, 17], answer_entity=[LAOS]), {"deaths"}),
    ]
    seen: dict[str, set[str | None]] = {row["template_id"]: set() for row, _ in cases}
    rows = named(
        spark, *(row | {"question_id": row["question_id"] + number} for row, _ in cases for number in range(8))
    )
    for row in describe_subjects(rows, described).collect():
        seen[row.template_id].add(row.slots[1].text)
    # Under eight ids each of them has come up, and no other.
    assert seen == {row["template_id"]: may for row, may in cases}


def test_where_every_description_gives_the_answer_is_no_variant(spark: SparkSession, described: DataFrame) -> None:
    rows = named(
        spark,
        asked("director", "1b", FILM, property=57, answer_entity=[DIRECTOR], answer_text=[]),
        asked("release", "1bc", FILM, property=577),
        asked("year", "1bc", FILM, answer_text=["1994"]),
        asked("nothing is said of it", "1b", OTHER),
        asked("label", "1a", FLIGHT, form="label"),
        asked("text", "3a", FLIGHT, form="text"),
    )
    assert chosen(describe_subjects(rows, described)) == {}


def test_all_that_can_be_are_described(spark: SparkSession, described: DataFrame) -> None:
    rows = named(
        spark,
        asked("amounts", "3a", FLIGHT, OTHER, QUAKE, property=137),
        asked("one", "3a", OTHER, QUAKE, choice=True),
        asked("deaths", "3a", FILM, QUAKE, property=1120),
    )
    found = describe_subjects(rows, described)
    assert found.columns == rows.columns
    keys = chosen(found)
    assert keys.pop("amounts") in (["deaths", None, "deaths"], ["country", None, "deaths"])
    assert keys == {"one": [None, "deaths"], "deaths": ["director", None]}


def test_the_choice_follows_the_id_alone(spark: SparkSession, described: DataFrame) -> None:
    rows = named(spark, *(asked(f"t{n}", "1a", FLIGHT) for n in range(60)))
    plain = chosen(describe_subjects(rows, described))
    assert chosen(describe_subjects(rows.repartition(5), described.repartition(3))) == plain
    assert chosen(describe_subjects(rows.withColumn("question_id", F.col("question_id") + 1), described)) != plain
    of_each = [list(plain.values()).count([key]) for key in ("deaths", "country", "operator")]
    assert sum(of_each) == 60
    assert min(of_each) > 8


def test_workers_and_columns_choose_the_same(spark: SparkSession) -> None:
    keys = ["deaths", "country", "operator", "place_and_year"]
    rows = [(asked, 100 + asked % 7, key) for asked in range(200) for key in keys]
    df = spark.createDataFrame(rows, "asked bigint, entity bigint, key string")
    order = hash_description("asked", "entity", "key")
    by_columns = df.groupBy("asked").agg(F.min_by("key", order).alias("key")).orderBy("asked").collect()
    (numbers,) = (
        spark.createDataFrame([keys], "a string, b string, c string, d string")
        .select(F.array(*(hash_text(F.col(name)) for name in "abcd")).alias("numbers"))
        .first()
    )
    asked = extend_hashes(np.uint64(START), np.arange(200))
    hashes = hash_descriptions(asked, 100 + np.arange(200) % 7, np.tile(np.array(numbers), (200, 1)))
    assert [row.key for row in by_columns] == [keys[place] for place in np.argmin(hashes, axis=1)]
