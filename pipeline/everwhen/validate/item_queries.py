"""The queries that items name: each is run, and what it answers is compared with the answer of the item."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.database import refuse_queries, translate_error
from everwhen.validate.plan import Check

MAX_QUERIES = 10_000
"""The most queries of one check that are run: those of the items with the least ids, which are hashes."""

ItemQuery = namedtuple("ItemQuery", ("item_id", "group", "name", "sql", "expected"))
"""What the last SELECT of such a check yields."""


class WrongQuery(NamedTuple):
    """An item whose query does not answer what the item answers: a row of the table `wrong`."""

    item_id: Any
    group: str
    name: str
    actual: str
    """The answers of the item, as JSON."""
    expected: str
    """The answers of the query, as JSON; of a query that cannot run the reason."""


def find_wrong_queries(db: duckdb.DuckDBPyConnection, check: Check, select: str, source: str) -> list[WrongQuery]:
    """Run the queries of a check, at most `MAX_QUERIES`.

    Args:
        db: A connection with the tables that the queries read.
        check: The check.
        select: Its last SELECT.
        source: The file that it comes from, for messages.

    Returns:
        The items whose query gives other answers, cannot run, or may not.

    Raises:
        InputError: The SELECT is no valid SQL, or lacks a column.
        MachineFailed: Memory or disk does not suffice.
    """
    queries = _list_queries(db, select, source)
    reasons = refuse_queries(db, [query.sql for query in queries], check.queried_tables)
    maps = {name: _list_maps(db, name) for name in check.queried_tables}
    keys = {key for columns in maps.values() for found in columns.values() for key in found}
    wrong: list[WrongQuery] = []
    for is_exact, structs in ((True, maps), (False, {name: {} for name in maps})):
        chosen = [pair for pair in zip(queries, reasons, strict=True) if _is_exact(pair[0].sql, keys) is is_exact]
        wrong += _compare_queries(db, chosen, structs)
    return wrong


def _list_queries(db: duckdb.DuckDBPyConnection, select: str, source: str) -> list[ItemQuery]:
    """List the queries that a check yields, at most `MAX_QUERIES`."""
    try:
        db.execute(f"CREATE OR REPLACE VIEW check_result AS\n{select}")
        columns = ", ".join(f'"{name}"' for name in ItemQuery._fields)
        found = db.execute(f"SELECT {columns} FROM check_result ORDER BY item_id LIMIT {MAX_QUERIES}")
        return [ItemQuery(*row) for row in found.fetchall()]
    except duckdb.Error as error:
        raise translate_error(source, error) from None


def _compare_queries(
    db: duckdb.DuckDBPyConnection,
    queries: Sequence[tuple[ItemQuery, str | None]],
    structs: Mapping[str, Mapping[str, Sequence[str]]],
) -> Iterator[WrongQuery]:
    """Run queries, but those with a reason why they may not; yield the items that have other answers."""
    if not queries:
        return
    with _keep_tables(db, structs):
        for (item_id, group, name, sql, expected), reason in queries:
            found = reason or _run_query(db, sql)
            if found != expected:
                yield WrongQuery(item_id, group, name, _as_json(expected), _as_json(found))


def insert_wrong_queries(db: duckdb.DuckDBPyConnection, check: Check, select: str, source: str) -> None:
    """Insert what `find_wrong_queries` finds into the table `wrong`."""
    if wrong := find_wrong_queries(db, check, select, source):
        db.executemany("INSERT INTO wrong VALUES ($1, $2, $3, $4, $5)", [list(row) for row in wrong])


@contextmanager
def _keep_tables(db: duckdb.DuckDBPyConnection, structs: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[None]:
    """Keep tables in memory, under their names: each query would read the files anew.

    Args:
        db: The connection.
        structs: By table, the maps that become structs, with their keys. Queries read both alike, `fields['name']`,
            but of 300,000 maps this takes 24 ms of CPU, of structs 4. To a struct capitals do not matter.
    """
    for name, columns in structs.items():
        replaced = ", ".join(
            f"struct_pack({', '.join(f'{_quote(key)} := {_quote(column)}[{_quote_text(key)}]' for key in keys)})"
            f" AS {_quote(column)}"
            for column, keys in columns.items()
        )
        selected = f"* REPLACE ({replaced})" if replaced else "*"
        db.execute(f'CREATE TEMP TABLE "{name}" AS SELECT {selected} FROM main."{name}"')
    try:
        yield
    finally:
        for name in structs:
            db.execute(f'DROP TABLE temp."{name}"')


def _list_maps(db: duckdb.DuckDBPyConnection, table: str) -> dict[str, list[str]]:
    """List the maps of a table that can be structs, with their keys: no two may differ in capitals alone."""
    described = db.execute(f'DESCRIBE FROM main."{table}"').fetchall()
    select = 'SELECT DISTINCT unnest(map_keys({})) AS key FROM main."{}" ORDER BY key'
    maps = {
        column: [key for (key,) in db.execute(select.format(_quote(column), table)).fetchall()]
        for column, type_, *_ in described
        if type_ == "MAP(VARCHAR, VARCHAR)"
    }
    return {
        column: keys
        for column, keys in maps.items()
        if keys and all(keys) and len({key.lower() for key in keys}) == len(keys)
    }


def _is_exact(query: str | None, keys: Collection[str]) -> bool:
    """Whether a query names no key in other capitals."""
    text = query or ""
    return all(text.lower().count(_quote_text(key).lower()) == text.count(_quote_text(key)) for key in keys)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _quote_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _run_query(db: duckdb.DuckDBPyConnection, query: str) -> list[str | None] | str:
    """Run a query that may run: its distinct answers, sorted; the reason where it cannot."""
    try:
        found = {row[0] for row in db.execute(query).fetchall()}
    except duckdb.Error as error:
        failure = translate_error("the query", error)
        if isinstance(failure, InputError):
            return str(failure)
        raise failure from None
    return sorted(found, key=lambda answer: (answer is None, str(answer)))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
