"""Lines of pageview_complete files for the sample."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from everwhen.sample.files import write_file
from everwhen.sample.world import SampleWorld

DAYS = (dt.date(2023, 6, 3), dt.date(2023, 6, 11), dt.date(2023, 6, 24))
ACCESS = ("desktop", "mobile-web")
HOURS = "ABCDEFGHIJKLMNOPQRSTUVWX"
OTHER_LINES = ("de.wikipedia Titanic_(1997) 93817 desktop 812 A400M412", "en.wikipedia Broken_line")
"""Another project's line, and one that was cut; both on the first day."""


def render_pageview_files(world: SampleWorld) -> dict[str, list[str]]:
    """Lines by file name. A title's views are its month's total, shared out over three days and two ways of access."""
    files: dict[str, list[str]] = {}
    for number, day in enumerate(DAYS):
        lines = list(OTHER_LINES) if number == 0 else []
        for item in world.items.values():
            if item.title and item.views:
                shares = split(item.views, len(DAYS) * len(ACCESS))
                for access, views in zip(ACCESS, shares[number * 2 : number * 2 + 2], strict=True):
                    title = item.title.replace(" ", "_")
                    if views:
                        lines.append(f"en.wikipedia {title} {item.id} {access} {views} {format_hourly_views(views)}")
        files[f"pageviews-{day:%Y%m%d}-user"] = sorted(lines)
    return files


def split(total: int, parts: int) -> list[int]:
    """`total` in whole parts as even as they can be."""
    return [total // parts + (1 if part < total % parts else 0) for part in range(parts)]


def format_hourly_views(views: int) -> str:
    """Views by hour: a letter for the hour (A is midnight), then how many."""
    return "".join(f"{hour}{n}" for hour, n in zip(HOURS, split(views, 24), strict=True) if n)


def write_files(world: SampleWorld, root: Path) -> list[str]:
    """Write pageview_complete files below a folder; returns their paths."""
    return [
        write_file(root / "pageviews" / f"{name}.bz2", "".join(line + "\n" for line in lines))
        for name, lines in render_pageview_files(world).items()
    ]
