"""Year pages from the MediaWiki API, and the redirects of what they link to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.facts.wikitext import PageError, parse_year_page
from pipeline.sources.http import Client, RefusedError
from pipeline.sources.progress import tracked
from pipeline.sources.raw import Log, Manifest, write_file

BATCH = 50
"""Titles in one request: the API's limit for everybody."""


def pull_year_pages(config: Config, folder: Path) -> None:
    """Fetch the pages of the window's years as `<year>.wikitext`, then the redirects of their links.

    A page that lies there complete is not asked for again. The manifest has each page's revision and time.

    Raises:
        InputError: The API cannot be used or does not answer.
    """
    client = Client(config.pull)
    years = range(config.window.start.year, config.window.end.year + 1)
    manifest = Manifest(folder, {"what": "year-pages", "source": config.pull.wiki_api})
    for year in tracked(years, len(years), "year pages"):
        path = folder / f"{year}.wikitext"
        if not manifest.holds(str(year), path):
            _pull_page(client, config, str(year), path, manifest)
    _pull_redirects(client, config, folder, years, manifest)


def _pull_page(client: Client, config: Config, title: str, path: Path, manifest: Manifest) -> None:
    try:
        query = _query(client, config, titles=title, prop="revisions", rvprop="content|ids|timestamp", rvslots="main")
    except RefusedError as error:
        manifest.record(title, "failed", reason=str(error))
        return
    page = query["pages"][0]
    if "revisions" not in page:
        manifest.record(title, "missing")
        return
    revision = page["revisions"][0]
    write_file(path, revision["slots"]["main"]["content"])
    manifest.record(
        title, "stored", path, title=page["title"], revision=revision["revid"], timestamp=revision["timestamp"]
    )


def _pull_redirects(client: Client, config: Config, folder: Path, years: range, manifest: Manifest) -> None:
    """Ask where the linked titles lead; a title that is an article itself answers nothing."""
    titles = sorted(set(_linked_titles(folder, years)))
    digest = hashlib.sha256("\n".join(titles).encode()).hexdigest()
    path = folder / "redirects.jsonl"
    if path.exists() and manifest.before.get("redirects", {}).get("titles_sha256") == digest:
        manifest.write(redirects=manifest.before["redirects"])
        return
    log = Log(folder / ".redirects.part")
    known = {title for line in log.lines for title in line["titles"]}
    wanted = [title for title in titles if title not in known]
    batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
    for batch in tracked(batches, len(batches), "redirects of links"):
        query = _query(client, config, titles="|".join(batch))
        pairs = [{"source": r["from"], "target": r["to"]} for r in query.get("redirects", [])]
        log.append({"titles": batch, "redirects": pairs})
    found = {(r["source"], r["target"]) for line in log.lines for r in line["redirects"]}
    log.finish(path, [{"source": source, "target": target} for source, target in sorted(found)])
    manifest.write(redirects={"titles": len(titles), "titles_sha256": digest, "redirects": len(found)})


def _linked_titles(folder: Path, years: range) -> Iterator[str]:
    for year in years:
        path = folder / f"{year}.wikitext"
        if path.exists():
            try:
                bullets = parse_year_page(year, path.read_text(encoding="utf-8"))
            except PageError:
                continue  # the stage facts rejects the page with this reason
            for bullet in bullets:
                yield from bullet.titles


def _query(client: Client, config: Config, **parameters: str) -> dict[str, Any]:
    """The answer of action=query. It is posted, as fifty titles may be too long for an address."""
    form = {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "redirects": "1",
        "maxlag": str(config.pull.maxlag),
        **parameters,
    }
    answer = client.json(config.pull.wiki_api, form)
    if not isinstance(answer, dict) or not isinstance(answer.get("query"), dict):
        raise InputError(f"{config.pull.wiki_api}: pull.wiki_api: this is no MediaWiki API")
    query: dict[str, Any] = answer["query"]
    return query
