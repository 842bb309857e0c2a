"""How fast comparisons are bound, rendered and written: all comparison templates of `configs/scale.yaml`.

    python benchmarks/comparisons.py --folder build/comparisons

Named and unnamed, pairs and triples, as a build makes them, of a synthetic world whose stage world is finished in the
folder, or is made first. Each size runs in a process of its own. What does not depend on the rows, planning and the
start of Java and of workers, is the time at no rows of a line through the sizes; the rate is that of the rows between.
It is measured for the table `questions`, which other writers are compared with, and for the whole stage, which reads
that table again for accepted answers and item sets.

`--profile N` makes N rows in one process, without Spark's workers, and a quarter of them in another. It prints where
the CPU time goes: a row between the two, and once for a process. Python's profiler makes calls slower, so that the sum
is more than workers take.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from processes import list_processes, read_command, sum_cpu_seconds
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_schema

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.session import start_session
from everwhen.families.complextempqa.compare.quotas import divide_into_tasks
from everwhen.families.complextempqa.config import NAME, read_settings
from everwhen.families.complextempqa.render.write import write_comparisons
from everwhen.families.complextempqa.stage import plan_questions, prepare_comparisons, run_questions
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.preflight import read_config
from everwhen.sources.stage import load_sources

ROOT = Path(__file__).resolve().parent.parent
SCALE = ROOT / "configs" / "scale.yaml"
STAGES = ("raw", "facts", "world")

STEPS = {
    "drawing sets, order of subjects, descriptions": ("subjects.choose", "blocks.find_sets"),
    "ids": ("pairs._compute_ids",),
    "order of rows, taking them in it": ("comparisons.order_rows", "comparisons.order_group", "write.take_rows"),
    "wordings": ("wording_arrow.choose_wordings",),
    "texts: taking names, joining pieces": ("comparisons._render_text",),
    "lint of the rows that may be wrong": ("lint_arrow.find_lint_errors",),
    "names of described subjects": ("comparisons._find_named",),
    "what rows ask: entities, days, countries": ("comparisons._collect_asked",),
    "columns of rows": ("metadata.derive_rows",),
    "encoding, checksum of the file": ("core.write_table",),
}
"""What workers do, and the functions that do it, none of which calls another."""


def build_world(folder: Path, scale: float) -> None:
    """Make the synthetic world and its stages up to world, unless they are there."""
    if (folder / "build" / "world" / "record_counts" / "manifest.json").exists():
        return
    everwhen = str(Path(sys.executable).parent / "everwhen")
    config = folder / "config.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    text = SCALE.read_text().replace("build/scale/world", str(folder / "world"))
    config.write_text(text.replace("scale: 1.0", f"scale: {scale}"))
    subprocess.run([everwhen, "synth", "--config", str(config), str(folder / "world")], check=True)
    for job in ("sources", "facts", "world"):
        job_command = [sys.executable, str(ROOT / "jobs" / f"{job}.py")]
        subprocess.run([*job_command, "--config", str(config), "--out", str(folder / "build")], check=True)


def load_small_config(folder: Path, rows: int) -> Config:
    """The configuration of a build of comparisons alone, its budgets cut to so many rows together."""
    config = read_config(folder / "config.yaml")
    settings = read_settings(config)
    budgets = [b for b in settings.budgets if all(name.startswith("comparison.") for name in b.templates)]
    share = rows / sum(b.rows + b.unnamed for b in budgets)
    cut = [b.model_copy(update={"rows": round(b.rows * share), "unnamed": round(b.unnamed * share)}) for b in budgets]
    section = settings.model_copy(update={"templates": ["comparison.*"], "budgets": cut})
    return config.model_copy(update={"families": {NAME: section}})


@dataclass
class MeasuredBuild(Build):
    """A build that measures how its questions are written: seconds, and CPU time by what it is of."""

    writing: dict[str, float] = field(default_factory=dict)

    def materialize_files(self, *arguments: Any) -> DataFrame:
        """Materialize the table `questions`, and measure it."""
        cpu, began = measure_cpu(), time.perf_counter()
        rows = super().materialize_files(*arguments)
        after = measure_cpu()
        self.writing = {"seconds": time.perf_counter() - began}
        self.writing |= {f"{kind}_cpu": after[kind] - cpu.get(kind, 0.0) for kind in after}
        return rows


def open_build(folder: Path, config: Config, target: Path) -> MeasuredBuild:
    """A build whose stages up to world are those of the folder."""
    for stage in STAGES:
        (target / stage).symlink_to((folder / "build" / stage).resolve())
    build = MeasuredBuild(start_session("comparisons", config.spark), config, str(target))
    load_sources(build)
    return build


def measure_cpu() -> dict[str, float]:
    """CPU time of this process and all below it, by what they are."""
    found: dict[str, float] = {}
    for process in list_processes(os.getpid()):
        words = read_command(process)
        kind = "jvm" if words and words[0].endswith("java") else "workers" if "pyspark.daemon" in words else "driver"
        found[kind] = found.get(kind, 0.0) + sum_cpu_seconds([process])
    return found


def run_once(folder: Path, rows: int) -> None:
    """Write so many rows; print what it took as a line of JSON."""
    with tempfile.TemporaryDirectory(dir=folder) as target:
        build = open_build(folder, load_small_config(folder, rows), Path(target))
        cpu, began = measure_cpu(), time.perf_counter()
        run_questions(build)
        seconds, after = time.perf_counter() - began, measure_cpu()
        manifest = QUESTIONS.read_manifest(build.spark, build.root)
        assert manifest is not None
        said: dict[str, Any] = {"rows": manifest["rows"], "seconds": round(seconds, 1)}
        said |= {f"{kind}_cpu": round(after[kind] - cpu.get(kind, 0.0), 1) for kind in after}
        said["writing"] = {what: round(taken, 1) for what, taken in build.writing.items()}
        print(json.dumps(said), flush=True)
        build.spark.stop()


def render_here(folder: Path, rows: int, watch: Callable[[], AbstractContextManager[Any]]) -> int:
    """Make so many rows in this process, watched; return how many."""
    with tempfile.TemporaryDirectory(dir=folder) as target:
        build = open_build(folder, load_small_config(folder, rows), Path(target))
        world, plan = plan_questions(build)
        binder, make = prepare_comparisons(world, plan.members, plan.quotas, plan.templates)
        schema = to_arrow_schema(QUESTIONS.schema)
        tasks = divide_into_tasks(plan.quotas, plan.members.blocks, 1_000_000, size=2)
        made = 0
        with watch():
            for number, task in enumerate(tasks):
                bound = binder.bind(task)
                lines = list(write_comparisons(bound, make, str(Path(target) / "rows"), f"pairs-{number}", schema))
                made += sum(line["rows"] for line in lines if line["kind"] == "file")
                shutil.rmtree(Path(target) / "rows", ignore_errors=True)
        build.spark.stop()
    return made


def profile(folder: Path, rows: int) -> None:
    """Make so many rows; print the CPU seconds of each of STEPS as a line of JSON."""
    profiler = cProfile.Profile(time.process_time)
    made = render_here(folder, rows, lambda: profiler)
    times: dict[str, float] = {}
    for (file, _, name), (_, _, _, seconds, _) in pstats.Stats(profiler).stats.items():  # type: ignore[attr-defined]
        times[f"{Path(file).stem}.{name}"] = seconds
    spent = {step: sum(times.get(name, 0.0) for name in names) for step, names in STEPS.items()}
    every = pstats.Stats(profiler).total_tt  # type: ignore[attr-defined]
    print(json.dumps({"rows": made, "seconds": spent | {"all else": every - sum(spent.values())}}))


def print_profile(few: dict[str, Any], many: dict[str, Any]) -> None:
    """Print what each step takes: a row between two sizes, and once for a process."""
    rows = many["rows"] - few["rows"]
    print(f"{few['rows']:,} and {many['rows']:,} rows\n{'':<44}{'µs a row':>10}{'once, s':>10}")
    total, lines = [0.0, 0.0], []
    for step, seconds in many["seconds"].items():
        each = (seconds - few["seconds"][step]) / rows
        once = seconds - each * many["rows"]
        lines.append((step, each * 1e6, once))
        total = [total[0] + each * 1e6, total[1] + once]
    for step, each, once in [*lines, ("together", *total)]:
        print(f"{step:<44}{each:>10.3f}{once:>10.2f}")
    print(json.dumps({step: round(each, 3) for step, each, _ in lines}))


def measure_encoding(folder: Path, rows: int) -> None:
    """Make so many rows; print the CPU of encoding, and of all else, as a line of JSON."""
    encode, spent = pq.ParquetWriter.write_table, {"all": 0.0, "encoding": 0.0}

    @contextmanager
    def measure_time(what: str) -> Iterator[None]:
        began = time.process_time()
        yield
        spent[what] += time.process_time() - began

    def write_table(*arguments: Any, **options: Any) -> None:
        with measure_time("encoding"):
            encode(*arguments, **options)

    pq.ParquetWriter.write_table = write_table
    made = render_here(folder, rows, lambda: measure_time("all"))
    print(json.dumps({"rows": made, **spent}))


def compute_rate(rows: int, seconds: float) -> float | None:
    """Compute the rows a second between two sizes. Of few rows the larger run may be the quicker one: there is none."""
    return rows / seconds if rows > 0 and seconds > 0 else None


def main(
    folder: Path,
    scale: float,
    sizes: list[int],
    once: int | None,
    profiled: int | None,
    stepped: int | None,
    encoded: int | None,
) -> None:
    """Measure every size; print a table and one line of JSON."""
    folder = folder.resolve()
    build_world(folder, scale)
    if once is not None:
        return run_once(folder, once)
    if stepped is not None:
        return profile(folder, stepped)
    if encoded is not None:
        return measure_encoding(folder, encoded)

    def run(*arguments: object) -> Any:
        again = [sys.executable, __file__, "--folder", str(folder), "--scale", str(scale), *map(str, arguments)]
        done = subprocess.run(again, stdout=subprocess.PIPE, text=True, check=True)
        print(done.stdout.splitlines()[-1], file=sys.stderr, flush=True)
        return json.loads(done.stdout.splitlines()[-1])

    if profiled is not None:
        return print_profile(run("--stepped", profiled // 4), run("--stepped", profiled))
    runs = [run("--once", rows) for rows in sizes]
    # Between two sizes, since what is found once for a process does not depend on the rows.
    few, many = (run("--encoded", rows) for rows in (sizes[0] // 4, sizes[0]))
    least, most = runs[0], runs[-1]
    rows = most["rows"] - least["rows"]
    written = {what: taken - least["writing"][what] for what, taken in most["writing"].items()}
    rate, stage_rate = (compute_rate(rows, each) for each in (written["seconds"], most["seconds"] - least["seconds"]))
    said = {
        "rows_per_s": rate and round(rate),
        "stage_rows_per_s": stage_rate and round(stage_rate),
        "start_s": stage_rate and round(least["seconds"] - least["rows"] / stage_rate, 1),
        "worker_us_a_row": round(written["workers_cpu"] / rows * 1e6, 2),
        "worker_us_a_row_without_encoding": round(
            sum((many[what] - few[what]) * sign for what, sign in (("all", 1), ("encoding", -1)))
            / (many["rows"] - few["rows"])
            * 1e6,
            2,
        ),
        "jvm_us_a_row": round(written["jvm_cpu"] / rows * 1e6, 2),
        "runs": runs,
    }
    shown = "too few rows for a rate"
    if rate and stage_rate:
        shown = f"{rate:,.0f} rows/s; the stage {stage_rate:,.0f} rows/s, start {said['start_s']} s"
    print(f"between {least['rows']:,} and {most['rows']:,} rows: {shown}")
    print(json.dumps(said))
    return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast comparisons are made.")
    parser.add_argument("--folder", type=Path, default=Path("build/comparisons"), help="where the world is, or is made")
    parser.add_argument("--scale", type=float, default=1.0, help="size of the world; 1 is the paper's (default 1)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000_000, 40_000_000], help="rows of each run")
    parser.add_argument("--once", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--stepped", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--encoded", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--profile", type=int, dest="profiled", help="rows to profile in one process")
    main(**vars(parser.parse_args()))
