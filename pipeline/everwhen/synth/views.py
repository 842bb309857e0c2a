"""Lines of pageview_complete files: the views of a month, shared out over days and ways of access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from everwhen.core.config import Views
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.sample.pageviews import ACCESS, format_hourly_views, split
from everwhen.synth.keyed_random import KeyedRandom

VIEW_LINE = "view line"
FEW = 300
"""Below so many views all are of one day."""
DAYS_EACH = 3

BROKEN: Sequence[tuple[str, str]] = (
    ("en.wikipedia Broken_line_{item}", RejectReason.BAD_VIEW_LINE),
    ("en.wikipedia Broken_line_{item} {item} desktop many A1", RejectReason.BAD_VIEW_LINE),
    ("en.wikipedia Broken_line_{item} {item} desktop 5 A5 B0", RejectReason.BAD_VIEW_LINE),
    ("de.wikipedia Zeile_{item} {item} desktop 812 A400M412", RejectReason.OTHER_PROJECT),
)
"""Lines that do not count, and why."""


def list_days(views: Views) -> list[date]:
    """The days that have a file: those of the configured period, thirty at most."""
    return [views.start + timedelta(days=n) for n in range(min(30, (views.end - views.start).days + 1))]


def share_views(seed: str, item: int, views: int, days: int) -> Iterator[tuple[int, str, int]]:
    """Day (its number), access and views of each line of an article."""
    first = KeyedRandom(seed, "views", item).sample_below(days, "day")
    if views < FEW:
        yield first, ACCESS[0], views
        return
    parts = split(views, DAYS_EACH * len(ACCESS))
    for number, part in enumerate(parts):
        yield (first + number // len(ACCESS) * (days // DAYS_EACH)) % days, ACCESS[number % len(ACCESS)], part


def render_day_file(
    seed: str, broken_rate: float, rows: Sequence[tuple[str, int, str, int]]
) -> tuple[bytes, RecordCounts]:
    """The content of a day's file, and what a reader must count.

    Args:
        seed: The configuration's seed.
        broken_rate: Broken lines for each line.
        rows: Title, item, access and views of each line.
    """
    counts = RecordCounts()
    lines = []
    for title, item, access, views in sorted(rows):
        lines.append(f"en.wikipedia {title.replace(' ', '_')} {item} {access} {views} {format_hourly_views(views)}")
        if access == ACCESS[0]:
            rng = KeyedRandom(seed, "broken views", item)
            if rng.decide(broken_rate, f"of {views}"):
                text, reason = rng.pick(BROKEN, "line")
                lines.append(text.format(item=item))
                counts.reject(VIEW_LINE, reason)
    counts.keep(VIEW_LINE, len(rows))
    return "".join(f"{line}\n" for line in lines).encode(), counts


def render_ignored_files(views: Views) -> dict[str, tuple[bytes, RecordCounts]]:
    """Files that do not count, by name without suffix: of a day before the period, and of machines."""
    found = {}
    before = views.start - timedelta(days=1)
    for name, reason in (
        (f"pageviews-{before:%Y%m%d}-user", RejectReason.OUTSIDE_PERIOD),
        *([(f"pageviews-{views.start:%Y%m%d}-spider", RejectReason.OTHER_AGENT)] if views.agent == "user" else []),
    ):
        counts = RecordCounts()
        counts.reject(VIEW_LINE, reason, 3)
        lines = "".join(f"en.wikipedia Other_{n} {n} desktop {n} A{n}\n" for n in (1, 2, 3))
        found[name] = (lines.encode(), counts)
    return found
