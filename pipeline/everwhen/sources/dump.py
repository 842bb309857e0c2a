"""The Wikidata JSON dump: one file of a hundred gigabytes, and which of them the server has for a snapshot."""

from __future__ import annotations

import bz2
import datetime as dt
import gzip
import re
from collections.abc import Callable, Iterable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from everwhen.core.config import LATEST, Config, find_snapshot_day, override_section
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.http import Client
from everwhen.core.retries import retry
from everwhen.sources.client import open_client
from everwhen.sources.download import Checksum, derive_name, download_file
from everwhen.sources.pull import Source, has_no_date, is_dump_pulled_by_date, require_date
from everwhen.sources.pull_manifest import Manifest

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.json(\.bz2|\.gz)")
"""Name of a dump's file."""
DATED = "/{date}/"
"""The folder of a date, in an address."""
LINK = re.compile(r"""<a\s[^<>]*?href\s*=\s*["']([^"'<>]*)["']""", re.IGNORECASE)
"""A link of a page that lists a folder."""
DIGITS = {"sha1": 40, "md5": 32}
"""The checksums that Wikimedia gives of a dump, the stronger one first, with their lengths."""
LOOKED_AT = 4096
"""Bytes of a dump, unpacked, that show whether it may be one."""
BLOCK = 900_000
"""Bytes, unpacked, of bzip2's longest block: reading to its end shows whether it is damaged."""


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


def follow_snapshot(config: Config) -> Config:
    """Set the days that follow from the snapshot's date and that the configuration does not set.

    The window ends with the last full year before the snapshot: terms and counts are asked by years, and what lies
    after the snapshot is unknown. The views are those of the last full month before it. Where the dump is not pulled by
    date, all stays as it is.

    Args:
        config: The configuration as it was read.

    Raises:
        InputError: The window would end before it starts.
    """
    day = find_snapshot_day(config.snapshot)
    if day is None or not is_dump_pulled_by_date(config):
        return config
    if "end" not in config.window.model_fields_set:
        config = override_section(config, "window", {"end": dt.date(day.year - 1, 12, 31)})
    if config.views.model_fields_set.isdisjoint({"start", "end"}):
        last = day.replace(day=1) - dt.timedelta(days=1)
        config = override_section(config, "views", {"start": last.replace(day=1), "end": last})
    return config


def find_snapshot(config: Config, run_date: dt.date | None, *, is_given: bool = False) -> str:
    """Find the snapshot of a run.

    Args:
        config: The configuration; its snapshot is a date, or `latest`.
        run_date: The date of the run; None for today.
        is_given: Whether the snapshot was given for this run, and so is not the file's.

    Returns:
        Where the dump is pulled by date: the snapshot's date, or for `latest` that of the newest complete dump which is
        not after the run's. Else the snapshot given, or the run's date, or the file's snapshot.

    Raises:
        InputError: There is no complete dump of the date given, or none before the run's; a NotNowError where the
            server does not answer.
    """
    today = run_date or dt.datetime.now(dt.UTC).date()
    if not is_dump_pulled_by_date(config):
        is_dated = config.snapshot == LATEST or (run_date is not None and not is_given)
        return str(today) if is_dated else config.snapshot
    if config.snapshot == LATEST:
        return str(_Dumps(config, _open(config)).find_newest(today))
    require_date(config)
    find_checksum(config, _open(config))
    return str(find_snapshot_day(config.snapshot))


def find_checksum(config: Config, client: Client) -> Checksum | None:
    """Find the checksum of the dump of the snapshot; None where the dump's address has no date.

    Raises:
        InputError: There is no complete dump of that date; the message names the nearest.
    """
    if "{date}" not in config.pull.dump_url:
        return None
    build_dump_url(config)
    day = find_snapshot_day(config.snapshot)
    assert day
    dumps = _Dumps(config, client)
    if day in dumps.days and (found := dumps.find_checksum(day)):
        return found
    nearest = dumps.list_nearest(day)
    there = f"the nearest are of {' and '.join(map(str, nearest))}" if nearest else "none is complete"
    raise InputError(f"snapshot: {day}: {dumps.listing} has no complete dump of that date; {there}")


def _open(config: Config) -> Client:
    client = open_client(config.pull, [config.pull.dump_url], "name that one as pull.dump_url")
    client.require_allowed(config.pull.dump_url)
    return client


class _Dumps:
    """The dumps that a server lists by date.

    Attributes:
        listing: Address of the list.
        days: Their dates, the oldest first.
    """

    def __init__(self, config: Config, client: Client) -> None:
        """Read the list."""
        self._config = config
        self._client = client
        self.listing = config.pull.dump_url.partition(DATED)[0] + "/"
        found = {find_snapshot_day(name.rstrip("/")) for name in self._list_names(self.listing) if name.endswith("/")}
        self.days = sorted(day for day in found if day)
        if not self.days:
            raise InputError(f"pull.dump_url: {self.listing}: lists no folders of dates, such as 20261116/")

    def find_newest(self, today: dt.date) -> dt.date:
        """Find the day of the newest complete dump, up to a day."""
        early = [day for day in self.days if day <= today]
        if newest := self.find_first_complete(reversed(early)):
            return newest
        why = f"those from {early[0]} are not complete" if early else f"the oldest is of {self.days[0]}"
        raise (NotNowError if early else InputError)(f"{self.listing}: no complete dump up to {today}; {why}")

    def list_nearest(self, day: dt.date) -> list[dt.date]:
        """List the days of the nearest complete dumps before and after a day."""
        earlier = self.find_first_complete(other for other in reversed(self.days) if other < day)
        later = self.find_first_complete(other for other in self.days if other > day)
        return [found for found in (earlier, later) if found]

    def find_first_complete(self, days: Iterable[dt.date]) -> dt.date | None:
        """Find the first of some days that has a complete dump."""
        return next((day for day in days if self.find_checksum(day)), None)

    def find_checksum(self, day: dt.date) -> Checksum | None:
        """Find the checksum of the dump of a day; None where it is not complete.

        A dump is listed when it is complete, and its checksum is added after that.
        """
        url = build_dump_url(self._config.model_copy(update={"snapshot": str(day)}))
        name, folder = derive_name(url), url.rpartition("/")[0] + "/"
        names = self._list_names(folder)
        if name not in names:
            return None
        for algorithm, digits in DIGITS.items():
            for sums in (each for each in names if each.endswith(f"{algorithm}sums.txt")):
                line = re.compile(rf"^([0-9a-f]{{{digits}}}) [ *]{re.escape(name)}$", re.MULTILINE)
                if found := line.search(self._read(folder + sums)):
                    return Checksum(algorithm, found[1], folder + sums)
        return None

    def _list_names(self, url: str) -> list[str]:
        """List what is in a folder, as the links of its page say; a folder's name ends in a slash."""
        links = LINK.findall(self._read(url))
        found = [address for link in links if (address := _join_addresses(url, unescape(link)))]
        return [unquote(link.removeprefix(url)) for link in found if re.fullmatch(r"[^/?#]+/?", link.removeprefix(url))]

    def _read(self, url: str) -> str:
        """Read a page; "" where there is none."""

        def ask() -> str:
            answer = self._client.ask(url)
            if answer.status == 404:
                return ""
            answer.require_success()
            return answer.body.decode("utf-8", "replace")

        return retry(url, self._client.policy, ask)


def _join_addresses(url: str, link: str) -> str:
    """The address that a link of a page leads to; "" where it is none."""
    try:
        return urljoin(url, link)
    except ValueError:
        return ""


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
