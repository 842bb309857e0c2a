"""Why responses are not right, by kind and details."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.evaluate.explanations import Kind
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.scoring import score


def build(kind: str, *answer: str, question: str = "What?", **others: tuple[str, ...]) -> GoldItem:
    return GoldItem(1, question, answer, ((),) * len(answer), kind, **others)  # type: ignore[arg-type]


DAY = build("date", "1974-07-05", question="When was it founded?")
DEAD = build("number", "228", question="How many people died?")
NO = build("yes_no", "no", question="Was Cher born before Sonny?")
CHOICE = build("name", "Cher", question="Who was born first, Cher or Sonny?", options=("Cher", "Sonny"))
PRESIDENT = build("name", "Obama", question="Who was president in 2010?", once=("Bush", "Clinton"))
COENS = build("name", "Joel Coen", "Ethan Coen", question="Who directed Fargo?")


@pytest.mark.parametrize(
    ("item", "response", "why"),
    [
        (DAY, "5 July 1974", None),
        (DAY, "1974", "less exact: 1974 where 1974-07-05 is right"),
        (DAY, "5 July 1975", "another year: 1975-07-05 where 1974-07-05 is right"),
        (DAY, "August 1974", "another month: 1974-08 where 1974-07-05 is right"),
        (DAY, "1974-07-06", "another day: 1974-07-06 where 1974-07-05 is right"),
        (DAY, "long ago", "no answer found: no date"),
        (DAY, "5 July 1974? No, it was 1975", "a later claim replaces the answer: 1975"),
        (DAY, "5 July 1974, or 1975", "has the answer, but denies it, leaves it open or gives another: 1975"),
        (DEAD, "31 people", "another number: 31 where 228 is right"),
        (DEAD, "2.5 people", "another number: 2.5 where 228 is right"),
        (DEAD, "many", "no answer found: no number"),
        (DEAD, "228 or 229", "has the answer, but denies it, leaves it open or gives another: 229"),
        (NO, "Yes.", "says the opposite: yes where no is right"),
        (NO, "Both died in 1998.", "no answer found: neither yes nor no"),
        (CHOICE, "Sonny", "names another: Sonny where Cher is right"),
        (CHOICE, "Cher or Sonny", "has the answer, but denies it, leaves it open or gives another: Sonny"),
        (PRESIDENT, "Bush", "right at another time: Bush where Obama is right"),
        (PRESIDENT, "not Obama", "has the answer, but denies it, leaves it open or gives another"),
        (PRESIDENT, "John " * 40, f"names another: {'John ' * 16}… where Obama is right"),
        (COENS, "Joel Coen", "lacks a part: Ethan Coen"),
        (COENS, "", "no response"),
        (COENS, "No idea.", "refuses, or is unsure"),
        (COENS, "<think>Joel", "cut off: it ends within a thought or a sentence"),
    ],
)
def test_what_is_not_right_is_explained(item: GoldItem, response: str, why: str | None) -> None:
    assert score(response, item).why == why


def test_every_kind_is_documented() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "evaluate.md"
    listed = [line.split(" | ")[0].removeprefix("| ") for line in page.read_text(encoding="utf-8").splitlines()]
    assert [kind.value for kind in Kind if kind.value not in listed] == []
