"""Pageviews: of single articles from Wikimedia's REST API, of all from the files of whole months."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError
from everwhen.sources.base import Source
from everwhen.sources.client import fetch_api_json, open_client
from everwhen.sources.download import download_file
from everwhen.sources.progress import print_outcome, track_progress
from everwhen.sources.pull_manifest import Log, Manifest, read_lines
from everwhen.sources.pulled import has_no_date
from everwhen.sources.view_months import find_address_errors, find_view_errors, list_months, list_view_files
from everwhen.wikitext.markup import capitalize_title

PROJECT = "en.wikipedia"
LONGEST_TITLE = 255
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
    """Refuse a period of which no server has views.

    Raises:
        InputError: It is such; the message names the key.
    """
    if found := find_view_errors(config, _find_today(), by_title=by_title):
        raise InputError("\n".join(map(str, found)))


def _find_today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _open_manifest(config: Config, folder: Path, unit: str, source: str) -> Manifest:
    """Open the manifest of a folder of pageviews.

    Raises:
        InputError: The folder holds others.
    """
    period = {"start": str(config.views.start), "end": str(config.views.end), "agent": config.views.agent}
    manifest = Manifest(folder, {"what": "pageviews", "unit": unit, "source": source, "period": period})
    if manifest.before.get("period", period) != period:
        raise InputError(f"{folder}: holds views of another period or agent; take another folder")
    if manifest.before.get("unit", unit) != unit:
        raise InputError(f"{folder}: holds views by {manifest.before['unit']}, not by {unit}; take another folder")
    return manifest


def _fetch_views(client: Client, config: Config, title: str) -> int:
    """Fetch the views of a title; 0 where the API knows of none.

    Raises:
        RefusedError: It is not a title, or the API refuses it.
        InputError: There is no answer.
    """
    if title in (".", "..") or min(title) < " " or len(title.encode()) > LONGEST_TITLE:
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
