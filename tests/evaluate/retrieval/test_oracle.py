from __future__ import annotations

from everwhen.evaluate.retrieval.measures import measure_run, parse_measure
from everwhen.evaluate.retrieval.ranking import Ranked
from everwhen.evaluate.retrieval.retriever import Oracle

QRELS = {"1": {"a": 1, "b": 3, "c": 0, "10": 1, "9": 1, "d": -1}, "2": {"a": 2}}


def test_the_oracle_finds_relevant_documents_best_grade_first() -> None:
    found = dict(Oracle(QRELS).retrieve({"1": "", "2": "", "3": ""}, 3))
    assert found == {
        "1": (Ranked("b", 3), Ranked("9", 1), Ranked("10", 1)),
        "2": (Ranked("a", 2),),
        "3": (),
    }


def test_the_oracle_scores_1() -> None:
    found = dict(Oracle(QRELS).retrieve({"1": "", "2": ""}, 10))
    for scores in measure_run(found, QRELS, [parse_measure(text) for text in ("nDCG@10", "RR@10", "R@10", "AP")]):
        assert scores.mean == 1
