from __future__ import annotations

import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.measures import measure_run, parse_measure
from everwhen.evaluate.retrieval.ranking import Ranked, Run

DOCUMENTS = "abcdefgh"
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1)
FOUND = st.permutations(DOCUMENTS).flatmap(lambda ids: st.integers(0, 8).map(lambda count: ids[:count]))


def run_of(**found: str) -> Run:
    return {query_id: tuple(Ranked(doc_id, 1.0) for doc_id in ids) for query_id, ids in found.items()}


def score_by_definition(name: str, k: int, ids: list[str], grades: dict[str, int]) -> float:
    gains = [grades.get(doc_id, 0) for doc_id in ids[:k]]
    hits = [gain > 0 for gain in gains]
    relevant = sum(grade > 0 for grade in grades.values())
    if name == "nDCG":
        best = sorted(grades.values(), reverse=True)[:k]
        ideal = sum(gain / math.log2(place + 2) for place, gain in enumerate(best))
        return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / ideal if ideal else 0.0
    if name == "RR":
        return 1 / (hits.index(True) + 1) if any(hits) else 0.0
    if name == "P":
        return sum(hits) / k
    if name == "Success":
        return float(any(hits))
    if name == "AP":
        sums = sum(sum(hits[: place + 1]) / (place + 1) for place, is_hit in enumerate(hits) if is_hit)
        return sums / relevant if relevant else 0.0
    return sum(hits) / relevant if relevant else 0.0


@pytest.mark.parametrize("name", ["nDCG", "RR", "R", "P", "AP", "Success"])
@given(grades=GRADES, found=FOUND, k=st.integers(1, 10))
def test_scores_are_those_of_the_definitions(name: str, grades: dict[str, int], found: list[str], k: int) -> None:
    [scores] = measure_run(run_of(q="".join(found)), {"q": grades}, [parse_measure(f"{name}@{k}")])
    assert scores.by_query == {"q": pytest.approx(score_by_definition(name, k, found, grades))}


@pytest.mark.parametrize("name", ["nDCG", "RR", "AP", "Rprec"])
@given(grades=GRADES, found=FOUND)
def test_measures_without_a_cutoff_read_all(name: str, grades: dict[str, int], found: list[str]) -> None:
    [scores] = measure_run(run_of(q="".join(found)), {"q": grades}, [parse_measure(name)])
    relevant = sum(grade > 0 for grade in grades.values())
    cutoff = relevant or 1 if name == "Rprec" else 99
    expected = score_by_definition("P" if name == "Rprec" else name, cutoff, found, grades)
    assert scores.mean == pytest.approx(expected)


def test_a_query_without_results_scores_0_and_counts() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"b": 1}}
    run = {**run_of(**{"1": "a", "2": ""}), "other": (Ranked("a", 1.0),)}
    [scores] = measure_run(run, qrels, [parse_measure("RR@10")])
    assert scores.by_query == {"1": 1.0, "2": 0.0, "3": 0.0}
    assert scores.mean == pytest.approx(1 / 3)


def test_ranks_decide_where_scores_are_equal() -> None:
    measures = [parse_measure(text) for text in ("RR", "RR@10", "P@1", "nDCG@10")]
    for ids, expected in (("ab", 1.0), ("ba", 0.5)):
        scores = {one.measure: one.mean for one in measure_run(run_of(q=ids), {"q": {"a": 1}}, measures)}
        assert scores["RR"] == scores["RR@10"] == expected
        assert scores["P@1"] == (ids == "ab")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ndcg@10", "nDCG@10"),
        ("MRR@10", "RR@10"),
        ("recall@5", "R@5"),
        ("MAP", "AP"),
        ("Precision@3", "P@3"),
        ("answer@20", "Answer@20"),
    ],
)
def test_measures_have_other_names(text: str, name: str) -> None:
    assert str(parse_measure(text)) == name


@pytest.mark.parametrize(
    "text",
    [
        "ndcg_cut_10",
        "ndcg_cut.10",
        "ndcg",
        "recip_rank",
        "recall_100",
        "map",
        "map_cut_5",
        "P_10",
        "success_5",
        "Rprec",
    ],
)
def test_names_of_trec_eval_mean_what_they_mean_there(text: str) -> None:
    [expected] = ir_measures.parse_trec_measure(text.replace(".", "_"))
    assert parse_measure(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BLEU@4", "measure BLEU@4: one of nDCG, RR, R"),
        ("", "measure : one of nDCG"),
        ("nDCG@", "measure nDCG@: one of nDCG"),
        ("nDCG@-1", "measure nDCG@-1: one of nDCG"),
        ("nDCG@0", "measure nDCG@0: a cutoff from 1 to 1,000,000 is expected"),
        ("nDCG@99999999999999999999", "a cutoff from 1"),
        ("Answer", "measure Answer: how many documents count is missing, such as Answer@10"),
        ("R", "measure R: how many documents count is missing, such as R@10"),
        ("Rprec@5", "measure Rprec@5: Rprec has no cutoff"),
    ],
)
def test_measures_that_are_none(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_measure(text)
