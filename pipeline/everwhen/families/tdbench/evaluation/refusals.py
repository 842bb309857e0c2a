"""Responses that say that there is no answer, and those that are unsure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from everwhen.evaluate.answers.claims import CONCLUDES
from everwhen.evaluate.answers.refusals import find_answer

UNSURE = re.compile(r"(?:i am |i'm |answer: )?(?:unsure|uncertain|not sure)\b(?!,? but)", re.IGNORECASE)

_NOUN = r"(?!doubt|longer|other|wonder|matter|problem|worries|information|data|evidence|one else)[a-z]"
NO_ANSWER = re.compile(
    r"\bno (?:\w+ )?(?:answers?|match(?:es)?|results?|rows?|records?|entr(?:y|ies)|values?)\b(?! (?:is|was) needed)"
    r"|\b(?:nobody|no-one|no one|none)\b(?! other| else| of the (?:other|rest))"
    r"|\bno such\b|\bnot any\b|\b(?:does|did)(?: not|n't) exist\b"
    rf"|\bthere (?:is|was|are|were|has been|have been)(?: not?|n't)(?: any)? {_NOUN}"
    rf"|(?:^|[,;:] (?:so |therefore |thus |hence )?|\b(?:so|therefore|thus|hence),? )no {_NOUN}",
    re.IGNORECASE,
)


LIMITS = re.compile(
    r"\b(?:as an ai|my (?:knowledge|training)|real[- ]time|up[- ]to[- ]date|latest information|my last update)\b",
    re.IGNORECASE,
)
"""What a model says of its own knowledge, and not of the answer."""

UPDATED = re.compile(r".*?\bas of my [^,]*, (?P<answer>.+)", re.IGNORECASE)


def drop_limits(sentences: Sequence[str]) -> list[str]:
    """Drop what a response says of the limits of its knowledge, if anything else is left.

    >>> drop_limits(["I have no real-time data.", "As of my last update, it was Rau."])
    ['it was Rau.']
    """
    kept = []
    for sentence in sentences:
        updated = UPDATED.fullmatch(sentence)
        if updated:
            kept.append(updated["answer"])
        elif not LIMITS.search(sentence):
            kept.append(sentence)
    return kept or list(sentences)


def says_none(sentences: Sequence[str]) -> bool:
    """Tell whether an answer says that there is none: its first or its last sentence does, or its conclusion."""
    saying = [place for place, sentence in enumerate(sentences) if NO_ANSWER.search(sentence)]
    return any(place in (0, len(sentences) - 1) or CONCLUDES.match(sentences[place]) is not None for place in saying)


def is_unsure(sentences: Sequence[str]) -> bool:
    """Tell whether an answer gives none, and does not say that there is none."""
    text = "\n".join(sentences)
    return UNSURE.match(text) is not None or (find_answer(text) is None and not says_none(sentences))


def find_guess(text: str) -> str:
    """Find what an answer guesses behind a refusal, else the answer."""
    return find_answer(text) or text
