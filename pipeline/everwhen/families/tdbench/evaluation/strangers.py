"""Answers that a table does not have: somebody whom a response names as the answer, and no lexicon knows."""

from __future__ import annotations

import re
from collections.abc import Collection

from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.stance import is_aside, is_denied
from everwhen.families.tdbench.evaluation.lexicon import Lexicon

_NAME = r"(?P<name>[^\W\d_a-z][\w'-]+(?: (?:de |del |da |von |van |al |[A-Z]\. )?[^\W\d_a-z][\w'-]+)+)"
NAMED = (
    re.compile(rf"^{_NAME} (?P<subject>became|won|received|governed|was (?:sworn|(?:the )?[a-z]+))\b"),
    re.compile(rf"(?P<subject>\b[^.;,:]{{1,120}}?) (?:was|is|to) {_NAME}(?!\w)"),
)
"""How sentences give a person as the answer."""
LEAST_LETTERS = 3
"""Letters that a word of a question has more of, which says what is asked."""
NAMING = (" was ", " is ", " to ", " became ", " won ", " received ", " governed ")
POINTING = frozenset(("it", "that", "this", "winner", "answer", "became", "won", "received"))
"""What is said of an answer, beside words of the question."""
OTHER = "\ue002"
"""In place of an answer that the table does not have."""


def gives_stranger(sentence: str, question: str, lexicons: Collection[Lexicon]) -> bool:
    """Tell whether a sentence gives a person whom the table does not have.

    >>> from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
    >>> coaches = build_lexicon({"Ann Abel": ()})
    >>> [gives_stranger(f"The winner was {name}.", "Who won?", [coaches]) for name in ("Bea Bohr", "Ann Abel")]
    [True, False]
    """
    if not any(lexicon.surnames for lexicon in lexicons) or not any(word in sentence for word in NAMING):
        return False
    asked = {*fold(question)}
    about = POINTING | {token for token in asked if len(token) > LEAST_LETTERS}
    return any(
        asked.isdisjoint(fold(found["name"])[:1])
        and not about.isdisjoint(fold(found["subject"]))
        and not any(lexicon.find(found["name"]) for lexicon in lexicons)
        and not is_denied(sentence, *found.span("name"))
        and not is_aside(sentence, *found.span("name"))
        for pattern in NAMED
        if (found := pattern.search(sentence))
    )
