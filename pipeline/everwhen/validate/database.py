"""A dataset folder as DuckDB reads it: a connection that can reach the tables of the dataset, and nothing else."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from everwhen.core.errors import FULL, InputError, MachineFailed

MEMORY = "1200MB"
"""The build's JVM lives beside the check, and a hundred million rows are checked in this; what is more is spilled."""

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


ADVICE = re.compile(r"\n+(?:Possible solutions|See also|Hint):|\n\* ")
"""Where a message of DuckDB goes over to advice in terms of its own settings."""


@contextmanager
def open_dataset(
    dataset: str | Path, tables: Mapping[str, Path], *, memory: str | None = None, threads: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection to tables of a dataset, locked to their files.

    No statement on the connection loads an extension, reaches the network, or reads or writes another file; what does
    not fit into memory goes to a temporary folder of its own.

    Args:
        dataset: Folder of the dataset, for messages.
        tables: By the name of the view, the folder of a table's parquet files.
        memory: Memory limit, such as "8GB" or "50%".
        threads: How many threads; all cores by default.

    Raises:
        InputError: A table cannot be read, or DuckDB does not take an option.
        MachineFailed: Neither memory nor the disk that the rest goes to has enough room.
    """
    files = {name: _parquet_files(path) for name, path in tables.items()}
    with tempfile.TemporaryDirectory(prefix="everwhen-check-") as temp:
        options: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": temp,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "python_enable_replacements": False,  # or a name that is no table would be looked up in Python's variables
            "preserve_insertion_order": False,  # or large results are held back to be put in order
            "memory_limit": memory or MEMORY,
        }
        if threads is not None:
            options["threads"] = threads
        try:
            db = duckdb.connect(":memory:", config=options)
        except duckdb.Error as error:
            raise translate_error(f"memory {memory or MEMORY}, threads {threads or 'all'}", error) from None
        try:
            db.execute("SET enable_progress_bar = false")  # it writes to stdout, where the JSON goes
            # Not the folder as a whole: what lies beside the tables would be writable.
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


def find_tables(dataset: str | Path, group: str) -> dict[str, Path]:
    """Find the tables of one part of a dataset.

    Args:
        dataset: Folder of the dataset.
        group: The part: "facts", or the name of a family.

    Returns:
        The folders that hold parquet files, by name; none where there is no such part.

    Raises:
        PermissionError: A folder may not be read.
    """
    folder = Path(dataset) / group
    tables = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    return {path.name: path for path in tables if _parquet_files(path)}


def split_statements(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> list[str]:
    """Split the SQL of a dataset into statements that may run.

    Args:
        db: Any connection; it parses.
        sql: The text.
        source: The file that it comes from, for messages.

    Raises:
        InputError: The text is no valid SQL, a statement is neither SELECT nor CREATE, or contains a refused word.
    """
    return [statement.query for statement in _parse_statements(db, sql, source)]


def split_last(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> tuple[list[str], str]:
    """Split the SQL of a dataset into its last SELECT and the statements before it.

    Args:
        db: Any connection; it parses.
        sql: The text.
        source: The file that it comes from, for messages.

    Returns:
        The statements before, and the SELECT, which may end in a semicolon and a comment.

    Raises:
        InputError: As of `split_statements`, or the last statement is no SELECT.
    """
    statements = _parse_statements(db, sql, source)
    if not statements or statements[-1].type != duckdb.StatementType.SELECT:
        raise InputError(f"{source}: the last statement must be a SELECT")
    *before, last = (statement.query for statement in statements)
    return before, last


def _parse_statements(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> list[duckdb.Statement]:
    """Parse statements, and refuse those that may do more than read and derive."""
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


def translate_error(what: str, error: duckdb.Error) -> InputError | MachineFailed:
    """Translate an error of DuckDB: it lacked memory or disk, or its input was wrong.

    Args:
        what: What was read or computed.
        error: What DuckDB raised.
    """
    said = str(error)
    if not logging.getLogger("everwhen").isEnabledFor(logging.DEBUG):
        said = ADVICE.split(said)[0]
    message = f"{what}: {' '.join(said.split())}"
    # What is spilled to a disk that has no room left is out of memory.
    if isinstance(error, duckdb.OutOfMemoryException) or FULL.search(message):
        return MachineFailed(
            f"{message} (DuckDB spills to {tempfile.gettempdir()}; more memory or fewer threads may do)"
        )
    return InputError(message)


def _parquet_files(folder: Path) -> list[str]:
    """The files of a table, by name; a folder that may not be read is an error, and not an empty table."""
    return [str(path) for path in sorted(folder.resolve().iterdir()) if path.suffix == ".parquet"]
