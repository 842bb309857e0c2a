from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.language.wording import MARK, split_wording
from everwhen.language.wording_spark import capitalize, choose_wordings, fill_wording, join_pieces

pytestmark = pytest.mark.spark


def test_the_wordings_are_those_of_the_least_hashes(spark: SparkSession) -> None:
    hashes = spark.createDataFrame([(3, -5, 0), (1, 2, 3), (7, 7, 7)], "a bigint, b bigint, c bigint")
    numbered = {0: F.col("a"), 1: F.col("b"), 4: F.col("c")}
    for count, expected in {1: [[1], [0], [0]], 2: [[1, 4], [0, 1], [0, 1]]}.items():
        found = hashes.select(choose_wordings(numbered, count).alias("chosen"))
        assert found.schema["chosen"].dataType.simpleString() == "array<tinyint>"
        assert [row["chosen"] for row in found.collect()] == expected


def test_pieces_are_joined_and_no_text_is_scanned_for_slots(spark: SparkSession) -> None:
    pieces = split_wording("{who} met {whom}?")
    rows = spark.createDataFrame(
        [(pieces, "éva", "{who} $1"), (pieces, "who", None)], "p array<string>, a string, b string"
    )
    text = join_pieces(F.col("p"), lambda slot: F.when(slot == "who", F.col("a")).when(slot == "whom", F.col("b")))
    found = [row[0] for row in rows.select(capitalize(text)).collect()]
    assert found == ["Éva met {who} $1?", f"Who met {MARK}?"]


def test_a_wording_without_the_text_of_a_slot_is_null(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("éva", "{who} $1"), ("who", None)], "a string, b string")
    found = rows.select(fill_wording("{who} met {whom}?", who=F.col("a"), whom=F.col("b"))).collect()
    assert [row[0] for row in found] == ["éva met {who} $1?", None]


@pytest.mark.parametrize(("text", "capital"), [("", ""), ("{x}", "{x}"), ("7 up", "7 up"), ("ǆ", "Ǆ"), ("A", "A")])
def test_the_first_letter_becomes_a_capital(spark: SparkSession, text: str, capital: str) -> None:
    assert spark.range(1).select(capitalize(F.lit(text))).first()[0] == capital
