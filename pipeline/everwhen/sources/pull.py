"""Fetch a source into a raw folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.sources import load_source, to_key
from everwhen.sources.client import find_missing_contact
from everwhen.sources.pull_manifest import mark_finished
from everwhen.sources.pulled import require_date


def pull(config: Config, what: str, raw: Path) -> None:
    """Fetch a source; complete files are kept.

    Args:
        config: The configuration; `pull` says whom to ask, `window` and `views` for what.
        what: One of `PULLED`.
        raw: The raw folder, on a local disk or a mount; the source gets its own folder in it.

    Raises:
        InputError: Nothing can be fetched; the message says why.
    """
    require_date(config)
    if re.match("[a-z][a-z0-9+.-]+:/", str(raw)):
        raise InputError(f"--raw: {raw}: what is pulled goes to a local folder or a mount")
    source, folder = load_source(what), raw / to_key(what)
    source.pull(config, folder)
    mark_finished(folder, source.list_parts(config))


def find_pull_errors(config: Config, pulled: Sequence[str]) -> list[ConfigError]:
    """Find why sources could not be pulled, as far as the configuration and the files that it names show.

    Args:
        config: The configuration; its snapshot may be `latest`, which has no date yet.
        pulled: What is to be pulled, of `PULLED`.
    """
    sources = [load_source(what) for what in pulled]
    errors = find_missing_contact(config.pull, [source.choose_address(config) for source in sources])
    return errors + [error for source in sources for error in source.find_errors(config)]
