"""Whether the scorer recognises an item's own answer, so that a response can be right at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from everwhen.families.tdbench.evaluation.items import ALL_DECLARATIONS, GoldQuestion, Lexicons
from everwhen.families.tdbench.evaluation.verdict import judge_response

NO_ANSWER = "No answer"
"""The response to a question that no row answers."""


def is_recognised(item: GoldQuestion, lexicons: Lexicons) -> bool:
    """Tell whether a response that is the published answer, letter by letter, is right."""
    return judge_response(write_answer(item.answer), item, lexicons).is_right


def write_answer(answer: Sequence[str]) -> str:
    """Write a published answer as a response: an answer a line.

    >>> write_answer(["Ines Kerr", "Mira Holt"]), write_answer([])
    ('Ines Kerr\\nMira Holt', 'No answer')
    """
    return "\n".join(answer) or NO_ANSWER


def list_unrecognised(lexicons: Lexicons) -> list[tuple[str, tuple[str, ...]]]:
    """List the values that the scorer does not recognise where one alone is the answer: columns and their values."""
    found = [
        (column, value)
        for (declaration, column), lexicon in lexicons.items()
        for value in sorted(lexicon.values)
        if declaration != ALL_DECLARATIONS
        and not is_recognised(GoldQuestion("", "", declaration, (column,), (value,)), lexicons)
    ]
    return [
        (column, tuple(value for _, value in each)) for column, each in groupby(sorted(found), key=lambda pair: pair[0])
    ]
