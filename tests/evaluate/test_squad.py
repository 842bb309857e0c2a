"""ComplexTempQA's measures on examples worked by hand from their definitions, as fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.scoring import score
from everwhen.evaluate.squad import Measures, measure, normalize

ALL, NOTHING = (1, 1, 1, 1, 1), (0, 0, 0, 0, 0)
TERM = ("1979-05-04", "1990-11-28")

EXAMPLES: list[tuple[str, tuple[str, ...], tuple[Fraction | int, ...]]] = [
    # The text, the answer, and by hand: precision, recall, F1, exact match, containment.
    ("Mark Twain", ("Mark Twain",), ALL),
    ("mark twain.", ("Mark Twain",), ALL),
    # answer, is, mark, twain: 2 of 4 are in the answer; 2 * 2 / (4 + 2).
    ("The answer is Mark Twain.", ("Mark Twain",), (Fraction(1, 2), 1, Fraction(2, 3), 0, 1)),
    ("Twain", ("Mark Twain",), (1, Fraction(1, 2), Fraction(2, 3), 0, 0)),
    ("Charles Dickens", ("Mark Twain",), NOTHING),
    ("Twain Mark", ("Mark Twain",), (1, 1, 1, 0, 0)),
    # A token counts as often as both have it.
    ("Mark Twain Mark Twain", ("Mark Twain",), (Fraction(1, 2), 1, Fraction(2, 3), 0, 1)),
    ("Not Mark Twain", ("Mark Twain",), (Fraction(2, 3), 1, Fraction(4, 5), 0, 1)),
    # A date is one token, 19940705.
    ("1994-07-05", ("1994-07-05",), ALL),
    ("July 5, 1994", ("1994-07-05",), NOTHING),
    ("It was founded on 1994-07-06.", ("1994-07-05",), NOTHING),
    # Containment is of characters: 2 is in 2010, and no is in not.
    ("In 2010 there were 12.", ("2",), (0, 0, 0, 0, 1)),
    ("I do not know.", ("no",), (0, 0, 0, 0, 1)),
    ("No, it was later.", ("no",), (Fraction(1, 4), 1, Fraction(2, 5), 0, 1)),
    ("Who?", ("The Who",), ALL),
    ("Bosnia", ("Bosnia and Herzegovina",), (1, Fraction(1, 3), Fraction(1, 2), 0, 0)),
    ("US", ("U.S.",), ALL),
    # Accents are letters of their own.
    ("Lech Walesa", ("Lech Wałęsa",), (Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 0, 0)),
    # Of several parts the worst counts.
    ("1979-05-04; 1990-11-28", TERM, ALL),
    ("1990-11-28; 1979-05-04", TERM, NOTHING),
    # from, 19790504, to, 19901128: 1 of 4 for each part; 2 * 1 / (4 + 1).
    ("From 1979-05-04 to 1990-11-28", TERM, (Fraction(1, 4), 1, Fraction(2, 5), 0, 1)),
    ("1979-05-04", TERM, NOTHING),
    ("", ("Mark Twain",), NOTHING),
]


@pytest.mark.parametrize(("text", "answer", "expected"), EXAMPLES, ids=[text or "empty" for text, _, _ in EXAMPLES])
def test_measures_are_those_worked_by_hand(
    text: str, answer: tuple[str, ...], expected: tuple[Fraction | int, ...]
) -> None:
    assert measure(text, answer, is_ordered=True) == pytest.approx(tuple(map(float, expected)), abs=1e-12)


def test_parts_without_an_order_match_in_any() -> None:
    assert measure("Rome; Paris", ("Paris", "Rome")) == Measures(*map(float, ALL))
    assert measure("Rome; Rome", ("Paris", "Rome")).f1 == 0


def test_thoughts_are_no_part_of_the_final_answer() -> None:
    item = GoldItem(1, "Who wrote it?", ("Mark Twain",), ((),), "name")
    found = score("<think>Dickens?</think> Answer: Mark Twain", item)
    # thinkdickensthink, answer, mark, twain
    assert found.whole == pytest.approx((1 / 2, 1, 2 / 3, 0, 1))
    assert found.final == pytest.approx(ALL)


def test_normalisation_is_that_of_squad() -> None:
    assert normalize("  An apple, the pear & a fig; theatre!\n") == "apple pear fig theatre"
