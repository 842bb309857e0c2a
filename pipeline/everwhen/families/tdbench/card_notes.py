"""What the card says of keys that are not asked: the rejected records that they may lack."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from everwhen.families.tdbench.config import NAME
from everwhen.families.tdbench.source.reasons import WITHOUT_LOSS
from everwhen.families.tdbench.tables import DECLARATIONS, REJECTS

MAX_NOTED = 50
"""Records that the card names."""


def note_rejected_records(dataset: Path) -> list[str]:
    """Note for each rejected record which keys are not asked, since they may lack it.

    Returns:
        A line for each record, by declaration and line; the last one counts those that are not named.
    """
    with duckdb.connect() as db:
        texts = _read(db, dataset, DECLARATIONS.name).select('declaration, "text"').fetchall()
        declared = {name: json.loads(text) for name, text in texts}
        records = _read(db, dataset, REJECTS.name).order("declaration, line")
        found = records.select("declaration, line, reason, CAST(to_json(fields) AS VARCHAR)").fetchall()
    notes = []
    for name, line, reason, fields in found:
        if reason not in map(str, WITHOUT_LOSS) and declared[name].get("rejected", "key") == "key":
            given = _list_given(declared[name])
            known = ", ".join(f"{column} {value}" for column, value in json.loads(fields).items() if column in given)
            notes.append(f"{name}, line {line}: {reason}; keys with {known or 'any values'}")
    more = len(notes) - MAX_NOTED
    return notes[:MAX_NOTED] + ([f"{more:,} more records, which the table rejects has"] if more > 0 else [])


def _list_given(declaration: Mapping[str, Any]) -> set[str]:
    """List the columns of keys."""
    parts = (each for part in ("tfds", "fds", "sets", "counts") for each in declaration.get(part, ()))
    return {column for each in parts for column in each["given"]}


def _read(db: duckdb.DuckDBPyConnection, dataset: Path, table: str) -> duckdb.DuckDBPyRelation:
    """Read a published table."""
    return db.read_parquet(sorted(str(path) for path in (dataset / NAME / table).glob("*.parquet")))
