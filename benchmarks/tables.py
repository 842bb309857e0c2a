"""Items a second that `everwhen tdbench build` makes from many patients, beside SQLite with an index.

    python benchmarks/tables.py --folder build/tables
    python benchmarks/tables.py --folder build/tables --rows 20000 --items 50000

Repeats the rows of `patients.csv` under other names, builds a dataset of them in a process of its own, and verifies it.
Then an in-memory SQLite, with an index on the key, answers each item by a prepared query and writes its question and
context: what a program does that asks one question after the other. SQLite is given the items: it judges none.
Writing the finished items again, by Arrow on one core, bounds what any builder of the table can reach.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
from processes import measure_command, read_steps
from tiling import tile_table

DECLARATION = Path(__file__).with_name("patients.yaml")
KEY = ("name", "gender", "blood_type")
CONDITIONS = {
    "before": "ends < :b_start",
    "after": "starts > :b_end",
    "meets": "ends = :b_start",
    "met_by": "starts = :b_end",
    "overlaps": "starts < :b_start AND ends > :b_start AND ends < :b_end",
    "overlapped_by": "starts > :b_start AND starts < :b_end AND ends > :b_end",
    "equals": "starts = :b_start AND ends = :b_end",
    "during": "starts > :b_start AND ends < :b_end",
    "contains": "starts < :b_start AND ends > :b_end",
    "starts": "starts = :b_start AND ends < :b_end",
    "started_by": "starts = :b_start AND ends > :b_end",
    "finishes": "starts > :b_start AND ends = :b_end",
    "finished_by": "starts < :b_start AND ends = :b_end",
    "current": "ends = '9999'",
}
"""What SQLite is asked for each relation; a row that is open ends in 9999."""

ITEMS = f"""
SELECT relation, list_filter(given, lambda g: g.column = '{KEY[0]}')[1].value AS name,
    list_filter(given, lambda g: g.column = '{KEY[1]}')[1].value AS gender,
    list_filter(given, lambda g: g.column = '{KEY[2]}')[1].value AS blood_type,
    asked[1] AS asked, b_start::VARCHAR AS b_start, b_end::VARCHAR AS b_end
FROM '{{dataset}}/tdbench/items/*.parquet' WHERE relation IN ({", ".join(f"'{name}'" for name in CONDITIONS)})
"""


def open_sqlite(table: Path) -> sqlite3.Connection:
    """Open an in-memory SQLite with the rows, and an index on the key."""
    rows = duckdb.sql(
        f'SELECT name, gender, blood_type, doctor, medication, "start"::VARCHAR, coalesce("end"::VARCHAR, \'9999\')'
        f" FROM '{table}'"
    ).fetchall()
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE rows (name, gender, blood_type, doctor, medication, starts, ends)")
    db.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.execute("CREATE INDEX of_key ON rows (name, gender, blood_type)")
    return db


def ask_sqlite(db: sqlite3.Connection, items: list[dict[str, str]]) -> int:
    """Answer items one by one, and write question and context of each; how many have an answer."""
    key = "name = :name AND gender = :gender AND blood_type = :blood_type"
    answered = 0
    for item in items:
        asked, condition = item["asked"], CONDITIONS[item["relation"]]
        answers = db.execute(f"SELECT DISTINCT {asked} FROM rows WHERE {key} AND {condition}", item).fetchall()
        context = [
            f"name: {row[0]}; gender: {row[1]}; blood_type: {row[2]}; {asked}: {row[3]}; Start: {row[4]}; End: {row[5]}"
            for row in db.execute(
                f"SELECT name, gender, blood_type, {asked}, starts, ends FROM rows WHERE {key}", item
            ).fetchall()
        ]
        question = (
            f"Which {asked} of {item['name']} ({item['gender']}, blood type {item['blood_type']})"
            f" {item['relation']} {item['b_start']} to {item['b_end']}?"
        )
        answered += bool(answers) and bool(question) and bool(context)
    return answered


def measure_sqlite(table: Path, dataset: Path) -> dict[str, Any]:
    """Measure how many items SQLite answers and words in a second."""
    db = open_sqlite(table)
    found = duckdb.sql(ITEMS.format(dataset=dataset))
    items = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    started = time.monotonic()
    answered = ask_sqlite(db, items)
    return {"items_per_s": round(len(items) / (time.monotonic() - started)), "items": len(items), "answered": answered}


def measure_encoding(dataset: Path) -> int:
    """Measure how many finished items one core writes to memory in a second, compressed as in the dataset."""
    rows, seconds = 0, 0.0
    for file in sorted((dataset / "tdbench" / "items").glob("*.parquet")):
        items = pq.read_table(file)
        started = time.monotonic()
        pq.write_table(items, io.BytesIO(), compression="zstd")
        seconds += time.monotonic() - started
        rows += items.num_rows
    return round(rows / seconds)


def measure_tables(folder: Path, rows: int, items: int) -> dict[str, Any]:
    """Make the rows, build and verify their dataset, and let SQLite and Arrow do parts of it."""
    everwhen = [sys.executable, "-m", "everwhen"]
    tables, dataset = folder / "patients", folder / "out" / "dataset" / "patients"
    tile_table(DECLARATION, rows, tables)
    build = [*everwhen, "tdbench", "build", str(tables / DECLARATION.name), "--out", str(folder / "out")]
    found: dict[str, Any] = {"patients": rows}
    found["build"] = measure_command([*build, "--items", str(items)], folder / "build.log", folder)
    found["build"] |= read_steps(folder / "build.log")
    found["verify"] = measure_command([*everwhen, "verify", "--quiet", str(dataset)], folder / "verify.log", folder)
    found["verify"]["wrong"] = json.loads((folder / "verify.log").read_text(encoding="utf-8"))["wrong"]
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    found["items"] = manifest["rows"]
    found["bytes"] = manifest["tables"]["tdbench/items"]["bytes"]
    found["sqlite"] = measure_sqlite(tables / "patients.csv", dataset)
    found["encoded_per_s"] = measure_encoding(dataset)
    found["items_per_s"] = round(found["items"] / found["build"]["stages"]["tdbench"])
    found["of_sqlite"] = round(found["items_per_s"] / found["sqlite"]["items_per_s"], 3)
    return found


def print_table(found: dict[str, Any]) -> None:
    """Print the figures, a line each."""
    build, verify, items = found["build"], found["verify"], found["items"]
    lines = {
        "items": f"{items:,} of {found['patients']:,} rows",
        "build": f"{build['seconds']} s with publication and proof, {items / build['seconds']:,.0f} items/s",
        "stage": f"{build['stages']['tdbench']} s, {found['items_per_s']:,} items/s",
        "bytes": f"{found['bytes']:,}, {found['bytes'] / items:.0f} an item",
        "memory": f"{build['peak_mb']:,} MB at most, {build['peak_java_mb']:,} MB of it Java's",
        "verify": f"{verify['seconds']} s, {verify['wrong']} wrong",
        "SQLite": f"{found['sqlite']['items_per_s']:,} items/s ({found['sqlite']['answered']:,} with an answer)",
        "encoding": f"{found['encoded_per_s']:,} items/s on one core",
        "of SQLite": f"{found['of_sqlite']} (asked: 50)",
    }
    for name, text in lines.items():
        print(f"{name:>10}  {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="folder for what is written; it is emptied")
    parser.add_argument("--rows", type=int, default=300_000, help="rows of patients (default 300000)")
    parser.add_argument("--items", type=int, default=1_000_000, help="items wanted (default 1000000)")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    found = measure_tables(arguments.folder, arguments.rows, arguments.items)
    print_table(found)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
