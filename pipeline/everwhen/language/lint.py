"""The language lint: questions that read wrong or give their answer away."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
    if not question.endswith("?"):
        return RejectReason.NO_QUESTION_MARK
    if not _has_proper_start(question):
        return RejectReason.NO_CAPITAL
    for reason, pattern in LINT_RULES.items():
        if pattern.search(question):
            return reason
    if "None" in answer:
        return RejectReason.NONE_FOR_ANSWER
    if any(ID.fullmatch(a) for a in answer):
        return RejectReason.ID_FOR_ANSWER
    if comparison and len(COMPARES.findall(question)) > 1:
        return RejectReason.COMPARING_NAME
    if not choice and _is_answer_leaked(question, answer):
        return RejectReason.ANSWER_IN_QUESTION
    return None


def _has_proper_start(question: str) -> bool:
    """Whether it begins with a capital, a letter that has none, or a digit, after one quotation mark or bracket."""
    first = question[1:2] if question.startswith(OPENING) else question[:1]
    return first != "" and (unicodedata.category(first) in ("Lu", "Lt", "Lo") or first in "0123456789")


def _is_answer_leaked(question: str, answer: Sequence[str]) -> bool:
    """Whether the question contains an answer's words.

    A longer answer also counts as the beginning of a word: "South Korean" gives "South Korea" away.
    """
    question_words = tokenize(question)
    for each in answer:
        words = tokenize(each)
        if words != "  " and (words.rstrip() if len(words) >= TELLING else words) in question_words:
            return True
    return False


def find_leaked_names(questions: pa.Array, labels: pa.Array) -> list[int]:
    """Find the rows whose question contains the name of the subject that it describes.

    The name of a described film may occur in that of another one: "Mirror" in "Black Mirror". Whole words are compared.

    Args:
        questions: The questions; null where there are no words for one.
        labels: The name of the subject that each of them describes; null where none is described.
    """
    both = pc.and_(questions.is_valid(), labels.is_valid())
    rows = np.flatnonzero(both.to_numpy(zero_copy_only=False))
    names = labels.take(pa.array(rows)).dictionary_encode()
    words = [tokenize(name) for name in names.dictionary.to_pylist()]
    # Few questions contain the longest word of the name: only these are split into words.
    longest = [max(name.split(), key=len, default=None) for name in words]
    asked = zip(rows.tolist(), questions.take(pa.array(rows)).to_pylist(), names.indices.to_pylist(), strict=True)
    return [
        row
        for row, question, name in asked
        if (word := longest[name]) is not None and word in question.lower() and words[name] in tokenize(question)
    ]


ANY_LITTLE = "|".join(LITTLE_WORDS)
HINTS = "|".join(
    (
        r"(?i)[\s\pZ]{2}|^[\s\pZ]|[\s\pZ]$| [?!,;:.)]|[?!]$|\(([\s\pZ]|\)|$)|\ban?\b|yes|no|^[^\pL0-9]",
        *(rf"\b{word}[\s\pZ]+{word}\b" for word in LITTLE_WORDS),
        COMPARES.pattern,
    )
)
"""What in a name `may_fail` must look at more closely; a regular expression as Arrow takes them."""

EDGES = rf"(?i)^[\s\pZ]*({ANY_LITTLE})\b|\b({ANY_LITTLE})[\s\pZ]*$"
"""What in a text `find_edge_words` must look at; a regular expression as Arrow takes them."""


def may_fail(name: str, *, last: bool) -> bool:
    """Whether this name may be the reason why a question is rejected.

    Of the other names no question is examined: a hundred million questions have a hundred thousand names. For the words
    beside a name see `find_edge_words`.

    >>> may_fail("Citizen Kane", last=True), may_fail("Help!", last=True), may_fail("Help!", last=False)
    (False, True, False)

    Args:
        name: The name.
        last: Whether it is the last of the question, so that a question mark may follow.
    """
    capital = f"{name[:1].upper()}{name[1:]}"
    return (
        any(
            find_lint_error(text, (), choice=True, comparison=False)
            for text in (f"{capital}, x?", f"X {name} x?", *([f"X {name}?"] if last else []))
        )
        # Whether "a" is right at the end of a name depends on the next word.
        or re.search(r"\ban?$", name) is not None
        or COMPARES.search(name) is not None
        or _is_answer_leaked(name, ("yes", "no"))
    )


LITTLE = "|".join(f"({word})" for word in LITTLE_WORDS)
"""The little words, each as a group: its number is the word's position."""

BEGINS = re.compile(rf"(?i)\s*(?:{LITTLE})(?![\w'’-])")
ENDS = re.compile(rf"(?i)(?<![\w'’-])(?:{LITTLE})\s*$")


def find_edge_words(text: str) -> tuple[int, int]:
    """Find the little words that a text begins and ends with, as positions in LITTLE_WORDS from 1; 0: no such word.

    Where one text ends with the word that the next begins with, the word is doubled.

    >>> begins, ends = find_edge_words("The Man Who Fell to")
    >>> LITTLE_WORDS[begins - 1], LITTLE_WORDS[ends - 1]
    ('the', 'to')

    """
    first, last = BEGINS.match(text), ENDS.search(text)
    return (first.lastindex or 0) if first else 0, (last.lastindex or 0) if last else 0
