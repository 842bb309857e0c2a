from __future__ import annotations

import pytest
from frames import frame
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pipeline.questions.stage import DuplicateIdError, _refuse_duplicate_ids, judge
from pipeline.tables.bindings import BINDINGS
from pipeline.tables.questions import QUESTIONS

pytestmark = pytest.mark.spark


def test_judge_says_why_a_question_is_not_asked(spark: SparkSession) -> None:
    cases = {
        1: ("When was Speed first released?", ["1994"], None),
        2: (None, ["1994"], "an entity has no unambiguous name"),
        3: (None, ["1994"], "an entity has no unambiguous name"),
        4: ("Who founded Amazon?", None, "the answer cannot be told"),
        5: ("When did it end?", [None], "the answer cannot be told"),
        6: ("Who founded Dell?", ["Dell"], "the answer stands in the question"),
        7: ("Who was it?", ["A"], "another question has the same text"),
        8: ("Who was it?", ["B"], "another question has the same text"),
        9: ("Who was  it?", ["A"], "doubled space"),
    }
    rows = [{"question_id": n, "question": question, "answer": answer} for n, (question, answer, _) in cases.items()]
    rendered = frame(spark, QUESTIONS, rows).withColumn("choice", F.lit(False))
    judged = judge(rendered)
    assert judged.columns == [*rendered.columns, "reason"]
    assert {row.question_id: row.reason for row in judged.collect()} == {n: reason for n, (*_, reason) in cases.items()}


def test_two_bindings_of_one_id_end_the_build_and_are_named(spark: SparkSession) -> None:
    rows = [{"question_id": n, "template_id": name, "slots": [(n, "name", None)]} for n, name in [(1, "a"), (2, "b")]]
    _refuse_duplicate_ids(frame(spark, BINDINGS, rows))
    same = [*rows, {"question_id": 2, "template_id": "c", "slots": [(None, "text", "x")]}]
    with pytest.raises(DuplicateIdError, match=r'question_id 2 belongs to two bindings: .*"b".*  and  .*"c"'):
        _refuse_duplicate_ids(frame(spark, BINDINGS, same))
