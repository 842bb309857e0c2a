"""Pageviews: of single articles from Wikimedia's REST API, of all from the files of whole months."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from everwhen.core.config import Config, Views
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError
from everwhen.sources.client import fetch_api_json, open_client, print_outcome, track_progress
from everwhen.sources.download import derive_name, download_file
from everwhen.sources.pull import Source, has_no_date
from everwhen.sources.pull_manifest import Log, Manifest, read_lines
from everwhen.wikitext.markup import capitalize_title

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


PROJECT = "en.wikipedia"
MAX_TITLE_BYTES = 255
"""Bytes of the longest title that MediaWiki allows."""
DAYS_UNTIL_FILED = 31
"""Days after a month within which its file may still come."""


def pull_pageviews(config: Config, folder: Path, titles: Sequence[str]) -> None:
    """Fetch the views of `titles` in the configured period into `pageviews.jsonl`.

    Titles are written as MediaWiki does before they are asked for. One that is stored is not asked for again. An
    article without views answers 404 and gets 0, unless that is the answer to all.

    Raises:
        InputError: The API cannot be used, does not answer or has no views of any title, it has none of the period yet
            or at all, or the folder holds views of another period or agent, or such of files.
    """
    _require_views(config, by_title=True)
    client = open_client(config.pull)
    client.require_allowed(config.pull.pageviews_api)
    manifest = _open_manifest(config, folder, "title", config.pull.pageviews_api)
    path = folder / "pageviews.jsonl"
    log = Log(folder / ".pageviews.part")
    # What an earlier pull has finished stays in its file until this one has, too.
    known = {line["title"]: line for line in (*read_lines(path), *log.lines)}
    wanted = sorted({capitalize_title(title) for title in titles} - known.keys())
    manifest.items = {}
    manifest.write(unit="title", unfinished=len(wanted))
    for title in track_progress(wanted, len(wanted), "pageviews"):
        try:
            known[title] = {"title": title, "views": _fetch_views(client, config, title)}
        except RefusedError as error:
            manifest.fail(title, error)
        else:
            log.append(known[title])
    lines = [known[title] for title in sorted(known)]
    if lines and not any(line["views"] for line in lines):
        log.clear()
        raise InputError(
            f"{config.pull.pageviews_api}: has no views of any of {len(lines)} titles from {config.views.start} to"
            f" {config.views.end}; nothing is stored: it may not have these days yet, or the titles are no articles"
        )
    log.finish(path, lines)
    failed = len(manifest.items)
    # A hundred thousand titles are in the file itself; the manifest lists those that failed and counts the others.
    counts = {"asked": len(lines) + failed, "stored": len(lines), "missing": 0, "failed": failed}
    manifest.write(unit="title", unfinished=0, **counts)
    print_outcome(f"pageviews: {manifest.summarize()}")


def pull_view_files(config: Config, folder: Path) -> None:
    """Fetch the files of pageviews of the configured months, each by byte ranges.

    Raises:
        InputError: The period is not of full months, or the server has none of it, or the folder holds views of another
            period or agent, or such of titles; a NotNowError where a file is not there yet, or the pull may resume.
    """
    _require_views(config, by_title=False)
    urls = list_view_files(config)
    client = open_client(config.pull, urls, "name that one as pull.pageviews_url")
    for url in urls:
        client.require_allowed(url)
    manifest = _open_manifest(config, folder, "file", config.pull.pageviews_url)
    for url in urls:
        try:
            download_file(client, url, folder, manifest)
        except RefusedError as error:
            if error.status == 404 and (_find_today() - config.views.end).days <= DAYS_UNTIL_FILED:
                raise NotNowError(f"{error}: the views of this month are not there yet") from None
            raise
    print_outcome(f"pageviews: {manifest.summarize()}")


def _require_views(config: Config, *, by_title: bool) -> None:
    """Refuse a period of which no server has views."""
    if found := find_view_errors(config, _find_today(), by_title=by_title):
        raise InputError("\n".join(map(str, found)))


def _find_today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _open_manifest(config: Config, folder: Path, unit: str, source: str) -> Manifest:
    """Open the manifest of a folder of pageviews."""
    period = {"start": str(config.views.start), "end": str(config.views.end), "agent": config.views.agent}
    manifest = Manifest(folder, {"what": "pageviews", "unit": unit, "source": source, "period": period})
    if manifest.before.get("period", period) != period:
        raise InputError(f"{folder}: holds views of another period or agent; take another folder")
    if manifest.before.get("unit", unit) != unit:
        raise InputError(f"{folder}: holds views by {manifest.before['unit']}, not by {unit}; take another folder")
    return manifest


def _fetch_views(client: Client, config: Config, title: str) -> int:
    """Fetch the views of a title; 0 where the API knows of none."""
    if title in (".", "..") or min(title) < " " or len(title.encode()) > MAX_TITLE_BYTES:
        # Dots would be taken for a way up in the address; no article has such a title.
        raise RefusedError("no title of an article")
    views = config.views
    granularity = "monthly" if list_months(views) else "daily"
    address = "/".join(
        [
            config.pull.pageviews_api.rstrip("/"),
            *("per-article", PROJECT, "all-access", views.agent, quote(title.replace(" ", "_"), safe="")),
            *(granularity, f"{views.start:%Y%m%d}", f"{views.end:%Y%m%d}"),
        ]
    )
    answer = fetch_api_json(client, address)
    if answer is None:
        return 0
    try:
        return sum(int(entry["views"]) for entry in answer["items"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{address}: pull.pageviews_api: this is no answer of the pageviews API") from None


def read_titles(path: str) -> list[str]:
    """Read the titles of a file, one a line.

    Raises:
        InputError: It cannot be read, or has none.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    titles = [line.strip() for line in lines if line.strip("_ \t")]
    if not titles:
        raise InputError(f"{path}: has no title; one title a line is expected")
    return titles


def _pull(config: Config, folder: Path) -> None:
    """Fetch the views of the titles that the configuration names, or else the files of whole months."""
    if config.pull.titles:
        pull_pageviews(config, folder, read_titles(config.pull.titles))
    else:
        pull_view_files(config, folder)


def _find_errors(config: Config) -> list[ConfigError]:
    errors = []
    if config.pull.titles:
        try:
            read_titles(config.pull.titles)
        except InputError as error:
            errors.append(ConfigError(("pull", "titles"), str(error)))
    if has_no_date(config) and config.views.model_fields_set.isdisjoint({"start", "end"}):
        return errors + ([] if config.pull.titles else find_address_errors(config))
    return errors + find_view_errors(config, _find_today(), by_title=bool(config.pull.titles))


SOURCE = Source(
    pull=_pull,
    list_parts=lambda config: [f"{config.views.start} to {config.views.end}, {config.views.agent}"],
    choose_address=lambda config: config.pull.pageviews_api if config.pull.titles else config.pull.pageviews_url,
    pattern="pageviews*",
    find_errors=_find_errors,
)
