from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.bm25 import BM25, METHODS, STOP_WORDS, BM25Settings
from everwhen.evaluate.retrieval.collection import Document, Documents
from everwhen.evaluate.retrieval.ranking import order_id

TEXTS = st.lists(st.lists(st.sampled_from(["war", "film", "2004", "the", "x"]), max_size=6).map(" ".join), min_size=1)


def build_corpus(texts: Mapping[str, str]) -> Documents:
    return {doc_id: Document(doc_id, texts[doc_id]) for doc_id in sorted(texts, key=order_id)}


def find(texts: Mapping[str, str], query: str, top: int = 10, **settings: object) -> list[str]:
    retriever = BM25(build_corpus(texts), BM25Settings(**settings))  # type: ignore[arg-type]
    [(_, ranking)] = retriever.retrieve({"q": query}, top)
    return [one.doc_id for one in ranking]


def score_by_definition(texts: list[str], query: str, k1: float, b: float) -> dict[str, float]:
    """Lucene's BM25 (Kamphuis et al. 2020, table 1), of the documents that have a term of the query."""
    split = [[word for word in re.findall(r"\w\w+", text.lower()) if word != "the"] for text in texts]
    average = sum(map(len, split)) / len(split)
    terms = [word for word in re.findall(r"\w\w+", query.lower()) if word != "the"]
    scores = {}
    for number, words in enumerate(split):
        found = Counter(words)
        if not any(term in found for term in terms):
            continue
        scores[str(number)] = sum(
            math.log(1 + (len(split) - frequency + 0.5) / (frequency + 0.5))
            * found[term]
            / (found[term] + k1 * (1 - b + b * len(words) / average))
            for term in terms
            if (frequency := sum(term in other for other in split))
        )
    return scores


@given(TEXTS, st.lists(st.sampled_from(["war", "film", "2004", "the", "none"]), max_size=4).map(" ".join))
def test_scores_are_those_of_lucenes_formula(texts: list[str], query: str) -> None:
    documents = build_corpus({str(number): text for number, text in enumerate(texts)})
    [(_, ranking)] = BM25(documents).retrieve({"q": query}, len(texts))
    expected = score_by_definition(texts, query, k1=1.5, b=0.75)
    assert {one.doc_id: one.score for one in ranking} == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("method", METHODS)
@given(texts=TEXTS, top=st.integers(1, 12))
def test_equal_documents_are_in_ascending_id_at_every_cut(method: str, texts: list[str], top: int) -> None:
    documents = build_corpus({str(number): text for number, text in enumerate(texts)})
    retriever = BM25(documents, BM25Settings(method=method))
    [(_, ranking)] = retriever.retrieve({"q": "war film"}, top)
    [(_, everything)] = retriever.retrieve({"q": "war film"}, len(texts))
    assert ranking == everything[:top]
    assert list(everything) == sorted(everything, key=lambda one: (-one.score, int(one.doc_id)))


@pytest.mark.parametrize("method", METHODS)
def test_a_document_without_a_word_of_the_query_is_no_result(method: str) -> None:
    assert find({"1": "war", "2": "peace", "3": "war and peace"}, "war", method=method) in (["1", "3"], ["3", "1"])
    assert find({"1": "war"}, "peace", method=method) == []


def test_a_query_or_corpus_of_stop_words_has_no_results() -> None:
    assert find({"1": "the war", "2": ""}, "the") == []
    assert find({"1": "the", "2": "a"}, "the war") == []
    assert find({"1": "war"}, "") == []


def test_titles_are_searched() -> None:
    documents = {"1": Document("1", "text", "Waterloo"), "2": Document("2", "text")}
    [(_, ranking)] = BM25(documents).retrieve({"q": "waterloo"}, 10)
    assert [one.doc_id for one in ranking] == ["1"]


def test_stop_words_and_stemmer_are_chosen() -> None:
    assert find({"1": "the"}, "the", stop_words="none") == ["1"]
    assert find({"1": "running"}, "runs") == []
    assert find({"1": "running"}, "runs", stemmer="english") == ["1"]


@pytest.mark.parametrize("name", STOP_WORDS)
def test_every_list_of_stop_words_is_there(name: str) -> None:
    assert find({"1": "Überschrift"}, "überschrift", stop_words=name) == ["1"]


def test_all_settings_are_recorded() -> None:
    settings = BM25(build_corpus({"1": "a"}), BM25Settings("bm25+", 0.9, 0.4, "none", "porter")).settings
    assert {name: settings[name] for name in ("name", "method", "k1", "b", "stop_words", "stemmer", "delta")} == {
        "name": "bm25",
        "method": "bm25+",
        "k1": 0.9,
        "b": 0.4,
        "stop_words": "none",
        "stemmer": "porter",
        "delta": 0.5,
    }
    assert "tokenizer" in settings
    assert str(settings["implementation"]).startswith("bm25s ")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k1": -1.0}, "k1: a number from 0 to 1000 is expected, not -1.0"),
        ({"k1": math.nan}, "k1: a number from 0 to 1000 is expected, not nan"),
        ({"k1": 1e308}, "k1: a number from 0 to 1000 is expected"),
        ({"b": 1.5}, "b: a number from 0 to 1 is expected, not 1.5"),
        ({"b": math.nan}, "b: a number from 0 to 1 is expected, not nan"),
        ({"method": "okapi"}, "method: okapi: one of lucene, "),
        ({"stop_words": "xx"}, "stop words: xx: one of en, "),
        ({"stemmer": "xx"}, "stemmer: xx: one of none, "),
    ],
)
def test_settings_that_cannot_be_used(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        find({"1": "a"}, "a", **settings)
