"""A dataset folder as DuckDB reads it: a connection that can reach the tables of the dataset, and nothing else."""

from __future__ import annotations

import json
import logging
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import DISK_FULL, InputError, MachineFailed

MEMORY = "1200MB"
"""Checks a hundred million rows beside the build's JVM; DuckDB spills the rest to disk."""

INTERRUPTED = "Query interrupted"
"""The message of DuckDB after Ctrl-C."""

ALLOWED = (duckdb.StatementType.SELECT, duckdb.StatementType.CREATE)
"""What the SQL of a dataset may do: read, and keep what it derived in memory."""

REFUSED = re.compile(
    r"\b(copy|insert|update|delete|merge|truncate|secret|query|query_table|json_execute_serialized_sql"
    r"|(?:enable|disable)_\w+|\w+_external_resource\w*)\b",
    flags=re.IGNORECASE,
)
"""Words that the SQL of a dataset may not contain, not even in a comment: to DuckDB a SELECT whose WITH contains a COPY
is a SELECT, `query` runs SQL that is composed as it runs, and `enable_logging` writes files."""

SOURCES = ("BASE_TABLE", "TABLE_FUNCTION", "SHOW_REF")
"""What a parsed statement may read."""

PARSED_AT_ONCE = 500
"""Queries that are parsed by one statement: a parsed one has some 20 kB."""

PARSE = (
    "SELECT json_serialize_sql(sql) FROM (SELECT unnest($1::VARCHAR[]) AS sql, unnest(range(len($1))) AS place)"
    " ORDER BY place"
)
"""Parses a list of queries to JSON, in its order."""

ADVICE = re.compile(
    r"\n+(?:Possible solutions|See also|Hint):|\n\* |\s+If you are trying to read files with different "
)
"""Where a message of DuckDB begins to advise on its own settings."""


@dataclass(frozen=True)
class Resources:
    """How much of the machine DuckDB may use.

    Attributes:
        memory: Memory limit, such as "8GB" or "50%". What does not fit goes to a temporary folder.
        threads: How many threads; all cores if it is None.
    """

    memory: str = MEMORY
    threads: int | None = None


@contextmanager
def open_dataset(
    dataset: str | Path, tables: Mapping[str, Sequence[Path]], resources: Resources = Resources()
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection to tables of a dataset, locked to their files.

    No statement on the connection loads an extension, reaches the network, or reads or writes another file; what does
    not fit into memory goes to a temporary folder of its own.

    Args:
        dataset: Folder of the dataset, for messages.
        tables: By the name of the view, the parquet files of a table.
        resources: Memory and threads of DuckDB.

    Raises:
        InputError: A file is missing or cannot be read, or DuckDB does not take an option.
        MachineFailed: Neither memory nor the disk that the rest goes to has enough room.
    """
    files = {name: [locate(path) for path in paths] for name, paths in tables.items()}
    with tempfile.TemporaryDirectory(prefix="everwhen-check-") as temp:
        db = _connect(temp, resources)
        try:
            db.execute("SET enable_progress_bar = false")  # it writes to stdout, where the JSON goes
            # Not the folder: other files in it would be writable.
            db.execute("SET allowed_paths = $1", [[path for paths in files.values() for path in paths]])
            db.execute("SET enable_external_access = false")
            for name, paths in files.items():
                db.read_parquet(paths).create_view(name)
            yield db
        except duckdb.Error as error:
            raise translate_error(str(dataset), error) from None
        except RuntimeError as error:
            if str(error) == INTERRUPTED:
                raise KeyboardInterrupt from None
            raise
        finally:
            db.close()


def _connect(temp: str, resources: Resources) -> duckdb.DuckDBPyConnection:
    """Connect to an empty database, which spills to a temporary folder."""
    options: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": temp,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "python_enable_replacements": False,  # or a name that is no table would be looked up in Python's variables
        "preserve_insertion_order": False,  # or large results are buffered to be put in order
        "memory_limit": resources.memory,
    }
    if resources.threads is not None:
        options["threads"] = resources.threads
    try:
        return duckdb.connect(":memory:", config=options)
    except duckdb.Error as error:
        raise translate_error(f"memory {resources.memory}, threads {resources.threads or 'all'}", error) from None


def find_tables(dataset: str | Path, manifest: Mapping[str, Any], part: str) -> dict[str, list[Path]]:
    """Find the tables of one part of a dataset, by the manifest: what else is in their folders is not read.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        part: The part: "facts", or the name of a family.

    Returns:
        The files of each table, by its name.
    """
    names = [name for name in manifest["tables"] if name.startswith(f"{part}/")]
    return {name.removeprefix(f"{part}/"): find_files(dataset, manifest, name) for name in names}


def find_files(dataset: str | Path, manifest: Mapping[str, Any], table: str) -> list[Path]:
    """Find the files of a table, by the manifest.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        table: The table, such as "facts/statements".

    Raises:
        InputError: The dataset has no such table.
    """
    if table not in manifest["tables"]:
        raise InputError(f"{dataset}: no table {table}; there are {', '.join(manifest['tables'])}")
    return [Path(dataset) / table / file["name"] for file in manifest["tables"][table]["files"]]


def list_rows(result: duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation) -> list[dict[str, Any]]:
    """List the rows of a result, each by column."""
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def parse_statements(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> list[duckdb.Statement]:
    """Parse the SQL of a dataset into statements that may run.

    Args:
        db: Any connection; it parses.
        sql: The text.
        source: The file that it comes from, for messages.

    Raises:
        InputError: The text is no valid SQL, a statement is neither SELECT nor CREATE, or contains a refused word.
    """
    try:
        statements = db.extract_statements(sql)
    except duckdb.Error as error:
        raise translate_error(source, error) from None
    for statement in statements:
        if statement.type not in ALLOWED:
            raise InputError(f"{source}: a check may SELECT and CREATE only, not {statement.type.name}")
    if refused := REFUSED.search(sql):
        raise InputError(f"{source}: a check may not contain the word {refused.group()}, not even in a comment")
    return statements


def split_last(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> tuple[list[duckdb.Statement], str]:
    """Split the SQL of a dataset into its last SELECT, with what ends it, and the statements before it.

    Raises:
        InputError: As of `parse_statements`, or the last statement is no SELECT.
    """
    statements = parse_statements(db, sql, source)
    if not statements or statements[-1].type != duckdb.StatementType.SELECT:
        raise InputError(f"{source}: the last statement must be a SELECT")
    return statements[:-1], statements[-1].query


def refuse_queries(
    db: duckdb.DuckDBPyConnection, queries: Sequence[str | None], tables: Collection[str]
) -> list[str | None]:
    """Refuse queries of items unless each is one SELECT on some tables.

    Their literals are data, which may contain any word. DuckDB parses all of them at once, in a third of the time that
    it takes for one after the other.

    Args:
        db: Any connection; it parses.
        queries: The queries.
        tables: The tables that they may read.

    Returns:
        By query, why it may not run: there is none, it is no valid SQL, no single SELECT, contains a refused word
        outside literals, or reads anything else, such as a table of its own WITH. None where it may.
    """
    reasons: list[str | None] = []
    for start in range(0, len(queries), PARSED_AT_ONCE):
        part = list(queries[start : start + PARSED_AT_ONCE])
        parsed = db.execute(PARSE, [part]).fetchall()
        reasons += [_refuse_query(sql, tree, tables) for sql, (tree,) in zip(part, parsed, strict=True)]
    return reasons


def _refuse_query(sql: str | None, tree: str | None, tables: Collection[str]) -> str | None:
    """Find why a query may not run; None where it may."""
    if sql is None or tree is None:
        return "no query"
    parsed = json.loads(tree)
    if parsed["error"] and parsed["error_type"] == "parser":
        return f"a query: Parser Error: {parsed['error_message']}"
    if parsed["error"] or len(parsed["statements"]) != 1:
        return "a query must be one SELECT"
    if refused := REFUSED.search(_blank_literals(sql)):
        return f"a query may not contain the word {refused.group()}"
    if others := set(_find_sources(parsed)) - set(tables):
        return f"a query may read {', '.join(sorted(tables))} alone, not {min(others)}"
    return None


def _find_sources(node: Any) -> Iterator[str]:
    """Find what a parsed statement reads: the names of tables, and the types of all other sources."""
    children: Iterable[Any] = node if isinstance(node, list) else ()
    if isinstance(node, dict):
        children = node.values()
        if node.get("type") in SOURCES:
            yield str(node["table_name"]) if node["type"] == "BASE_TABLE" else node["type"].lower().replace("_", " ")
    for child in children:
        yield from _find_sources(child)


def _blank_literals(sql: str) -> str:
    """Blank out the literals of a statement, as DuckDB's own tokenizer finds them."""
    text = sql.encode()
    tokens = duckdb.tokenize(sql)  # each begins at a byte and ends, with the blanks after it, where the next begins
    ends = [*(start for start, _ in tokens[1:]), len(text)]
    kept = (
        b" " if kind == duckdb.token_type.string_const else text[start:end]
        for (start, kind), end in zip(tokens, ends, strict=True)
    )
    return b"".join(kept).decode()


def translate_error(what: str, error: duckdb.Error) -> InputError | MachineFailed:
    """Translate an error of DuckDB: it lacked memory or disk, or its input was wrong.

    Args:
        what: What was read or computed.
        error: What DuckDB raised.
    """
    text = str(error)
    if not logging.getLogger("everwhen").isEnabledFor(logging.DEBUG):
        text = ADVICE.split(text)[0]
    message = f"{what}: {' '.join(text.split())}"
    # A spill to a full disk counts as out of memory.
    if isinstance(error, duckdb.OutOfMemoryException) or DISK_FULL.search(message):
        return MachineFailed(
            f"{message} (DuckDB spills to {tempfile.gettempdir()}; more memory or fewer threads may do)"
        )
    return InputError(message)


def locate(path: Path) -> str:
    """Locate a file of a table for DuckDB: its folder without links; the file itself may be one.

    Raises:
        InputError: It is missing.
    """
    if not path.is_file():
        raise InputError(f"{path}: missing")
    return str(path.parent.resolve() / path.name)
