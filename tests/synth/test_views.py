from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.config import Views
from everwhen.core.reasons import RejectReason
from everwhen.facts.pageviews import COMPLETE
from everwhen.synth.views import list_days, render_day_file, render_ignored_files, share_views


@given(st.integers(1, 10**12), st.integers(1, 10**8), st.integers(3, 30))
def test_shares_add_up_and_no_day_and_access_comes_twice(item: int, views: int, days: int) -> None:
    found = list(share_views("seed", item, views, days))
    assert sum(part for _, _, part in found) == views
    assert len({(day, access) for day, access, _ in found}) == len(found)
    assert all(0 <= day < days for day, _, _ in found)


def test_a_day_s_lines_and_their_counts() -> None:
    rows = [(f"Iron River {n}", n, "desktop", 1_000 + n) for n in range(1, 200)]
    content, counts = render_day_file("seed", 0.5, rows)
    lines = content.decode().splitlines()
    assert len(lines) == counts.records["view line", "input", ""]
    assert counts.records["view line", "kept", ""] == 199
    assert counts.records["view line", "rejected", "another project"] > 0
    assert counts.records["view line", "rejected", RejectReason.BAD_VIEW_LINE] > 0
    assert (content, counts) == render_day_file("seed", 0.5, rows[::-1])
    assert lines[0].split(" ")[:5] == ["en.wikipedia", "Iron_River_1", "1", "desktop", "1001"]


def test_days_are_those_of_the_period() -> None:
    june = Views()
    assert list_days(june) == [date(2023, 6, day) for day in range(1, 31)]
    assert len(list_days(Views(start=date(2023, 6, 3), end=date(2023, 6, 9)))) == 7
    assert all(COMPLETE.fullmatch(name) for name in render_ignored_files(june))
