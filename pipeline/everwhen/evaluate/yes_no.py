"""Yes or no in a response, with what may follow it."""

from __future__ import annotations

import re

from everwhen.evaluate.claims import Claim
from everwhen.evaluate.gold import GoldItem
from everwhen.evaluate.names import fold
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.words import AUXILIARY, NEGATING

WORDS = {
    **dict.fromkeys(("yes", "yeah", "yep", "yup", "true", "correct", "affirmative"), "yes"),
    **dict.fromkeys(("no", "nope", "nah", "false", "incorrect", "negative"), "no"),
}
LEADING = frozenset(("yes", "yeah", "yep", "yup", "no", "nope", "nah"))
"""Those that answer also as the first of several words."""

DIVIDES = re.compile(r"[.,;:!?/\n–]+|\s-\s|\band\b|\bor\b|\bthen\b")
LEADS = re.compile(
    r"(?:(?:the (?:correct |right |final )?answer|it|that|this) (?:is|was)|i (?:think|believe|would say)|my answer is"
    r"|definitely|certainly|clearly|probably|so|well|that would be)\s+",
)
BASE_FORMS = {"took": "take", "came": "come", "saw": "see", "drew": "draw", "killed": "kill"}


def judge_yes_no(claim: Claim, item: GoldItem) -> Outcome:
    """Judge whether a claim says yes or no: by its first word, else as a sentence that repeats the question.

    Both are wrong, wherever the second is alone between commas or full stops.
    """
    answer_words = {word for rival in claim.rivals for word in _find_words(rival)[1]}
    answer_words.update(*_find_words(claim.text))
    if not answer_words:
        answer_words = _read_sentence(claim.text, item)
    return Outcome.RIGHT if answer_words == {item.answer[0].lower()} else Outcome.WRONG


def says_yes_or_no(claim: Claim) -> bool:
    """Tell whether a claim has a yes or a no that answers."""
    return any(_find_words(claim.text))


def _find_words(text: str) -> tuple[list[str], list[str]]:
    """Find yes and no where they are the first word, and where they are alone between commas or full stops."""
    pieces = [LEADS.sub("", piece.strip()) for piece in DIVIDES.split(text.lower()) if piece.strip()]
    alone = [WORDS[piece] for piece in pieces if piece in WORDS]
    first = pieces[0].partition(" ")[0] if pieces else ""
    return ([WORDS[first]] if first in LEADING else []), alone


def _read_sentence(text: str, item: GoldItem) -> set[str]:
    """Read a sentence that repeats the question with or without a negation; what adds or turns words says nothing."""
    tokens = fold(text)
    content = [BASE_FORMS.get(t, t) for t in tokens if t not in AUXILIARY and t not in NEGATING]
    asked = [token for token in fold(item.question) if token not in AUXILIARY]
    if content and content != asked:
        return set()
    if not AUXILIARY.intersection(tokens) and not content:
        return set()
    return {"no" if NEGATING.intersection(tokens) else "yes"}
