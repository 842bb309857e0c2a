"""The sources that are pulled: what each declares, what is fetched of it, and what of that a build reads.

A source that is pulled has a module of its name beside this one, which declares it as `SOURCE`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from everwhen.core.config import PULLED, Config, find_snapshot_day, override_section
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.sources.client import find_missing_contact
from everwhen.sources.pull_manifest import mark_finished, read_finished


@dataclass(frozen=True)
class Source:
    """A source that is pulled.

    Attributes:
        pull: Fetches it into a folder; complete files are kept. It raises InputError where nothing can be fetched.
        list_parts: Lists the parts that a configuration asks for, such as the years of year pages. It raises InputError
            where the configuration cannot be followed.
        choose_address: Chooses the address of the section `pull` that is asked.
        pattern: Glob of the files that a build reads of the folder.
        find_errors: Finds what is wrong with the section `pull` before any server is asked.
        find_unusable: Says why a file cannot be one of this source, as far as its beginning shows; "" where it may be.
        is_of_today: Whether servers have it in its state of today alone, and not by date.
        has_file_per_part: Whether a file is named after its part; those of other parts are then not read.
    """

    pull: Callable[[Config, Path], None]
    list_parts: Callable[[Config], Sequence[str]]
    choose_address: Callable[[Config], str]
    pattern: str
    find_errors: Callable[[Config], Sequence[ConfigError]] = lambda config: ()
    find_unusable: Callable[[Path], str] = lambda file: ""
    is_of_today: bool = False
    has_file_per_part: bool = False


def load_source(what: str) -> Source:
    """Load what a module declares of its source, one of `PULLED`, or its key."""
    source: Source = import_module(f"everwhen.sources.{to_key(what)}").SOURCE
    return source


def to_key(what: str) -> str:
    """The key of a source: in the section `sources`, of its modules, and of its folder below the raw folder."""
    return what.replace("-", "_")


def find_skip_reason(config: Config, what: str) -> str:
    """Return why a build of this configuration does not pull a source; "" where it does.

    Args:
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
        what: One of `PULLED`.
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

    Raises:
        InputError: One of `pull.sources` was not pulled, not to its end, or not what this configuration asks for; or
            the snapshot has no date, by which the dump is pulled.
    """
    require_date(config)
    pulled = [what for what in PULLED if not find_skip_reason(config, what)]
    return override_section(config, "sources", {to_key(what): _list_pulled(config, raw, what) for what in pulled})


def _list_pulled(config: Config, raw: Path, what: str) -> list[str]:
    """List the files that were pulled of a source, all of whose parts are there."""
    source, folder = load_source(what), raw / to_key(what)
    there, parts = read_finished(folder), source.list_parts(config)
    missing = [part for part in parts if part not in there]
    files = sorted(folder.glob(source.pattern))
    # A part that is no longer pulled may still be there.
    found = [str(path) for path in files if not source.has_file_per_part or path.stem in parts]
    if missing or not found:
        which = f"the pull of {missing[0]} has not ended" if there and missing else "nothing was pulled"
        raise InputError(f"{folder}: {which}; run `everwhen pull {what}` first")
    return found


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
