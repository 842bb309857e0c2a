"""Reads prices, percentages and factors of English texts, in digits or in words."""

from __future__ import annotations

import re
from decimal import Decimal

from everwhen.evaluate.answers.number_words import SCALES, SMALL, write_digits

_WORD = rf"(?:{SMALL}|{'|'.join(SCALES)})"
_WORDS = rf"(?:a )?{_WORD}(?:(?:[ -]|,? and ){_WORD})*"
_WHOLE = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
_DIGIT = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_DECIMAL = rf"\d+(?:\.\d+)?|(?:{_WORDS})(?: point {_DIGIT}(?: {_DIGIT})*|[ -]and[ -]a[ -](?:half|quarter))?"

PRICE = re.compile(
    rf"\$ ?(?P<sign>{_WHOLE})(?:\.00)?(?: ?(?:dollars|USD)\b)?"
    rf"|\b(?P<name>{_WHOLE}|{_WORDS})[ -](?:US )?(?:dollars?|bucks|USD)\b",
    re.IGNORECASE,
)
PERCENT = re.compile(rf"(?<![\w.])(?P<number>{_DECIMAL})(?: ?%|[ -]per ?cent\b)", re.IGNORECASE)
FACTOR = re.compile(
    rf"\b(?:(?P<number>{_DECIMAL})(?:[ -]times\b|[ -]fold\b| ?[x×](?!\w))"
    r"|(?P<twice>twice|double(?=d? (?:the|that|what|as|its)\b))"
    r"|(?P<half>half (?=(?:the (?:price|cost)|as much|that|of that|what)\b)))",
    re.IGNORECASE,
)


def mark_quantities(text: str) -> str:
    """Write the prices of a text as $1500, its percentages as 20%, its factors as 2.5x.

    >>> mark_quantities("Fifteen hundred dollars, twenty percent less, and two point two five times the price")
    '$1500, 20% less, and 2.25x the price'
    """
    text = PRICE.sub(lambda found: f"${read_number(found['sign'] or found['name'])}", text)
    text = PERCENT.sub(lambda found: f"{read_number(found['number'])}%", text)
    return FACTOR.sub(_mark_factor, text)


def read_number(text: str) -> Decimal:
    """Read a number, perhaps with decimals; NaN where it is none.

    >>> read_number("1,500"), read_number("two and a half"), read_number("two point zero five"), read_number("ten ten")
    (Decimal('1500'), Decimal('2.5'), Decimal('2.05'), Decimal('NaN'))
    """
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    for part, decimals in (("half", "5"), ("quarter", "25")):
        plain = re.sub(rf"[ -]and[ -]a[ -]{part}$", f" point {decimals}", plain)
    whole, _, rest = plain.partition(" point ")
    digits = "".join(map(write_digits, rest.replace("oh", "zero").split()))
    number = write_digits(whole) + (f".{digits}" if digits else "")
    return Decimal(number) if re.fullmatch(r"\d+(\.\d+)?", number) else Decimal("NaN")


def _mark_factor(found: re.Match[str]) -> str:
    if found["half"]:
        return "0.5x "
    return "2x" if found["twice"] else f"{read_number(found['number'])}x"
