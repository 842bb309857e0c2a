"""How the cost of a build grows: synthetic worlds of several sizes, built, checked and read, one after the other.

    python benchmarks/builds.py --scales 0.01 0.1 1 --folder build/benchmark
    python benchmarks/builds.py --scales 0.01 0.1 1 --world 1 --folder build/growth

Each scale takes configs/scale.yaml with its budgets scaled, and its world too, unless `--world` names another size for
all of them: 1 is the paper's hundred million rows. For each it runs `everwhen synth`, `build` and `verify` as a user
does, each a process of its own, and looks at the memory of all
their processes and at the disk while they run. Then DuckDB asks the dataset for one year of one
type, and what it reads is counted by the kernel. The folder is kept: a second run goes on with the scales that are not
there yet.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import yaml
from processes import measure_command, read_steps

SCALE = Path(__file__).resolve().parent.parent / "configs" / "scale.yaml"

ONE_YEAR = """
import json, sys, time
import duckdb
started = time.perf_counter()
rows = duckdb.sql(
    "SELECT count(*), sum(strlen(question)), sum(len(answer)), sum(rating), sum(len(question_entity)) "
    f"FROM '{sys.argv[1]}/complextempqa/questions/*.parquet' WHERE type = '2bc' AND year = 1995"
).fetchall()[0][0]
seconds = time.perf_counter() - started
read = int(next(line for line in open("/proc/self/io") if line.startswith("rchar")).split()[1])
print(json.dumps({"rows": rows, "seconds": round(seconds, 2), "bytes_read": read}))
"""
"""One year of one type, in a process of its own; rchar counts all it has read, its libraries too."""

ONE_ID = """
import json, sys, time
import duckdb
files, number = f"{sys.argv[1]}/complextempqa/questions/*.parquet", int(sys.argv[2])
started = time.perf_counter()
rows = duckdb.sql(f"SELECT * FROM '{files}' WHERE question_id = {number}").fetchall()
assert len(rows) == 1, rows
print(json.dumps({"seconds": round(time.perf_counter() - started, 2)}))
"""
"""One question by its id, in a process of its own."""


def write_scaled_config(scale: float, folder: Path, world: float | None = None) -> Path:
    """configs/scale.yaml for another size, and for a world of its own size or of another."""
    config = yaml.safe_load(SCALE.read_text().replace("build/scale/world", str(folder / "world")))
    config["synth"]["scale"] = world or scale
    for budget in config["families"]["complextempqa"]["budgets"]:
        for key in ("rows", "unnamed"):
            if key in budget:
                budget[key] = round(budget[key] * scale)
    path = folder / "scale.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


def build(scale: float, folder: Path, world: float | None) -> dict[str, Any]:
    """Make, build, check and read a world of one size."""
    folder.mkdir(parents=True)
    config, everwhen = str(write_scaled_config(scale, folder, world)), str(Path(sys.executable).with_name("everwhen"))
    dataset = folder / "build" / "dataset" / "scale"
    found: dict[str, Any] = {"scale": scale}
    found["synth"] = measure_command(
        [everwhen, "synth", "--config", config, str(folder / "world")], folder / "synth.log", folder
    )
    arguments = [everwhen, "build", "--config", config, "--out", str(folder / "build")]
    found["build"] = measure_command(arguments, folder / "build.log", folder)
    found["build"] |= read_steps(folder / "build.log")
    found["verify"] = measure_command([everwhen, "verify", "--quiet", str(dataset)], folder / "verify.log", folder)
    found["verify"]["wrong"] = json.loads((folder / "verify.log").read_text())["wrong"]
    size = sum(path.stat().st_size for path in dataset.rglob("*") if path.is_file())
    found["rows"] = json.loads((dataset / "manifest.json").read_text())["rows"]
    found["dataset_mb"] = size // 2**20
    sizes = json.loads((dataset / "report.json").read_text())["families"]["complextempqa"]["bytes_by_column"]
    found["bytes_a_row"] = {name: round(size / found["rows"], 2) for name, size in sizes.items()}
    found["one_id"] = seek_one_id(dataset / "complextempqa" / "questions")
    questions = sum(path.stat().st_size for path in (dataset / "complextempqa" / "questions").glob("*"))
    only_import = "import duckdb; print(open('/proc/self/io').read())"
    empty = subprocess.run([sys.executable, "-c", only_import], capture_output=True, check=True)
    libraries = int(re.findall(rb"rchar: (\d+)", empty.stdout)[0])
    ask = [sys.executable, "-c", ONE_YEAR, str(dataset)]
    runs = [subprocess.run(ask, capture_output=True, check=True) for _ in range(3)]
    found["one_year"] = sorted((json.loads(run.stdout) for run in runs), key=lambda run: float(run["seconds"]))[1]
    read = found["one_year"].pop("bytes_read") - libraries
    found["one_year"]["share_of_bytes"] = round(read / questions, 4)
    return found


def seek_one_id(questions: Path) -> dict[str, Any]:
    """The seconds that one question takes by its id, cold, and what the Bloom filters of ids weigh."""
    files = sorted(questions.glob("*.parquet"))
    ids = pq.ParquetFile(files[len(files) // 2]).read_row_group(0, columns=["question_id"])["question_id"]
    for path in files:
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    command = [sys.executable, "-c", ONE_ID, str(questions.parent.parent), str(ids[len(ids) // 2].as_py())]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    query = f"SELECT sum(bloom_filter_length)::BIGINT, (SELECT count(*) FROM '{questions}/*.parquet') FROM "
    ((weight, rows),) = duckdb.sql(f"{query} parquet_metadata('{questions}/*.parquet')").fetchall()
    return found | {"bytes_a_row": round((weight or 0) / rows, 2)}


def format_table(results: Sequence[dict[str, Any]]) -> str:
    """The figures side by side."""
    head = f"{'rows':>12}{'synth s':>9}{'build s':>9}{'verify s':>9}{'wrong':>7}{'build MB':>10}{'verify MB':>10}"
    lines = [head + f"{'dataset MB':>12}{'disk MB':>9}{'bytes/row':>11}{'one year s':>12}{'of bytes':>9}"]
    for r in results:
        lines.append(
            f"{r['rows']:>12,}{r['synth']['seconds']:>9}{r['build']['seconds']:>9}{r['verify']['seconds']:>9}"
            f"{r['verify']['wrong']:>7}{r['build']['peak_mb']:>10,}{r['verify']['peak_mb']:>10,}{r['dataset_mb']:>12,}"
            f"{r['build']['disk_mb']:>9,}{sum(r['bytes_a_row'].values()):>11.1f}{r['one_year']['seconds']:>12}"
            f"{r['one_year']['share_of_bytes']:>9.2%}"
        )
    return "\n".join(lines)


def main(scales: Sequence[float], folder: Path, world: float | None) -> None:
    """Measure all scales; print a table and one line of JSON."""
    results = []
    for scale in scales:
        here = folder.resolve() / f"{scale:g}"
        kept = here / "result.json"
        if not kept.is_file():
            shutil.rmtree(here, ignore_errors=True)
            kept.write_text(json.dumps(build(scale, here, world)))
        results.append(json.loads(kept.read_text()))
        print(f"scale {scale:g}: {results[-1]['build']}", file=sys.stderr)
    print(format_table(results))
    print(json.dumps(results))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Whole builds of several sizes.")
    parser.add_argument("--scales", type=float, nargs="+", default=[0.01, 0.1, 1.0], help="sizes; 1 is the paper's")
    parser.add_argument("--world", type=float, help="size of the world for all of them; by default that of the rows")
    parser.add_argument("--folder", type=Path, default=Path("build/benchmark"), help="where the worlds and builds lie")
    main(**vars(parser.parse_args()))
