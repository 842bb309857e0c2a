"""Shared by verify and explain: a connection for one family, and its SQL, inspected before it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.database import (
    Resources,
    find_files,
    find_tables,
    open_dataset,
    parse_statements,
    split_last,
    translate_error,
)
from everwhen.validate.manifest import read_window
from everwhen.validate.plan import CHECKS, MATERIALIZED, SHARED, Derivation, FamilyChecks, materialize

REQUIRED_FACTS = ("statements", "entities", "labels", "subclasses", "popularity")
"""The tables that `facts/` must contain; it may have others."""

ALL_ITEMS = "all_items"
"""The table of the items under a name that no other table has."""

DERIVATION = "derivation"
"""The view with the rows of a group's check."""

RENDERING = "rendering"
"""The view of the texts of a group, as they are and as the facts give them."""

CREATED = ("items", "item", "q", DERIVATION, RENDERING)
"""Tables and views that verify and explain create: the items to check, the one to explain, those of one group, and the
results of their checks. A family's table of such a name is hidden."""


def select_families(manifest: Mapping[str, Any], wanted: Sequence[str]) -> list[str]:
    """Select families of a dataset by name; none means all.

    Raises:
        InputError: The dataset has no such family.
    """
    present = list(manifest["families"])
    for name in wanted:
        if name not in present:
            raise InputError(f"no family {name} in this dataset; it has {', '.join(present)}")
    return [name for name in present if not wanted or name in wanted]


@contextmanager
def open_family(
    dataset: str | Path,
    checks: FamilyChecks,
    manifest: Mapping[str, Any],
    texts: Sequence[str] = (),
    resources: Resources = Resources(),
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection with the tables of one family, `parameters`, and the tables and views of the facts.

    The table of the items is there under its name and as `all_items`. Facts are left out where the checks read none.

    Args:
        dataset: Folder of the dataset.
        checks: The family's checks.
        manifest: The manifest of the dataset.
        texts: SQL that will be run; the views that it reads are derived once.
        resources: Memory and threads of DuckDB.

    Raises:
        InputError: A table is missing, or a table of the family has the name of a table of the facts.
    """
    own = find_tables(dataset, manifest, checks.plan.family)
    facts = _find_facts(dataset, manifest) if checks.plan.reads_facts else {}
    if both := facts.keys() & own:
        raise InputError(f"{dataset}: {checks.plan.family}/{min(both)}: facts/ has a table of this name")
    tables = {name: files for name, files in {**facts, **own}.items() if name not in CREATED}
    tables[ALL_ITEMS] = find_files(dataset, manifest, f"{checks.plan.family}/{checks.plan.items.table}")
    with open_dataset(dataset, tables, resources) as db:
        db.execute(
            "CREATE TABLE parameters (window_start DATE, window_end DATE, lists VARCHAR[], seed VARCHAR, train INT,"
            " validation INT)"
        )
        shares = manifest.get("splits", {})
        db.execute(
            "INSERT INTO parameters VALUES (?, ?, ?, ?, ?, ?)",
            [
                *read_window(manifest),
                list(manifest.get("lists", ())),
                *(manifest.get("seed"), shares.get("train"), shares.get("validation")),
            ],
        )
        for name in SHARED if checks.plan.reads_facts else ():
            run_sql(db, materialize(checks.read_shared(name), texts), f"{CHECKS}/{name}")
        yield db


def _find_facts(dataset: str | Path, manifest: Mapping[str, Any]) -> dict[str, list[Path]]:
    """Find the tables of the facts.

    Raises:
        InputError: One that the checks read is missing.
    """
    for name in REQUIRED_FACTS:
        find_files(dataset, manifest, f"facts/{name}")
    return find_tables(dataset, manifest, "facts")


def run_sql(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> None:
    """Run the statements of a file of a dataset.

    Raises:
        InputError: It is no valid SQL, or does more than SELECT and CREATE.
        MachineFailed: Memory or disk does not suffice.
    """
    _execute_all(db, parse_statements(db, sql, source), source)


def run_before_last(db: duckdb.DuckDBPyConnection, sql: str, source: str) -> str:
    """Run the statements of a file of a dataset before its last SELECT, and return that.

    Raises:
        InputError: It is no valid SQL, does more than SELECT and CREATE, or does not end with a SELECT.
        MachineFailed: Memory or disk does not suffice.
    """
    before, last = split_last(db, sql, source)
    _execute_all(db, before, source)
    return last


def _execute_all(db: duckdb.DuckDBPyConnection, statements: Sequence[duckdb.Statement], source: str) -> None:
    for statement in statements:
        try:
            db.execute(statement.query)
        except duckdb.Error as error:
            raise translate_error(source, error) from None


def run_setup(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, texts: Sequence[str]) -> None:
    """Run the files that create what a family's checks read; views that some texts read are derived once."""
    for name in checks.plan.setup:
        sql = materialize(checks.read(name), texts, [*MATERIALIZED, *checks.plan.materialized])
        run_sql(db, sql, checks.locate(name))


def select_group(db: duckdb.DuckDBPyConnection, column: str, group: str) -> None:
    """Create the view `q`: the items of one group."""
    items = db.table("items")
    items.filter(duckdb.ColumnExpression(column) == duckdb.ConstantExpression(group)).create_view("q", replace=True)


def create_derivation(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, group: str) -> None:
    """Create the view `derivation` of a group from its file: one SELECT that yields what it must.

    Raises:
        InputError: It is no valid SQL, or yields other columns.
    """
    _create_view(db, checks, group, DERIVATION, checks.plan.derivations[group].file, _DERIVED)


def create_rendering(db: duckdb.DuckDBPyConnection, checks: FamilyChecks, group: str, file: str) -> None:
    """Create the view `rendering` of a group from its file: one SELECT that yields what it must.

    Raises:
        InputError: It is no valid SQL, or yields other columns.
    """
    _create_view(db, checks, group, RENDERING, file, _RENDERED)


_DERIVED = (("answer", "VARCHAR[]"), ("facts", "VARCHAR[]"))
_RENDERED = (("actual", "VARCHAR"), ("expected", "VARCHAR"))


def _create_view(
    db: duckdb.DuckDBPyConnection,
    checks: FamilyChecks,
    group: str,
    view: str,
    file: str,
    expected: Sequence[tuple[str, str]],
) -> None:
    """Create a view from the SELECT of a file, which yields the id and some columns."""
    source = f"{checks.locate(file)}: check of {group}"
    before, sql = split_last(db, checks.read(file), source)
    if before:
        raise InputError(f"{source}: one SELECT is expected, there are {len(before) + 1} statements")
    try:
        db.execute(f"CREATE OR REPLACE VIEW {view} AS\n{sql}")
        columns = [(str(c[0]), str(c[1])) for c in db.execute(f"DESCRIBE {view}").fetchall()]
        (id_type,) = db.table("items").select(checks.plan.items.id).types
    except duckdb.Error as error:
        raise translate_error(source, error) from None
    wanted = [(checks.plan.items.id, str(id_type)), *expected]
    if columns != wanted:
        shown, needed = (", ".join(" ".join(column) for column in cs) for cs in (columns, wanted))
        raise InputError(f"{source}: yields {shown}; it must yield {needed}")


def require_derivation(checks: FamilyChecks, group: str, version: int) -> Derivation:
    """Return the derivation of an item's group.

    Raises:
        InputError: The checks know no such group, or another version of it.
    """
    plan = checks.plan
    if group not in plan.derivations:
        raise InputError(f"{plan.family}: {group}: there is no check for it in checks/{plan.family}")
    known = plan.derivations[group].version
    if known != version:
        raise InputError(f"{plan.family}: {group}: the items are of version {version}, the check is of {known}")
    return plan.derivations[group]
