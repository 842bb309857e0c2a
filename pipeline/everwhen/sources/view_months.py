"""The months of a period of pageviews, and the files that have them (pageview_complete)."""

from __future__ import annotations

import calendar
import datetime as dt

from everwhen.core.config import Config, Views
from everwhen.core.config_errors import ConfigError
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
    """List the addresses of the files of the configured period and agent; none where it is not of full months."""
    template = config.pull.pageviews_url
    return [
        template.replace("{year}", f"{month:%Y}").replace("{month}", f"{month:%m}").replace("{agent}", agent)
        for month in list_months(config.views)
        for agent in AGENTS[config.views.agent]
    ]


def find_view_errors(config: Config, today: dt.date, *, by_title: bool) -> list[ConfigError]:
    """Find why pageviews of the configured period cannot be pulled.

    Args:
        config: The configuration.
        today: The day, of which there are no views yet.
        by_title: Whether the API is asked for titles; else files of months are fetched.
    """
    views, yesterday = config.views, today - dt.timedelta(days=1)
    errors = []
    if views.start < FIRST_VIEWS:
        errors.append(ConfigError(("views", "start"), f"{views.start}: there are views from {FIRST_VIEWS} on"))
    if views.end > yesterday:
        errors.append(ConfigError(("views", "end"), f"{views.end}: there are views up to yesterday, {yesterday}"))
    if by_title:
        return errors
    if not list_months(views):
        advice = "change them, or name titles by pull.titles, which are asked for by day"
        reason = f"{views.start} to {views.end} are no full months, of which there are files; {advice}"
        errors.append(ConfigError(("views",), reason))
    return errors + find_address_errors(config)


def find_address_errors(config: Config) -> list[ConfigError]:
    """Find whether `pull.pageviews_url` names no file of each month and agent, as facts are read from; one at most."""
    july = Views(start=FIRST_VIEWS, end=FIRST_VIEWS.replace(day=31), agent=config.views.agent)
    names = [derive_name(url) for url in list_view_files(config.model_copy(update={"views": july}))]
    expected = [f"pageviews-{FIRST_VIEWS:%Y%m}-{agent}" for agent in AGENTS[july.agent]]
    if all(name in (f"{stem}.bz2", f"{stem}.gz") for name, stem in zip(names, expected, strict=True)):
        return []
    reason = f"{config.pull.pageviews_url}: a file pageviews-{{year}}{{month}}-{{agent}}.bz2 is expected"
    return [ConfigError(("pull", "pageviews_url"), reason)]
