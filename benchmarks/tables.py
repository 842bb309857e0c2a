"""Items a second that `everwhen tdbench build` makes from synthetic patients, beside SQLite with an index.

    python benchmarks/tables.py --folder build/tables
    python benchmarks/tables.py --folder build/tables --rows 20000 --items 50000

Writes the rows of the domain medical, builds a dataset of them in a process of its own, and verifies it. Then an
in-memory SQLite, with an index on the key, answers each item by a prepared query and writes its question and context:
what a program does that asks one question after the other.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import psutil
from processes import list_processes, sum_memory

DOMAIN = "medical"
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


def run_measured(command: list[str]) -> tuple[float, float]:
    """Run a command; its seconds, and the gigabytes of memory that it held at most."""
    started, peak = time.monotonic(), 0
    process = subprocess.Popen(command)
    ended = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(1.0):
            try:
                peak = max(peak, sum_memory(list_processes(process.pid)))
            except psutil.NoSuchProcess:
                return

    thread = threading.Thread(target=watch)
    thread.start()
    code = process.wait()
    ended.set()
    thread.join()
    if code:
        raise SystemExit(f"{' '.join(command)}: ended with {code}")
    return time.monotonic() - started, peak / 1e9


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="folder for what is written; it is emptied")
    parser.add_argument("--rows", type=int, default=300_000, help="rows of patients")
    parser.add_argument("--items", type=int, default=1_000_000, help="items wanted")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    everwhen = [sys.executable, "-m", "everwhen"]
    tables, out = arguments.folder / "patients", arguments.folder / "out"
    synth = [*everwhen, "tdbench", "synth", DOMAIN, "--rows", str(arguments.rows), "--out", str(tables)]
    run_measured([*synth, "--format", "csv"])
    declaration = str(tables / f"{DOMAIN}.yaml")
    build = [*everwhen, "tdbench", "build", declaration, "--out", str(out), "--items", str(arguments.items)]
    build_s, memory = run_measured(build)
    dataset = out / "dataset" / DOMAIN
    verify_s, _ = run_measured([*everwhen, "verify", str(dataset)])
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    rows, size = manifest["rows"], manifest["tables"]["tdbench/items"]["bytes"]
    db = open_sqlite(tables / f"{DOMAIN}.csv")
    found = duckdb.sql(ITEMS.format(dataset=dataset))
    items = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    started = time.monotonic()
    answered = ask_sqlite(db, items)
    per_item = (time.monotonic() - started) / max(len(items), 1)
    rate = rows / build_s
    print(f"items:   {rows:,} in {build_s:.0f} s with publication and proof, {rate:,.0f} a second")
    print(f"bytes:   {size:,}, {size / rows:.0f} an item")
    print(f"memory:  {memory:.1f} GB at most")
    print(f"verify:  {verify_s:.0f} s")
    print(f"SQLite:  {1 / per_item:,.0f} items a second ({answered:,} of {len(items):,} answered)")
    print(f"ratio:   {rate * per_item:.2f}")


if __name__ == "__main__":
    main()
