"""What a declared table is like: rows and rejects, keys that hold or are broken, dependencies and joins; no Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date
from itertools import count

from everwhen.core.progress import Progress, report_nothing
from everwhen.families.tdbench.aliases import require_aliases
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.inspection.joins import JoinResult, join_events
from everwhen.families.tdbench.inspection.near_duplicates import NearDuplicates, find_absent_words, find_near_duplicates
from everwhen.families.tdbench.keys.conflicts import Record, list_conflicts
from everwhen.families.tdbench.keys.dependencies import (
    MAX_SEARCHED_ROWS,
    FoundTfd,
    Key,
    count_keys,
    find_broken_keys,
    find_contradictions,
    find_tfds,
    find_unclear_keys,
    list_column_sets,
)
from everwhen.families.tdbench.keys.unasked import (
    UnaskedKeys,
    find_unasked_keys,
    require_askable_keys,
    require_complete_keys,
)
from everwhen.families.tdbench.names import find_unrecognised_values
from everwhen.families.tdbench.scopes import Scope, derive_scopes
from everwhen.families.tdbench.source.load import report_error
from everwhen.families.tdbench.source.open_table import OpenTable, open_table
from everwhen.families.tdbench.source.reasons import RowReason

MAX_NAMED_KEYS = 5
"""Keys that an error names, and lines of each."""

Begin = Callable[[str], None]
"""Called with each step that begins."""


@dataclass(frozen=True)
class InspectedTfd:
    """A declared dependency, and the keys that contradict it.

    Attributes:
        given: The columns of the key.
        determines: The columns that they should determine.
        on_broken: What the declaration does with broken keys: drop, sets or fail.
        keys: How many keys there are.
        broken: The keys that contradict it surely, with their rows in conflict.
        unclear: The keys that may contradict it, dates being coarse.
    """

    given: tuple[str, ...]
    determines: tuple[str, ...]
    on_broken: str
    keys: int
    broken: list[tuple[Key, list[Record]]]
    unclear: list[Key]


@dataclass(frozen=True)
class Inspection:
    """What a declared table is like.

    Attributes:
        name: Name of the declaration.
        records: Records read: rows and rejects.
        rows: Rows.
        open_rows: Rows without an end.
        points: Rows that start and end in one unit, by the units in which questions compare times.
        duplicates: Records that equal an earlier one.
        as_of: The last day of which the table knows.
        licence: Its licence.
        rejects: What is no row: line, reason and text.
        tfds: The declared dependencies.
        contradicted: The declared dependencies without regard to time that do not hold: given, determines and keys.
        found: The dependencies that hold; None where they were not looked for.
        unasked: The keys that are not asked, but for those that contradict a dependency, by the columns of the key.
        near_duplicates: Values that differ in case, accents, blanks and punctuation alone.
        absent_words: Columns and values that have words in the declaration, and no row.
        unrecognised: Columns, and those of their values that the scorer does not recognise as an answer.
        joins: What the joins yield.
    """

    name: str
    records: int
    rows: int
    open_rows: int
    points: dict[str, int]
    duplicates: int
    as_of: date | None
    licence: str | None
    rejects: list[Record]
    tfds: list[InspectedTfd]
    contradicted: list[tuple[tuple[str, ...], tuple[str, ...], list[Key]]]
    found: list[FoundTfd] | None
    unasked: list[UnaskedKeys]
    near_duplicates: list[NearDuplicates]
    absent_words: list[tuple[str, str]]
    unrecognised: list[tuple[str, tuple[str, ...]]]
    joins: list[JoinResult] = field(default_factory=list)


def count_steps(declaration: Declaration) -> int:
    """Count the steps in which a table is inspected: reading it, each dependency, each set of columns searched."""
    return 1 + len(declaration.tfds) + len(list_column_sets(declaration.columns))


@contextmanager
def open_tables(
    declarations: Sequence[Declaration], begin: Begin = lambda step: None
) -> Iterator[dict[str, OpenTable]]:
    """Open the tables of declarations that read files and databases, by name; `begin` is called before each."""
    with ExitStack() as stack:
        tables = {}
        for declaration in declarations:
            if not declaration.source.is_world:
                begin(f"{declaration.name}: reading")
                tables[declaration.name] = stack.enter_context(open_table(declaration))
        yield tables


def inspect_tables(
    declarations: Sequence[Declaration], searches_all: bool = False, progress: Progress = report_nothing
) -> list[Inspection]:
    """Inspect the tables of declarations that read files and databases.

    Args:
        declarations: The declarations, those that they join with among them; those of our world are left out.
        searches_all: Whether dependencies are looked for in tables of any size.
        progress: Called with each step.

    Returns:
        An inspection of each, in order.

    Raises:
        InputError: A table cannot be read or has no rows; an alias belongs to no value; a join is empty.
    """
    done, scopes = count(), derive_scopes(declarations)
    of = sum(count_steps(declaration) for declaration in declarations if not declaration.source.is_world)

    def begin(step: str) -> None:
        progress(step, next(done), of)

    with open_tables(declarations, begin) as tables:
        return [
            _inspect(table, scopes, list(_join(table, tables, scopes)), searches_all, begin)
            for table in tables.values()
        ]


def require_usable(declarations: Sequence[Declaration]) -> None:
    """Require that tables in files and databases can be asked, without inspecting them.

    Raises:
        InputError: As of `inspect_tables` and `require_askable`.
    """
    with open_tables(declarations) as tables:
        scopes = derive_scopes(declarations)
        for table in tables.values():
            require_tfds(table)
            require_aliases(table)
            require_complete_keys(table, scopes)
            list(_join(table, tables, scopes))


def require_tfds(table: OpenTable) -> None:
    """Require that every declared dependency holds for a key, and for all where it says `broken: fail`.

    Raises:
        InputError: One does not; the message names file, line and key.
    """
    for place, tfd in enumerate(table.declaration.tfds):
        if broken := find_broken_keys(table, tfd.given, tfd.determines):
            conflicts = list_conflicts(table, tfd.given, tfd.determines, broken[:MAX_NAMED_KEYS])
            _refuse_broken(table.declaration, place, count_keys(table, tfd.given), len(broken), conflicts)


def require_askable(declaration: Declaration, inspection: Inspection) -> None:
    """Require of an inspected table that its dependencies hold as it declares, and that a key is left to be asked.

    Raises:
        InputError: As of `require_tfds` and `require_complete_keys`.
    """
    for place, tfd in enumerate(inspection.tfds):
        _refuse_broken(declaration, place, tfd.keys, len(tfd.broken), tfd.broken[:MAX_NAMED_KEYS])
    require_askable_keys(declaration, inspection.unasked)


def _refuse_broken(
    declaration: Declaration, place: int, keys: int, broken: int, conflicts: Sequence[tuple[Key, list[Record]]]
) -> None:
    """Refuse a dependency that no key satisfies, or that a key contradicts where the declaration says so."""
    on_broken = declaration.tfds[place].broken
    if broken and broken == keys and on_broken != "sets":
        reason = f"no key satisfies it: all {keys} have rows of different values at one time; declare sets instead"
        raise report_error(declaration, ("tfds", place), reason)
    if broken and on_broken == "fail":
        named = "; ".join(f"{', '.join(key)} (lines {', '.join(_list_lines(rows))})" for key, rows in conflicts)
        reason = f"{broken} of {keys} keys contradict it (broken: fail), such as {named}"
        raise report_error(declaration, ("tfds", place, "broken"), reason)


def _list_lines(rows: Sequence[Record]) -> list[str]:
    """List the lines of the first rows in conflict, as they are in the file."""
    return [str(line) for line in sorted(row["line"] for row in rows[:MAX_NAMED_KEYS])]


def _inspect(
    table: OpenTable, scopes: Sequence[Scope], joins: list[JoinResult], searches_all: bool, begin: Begin
) -> Inspection:
    """Inspect one table."""
    declaration = table.declaration
    require_aliases(table)
    fds = [(fd.given, fd.determines, find_contradictions(table, fd.given, fd.determines)) for fd in declaration.fds]
    ((rows, open_rows, *points),) = table.fetch("inspection/counts", units=declaration.time.ask)
    rejects = table.db.sql("SELECT line, reason, text FROM rejects ORDER BY line").to_arrow_table().to_pylist()
    return Inspection(
        name=declaration.name,
        records=table.input_count,
        rows=rows,
        open_rows=open_rows,
        points=dict(zip(declaration.time.ask, points, strict=True)),
        duplicates=sum(reject["reason"] == RowReason.DUPLICATE for reject in rejects),
        as_of=declaration.time.as_of,
        licence=declaration.licence,
        rejects=rejects,
        tfds=[_inspect_tfd(table, place, begin) for place in range(len(declaration.tfds))],
        contradicted=[fd for fd in fds if fd[2]],
        found=find_tfds(table, begin) if searches_all or rows <= MAX_SEARCHED_ROWS else None,
        unasked=find_unasked_keys(table, scopes),
        near_duplicates=find_near_duplicates(table),
        absent_words=find_absent_words(table),
        unrecognised=find_unrecognised_values(table, scopes),
        joins=joins,
    )


def _inspect_tfd(table: OpenTable, place: int, begin: Begin) -> InspectedTfd:
    """Inspect a declared dependency."""
    tfd = table.declaration.tfds[place]
    given, determines = tfd.given, tfd.determines
    begin(f"{table.declaration.name}: keys of {', '.join(given)}")
    conflicts = list_conflicts(table, given, determines, find_broken_keys(table, given, determines))
    unclear = find_unclear_keys(table, given, determines)
    return InspectedTfd(given, determines, tfd.broken, count_keys(table, given), conflicts, unclear)


def _join(table: OpenTable, tables: dict[str, OpenTable], scopes: Sequence[Scope]) -> Iterator[JoinResult]:
    """Join a table with those it declares."""
    for scope in scopes:
        if (scope.kind, scope.declaration) != ("derived", table.declaration.name) or scope.join is None:
            continue
        if scope.join.other not in tables:
            continue
        result = join_events(table, tables[scope.join.other], scope)
        if not result.rows:
            missing = f": the table has no {'; '.join(result.missing)}; map them by same" if result.missing else ""
            key = ("joins", scope.join.place, "by")
            raise report_error(table.declaration, key, f"no row shares a day with a row of {scope.join.other}{missing}")
        yield result
