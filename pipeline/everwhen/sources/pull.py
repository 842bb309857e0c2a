"""Fetch a source into a raw folder."""

from __future__ import annotations

import re
from pathlib import Path

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.sources.dump import pull_dump
from everwhen.sources.entity_lists import pull_entity_lists
from everwhen.sources.pageviews import pull_pageviews, pull_view_files
from everwhen.sources.pull_manifest import mark_finished
from everwhen.sources.pulled import PULLED, list_parts, require_date
from everwhen.sources.year_pages import pull_year_pages


def pull(config: Config, what: str, raw: Path, titles: str | None = None) -> None:
    """Fetch a source; complete files are kept.

    Args:
        config: The configuration; `pull` says whom to ask, `window` and `views` for what.
        what: A key of `PULLED`: year-pages, entity-lists, pageviews or dump.
        raw: The raw folder, on a local disk or a mount; the source gets its own folder in it.
        titles: For pageviews: a file with one article title a line; by default the one that `pull.titles` names.
            Without either, files of whole months are fetched.

    Raises:
        InputError: Nothing can be fetched; the message says why.
    """
    require_date(config)
    if re.match("[a-z][a-z0-9+.-]+:/", str(raw)):
        raise InputError(f"--raw: {raw}: what is pulled goes to a local folder or a mount")
    folder = raw / PULLED[what][0]
    named = titles or config.pull.titles
    if what == "pageviews" and named:
        pull_pageviews(config, folder, read_titles(named))
    elif what == "pageviews":
        pull_view_files(config, folder)
    elif what == "entity-lists":
        pull_entity_lists(config, folder)
    elif what == "dump":
        pull_dump(config, folder)
    else:
        pull_year_pages(config, folder)
    mark_finished(folder, list_parts(config, what))


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
