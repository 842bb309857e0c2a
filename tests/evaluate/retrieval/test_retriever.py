"""The oracle and chance, which bound all other retrievers."""

from __future__ import annotations

from collections import Counter

from everwhen.evaluate.retrieval.collection import Document, Documents
from everwhen.evaluate.retrieval.measures import measure_run, parse_measure
from everwhen.evaluate.retrieval.ranking import Ranked
from everwhen.evaluate.retrieval.retriever import Oracle, Random

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


def corpus(size: int) -> Documents:
    return {str(number): Document(str(number), "") for number in range(size)}


def find(documents: Documents, queries: list[str], top: int, seed: int = 0) -> dict[str, list[str]]:
    found = Random(documents, seed).retrieve(dict.fromkeys(queries, ""), top)
    return {query_id: [one.doc_id for one in ranking] for query_id, ranking in found}


def test_the_order_of_known_ids_stays() -> None:
    assert find(corpus(5), ["q", "r"], 5) == {"q": list("01423"), "r": list("03412")}


def test_an_order_depends_on_seed_and_query_and_on_nothing_else() -> None:
    ten = find(corpus(10), ["q", "r"], 10)
    assert find(corpus(10), ["r"], 4)["r"] == ten["r"][:4]
    assert [doc_id for doc_id in find(corpus(20), ["q"], 20)["q"] if int(doc_id) < 10] == ten["q"]
    assert len({tuple(order) for order in (*ten.values(), *find(corpus(10), ["q"], 10, seed=1).values())}) == 3


def test_every_document_is_first_as_often_as_chance_has_it() -> None:
    first = Counter(found[0] for found in find(corpus(10), [f"q{n}" for n in range(10_000)], 1).values())
    expected = 1000
    assert sum((first[str(n)] - expected) ** 2 / expected for n in range(10)) < 33.7, "chi squared, p = 0.0001"
