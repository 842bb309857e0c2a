"""A dataset folder as DuckDB reads it: its tables, and the views that checks are written on."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from everwhen.catalog.load import load_entity_lists
from everwhen.catalog.models import EntityList
from everwhen.core.errors import FULL, InputError, MachineFailed

VIEWS = Path(__file__).with_name("checks.sql")
"""Views and macros for the checks."""

FACTS = ("statements", "entities", "subclasses", "popularity")
"""The tables that `facts/` must hold; others may lie beside them."""

STORED = (
    "single_amounts",
    "single_times",
    "single_items",
    "first_times",
    "memberships",
    "listed",
    "chains",
    "class_members",
    "event_times",
    "spans",
    "published",
    "lifetimes",
    "entity_countries",
    "all_countries",
    "awards",
    "terms",
)
"""Views worth deriving once where many checks read them."""

MEMORY = "1200MB"
"""The build's JVM lives beside the check, and a hundred million rows are checked in this; what is more is spilled."""

INTERRUPTED = "Query interrupted"
"""What DuckDB makes of Ctrl-C."""

LISTS = """
CREATE TABLE lists (list VARCHAR, kind VARCHAR, linked BOOLEAN, precedence INT, via INT, ranks VARCHAR, roots BIGINT[],
    "start" INT[], "end" INT[], country INT[], own_country BOOLEAN, noun VARCHAR, plural VARCHAR)
"""


@contextmanager
def opened(
    dataset: str | Path,
    *,
    lists: Sequence[str] = (),
    stored: Collection[str] = (),
    memory: str | None = None,
    threads: int | None = None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a dataset: its tables under their names, and the views of `checks.sql`.

    Args:
        dataset: Folder with `questions/` and `facts/`, on a local disk.
        lists: Ids of the entity lists that the dataset was made with; none means all.
        stored: Which views to derive once and keep; see `stored_views`.
        memory: Memory limit, such as "8GB" or "50%".
        threads: How many threads; all cores by default.

    Raises:
        InputError: There is no such dataset, a table is missing, or an option is none that DuckDB takes.
        MachineFailed: Neither memory nor the disk that the rest goes to has enough room.
    """
    folder = Path(dataset)
    tables = tables_of(folder)
    # What does not fit into memory goes to a folder that ends with the check, not into the working directory.
    with tempfile.TemporaryDirectory(prefix="everwhen-check-") as temp:
        options: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": temp,
            "autoinstall_known_extensions": False,
            "preserve_insertion_order": False,  # or large results are held back to be put in order
            "memory_limit": memory or MEMORY,
        }
        if threads is not None:
            options["threads"] = threads
        try:
            db = duckdb.connect(":memory:", config=options)
        except duckdb.Error as error:
            raise failed(f"memory {memory or MEMORY}, threads {threads or 'all'}", error) from None
        try:
            db.execute("SET enable_progress_bar = false")  # it writes to stdout, where the JSON goes
            for name, path in tables.items():
                db.read_parquet(str(path / "*.parquet")).create_view(name)
            prepare(db, lists=lists, stored=stored)
            yield db
        except duckdb.Error as error:
            raise failed(str(folder), error) from None
        except RuntimeError as error:
            if str(error) == INTERRUPTED:
                raise KeyboardInterrupt from None
            raise
        finally:
            db.close()


def prepare(db: duckdb.DuckDBPyConnection, *, lists: Sequence[str] = (), stored: Collection[str] = ()) -> None:
    """Add to a connection that has the tables of `facts/` the table `lists` and the views of `checks.sql`.

    Args:
        db: The connection, with `statements`, `entities` and `subclasses`.
        lists: Ids of the entity lists; none means all.
        stored: Which views to make tables.
    """
    db.execute(LISTS)
    rows = [_row(entry) for entry in load_entity_lists() if not lists or entry.id in lists]
    db.executemany(f"INSERT INTO lists VALUES ({', '.join('?' * len(rows[0]))})", rows)
    db.execute("CREATE TABLE IF NOT EXISTS list_members (list VARCHAR, item BIGINT)")
    sql = VIEWS.read_text(encoding="utf-8")
    for name in stored:
        sql = sql.replace(f"CREATE VIEW {name} AS", f"CREATE TABLE {name} AS")
    db.execute(sql)


@dataclass(frozen=True)
class MadeWith:
    """What of its configuration a dataset is checked by."""

    lists: Sequence[str] = ()
    """Ids of the entity lists; none means all."""
    window: tuple[dt.date, dt.date] | None = None
    """First and last day that thresholds are the means of."""
    rows: int | None = None
    """How many questions there must be."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """The sha256 of files, by their path in the dataset."""

    def changed(self, dataset: Path) -> tuple[str, ...]:
        """The files that are missing, or others than those that were published."""
        return tuple(
            name
            for name, sha256 in self.digests.items()
            if not (dataset / name).is_file() or digest(dataset / name) != sha256
        )


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def made_with(dataset: str | Path) -> MadeWith:
    """What a dataset was made with, as its manifest tells.

    Raises:
        InputError: The manifest cannot be read.
    """
    path = Path(dataset) / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        days = manifest.get("window") or {}
        window = (dt.date.fromisoformat(days["start"]), dt.date.fromisoformat(days["end"])) if days else None
        digests = {
            f"{table}/{file['name']}": str(file["sha256"])
            for table, told in manifest.get("tables", {}).items()
            for file in told["files"]
            if "sha256" in file
        }
        return MadeWith([str(name) for name in manifest.get("lists", ())], window, manifest.get("rows"), digests)
    except (FileNotFoundError, NotADirectoryError):
        return MadeWith()
    except (OSError, ValueError, AttributeError, KeyError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None


def stored_views(texts: Collection[str], always: Collection[str] = ()) -> list[str]:
    """The views that some of these SQL texts read: those, and what they rest on, are worth keeping.

    Args:
        texts: Checks.
        always: Views that are read besides.
    """
    source = VIEWS.read_text(encoding="utf-8")
    definitions = dict(re.findall(r"CREATE VIEW (\w+) AS(.*?);\n", source, flags=re.DOTALL))
    named = {name for name in STORED if name in always or any(re.search(rf"\b{name}\b", t) for t in texts)}
    for name in reversed(STORED):
        if name in named:
            named |= {other for other in STORED if re.search(rf"\b{other}\b", definitions[name])}
    return [name for name in STORED if name in named]


def tables_of(folder: Path) -> dict[str, Path]:
    """The tables of a dataset by name, each a folder of parquet files.

    Raises:
        InputError: There is no such dataset, or a table is missing.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    if not any((folder / "questions").glob("*.parquet")):
        raise InputError(f"{folder}: no parquet files in questions; this is no dataset")
    tables = {path.name: path for path in sorted((folder / "facts").glob("*")) if any(path.glob("*.parquet"))}
    for name in FACTS:
        if name not in tables:
            raise InputError(f"{folder}: no parquet files in facts/{name}")
    return {**tables, "questions": folder / "questions"}


def _row(entry: EntityList) -> list[object]:
    return [
        entry.id,
        entry.kind,
        entry.linked,
        entry.precedence,
        entry.via,
        entry.ranks,
        entry.roots,
        entry.start,
        entry.end,
        entry.country,
        entry.own_country,
        entry.noun,
        entry.plural,
    ]


def failed(what: str, error: duckdb.Error) -> InputError | MachineFailed:
    """The error that tells the user what DuckDB could not do: for want of memory or disk, or of right input.

    Args:
        what: What was read or computed.
        error: What DuckDB raised.
    """
    message = f"{what}: {' '.join(str(error).split())}"
    # What is spilled to a disk that has no room left is out of memory.
    starved = isinstance(error, duckdb.OutOfMemoryException) or FULL.search(message)
    return MachineFailed(f"{message} (DuckDB spills to {tempfile.gettempdir()})") if starved else InputError(message)
