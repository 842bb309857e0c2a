"""Where `everwhen pull` puts what it fetches, and what of it a build reads."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from everwhen.core.config import PULLED, Config, override_section
from everwhen.core.errors import InputError
from everwhen.core.snapshot import find_snapshot_day
from everwhen.sources import load_source, to_key
from everwhen.sources.pull_manifest import read_finished


def find_skip_reason(config: Config, what: str) -> str:
    """Return why a build of this configuration does not pull a source; "" where it does.

    Args:
        config: The configuration.
        what: One of `PULLED`.
    """
    key = to_key(what)
    if config.sources.sample:
        return "sources.sample: the embedded sample is built"
    if getattr(config.sources, key):
        return f"sources.{key} names its files"
    return "" if what in config.pull.sources else f"pull.sources does not name {what}"


def is_dump_pulled_by_date(config: Config) -> bool:
    """Tell whether a build's dump is pulled, and is the one of the snapshot's date."""
    return not find_skip_reason(config, "dump") and "{date}" in config.pull.dump_url


def has_no_date(config: Config) -> bool:
    """Tell whether the dump is pulled by date, and the snapshot has none yet."""
    return is_dump_pulled_by_date(config) and find_snapshot_day(config.snapshot) is None


def require_date(config: Config) -> None:
    """Refuse a snapshot without a date where the dump is pulled by date: nothing could be said to be of one state.

    Raises:
        InputError: It has none.
    """
    if has_no_date(config):
        raise InputError(
            f"snapshot: {config.snapshot}: the dump is pulled by its date;"
            " `everwhen pull snapshot` finds the newest, --snapshot DATE takes it"
        )


def require_recent(config: Config, what: str, raw: Path, most_days: int, today: dt.date | None = None) -> None:
    """Refuse to fetch today's state under a date that is past. What was fetched by its end stays as it is.

    Args:
        config: The configuration.
        what: One of `PULLED`.
        raw: The raw folder.
        most_days: How many days ago the snapshot may be.
        today: Today's date, by UTC.

    Raises:
        InputError: The servers have today's state alone of the source, and the snapshot is older.
    """
    day = find_snapshot_day(config.snapshot)
    age = ((today or dt.datetime.now(dt.UTC).date()) - day).days if day else 0
    source = load_source(what)
    if not source.is_of_today or age <= most_days:
        return
    if read_finished(raw / to_key(what)).issuperset(source.list_parts(config)):
        return
    raise InputError(
        f"snapshot: {config.snapshot}: is {age} days ago, and the servers have {what} of today alone; --max-age allows"
        f" {most_days} days: leave it out to fetch those of today under that date"
    )


def with_pulled(config: Config, raw: Path) -> Config:
    """The configuration with the files that were pulled for it as its sources.

    Args:
        config: The configuration.
        raw: The raw folder.

    Raises:
        InputError: One of `pull.sources` was not pulled, not to its end, or not what this configuration asks for; or
            the snapshot has no date, by which the dump is pulled.
    """
    require_date(config)
    found = {}
    for what in PULLED:
        if not find_skip_reason(config, what):
            source, key = load_source(what), to_key(what)
            folder = raw / key
            there, parts = read_finished(folder), source.list_parts(config)
            missing = [part for part in parts if part not in there]
            files = sorted(folder.glob(source.pattern))
            # A part that is no longer pulled may still be there.
            found[key] = [str(path) for path in files if not source.has_file_per_part or path.stem in parts]
            if missing or not found[key]:
                which = f"the pull of {missing[0]} has not ended" if there and missing else "nothing was pulled"
                raise InputError(f"{folder}: {which}; run `everwhen pull {what}` first")
    return override_section(config, "sources", found)
