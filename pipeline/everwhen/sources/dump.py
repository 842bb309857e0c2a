"""The Wikidata JSON dump: one file of a hundred gigabytes, of the date that the snapshot says."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

from everwhen.core.config import LATEST, Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.sources.base import Source
from everwhen.sources.client import open_client
from everwhen.sources.download import download_file
from everwhen.sources.dump_address import build_dump_url, find_dump_errors
from everwhen.sources.pull_manifest import Manifest
from everwhen.sources.pulled import has_no_date
from everwhen.sources.snapshots import find_checksum

LOOKED_AT = 4096
"""Bytes of a dump, unpacked, that show whether it may be one."""

BLOCK = 900_000
"""Bytes, unpacked, of bzip2's longest block: reading to its end shows whether it is damaged."""


def pull_dump(config: Config, folder: Path) -> None:
    """Fetch the dump into `folder`, and compare it with the checksum that stands beside one of a date.

    Raises:
        InputError: The server has no complete dump of that date or leads to another host, or the folder holds another
            dump or has no room; a NotNowError where it may resume later.
    """
    url = build_dump_url(config)
    client = open_client(config.pull, [url], "name that one as pull.dump_url")
    client.require_allowed(url)  # before a folder is made
    manifest = Manifest(folder, {"what": "dump", "source": url, "snapshot": config.snapshot})
    if manifest.before.get("source", url) != url:
        raise InputError(f"{folder}: holds the dump of {manifest.before['source']}; take another folder")
    download_file(client, url, folder, manifest, lambda: find_checksum(config, client))


def find_no_dump(file: Path) -> str:
    """Say why a file is not a JSON dump of Wikidata, as far as its beginning shows; empty where it may be one.

    A dump is an array, one entity a line (Wikidata:Database download, "JSON dumps"); a part of one may begin with an
    entity.
    """
    openers: dict[str, Callable[[Path, str], Any]] = {".gz": gzip.open, ".bz2": bz2.open}
    try:
        with openers.get(file.suffix, open)(file, "rb") as stream:
            begins = stream.read(LOOKED_AT).removeprefix(b"\xef\xbb\xbf").lstrip()
            if not begins or begins[:1] in (b"[", b"{"):
                return ""
            stream.read(BLOCK)
    except (OSError, EOFError) as error:
        return f"cannot be unpacked: {error}"
    return "is no JSON dump of Wikidata: it begins with neither [ nor {"


def _find_errors(config: Config) -> list[ConfigError]:
    if not has_no_date(config):
        return find_dump_errors(config)
    if config.snapshot != LATEST:
        reason = f"{config.snapshot}: {LATEST}, or the date of a dump such as 2026-11-16, is expected"
        return [ConfigError(("snapshot",), reason)]
    return find_dump_errors(config.model_copy(update={"snapshot": "2026-11-16"}))  # any date shows the address


SOURCE = Source(
    pull=pull_dump,
    list_parts=lambda config: [build_dump_url(config)],
    choose_address=lambda config: config.pull.dump_url,
    pattern="[!.]*.json.?z*",
    find_errors=_find_errors,
    find_unusable=find_no_dump,
)
