"""Why a response is not right: one of a few kinds and, behind a colon, the details."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from itertools import chain

from everwhen.evaluate.answers.claims import clean
from everwhen.evaluate.answers.dates import find_times
from everwhen.evaluate.answers.mentions import write_plainly
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.numbers import find_amounts
from everwhen.evaluate.answers.stance import drop_replaced
from everwhen.evaluate.answers.typed import judge
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome

MAX_TEXT_LENGTH = 80
"""Characters of a text that a reason repeats."""

MAX_READ_LENGTH = 1000
"""Characters of an answer that are read again to explain it: what goes on for longer has no single answer."""

OPPOSITE = {"yes": "no", "no": "yes"}
UNITS = ("year", "month", "day")


class Kind(StrEnum):
    """What is wrong with a response."""

    NO_RESPONSE = "no response"
    REFUSES = "refuses, or is unsure"
    CUT_OFF = "cut off"
    LESS_EXACT = "less exact"
    ONCE = "right at another time"
    REPLACED = "a later claim replaces the answer"
    OPPOSITE = "says the opposite"
    YEAR = "another year"
    MONTH = "another month"
    DAY = "another day"
    NUMBER = "another number"
    NAME = "names another"
    BESIDE = "has the answer, but denies it, leaves it open or gives another"
    PART = "lacks a part"
    REFERENCE = "lacks a date"
    NOTHING = "no answer found"


def explain(kind: Kind, details: str = "") -> str:
    """Explain by a kind and, behind a colon, the details."""
    return f"{kind.value}: {details}" if details else kind.value


def explain_outcome(outcome: Outcome, final_answer: str, item: GoldItem, *, is_right_once: bool = False) -> str | None:
    """Explain why a final answer is not right; of one that is right, whether it replaces an earlier one.

    The outcome is not that of a response that was cut off.
    """
    if outcome is Outcome.NONE_GIVEN:
        return explain(Kind.REFUSES if final_answer else Kind.NO_RESPONSE)
    text = clean(final_answer)
    rest = text if item.answer_type == "yes_no" else drop_replaced(text)
    if outcome is Outcome.RIGHT:
        return "a later claim replaces an earlier one" if rest != text else None
    text, has_replaced, rest = text[:MAX_READ_LENGTH], rest != text, rest[:MAX_READ_LENGTH]
    given = _list_given(rest, item)
    if outcome is Outcome.COARSE:
        return explain(Kind.LESS_EXACT, write_contrast(given or [rest], item.answer))
    if is_right_once:
        return explain(Kind.ONCE, write_contrast(_list_named(rest, item.once) or [rest], item.answer))
    return _explain_wrong(text, rest, given, item, has_replaced=has_replaced)


def explain_options(chosen: Set[str] | None, final_answer: str, item: GoldItem) -> str | None:
    """Explain why the options that are chosen are not right, by their letters; None where they are.

    The letters are None where no answer is given.
    """
    if chosen is None:
        return explain(Kind.REFUSES if final_answer else Kind.NO_RESPONSE)
    right = item.right_letters
    others, missing = sorted(chosen - {*right}), [letter for letter in right if letter not in chosen]
    if not chosen:
        return explain(Kind.NOTHING, "no option")
    if others and missing:
        return explain(Kind.NAME, write_contrast(others, right))
    if others:
        return explain(Kind.BESIDE, "; ".join(others))
    return explain(Kind.PART, "; ".join(missing)) if missing else None


def _explain_wrong(text: str, rest: str, given: list[str], item: GoldItem, *, has_replaced: bool) -> str:
    """Explain why a cleaned text is wrong; `rest` is what it does not take back, `given` the values of that."""
    if has_replaced and _has_all(text, item):
        return explain(Kind.REPLACED, shorten("; ".join(given) or rest))
    if item.answer_type == "yes_no":
        return _explain_yes_no(rest, item)
    if item.answer_type == "name":
        return _explain_name(rest, item)
    return _explain_values(given, item) if given else explain(Kind.NOTHING, f"no {item.answer_type}")


def _explain_values(given: list[str], item: GoldItem) -> str:
    """Explain why the dates or numbers that a text gives are wrong."""
    others = [value for value in given if value not in item.answer]
    missing = [value for value in item.answer if value not in given]
    if not missing:
        return explain(Kind.BESIDE, "; ".join(others))
    if not others:
        return explain(Kind.PART, "; ".join(missing))
    kind = Kind.NUMBER if item.answer_type == "number" else _compare_dates(others[0], missing[0])
    return explain(kind, write_contrast(others, missing))


def _compare_dates(given: str, right: str) -> Kind:
    """Name the first unit in which two dates differ."""
    pairs = zip(UNITS, given.split("-"), right.split("-"), strict=False)
    unit = next((unit for unit, one, other in pairs if one != other), "day")
    return {"year": Kind.YEAR, "month": Kind.MONTH, "day": Kind.DAY}[unit]


def _explain_yes_no(text: str, item: GoldItem) -> str:
    """Explain a wrong answer to a question of yes or no."""
    other = OPPOSITE[item.answer[0].lower()]
    if judge(text, replace(item, answer=(other,))).outcome is Outcome.RIGHT:
        return explain(Kind.OPPOSITE, write_contrast([other], item.answer))
    if set(OPPOSITE) <= set(fold(text)):
        return explain(Kind.BESIDE, other)
    return explain(Kind.NOTHING, "neither yes nor no")


def _explain_name(text: str, item: GoldItem) -> str:
    """Explain why a text does not give a name."""
    parts = [(part, *also) for part, also in zip(item.answer, item.accepted, strict=True)]
    missing = [names[0] for names in parts if not _has(text, names)]
    right = set(map(fold, chain.from_iterable(parts)))
    others = [name for name in _list_named(text, [*item.options, *item.once]) if fold(name) not in right]
    if not missing:
        return explain(Kind.BESIDE, "; ".join(others))
    if len(missing) < len(parts):
        return explain(Kind.PART, "; ".join(missing))
    if not fold(text):
        return explain(Kind.NOTHING, "no name")
    return explain(Kind.NAME, write_contrast(others or [text], item.answer))


def _list_given(text: str, item: GoldItem) -> list[str]:
    """List the dates or numbers that a text gives, each once; those of names are not known."""
    if item.answer_type == "date":
        times = find_times(write_plainly(text, item), item)
        found = [_write_days(time.first, time.last) for time in times if time.first and time.last]
    elif item.answer_type == "number":
        found = [
            f"{Decimal(amount.value.numerator) / amount.value.denominator:f}" for amount in find_amounts(text, item)
        ]
    else:
        found = []
    return list(dict.fromkeys(found))


def _write_days(first: date, last: date) -> str:
    """Write a run of days as a year, a month or a day in the form of answers, else as its first and last.

    >>> _write_days(date(1974, 1, 1), date(1974, 12, 31)), _write_days(date(1974, 2, 1), date(1974, 2, 28))
    ('1974', '1974-02')
    """
    if first == last:
        return first.isoformat()
    if (first.month, first.day, last.month, last.day, last.year) == (1, 1, 12, 31, first.year):
        return f"{first.year:04d}"
    is_month = first.day == 1 and first.replace(day=28) <= last and (first.year, first.month) == (last.year, last.month)
    return first.isoformat()[:7] if is_month else f"{first.isoformat()} to {last.isoformat()}"


def _has_all(text: str, item: GoldItem) -> bool:
    """Tell whether a text has every part of the answer, whatever it says of them."""
    given = _list_given(text, item)
    pairs = zip(item.answer, item.accepted, strict=True)
    return all(part in given or _has(text, [part, *also]) for part, also in pairs)


def _list_named(text: str, names: Iterable[str]) -> list[str]:
    """List the names that a text has."""
    return [name for name in names if _has(text, [name])]


def _has(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text has one of several names as whole words."""
    words = f" {' '.join(fold(text))} "
    return any(f" {' '.join(fold(name))} " in words for name in names)


def write_contrast(given: Iterable[str], right: Iterable[str]) -> str:
    """Write what is given where something else is right.

    >>> write_contrast(["1975"], ["1974"])
    '1975 where 1974 is right'
    """
    return f"{shorten('; '.join(given))} where {'; '.join(right) or 'no answer'} is right"


def shorten(text: str) -> str:
    """Shorten a text to its beginning, in one line and without a full stop."""
    line = re.sub(r"\s+", " ", text).strip(" .")
    return line if len(line) <= MAX_TEXT_LENGTH else f"{line[:MAX_TEXT_LENGTH].rstrip()} …"
