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
OTHERS = {"once": 1, "twice": 2, "thrice": 3, "none": 0, "never": 0, "nobody": 0, "dozen": 12}

SMALL = "|".join([*UNITS, *TENS])
NUMBER = re.compile(
    rf"\b(?:(?:{SMALL}|a)(?:(?:[ -]|,? and )(?:{SMALL}|{'|'.join(SCALES)}))+|{SMALL}|{'|'.join(OTHERS)})\b(?!')"
)


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
        elif word in SCALES and SCALES[word] == 100:
            current = max(current, 1) * 100
        elif word in SCALES:
            total, current = total + max(current, 1) * SCALES[word], 0
        elif word != "and":
            part = UNITS.get(word, TENS.get(word, 0))
            if current % 10 or (current % 100 and part >= 10):  # "nineteen eighty": no one number
                return words.replace("-", " ")
            current += part
    return str(total + current)
