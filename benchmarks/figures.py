"""All measurements, one after the other, and what they found beside what is asked of them.

    make archive
    python benchmarks/figures.py --dump wikidata-dump.json.bz2
    python benchmarks/figures.py --scale 0.02 --folder build/small      # a try, in minutes

Each script of this folder runs in a process of its own, on a machine that should have nothing else to do: making
comparisons, by everwhen and by others, whole builds of a hundredth, a tenth and all of the rows of
`configs/scale.yaml`, parsing a dump (some of the synthetic world's unless another is given), and one executor against
two. Two cores take over an hour for it. `--scale` makes everything smaller, and says little then: most of what a small
build takes does not depend on its rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROWS = 10_000_000
"""Comparisons of the smaller of two runs, at scale 1."""

BEFORE = {"build": 655, "questions": 193}
"""Seconds of the hundred million at commit 23d19ce, on two cores that had nothing else to do: the whole build, and
writing the questions. Other cores take other times."""

BEFORE_ROWS = 100_027_282
"""The rows of that build: of fewer rows nothing is compared."""


def run_script(script: str, *arguments: object) -> Any:
    """Run a script of this folder; the line of JSON that it ends with."""
    command = [sys.executable, str(HERE / script), *map(str, arguments)]
    print(" ".join(command), file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return json.loads(done.stdout.splitlines()[-1])


def measure_deviation(builds: Sequence[dict[str, Any]]) -> float:
    """By how much of itself the time of the middle build differs from a line through those of the others."""
    (x0, y0), (x, y), (x1, y1) = ((b["rows"], b["build"]["seconds"]) for b in builds)
    return float((y0 + (y1 - y0) * (x - x0) / (x1 - x0)) / y - 1)


def list_figures(found: dict[str, Any]) -> list[tuple[str, str, str, bool | None]]:
    """What is measured, what is asked, what was found, and whether that is reached (None: nothing is asked)."""
    names = ("comparisons", "writers", "builds", "dump", "executors")
    made, others, builds, dump, executors = (found[name] for name in names)
    whole = builds[-1]
    build, verify = whole["build"], whole["verify"]
    times, peaks = whole["build"]["disk_mb"] / whole["dataset_mb"], [b["build"]["peak_mb"] for b in builds]
    of_duckdb, of_numpy = (made["rows_per_s"] / others[name]["rows_per_s"] for name in ("duckdb", "numpy"))
    rest = made["worker_us_a_row_without_encoding"]
    is_whole = whole["rows"] > 0.99 * BEFORE_ROWS
    of_build, of_writing = build["seconds"] / BEFORE["build"], build["steps"]["questions"] / BEFORE["questions"]
    one = whole["one_id"]
    line, read, cpu = measure_deviation(builds), whole["one_year"], executors["two_to_one"]
    return [
        ("comparisons made and written, rows/s", "", f"{made['rows_per_s']:,}", None),
        ("of DuckDB's rows/s", "more than 1", f"{of_duckdb:.2f}", of_duckdb > 1),
        ("of numpy's rows/s", "0.75", f"{of_numpy:.2f}", of_numpy >= 0.75),
        ("CPU of the workers, µs a row", "", f"{made['worker_us_a_row']}", None),
        ("the same without encoding", "0.8", f"{rest}", rest <= 0.8),
        ("start, s", "", f"{made['start_s']}", None),
        (f"whole build, {whole['rows']:,} rows, s", "900", f"{build['seconds']}", build["seconds"] < 900),
        ("the same, of that of 23d19ce", "0.80", f"{of_build:.2f}", of_build <= 0.8 if is_whole else None),
        ("writing questions, of 23d19ce's", "0.45", f"{of_writing:.2f}", of_writing <= 0.45 if is_whole else None),
        ("most memory, MB", "7,168", f"{build['peak_mb']:,}", build["peak_mb"] < 7168),
        ("most disk, of the dataset's", "3", f"{times:.2f}", times < 3),
        ("wrong answers", "0", f"{verify['wrong']}", verify["wrong"] == 0),
        ("verify, s", "less than the build", f"{verify['seconds']}", verify["seconds"] < build["seconds"]),
        ("build of the middle size off the line", "15 %", f"{line:+.1%}", abs(line) <= 0.15),
        ("memory, least rows to most", "flat", " / ".join(f"{peak:,}" for peak in peaks), None),
        ("one year of one type, of the bytes", "3 %", f"{read['share_of_bytes']:.2%}", read["share_of_bytes"] < 0.03),
        ("one question by its id, cold, s", "1", f"{one['seconds']}", one["seconds"] < 1),
        ("Bloom filters of ids, bytes a row", "1", f"{one['bytes_a_row']}", one["bytes_a_row"] <= 1),
        ("one year of one type, s", "1", f"{read['seconds']}", read["seconds"] < 1),
        (f"parsing {dump['file']}, MB/s a core", "", f"{dump['mb_per_core_s']}", None),
        ("1.7 TB of it, core-hours", "", f"{dump['core_hours_of_1_7_tb']}", None),
        ("CPU of two executors, of one's", "0.9 to 1.1", f"{cpu['cpu']}", 0.9 <= cpu["cpu"] <= 1.1),
        ("wall time of two executors, of one's", "", f"{cpu['seconds']}", None),
    ]


def format_table(lines: Sequence[tuple[str, str, str, bool | None]]) -> str:
    """The figures, a line each."""
    marks = {True: "reached", False: "missed", None: ""}
    return "\n".join(
        f"{what:<44}{asked:>20}{found:>24}  {marks[reached]}".rstrip()
        for what, asked, found, reached in [("", "asked", "found", None), *lines]
    )


def main(scale: float, folder: Path, memory: str, dump: Path | None) -> None:
    """Measure everything; print the table and one line of JSON."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sizes = (round(ROWS * scale), round(4 * ROWS * scale))
    found = {
        "comparisons": run_script(
            "comparisons.py", "--scale", scale, "--sizes", *sizes, "--folder", folder / "comparisons"
        )
    }
    found["writers"] = run_script("writers.py", "--scale", scale, "--sizes", *sizes, "--folder", folder / "comparisons")
    scales = [scale / 100, scale / 10, scale]
    found["builds"] = run_script("builds.py", "--scales", *scales, "--world", scale, "--folder", folder / "builds")
    if dump is None:
        dump = folder / "world.json.bz2"
        parts = sorted((folder / "builds" / f"{scale:g}" / "world" / "dump").glob("*.bz2"))
        dump.write_bytes(b"".join(part.read_bytes() for part in parts[:12]))
    found["dump"] = run_script("dump_parsing.py", dump)
    world = ("--scale", scale, "--world", scale, "--memory", memory)
    found["executors"] = run_script("executors.py", *world, "--folder", folder / "executors")
    print(format_table(list_figures(found)))
    print(json.dumps(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="All measurements, and what is asked of them.")
    parser.add_argument("--scale", type=float, default=1.0, help="size; 1 is the paper's (default 1)")
    parser.add_argument("--folder", type=Path, default=Path("build/figures"), help="where worlds and builds lie")
    parser.add_argument("--memory", default="4g", help="heap of each executor (default 4g)")
    parser.add_argument("--dump", type=Path, help="a dump to parse (by default some of the synthetic world's)")
    main(**vars(parser.parse_args()))
