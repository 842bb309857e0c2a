"""What chance scores among near documents."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean

import pytest

from everwhen.evaluate.retrieval.bounds import expect_among_near, expect_one_relevant, measure_bounds
from everwhen.evaluate.retrieval.collection import Collection, Document
from everwhen.evaluate.retrieval.measures import measure_run, parse_measure
from everwhen.evaluate.retrieval.ranking import Ranked

DOCUMENTS = {name: Document(name, name) for name in "abcdef"}
MEASURES = [parse_measure(text) for text in ("RR", "R@2", "nDCG@3", "AP", "Success@1", "P@3", "Rprec")]


@pytest.mark.parametrize(("measure", "percent"), [("R@10", 33.33), ("RR@10", 9.76), ("nDCG@10", 15.15)])
def test_chance_among_30_documents(measure: str, percent: float) -> None:
    assert round(100 * expect_one_relevant(parse_measure(measure), 30), 2) == percent


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_expectation_is_the_mean_over_all_orders(measure: object) -> None:
    run = {
        str(number): tuple(Ranked(doc_id, 0.0) for doc_id in order)
        for number, order in enumerate(permutations("abcde"))
    }
    (scores,) = measure_run(run, {query_id: {"c": 1} for query_id in run}, [measure])
    assert expect_one_relevant(measure, 5) == pytest.approx(scores.mean)


def test_only_queries_with_one_relevant_document_among_the_near_have_an_expectation() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 1}, "3": {"d": 1}, "4": {"a": 2, "b": 0}}
    near = {"1": "ab", "2": "ab", "3": "ab", "4": "abcd"}
    collection = Collection(DOCUMENTS, dict.fromkeys(qrels, "?"), qrels, (), near=near)
    measures = [parse_measure(text) for text in ("RR", "RR_near", "Near@10")]
    expected = fmean([3 / 4, (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4])
    assert expect_among_near(collection, measures) == {
        "RR": pytest.approx(expected),
        "RR_near": pytest.approx(expected),
        "Near@10": 1.0,
    }


def test_bounds_have_chance_among_near_documents_where_there_are_some() -> None:
    qrels = {"1": {"a": 1}}
    plain = Collection(DOCUMENTS, {"1": "?"}, qrels, ())
    assert list(measure_bounds(plain, None, MEASURES[:1])) == ["chance", "upper"]
    near = Collection(DOCUMENTS, {"1": "?"}, qrels, (), near={"1": frozenset("ab")})
    found = measure_bounds(near, None, [parse_measure(text) for text in ("RR", "RR_near", "Near@10")])
    assert list(found) == ["chance", "chance_among_near", "upper"]
    assert (found["chance_among_near"]["RR"], found["chance"]["RR_near"], found["chance"]["Near@10"]) == (
        0.75,
        0.75,
        pytest.approx(1 / 3),
    )
    assert set(found["upper"].values()) == {1.0}


def test_nothing_bounds_what_is_not_judged() -> None:
    assert measure_bounds(Collection(DOCUMENTS, {"1": "?"}, None, ()), None, MEASURES) == {}
