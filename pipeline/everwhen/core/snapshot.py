"""The day of a snapshot."""

from __future__ import annotations

import re
from datetime import date

SNAPSHOT_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")


def find_snapshot_day(snapshot: str) -> date | None:
    """Find the day by which a snapshot is named, as Wikimedia's are; None where it has another name.

    >>> find_snapshot_day("20240101"), find_snapshot_day("2024-01-01"), find_snapshot_day("sample")
    (datetime.date(2024, 1, 1), datetime.date(2024, 1, 1), None)
    """
    named = SNAPSHOT_DAY.fullmatch(snapshot)
    try:
        return date.fromisoformat("-".join(named.groups())) if named else None
    except ValueError:  # 20241399 is no day
        return None
