"""Scopes: the ways in which declared tables are asked, those that follow from joins among them.

By Armstrong's rules, which hold for temporal dependencies as well (Jensen, Snodgrass and Soo, 1996): a table of events
in which edition → country, joined by country with a table in which country, role →T name, gives edition, role →T name.
Each dependency on the way is a hop of the question (TDBench, sections 3.3 and 4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Literal

from everwhen.families.tdbench.declaration.model import Declaration, DeclaredJoin, Fd, Tfd
from everwhen.families.tdbench.source.load import find_joined, report_error

Names = tuple[str, ...]
Kind = Literal["tfd", "set", "count", "join", "derived"]
MAX_PATH_LENGTH = 3
"""Hops of a derived dependency at most: the paper's questions have two or three."""


@dataclass(frozen=True)
class Join:
    """How a scope joins its table with a table of events.

    Attributes:
        other: Name of the declaration of the events.
        by: Pairs of columns that are equal: of this table, and of the other.
        same: Pairs of values that mean the same: of the other table, and of this one.
        event: The columns of the other table whose values name the event in the question.
        hops: The columns of the other table that are found on the way from `event` to `by`: a group for each hop. Of a
            join whose event is only a time, none.
        place: Its place among the joins of the declaration.
    """

    other: str
    by: tuple[tuple[str, str], ...]
    same: tuple[tuple[str, str], ...]
    event: tuple[str, ...]
    hops: tuple[tuple[str, ...], ...] = ()
    place: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Scope:
    """One way of asking a table.

    Attributes:
        scope_id: `<declaration>/<number>`, in the order of the declaration.
        declaration: Name of the declaration whose rows answer.
        kind: tfd, set or count as declared; join: a TFD asked with an event of another table for its time; derived: a
            TFD that follows from a join, whose event gives time and the values of `join.by`.
        given: The columns of this table that the question names; of `derived`, without those of `join.by`.
        asked: The columns that it asks for.
        join: The join; None of tfd, set and count.
        of: What `count` counts: stints or rows; else None.
        hops: The dependencies on the way: 1, or 2 and 3 of `derived`.
        is_of_broken: Of `set`: whether it asks the keys alone that break a TFD (`broken: sets`).
    """

    scope_id: str
    declaration: str
    kind: Kind
    given: tuple[str, ...]
    asked: tuple[str, ...]
    join: Join | None = None
    of: Literal["stints", "rows"] | None = None
    hops: int = 1
    is_of_broken: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """The columns by which the rows of one question belong together: those given, and those of `join.by`."""
        joined = [ours for ours, _ in self.join.by] if self.join and self.kind == "derived" else []
        return tuple(dict.fromkeys((*self.given, *joined)))


def derive_scopes(declarations: Sequence[Declaration]) -> tuple[Scope, ...]:
    """Derive the scopes of declarations, in their order: TFDs, sets, counts, then what follows from joins.

    Args:
        declarations: The declarations, those that they join with among them (`load_declarations`).

    Returns:
        The scopes. A TFD that determines several columns is a scope for each of them.
    """
    by_path = {declaration.path: declaration for declaration in declarations}
    return tuple(
        replace(scope, scope_id=f"{declaration.name}/{number}")
        for declaration in declarations
        for number, scope in enumerate(dict.fromkeys(_list_scopes(declaration, by_path)), 1)
    )


def _list_scopes(declaration: Declaration, by_path: Mapping[Path, Declaration]) -> Iterator[Scope]:
    """List the scopes of a declaration, without ids."""
    name = declaration.name
    pairs = [(tfd, Scope("", name, "tfd", tfd.given, (asked,))) for tfd in declaration.tfds for asked in tfd.determines]
    tfds = [scope for _, scope in pairs]
    yield from tfds
    yield from (Scope("", name, "set", each.given, each.asked) for each in declaration.sets)
    yield from (replace(scope, kind="set", is_of_broken=True) for tfd, scope in pairs if tfd.broken == "sets")
    yield from (Scope("", name, "count", each.given, (each.asked,), of=each.of) for each in declaration.counts)
    yield from _list_joined_scopes(declaration, by_path, tfds)


def _list_joined_scopes(
    declaration: Declaration, by_path: Mapping[Path, Declaration], tfds: Sequence[Scope]
) -> Iterator[Scope]:
    """List the scopes that follow from the joins of a declaration with the scopes of its dependencies."""
    for place, join in enumerate(declaration.joins):
        other = by_path[find_joined(declaration, place)]
        for event, hops in _list_events(other, join):
            _refuse_same_columns(declaration, place, other, event, tfds)
            joined = Join(other.name, tuple(join.by.items()), tuple(join.same.items()), event, hops, place)
            yield from chain.from_iterable(_join_scope(scope, joined) for scope in tfds)


def _refuse_same_columns(
    declaration: Declaration, place: int, other: Declaration, event: Names, tfds: Sequence[Scope]
) -> None:
    """Refuse an event that is named by a column with the name of one that a question gives or asks for."""
    used = {column for scope in tfds for column in (*scope.given, *scope.asked)}
    if same := [column for column in event if column in used]:
        reason = f"events of {other.name} are named by {same[0]}, which is a column of {declaration.name}, too"
        raise report_error(declaration, ("joins", place, "with"), f"{reason}: rename one of them")


def _join_scope(scope: Scope, join: Join) -> Iterator[Scope]:
    """Join a scope with the events of another table: as the time that is asked about, and as a derived dependency.

    An event whose name gives the columns of the join leaves nothing to be found: it is a time alone.
    """
    yield Scope("", scope.declaration, "join", scope.given, scope.asked, replace(join, hops=()))
    ours = {column for column, _ in join.by}
    left = tuple(column for column in scope.given if column not in ours)
    if join.hops and ours <= set(scope.given) and not ours & set(scope.asked):
        yield Scope("", scope.declaration, "derived", left, scope.asked, join, hops=1 + len(join.hops))


def _list_events(other: Declaration, join: DeclaredJoin) -> list[tuple[Names, tuple[Names, ...]]]:
    """List the sets of columns that name an event, each with the hops from it to the columns of the join.

    These are the left sides of the other table's dependencies that determine the columns of the join, nearest first.
    """
    declared: list[Fd | Tfd] = [*other.fds, *other.tfds]
    dependencies = [(set(each.given), each.determines) for each in declared]
    named = join.events or dict.fromkeys(each.given for each in declared)
    steps = ((event, find_steps(event, tuple(join.by.values()), dependencies)) for event in named)
    found = [(event, hops) for event, hops in steps if hops is not None and len(hops) < MAX_PATH_LENGTH]
    return sorted(found, key=lambda each: len(each[1]))


def find_steps(
    event: Sequence[str], wanted: Sequence[str], dependencies: Sequence[tuple[set[str], Sequence[str]]]
) -> tuple[tuple[str, ...], ...] | None:
    """Find the shortest way from the columns that name an event to those wanted, by the closure of dependencies.

    Args:
        event: The columns that are known.
        wanted: The columns to find.
        dependencies: Of each, the columns that determine, and those that they determine.

    Returns:
        For each step the columns that it finds and that are used: the left side of a later step, or what is wanted.
        None where the dependencies do not lead there.
    """
    known = dict.fromkeys(event, 0)
    used: dict[str, set[str]] = {}
    while not set(wanted) <= set(known):
        new = {
            column: given
            for given, columns in dependencies
            if given <= set(known)
            for column in columns
            if column not in known
        }
        if not new:
            return None
        known |= dict.fromkeys(new, max(known.values()) + 1)
        used |= new
    needed = _trace(wanted, used)
    found = [column for column in known if column in needed]  # in the order of their steps
    return tuple(tuple(columns) for _, columns in groupby(found, key=lambda column: known[column]))


def _trace(wanted: Sequence[str], used: Mapping[str, set[str]]) -> set[str]:
    """List the columns that are found on the way to those wanted, by the columns from which each follows."""
    needed: set[str] = set()
    waiting = list(wanted)
    while waiting:
        column = waiting.pop()
        if column in used and column not in needed:
            needed.add(column)
            waiting += used[column]
    return needed
