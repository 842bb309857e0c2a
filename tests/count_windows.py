"""The windows of the fixture `three_windows`, and what is counted in them: for the tests of counts."""

from __future__ import annotations

from typing import Any

import pytest

from everwhen.families.complextempqa.bind import periods

EARLY, LATE, ALL = "between 1990 and 1991", "between 1992 and 1993", "between 1990 and 1994"


def format_window(row: Any) -> str:
    """The years of a row's window, in one form."""
    return f"between {row.span.start.year} and {row.span.end.year}"


def collect_answers(rows: list[Any], *keys: str) -> dict[tuple[Any, ...], Any]:
    found = {(*(r[key] for key in keys), format_window(r)): r.reason or r["count"] for r in rows}
    assert len(found) == len(rows), "a question stands there once"
    return found


def set_windows(patch: pytest.MonkeyPatch) -> None:
    """Have counts be asked of these windows alone."""
    runs = [(1990, 1991), (1992, 1993), (1990, 1994)]

    def within(start: int, end: int, rounded: int) -> list[tuple[int, int]]:
        return [run for run in runs if start <= run[0] and run[1] <= end]

    patch.setattr(periods, "list_windows", within)
