"""Pageviews of single articles from Wikimedia's REST API."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from everwhen.core.config import Config, Views
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError
from everwhen.sources.client import fetch_api_json, open_client
from everwhen.sources.progress import print_outcome, track_progress
from everwhen.sources.pull_manifest import Log, Manifest, read_lines

PROJECT = "en.wikipedia"
LONGEST_TITLE = 255
"""Bytes of the longest title that MediaWiki allows."""


def pull_pageviews(config: Config, folder: Path, titles: Sequence[str]) -> None:
    """Fetch the views of `titles` in the configured period into `pageviews.jsonl`.

    A title that is stored is not asked for again. An article without views answers 404 and gets 0.

    Raises:
        InputError: The API cannot be used or does not answer, or the folder holds views of another period or agent.
    """
    client = open_client(config.pull)
    client.require_allowed(config.pull.pageviews_api)
    period = {"start": str(config.views.start), "end": str(config.views.end), "agent": config.views.agent}
    manifest = Manifest(folder, {"what": "pageviews", "source": config.pull.pageviews_api, "period": period})
    if manifest.before.get("period", period) != period:
        raise InputError(f"{folder}: holds views of another period or agent; take another folder")
    path = folder / "pageviews.jsonl"
    log = Log(folder / ".pageviews.part")
    # What an earlier pull has finished stays in its file until this one has, too.
    known = {line["title"]: line for line in (*read_lines(path), *log.lines)}
    wanted = sorted(set(titles) - known.keys())
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
    log.finish(path, lines)
    failed = len(manifest.items)
    # A hundred thousand titles are in the file itself; the manifest lists those that failed and counts the others.
    counts = {"asked": len(lines) + failed, "stored": len(lines), "missing": 0, "failed": failed}
    manifest.write(unit="title", unfinished=0, **counts)
    print_outcome(f"pageviews: {manifest.summarize()}")


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
    granularity = "monthly" if _spans_full_months(views) else "daily"
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


def _spans_full_months(views: Views) -> bool:
    end: dt.date = views.end
    return views.start.day == 1 and end.day == calendar.monthrange(end.year, end.month)[1]
