"""Which keys of a table are not asked, and why; in DuckDB.

- broken: rows of different values hold at one time, where a dependency says that one does.
- ambiguous: another key reads the same, in the declared words or in other capitals.
- incomplete: a rejected record may belong to the key, so that nobody knows all its rows. A value of the record that is
  not known may be any; but not of our world, where an item without a name is another than those that have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from everwhen.core.sql import render_literal
from everwhen.families.tdbench.keys.dependencies import Key, pick_values, select_broken_keys
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
        ambiguous: Keys that read as one another, in the declared words and in any capitals.
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
    name = table.declaration.name
    found = []
    for columns in dict.fromkeys(scope.key for scope in scopes if scope.declaration == name):
        incomplete = tuple(find_incomplete_keys(table, columns))
        union = (
            f"SELECT key FROM ({select_incomplete_keys(table, columns)}) UNION SELECT {pick_values(columns)} FROM rows"
        )
        found.append(
            UnaskedKeys(
                columns, table.count(f"SELECT count(*) FROM ({union})"), incomplete, _group_ambiguous(table, columns)
            )
        )
    return found


def require_complete_keys(table: OpenTable, scopes: Sequence[Scope]) -> None:
    """Require that a key is left to be asked, where a table is asked.

    Raises:
        InputError: A rejected record may belong to each; the message names file, line and key, and the record.
    """
    unasked = find_unasked_keys(table, scopes)
    if unasked and all(each.is_all for each in unasked):
        record = unasked[0].incomplete[0].record
        reason = f"no key is asked, as a rejected record may belong to each of them; {record}"
        raise report_error(table.declaration, ("from",), f"{reason}; mend the record, or set rejected: row")


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
        broken = select_broken_keys(table, scope.key, asked)
        others = f"SELECT {pick_values(scope.key)} AS key FROM rows EXCEPT ({broken})"
        yield "broken", False, others if scope.is_of_broken else broken
    if scope.key:
        yield "ambiguous", False, f"SELECT unnest(same) AS key FROM ({_select_ambiguous(table, scope.key)})"
        yield "incomplete", False, select_incomplete_keys(table, scope.key)


def _list_dependencies(scope: Scope, scopes: Sequence[Scope]) -> list[tuple[str, ...]]:
    """List what the key of a scope must determine: what it asks for; of counts and sets, what dependencies say."""
    if scope.is_of_broken or scope.kind not in ("set", "count"):
        return [scope.asked]
    same = [each for each in scopes if (each.declaration, each.key) == (scope.declaration, scope.key)]
    declared = [each.asked for each in same if each.kind == "tfd"]
    return _drop_kept(declared, same) if scope.kind == "count" else declared


def _drop_kept(declared: Sequence[tuple[str, ...]], scopes: Sequence[Scope]) -> list[tuple[str, ...]]:
    """Drop the dependencies whose broken keys are kept for sets.

    A count leaves no such key out: its values have a number of stints, also where they hold at once.
    """
    kept = [each.asked for each in scopes if each.is_of_broken]
    return [asked for asked in declared if asked not in kept]


def _select_ambiguous(table: OpenTable, columns: Sequence[str]) -> str:
    """Write the query of the keys that read as another one: a row `same` for each reading."""
    words = table.declaration.words.values
    values = {name: f"fields[{render_literal(name)}]" for name in columns}
    worded = [
        f"coalesce({render_literal(words[name])}[{value}], {value})" if words.get(name) else value
        for name, value in values.items()
    ]
    reading = f"list_transform([{', '.join(worded)}], lambda word: lower(word))"
    return f"""
        SELECT list(key ORDER BY key) AS same
        FROM (SELECT DISTINCT {pick_values(columns)} AS key, {reading} AS reading FROM rows)
        GROUP BY reading HAVING count(*) > 1 ORDER BY same"""


def _group_ambiguous(table: OpenTable, columns: Sequence[str]) -> tuple[tuple[Key, ...], ...]:
    found = table.db.execute(_select_ambiguous(table, columns)).fetchall()
    return tuple(tuple(map(tuple, same)) for (same,) in found)


def find_incomplete_keys(table: OpenTable, columns: Sequence[str]) -> list[IncompleteKey]:
    """Find the keys to which a rejected record may belong; none where the declaration says `rejected: row`.

    Returns:
        The keys, sorted, those of which every record is rejected among them.
    """
    query = f"SELECT * FROM ({select_incomplete_keys(table, columns)}) ORDER BY key"
    return [IncompleteKey(tuple(key), record, is_sure) for key, record, is_sure in table.db.execute(query).fetchall()]


def select_incomplete_keys(table: OpenTable, columns: Sequence[str]) -> str:
    """Write the query of the keys to which a rejected record may belong, with the columns of `IncompleteKey`.

    Keys and records are joined by the values that are known, of each set of known columns by itself: no key is compared
    with every record.
    """
    harmless = ", ".join(map(render_literal, WITHOUT_LOSS))
    declaration = table.declaration
    lost = f"reason NOT IN ({harmless})" if declaration.rejected == "key" else "false"
    if declaration.source.is_world:
        lost += f" AND list_count({pick_values(columns)}) = {len(columns)}"
    return f"""
        WITH lost AS (
            SELECT {pick_values(columns)} AS known, min(line) AS line, arg_min(reason, line) AS reason
            FROM rejects WHERE {lost} GROUP BY known),
        shapes AS (SELECT DISTINCT list_transform(known, lambda value: value IS NOT NULL) AS is_known FROM lost),
        keys AS (SELECT {pick_values(columns)} AS key FROM rows UNION SELECT known FROM lost),
        masked AS (
            SELECT key, list_transform(key, lambda value, place: CASE WHEN is_known[place] THEN value END) AS known
            FROM keys CROSS JOIN shapes WHERE list_count(key) = {len(columns)})
        SELECT key, {render_literal(_name_place(table))} || min(line) || ': ' || arg_min(reason, line) AS record,
            bool_or(known = key) AS is_sure
        FROM masked JOIN lost USING (known) GROUP BY key"""


def _name_place(table: OpenTable) -> str:
    """Name where records are, up to the number of one: file and line, or the source and the record."""
    source = table.declaration.source
    if source.file is not None:
        return f"{source.file}:"
    return f"record {source.database} " if source.database is not None else f"{table.declaration.name}, record "
