"""Reads the conditions of a question from its words: those of our grammar, and those of a model that puts it otherwise.

The reader is careful: what it does not know for certain, it does not read. A word that may change a condition, such as
"within" or "first", makes the question unreadable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.words import parse_phrase
from everwhen.families.tdbench.relations import Endpoint
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.conditions import Conditions, EventPoint, TimeCondition
from everwhen.families.tdbench.texts.mentions import Candidates, mask_mentions
from everwhen.families.tdbench.texts.patterns import (
    ASKING,
    BEFORE,
    COUNT,
    DATE,
    ENDS,
    FIRST_WORDS,
    LASTING,
    NOW,
    STARTS,
    TIME,
    UNITS,
    UNSURE,
)
from everwhen.families.tdbench.texts.voices import add_still, label_column
from everwhen.temporal.phrases import SMALL_NUMBERS, read_date, read_duration
from everwhen.temporal.precision import Precision


def read_conditions(question: str, declaration: Declaration, scope: Scope, candidates: Candidates) -> Conditions | None:
    """Read the conditions of a question.

    Args:
        question: The question.
        declaration: The declaration of the table that it asks.
        scope: The scope that it asks.
        candidates: The values and events that it may name: those of one item, or of the table.

    Returns:
        The conditions; None where the question cannot be read for certain.
    """
    masked = mask_mentions(question, declaration, scope, candidates)
    if masked is None or not question.endswith("?") or not _asks_for(question, declaration, scope):
        return None
    rest, given = masked
    scan = _Scan(declaration, scope)
    return scan.read(" ".join(rest.lower().split()), given)


def find_dates(text: str) -> frozenset[tuple[date, int]]:
    """Find the dates in a text whose values are masked: first day and precision of each.

    >>> sorted(find_dates("before May 1, 2019 and after 2010"))
    [(datetime.date(2010, 1, 1), 9), (datetime.date(2019, 5, 1), 11)]
    """
    found = (read_date(match[0]) for match in re.finditer(rf"\b{DATE}", " ".join(text.lower().split())))
    return frozenset((value.first, int(value.precision)) for value in found if value is not None)


def _asks_for(question: str, declaration: Declaration, scope: Scope) -> bool:
    """Whether a question asks for the columns of the scope."""
    options = _list_options(declaration, scope)
    lowered = question.lower()
    if options:
        return all(re.search(rf"\b{re.escape(option.lower())}\b", lowered) for option in options)
    if FIRST_WORDS.match(question):
        return False
    words = declaration.words
    for column in scope.asked:
        label = label_column(declaration, column)
        asking = words.ask.get(column, f"which {label}")
        asked = asking.removeprefix("which ").removeprefix("what ").partition(" or ")[0]  # "which team or teams"
        pattern = ASKING.get(asking, re.escape(asked))
        if not re.search(rf"{pattern}|\b{re.escape(label)}\b", lowered):
            return False
    return True


def _list_options(declaration: Declaration, scope: Scope) -> list[str]:
    """List the values between which an either-or question lets choose."""
    if declaration.words.topic is None or len(scope.asked) != 1:
        return []
    return list(dict.fromkeys(declaration.words.values.get(scope.asked[0], {}).values()))


@dataclass
class _Scan:
    """A pass over a question whose values and event are masked."""

    declaration: Declaration
    scope: Scope
    endpoint: Endpoint | None = None
    is_lasting: bool = False
    times: set[TimeCondition] = field(default_factory=set)
    as_of: date | None = None
    is_now: bool = False
    is_joined: bool = False
    counts: set[tuple[str, int]] = field(default_factory=set)

    def read(self, text: str, given: frozenset[tuple[str, str]]) -> Conditions | None:
        """Read the whole text; None where a part of it is not certain."""
        if self.declaration.time.end is None:
            self.endpoint = "point"
        rest, at = [], 0
        for match in self._write_pattern().finditer(text):
            if not self._take(match):
                return None
            rest.append(text[at : match.start()])
            at = match.end()
        rest.append(text[at:])
        between = " ; ".join(rest)
        if self.scope.kind == "derived":  # "king of the country of the Games": a column that the join finds
            between = between.replace("of <event>", "")
        if UNSURE.search(between) or re.search(r"\d|<event>", between):
            return None
        return self._conclude(given)

    def _conclude(self, given: frozenset[tuple[str, str]]) -> Conditions | None:
        """Put together what was found; None where it does not fit together."""
        times, count = frozenset(self.times), next(iter(self.counts), None)
        if len(self.counts) > 1 or (count is not None) != (self.scope.kind == "count"):
            return None
        if count is not None:
            return self._conclude_count(given, *count)
        is_current = self.is_now or (self.as_of is not None and not times)
        if sum((bool(times), self.is_joined, is_current)) != 1:
            return None
        return Conditions(given, times, is_current=is_current, is_joined=self.is_joined, as_of=self.as_of)

    def _conclude_count(self, given: frozenset[tuple[str, str]], least: str, number: int) -> Conditions | None:
        """Put together what a question counts: all, or what began after a day."""
        is_after = all((each.sign, each.unit, each.offset_months) == (">", "day", 0) for each in self.times)
        days = [each.day for each in self.times if each.day is not None and each.endpoint != "end"]
        if self.is_joined or self.is_now or not is_after or not len(self.times) == len(days) <= 1:
            return None
        since = next(iter(days), None)
        return Conditions(given, as_of=self.as_of, counted=number, is_at_least=least != "exactly", since=since)

    def _write_pattern(self) -> re.Pattern[str]:
        """Write the pattern of all that has a meaning, longest words first."""
        own = self._list_cues()
        groups = {
            name: "|".join(re.escape(word) for word in sorted({*own[name], *words}, key=len, reverse=True))
            for name, words in (("start", STARTS), ("end", ENDS), ("lasting", LASTING), ("now", NOW))
        }
        cues = "|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in groups.items())
        joined = (
            r"(?P<joined>(?:during|at the time of) <event>(?! \w+ed\b)|when <event> (?:took place|was held|were held))"
        )
        phrases = self._list_neutral()
        neutral = "|".join(rf"{re.escape(phrase)}\b" for phrase in phrases)
        parts = [joined, rf"\b{TIME}", rf"\b{COUNT}", cues, f"(?P<neutral>{neutral or '(?!)'})"]
        return re.compile("|".join(parts))

    def _list_cues(self) -> dict[str, set[str]]:
        """List the words with which the declared phrases begin, by what they say."""
        words = self.declaration.words
        found: dict[str, set[str]] = {"start": set(), "end": set(), "lasting": set(), "now": set()}
        for phrases in (words, *words.asking.values()):
            still = phrases.still or (add_still(phrases.was) if phrases.was else None)
            for name, phrase in (
                ("start", phrases.begin),
                ("end", phrases.end),
                ("end", phrases.again),
                ("lasting", still),
            ):
                if phrase and (begin := _read_begin(phrase)):
                    found[name].add(begin)
        return found

    def _list_neutral(self) -> list[str]:
        """List phrases of the grammar whose words mean nothing by themselves, longest first."""
        words = self.declaration.words
        declared = [words, *words.asking.values()]
        found = {" or ".join(_list_options(self.declaration, self.scope)).lower()}
        for phrases in declared:
            literals = [
                piece.literal.strip().lower()
                for text in phrases.list_phrases().values()
                for piece in parse_phrase(text)
            ]
            found |= {literal for literal in literals if UNSURE.search(literal)}
        if self.scope.kind == "count":
            nouns = ["records", *(phrases.name_counted(self.scope.of)[1] for phrases in declared)]
            found |= {f"counting {each} {noun}" for each in ("separate", "recorded") for noun in nouns}
        return sorted(found - {""}, key=lambda phrase: (-len(phrase), phrase))

    def _take(self, match: re.Match[str]) -> bool:
        """Take what was found; return whether it is certain."""
        found = match.groupdict()
        if found["neutral"]:
            return True
        if found["joined"]:
            self.is_joined = True
        elif found["now"]:
            self.is_now = True
        elif found["least"]:
            self.counts.add((found["least"], _read_number(found["count"])))
        elif found["start"] or found["end"] or found["lasting"]:
            if self.declaration.time.end is not None:
                self.endpoint = "start" if found["start"] else "end"
            self.is_lasting = bool(found["lasting"])
        else:
            return self._take_time(found)
        return True

    def _take_time(self, found: dict[str, str | None]) -> bool:
        """Take a time with the words before it."""
        if found["as_of"]:
            day = read_date(found["date"] or "")
            is_new = day is not None and day.precision == Precision.DAY and self.as_of is None
            self.as_of = day.first if day is not None else None
            return is_new
        if self.endpoint is None:
            return False
        condition = _read_point(found, self.endpoint) if found["point"] else _read_absolute(found, self.endpoint)
        if condition is None:
            return False
        if self.is_lasting:
            lasting = _read_lasting(condition, found)
            if lasting is None:
                return False
            condition = lasting
        self.times.add(condition)
        return True


def _read_begin(phrase: str) -> str:
    """Return the text with which a phrase begins, up to its first column."""
    first = parse_phrase(phrase)[0]
    return first.literal.strip().lower()


def _read_number(text: str) -> int:
    if text in SMALL_NUMBERS:
        return SMALL_NUMBERS.index(text)
    return int(text) if text.isdecimal() else 2 if text == "twice" else 1


def _read_sign(side: str) -> str:
    return "<" if side in BEFORE else ">"


def _read_months(text: str) -> int | None:
    """Read a length of time as months; None where it is days."""
    duration = read_duration(text)
    return None if duration is None or duration.days else duration.years * 12 + duration.months


def _read_absolute(found: dict[str, str | None], endpoint: Endpoint) -> TimeCondition | None:
    """Read a comparison with a date."""
    value = read_date(found["date"] or "")
    if value is None or found["beyond_unit"] or found["no"] or found["at_least"]:
        return None
    unit = UNITS[Precision(value.precision)]
    if found["offset"]:
        months = _read_months(found["offset"])
        if months is None:
            return None
        sign = -1 if _read_sign(found["offset_side"] or "") == "<" else 1
        return TimeCondition(endpoint, "=", value.first, unit, sign * months)
    return TimeCondition(endpoint, "=" if found["on"] else _read_sign(found["side"] or ""), value.first, unit)


def _read_point(found: dict[str, str | None], endpoint: Endpoint) -> TimeCondition | None:
    """Read a comparison with the start or the end of an event."""
    point: EventPoint = "start" if found["point"] in ("began", "started", "opened") else "end"
    unit, sign, shift = found["unit"] or "day", "=", 0
    if found["beyond_unit"]:
        sign = _read_sign(found["beyond_side"] or "")
        shift = -1 if sign == "<" else 1
        unit = unit if found["beyond_unit"] == unit else ""
    elif found["offset"]:
        shift = -1 if _read_sign(found["offset_side"] or "") == "<" else 1
        unit = unit if found["offset"] == f"one {unit}" else ""
    elif found["no"]:
        sign, shift = ("<", 1) if found["no"] == "later" else (">", -1)
    elif found["at_least"]:
        sign, shift = ">", -1
    elif found["side"]:
        sign = _read_sign(found["side"])
    return TimeCondition(endpoint, sign, None, unit, 0, point, shift) if unit else None


def _read_lasting(condition: TimeCondition, found: dict[str, str | None]) -> TimeCondition | None:
    """Read how long something lasts: beyond a time, or at least until the unit of an event."""
    if condition.sign == ">":
        return condition
    if condition.event_point and found["on"]:
        return TimeCondition(condition.endpoint, ">", None, condition.unit, 0, condition.event_point, -1)
    return None
