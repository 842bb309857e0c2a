"""Numbers of a text that are no answer: years of events, what a count is of, and why it is right."""

from __future__ import annotations

import re

from everwhen.evaluate.answers.number_words import NUMBER as NUMBER_WORD

YEAR = re.compile(r"1\d{3}|20\d\d")
EXPLAINED = re.compile(
    rf"^(?P<number>\W*(?:about |exactly |only |just )?(?:\d[\d.,]*|{NUMBER_WORD.pattern}))"
    r"(?:,? (?:because|since|namely|including)\b"
    r"|: (?!(?:\D{0,5}\d{4}\b)+\W*$)(?!.*\b(?:not?|or|rather|actually|wait)\b)).*"
)
"""A number alone, and why it is right."""
NAMED_YEAR = re.compile(
    rf"\b(?P<name>(?!(?:In|About|Since|By|Year|From|Until|Around|To|Of|And|Answer|Was|Is)\b)[A-Z][\w'.-]*[a-z]),?"
    rf" (?:{YEAR.pattern})\b(?! (?!was|were|is|and|had|has|ran|saw|took|began|lasted)[a-z])"
    rf"|\b(?:{YEAR.pattern}) (?=[A-Z])"
)
"""A year beside the name of an event."""
CONCLUDED = re.compile(r".*(?:, so|, which makes|, that makes|, making|in total,?|altogether,?|\s[=≈]) (?=.*\d)")
OUT_OF = re.compile(r"\b(?:out )?of (?:the |its |all )?\d[\d,]* [a-z ]{1,30}, (?=.*\d)")
"""A number of which the answer is a part."""
SPARED = re.compile(r"\b\d[\d,]* (?:\w+ ){0,2}?(?:survived|survivors|injured|wounded)\b")
"""A number of others than those who died."""
ASKS_SPARED = re.compile(r"\b(?:surviv|injur|wound)", re.IGNORECASE)


def drop_other_numbers(text: str, question: str) -> str:
    """Drop numbers that are no answer, and write the rest in lower case with single spaces.

    >>> drop_other_numbers("Of the 153 people on board, 152 died", "How many people died?")
    '152 died'
    >>> drop_other_numbers("29 - 13 + 1 = 17 days", "How many days did it last?")
    '17 days'
    """
    plain = EXPLAINED.sub(r"\g<number>", " ".join(_drop_named_years(text).lower().split()))
    if any(word in plain for word in (", so", " mak", "total", "altogether", " = ")):
        plain = CONCLUDED.sub("", plain)
    plain = OUT_OF.sub("", plain)
    return plain if ASKS_SPARED.search(question) else SPARED.sub("", plain)


def _drop_named_years(text: str) -> str:
    """Drop years beside the name of an event, where there are other numbers: Lake Placid 1980."""
    without = NAMED_YEAR.sub(lambda found: found["name"] or "", text)
    return without if re.search(r"\d", without) or NUMBER_WORD.search(without.lower()) else text
