"""Seconds that `everwhen evaluate` takes for many predictions.

    python benchmarks/scoring.py --dataset build/demo/dataset/demo --folder build/scoring

Repeats the questions of a dataset under new ids until there are 100,000, answers them by a rule (right, in a sentence,
coarse, of another question, refused, cut off), and runs the command with all its outputs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from everwhen.core.files import compute_sha256
from everwhen.validate.manifest import hash_tables, load_manifest, sum_files

FAMILY = "complextempqa"
QUESTIONS = f"{FAMILY}/questions"

RESPONSES = """
    CASE n % 10
        WHEN 0 THEN 'I do not know.'
        WHEN 1 THEN 'Answer: ' || lag(array_to_string(answer, '; ')) OVER (ORDER BY question_id)
        WHEN 2 THEN array_to_string(answer, '; ')[:4]
        WHEN 3 THEN '<think>' || repeat(question || ' ', 20) || '</think> Answer: ' || array_to_string(answer, '; ')
        WHEN 4 THEN 'The answer is ' || array_to_string(answer, ' and ') || '. That follows from the dates in question.'
        ELSE array_to_string(answer, '; ') END
"""


def write_repeated(dataset: Path, folder: Path, rows: int) -> str:
    """Write a dataset whose questions are those of another, repeated under new ids; return its content hash."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(dataset, folder)
    shutil.rmtree(folder / QUESTIONS)
    (folder / QUESTIONS).mkdir()
    file = folder / QUESTIONS / "train-00000-of-00001.parquet"
    copies = -(-rows // duckdb.read_parquet(f"{dataset / QUESTIONS}/*.parquet").shape[0])
    duckdb.sql(
        f"""
        SELECT row_number() OVER (ORDER BY copy, q.question_id) AS question_id, * EXCLUDE (question_id, copy)
        FROM '{dataset / QUESTIONS}/*.parquet' q, range({copies}) r(copy) ORDER BY copy, q.question_id LIMIT {rows}
        """
    ).write_parquet(str(file))
    manifest = load_manifest(dataset)
    entry = {"name": file.name, "bytes": file.stat().st_size, "rows": rows, "sha256": compute_sha256(file)}
    manifest["tables"][QUESTIONS] |= {"files": [entry], **sum_files([entry])}
    manifest["content_hash"] = hash_tables(manifest["tables"])
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return str(manifest["content_hash"])


def write_predictions(dataset: Path, file: Path, content_hash: str) -> None:
    """Write a response to each question."""
    rows = duckdb.sql(
        f"""
        WITH numbered AS (SELECT *, hash(question_id) AS n FROM '{dataset / QUESTIONS}/*.parquet')
        SELECT question_id, {RESPONSES}, CASE WHEN n % 97 = 0 THEN 'length' ELSE 'stop' END FROM numbered
        """
    ).fetchall()
    with file.open("w", encoding="utf-8") as lines:
        for item_id, response, reason in rows:
            row = {"item_id": item_id, "response": response, "finish_reason": reason, "dataset": content_hash}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True, help="folder of a dataset with ComplexTempQA")
    parser.add_argument("--folder", type=Path, required=True, help="folder for what is written")
    parser.add_argument("--rows", type=int, default=100_000)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dataset, file = arguments.folder / "dataset", arguments.folder / "predictions.jsonl"
    write_predictions(dataset, file, write_repeated(arguments.dataset, dataset, arguments.rows))
    outputs = ("--json", arguments.folder / "report.json", "--html", arguments.folder / "report.html")
    started = time.monotonic()
    command = [sys.executable, "-m", "everwhen", "evaluate", dataset, file, *outputs]
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
