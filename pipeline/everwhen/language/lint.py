"""The language lint: questions that read wrong or give their answer away."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from everwhen.core.reasons import RejectReason

COMPARES = re.compile(
    r"\b(before|after|higher|lower|greater|smaller|longer|shorter|later|earlier"
    r"|larger|taller|more|fewer|less|highest|lowest|greatest|smallest|longest|shortest|largest|tallest|most|fewest)\b"
)
"""Words of comparison: where a name contains one too, the question is ambiguous."""

TELLING = 7
"""Length, with a space on either side, from which a word that begins with an answer gives it away."""

LITTLE_WORDS = ("the", "a", "an", "in", "of", "on", "at", "by", "to", "for", "and", "was", "is", "did")

# "a hour", "an union": words whose first sound is not what their first letter says; left alone.
SOUNDS_LIKE_CONSONANT = "u[bckmnprst]|eu|ew|one|once|o'"
SOUNDS_LIKE_VOWEL = "hour|hon|heir|[0-9]|[fhlmnrsx]([^a-z]|$)"

LINT_RULES = {
    RejectReason.DOUBLED_SPACE: re.compile(r"\s\s|^\s|\s$"),
    RejectReason.SPACE_BEFORE_PUNCTUATION: re.compile(r" [?!,;:.)](\s|$)|\( "),
    RejectReason.DOUBLED_PUNCTUATION: re.compile(r"[?!][?]$"),
    RejectReason.EMPTY_PARENTHESES: re.compile(r"\(\s*\)"),
    RejectReason.DOUBLED_WORD: re.compile(rf"(?i)(?<![\w'’-])({'|'.join(LITTLE_WORDS)})\s+\1(?![\w'’-])"),
    RejectReason.A_BEFORE_VOWEL: re.compile(rf"\ba (?!(?i:{SOUNDS_LIKE_CONSONANT}))[aeiou][a-z]"),
    RejectReason.AN_BEFORE_CONSONANT: re.compile(rf"\ban (?!(?i:{SOUNDS_LIKE_VOWEL}))[b-df-hj-np-tv-z][a-z]"),
}
"""What is wrong with a text by itself."""

ID = re.compile(r"Q[0-9]+")

OPENING = ("'", '"', "“", "‘", "(")
"""What may precede the first letter of a question."""


class _Words(dict[int, str]):
    """Letters, marks and digits as they are, all else as a space."""

    def __missing__(self, code: int) -> str:
        self[code] = chr(code) if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


WORDS = _Words()


def tokenize(text: str) -> str:
    """Return the words of a text: lower case, letters and digits alone, a space before and after each.

    >>> tokenize("Who directed “Mirror” (1975)?")
    ' who directed mirror 1975 '
    """
    return f" {' '.join(text.lower().translate(WORDS).split())} "


def find_lint_error(question: str, answer: Sequence[str], *, choice: bool, comparison: bool) -> str | None:
    """Return the reason that rejects a question, the first of them; None where it is sound.

    Slots filled with "None" or an id are rejected earlier, where names are chosen: a book may be called "And Then There
    Were None".

    >>> str(find_lint_error("Who directed  Mirror?", ["Andrei Tarkovsky"], choice=False, comparison=False))
    'doubled space'
    >>> str(find_lint_error("Who wrote Mirror by Tarkovsky?", ["Tarkovsky"], choice=False, comparison=False))
    'the answer stands in the question'

    Args:
        question: The question's text.
        answer: Its answers.
        choice: Whether the answer is one of the named options, so that the question contains it.
        comparison: Whether it compares.
    """
    if reason := _find_wrong_form(question):
        return reason
    if "None" in answer:
        return RejectReason.NONE_FOR_ANSWER
    if any(ID.fullmatch(a) for a in answer):
        return RejectReason.ID_FOR_ANSWER
    if comparison and len(COMPARES.findall(question)) > 1:
        return RejectReason.COMPARING_NAME
    if not choice and is_answer_leaked(question, answer):
        return RejectReason.ANSWER_IN_QUESTION
    return None


def _find_wrong_form(question: str) -> RejectReason | None:
    """Find what is wrong with a question by itself, whatever its answer; None where it is sound."""
    if not question.endswith("?"):
        return RejectReason.NO_QUESTION_MARK
    if not _has_proper_start(question):
        return RejectReason.NO_CAPITAL
    for reason, pattern in LINT_RULES.items():
        if pattern.search(question):
            return reason
    return None


def _has_proper_start(question: str) -> bool:
    """Whether it begins with a capital, a letter that has none, or a digit, after one quotation mark or bracket."""
    first = question[1:2] if question.startswith(OPENING) else question[:1]
    return first != "" and (unicodedata.category(first) in ("Lu", "Lt", "Lo") or first in "0123456789")


def is_answer_leaked(question: str, answer: Sequence[str]) -> bool:
    """Whether the question contains an answer's words.

    A longer answer also counts as the beginning of a word: "South Korean" gives "South Korea" away.
    """
    question_words = tokenize(question)
    for each in answer:
        words = tokenize(each)
        if words != "  " and (words.rstrip() if len(words) >= TELLING else words) in question_words:
            return True
    return False
