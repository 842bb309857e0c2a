"""Which rows answer a question on a temporal table, worked out choice by choice in plain Python.

Every day that a coarse date may mean is a choice; only those beside the dates of the question make a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from everwhen.temporal.phrases import read_date

NEVER = 10**7
Test = Callable[[int, int], bool]

RELATIONS: dict[str, Callable[[int, int, int, int], bool]] = {
    "before": lambda s, e, bs, be: e < bs,
    "after": lambda s, e, bs, be: s > be,
    "meets": lambda s, e, bs, be: e == bs,
    "met_by": lambda s, e, bs, be: s == be,
    "overlaps": lambda s, e, bs, be: s < bs < e < be,
    "overlapped_by": lambda s, e, bs, be: bs < s < be < e,
    "equals": lambda s, e, bs, be: s == bs and e == be,
    "during": lambda s, e, bs, be: bs < s and e < be,
    "contains": lambda s, e, bs, be: s < bs and be < e,
    "starts": lambda s, e, bs, be: s == bs and e < be,
    "started_by": lambda s, e, bs, be: s == bs and e > be,
    "finishes": lambda s, e, bs, be: e == be and s > bs,
    "finished_by": lambda s, e, bs, be: e == be and s < bs,
}
OF_POINTS = {"before", "starts", "during", "finishes", "after"}


class Row(NamedTuple):
    """A row as a table states it; no end is an open one."""

    value: str
    start: str
    end: str | None


def count(day: date, unit: str) -> int:
    """Number the unit in which a day is."""
    if unit == "day":
        return day.toordinal()
    return day.year * 12 + day.month if unit == "month" else day.year


def bound(text: str | None, unit: str) -> tuple[int, int]:
    """Return the first and the last unit that a stated date may mean."""
    if text is None:
        return NEVER, NEVER
    found = read_date(text)
    assert found is not None
    return count(found.first, unit), count(found.last, unit)


def answer(
    rows: Sequence[Row], fits: Test, constants: Sequence[int], unit: str, *, points: bool, is_inclusive: bool = False
) -> list[str] | None:
    """Return the values that answer, sorted; None where a row answers by some choices alone.

    Args:
        rows: The rows of the key.
        fits: Whether a start and an end meet the conditions.
        constants: The units that the conditions compare with.
        unit: The unit of the question.
        points: Whether a row of one unit may answer.
        is_inclusive: Whether ends are last days (months, years): a row passes on a unit after that of its last day.
    """
    found = set()
    for row in rows:
        choices = _list_choices(row, constants, unit)
        lag = int(is_inclusive and row.end is not None)
        verdicts = {_judge(fits, start, end + lag, points) for start, end in choices}
        if verdicts == {"fits"}:
            found.add(row.value)
        elif verdicts != {"differs"}:
            return None
    return sorted(found)


def _judge(fits: Test, start: int, end: int, points: bool) -> str:
    if not fits(start, end):
        return "differs"
    return "fits" if points or start < end else "forbids"


def _list_choices(row: Row, constants: Sequence[int], unit: str) -> list[tuple[int, int]]:
    (first_start, last_start), (first_end, last_end) = bound(row.start, unit), bound(row.end, unit)
    near = {each + step for each in constants for step in (-1, 0, 1)}
    near |= {each + step for each in (first_start, last_start, first_end, last_end) for step in (-1, 0, 1)}
    starts = [each for each in near if first_start <= each <= last_start]
    ends = [each for each in near if first_end <= each <= last_end]
    return [(start, end) for start in starts for end in ends if start <= end]
