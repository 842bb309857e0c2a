"""Which keys of a table are not asked, and why; in DuckDB.

- broken: rows of different values hold at one time, where a dependency says that one does.
- ambiguous: another key reads the same, in the declared words, whatever its capitals and accents.
- incomplete: a rejected record may belong to the key, so that nobody knows all its rows. A value of the record that is
  not known may be any; but not of our world, where an item without a name is another than those that have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.keys.dependencies import Key, select_broken_keys
from everwhen.families.tdbench.queries import pick_values, write_query
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.source.load import report_error
from everwhen.families.tdbench.source.open_table import OpenTable
from everwhen.families.tdbench.source.reasons import WITHOUT_LOSS


@dataclass(frozen=True)
class IncompleteKey:
    """A key that a rejected record may belong to.

    Attributes:
        key: Its values.
        record: The first such record, with its file and line, and why it is rejected.
        is_sure: Whether the record surely belongs to it, all values of the key being known.
    """

    key: Key
    record: str
    is_sure: bool


@dataclass(frozen=True)
class UnaskedKeys:
    """The keys of some columns that are not asked; those that contradict their dependency are listed by themselves.

    Attributes:
        columns: The columns of the key.
        keys: How many keys there are, those without a row among them.
        incomplete: The keys that a rejected record may belong to.
        ambiguous: Keys that read as one another, in the declared words, whatever their capitals and accents.
    """

    columns: tuple[str, ...]
    keys: int
    incomplete: tuple[IncompleteKey, ...]
    ambiguous: tuple[tuple[Key, ...], ...]

    @property
    def is_all(self) -> bool:
        """Whether no key is left."""
        return self.keys > 0 and len(self.incomplete) == self.keys


def find_unasked_keys(table: OpenTable, scopes: Sequence[Scope]) -> list[UnaskedKeys]:
    """Find the keys that are not asked, by the columns of the scopes that ask the table."""
    name, found = table.declaration.name, []
    for columns in dict.fromkeys(scope.key for scope in scopes if scope.declaration == name):
        incomplete = select_incomplete_keys(table, columns)
        union = f"SELECT key FROM ({incomplete}) UNION SELECT {pick_values(columns)} FROM rows"
        ambiguous = table.db.execute(_select_ambiguous(table, columns)).fetchall()
        found.append(
            UnaskedKeys(
                columns,
                table.count(f"SELECT count(*) FROM ({union})"),
                tuple(find_incomplete_keys(table, columns)),
                tuple(tuple(map(tuple, same)) for (same,) in ambiguous),
            )
        )
    return found


def require_complete_keys(table: OpenTable, scopes: Sequence[Scope]) -> None:
    """Require that a key is left to be asked, where a table is asked.

    Raises:
        InputError: A rejected record may belong to each; the message names file, line and key, and the record.
    """
    require_askable_keys(table.declaration, find_unasked_keys(table, scopes))


def require_askable_keys(declaration: Declaration, unasked: Sequence[UnaskedKeys]) -> None:
    """Require that a key is left to be asked, of a table whose keys that are not asked are known.

    Raises:
        InputError: As of `require_complete_keys`.
    """
    if unasked and all(each.is_all for each in unasked):
        record = unasked[0].incomplete[0].record
        reason = f"no key is asked, as a rejected record may belong to each of them; {record}"
        raise report_error(
            declaration, ("from",), f"{reason}; mend the records that are rejected, or set rejected: row"
        )


def select_unasked_keys(table: OpenTable, scopes: Sequence[Scope]) -> Iterator[str]:
    """Write the queries of the keys that scopes do not ask.

    Yields:
        Queries with the columns scope_id, is_event (whether the key is that of an event, whose names no question has),
        key, reason (broken, ambiguous or incomplete) and record (the rejected one of an incomplete key, else null).
    """
    name = table.declaration.name
    for scope in scopes:
        found = list(_select_own_keys(table, scope, scopes)) if scope.declaration == name else []
        if scope.join is not None and scope.join.other == name:
            found.append(("incomplete", True, select_incomplete_keys(table, scope.join.event)))
        for reason, is_event, query in found:
            record = "record" if reason == "incomplete" else "NULL::VARCHAR AS record"
            named = f"'{scope.scope_id}' AS scope_id, {is_event} AS is_event, key, '{reason}' AS reason, {record}"
            yield f"SELECT {named} FROM ({query})"


def _select_own_keys(table: OpenTable, scope: Scope, scopes: Sequence[Scope]) -> Iterator[tuple[str, bool, str]]:
    """Write the queries of the keys of a scope that it does not ask, each with the reason, and whether of events."""
    for asked in _list_dependencies(scope, scopes):
        broken = select_broken_keys(scope.key, asked)
        others = f"SELECT {pick_values(scope.key)} AS key FROM rows EXCEPT ({broken})"
        yield "broken", False, others if scope.is_of_broken else broken
    if scope.key:
        yield "ambiguous", False, f"SELECT unnest(same) AS key FROM ({_select_ambiguous(table, scope.key)})"
        yield "incomplete", False, select_incomplete_keys(table, scope.key)


def _list_dependencies(scope: Scope, scopes: Sequence[Scope]) -> list[tuple[str, ...]]:
    """List what the key of a scope must determine: what it asks for; of counts and sets, what dependencies say.

    A count leaves no key out that is kept for sets: its values have a number of stints, also where they hold at once.
    """
    if scope.is_of_broken or scope.kind not in ("set", "count"):
        return [scope.asked]
    same = [each for each in scopes if (each.declaration, each.key) == (scope.declaration, scope.key)]
    kept = [each.asked for each in same if (each.is_of_broken, scope.kind) == (True, "count")]
    return [each.asked for each in same if each.kind == "tfd" and each.asked not in kept]


def _select_ambiguous(table: OpenTable, columns: Sequence[str]) -> str:
    """Write the query of the keys that read as another one: a row `same` for each reading."""
    return write_query("keys/ambiguous", columns=columns, words=table.declaration.words.values)


def find_incomplete_keys(table: OpenTable, columns: Sequence[str]) -> list[IncompleteKey]:
    """Find the keys to which a rejected record may belong; none where the declaration says `rejected: row`.

    Returns:
        The keys, sorted, those of which every record is rejected among them.
    """
    query = f"SELECT * FROM ({select_incomplete_keys(table, columns)}) ORDER BY key"
    return [IncompleteKey(tuple(key), record, is_sure) for key, record, is_sure in table.db.execute(query).fetchall()]


def select_incomplete_keys(table: OpenTable, columns: Sequence[str]) -> str:
    """Write the query of the keys to which a rejected record may belong, with the columns of `IncompleteKey`."""
    source, declaration = table.declaration.source, table.declaration
    place = f"{source.file}:" if source.file else f"record {source.database} " if source.database else ""
    return write_query(
        "keys/incomplete",
        columns=columns,
        declaration=declaration,
        harmless=WITHOUT_LOSS,
        place=place or f"{declaration.name}, record ",
    )
