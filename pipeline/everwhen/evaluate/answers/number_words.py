"""Numbers in English words, written in digits."""

from __future__ import annotations

import re

from everwhen.temporal.phrases import SMALL_NUMBERS

UNITS = {word: number for number, word in enumerate(SMALL_NUMBERS[:20])}
TENS = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
OTHERS = {"once": 1, "twice": 2, "thrice": 3, "none": 0, "never": 0, "nobody": 0, "dozen": 12, "single": 1}

SMALL = "|".join([*UNITS, *TENS])
NUMBER = re.compile(
    rf"\b(?:(?:{SMALL}|a)(?:(?:[ -]|,? and )(?:{SMALL}|{'|'.join(SCALES)}))+|{SMALL}|{'|'.join(OTHERS)})\b(?!')"
)


PAIR = re.compile(
    rf"\b(?P<century>{'|'.join([*list(UNITS)[10:], 'twenty'])})[ -]"
    rf"(?:(?:oh|o)[ -](?P<unit>{'|'.join(list(UNITS)[1:10])})"
    rf"|(?P<rest>(?:{'|'.join(TENS)})(?:[ -](?:{'|'.join(list(UNITS)[1:10])}))?|{'|'.join(list(UNITS)[10:])}))\b",
    re.IGNORECASE,
)
"""A year in two numbers: nineteen ninety-three."""


def write_years(text: str) -> str:
    """Replace years in words by digits, in a text that has no year in digits.

    >>> write_years("In nineteen ninety-three"), write_years("two thousand and five"), write_years("nineteen oh five")
    ('In 1993', '2005', '1905')
    """
    if re.search(r"\d{3}", text) or not NUMBER.search(text.lower()):
        return text
    found = PAIR.sub(_join_pair, text)
    return (
        found
        if found != text
        else re.sub(r"(?i)\b(?:one|two|nineteen|eighteen) (?:thousand|hundred)\b.*", _lower, text)
    )


def _join_pair(match: re.Match[str]) -> str:
    century, rest = (_read((match[name] or "zero").lower()) for name in ("century", "rest"))
    unit = _read(match["unit"].lower()) if match["unit"] else "0"
    return str(int(century) * 100 + int(rest) + int(unit))


def _lower(match: re.Match[str]) -> str:
    return write_digits(match.group().lower())


def write_digits(text: str) -> str:
    """Replace numbers in words, in a text in lower case, by digits.

    >>> write_digits("two hundred and twenty-eight people"), write_digits("a thousand"), write_digits("twice")
    ('228 people', '1000', '2')
    """
    return NUMBER.sub(lambda match: str(_read(match.group())), text)


def _read(words: str) -> str:
    if words in OTHERS:
        return str(OTHERS[words])
    total = current = 0
    for word in re.split(r"[ ,-]+", words):
        if word == "a":
            current = 1
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in SCALES:
            total, current = total + max(current, 1) * SCALES[word], 0
        elif word != "and":
            part = UNITS.get(word, TENS.get(word, 0))
            if current % 10 or (current % 100 and part >= 10):  # "nineteen eighty": no one number
                return words.replace("-", " ")
            current += part
    return str(total + current)
