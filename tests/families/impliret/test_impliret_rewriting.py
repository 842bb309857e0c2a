"""Documents that a model writes anew: what is kept, and why other texts are not."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from everwhen.families.impliret.rewriting import GIVES_AWAY, OTHER_FACT, OTHER_SHAPE, judge_rewriting

HEADER = "2024-03-13 09:05, Mira: "
OLD = HEADER + "Hello all. I repotted my houseplants three days ago. The smell was lovely. It took patience. Your turn!"
ROW: dict[str, Any] = {
    "price": None,
    "landmark_name": None,
    "country_name": None,
    "purpose": None,
    "start_hour": None,
    "offsets": [-3],
    "message_date": dt.date(2024, 3, 13),
}
VISIT = {**ROW, "landmark_name": "Tate Modern", "country_name": "United Kingdom", "offsets": None}


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("Hi there. Three days ago I gave my plants new pots. What a smell. I was patient. And you?", None),
        ("Hi there. Two days ago I gave my plants new pots. What a smell. I was patient. And you?", OTHER_FACT),
        ("Hi there. I gave my plants new pots. What a smell. I was patient. And you?", OTHER_FACT),
        ("Hi there. Three days ago, on March 10, I gave them new pots. What a smell. Phew. And you?", GIVES_AWAY),
        ("Three days ago I gave my plants new pots. And you?", OTHER_SHAPE),
    ],
)
def test_a_post_is_kept_where_it_says_the_same_in_five_sentences(new: str, reason: str | None) -> None:
    assert judge_rewriting(ROW, OLD, HEADER + new) == reason


def test_a_post_without_its_header_is_not_kept() -> None:
    assert judge_rewriting(ROW, OLD, OLD.removeprefix(HEADER)) == OTHER_SHAPE


def test_the_dates_of_headers_give_nothing_away() -> None:
    chat = f"{HEADER}Hello!\n2024-03-13 09:06, Bo: I painted yesterday from 9 am for two hours."
    row = ROW | {"start_hour": 9, "hours": 2, "offsets": [-1]}
    assert judge_rewriting(row, chat, chat) is None


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("Tate Modern", None),
        ("Tate Modern in the United Kingdom", GIVES_AWAY),
        ("Tate Modern, among British crowds", GIVES_AWAY),
        ("the museum", OTHER_FACT),
    ],
)
def test_a_country_that_is_named_gives_the_answer_away(place: str, reason: str | None) -> None:
    new = f"{HEADER}Hello. I sketched outside {place}. Lovely light. It took patience. Your turn!"
    assert judge_rewriting(VISIT, OLD, new) == reason
