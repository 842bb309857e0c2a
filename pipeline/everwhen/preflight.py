"""Checks before a build starts or writes anything: its configuration, and the files it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from everwhen.catalog.load import check_catalog, load_entity_lists
from everwhen.core.config import PULLED, Config
from everwhen.core.config_errors import ConfigError, KeyPath, suggest_name
from everwhen.core.config_file import format_errors, load_config
from everwhen.core.errors import InputError
from everwhen.families import find_config_errors, load_settings, needs_world
from everwhen.sources.dump import follow_snapshot
from everwhen.sources.local_files import find_local_files, find_unusable_sources, is_local
from everwhen.sources.pull import find_pull_errors, find_skip_reason, has_no_date


def read_config(path: str | Path, snapshot: str | None = None) -> Config:
    """Read a configuration file, with the sections of the registered families, and the days that follow its snapshot.

    Args:
        path: The file.
        snapshot: The snapshot, in place of the file's.

    Raises:
        InputError: The file cannot be used; the message names it and the keys.
    """
    config = load_config(path, load_settings())
    return follow_snapshot(config.model_copy(update={"snapshot": snapshot}) if snapshot else config)


def check_config(config: Config, file: str | Path | None = None, pulled: Sequence[str] = ()) -> None:
    """Refuse a configuration that names lists or templates that there are not, or budgets that cannot be met.

    Args:
        config: The configuration.
        file: Where it was read from, for the lines; None where it was made in code.
        pulled: What is to be pulled before the build, of `PULLED`; the pull is checked, too.

    Raises:
        InputError: It does, with a line for each error; or an entry of `templates/` is wrong.
    """
    check_catalog()
    found = [*_find_unknown_lists(config.world.lists, ("world", "lists"))]
    found += _find_unknown_lists(config.world.min_views, ("world", "min_views"))
    found += find_config_errors(config)
    _report(found + _find_pull_errors(config, pulled), file)


def check_pull(config: Config, sources: Sequence[str], file: str | Path | None = None) -> None:
    """Refuse a pull that could not succeed: no contact, an unknown list, no such file of titles, views of no server.

    Args:
        config: The configuration.
        sources: What is to be pulled, of `PULLED`.
        file: Where the configuration was read from.

    Raises:
        InputError: It could not, with a line for each error.
    """
    _report([*_find_unknown_lists(config.world.lists, ("world", "lists")), *_find_pull_errors(config, sources)], file)


def list_pulls(config: Config) -> list[str]:
    """List what a build of this configuration pulls, of `PULLED`."""
    return [what for what in PULLED if not find_skip_reason(config, what)]


def _find_pull_errors(config: Config, sources: Sequence[str]) -> list[ConfigError]:
    return _find_unknown_lists(config.pull.lists, ("pull", "lists")) or find_pull_errors(config, sources)


def _report(found: Sequence[ConfigError], file: str | Path | None) -> None:
    if found:
        raise InputError("\n".join(map(str, found)) if file is None else format_errors(file, found))


def check_sources(config: Config, pulled: Sequence[str] = ()) -> None:
    """Refuse sources that a build could not read: paths without files, and files of another kind than their names say.

    Where no family reads facts or world, no source is needed, and none is read.

    Args:
        config: The configuration.
        pulled: What is pulled before the build, of `PULLED`.

    Raises:
        InputError: No dump is named, or a file cannot be used; a line for each.
    """
    if not needs_world(config):
        return
    if not config.sources.sample and not config.sources.dump and "dump" not in pulled:
        raise InputError(
            "sources.dump: no Wikidata dump is named; give --dump PATH, or --raw DIR after"
            " `everwhen pull dump`, or set it in the configuration"
        )
    if found := find_unusable_sources(config.sources):
        raise InputError("\n".join(f"sources.{error.key[1]}: {error.reason}" for error in found))


def describe_build(config: Config) -> str:
    """Say what a configuration builds, and from which files, a line each."""
    lines = {
        "version": f"{config.version}, from snapshot {config.snapshot}",
        "window": f"{config.window.start} to {config.window.end}",
        "views": f"{config.views.start} to {config.views.end}",
        "families": ", ".join(config.families),
        "lists": ", ".join(config.world.lists) or f"all {len(load_entity_lists())}",
    }
    if has_no_date(config):
        lines |= _describe_what_follows(config)
    if pulls := list_pulls(config):
        lines["pull"] = ", ".join(pulls)
    if config.sources.sample:
        lines["sources"] = "the embedded sample world"
    for key, paths in config.sources.list_paths().items():
        lines |= {key.replace("_", " "): _describe_paths(paths)} if paths else {}
    return "\n".join(f"  {name + ':':<14}{text}" for name, text in lines.items())


def _describe_what_follows(config: Config) -> dict[str, str]:
    """Say what is known of days that follow from a snapshot which has no date yet."""
    lines = {"version": f"{config.version}, from the newest complete dump (everwhen pull snapshot)"}
    if "end" not in config.window.model_fields_set:
        lines["window"] = f"{config.window.start} to the end of the last full year before the snapshot"
    if config.views.model_fields_set.isdisjoint({"start", "end"}):
        lines["views"] = "the last full month before the snapshot"
    return lines


def _describe_paths(paths: Iterable[str]) -> str:
    """How many files, how large; of other machines the addresses."""
    remote = [path for path in paths if not is_local(path)]
    files = {file for path in paths if is_local(path) for file in find_local_files(path)}
    size = sum(file.stat().st_size for file in files)
    here = [f"{len(files)} {'file' if len(files) == 1 else 'files'}, {size / 1e6:,.1f} MB"] if files else []
    return "; ".join([*here, *(f"{path} (not looked at)" for path in remote)])


def _find_unknown_lists(names: Iterable[str], place: KeyPath) -> list[ConfigError]:
    known = [entry.id for entry in load_entity_lists()]
    keyed = isinstance(names, Mapping)
    return [
        ConfigError((*place, name if keyed else number), f"no entity list {name}{_suggest_list(name, known)}")
        for number, name in enumerate(names)
        if name not in known
    ]


def _suggest_list(name: str, known: list[str]) -> str:
    return suggest_name(name, known) or f"; there are {', '.join(known)}"
