"""Year pages: the pipeline's own parser, without Spark, finds what was planned; views add up."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.config import Views
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.facts.pageviews import COMPLETE
from everwhen.synth.pages import (
    SynthBullet,
    list_days,
    render_bullets,
    render_day_file,
    render_ignored_files,
    share_views,
    write_pages,
)
from everwhen.synth.plan import WorldPlan
from everwhen.wikitext.page_lines import count_lines
from everwhen.wikitext.year_page import parse_bullets, read_lines


@pytest.fixture(scope="module")
def bullets(plan: WorldPlan) -> list[SynthBullet]:
    return [b for kind in ("event", "stray") for n in range(plan.counts[kind]) for b in render_bullets(plan, kind, n)]


@pytest.fixture(scope="module")
def pages(plan: WorldPlan, bullets: list[SynthBullet]) -> tuple[dict[str, str], RecordCounts]:
    return write_pages(plan, bullets)


def test_there_is_a_page_for_each_year_of_the_window(pages: tuple[dict[str, str], RecordCounts]) -> None:
    assert set(pages[0]) == {*(f"{year}.wikitext" for year in range(1987, 2024)), "redirects.jsonl"}


def test_the_parser_finds_the_planned_bullets(pages: tuple[dict[str, str], RecordCounts]) -> None:
    found: Counter[str] = Counter()
    page_lines: Counter[str] = Counter()
    links = 0
    for name, text in pages[0].items():
        if name.endswith(".wikitext"):
            lines = read_lines(text)
            page_lines.update({reason or "": number for reason, number in count_lines(lines).items()})
            for bullet in parse_bullets(int(name[:4]), lines):
                found[bullet.reason or ""] += 1
                links += len(bullet.titles)
    counts = pages[1].records

    def list_planned(wanted: str) -> dict[str, int]:
        return {reason: n for (type_, status, reason), n in counts.items() if type_ == wanted and status != "input"}

    planned = list_planned("bullet")
    assert found == planned
    assert page_lines == list_planned("page line")
    assert counts["page line", "input", ""] == sum(
        text.count("\n") + 1 for name, text in pages[0].items() if name.endswith(".wikitext")
    )
    assert links == counts["link", "input", ""]
    assert len(planned) > 5


def test_redirects_lead_from_links_to_articles(
    bullets: list[SynthBullet], pages: tuple[dict[str, str], RecordCounts]
) -> None:
    lines = pages[0]["redirects.jsonl"].splitlines()
    assert len(lines) == pages[1].records["redirect", "input", ""]
    kept = [r.line for b in bullets for r in b.redirects if r.reason is None]
    assert kept
    texts = " ".join(b.text for b in bullets)
    assert all(f"[[{json.loads(line)['source']}|" in texts for line in kept)


def test_the_order_of_bullets_does_not_change_the_pages(plan: WorldPlan, bullets: list[SynthBullet]) -> None:
    assert write_pages(plan, reversed(bullets))[0] == write_pages(plan, bullets)[0]


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
