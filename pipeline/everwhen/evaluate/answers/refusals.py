"""Responses that give no answer: refused, unsure, or empty."""

from __future__ import annotations

import re

UNKNOWN = re.compile(
    r"(?:it is |that is |this is |the answer is |answer )?(?:currently )?(?:unknown|not known|unclear|uncertain"
    r"|undetermined"
    r"|indeterminate|unsure|not sure|not certain|not available|n/?a|null|none of the above|no answer|no idea"
    r"|not specified"
    r"|not mentioned|not provided|not stated|not given|(?:i have )?no information(?: available)?"
    r"|(?:cannot|can't|could not) be determined|pass|\?+)"
)
"""What says so as the whole answer."""

_SPEAKER_FAILS = (
    r"(?:i|we) (?:really |honestly |just )?(?:do not|don't|dont|did not|didn't|cannot|can't|can not|could not|couldn't"
    r"|am not able to|am unable to|won't|will not) (?:\w+ ){0,2}?(?:know|say|tell|answer|determine|find|help"
    r"|provide|recall"
    r"|remember|assist|verify|confirm|identify|access|look|have)"
)
_SPEAKER_IS_UNSURE = (
    r"(?:i'm|im|i am|we are) (?:(?:really |very |so |terribly )?(?:sorry|unable)"
    r"|not (?:\w+ ){0,2}?(?:sure|certain|aware|able|familiar))|(?:nobody|no one) knows|as an ai"
)
_SOURCE_IS_SILENT = (
    r"(?:not enough|insufficient|no (?:relevant |specific |such )?|lacks? (?:\w+ )?)\s?(?:information|evidence"
    r"|data|context)"
    r"|(?:context|passages?|text|documents?|information) (?:provided )?(?:does not|doesn't|do not|don't|did not|didn't)"
)
_IMPOSSIBLE = (
    r"(?:it is|it's|it remains) (?:not known|not clear|unknown|unclear|uncertain)|(?:impossible|not possible)"
    r" to (?:\w+ )?(?:determine|say|know|tell|answer)"
    r"|(?:cannot|can't|could not|couldn't) (?:\w+ )?be (?:determined|answered|verified|known)"
    r"|unable to (?:\w+ )?(?:determine|answer|find|provide|say|verify|help|assist|identify)"
)
SAYS_NOTHING = re.compile(rf"\b(?:{_SPEAKER_FAILS}|{_SPEAKER_IS_UNSURE}|{_SOURCE_IS_SILENT}|{_IMPOSSIBLE})\b")
"""What says so within a sentence."""

NEVERTHELESS = re.compile(
    r"^.*?\b(?:but|however|though|still|yet)\b,? (?P<answer>(?:"
    r"i (?:\w+ )?(?:think|believe|guess|suspect|assume|would (?:say|guess))|i'd (?:say|guess)|my (?:best "
    r"|educated )?guess"
    r"|it (?:was|is|could|might|may|must)|he |she |they |the answer|probably|likely|most likely|perhaps|maybe"
    r"|possibly)\b.*)$",
    flags=re.DOTALL | re.IGNORECASE,
)
"""An answer after all, behind a sentence that gave none."""


def find_answer(text: str, *, is_number: bool = False) -> str | None:
    """Find the answer in a text that may refuse one: the text, what follows its refusal, or None.

    Args:
        text: A cleaned text.
        is_number: Whether a number is asked for: then "none" is one.

    >>> find_answer("I'm not sure, but I think it was 1971."), find_answer("I don't know."), find_answer("1971")
    ('I think it was 1971.', None, '1971')
    """
    plain = text.lower().strip(" .!\n\t\"'()[]")
    if plain == "none" and not is_number:
        return None
    if not re.search(r"\w", plain):
        return None
    if UNKNOWN.fullmatch(plain):
        return None
    if not SAYS_NOTHING.search(plain):
        return text
    after = NEVERTHELESS.match(text)
    return after["answer"] if after and not SAYS_NOTHING.search(after["answer"].lower()) else None
