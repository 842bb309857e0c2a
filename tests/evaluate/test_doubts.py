"""Doubts about right responses."""

from __future__ import annotations

import json

import pytest

from everwhen.evaluate.answers.claims import clean
from everwhen.evaluate.answers.stance import DENIAL
from everwhen.evaluate.doubts import CORRECTION, DENYING_PARTS, HEDGE, HEDGING_PARTS, Candidates, find_doubt
from hostile_world import ROOT

NAMES = Candidates.collect(["Mira Holt", "Tomas Vale", "Holt"])


@pytest.mark.parametrize(
    ("response", "right", "answer_type", "doubt"),
    [
        ("Mira Holt", ["Mira Holt"], "name", None),
        ("Mira Holt, before Tomas Vale", ["Mira Holt"], "name", "it names another candidate: Tomas Vale"),
        ("I think it was Mira Holt.", ["Mira Holt"], "name", "it hedges: I think"),
        ("Not Jo Marsh; Mira Holt", ["Mira Holt"], "name", "it denies: Not Jo Marsh; Mira Holt"),
        ("Mira Holt, unlike Jo Marsh", ["Mira Holt"], "name", "it denies: unlike Jo Marsh"),
        ("She didn’t resign: Mira Holt", ["Mira Holt"], "name", "it denies: didn't resign: Mira Holt"),
        ("Jo Marsh? Sorry, Mira Holt", ["Mira Holt"], "name", "it denies: Sorry, Mira Holt"),
        ("Mira Holt is noted for it", ["Mira Holt"], "name", None),
        ("No, it did not.", ["no"], "yes_no", None),
        ("Yes. Or no.", ["yes"], "yes_no", "it names another candidate: yes and no"),
        ("4 March 1971, not 1972", ["1971-03-04"], "date", "it names another candidate: 1972"),
        ("12 (in 1990 and later)", ["12"], "number", None),
        ("12 or 13", ["12"], "number", "it names another candidate: 13"),
        ("No answer", [], "name", None),
    ],
)
def test_a_right_response_is_doubtful_by_its_words(
    response: str, right: list[str], answer_type: str, doubt: str | None
) -> None:
    assert find_doubt(response, "Who ruled?", right, answer_type, NAMES) == doubt


def test_a_name_of_the_question_is_no_candidate() -> None:
    asked = "Who followed Tomas Vale?"
    assert find_doubt("Mira Holt followed Tomas Vale", asked, ["Mira Holt"], "name", NAMES) is None


def test_no_hedge_and_no_denial_is_passed_over_for_lack_of_a_part() -> None:
    """The parts only save time: without them the patterns would find nothing else."""
    records = [
        ROOT / "tests" / name
        for name in ("evaluate/answers/responses.jsonl", "families/tdbench/evaluation/responses.jsonl")
    ]
    responses = [json.loads(line).get("response") or "" for file in records for line in file.open(encoding="utf-8")]
    assert sum(HEDGE.search(each) is not None for each in responses) > 50
    for response in responses:
        plain = response.lower()
        if HEDGE.search(response):
            assert any(part in plain for part in HEDGING_PARTS), response
        if DENIAL.search(clean(response)) or CORRECTION.search(clean(response)):
            assert any(part in plain for part in DENYING_PARTS), response
