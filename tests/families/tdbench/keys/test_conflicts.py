"""The rows of a broken key that are in conflict, compared with every pair of rows."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest

from everwhen.families.tdbench.keys.conflicts import keep_conflicting

FIRST = date(2000, 1, 1)


def draw_rows(seed: int) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    rows = []
    for line in range(2, 2 + chance.randint(2, 12)):
        start = chance.randint(0, 30)
        first, last = (FIRST + timedelta(days=day) for day in (start, start + chance.randint(0, 12)))
        value = [chance.choice("uvw")]
        rows.append({"line": line, "value": value, "first": first, "last": last})
    return [{**row, "fields": {}, "stated_start": "", "stated_end": None} for row in rows]


@pytest.mark.parametrize("seed", range(40))
def test_rows_in_conflict_are_those_that_every_pair_shows(seed: int) -> None:
    rows = draw_rows(seed)
    sure = [row for row in rows if row["first"] < row["last"]]
    pairs = {
        (one["line"], other["line"])
        for one in sure
        for other in sure
        if one["value"] != other["value"] and max(one["first"], other["first"]) < min(one["last"], other["last"])
    }
    found = keep_conflicting(rows)
    assert [row["line"] for row in found] == [row["line"] for row in rows if row["line"] in {one for one, _ in pairs}]
    assert {(row["line"], row["conflicts_with"]) for row in found} <= pairs
