"""The dates that a response must give as reason: f(q) of TDBench, appendix B.4."""

from __future__ import annotations

from everwhen.temporal.allen import Relation

_LENGTH = "CASE granularity WHEN 'day' THEN 10 WHEN 'month' THEN 7 ELSE 4 END"
"""Characters of an ISO date of the question's unit."""


def write_stated_dates() -> str:
    """Write the dates that the text of a question states, in ISO 8601 (Spark SQL).

    Columns relation, conditions, granularity, event, offset_months, b_start, b_end and is_inclusive are read. Of an
    inclusive end a text states the last unit, which is the one before that of the condition.
    """
    start, end = (f"substring(string({day}), 1, {_LENGTH})" for day in ("b_start", "b_end"))
    start_of_end, end_of_end = (f"substring(string({_step_back(day)}), 1, {_LENGTH})" for day in ("b_start", "b_end"))
    by_sign = ", ".join(
        f"if(substring(conditions, {number}, 1) = '.', NULL, {day})"
        for number, day in enumerate((start, end, start_of_end, end_of_end), 1)
    )
    reckoned_from = f"if(relation = '{Relation.MEETS}', {end_of_end}, {start})"
    return (
        f"CASE WHEN event IS NOT NULL OR b_start IS NULL THEN array() WHEN offset_months IS NOT NULL"
        f" THEN array({reckoned_from}) ELSE array_compact(array({by_sign})) END"
    )


def _step_back(day: str) -> str:
    """Write the unit before a day, of inclusive ends."""
    back = f"if(granularity = 'day', date_sub({day}, 1), add_months({day}, if(granularity = 'month', -1, -12)))"
    return f"if(is_inclusive, {back}, {day})"


def write_references() -> str:
    """Write the references of a question from its matches, its roles and the dates that it states (Spark SQL)."""
    start, end, point = (
        _reference("start", "m.start"),
        _reference("end", "coalesce(m.end, 'still')"),
        _reference("point", "m.start"),
    )
    return (
        f"array_distinct(flatten(transform(matches, m -> if(m.is_point AND size(roles) > 0, array({point}),"
        f" transform(roles, role -> if(role = 'start', {start}, {end}))))))"
    )


def _reference(role: str, date: str) -> str:
    return (
        f"named_struct('answer', m.answer, 'role', '{role}', 'date', {date},"
        f" 'is_stated', array_contains(stated_dates, {date}))"
    )
