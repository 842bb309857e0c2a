"""Answers in passages: what counts as there, and how deep the first one is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.evaluate.items import AnswerType, GoldItem
from everwhen.evaluate.retrieval.answers import MAX_PIECE_LENGTH, PassageReader, find_depths, split_text
from everwhen.evaluate.retrieval.collection import Document
from everwhen.evaluate.retrieval.measures import measure_answers, parse_measure
from everwhen.evaluate.retrieval.ranking import Ranked


def item(*answer: str, kind: AnswerType = "name", accepted: tuple[str, ...] = (), unit: str | None = None) -> GoldItem:
    return GoldItem(1, "What is it?", answer, (accepted, *[()] * (len(answer) - 1))[: len(answer)], kind, unit)


def is_in(text: str, gold: GoldItem, title: str = "") -> bool:
    return PassageReader({"d": Document("d", text, title)}).has_part("d", gold, 0)


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("a song by CHER, of 1998", "Cher", True),
        ("Cherie Blair", "Cher", False),
        ("a cherry", "Cher", False),
        ("Lech Wałęsa spoke", "Lech Walesa", True),
        ("J. K. Rowling wrote it", "JK Rowling", True),
        ("Rowling", "JK Rowling", False),
        ("the", "!", False),
    ],
)
def test_names_are_runs_of_words(text: str, answer: str, expected: bool) -> None:
    assert is_in(text, item(answer)) == expected


def test_a_title_counts_and_so_does_what_is_accepted() -> None:
    assert is_in("He ruled.", item("Peter the Great", accepted=("Peter I",)), title="Peter I of Russia")


@pytest.mark.parametrize(
    "text",
    [
        "It was on 4 March 1971.",
        "March 4, 1971",
        "March 4th 1971",
        "Thursday, the 4th of March, 1971",
        "1971-03-04",
        "4 Mar 1971",
        "04-MAR-1971",
        "4–7 March 1971",
        "from 2 to 4 March 1971",
        "March 2–4, 1971",
        "28 February – 4 March 1971",
        "February 28 to March 4, 1971",
        "(4 March 1971 – 5 May 1999)",
    ],
)
def test_a_day_is_there_however_it_is_written(text: str) -> None:
    assert is_in(text, item("1971-03-04", kind="date"))


@pytest.mark.parametrize(
    "text",
    ["4/3/1971", "March 1971", "1971", "14 March 1971", "4 March 1972", "4 March 19711", "3–5 March 1971", "4 March"],
)
def test_what_may_be_another_day_is_not_there(text: str) -> None:
    assert not is_in(text, item("1971-03-04", kind="date"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in 1971,", True),
        ("4 May 1971", True),
        ("1970–71", True),
        ("the 1970s", False),
        ("11971", False),
        ("1,971", False),
    ],
)
def test_a_year_is_there_where_a_day_within_it_is(text: str, expected: bool) -> None:
    assert is_in(text, item("1971", kind="date")) == expected


def test_the_day_of_the_other_calendar_counts() -> None:
    gold = item("1616-04-23", kind="date", accepted=("1616-05-03",))
    assert [is_in(text, gold) for text in ("23 April 1616", "May 3, 1616", "4 May 1616")] == [True, True, False]


def test_years_before_1000_have_three_digits() -> None:
    gold = item("0843-08-10", kind="date")
    texts = ("On 10 August 843, in Verdun", "10 August AD 843", "843 ships", "10 August 8431")
    assert [is_in(text, gold) for text in texts] == [True, True, False, False]
    assert not is_in("in 843 cases", item("1843", kind="date"))


@pytest.mark.parametrize(
    ("text", "answer", "unit", "expected"),
    [
        ("1,234 people", "1234", None, True),
        ("1 234 567", "1234567", None, True),
        ("1.2 million votes", "1200000", None, True),
        ("twelve of them", "12", None, True),
        ("12 March 1990", "12", None, False),
        ("on 2012-12-12", "12", None, False),
        ("the 12th", "12", None, False),
        ("112", "12", None, False),
        ("195 min", "195", "minute", True),
        ("3 hours and 15 minutes", "195", "minute", True),
        ("3 h 15 m", "195", "minute", True),
        ("195 km", "195", "minute", False),
        ("49,035 km²", "49035", "square kilometre", True),
        ("8,848.86 m (29,031.7 ft)", "8848.86", "metre", True),
        ("aged 87", "87", "year", True),
    ],
)
def test_numbers_are_amounts(text: str, answer: str, unit: str | None, expected: bool) -> None:
    assert is_in(text, item(answer, kind="number", unit=unit)) == expected


@pytest.mark.parametrize("piece", ["hundred ", "1 ", "1,000,", "4 March 1970 – "])
def test_long_texts_are_read_in_pieces(piece: str) -> None:
    text = f"In 1969, one {piece * 3_000} Then, on 4 March 1971, it had 77 halls."
    assert is_in(text, item("77", kind="number"))
    assert is_in(text, item("1971-03-04", kind="date"))


@given(st.text())
def test_pieces_have_all_words(text: str) -> None:
    pieces = split_text(text * 50)
    assert "".join(pieces).split() == (text * 50).split()
    assert max(map(len, pieces), default=0) <= MAX_PIECE_LENGTH + 1


DOCUMENTS = {name: Document(name, text) for name, text in (("a", "Ada"), ("b", "Bob"), ("c", "Ada and Bob"), ("d", ""))}


def depth(gold: GoldItem, ids: str) -> dict[str, float]:
    return find_depths({"q": tuple(Ranked(doc_id, 1.0) for doc_id in ids)}, DOCUMENTS, {"q": gold})


def test_the_depth_is_the_rank_of_the_first_passage_with_the_answer() -> None:
    assert [depth(item("Bob"), ids)["q"] for ids in ("bca", "dac", "ad", "")] == [1, 3, math.inf, math.inf]


def test_no_more_is_read_than_is_asked_for() -> None:
    run = {"q": (Ranked("a", 2.0), Ranked("not in the corpus", 1.0))}
    assert find_depths(run, DOCUMENTS, {"q": item("Bob")}, deepest=1) == {"q": math.inf}


def test_every_part_must_be_in_one_of_the_passages() -> None:
    assert [depth(item("Ada", "Bob"), ids)["q"] for ids in ("adb", "c", "ad")] == [3, 1, math.inf]


def test_yes_and_no_and_missing_answers_cannot_be_looked_for() -> None:
    assert depth(item("yes", kind="yes_no"), "a") == depth(item(), "a") == {}


def test_a_measure_says_whether_the_first_k_suffice() -> None:
    run = {"q": (Ranked("d", 2.0), Ranked("a", 1.0))}
    measures = [parse_measure(f"Answer@{k}") for k in (1, 2, 9)]
    found = measure_answers(run, DOCUMENTS, {"q": item("Ada"), "r": item("Bob")}, measures)
    assert {scores.measure: dict(scores.by_query) for scores in found} == {
        "Answer@1": {"q": 0, "r": 0},
        "Answer@2": {"q": 1, "r": 0},
        "Answer@9": {"q": 1, "r": 0},
    }
