"""All measurements, one after the other, and what they found beside what is asked of them.

    make bench                          # all, in over an hour
    make bench SCALE=0.02               # a try, in minutes
    make bench WITHOUT=executors        # without the archive that a cluster needs
    make bench DUMP=dump.json.bz2       # a real dump is parsed

Each script of this folder runs in a process of its own, on a machine that should have nothing else to do. The table
has what is asked (`goals.py`), what was found and whether that is reached. Below are the bounds of missed figures.
What a script finds is kept in the folder: `--resume` takes it from there. A script that fails leaves its figures out.
`--scale` makes everything smaller, and says little then: most of what a small build takes does not depend on its rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from goals import CORES, LISTED, format_table

HERE = Path(__file__).resolve().parent
ARCHIVE = HERE.parent / "dist" / "everwhen-environment.tar.gz"
ROWS = 10_000_000
"""Comparisons of the smaller of two runs, at scale 1."""

NEEDS = {"writers": "comparisons", "encodings": "builds", "scoring": "builds", "dump": "builds"}
"""Parts that read what another one leaves or finds."""


def list_commands(scale: float, folder: Path, memory: str, dump: Path | None) -> dict[str, list[object]]:
    """The script of each part, with its arguments."""
    sizes = ("--sizes", round(ROWS * scale), round(4 * ROWS * scale))
    comparisons = ("--scale", scale, *sizes, "--folder", folder / "comparisons")
    scales = [scale / 100, scale / 10, scale]
    least, most = (folder / "builds" / f"{each:g}" / "build" / "dataset" / "scale" for each in (scales[0], scale))
    return {
        "comparisons": ["comparisons.py", *comparisons],
        "writers": ["writers.py", *comparisons],
        "stability": ["stability.py"],
        "builds": ["builds.py", "--scales", *scales, "--world", scale, "--folder", folder / "builds"],
        "encodings": ["encodings.py", "--dataset", most],
        "scoring": ["scoring.py", "--dataset", least, "--folder", folder / "scoring"],
        "tables": [
            *("tables.py", "--folder", folder / "tables"),
            *("--rows", round(300_000 * scale), "--items", round(1_000_000 * scale)),
        ],
        "dump": ["dump_parsing.py", dump or folder / "world.json.bz2"],
        "executors": [
            *("executors.py", "--scale", scale, "--world", scale, "--memory", memory),
            *("--folder", folder / "executors"),
        ],
    }


def run_script(script: object, *arguments: object) -> Any:
    """Run a script of this folder; the line of JSON that it ends with. None if it fails."""
    command = [sys.executable, str(HERE / str(script)), *map(str, arguments)]
    print(" ".join(command), file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"{script} ended with {done.returncode}: its figures are left out", file=sys.stderr, flush=True)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def join_dump(builds: Path, target: Path) -> None:
    """Join some files of a synthetic world's dump."""
    parts = sorted((builds / "world" / "dump").glob("*.bz2"))
    target.write_bytes(b"".join(part.read_bytes() for part in parts[:12]))


def measure_parts(
    parts: Sequence[str], commands: Mapping[str, Sequence[object]], folder: Path, scale: float, *, resume: bool
) -> dict[str, Any]:
    """Run the scripts of some parts, and keep what each finds; those that fail are left out."""
    found: dict[str, Any] = {}
    for part in parts:
        kept = folder / f"{part}-{scale:g}.json"
        if resume and kept.is_file():
            found[part] = json.loads(kept.read_text(encoding="utf-8"))
            continue
        if NEEDS.get(part) in parts and NEEDS[part] not in found:
            continue
        if part == "dump" and str(commands[part][1]) == str(folder / "world.json.bz2"):
            join_dump(folder / "builds" / f"{scale:g}", folder / "world.json.bz2")
        if (one := run_script(*commands[part])) is not None:
            found[part] = one
            kept.write_text(json.dumps(one), encoding="utf-8")
    return found


def main(scale: float, folder: Path, memory: str, dump: Path | None, without: list[str], resume: bool) -> None:
    """Measure everything; print the table and one line of JSON."""
    parts = [part for part in LISTED if part not in without]
    for part in parts:
        if NEEDS.get(part, part) not in parts and not (part == "dump" and dump):
            sys.exit(f"{part} needs {NEEDS[part]}: leave it out, too (--without {' '.join([*without, part])})")
    if "executors" in parts and not ARCHIVE.is_file():
        sys.exit(f"no {ARCHIVE.relative_to(HERE.parent)}: run make archive first, or add --without executors")
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = measure_parts(parts, list_commands(scale, folder, memory, dump), folder, scale, resume=resume)
    if scale < 1:
        print(f"At scale {scale:g} verdicts say little: the goals are for scale 1, on {CORES} idle cores.\n")
    print(format_table([figure for part in found for listed in LISTED[part] for figure in listed(found)]))
    print(json.dumps(found))
    if failed := [part for part in parts if part not in found]:
        sys.exit(f"without figures: {', '.join(failed)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="All measurements, and what is asked of them.")
    parser.add_argument("--scale", type=float, default=1.0, help="size; 1 is the paper's (default 1)")
    parser.add_argument("--folder", type=Path, default=Path("build/figures"), help="where worlds and builds lie")
    parser.add_argument("--memory", default="4g", help="heap of each executor (default 4g)")
    parser.add_argument("--dump", type=Path, help="a dump to parse (by default some of the synthetic world's)")
    parser.add_argument("--without", nargs="+", default=[], choices=LISTED, help="parts to leave out")
    parser.add_argument("--resume", action="store_true", help="take what the folder has of an earlier run")
    main(**vars(parser.parse_args()))
