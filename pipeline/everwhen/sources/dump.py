"""The Wikidata JSON dump: one file of a hundred gigabytes, of the date that the snapshot says."""

from __future__ import annotations

from pathlib import Path

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.sources.client import open_client
from everwhen.sources.download import download_file
from everwhen.sources.dump_address import build_dump_url
from everwhen.sources.pull_manifest import Manifest
from everwhen.sources.snapshots import find_checksum


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
