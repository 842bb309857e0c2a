"""The months of a period of pageviews, and the files that have them (pageview_complete)."""

from __future__ import annotations

import calendar
import datetime as dt

from everwhen.core.config import Config, Views
from everwhen.core.errors import InputError
from everwhen.sources.download import derive_name

FIRST_VIEWS = dt.date(2015, 7, 1)
"""The first day of which Wikimedia has pageviews by its present definition."""
AGENTS = {"user": ("user",), "all-agents": ("user", "spider", "automated")}
"""The files of pageview_complete whose views count, by `views.agent`."""


def list_months(views: Views) -> list[dt.date]:
    """List the first days of the months of a period; none where it is not of full months."""
    end: dt.date = views.end
    if views.start.day != 1 or end.day != calendar.monthrange(end.year, end.month)[1]:
        return []
    months = range(views.start.year * 12 + views.start.month - 1, end.year * 12 + end.month)
    return [dt.date(month // 12, month % 12 + 1, 1) for month in months]


def list_view_files(config: Config) -> list[str]:
    """List the addresses of the files of the configured period and agent.

    Raises:
        InputError: The period is not of full months, or `pull.pageviews_url` does not name a file of each.
    """
    template, views = config.pull.pageviews_url, config.views
    months = list_months(views)
    if not months:
        raise InputError(
            f"views: {views.start} to {views.end} are no full months, of which there are files; change them, or name"
            " titles by pull.titles, which are asked for by day"
        )
    urls = []
    for month in months:
        for agent in AGENTS[views.agent]:
            url = template.replace("{year}", f"{month:%Y}").replace("{month}", f"{month:%m}").replace("{agent}", agent)
            expected = f"pageviews-{month:%Y%m}-{agent}"
            if derive_name(url) not in (f"{expected}.bz2", f"{expected}.gz"):
                raise InputError(
                    f"pull.pageviews_url: {template}: a file pageviews-{{year}}{{month}}-{{agent}}.bz2 is expected"
                )
            urls.append(url)
    return urls
