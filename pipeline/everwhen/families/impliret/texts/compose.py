"""Documents and queries of tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeAlias

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts import arithmetic, temporal, wknow
from everwhen.families.impliret.texts.dialogue import compose_dialogue
from everwhen.families.impliret.texts.post import compose_post
from everwhen.families.impliret.words_arithmetic import ArithmeticTopic, load_arithmetic_words
from everwhen.families.impliret.words_temporal import TemporalTopic, load_temporal_words
from everwhen.families.impliret.words_wknow import WknowTopic, load_wknow_words

Row = Mapping[str, Any]
Topic: TypeAlias = ArithmeticTopic | TemporalTopic | WknowTopic


class Writer(Protocol):
    """What writes of a category."""

    def write_statement(self, row: Row, rng: KeyedRandom) -> Sequence[str]:
        """Write the sentences of a post that imply the tuple."""

    def write_utterance(self, row: Row, rng: KeyedRandom) -> str:
        """Write the utterance of a chat that implies the tuple."""

    def write_followups(self, row: Row, rng: KeyedRandom) -> Sequence[str]:
        """Write what the main speaker of a chat says later."""

    def write_query(self, row: Row) -> str:
        """Write what is asked about the tuple."""


WRITERS: Mapping[str, Writer] = {"arithmetic": arithmetic, "temporal": temporal, "wknow": wknow}


@cache
def map_topics() -> Mapping[tuple[str, str], Topic]:
    """Map categories and ids to topics."""
    topics: Mapping[str, Sequence[Topic]] = {
        "arithmetic": load_arithmetic_words().topics,
        "temporal": load_temporal_words().topics,
        "wknow": load_wknow_words().topics,
    }
    return {(category, topic.id): topic for category, each in topics.items() for topic in each}


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
        topic = map_topics()[category, row["topic"]]
        post = compose_post(row, writer.write_statement(row, rng), topic.details, rng_set, rng)
        return {"document": post, "query": query, "opening": topic.opening}
    followups = writer.write_followups(row, rng)
    chat = compose_dialogue(row, writer.write_utterance(row, rng), followups, rng_set, rng)
    return {"document": chat, "query": query, "opening": None}
