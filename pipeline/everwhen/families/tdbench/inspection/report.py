"""What `everwhen tdbench check` prints of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.inspection.joins import JoinResult
from everwhen.families.tdbench.inspection.tables import InspectedTfd, Inspection
from everwhen.families.tdbench.keys.conflicts import Record
from everwhen.families.tdbench.keys.unasked import UnaskedKeys
from everwhen.families.tdbench.source.reasons import RowReason

MAX_REASONS = 5
"""Reasons of rejects that are named with their counts."""

MAX_KEYS = 8
"""Keys that are named of one rejected record."""

MAX_ROWS = 8
"""Rows in conflict of a broken key that are printed."""


def print_inspection(inspection: Inspection, console: Console, longest: int) -> None:
    """Print what a table is like."""
    console.print(Text(inspection.name, style="bold"))
    facts = {
        "rows": f"{inspection.rows:,} of {inspection.records:,} records, {inspection.duplicates:,} duplicates",
        "open": f"{inspection.open_rows:,}" + (f", as of {inspection.as_of}" if inspection.as_of else ""),
        "points": ", ".join(f"{count:,} by {unit}" for unit, count in inspection.points.items()),
        "licence": inspection.licence or "none named: what is built of it is marked private",
    }
    _print_grid(console, facts.items())
    for tfd in inspection.tfds:
        _print_tfd(tfd, console, longest)
    for given, determines, keys in inspection.contradicted:
        text = f"FD {_join(given)} → {_join(determines)} does not hold for {len(keys):,} keys, such as"
        console.print(Text(f"{text} {_join(keys[0])}"), style="yellow")
    _print_found(inspection, console, longest)
    for unasked in inspection.unasked:
        _print_unasked(unasked, console, longest)
    _print_values(inspection, console, longest)
    for join in inspection.joins:
        _print_join(join, console, longest)
    _print_rejects(inspection.rejects, console, longest)
    console.print()


def print_next_steps(
    declarations: Sequence[Declaration], inspections: Sequence[Inspection], paths: Sequence[str], console: Console
) -> None:
    """Print what to do next."""
    checked = {inspection.name for inspection in inspections}
    for declaration in declarations:
        if declaration.name not in checked:
            console.print(Text(f"{declaration.name} reads our world; `everwhen build` reads its rows"))
    if checked:
        named = " ".join(path for path in paths if Path(path).exists())
        console.print(Text(f"next: everwhen tdbench build {named} --out build/{declarations[0].name}"), soft_wrap=True)


def _print_tfd(tfd: InspectedTfd, console: Console, longest: int) -> None:
    """Print a declared dependency, and its broken keys with their rows."""
    name = f"{_join(tfd.given)} →T {_join(tfd.determines)}"
    done = {"drop": "not asked", "sets": "asked for sets alone", "fail": "not allowed"}[tfd.on_broken]
    console.print(Text(f"TFD {name}: {tfd.keys:,} keys, {len(tfd.broken):,} broken ({done})"))
    if tfd.broken:
        _print_conflicts(tfd, console, longest)
    if tfd.unclear:
        named = "; ".join(_join(key) for key in tfd.unclear[:longest])
        text = f"  may be broken, dates being coarse; asked where that decides nothing ({len(tfd.unclear):,}): {named}"
        console.print(Text(text), soft_wrap=True)
        _print_rest(console, len(tfd.unclear), longest, "unclear keys")


def _print_conflicts(tfd: InspectedTfd, console: Console, longest: int) -> None:
    """Print the rows of broken keys that are in conflict."""
    table = Table(
        "broken key", "line", *tfd.determines, "start", "end", "conflicts with", box=None, padding=(0, 2, 0, 2)
    )
    for column in (1, -3, -2):
        table.columns[column].no_wrap = True
    for key, rows in tfd.broken[:longest]:
        for place, row in enumerate(rows[:MAX_ROWS]):
            values = [row["fields"].get(name, "") for name in tfd.determines]
            times = row["stated_start"], row["stated_end"] or "still", f"line {row['conflicts_with']}"
            table.add_row(*map(_show, ("" if place else _join(key), row["line"], *values, *times)))
        if len(rows) > MAX_ROWS:
            table.add_row("", Text(f"… and {len(rows) - MAX_ROWS:,} more in conflict"))
    console.print(table)
    _print_rest(console, len(tfd.broken), longest, "broken keys")


def _print_found(inspection: Inspection, console: Console, longest: int) -> None:
    """Print the dependencies that hold."""
    if inspection.found is None:
        console.print(Text("TFDs that hold were not looked for in so many rows; --search does it, and takes minutes"))
        return
    if not inspection.found:
        console.print(Text("no TFD of up to three columns holds for all keys, some of which have several rows"))
        return
    console.print(Text("TFDs that hold (those in which some key has several rows):"))
    rows = [
        (f"{_join(tfd.given)} →T {tfd.determined}", f"{tfd.keys:,} keys, {tfd.most_rows:,} rows at most")
        for tfd in inspection.found
    ]
    _print_grid(console, rows, longest, "TFDs")


def _print_unasked(unasked: UnaskedKeys, console: Console, longest: int) -> None:
    """Print which keys are not asked, beside those that contradict a dependency, and why."""
    columns = _join(unasked.columns)
    if unasked.incomplete:
        which = "none is asked" if unasked.is_all else "not asked"
        text = f"{columns}: {len(unasked.incomplete):,} of {unasked.keys:,} keys may lack a rejected record ({which}):"
        console.print(Text(text, style="yellow"), soft_wrap=True)
        lacking: dict[str, list[str]] = {}
        for each in unasked.incomplete:
            lacking.setdefault(each.record, []).append(_join(each.key))
        records = [f"  {record}: {_shorten(keys)}" for record, keys in lacking.items()]
        _print_lines(console, records, longest, "records")
    same = [f"{columns}: not asked, as they read the same: {'; '.join(map(_join, same))}" for same in unasked.ambiguous]
    _print_lines(console, same, longest, "groups of such keys", style="yellow")


def _print_values(inspection: Inspection, console: Console, longest: int) -> None:
    """Print values in two spellings, words that belong to none, and values that the scorer would not recognise."""
    near = [
        f"near-duplicates of {near.column}, with their rows: "
        + "; ".join(f"{value} ({count:,})" for value, count in near.values)
        for near in inspection.near_duplicates
    ]
    _print_lines(console, near, longest, "near-duplicates")
    absent = [f"words.values.{column}: no row has {value}" for column, value in inspection.absent_words]
    _print_lines(console, absent, longest, "words for values that no row has")
    for column, values in inspection.unrecognised:
        text = f"{column}: not asked for, as the scorer does not recognise them as an answer ({len(values):,}):"
        console.print(_show(f"{text} {'; '.join(values[:longest])}"), style="yellow", soft_wrap=True)
        _print_rest(console, len(values), longest, "such values")


def _print_join(join: JoinResult, console: Console, longest: int) -> None:
    """Print what a join yields."""
    if join.scope.join is None:
        return
    other, event = join.scope.join.other, _join(join.scope.join.event)
    text = f"join with {other} by {event}: {join.keys:,} keys, {join.rows:,} rows, {join.scope.hops} hops"
    if join.changed:
        text += f"; not asked, as hands changed: {'; '.join(map(_join, join.changed[:5]))}"
    console.print(Text(text), soft_wrap=True)
    if join.missing:
        console.print(Text(f"  not in this table: {'; '.join(join.missing)} (map them by same)"), soft_wrap=True)
    for title, named in (("keys that are not asked", join.unasked), ("events that no question names", join.unnamed)):
        if named:
            console.print(Text(f"  {title} ({len(named):,}):"))
            _print_grid(console, [(f"    {name}", reason) for name, reason in named], longest, "of them")


def _print_rejects(rejects: Sequence[Record], console: Console, longest: int) -> None:
    """Print what is no row."""
    if not rejects:
        console.print(Text("no rejects"))
        return
    counts = Counter(name_kind(str(reject["reason"])) for reject in rejects).most_common()
    named = "; ".join(f"{reason}: {count:,}" for reason, count in counts[:MAX_REASONS])
    rest = sum(count for _, count in counts[MAX_REASONS:])
    named += f"; other reasons: {rest:,}" if rest else ""
    console.print(Text(f"rejects ({len(rejects):,}): {named}"), soft_wrap=True)
    table = Table("line", "reason", "record", box=None, padding=(0, 2, 0, 2))
    table.columns[-1].overflow = "fold"  # a record is shown in full
    for reject in rejects[:longest]:
        table.add_row(str(reject["line"]), _show(reject["reason"]), _show(reject["text"]))
    console.print(table)
    _print_rest(console, len(rejects), longest, "rejects")


def _print_grid(
    console: Console, rows: Iterable[tuple[str, str]], longest: int | None = None, what: str = "rows"
) -> None:
    """Print the first rows of two columns, and how many more there are."""
    grid, shown = Table.grid(padding=(0, 2, 0, 2)), list(rows)
    for name, text in shown[:longest]:
        grid.add_row(_show(name), _show(text))
    console.print(grid)
    _print_rest(console, len(shown), len(shown) if longest is None else longest, what)


def _print_lines(console: Console, texts: Sequence[str], longest: int, what: str, style: str | None = None) -> None:
    """Print the first texts, and how many more there are."""
    for text in texts[:longest]:
        console.print(_show(text), style=style, soft_wrap=True)
    _print_rest(console, len(texts), longest, what)


def _print_rest(console: Console, count: int, longest: int, what: str) -> None:
    if count > longest:
        console.print(Text(f"  … and {count - longest:,} more {what}; --json FILE writes all"))


def _join(key: Sequence[str]) -> str:
    return ", ".join(key)


def name_kind(reason: str) -> str:
    """Name the kind of a row's reason: the same without the text of the record.

    >>> name_kind("unreadable end 31/12/15 in End: no known form"), name_kind("no start")
    ('unreadable end … in End: no known form', 'no start')
    """
    for each in RowReason:
        if (details := each.read_details(reason)) is not None:
            return each.with_detail(**details | {"text": "…", "line": "…"})
    return reason


def _shorten(keys: Sequence[str]) -> str:
    """Write the first keys, and how many more there are."""
    more = len(keys) - MAX_KEYS
    return "; ".join(keys[:MAX_KEYS]) + (f" and {more:,} more" if more > 0 else "")


def _show(text: object) -> Text:
    """Show a text as it is: markup and control characters do nothing to the terminal."""
    return Text("".join(character if character.isprintable() else "�" for character in str(text)))
