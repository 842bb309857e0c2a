"""What posts and chats say of prices, and the queries and answers about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.grammar import Grammar, capitalize_sentences
from everwhen.families.impliret.texts.numbers import write_factor, write_percent, write_price
from everwhen.families.impliret.words_arithmetic import load_arithmetic_words
from everwhen.language.wording import add_article

Row = Mapping[str, Any]
"""A row of the table `tuples`."""

SLOTS = ("brand", "other_brand", "item", "an_item", "model", "other_model", "version", "base", "percent", "times")
"""What is filled in."""

SENTENCE_END = re.compile(r"(?<=[.!?]) ")


def write_statement(row: Row, rng: KeyedRandom) -> list[str]:
    """Write the two sentences of a post that imply the price of the model that was bought."""
    grammar = _load_grammar("posts")
    # A post says "model" or "version" throughout.
    slots = {"version": grammar.write("version", rng, {}, "word")}
    slots |= {"model": str(row["model"]), "other_model": str(row["other_model"])}
    return SENTENCE_END.split(_write(grammar, row, rng, slots))


def write_utterance(row: Row, rng: KeyedRandom) -> str:
    """Write the utterance of a chat that implies the price of what was bought: two or three sentences."""
    slots = {"other_brand": row["other_brand"], "an_item": add_article(row["item"])}
    return _write(_load_grammar("chats"), row, rng, slots)


def write_followups(_: Row, rng: KeyedRandom) -> list[str]:
    """Write what the buyer says later in a chat."""
    return rng.shuffle(load_arithmetic_words().followups, "followups")


def write_query(row: Row) -> str:
    """Write what is asked about a tuple."""
    if row["style"] == "multi":
        return f"Which brand and model of {row['item']} cost ${row['price']:,}?"
    return f"What did {row['speaker']} buy for ${row['price']:,}?"


def name_relation(row: Row) -> str:
    """Name how the price follows from the base price: the rule that tells it, such as percent_lower."""
    return f"{'percent' if row['factor'] is None else 'factor'}_{row['direction']}"


@cache
def _load_grammar(rules: Literal["posts", "chats"]) -> Grammar:
    return Grammar(getattr(load_arithmetic_words(), rules), SLOTS)


def _write(grammar: Grammar, row: Row, rng: KeyedRandom, slots: Mapping[str, str]) -> str:
    if row["factor"] is None:
        share = {"percent": write_percent(row["percent"], rng, "percent")}
    else:
        share = {"times": write_factor(row["factor"], rng, "factor")}
    filled = {"brand": row["brand"], "item": row["item"], "base": write_price(row["base_price"], rng, "base price")}
    return capitalize_sentences(grammar.write(name_relation(row), rng, {**filled, **share, **slots}, "statement"))
