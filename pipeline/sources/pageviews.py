"""Pageviews of single articles from Wikimedia's REST API."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from pipeline.config import Config, Views
from pipeline.errors import InputError
from pipeline.sources.http import Client, RefusedError
from pipeline.sources.progress import tracked
from pipeline.sources.raw import Log, Manifest, read_lines

PROJECT = "en.wikipedia"


def pull_pageviews(config: Config, folder: Path, titles: Sequence[str]) -> None:
    """Fetch the views of `titles` in the configured period into `pageviews.jsonl`.

    A title that lies there is not asked for again. An article without views answers 404 and gets 0.

    Raises:
        InputError: The API cannot be used or does not answer, or the folder holds views of another period or agent.
    """
    client = Client(config.pull)
    period = {"start": str(config.views.start), "end": str(config.views.end), "agent": config.views.agent}
    manifest = Manifest(folder, {"what": "pageviews", "source": config.pull.pageviews_api, "period": period})
    if manifest.before.get("period", period) != period:
        raise InputError(f"{folder}: holds views of another period or agent; take another folder")
    path = folder / "pageviews.jsonl"
    log = Log(folder / ".pageviews.part")
    if not log.lines:
        for line in read_lines(path):
            log.append(line)
    known = {line["title"] for line in log.lines}
    wanted = sorted(set(titles) - known)
    manifest.items = {}
    manifest.write(unit="title")
    for title in tracked(wanted, len(wanted), "pageviews"):
        try:
            log.append({"title": title, "views": _views(client, config, title)})
        except RefusedError as error:
            manifest.record(title, "failed", reason=str(error))
    lines = sorted(log.lines, key=lambda line: str(line["title"]))
    log.finish(path, lines)
    failed = len(manifest.items)
    # A hundred thousand titles stand in the file itself; the manifest lists those that failed and counts the others.
    manifest.write(unit="title", asked=len(lines) + failed, stored=len(lines), missing=0, failed=failed)


def _views(client: Client, config: Config, title: str) -> int:
    views = config.views
    granularity = "monthly" if _is_whole_months(views) else "daily"
    address = "/".join(
        [
            config.pull.pageviews_api.rstrip("/"),
            *("per-article", PROJECT, "all-access", views.agent, quote(title.replace(" ", "_"), safe="")),
            *(granularity, f"{views.start:%Y%m%d}", f"{views.end:%Y%m%d}"),
        ]
    )
    answer = client.json(address)
    if answer is None:
        return 0
    try:
        return sum(int(entry["views"]) for entry in answer["items"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{address}: pull.pageviews_api: this is no answer of the pageviews API") from None


def _is_whole_months(views: Views) -> bool:
    end: dt.date = views.end
    return views.start.day == 1 and end.day == calendar.monthrange(end.year, end.month)[1]
