"""The variety of posts and chats: no two of a set share much, and pools have the lengths that are promised."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.dialogue import compose_dialogue
from everwhen.families.impliret.texts.post import compose_post

POST_SETS, CHAT_SETS, TUPLES = 10, 5, 30
CATEGORIES = ("arithmetic", "temporal", "wknow")
DETAILS = [
    *(
        "the smell of warm dust",
        "the hum of the wires",
        "a crooked handle",
        "the weight of the lid",
        "the slow drip of wax",
    ),
    *(
        "a streak of blue",
        "the click of the latch",
        "the quiet afterwards",
        "the grain of the wood",
        "a dog watching me",
    ),
    *("the heat on my cheeks", "the scratch of the brush"),
]
VERBS = ("stirred", "sketched", "mended", "carried", "washed", "counted")
THINGS = ("the nets", "the lanterns", "the baskets", "the drums", "the kites", "the ladders", "the saddles")
FOLLOWUPS = [
    "It took longer than I had thought, but nobody complained, and I was rather pleased with myself in the end.",
    "My shoulders still remind me of it, and I would do it again without thinking for long.",
    "There was more to it than I had expected, and everybody around me had something to say about it.",
]

Compose = Callable[[str, int, int], str]


def make_row(category: str, place: int) -> dict[str, Any]:
    row = {"category": category, "place": place, "speaker": "Ines", "other_speaker": "Olga"}
    return row | {"message_date": dt.date(2023, 3, 4), "message_hour": 8 + place % 10}


def write_statement(rng: KeyedRandom) -> list[str]:
    told = f"I {rng.pick(VERBS, 'verb')} {rng.pick(THINGS, 'thing')} with {rng.sample_below(900, 'helpers')} helpers."
    return [told, "Not even the rain could stop us."] if rng.decide(0.3, "long") else [told]


def write_post(category: str, number: int, place: int) -> str:
    kind = f"impliret {category}_multi set"
    rng = KeyedRandom("7", f"{kind} {number}", place)
    rng_set = KeyedRandom("7", kind, number)
    return compose_post(make_row(category, place), write_statement(rng), DETAILS, rng_set, rng)


def write_chat(category: str, number: int, place: int) -> str:
    kind = f"impliret {category}_uni set"
    rng = KeyedRandom("7", f"{kind} {number}", place)
    statement, followups = " ".join(write_statement(rng)), rng.shuffle(FOLLOWUPS, "followups")
    return compose_dialogue(make_row(category, place), statement, followups, KeyedRandom("7", kind, number), rng)


def list_grams(document: str, length: int) -> list[tuple[str, ...]]:
    """The runs of so many words, without headers."""
    words = re.findall(r"\w+", re.sub(r"(?m)^.{16}, \w+: ", "", document).lower())
    return list(zip(*(words[start:] for start in range(length)), strict=False))


def write_sets(write: Compose, sets: int) -> list[list[str]]:
    return [[write(CATEGORIES[number % 3], number, place) for place in range(TUPLES)] for number in range(sets)]


POSTS, CHATS = write_sets(write_post, POST_SETS), write_sets(write_chat, CHAT_SETS)


@pytest.mark.parametrize("sets", [POSTS, CHATS], ids=["posts", "chats"])
def test_no_two_documents_of_a_set_share_a_third_of_their_phrases(sets: Sequence[Sequence[str]]) -> None:
    for documents in sets:
        phrases = [set(list_grams(document, 5)) for document in documents]
        shared = max(len(one & other) / min(len(one), len(other)) for one, other in combinations(phrases, 2))
        assert shared < 1 / 3


@pytest.mark.parametrize(("sets", "least"), [(POSTS, 0.35), (CHATS, 0.2)], ids=["posts", "chats"])
def test_phrases_are_varied(sets: Sequence[Sequence[str]], least: float) -> None:
    phrases = [phrase for documents in sets for document in documents for phrase in list_grams(document, 4)]
    assert len(set(phrases)) / len(phrases) >= least


@pytest.mark.parametrize(("sets", "least", "most"), [(POSTS, 85, 160), (CHATS, 250, 450)], ids=["posts", "chats"])
def test_documents_have_their_length(sets: Sequence[Sequence[str]], least: int, most: int) -> None:
    lengths = [len(list_grams(document, 1)) for documents in sets for document in documents]
    assert least <= sum(lengths) / len(lengths) <= most


def test_utterances_have_their_length() -> None:
    lengths = [len(line.split()) - 3 for documents in CHATS for document in documents for line in document.split("\n")]
    assert 25 <= sum(lengths) / len(lengths) <= 45


def test_no_phrase_comes_twice_in_a_post() -> None:
    for document in (document for documents in POSTS for document in documents):
        phrases = list_grams(document, 5)
        assert len(set(phrases)) == len(phrases)


def test_hardly_any_chat_repeats_a_phrase() -> None:
    chats = [list_grams(document, 6) for documents in CHATS for document in documents]
    repeating = sum(len(set(phrases)) < len(phrases) for phrases in chats)
    assert repeating / len(chats) < 0.1
