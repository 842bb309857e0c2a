"""The screen that a build ends with."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.log import is_json_log
from everwhen.core.storage import Folder
from everwhen.publish.dataset import locate_dataset
from everwhen.publish.report import list_absences, summarize_checks


def print_summary(build: Build, *, seconds: float) -> None:
    """Print what a build published: rows by family and type, checks, five items to read, and what to try next.

    A log in JSON has the rows alone.

    Args:
        build: The build, its dataset published.
        seconds: How long it took.

    Raises:
        InputError: There is no published dataset.
    """
    path = locate_dataset(build.root, build.config)
    text = Folder(build.spark, path).read("report.json")
    if text is None:
        raise InputError(f"{path}: no published dataset")
    report = json.loads(text)
    if is_json_log():
        for name, family in report["families"].items():
            build.log(f"{name}: {family['rows']:,} rows published", table=name, rows=family["rows"])
        build.log(f"published: {path}", rows=report["rows"], seconds=seconds)
        return
    absent = list_absences(report)
    for name, family in report["families"].items():
        if name in absent:
            build.console.print(f"\n[bold]{family['title']}[/bold]: {escape(absent[name])}", soft_wrap=True)
            continue
        build.console.print(f"\n[bold]{family['title']}[/bold]: {family['rows']:,} rows")
        build.console.print(_count_rows(family))
        build.console.print(_show_samples(family))
    rejected = sum(row["records"] for row in report["record_counts"] if row["status"] == "rejected")
    build.console.print(f"Checks:   {summarize_checks(report)}")
    build.console.print(
        f"Rejected: {rejected:,} records; {escape(path)}/report.md counts them by reason", soft_wrap=True
    )
    build.console.print(f"Seconds:  {seconds:.0f}")
    build.console.print("\nTry next:")
    for line in _list_commands(path, report):
        build.console.print(f"  {escape(line)}", soft_wrap=True, highlight=False)


def _count_rows(family: Mapping[str, Any]) -> Grid:
    """Rows of a family by the first column that shows an item, with what its values mean."""
    column = family["show"][0]
    grid = Grid(column, "", "rows")
    grid.columns[2].justify = "right"
    for value, rows in family["counts"].get(column, {}).items():
        grid.add_row(escape(value), escape(family["groups"].get(value, "")), f"{rows:,}")
    return grid


def _show_samples(family: Mapping[str, Any]) -> Grid:
    grid = Grid(*family["show"])
    for row in family["samples"]:
        cells = (row[name] if isinstance(row[name], str) else ", ".join(map(str, row[name])) for name in family["show"])
        grid.add_row(*map(escape, cells))
    return grid


def _list_commands(path: str, report: Mapping[str, Any]) -> list[str]:
    """Three commands that a newcomer may try, as the shell takes them; where nothing has items, the first alone."""
    folder = shlex.quote(path)
    commands = [f"{_find_command('everwhen')} verify {folder}"]
    asked = ((name, family) for name, family in report["families"].items() if family["samples"])
    name, family = next(asked, ("", None))
    if family is None:
        return commands
    item_id = next(value for key, value in family["samples"][0].items() if key not in family["show"])
    commands.append(f"{_find_command('everwhen')} explain {folder} {item_id}")
    columns = ", ".join(family["show"])
    code = f'import everwhen; everwhen.load("{path}").items("{name}").select("{columns}").limit(5).show()'
    return [*commands, f"{_find_command('python')} -c {shlex.quote(code)}"]


def _find_command(name: str) -> str:
    """Name a command of this environment: with its folder, where the shell would not find it."""
    folder = Path(sys.prefix) / "bin"
    if shutil.which(name) == str(folder / name):
        return name
    here = Path.cwd()
    return shlex.quote(str((folder.relative_to(here) if folder.is_relative_to(here) else folder) / name))
