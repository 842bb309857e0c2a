"""Reads from a post or a chat which landmark somebody was at, and what for.

It knows the names of landmarks and how English states a purpose, not the words of our grammar: it reads texts of
models, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from everwhen.families.impliret.parsing.messages import HEADER


class Visit(NamedTuple):
    """What a text says of a visit.

    Attributes:
        landmark: The name of the landmark, as it was given.
        speaker: Who says so.
        purpose: In a chat, what the visit was for, beginning with "to"; None in a post, or where no purpose is stated.
    """

    landmark: str
    speaker: str
    purpose: str | None


class Mention(NamedTuple):
    """Where a line names a landmark."""

    start: int
    end: int
    name: str


LINE = re.compile(rf"{HEADER.pattern}(?P<body>.*)$", re.MULTILINE)
WORD = re.compile(r"[\w'’.&-]*\w[\w'’.&-]*")
MOST_WORDS = 12
"""Words of the longest name."""
PLACE = "\0"
"""What stands for a landmark while its purpose is looked for."""
SENTENCE_END = re.compile(r"[.!?]\s")
PURPOSE = re.compile(
    r"\b[Tt]o (?!(?:the|a|an|my|our|his|her|their|its|this|that|some|me|us|you|him|them|it|go|be|get|find out)\b)"
    r"(?P<deed>[a-z][^.,;:!?()\n–—\0]*?)"
    r"(?= ?[,;:!?()–—]|\.(?:\s|$)|$| (?:and|but|or|because|since|so|while|when|although|though|which|before|after)\b"
    r"| (?:I|we|he|she|they)\b)"
)
"""An infinitive up to the end of its clause."""


def read_visit(text: str, landmarks: Collection[str], *, is_strict: bool = True) -> Visit | None:
    """Read the visit of a post or a chat; None where no landmark is named, or more than one.

    Args:
        text: The document, with its headers.
        landmarks: The names of all landmarks, to be looked up quickly: a set, or the keys of a mapping.
        is_strict: Whether the landmark must not be named twice.
    """
    lines = list(LINE.finditer(text))
    found = [(line, each) for line in lines for each in _find_names(line["body"], landmarks)]
    if not found or len({each.name for _, each in found}) > 1 or (is_strict and len(found) > 1):
        return None
    purposes = (_find_purpose(line["body"], each) for line, each in found) if len(lines) > 1 else iter(())
    line, first = found[0]
    return Visit(first.name, line["speaker"], next(filter(None, purposes), None))


def _find_names(body: str, landmarks: Collection[str]) -> Iterator[Mention]:
    """Find the landmarks that a line names, the longest at each place."""
    words, place = [word.span() for word in WORD.finditer(body)], 0
    while place < len(words):
        found = next(_match_names(body, words[place : place + MOST_WORDS], landmarks), None)
        if found:
            yield found
        place += sum(start < found.end for start, _ in words[place:]) if found else 1


def _match_names(body: str, words: list[tuple[int, int]], landmarks: Collection[str]) -> Iterator[Mention]:
    """List the names that begin with the first of some words, the longest first; they may have other apostrophes."""
    start = words[0][0]
    for _, last in reversed(words):
        part = body[start:last]
        for name in (part, re.sub(r"['’]s?$", "", part), part.rstrip(".'’-")):
            for spelling in (name, name.replace("’", "'"), name.replace("'", "’"), re.sub("^the ", "The ", name)):
                if spelling in landmarks:
                    yield Mention(start, start + len(name), spelling)


def _find_purpose(body: str, at: Mention) -> str | None:
    """Find what a visit was for: the first purpose behind the landmark, else the last before it in the sentence."""
    masked = body[: at.start] + PLACE + body[at.end :]
    begin = max((end.end() for end in SENTENCE_END.finditer(masked, 0, at.start)), default=0)
    deeds = [(deed.start(), deed["deed"].strip()) for deed in PURPOSE.finditer(masked, begin)]
    behind = [deed for start, deed in deeds if start > at.start]
    before = [deed for start, deed in deeds if start < at.start]
    found = behind[:1] or before[-1:]
    return f"to {found[0]}" if found else None
