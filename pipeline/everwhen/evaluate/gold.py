"""The items of a dataset with what is right of each, read through DuckDB."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict, Unpack

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.items import CHOICES, GOLD_COLUMNS, LETTERS, SINGLE, Gold
from everwhen.validate.database import find_tables, open_dataset, translate_error
from everwhen.validate.manifest import load_manifest

ITEMS = "items"
"""The view of the items that are asked for."""

ITEM_SETS = "item_sets"
"""The table of item sets of a family that has some: `item_set`, and the columns of its items."""


CONDITIONS = {
    "split": "split = getvariable('split')",
    "item_set": f'"{{key}}" IN (SELECT "{{key}}" FROM {ITEM_SETS} WHERE item_set = getvariable(\'item_set\'))',
    "ids": '"{key}" IN (FROM wanted_ids)',
}
"""What an item fits, by what chooses it; `key` is the column of its id."""


class UnknownItemError(InputError):
    """An id that no item of the dataset has."""

    def __init__(self, message: str, item_id: int) -> None:
        """Keep the id, so that a reader of files can say where it is."""
        super().__init__(message)
        self.item_id = item_id


def choose_family(dataset: str | Path, manifest: Mapping[str, Any], name: str | None) -> str:
    """Choose the family that a command is about: the one that is named, else the first that has items.

    Raises:
        InputError: The dataset has no such family, or no items of it.
    """
    rows = {str(family): entry["rows"] for family, entry in manifest["families"].items()}
    if name is None:
        name = next((family for family in rows if rows[family]), next(iter(rows)))
    if name not in rows:
        raise InputError(f"{dataset}: no family {name}; there are {', '.join(rows)}")
    if not rows[name]:
        raise InputError(f"{dataset}: {name} has no items; report.md says why")
    return name


def locate_items(dataset: str | Path, manifest: Mapping[str, Any], ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Locate items by their ids: the families that have each; ids of no family are left out.

    Raises:
        InputError: The dataset cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    found: dict[int, tuple[str, ...]] = {}
    known = [item for item in ids if 0 <= item < 2**63]  # others are the ids of no item
    for family, entry in manifest["families"].items():
        if not entry["rows"]:
            continue
        table = entry["items"].removeprefix(f"{family}/")
        with open_dataset(dataset, {table: find_tables(dataset, manifest, family)[table]}) as db:
            db.execute("CREATE TABLE wanted_ids AS SELECT unnest($1::BIGINT[]) AS id", [known])
            rows = db.execute(f'SELECT "{entry["id"]}" FROM "{table}" SEMI JOIN wanted_ids ON "{entry["id"]}" = id')
            for (item,) in rows.fetchall():
                found[item] = (*found.get(item, ()), family)
    return found


class Chosen(TypedDict, total=False):
    """Which items of a family: only those of these ids, of this split, and of this set, such as "lite-1000"."""

    ids: Collection[int] | None
    split: str | None
    item_set: str | None


def read_gold(dataset: str | Path, family: str, evaluation: Evaluation, **chosen: Unpack[Chosen]) -> Gold:
    """Read items of a family with what is right of each; by default all.

    Raises:
        InputError: The dataset cannot be read, an id is not in it, or there is no such split or set.
        MachineFailed: Memory or disk does not suffice.
    """
    manifest = load_manifest(dataset)
    choose_family(dataset, manifest, family)
    with open_items(dataset, family, manifest, **chosen) as db:
        table = select_table(db, f"SELECT * FROM ({evaluation.gold}) ORDER BY item_id", f"{family}: gold")
        once = select_table(db, evaluation.once, f"{family}: once").to_pylist() if evaluation.once else []
        tables = {name: select_table(db, sql, f"{family}: {name}") for name, sql in evaluation.tables.items()}
    if not evaluation.has_choices:
        table = table.append_column("value_type", pa.nulls(table.num_rows, pa.string()))
    for name in (*GOLD_COLUMNS, *evaluation.slices, *evaluation.columns):
        if name not in table.column_names:
            raise InputError(f"{family}: gold has no column {name}")
    _require_choices(table, family, evaluation)
    texts = defaultdict(list)
    for row in once:
        texts[row["item_id"]].append(row["text"])
    sorted_texts = {item: tuple(sorted(found)) for item, found in texts.items()}
    return Gold(family, str(manifest.get("content_hash")), evaluation.slices, table, sorted_texts, tables)


@contextmanager
def open_items(
    dataset: str | Path, family: str, manifest: Mapping[str, Any] | None = None, **chosen: Unpack[Chosen]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection with the view `items` and the tables that `Evaluation` names.

    A manifest is given for a dataset that has none yet.

    Raises:
        InputError: As of `read_gold`.
        MachineFailed: Memory or disk does not suffice.
    """
    if manifest is None:
        manifest = load_manifest(dataset)
    files = find_tables(dataset, manifest, family)
    files |= {f"facts_{name}": paths for name, paths in find_tables(dataset, manifest, "facts").items()}
    entry = manifest["families"][family]
    table, key = entry["items"].removeprefix(f"{family}/"), entry["id"]
    source = f"all_{table}"  # the family's table may be called as the view of its items is
    files[source] = files[table]
    if table == ITEMS:
        del files[table]
    splits, named = entry["counts"].get("split", {}), f"{dataset}: {family}"
    split, item_set = chosen.get("split"), chosen.get("item_set")
    if split is not None and split not in splits:
        raise InputError(f"{named} has no split {split}; it has {', '.join(splits) or 'none'}")
    asked = (sql.format(key=key) for name, sql in CONDITIONS.items() if chosen.get(name) is not None)
    where = " AND ".join(["true", *asked])
    with open_dataset(dataset, files) as db:
        db.execute("SET VARIABLE split = $1", [split])
        db.execute("SET VARIABLE item_set = $1", [item_set])
        db.execute("CREATE TABLE wanted_ids AS SELECT unnest($1::BIGINT[]) AS id", [list(chosen.get("ids") or ())])
        _require_set(db, item_set, named, has_sets=ITEM_SETS in files)
        db.execute(f'CREATE VIEW {ITEMS} AS SELECT * FROM "{source}" WHERE {where}')
        _require_ids(db, key, named)
        yield db


def select_rows(
    dataset: str | Path, family: str, sql: str, values: Any = None, **chosen: Unpack[Chosen]
) -> list[tuple[Any, ...]]:
    """Run a SELECT with parameters over items of a family, as `open_items` opens them."""
    with open_items(dataset, family, **chosen) as db:
        return db.execute(sql, values).fetchall()


def _require_set(db: duckdb.DuckDBPyConnection, item_set: str | None, named: str, *, has_sets: bool) -> None:
    """Refuse a set that the dataset does not have."""
    if item_set is None:
        return
    if not has_sets:
        raise InputError(f"{named} has no item sets, and so no set {item_set}")
    found = db.execute(f"SELECT item_set FROM {ITEM_SETS} GROUP BY item_set ORDER BY count(*), item_set").fetchall()
    names = [name for (name,) in found]
    if item_set not in names:
        raise InputError(f"{named} has no set {item_set}; it has {', '.join(names) or 'none'}")


def _require_ids(db: duckdb.DuckDBPyConnection, key: str, named: str) -> None:
    """Refuse ids that no item has."""
    for (item,) in db.execute(f'FROM wanted_ids ANTI JOIN items ON "{key}" = id ORDER BY id LIMIT 1').fetchall():
        raise UnknownItemError(f"{named} has no item {item}", item)


def select_table(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> pa.Table:
    """Run a SELECT of a family, and name it where it fails."""
    try:
        return db.sql(sql).to_arrow_table()
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise translate_error(source, error) from None


def _require_choices(table: pa.Table, family: str, evaluation: Evaluation) -> None:
    """Refuse choices without letters for all options, or whose answer is not among these."""
    choices = table.filter(pc.is_in(table["answer_type"], pa.array(CHOICES)))
    if choices.num_rows and not evaluation.has_choices:
        raise InputError(f"{family}: gold has choices with letters; its Evaluation must say has_choices=True")
    for row in choices.select(["item_id", "answer", "answer_type", "options"]).to_pylist():
        options, answer, place = row["options"], row["answer"], f"{family}: gold: item {row['item_id']}"
        if not 2 <= len(options) <= len(LETTERS) or len({*options}) < len(options):
            raise InputError(f"{place}: a choice has 2 to {len(LETTERS)} different options, not {options}")
        if not answer or not {*answer} <= {*options}:
            raise InputError(f"{place}: the answer {answer} is not among the options {options}")
        if row["answer_type"] == SINGLE and len(answer) > 1:
            raise InputError(f"{place}: a single choice has one right option, not {answer}")
