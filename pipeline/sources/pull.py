"""Fetch a source into a raw folder."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.sources.entity_lists import pull_entity_lists
from pipeline.sources.pageviews import pull_pageviews
from pipeline.sources.year_pages import pull_year_pages

FOLDERS = {"year-pages": "year_pages", "entity-lists": "entity_lists", "pageviews": "pageviews"}
"""Where below the raw folder each source lies."""


def pull(config: Config, what: str, raw: Path, titles: str | None = None) -> None:
    """Fetch a source; what lies there complete is kept.

    Args:
        config: The configuration; `pull` says whom to ask, `window` and `views` for what.
        what: year-pages, entity-lists or pageviews.
        raw: The raw folder; the source gets a folder of its own in it.
        titles: For pageviews: a file with one article title a line.

    Raises:
        InputError: Nothing can be fetched; the message says why.
    """
    folder = raw / FOLDERS[what]
    if what == "pageviews":
        pull_pageviews(config, folder, _titles(titles))
    elif what == "entity-lists":
        pull_entity_lists(config, folder)
    else:
        pull_year_pages(config, folder)


def _titles(path: str | None) -> list[str]:
    if not path:
        raise InputError("--titles: pageviews are asked for by article: a file with one title a line is needed")
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    return [line.strip() for line in lines if line.strip()]
