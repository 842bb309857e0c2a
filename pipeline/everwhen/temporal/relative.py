"""Days named from another day: "yesterday", "seven days ago", "three weeks later", "last Tuesday", "the 31st".

"Last Tuesday" is the Tuesday nearest before the reference day, and "next Tuesday" the nearest after it; "the 31st" is
the nearest 31st on the side that the sentence speaks of. What is written is read back to the same day.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Literal

from everwhen.temporal.durations import add_duration, add_months
from everwhen.temporal.phrases import WEEKDAYS, read_duration, read_ordinal, write_amount, write_ordinal

DistanceUnit = Literal["day", "week", "month", "year"]

SHORT = {-1: "yesterday", 0: "today", 1: "tomorrow"}
"""Days by their distance from the day on which one speaks."""

_SIGNS = {"ago": -1, "earlier": -1, "before": -1, "later": 1, "after": 1, "from now": 1}
_DISTANCES = [
    re.compile(rf"(?P<duration>.+) (?P<sign>{'|'.join(_SIGNS)})"),
    re.compile(r"in (?P<duration>.+)"),
]
_WEEKDAY = re.compile(rf"(last|next) ({'|'.join(WEEKDAYS).lower()})")


def count_distance(day: date, reference: date, unit: DistanceUnit = "day") -> int | None:
    """Count the units from a reference day to a day, negative if it is earlier; None if they are no whole number.

    >>> spoken = date(2024, 1, 31)
    >>> count_distance(date(2024, 2, 29), spoken, "month"), count_distance(date(2024, 2, 9), spoken, "week")
    (1, None)
    """
    if unit in ("day", "week"):
        days, size = (day - reference).days, 7 if unit == "week" else 1
        return None if days % size else days // size
    months, size = (day.year - reference.year) * 12 + day.month - reference.month, 12 if unit == "year" else 1
    return None if months % size or add_months(reference, months) != day else months // size


def write_distance(
    day: date, reference: date, unit: DistanceUnit = "day", *, is_spoken: bool = True, in_words: bool = True
) -> str | None:
    """Write how far a day is from a reference day; None if it is no whole number of units.

    >>> spoken = date(2024, 10, 13)
    >>> write_distance(date(2024, 10, 6), spoken), write_distance(date(2024, 10, 14), spoken)
    ('seven days ago', 'tomorrow')
    >>> write_distance(date(2024, 11, 3), spoken, "week", is_spoken=False)
    'three weeks later'

    Args:
        day: The day that is named.
        reference: The day from which it is named.
        unit: What the distance is counted in.
        is_spoken: Whether one speaks on the reference day: "ago" and "in", else "earlier" and "later".
        in_words: Whether numbers up to twenty are in words.
    """
    number = count_distance(day, reference, unit)
    if number is None:
        return None
    if number == 0 or (is_spoken and unit == "day" and number in SHORT):
        return SHORT[number] if is_spoken else "the same day"
    amount = write_amount(abs(number), unit, in_words=in_words)
    if is_spoken:
        return f"in {amount}" if number > 0 else f"{amount} ago"
    return f"{amount} {'later' if number > 0 else 'earlier'}"


def write_near_weekday(day: date, reference: date) -> str | None:
    """Write a day of the week before or after a reference day; None if the day is more than a week away, or that day.

    >>> write_near_weekday(date(2024, 10, 8), date(2024, 10, 13))
    'last Tuesday'
    """
    days = (day - reference).days
    if not 1 <= abs(days) <= 7:
        return None
    return f"{'next' if days > 0 else 'last'} {WEEKDAYS[day.weekday()]}"


def write_near_day(day: date, reference: date) -> str | None:
    """Write a day by its number in the month; None if another with that number is nearer, or is the reference day.

    >>> write_near_day(date(2024, 8, 31), date(2024, 10, 13)), write_near_day(date(2024, 8, 12), date(2024, 10, 13))
    ('the 31st', None)
    """
    text = f"the {write_ordinal(day.day)}"
    return text if read_relative_date(text, reference, is_ahead=day > reference) == day else None


def read_relative_date(text: str, reference: date, *, is_ahead: bool = False) -> date | None:
    """Read a day that is named from a reference day; None where the text is no such name.

    >>> print(read_relative_date("two months later", date(2024, 12, 31)))
    2025-02-28
    >>> print(read_relative_date("the 31st", date(2024, 10, 13)), read_relative_date("some day", date(2024, 10, 13)))
    2024-08-31 None

    Args:
        text: The words: those that this module writes, "in" and "from now", "before" and "after" with a duration.
        reference: The day from which the day is named.
        is_ahead: Of "the 31st": whether the next one is meant, not the last one.
    """
    plain = " ".join(text.lower().split())
    try:
        return (
            _read_name(plain, reference)
            or _read_distance(plain, reference)
            or _read_number(plain, reference, 1 if is_ahead else -1)
        )
    except (ValueError, OverflowError):  # beyond the years 1 to 9999
        return None


def _read_name(plain: str, reference: date) -> date | None:
    """Read today, yesterday, tomorrow, and days of the week."""
    if plain == "the same day":
        return reference
    days = next((days for days, name in SHORT.items() if name == plain), None)
    if found := _WEEKDAY.fullmatch(plain):
        wanted = [name.lower() for name in WEEKDAYS].index(found[2])
        sign = 1 if found[1] == "next" else -1
        days = sign * (sign * (wanted - reference.weekday()) % 7 or 7)
    return None if days is None else reference + timedelta(days=days)


def _read_distance(plain: str, reference: date) -> date | None:
    """Read a duration before or after the reference day."""
    found = next((match for form in _DISTANCES if (match := form.fullmatch(plain))), None)
    duration = read_duration(found["duration"]) if found else None
    if found is None or duration is None:
        return None
    return add_duration(reference, duration, _SIGNS.get(found.groupdict().get("sign", "later"), 1))


def _read_number(plain: str, reference: date, sign: int) -> date | None:
    """Read the number of a day: the nearest such day after or before the reference day."""
    number = read_ordinal(plain.removeprefix("the "))
    if number is None or not plain.startswith("the ") or not 1 <= number <= 31 or number == reference.day:
        return None
    # No two months in a row lack a number.
    months = (add_months(reference.replace(day=1), sign * step) for step in range(3))
    days = (month + timedelta(days=number - 1) for month in months)
    return next((day for day in days if day.day == number and (day - reference).days * sign > 0), None)
