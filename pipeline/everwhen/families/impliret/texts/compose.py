"""Documents and queries of tuples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts import arithmetic, temporal, wknow
from everwhen.families.impliret.texts.dialogue import compose_dialogue
from everwhen.families.impliret.texts.post import compose_post
from everwhen.families.impliret.words_arithmetic import ArithmeticTopic, load_arithmetic_words
from everwhen.families.impliret.words_temporal import TemporalTopic, load_temporal_words
from everwhen.families.impliret.words_wknow import WknowTopic, load_wknow_words

Row = Mapping[str, Any]


class Writer(NamedTuple):
    """What writes of a category: the statements of posts and chats, what is said after them, and queries."""

    write_statement: Callable[[Row, KeyedRandom], Sequence[str]]
    write_utterance: Callable[[Row, KeyedRandom], str]
    write_followups: Callable[[Row, KeyedRandom], Sequence[str]]
    write_query: Callable[[Row], str]


WRITERS: Mapping[str, Writer] = {
    "arithmetic": Writer(
        arithmetic.write_statement,
        arithmetic.write_utterance,
        lambda row, rng: rng.shuffle(load_arithmetic_words().followups, "followups"),
        arithmetic.write_query,
    ),
    "temporal": Writer(
        temporal.write_statement, temporal.write_utterance, temporal.write_followups, temporal.write_query
    ),
    "wknow": Writer(
        wknow.write_statement,
        wknow.write_utterance,
        wknow.write_followups,
        wknow.write_query,
    ),
}


class Thread(NamedTuple):
    """What a thread is about: the post that opens it, and what people remark on."""

    opening: str
    details: Sequence[str]


@cache
def map_threads() -> Mapping[tuple[str, str], Thread]:
    """Map categories and topics to threads."""
    topics: Mapping[str, Sequence[ArithmeticTopic | TemporalTopic | WknowTopic]] = {
        "arithmetic": load_arithmetic_words().topics,
        "temporal": load_temporal_words().topics,
        "wknow": load_wknow_words().topics,
    }
    return {
        (category, topic.id): Thread(topic.opening, topic.details)
        for category, each in topics.items()
        for topic in each
    }


def compose(row: Row, seed: str) -> dict[str, str | None]:
    """Compose the document and the query of a tuple.

    Args:
        row: A row of the table `tuples`.
        seed: The seed of all choices.

    Returns:
        document, query, and opening: the post that opens the thread, None of a chat.
    """
    category, style = row["pool"].split("_")[:2]
    row = {**row, "category": category, "style": style}
    writer, kind = WRITERS[category], f"impliret {row['pool']} set"
    rng_set = KeyedRandom(seed, kind, row["set_number"])
    rng = KeyedRandom(seed, f"{kind} {row['set_number']}", row["place"])
    query = writer.write_query(row)
    if style == "multi":
        thread = map_threads()[category, row["topic"]]
        post = compose_post(row, writer.write_statement(row, rng), thread.details, rng_set, rng)
        return {"document": post, "query": query, "opening": thread.opening}
    followups = writer.write_followups(row, rng)
    chat = compose_dialogue(row, writer.write_utterance(row, rng), followups, rng_set, rng)
    return {"document": chat, "query": query, "opening": None}
