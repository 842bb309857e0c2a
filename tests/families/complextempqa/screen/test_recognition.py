"""Questions whose answer the scorer does not recognise are not asked."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.families.complextempqa.screen import recognition
from everwhen.families.complextempqa.screen.recognition import (
    derive_unread_unit,
    find_unrecognised,
    is_name_recognised,
    reject_unrecognised_names,
)
from everwhen.families.complextempqa.template import Answer, Template, load_templates

TEMPLATES = {template.id: template for template in load_templates()}
DIRECTOR, HELD, BORN = (TEMPLATES[f"attribute.entity.{name}"] for name in ("director", "held", "born"))
UNREAD = RejectReason.UNRECOGNISED_ANSWER


@pytest.mark.parametrize(
    ("template", "question", "answer", "reason"),
    [
        (DIRECTOR, "Who directed the film X?", ["Joel Coen", "Ethan Coen"], None),
        (DIRECTOR, "Who directed the film X?", ["???"], UNREAD),
        (DIRECTOR, "Who directed the film X?", ["John Smith", "John Smith"], UNREAD),
        (HELD, "When did X rule?", ["797", "802-10-31"], None),
        # A time of the question is taken for no answer.
        (HELD, "When did X, who came in May 1990, rule?", ["1990-05", "1994-05-10"], UNREAD),
        (BORN, "When was X born?", ["843"], None),
    ],
)
def test_a_question_with_an_answer_that_is_not_recognised_has_a_reason(
    template: Template, question: str, answer: list[str], reason: str | None
) -> None:
    assert find_unrecognised(template, question, answer) == reason


def test_a_name_is_scored_once() -> None:
    is_name_recognised.cache_clear()
    for _ in range(3):
        find_unrecognised(DIRECTOR, "Who directed the film X?", ["Ken Loach"])
    assert is_name_recognised.cache_info().misses == 1


@pytest.mark.spark
def test_nothing_is_compared_whose_name_is_not_recognised(spark: SparkSession) -> None:
    subjects = [(1, None), (2, None), (3, "another reason"), (4, None)]
    judged = spark.createDataFrame(subjects, "entity bigint, reason string").select(
        F.struct("entity").alias("subject"), "reason"
    )
    names = spark.createDataFrame(
        [(1, "Jaws"), (2, "!!!"), (3, "..."), (4, "The Answer")], "entity bigint, label string"
    )
    found = reject_unrecognised_names(judged, names)
    assert {row.subject.entity: row.reason for row in found.collect()} == {
        1: None,
        2: UNREAD,
        3: "another reason",
        4: UNREAD,
    }


@pytest.mark.spark
def test_judged_subjects_stay_as_they_are_where_all_names_are_recognised(spark: SparkSession) -> None:
    judged = spark.createDataFrame([(1, None)], "entity bigint, reason string").select(
        F.struct("entity").alias("subject"), "reason"
    )
    names = spark.createDataFrame([(1, "Jaws")], "entity bigint, label string")
    assert reject_unrecognised_names(judged, names) is judged


@pytest.mark.spark
def test_an_amount_in_a_unit_that_is_not_read_is_not_asked(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "UNITS", recognition.UNITS.keys() - {"square kilometre"})
    amount = DIRECTOR.model_copy(update={"id": "amount", "answer": Answer(number="value.amount")})
    rows = [("amount", 2046), ("amount", 1120), ("attribute.entity.director", 2046)]
    bindings = spark.createDataFrame(rows, "template_id string, property int")
    found = bindings.withColumn("reason", derive_unread_unit([amount, DIRECTOR])).collect()
    assert [row.reason for row in found] == [UNREAD, None, None]
