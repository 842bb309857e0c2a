"""Labels in the manner of real ones. No two numbers of a kind give one label, and no two kinds share one.

Names are made of syllables that can be separated again: consonants, vowels, consonants, vowels and an ending that
begins with a consonant. Numbers beyond the number of combinations get a Roman numeral.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import yaml

from everwhen.core.keyed_random import KeyedRandom, permute

LISTS: dict[str, Any] = yaml.load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
DECORATIONS: list[str] = LISTS["decorations"]
SLOT = re.compile(r"\{(\w+)(?::(\d+))?\}")
SYLLABLES = "{consonant}{vowel}{consonant}{vowel}"
"""What `name` stands for in a pattern."""
NUMERALS = {100: "C", 90: "XC", 50: "L", 40: "XL", 10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}

Pattern = tuple[str, Sequence[Sequence[str]]]
"""A text with slots, and the words of each slot."""


@cache
def list_patterns(kind: str) -> list[Pattern]:
    """List the patterns of a kind of entities."""
    texts = [text.replace("{name}", SYLLABLES) for text in LISTS["patterns"][kind]]
    words = LISTS["words"]
    return [
        (SLOT.sub("{}", text), [words[slot][: int(first) if first else None] for slot, first in SLOT.findall(text)])
        for text in texts
    ]


@cache
def count_labels(kind: str) -> int:
    """Count the labels that a kind has without numerals."""
    return sum(map(_count_combinations, list_patterns(kind)))


def _count_combinations(pattern: Pattern) -> int:
    return prod(map(len, pattern[1]))


def compose_label(seed: str, kind: str, number: int) -> str:
    """Compose the label of a number, from 0: another one for each.

    Kind and seed decide the order in which combinations are used.
    """
    turn, within = divmod(number, count_labels(kind))
    position = permute(seed, kind, within, count_labels(kind))
    for pattern in list_patterns(kind):
        if position < (size := _count_combinations(pattern)):
            break
        position -= size
    text = _fill(pattern, position)
    return f"{text} {to_roman(turn + 1)}" if turn else text


def _fill(pattern: Pattern, number: int) -> str:
    text, slots = pattern
    chosen = []
    for words in slots:
        number, at = divmod(number, len(words))
        chosen.append(words[at])
    # Syllables that begin a name or follow a given one are a name of their own.
    if text.startswith("{}{}"):
        chosen[0] = chosen[0].capitalize()
    elif text.startswith("{} {}{}"):
        chosen[1] = chosen[1].capitalize()
    return text.format(*chosen)


def to_roman(number: int) -> str:
    """A number from 1 as a Roman numeral."""
    text = ""
    for value, letters in NUMERALS.items():
        count, number = divmod(number, value)
        text += letters * count
    return text


def decorate(text: str, rng: KeyedRandom, rate: float = 0.02) -> str:
    """Quotes, braces, ampersands, emoji and the like around a label, in a share of `rate`."""
    return rng.pick(DECORATIONS, "decoration").format(text) if rng.decide(rate, "decorated") else text
