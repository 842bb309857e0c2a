from __future__ import annotations

import pytest
from frames import frame
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pipeline.build import Build
from pipeline.questions.stage import DuplicateIdError, _refuse_duplicate_ids, _union, judge, run_questions
from pipeline.tables.accounts import accounts
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
        10: ("Who was  it?", ["B"], "doubled space"),
        11: ("Was the war before it before that?", ["yes"], "a name holds a word of comparison"),
    }
    rows = [
        {"question_id": n, "question": question, "answer": answer, "type": "2a"}
        for n, (question, answer, _) in cases.items()
    ]
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


def test_frames_are_united_whole(spark: SparkSession) -> None:
    for n in (1, 2, 5, 8):
        rows = _union([spark.createDataFrame([(i,)], "n int") for i in range(n)]).collect()
        assert [row.n for row in rows] == list(range(n))


@pytest.mark.full
def test_every_binding_and_every_question_is_on_the_books(small_build: Build) -> None:
    chosen = {"templates": ["attribute.event.value", "attribute.event.in_country", "attribute.entity.became"]}
    config = small_build.config.model_copy(update={"questions": small_build.config.questions.model_copy(update=chosen)})
    build = Build(small_build.spark, config, small_build.root)
    run_questions(build)
    bindings, questions = build.read(BINDINGS).collect(), build.read(QUESTIONS).collect()
    texts = {r.question: r.answer for r in questions}
    assert {"223"} == {a for q, (a,) in texts.items() if "Flight 1" in q and "death" in q}
    # Of two that have descriptions one tells deaths, which is what is asked: only the second one's other form is left.
    told = [r for r in questions if r.is_unnamed and r.property == 1120]
    assert [(r.question_entity, [tuple(d) for d in r.descriptions], r.answer, r.rating) for r in told] == [
        ([2], [(2, "injured")], ["100"], 1)
    ]
    assert "the accident 2 of 7 injured" in told[0].question
    assert len({r.question_id for r in bindings}) == len(bindings)
    assert {r.question_id for r in questions} <= {r.question_id for r in bindings}
    books = {(r.unit, r.outcome, r.reason): r.units for r in build.read(accounts("questions")).collect()}
    assert books == {
        # Eight values, one country, ten terms, and five of the values unnamed.
        ("binding", "in", ""): 24,
        ("binding", "kept", ""): 21,
        ("binding", "rejected", "held the position more than once"): 1,
        ("binding", "rejected", "the position has no unambiguous name"): 1,
        ("binding", "rejected", "all events of the list are of one country"): 1,
        ("question", "in", ""): 21,
        ("question", "kept", ""): 21,
    }
