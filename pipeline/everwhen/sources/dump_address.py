"""Address of the Wikidata dump."""

from __future__ import annotations

import re

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.core.snapshot import find_snapshot_day
from everwhen.sources.download import derive_name

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.json(\.bz2|\.gz)")
"""Name of a dump's file."""
DATED = "/{date}/"
"""The folder of a date, in an address."""


def build_dump_url(config: Config) -> str:
    """Build the address of the dump.

    Raises:
        InputError: It does not end in the name of a dump, or needs a date and the snapshot is not one.
    """
    if found := find_dump_errors(config):
        raise InputError(str(found[0]))
    return _insert_date(config)


def find_dump_errors(config: Config) -> list[ConfigError]:
    """Find why the dump has no address; one error at most."""
    key, url = ("pull", "dump_url"), config.pull.dump_url
    if "{date}" in url and find_snapshot_day(config.snapshot) is None:
        return [ConfigError(key, f"{url} needs a date, and the snapshot {config.snapshot} is none")]
    if "{date}" in url and DATED not in url:
        return [ConfigError(key, f"{url}: a folder of the date is expected, as in https://host{DATED}name")]
    if not NAME.fullmatch(derive_name(_insert_date(config))):
        return [ConfigError(key, f"{url}: a file is expected whose name ends in .json.bz2 or .json.gz")]
    return []


def _insert_date(config: Config) -> str:
    day = find_snapshot_day(config.snapshot)
    return config.pull.dump_url.replace("{date}", f"{day:%Y%m%d}" if day else "")
