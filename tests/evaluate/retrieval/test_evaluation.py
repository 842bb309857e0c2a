"""Runs measured by the slices of a family, and compared query by query."""

from __future__ import annotations

import pyarrow as pa
import pytest

from everwhen.evaluate.items import Gold
from everwhen.evaluate.retrieval.collection import Collection, Document, Qrels
from everwhen.evaluate.retrieval.evaluation import (
    Questions,
    arrange,
    describe,
    describe_differences,
    score_queries,
)
from everwhen.evaluate.retrieval.measures import parse_measure
from everwhen.evaluate.retrieval.ranking import Ranked, Run
from everwhen.evaluate.tables import Scored

DOCUMENTS = {name: Document(name, text) for name, text in (("a", "Ada"), ("b", "Bob"), ("c", "in 1971"))}
ROWS = (
    (1, "Who?", ["Ada"], "name", "early"),
    (2, "Who?", ["Bob"], "name", "late"),
    (3, "When?", ["1971"], "date", "late"),
    (4, "Is it?", ["yes"], "yes_no", "late"),
)
GOLD = pa.table(
    {
        "item_id": pa.array([row[0] for row in ROWS], pa.int64()),
        "question": [row[1] for row in ROWS],
        "answer": [row[2] for row in ROWS],
        "accepted": [[[]] for _ in ROWS],
        "answer_type": [row[3] for row in ROWS],
        "unit": pa.nulls(len(ROWS), pa.string()),
        "value_type": pa.nulls(len(ROWS), pa.string()),
        "is_ordered": [False] * len(ROWS),
        "options": [[] for _ in ROWS],
        "split": ["test"] * len(ROWS),
        "period": [row[4] for row in ROWS],
    }
)
QUESTIONS = Questions(Gold("family", "hash", ("period",), GOLD, {}), ("answer_type",))
QRELS = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}, "4": {"a": 1}}
FIRST = {"1": "a", "2": "ab", "3": "c", "4": "a"}
SECOND = {"1": "ba", "2": "ab", "3": "b"}


def run_of(found: dict[str, str]) -> Run:
    return {query_id: tuple(Ranked(doc_id, 1.0) for doc_id in ids) for query_id, ids in found.items()}


def collection_of(qrels: Qrels | None = QRELS) -> Collection:
    return Collection(DOCUMENTS, QUESTIONS.queries, qrels, ())


def measure(found: dict[str, str], *names: str, collection: Collection, questions: Questions | None) -> Scored:
    measures = [parse_measure(name) for name in names]
    return arrange(score_queries(run_of(found), collection, questions, measures), collection, questions)


def test_measures_are_of_all_queries_and_of_every_slice() -> None:
    collection = collection_of()
    scored = measure(FIRST, "RR", "Answer@1", collection=collection, questions=QUESTIONS)
    found = describe(run_of(FIRST), scored, collection)
    assert (found["queries"], found["queries_without_results"]) == (4, 0)
    assert found["measures"]["RR"]["value"] == 3.5 / 4
    assert (found["measures"]["Answer@1"]["value"], found["measures"]["Answer@1"]["rows"]) == (pytest.approx(2 / 3), 3)
    assert {name: list(cells) for name, cells in found["slices"].items()} == {
        "answer_type": ["date", "name", "yes_no"],
        "period": ["early", "late"],
    }
    late = found["slices"]["period"]["late"]
    assert (late["rows"], late["RR"]["value"], late["Answer@1"]["value"], late["Answer@1"]["rows"]) == (
        3,
        pytest.approx(2.5 / 3),
        0.5,
        2,
    )
    assert found["slices"]["answer_type"]["yes_no"]["Answer@1"] is None


def test_measures_that_are_0_or_1_have_wilsons_interval_and_others_one_by_resamples() -> None:
    qrels = {str(number): {"a": 1} for number in range(10)}
    collection = Collection(DOCUMENTS, dict.fromkeys(qrels, "?"), qrels, ())
    run = {query_id: "a" if int(query_id) < 8 else "ba" for query_id in qrels}
    found = describe(run_of(run), measure(run, "Success@1", "RR", collection=collection, questions=None), collection)[
        "measures"
    ]
    assert [round(found["Success@1"][part], 4) for part in ("value", "low", "high")] == [0.8, 0.4902, 0.9433]
    assert 0.7 < found["RR"]["low"] < found["RR"]["value"] < found["RR"]["high"] <= 1


def test_differences_are_paired() -> None:
    collection = collection_of()
    first, second = (
        measure(run, "RR", "Answer@1", collection=collection, questions=QUESTIONS) for run in (FIRST, SECOND)
    )
    found = describe_differences(first, second)
    assert found["measures"]["RR"]["value"] == pytest.approx((0.5 + 0 + 1 + 1) / 4)
    assert found["measures"]["Answer@1"] | {"low": 0, "high": 0} == {
        "value": pytest.approx(2 / 3),
        "low": 0,
        "high": 0,
        "rows": 3,
    }
    assert found["slices"]["period"]["early"]["RR"]["value"] == 0.5


def test_the_same_run_twice_differs_nowhere() -> None:
    scored = measure(FIRST, "RR", "nDCG@10", collection=collection_of(), questions=None)
    found = describe_differences(scored, scored)["measures"]
    assert {each["value"] for each in found.values()} == {0.0}
    assert all(each["low"] < 0 < each["high"] for each in found.values())


def test_only_judged_queries_are_measured_where_some_are_judged() -> None:
    collection = collection_of({"2": {"b": 1}})
    scored = measure(FIRST, "Answer@2", collection=collection, questions=QUESTIONS)
    assert describe(run_of(FIRST), scored, collection)["slices"]["period"].keys() == {"late"}


def test_ids_of_queries_may_be_texts() -> None:
    collection = Collection(DOCUMENTS, {"q2": "?", "q10": "?"}, {"q2": {"a": 1}, "q10": {"b": 1}}, ())
    first, second = (
        measure(run, "RR", collection=collection, questions=None) for run in ({"q2": "a", "q10": "b"}, {"q10": "b"})
    )
    assert describe_differences(first, second)["measures"]["RR"]["value"] == 0.5
