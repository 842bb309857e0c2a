"""Year pages from the MediaWiki API, and the redirects of what they link to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from everwhen.core.config import Config
from everwhen.core.files import write_atomically
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError
from everwhen.sources.client import ask_wiki, open_client, print_outcome, track_progress
from everwhen.sources.pull import Source
from everwhen.sources.pull_manifest import Log, Manifest
from everwhen.wikitext.year_page import PageError, parse_year_page

BATCH = 50
"""Titles in one request: the API's limit for everybody."""


def pull_year_pages(config: Config, folder: Path) -> None:
    """Fetch the pages of the window's years as `<year>.wikitext`, then the redirects of their links.

    A page that is stored is not asked for again. The manifest has each page's revision and time.

    Raises:
        InputError: The API cannot be used or does not answer.
    """
    client = open_client(config.pull)
    client.require_allowed(config.pull.wiki_api)
    years = _list_years(config)
    manifest = Manifest(folder, {"what": "year-pages", "source": config.pull.wiki_api})
    for year in track_progress(years, len(years), "year pages"):
        path = folder / f"{year}.wikitext"
        if not manifest.has_stored(str(year), path):
            _pull_page(client, config, str(year), path, manifest)
    counts = manifest.summarize()
    links = _pull_redirects(client, config, folder, years, manifest)
    print_outcome(f"year pages: {counts}; links: {links['titles']} titles asked, {links['redirects']} redirects")


def _list_years(config: Config) -> range:
    return range(config.window.start.year, config.window.end.year + 1)


def _pull_page(client: Client, config: Config, title: str, path: Path, manifest: Manifest) -> None:
    asked = {"titles": title, "prop": "revisions", "rvprop": "content|ids|timestamp", "rvslots": "main"}
    try:
        pages, _ = ask_wiki(client, config.pull, **asked)
        page, revision = _page_of(pages, config.pull.wiki_api)
    except RefusedError as error:
        manifest.fail(title, error)
        return
    if revision is None:
        manifest.record(title, "missing")
        return
    write_atomically(path, revision["slots"]["main"]["content"])
    manifest.record(
        title, "stored", path, title=page["title"], revision=revision["revid"], timestamp=revision["timestamp"]
    )


def _page_of(pages: list[dict[str, Any]], api: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The one page that was asked for and its revision; None where there is no such page."""
    if len(pages) != 1:
        raise RefusedError(f"{api}: answers {len(pages)} pages in place of one")
    page = pages[0]
    if page.get("missing") or page.get("invalid"):
        return page, None
    try:
        revision = page["revisions"][0]
        content, title = revision["slots"]["main"]["content"], page["title"]
        if isinstance(content, str) and isinstance(title, str) and {"revid", "timestamp"} <= revision.keys():
            return page, revision
    except (KeyError, IndexError, TypeError, AttributeError):
        pass
    raise RefusedError(f"{api}: answers the page without its text")


def _pull_redirects(client: Client, config: Config, folder: Path, years: range, manifest: Manifest) -> dict[str, Any]:
    """Ask where the linked titles lead; a title that is an article itself answers nothing.

    Returns:
        What the manifest says of it: titles, titles_sha256, redirects.
    """
    titles = sorted(set(_list_linked_titles(folder, years)))
    digest = hashlib.sha256("\n".join(titles).encode()).hexdigest()
    path = folder / "redirects.jsonl"
    came: dict[str, Any] = manifest.before.get("redirects", {})
    if not path.exists() or came.get("titles_sha256") != digest:
        found = _ask_redirects(client, config, Log(folder / ".redirects.part"), titles, path)
        came = {"titles": len(titles), "titles_sha256": digest, "redirects": found}
    manifest.write(redirects=came)
    return came


def _ask_redirects(client: Client, config: Config, log: Log, titles: list[str], path: Path) -> int:
    """Ask for the redirects of titles, less those that the log has; write all to a file and return their number."""
    wanted = sorted(set(titles).difference(*(line["titles"] for line in log.lines)))
    batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
    for batch in track_progress(batches, len(batches), "redirects of links"):
        _, redirects = ask_wiki(client, config.pull, titles="|".join(batch))
        log.append({"titles": batch, "redirects": [{"source": r["from"], "target": r["to"]} for r in redirects]})
    found = {(r["source"], r["target"]) for line in log.lines for r in line["redirects"]}
    log.finish(path, [{"source": source, "target": target} for source, target in sorted(found)])
    return len(found)


def _list_linked_titles(folder: Path, years: range) -> Iterator[str]:
    for year in years:
        path = folder / f"{year}.wikitext"
        if path.exists():
            try:
                bullets = parse_year_page(year, path.read_text(encoding="utf-8"))
            except PageError:
                continue  # the stage facts rejects the page with this reason
            for bullet in bullets:
                yield from bullet.titles


SOURCE = Source(
    pull=pull_year_pages,
    list_parts=lambda config: [str(year) for year in _list_years(config)],
    choose_address=lambda config: config.pull.wiki_api,
    pattern="*.wikitext",
    is_of_today=True,
)
