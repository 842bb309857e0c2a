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
    rf"|\b(?:nobody|no-one|no one|none)\b(?! other| else)|\bno such\b|\bnot any\b|\b(?:does|did)(?: not|n't) exist\b"
    rf"|\bthere (?:is|was|are|were|has been|have been)(?: not?|n't)(?: any)? {_NOUN}"
    rf"|(?:^|[,;:] (?:so |therefore |thus |hence )?|\b(?:so|therefore|thus|hence),? )no {_NOUN}",
    re.IGNORECASE,
)


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
