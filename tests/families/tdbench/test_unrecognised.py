"""Questions whose own answer the scorer does not recognise are rejected."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from everwhen.core.reasons import RejectReason
from everwhen.families.tdbench.tables import ACCEPTED_ANSWERS
from everwhen.families.tdbench.unrecognised import reject_unrecognised

pytestmark = pytest.mark.spark

UNREAD = RejectReason.UNRECOGNISED_ANSWER
PAIR = "struct<column:string,value:string>"
JUDGED = (
    f"item_id bigint, declaration string, asked array<string>, given array<{PAIR}>, answer array<string>,"
    f" hops array<{PAIR}>, reason string"
)
VALUES = ["Ines Kerr", "Mira Holt", "???", "I don't know", "N/A", "Nobody", "So Young"]


def judge(spark: SparkSession, *items: tuple[list[str], str | None], asked: tuple[str, ...] = ("who",)) -> DataFrame:
    rows = [(n, "t", list(asked), [("where", "here")], answer, [], reason) for n, (answer, reason) in enumerate(items)]
    fields = [("t", {"who": value, "where": "here"}) for value in VALUES]
    return reject_unrecognised(
        spark.createDataFrame(rows, JUDGED),
        spark.createDataFrame(fields, "declaration string, fields map<string,string>"),
        spark.createDataFrame([], ACCEPTED_ANSWERS.ddl),
        spark.createDataFrame([("t", "{}")], "declaration string, text string"),
    )


def test_a_question_whose_answer_is_not_recognised_has_a_reason(spark: SparkSession) -> None:
    items: list[tuple[list[str], str | None]] = [
        (["Ines Kerr"], None),
        (["???"], None),
        (["I don't know"], None),
        (["N/A"], None),
        (["Nobody"], None),
        (["???"], "another reason"),
        ([], None),
        (["Ines Kerr", "Mira Holt"], None),
        (["???", "Ines Kerr"], None),
        (["So Young"], None),
        (["Ines Kerr", "So Young"], None),  # what follows "so" is taken for a conclusion
        (["???"], None),
    ]
    found = {row.item_id: row.reason for row in judge(spark, *items).collect()}
    unread = {1, 2, 8, 10, 11}
    assert found == {n: UNREAD if n in unread else reason for n, (_, reason) in enumerate(items)}


def test_an_answer_of_two_columns_is_recognised_by_both(spark: SparkSession) -> None:
    items: list[tuple[list[str], str | None]] = [(["Ines Kerr | here"], None), (["??? | here"], None)]
    found = judge(spark, *items, asked=("who", "where")).orderBy("item_id").collect()
    assert [row.reason for row in found] == [None, UNREAD]


def test_questions_stay_as_they_are_where_all_answers_are_recognised(spark: SparkSession) -> None:
    found = judge(spark, (["Ines Kerr"], None))
    assert found.columns == [field.split()[0] for field in JUDGED.split(", ")]
