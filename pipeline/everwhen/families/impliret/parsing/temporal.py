"""Reads from posts and chats on which days, and at which hours, something is done.

A text tells days by their distance from the message, and hours by a start and a length. The patterns are general
English: models write such texts, too.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import NamedTuple

from everwhen.evaluate.answers.number_words import TENS, UNITS
from everwhen.families.impliret.parsing.messages import split_messages

_WORDS = {**UNITS, **TENS, "a": 1, "an": 1}
_NUMBER = rf"(?:[0-9]{{1,3}}|(?:{'|'.join(TENS)})[- ](?:{'|'.join(UNITS)})|{'|'.join(_WORDS)})\b"
_RUN = (
    r"(?:[- ]days? (?:in a row|running|straight|in succession|on end|consecutively)"
    r"|[- ](?:consecutive|straight|successive) days?|[- ]day (?:stretch|run|streak|stint))\b"
)
_UNIT = "(?:days?|weeks?|fortnights?)"
_JOINT = r"(?:,? (?:and|or)(?: then| again)?|,) "
# Of "five and three days ago", the first number has no unit of its own; "in two days, three days in a row" is no list.
_AMOUNT = rf"\b{_NUMBER}(?:(?: {_UNIT})?{_JOINT}{_NUMBER}(?!{_RUN}))* {_UNIT}"
_START = r"(?P<start>\b(?:start|beg[iau]n|commenc|kick)\w*(?: off)?(?: (?:from|on|again|back|up))*,? )?"
_DAY = re.compile(
    rf"{_START}(?:(?P<past>{_AMOUNT}) (?:ago|back|earlier)\b"
    rf"|\bin (?:just |about |exactly )?(?P<future>{_AMOUNT})\b(?! (?:ago|back|earlier)\b)"
    rf"|(?P<hence>{_AMOUNT}) (?:from now|from today|hence)\b"
    r"|\b(?P<named>(?:the )?day before yesterday|yesterday|today|tomorrow|(?:the )?day after tomorrow)\b)",
    re.IGNORECASE,
)
_NAMED = {"day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "day after tomorrow": 2}
_UNIT_DAYS = {"d": 1, "w": 7, "f": 14}
_RUN_LENGTH = re.compile(rf"\b(?P<days>{_NUMBER}){_RUN}", re.IGNORECASE)
_LENGTH = re.compile(rf"\b(?P<hours>{_NUMBER})(?: (?:whole|full|straight|solid))?[- ]hours?\b", re.IGNORECASE)
_HOUR = re.compile(
    rf"\b(?P<hour>{_NUMBER})(?::[0-5][0-9])?(?: ?o['’]clock)?"
    r"(?: ?(?P<half>[ap])\.?m\b| (?:in the|at) (?P<part>morning|afternoon|evening|night)\b)"
    r"|\b(?P<noon>noon|midday)\b"
    r"|\b(?P<clock>[01]?[0-9]|2[0-3]):[0-5][0-9]\b"
    rf"|\b(?:from|at) (?P<bare>{_NUMBER})(?: o['’]clock\b|(?=[,.]| (?:for|on|and|each|every|until)\b))",
    re.IGNORECASE,
)
FIRST_HOUR = 7
"""Of an hour without its half of the day, this one or a later one is meant."""


class Deed(NamedTuple):
    """What a post says of when something was done.

    Attributes:
        speaker: Who posts.
        offsets: Days from the date of the post to each date, in order; negative ones are past.
        dates: The dates.
        mentions: How many days the text names, the same day again included.
    """

    speaker: str
    offsets: tuple[int, ...]
    dates: tuple[dt.date, ...]
    mentions: int


class Plan(NamedTuple):
    """What a chat says of when something is done.

    Attributes:
        speaker: Who says so.
        offsets: Days from the date of the chat to each date, in order; negative ones are past.
        dates: The dates.
        start_hour: When it begins on each of them.
        hours: How long it lasts.
        utterance: The text that says so, without its header.
        strays: How many days, hours and lengths the text names besides.
    """

    speaker: str
    offsets: tuple[int, ...]
    dates: tuple[dt.date, ...]
    start_hour: int
    hours: int
    utterance: str
    strays: int


class _Times(NamedTuple):
    """What a text names: days, by their distances from the message, hours of a day, and lengths in hours."""

    days: list[list[int]]
    starts: list[int]
    lengths: list[int]


def read_deed(text: str) -> Deed | None:
    """Read a post; None where it names no day that is past, or has not just one header.

    >>> read_deed("2024-03-02 09:15, Ada: I flew a kite three days ago.").dates
    (datetime.date(2024, 2, 28),)
    """
    messages = split_messages(text)
    if len(messages) != 1:
        return None
    speaker, date = messages[0].speaker, messages[0].date
    days = _find_days(messages[0].text)
    # "I read it in two days" says how long it took, and "I am happy today" says nothing of the deed.
    named = {offset for each in days for offset in each}
    offsets = tuple(sorted(offset for offset in named if offset < 0)) or ((0,) if 0 in named else ())
    return Deed(speaker, offsets, _resolve(date, offsets), len(days)) if offsets else None


def read_plan(text: str) -> Plan | None:
    """Read a chat; None where none of its utterances names days, a start and a length. The first that does counts."""
    messages = split_messages(text)
    times = [_find_times(message.text) for message in messages]
    place = next((place for place, found in enumerate(times) if all(found)), None)
    if place is None:
        return None
    message, found = messages[place], times[place]
    offsets = tuple(sorted({offset for each in found.days for offset in each}))
    return Plan(
        speaker=message.speaker,
        offsets=offsets,
        dates=_resolve(message.date, offsets),
        start_hour=found.starts[0],
        hours=found.lengths[0],
        utterance=message.text,
        strays=sum(len(part) for each in times for part in each) - len({*map(tuple, found.days)}) - 2,
    )


def _find_times(text: str) -> _Times:
    return _Times(
        _find_days(text),
        [_read_hour(match) for match in _HOUR.finditer(text)],
        [_read_number(match["hours"]) for match in _LENGTH.finditer(text)],
    )


def _find_days(text: str) -> list[list[int]]:
    """Find the days that a text names: an entry each, with several of a run or of a list that shares its unit."""
    matches = list(_DAY.finditer(text))
    days = [_read_day(match) for match in matches]
    for run in _RUN_LENGTH.finditer(text) if matches else ():
        # A run begins on the nearest day that says so, else on the nearest one.
        def rank(place: int, run: re.Match[str] = run) -> tuple[bool, int]:
            return matches[place]["start"] is None, abs(matches[place].start() - run.start())

        place = min(range(len(matches)), key=rank)
        days[place] = [days[place][0] + day for day in range(_read_number(run["days"]))]
    return days


def _read_day(match: re.Match[str]) -> list[int]:
    """Read the distances of a phrase: one, or several that share their unit."""
    if match["named"]:
        return [_NAMED[match["named"].lower().removeprefix("the ")]]
    phrase = match["past"] or match["future"] or match["hence"]
    amounts, unit = phrase.rsplit(" ", 1)
    direction = -1 if match["past"] else 1
    numbers = re.findall(_NUMBER, amounts, re.IGNORECASE)
    return [direction * _read_number(number) * _UNIT_DAYS[unit[0].lower()] for number in numbers]


def _read_hour(match: re.Match[str]) -> int:
    """Read an hour of a day."""
    if match["noon"]:
        return 12
    hour = _read_number(match["hour"] or match["clock"] or match["bare"])
    half = (match["half"] or match["part"] or "").lower()
    if not half:
        return hour + 12 if hour < FIRST_HOUR else hour
    is_late = half in ("p", "afternoon", "evening", "night")
    return hour + 12 if is_late and hour < 12 else hour


def _read_number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return sum(_WORDS[word] for word in re.split("[- ]", text.lower()))


def _resolve(date: dt.date, offsets: Sequence[int]) -> tuple[dt.date, ...]:
    return tuple(date + dt.timedelta(offset) for offset in offsets)
