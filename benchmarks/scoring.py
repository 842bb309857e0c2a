"""Seconds that `everwhen evaluate` takes for many predictions.

    python benchmarks/scoring.py --dataset build/demo/dataset/demo --folder build/scoring
    python benchmarks/scoring.py --dataset build/demo/dataset/demo --folder build/scoring --family tdbench

Repeats the items of a dataset under new ids until there are 100,000, answers them by a rule, and runs the command with
all its outputs in a process of its own. ComplexTempQA's answers are right, in a sentence, coarse, of another question,
refused or cut off; TDBench's are with dates, without, in steps, of another question, none, refused or cut off.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

from everwhen.core.files import compute_sha256
from everwhen.validate.manifest import hash_tables, load_manifest, sum_files


@dataclass(frozen=True)
class Items:
    """The items of a family: table, column of the id, and the rule of responses in SQL, `n` being a hash of the id."""

    table: str
    id: str
    responses: str


PLAIN = "array_to_string(answer, '; ')"
QUESTIONS = Items(
    "complextempqa/questions",
    "question_id",
    f"""
    CASE n % 10
        WHEN 0 THEN 'I do not know.'
        WHEN 1 THEN 'Answer: ' || lag({PLAIN}) OVER (ORDER BY question_id)
        WHEN 2 THEN {PLAIN}[:4]
        WHEN 3 THEN '<think>' || repeat(question || ' ', 20) || '</think> Answer: ' || {PLAIN}
        WHEN 4 THEN 'The answer is ' || array_to_string(answer, ' and ') || '. That follows from the dates in question.'
        ELSE {PLAIN} END
    """,
)
WORDS = "MAP {'start': 'from ', 'end': 'until ', 'point': 'on '}[r.role]"
DATE = f"CASE WHEN r.date = 'still' THEN '' ELSE {WORDS} END"
DATES = f"""list_transform(list_filter("references", lambda r: r.answer = a), lambda r: {DATE} || r.date)"""
DATED = f"""array_to_string(list_transform(answer, lambda a:
    '- ' || a || coalesce(', ' || nullif(array_to_string({DATES}, ' '), ''), '')), chr(10))"""
TEMPORAL_ITEMS = Items(
    "tdbench/items",
    "item_id",
    f"""
    CASE WHEN n % 10 = 0 THEN 'unsure'
        WHEN n % 10 = 1 THEN 'Answer: ' || lag({PLAIN}) OVER (ORDER BY item_id)
        WHEN n % 10 = 2 OR len(answer) = 0 THEN 'No answer'
        WHEN n % 10 = 3 THEN {PLAIN}
        WHEN n % 10 = 4 THEN repeat(question || ' ', 20) || chr(10) || 'Answer: ' || {DATED}
        ELSE {DATED} END
    """,
)
FAMILIES = {"complextempqa": QUESTIONS, "tdbench": TEMPORAL_ITEMS}


def write_repeated(dataset: Path, folder: Path, items: Items, rows: int) -> str:
    """Write a dataset whose items are those of another, repeated under new ids; return its content hash."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(dataset, folder)
    shutil.rmtree(folder / items.table)
    (folder / items.table).mkdir()
    file = folder / items.table / "train-00000-of-00001.parquet"
    copies = -(-rows // duckdb.read_parquet(f"{dataset / items.table}/*.parquet").shape[0])
    duckdb.sql(
        f"""
        SELECT row_number() OVER (ORDER BY copy, q.{items.id}) AS {items.id}, * EXCLUDE ({items.id}, copy)
        FROM '{dataset / items.table}/*.parquet' q, range({copies}) r(copy) ORDER BY copy, q.{items.id} LIMIT {rows}
        """
    ).write_parquet(str(file))
    manifest = load_manifest(dataset)
    entry = {"name": file.name, "bytes": file.stat().st_size, "rows": rows, "sha256": compute_sha256(file)}
    manifest["tables"][items.table] |= {"files": [entry], **sum_files([entry])}
    manifest["content_hash"] = hash_tables(manifest["tables"])
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return str(manifest["content_hash"])


def write_predictions(dataset: Path, file: Path, items: Items, content_hash: str) -> None:
    """Write a response to each item."""
    rows = duckdb.sql(
        f"""
        WITH numbered AS (SELECT *, hash({items.id}) AS n FROM '{dataset / items.table}/*.parquet')
        SELECT {items.id}, {items.responses}, CASE WHEN n % 97 = 0 THEN 'length' ELSE 'stop' END FROM numbered
        """
    ).fetchall()
    with file.open("w", encoding="utf-8") as lines:
        for item_id, response, reason in rows:
            row = {"item_id": item_id, "response": response, "finish_reason": reason, "dataset": content_hash}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True, help="folder of a dataset of the family")
    parser.add_argument("--folder", type=Path, required=True, help="folder for what is written")
    parser.add_argument("--family", choices=FAMILIES, default="complextempqa")
    parser.add_argument("--rows", type=int, default=100_000)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dataset, file = arguments.folder / "dataset", arguments.folder / "predictions.jsonl"
    items = FAMILIES[arguments.family]
    write_predictions(dataset, file, items, write_repeated(arguments.dataset, dataset, items, arguments.rows))
    outputs = ("--json", arguments.folder / "report.json", "--html", arguments.folder / "report.html")
    started = time.monotonic()
    command = [sys.executable, "-m", "everwhen", "evaluate", dataset, file, "--family", arguments.family, *outputs]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {
        "rows": arguments.rows,
        "seconds": round(seconds, 1),
        "rows_per_second": round(arguments.rows / seconds),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_mb": used.ru_maxrss // 1024,
    }
    for name, value in found.items():
        print(f"{name:>16} {value:,}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
