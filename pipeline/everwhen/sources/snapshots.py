"""Snapshots: which dump of the server's is the newest at a date, and which days follow from a snapshot's date."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote, urljoin

from everwhen.core.config import LATEST, Config, override_section
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.http import Client
from everwhen.core.retries import retry
from everwhen.core.snapshot import find_snapshot_day
from everwhen.sources.client import open_client
from everwhen.sources.download import Checksum, derive_name
from everwhen.sources.dump_address import DATED, build_dump_url
from everwhen.sources.pulled import is_dump_pulled_by_date, require_date

LINK = re.compile(r"""<a\s[^<>]*?href\s*=\s*["']([^"'<>]*)["']""", re.IGNORECASE)
"""A link of a page that lists a folder."""
DIGITS = {"sha1": 40, "md5": 32}
"""The checksums that Wikimedia gives of a dump, the stronger one first, with their lengths."""


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
    if config.snapshot != LATEST:
        require_date(config)
        find_checksum(config, _open(config))
        return str(find_snapshot_day(config.snapshot))
    dumps = _Dumps(config, _open(config))
    early = [day for day in dumps.days if day <= today]
    newest = next((day for day in reversed(early) if dumps.find_checksum(day)), None)
    if newest is None:
        why = f"the oldest is of {dumps.days[0]}" if not early else f"those from {early[0]} are not complete"
        raise (NotNowError if early else InputError)(f"{dumps.listing}: no complete dump up to {today}; {why}")
    return str(newest)


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
    found = dumps.find_checksum(day) if day in dumps.days else None
    if found is None:
        earlier = (other for other in reversed(dumps.days) if other < day)
        later = (other for other in dumps.days if other > day)
        nearest = [other for days in (earlier, later) if (other := dumps.find_first_complete(days))]
        there = f"the nearest are of {' and '.join(map(str, nearest))}" if nearest else "none is complete"
        raise InputError(f"snapshot: {day}: {dumps.listing} has no complete dump of that date; {there}")
    return found


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
        """Read the list.

        Raises:
            InputError: It cannot be read, or lists no date.
        """
        self._config = config
        self._client = client
        self.listing = config.pull.dump_url.partition(DATED)[0] + "/"
        found = {find_snapshot_day(name.rstrip("/")) for name in self._list_names(self.listing) if name.endswith("/")}
        self.days = sorted(day for day in found if day)
        if not self.days:
            raise InputError(f"pull.dump_url: {self.listing}: lists no folders of dates, such as 20261116/")

    def find_first_complete(self, days: Iterator[dt.date]) -> dt.date | None:
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
