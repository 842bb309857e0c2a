"""A response read: what it gives as answer, and which dates with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from everwhen.evaluate.answers.claims import RECENT, clean, find_conclusion, split_sentences
from everwhen.evaluate.answers.envelope import ANSWER
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.stance import EXCLUDES, drop_replaced, has_other_role, is_aside, is_denied
from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.evaluation.lexicon import OFFICES, FoundValue, Lexicon
from everwhen.families.tdbench.evaluation.times import Given, Role, find_times

ENTRY = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+")
NUMBERED = re.compile(r"^\(?\d{1,2}[.)] (?=\D)")
NO = re.compile(r"\bno (?:\w+ )?$", re.IGNORECASE)
"""In front of an "answer:" that says that there is none."""

OF_ALL = re.compile(r"\b(?:both|all|each)\b", re.IGNORECASE)
WITHIN = re.compile(r"(?:\((?!(?:together |along )?(?:with|and)\b)[^()]*|, when [^,]*)$", re.IGNORECASE)
"""What a value is named within, behind another one: in parentheses, or a clause."""
AND = re.compile(r"\s*(?:,|and|&|or|/|, and)\s*")
ORS = re.compile(r"\s*,?\s*(?:or|nor)\s+", re.IGNORECASE)

_NAME = r"(?P<name>[^\W\d_a-z][\w'-]+(?: (?:de |del |da |von |van |al |[A-Z]\. )?[^\W\d_a-z][\w'-]+)+)"
NAMED = (
    re.compile(rf"^{_NAME} (?P<subject>became|won|got it|received|governed|was (?:sworn|(?:the )?[a-z]+))\b"),
    re.compile(rf"(?P<subject>\b[^.;,:]{{1,120}}?) (?:was|is|to|up with) {_NAME}(?!\w)"),
)
"""How sentences give a person as the answer."""
LISTED_NAME = re.compile(rf"\b(?!The |An? ){_NAME}|\b[^\W\d_a-z][\w'-]+")
BETWEEN_NAMES = re.compile(r",? (?:and|&|or|then|and then|or perhaps)(?: finally)? |, |; ")
ALONE = re.compile(rf"(?:\W*\d[\w ,]*[:\u2013-] )?{_NAME}(?:, [^,.;]{{2,40}})?[.!]?")
"""A sentence that is a name, maybe behind a year or in front of what it is known for."""
MIN_LETTERS = 3
"""Letters that a word of a question has more of, which says what is asked."""
NAMING = (" was ", " is ", " to ", " up with ", " became ", " won ", " got it", " received ", " governed ")
POINTING = frozenset(("it", "that", "this", "winner", "answer", "became", "won", "got", "received", "oscar"))
"""What is said of an answer, beside words of the question."""
OTHER = "\ue002"
"""In place of an answer that the table does not have."""


class ReadSentence(NamedTuple):
    """A sentence or line, read.

    Attributes:
        text: Its text.
        answers: The answers that it gives, where they are, in their order.
        asides: Those that it names beside others.
        times: The times that it gives.
    """

    text: str
    answers: tuple[FoundValue, ...]
    asides: tuple[FoundValue, ...]
    times: tuple[Given, ...]


class Dated(NamedTuple):
    """A time with the answers that it belongs to; none where no answer is named before."""

    time: Given
    owners: frozenset[str]


@lru_cache(maxsize=RECENT)
def split_response(text: str) -> Sequence[str]:
    """Split a text into lines and sentences with single spaces, without marks of lists and of Markdown."""
    lines = [NUMBERED.sub("", " ".join(line.split())) for line in clean(text).split("\n")]
    return [sentence for line in lines for sentence in split_sentences(line) if sentence]


def find_region(spoken: str) -> str:
    """Find the answer in what a model says: its last "Answer:" line with a list below, its conclusion, else all."""
    marks = [mark for mark in ANSWER.finditer(spoken) if not NO.search(spoken[: mark.start()])]
    if marks:
        return drop_replaced(_cut_line(spoken[marks[-1].end() :].strip()))
    sentences = split_response(spoken)
    concluded = find_conclusion(sentences)
    return drop_replaced("\n".join(concluded) if len(concluded) < len(sentences) else spoken)


def _cut_line(text: str) -> str:
    """Cut a text behind its first line, or behind the list that begins there."""
    first, *lines = text.split("\n")
    entries = takewhile(lambda line: ENTRY.match(line) or (line[:1].isspace() and line.strip()), lines)
    return "\n".join([first, *entries])


def read_sentence(
    text: str, columns: Sequence[str], lexicons: Mapping[str, Lexicon], asked: Collection[str] = ()
) -> ReadSentence:
    """Read a sentence.

    Args:
        text: The sentence.
        columns: The columns that the question asks for.
        lexicons: The names of their values.
        asked: The folded words of the question; without them no role is another one.
    """
    times = find_times(text)
    hidden = [(time.start, time.end) for time in times if time.role is not Role.STILL]
    is_alone = len(columns) == 1
    claims = _drop_overlapped(
        [
            _read_claims(own, lexicons[column], hidden, asked, is_alone=is_alone)
            for column, own in zip(columns, _split_columns(text, len(columns)), strict=True)
        ]
    )
    answers, asides = _combine_admitted(claims, are_asides=False), _combine_admitted(claims, are_asides=True)
    return ReadSentence(text, answers, asides, tuple(time for time in times if not _is_within(time, claims)))


def _split_columns(text: str, count: int) -> list[str]:
    """Split a text written as answers are published into a text a column, each value at its place; else take it all.

    >>> _split_columns("Fox | Ann Lee", 2)
    ['Fox          ', '      Ann Lee']
    """
    parts = text.split(SEPARATOR)
    if len(parts) != count:
        return [text] * count
    starts = [len(SEPARATOR.join([*parts[:place], ""])) for place in range(count)]
    return [f"{'':{start}}{part}".ljust(len(text)) for start, part in zip(starts, parts, strict=True)]


def _drop_overlapped(claims: list[list[FoundValue]]) -> list[list[FoundValue]]:
    """Drop values that are within a longer one of another column: the company Fox, named in Fay Fox."""
    found = [claim for column in claims for claim in column] if len(claims) > 1 else []
    return [[claim for claim in column if not any(_is_part(claim, other) for other in found)] for column in claims]


def _is_part(claim: FoundValue, other: FoundValue) -> bool:
    """Tell whether a value is within another, or in the same place by less than its whole name."""
    if other.start <= claim.start and claim.end <= other.end and claim.end - claim.start < other.end - other.start:
        return True
    is_same_place = (claim.start, claim.end) == (other.start, other.end)
    return is_same_place and len(fold(claim.value)) > len(fold(other.value))


def _read_claims(
    text: str, lexicon: Lexicon, hidden: list[tuple[int, int]], asked: Collection[str], *, is_alone: bool
) -> list[FoundValue]:
    claims: list[FoundValue] = []
    values = lexicon.find(text, hidden)
    for found in values:  # a word of a value, as under-17, says nothing of the next
        text = f"{text[: found.start]}{'X' * (found.end - found.start)}{text[found.end :]}"
    for found in values:
        denied = _is_denied_with(claims, text, found)
        other = bool(asked) and has_other_role(text, found.start, found.end, asked)
        is_beside = is_alone and _is_named_within(claims, text, found)
        aside = other or is_beside or is_aside(text, found.start, found.end)
        claims.append(found._replace(is_denied=denied, is_aside=aside, has_other_role=other))
    return _turn(claims, lexicon)


def _is_denied_with(claims: Sequence[FoundValue], text: str, found: FoundValue) -> bool:
    """Tell whether a value is denied, by itself or together with the one before: neither A nor B."""
    if EXCLUDES.match(text) or is_denied(text, found.start, found.end):
        return True
    is_next_to_denied = bool(claims) and claims[-1].is_denied
    return is_next_to_denied and ORS.fullmatch(text[claims[-1].end : found.start]) is not None


def _is_named_within(claims: Sequence[FoundValue], text: str, found: FoundValue) -> bool:
    """Tell whether a value is in parentheses, or in a clause, behind another one that is given."""
    opened = WITHIN.search(text[: found.start])
    return opened is not None and any(claim.end <= opened.start() and not claim.is_aside for claim in claims)


def _turn(claims: list[FoundValue], lexicon: Lexicon) -> list[FoundValue]:
    """Turn a denied value of a column with two into the other: what is not legal is illegal."""
    if len(lexicon.values) != 2:
        return claims
    return [
        claim._replace(value=next(iter(lexicon.values - {claim.value})), is_denied=False) if claim.is_denied else claim
        for claim in claims
    ]


def _is_within(time: Given, claims: Sequence[Sequence[FoundValue]]) -> bool:
    """Tell whether a time is part of a value: the year of Seoul 1988."""
    return any(claim.start <= time.start and time.end <= claim.end for column in claims for claim in column)


def _combine_admitted(claims: Sequence[Sequence[FoundValue]], *, are_asides: bool) -> tuple[FoundValue, ...]:
    """Combine the values of several columns that are not denied: those named beside another, or those given."""
    return _combine(
        [[claim for claim in column if not claim.is_denied and claim.is_aside is are_asides] for column in claims]
    )


def _combine(columns: list[list[FoundValue]]) -> tuple[FoundValue, ...]:
    """Combine the values of several columns in their order; one value of a column goes with all of another."""
    if len(columns) == 1:
        return tuple(columns[0])
    counts = {len(column) for column in columns}
    most = max(counts)
    if not counts <= {1, most}:
        return ()
    rows = zip(*(column * most if len(column) == 1 else column for column in columns), strict=True)
    return tuple(
        FoundValue(SEPARATOR.join(c.value for c in row), min(c.start for c in row), max(c.end for c in row))
        for row in rows
    )


def assign_times(sentences: Sequence[ReadSentence]) -> list[Dated]:
    """Assign each time to the answers of its sentence; in a sentence without any, to the last one before.

    In a sentence with several answers a time belongs to the answer in front of it; to the one behind it, where the
    sentence begins with a time and ends with an answer.
    """
    dated: list[Dated] = []
    last: frozenset[str] = frozenset()
    for sentence in sentences:
        answers = sentence.answers
        for time in sentence.times:
            dated.append(Dated(time, _find_owners(sentence, time) if answers else last))
        if answers:
            last = frozenset({max(answers, key=lambda found: found.start).value})
    return dated


def _find_owners(sentence: ReadSentence, time: Given) -> frozenset[str]:
    values = frozenset(found.value for found in sentence.answers)
    if len(values) == 1 or OF_ALL.search(sentence.text):
        return values
    before = [found for found in sentence.answers if found.start < time.start]
    if not before or _is_led_by_time(sentence):
        return frozenset([next(found.value for found in sentence.answers if found.start > time.start)])
    return _find_group(sentence.text, before)


def _is_led_by_time(sentence: ReadSentence) -> bool:
    """Tell whether a sentence begins with a time and ends with an answer."""
    places = [time.start for time in sentence.times]
    return min(places) < sentence.answers[0].start and max(places) < sentence.answers[-1].start


def _find_group(text: str, answers: Sequence[FoundValue]) -> frozenset[str]:
    """Find the last answer, with those that are joined with it: A, B and C."""
    group = [answers[-1]]
    for found in reversed(answers[:-1]):
        if not AND.fullmatch(text[found.end : group[-1].start]):
            break
        group.append(found)
    return frozenset(found.value for found in group)


def gives_stranger(sentence: str, question: str, lexicons: Collection[Lexicon]) -> bool:
    """Tell whether a sentence gives a person whom the table does not have.

    >>> from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
    >>> coaches = build_lexicon({"Ann Abel": ()})
    >>> [gives_stranger(f"The winner was {name}.", "Who won?", [coaches]) for name in ("Bea Bohr", "Ann Abel")]
    [True, False]
    """
    if not any(lexicon.surnames for lexicon in lexicons):
        return False
    asked = frozenset(fold(question))
    names = _list_given(sentence, asked)
    if (alone := ALONE.fullmatch(sentence)) and asked.isdisjoint(fold(alone["name"])):
        names.append(alone["name"])
    is_known = [any(lexicon.find(name) for lexicon in lexicons) for name in names]
    return not all(is_known) or _lists_stranger(sentence, asked, lexicons)


def _list_given(sentence: str, asked: frozenset[str]) -> list[str]:
    """List the names that a sentence gives as the answer by a pattern of `NAMED`."""
    if not any(word in sentence for word in NAMING):
        return []
    return [found["name"] for pattern in NAMED if (found := pattern.search(sentence)) and _is_answer(found, asked)]


def _lists_stranger(sentence: str, asked: frozenset[str], lexicons: Collection[Lexicon]) -> bool:
    """Tell whether a sentence has a person whom the table does not have, in a list with answers.

    >>> from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
    >>> coaches = build_lexicon({"Ann Abel": (), "Cy Coe": ()})
    >>> texts = ("Ann Abel, Bea Bohr and Cy Coe", "Ann Abel or Bea Bohr, who won", "Ann Abel, Forrest Gump")
    >>> [_lists_stranger(text, frozenset(), [coaches]) for text in texts]
    [True, True, False]
    """
    known = {found[1:3] for lexicon in lexicons for found in lexicon.find(sentence)}
    given = [span for span in known if not is_denied(sentence, *span) and not is_aside(sentence, *span)]
    names = filter(lambda found: asked.isdisjoint(fold(found[0])), LISTED_NAME.finditer(sentence))
    return bool(given) and any(_is_listed(found, given) for found in names if not _overlaps(found, known))


def _overlaps(name: re.Match[str], spans: Collection[tuple[int, int]]) -> bool:
    return any(start < name.end() and name.start() < end for start, end in spans)


def _is_listed(name: re.Match[str], given: Collection[tuple[int, int]]) -> bool:
    """Tell whether a name is in a list with others: joined to one by a word, or by commas to two."""
    text = name.string
    before = [*filter(BETWEEN_NAMES.fullmatch, (text[end : name.start()] for _, end in given))]
    behind = [*filter(BETWEEN_NAMES.fullmatch, (text[name.end() : start] for start, _ in given))]
    if " " not in name[0]:
        return bool(before and behind)
    is_last = bool(before) and len(given) > 1 and not text[name.end() :].strip(" .!")
    return bool(before and behind) or is_last or any(map(str.isalpha, "".join(before + behind)))


def is_left_open(sentence: ReadSentence) -> bool:
    """Tell whether a sentence gives one answer or another."""
    pairs = pairwise(sorted(sentence.answers, key=lambda found: found.start))
    return any(a.value != b.value and ORS.fullmatch(sentence.text[a.end : b.start]) for a, b in pairs)


def _is_answer(found: re.Match[str], asked: frozenset[str]) -> bool:
    """Tell whether a name that a pattern of `NAMED` found is given as the answer to a question with these words."""
    about = POINTING | {token for token in asked if len(token) > MIN_LETTERS}
    return (
        (asked | OFFICES).isdisjoint(fold(found["name"])[:1])
        and not about.isdisjoint(fold(found["subject"]))
        and not is_denied(found.string, *found.span("name"))
        and not is_aside(found.string, *found.span("name"))
    )
