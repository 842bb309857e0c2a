"""Doubts about right responses: those that also hedge, deny, or name another candidate, and may be right by luck."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from everwhen.evaluate.answers.claims import clean
from everwhen.evaluate.answers.stance import DENIAL
from everwhen.evaluate.answers.words import CORRECTING, HEDGING

HEDGE = re.compile(
    rf"\b(?:{'|'.join(sorted(HEDGING))}|maybe|probably|presumably|likely|apparently|not sure|unsure|uncertain|might"
    r"|could be|may be|(?:i|my) (?:think|believe|guess|assume|suspect)|if i (?:recall|remember)|as far as i know"
    r"|or so)\b",
    flags=re.IGNORECASE,
)
CORRECTION = re.compile(rf"\b(?:{'|'.join(sorted(CORRECTING))})\b", flags=re.IGNORECASE)
DENYING_PARTS = (
    *("not", "neither", "nor", "never", "rather", "instead", "unlike", "except", "other than", "no longer"),
    *("either", "but", "rul", "exclud", "leav", "left", "omit", "wrong", "correct", "false", "mistake", "untrue"),
    *("impossible", "error", "myth", *CORRECTING, *(f"{mark}t" for mark in "'\u2018\u2019\u02bc\u00b4")),
)
"""Parts of words without one of which a text neither denies nor corrects: they are found in a tenth of the time."""
HEDGING_PARTS = (
    *("maybe", "probabl", "presum", "likely", "apparent", "sure", "uncertain", "might", "could be", "may be", "think"),
    *("believe", "guess", "assume", "suspect", "recall", "remember", "i know", "or so", *HEDGING),
)
"""The same of hedges."""
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
YEAR = re.compile(r"\b\d{4}\b")
MAX_TOKENS = 8
"""Names with more tokens are not looked for."""


WORD = re.compile(r"\w+")


def _split(text: str) -> list[str]:
    return WORD.findall(text.casefold())


@dataclass(frozen=True)
class Candidates:
    """The names that a response could have given.

    Attributes:
        names: The names, by their tokens.
        sizes: By first token, how many tokens names have, the most first.
    """

    names: Mapping[tuple[str, ...], str]
    sizes: Mapping[str, Sequence[int]]

    @classmethod
    def collect(cls, names: Collection[str]) -> Candidates:
        """Collect names; of those with the same tokens the first in order counts."""
        found: dict[tuple[str, ...], str] = {}
        for name in sorted(names):
            tokens = tuple(_split(name))
            if tokens and len(tokens) <= MAX_TOKENS:
                found.setdefault(tokens, name)
        sizes: dict[str, set[int]] = defaultdict(set)
        for tokens in found:
            sizes[tokens[0]].add(len(tokens))
        return cls(found, {token: sorted(each, reverse=True) for token, each in sizes.items()})

    def find(self, text: str, besides: Collection[str]) -> str | None:
        """Find the first name in a text that is no part of a text which it may name."""
        tokens, allowed = _split(text), None
        for start, token in enumerate(tokens):
            for size in self.sizes.get(token, ()):
                words = tokens[start : start + size]
                name = self.names.get(tuple(words))
                if name is None:
                    continue
                allowed = [f" {' '.join(_split(each))} " for each in besides] if allowed is None else allowed
                if not any(f" {' '.join(words)} " in each for each in allowed):
                    return name
                break
        return None


def find_doubt(
    response: str,
    question: str,
    right: Collection[str],
    answer_type: str,
    candidates: Candidates,
    others: Collection[str] = (),
) -> str | None:
    """Find what makes a right response, without thoughts, doubtful; None where nothing does.

    A name that stands in the question or in an answer is no other candidate; `others` are names that this item alone
    could be answered with, such as the options of a choice. Denials are not looked for where the answer is yes or no,
    or where none is right.

    >>> find_doubt("Perhaps Cher.", "Who?", ["Cher"], "name", Candidates.collect(["Cher", "Sonny"]))
    'it hedges: Perhaps'
    >>> find_doubt("Sonny, no, Cher.", "Who?", ["Cher"], "name", Candidates.collect(["Cher", "Sonny"]))
    'it names another candidate: Sonny'
    """
    known = [question, *right]
    if answer_type == "yes_no":
        other = "yes and no" if {"yes", "no"} <= {*_split(response)} else None
    elif answer_type in ("date", "number"):
        other = _find_number(response, known, is_date=answer_type == "date")
    else:
        other = Candidates.collect(others).find(response, known)
        other = other or (candidates.find(response, known) if answer_type == "name" else None)
    if other:
        return f"it names another candidate: {other}"
    if hedge := _find_hedge(response):
        return f"it hedges: {hedge}"
    return _find_denial(response) if right and answer_type != "yes_no" else None


def _find_hedge(response: str) -> str | None:
    hedge = HEDGE.search(response) if _has_part(response, HEDGING_PARTS) else None
    return hedge and hedge[0]


def _has_part(text: str, parts: Sequence[str]) -> bool:
    return any(map(text.lower().__contains__, parts))


def _find_denial(response: str) -> str | None:
    if not _has_part(response, DENYING_PARTS):
        return None
    text = clean(response)  # DENIAL is read in cleaned texts
    if denial := DENIAL.search(text) or CORRECTION.search(text):
        return f"it denies: {text[denial.start() : denial.end() + 30].split(chr(10))[0].strip()}"
    return None


def _find_number(text: str, known: Collection[str], *, is_date: bool) -> str | None:
    """Find a number that is neither asked nor right: of dates a year, else a number that is no year."""
    pattern = YEAR if is_date else NUMBER
    allowed = {number.replace(",", "") for each in known for number in pattern.findall(each)}
    for number in pattern.findall(text):
        if number.replace(",", "") not in allowed and (is_date or not YEAR.fullmatch(number)):
            return str(number)
    return None
