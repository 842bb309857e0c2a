"""What posts and chats say of landmarks, and the queries and answers about their countries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.grammar import Draft, Grammar, capitalize_sentences
from everwhen.families.impliret.words_wknow import load_wknow_words, map_deeds

Row = Mapping[str, Any]
"""A row of the table `tuples`, with landmark_phrase and country_phrase: the names as they stand in a sentence."""

SLOTS = {"posts": ("landmark", "past"), "chats": ("landmark", "purpose"), "followups": ()}
"""What is filled in, by the rules."""

FOLLOWUPS = 6
"""Utterances of the main speaker after the statement: a chat has room for four."""


def write_statement(row: Row, rng: KeyedRandom) -> list[str]:
    """Write the sentence of a post that says beside which landmark the deed was done."""
    slots = {"landmark": row["landmark_phrase"], "past": map_deeds()[row["topic"]]}
    return [_write_sentences("posts", "statement", rng, slots)]


def write_utterance(row: Row, rng: KeyedRandom) -> str:
    """Write the utterance of a chat that says which landmark was visited, and what for."""
    slots = {"landmark": row["landmark_phrase"], "purpose": row["purpose"]}
    return _write_sentences("chats", "utterance", rng, slots)


def write_followups(row: Row, rng: KeyedRandom) -> list[str]:
    """Write what the main speaker says later in a chat; no phrase comes twice while there are others."""
    grammar, draft = _load_grammar("followups"), Draft(rng)
    numbers = rng.sample_several(FOLLOWUPS, grammar.count("followup"), "followups")
    return [capitalize_sentences(draft.write(grammar, "followup", {}, number)) for number in numbers]


def write_query(row: Row) -> str:
    """Write what is asked about a tuple."""
    if row["style"] == "multi":
        return f"Who {row['deed']} in {row['country_phrase']}?"
    return f"What was {row['speaker']}'s reason for visiting {row['country_phrase']}?"


@cache
def _load_grammar(rules: str) -> Grammar:
    return Grammar(getattr(load_wknow_words(), rules), SLOTS[rules])


def _write_sentences(rules: str, symbol: str, rng: KeyedRandom, slots: Mapping[str, str]) -> str:
    return capitalize_sentences(_load_grammar(rules).write(symbol, rng, slots, "statement"))
