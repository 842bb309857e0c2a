"""Dates of running text, written as scans for them expect it: each with its own month and year."""

from __future__ import annotations

import re

from everwhen.evaluate.answers.mentions import DASHED, DAY, DOTTED_DAY, MONTH, scan_times

Days = frozenset[tuple[int, int]]
"""Times as the numbers of their first and last day (`date.toordinal`)."""

TO = r" ?(?:[-–—]|to|until|till|through|and) ?"

RUNS = (
    (re.compile(rf"\b({DAY}){TO}({DAY}) (?:of )?({MONTH}),? (\d{{4}})"), r"\1 \3 \4 to \2 \3 \4"),
    (re.compile(rf"\b({MONTH}) ({DAY}){TO}({DAY}),? (\d{{4}})"), r"\1 \2, \4 to \1 \3, \4"),
    (re.compile(rf"\b({DAY} {MONTH})({TO}{DAY} {MONTH},? (\d{{4}}))"), r"\1 \3 to \2"),
    (re.compile(rf"\b({MONTH} {DAY})({TO}{MONTH} {DAY},? (\d{{4}}))"), r"\1, \3 to \2"),
    (re.compile(rf"\b({MONTH})({TO}{MONTH},? (\d{{4}}))"), r"\1 \3 to \2"),
)
"""Runs of days or months of one year, which the text gives once: 4 to 15 April 2018, May 30 – June 3, 1994."""

EARLY = re.compile(
    rf"(?P<before>\b(?:in|since|from|until|by|of|year|about|c\.|{MONTH}) )(?P<year>\d{{2,3}})(?![\w:%]|[.,]\d)"
)
"""A year before 1000. Other numbers look so, too; it is read for answers before 1000 alone."""


def scan_days(text: str, *, is_early: bool = False) -> Days:
    """Scan a text for days, months and years, in the ways that texts write them; ambiguous ones are passed over.

    Where it is early, numbers of two or three digits may be years.
    """
    plain = DASHED.sub(r"\1 \2 \3", DOTTED_DAY.sub(r"\1 ", " ".join(text.lower().split())))
    for pattern, replacement in RUNS:
        plain = pattern.sub(replacement, plain)
    if is_early:
        plain = EARLY.sub(lambda found: f"{found['before']}{int(found['year']):04d}", plain)
    return frozenset(
        (time.first.toordinal(), time.last.toordinal())
        for time in scan_times(plain)
        if time.first and time.last and not time.is_range and not plain[time.end : time.end + 1].isdigit()
    )
