"""What posts and chats of world knowledge say, and the words that they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.parsing.wknow import Visit, read_visit
from everwhen.families.impliret.texts.wknow import (
    write_followups,
    write_query,
    write_statement,
    write_utterance,
)
from everwhen.families.impliret.words_wknow import load_wknow_words
from everwhen.temporal.phrases import MONTHS, WEEKDAYS

WORDS = load_wknow_words()
Row = dict[str, Any]

PHRASES = {
    "Matthias Church": "Matthias Church",
    "Louvre Museum": "the Louvre Museum",
    "The Shard": "The Shard",
    "Saint Basil's Cathedral": "Saint Basil's Cathedral",
    "30 St Mary Axe": "30 St Mary Axe",
    "École Polytechnique": "École Polytechnique",
}
"""Names of landmarks, and how they stand in a sentence."""
NUMBERS = "one ones two three four five six seven eight nine ten once twice first second third couple dozen half pair"
TIMES = (
    "today tomorrow yesterday tonight day days week weeks month months year years hour hours ago season spring summer"
)
FORBIDDEN = {*NUMBERS.split(), *TIMES.split(), *["autumn", "winter", "fall", "country", "nation"]}
FORBIDDEN |= {word.lower() for word in (*WEEKDAYS, *MONTHS)}


def list_rows() -> Iterator[tuple[Row, KeyedRandom]]:
    for number in range(300):
        rng = KeyedRandom("seed", "wknow", number)
        name = rng.pick(sorted(PHRASES), "landmark")
        topic, purpose = WORDS.topics[number % len(WORDS.topics)], WORDS.purposes[number % len(WORDS.purposes)]
        named = {"landmark_name": name, "landmark_phrase": PHRASES[name], "country_phrase": "the Netherlands"}
        yield {**named, "topic": topic.id, "deed": topic.past, "purpose": purpose, "speaker": "Ada"}, rng


ROWS = list(list_rows())


def test_a_post_names_landmark_and_deed_in_a_sentence() -> None:
    for row, rng in ROWS:
        (sentence,) = write_statement(row, rng)
        assert sentence.count(row["landmark_name"]) == sentence.count(row["deed"]) == 1
        assert re.fullmatch(r"[A-Z][^.!?]*\.", sentence)


def test_a_chat_names_landmark_and_purpose_in_an_utterance() -> None:
    for row, rng in ROWS:
        utterance = write_utterance(row, rng)
        assert utterance.count(row["landmark_name"]) == utterance.count(row["purpose"]) == 1
        assert re.fullmatch(r"(?:[A-Z][^.!?]*[.!] ?){2,3}", utterance)


def test_the_parser_reads_each_visit() -> None:
    for row, rng in ROWS:
        post = f"2024-10-06 09:15, Ada: I like that. {' '.join(write_statement(row, rng))} I would go there again."
        chat = f"2024-10-06 09:15, Bo: Hello!\n2024-10-06 09:16, Ada: {write_utterance(row, rng)}"
        assert read_visit(post, PHRASES.keys()) == Visit(row["landmark_name"], "Ada", None)
        assert read_visit(chat, PHRASES.keys()) == Visit(row["landmark_name"], "Ada", row["purpose"])


def test_follow_ups_differ_and_name_nothing() -> None:
    for row, rng in ROWS:
        said = write_followups(row, rng)
        assert len(said) == len(set(said)) == 6
        assert not any("{" in each or row["landmark_name"] in each for each in said)
        assert all(re.search(r"\b(?:it|there|that)\b", each, re.IGNORECASE) for each in said)


@pytest.mark.parametrize(
    ("style", "query"),
    [
        ("multi", "Who got engaged in the Netherlands?"),
        ("uni", "What was Ada's reason for visiting the Netherlands?"),
    ],
)
def test_queries_ask_for_the_country(style: str, query: str) -> None:
    row = {"style": style, "deed": "got engaged", "country_phrase": "the Netherlands", "speaker": "Ada"}
    assert write_query(row) == query


def test_there_are_enough_topics_and_purposes_and_no_two_are_alike() -> None:
    for found, least in (
        ([topic.id for topic in WORDS.topics], 55),
        ([topic.past for topic in WORDS.topics], 55),
        (WORDS.purposes, 120),
        (WORDS.followups["followup"], 40),
    ):
        assert len(found) == len(set(found)) >= least


def test_openings_have_25_to_60_words() -> None:
    assert {topic.id for topic in WORDS.topics if not 25 <= len(topic.opening.split()) <= 60} == set()


def test_words_hold_no_number_and_no_time() -> None:
    rules = (*WORDS.posts.values(), *WORDS.chats.values(), *WORDS.followups.values(), WORDS.purposes)
    texts = [*(text for alternatives in rules for text in alternatives)]
    texts += [text for topic in WORDS.topics for text in (topic.opening, topic.past, *topic.details)]
    found = {text for text in texts if FORBIDDEN & set(re.findall(r"[a-z]+", text.lower())) or re.search(r"\d", text)}
    assert found == set()


def test_a_purpose_ends_no_clause_before_its_end() -> None:
    assert {purpose for purpose in WORDS.purposes if not re.fullmatch(r"to [a-z][\w' -]+", purpose)} == set()
