"""How fast comparisons are made: everwhen against pyarrow with numpy, DuckDB, and plain Python, on the very same rows.

    python benchmarks/questions.py --rows 10000000 --repeat 3

The input is made here, from a seed: 30,000 films with names, dates and countries as real ones have them, in one block
of the split train, and two templates that compare their dates. How many pairs are drawn,
the module `budget` of the family says; which, what is asked about them and what is answered is decided by hashes, and
so each way must make the same rows: their number and a checksum over all columns are held against each other.

Each way runs in a process of its own, one after the other, and is measured from when its processes have started and
read the films; everwhen, whose Java compiles itself while it runs, after a smaller run. Its memory is the sum of what
its processes hold (PSS: what several share counts once). With `--repeat` the ratios are medians of those within each
turn.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from by_hand import by_duckdb, by_numpy, by_rows
from processes import below, command, cpu_seconds, held
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from everwhen.core.build import side_by_side
from everwhen.core.config import Config, Spark
from everwhen.core.session import start_session
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.budget import Block, Draw, draws
from everwhen.families.complextempqa.config import Settings
from everwhen.families.complextempqa.pairs import comparisons, frames
from everwhen.families.complextempqa.render import Comparisons
from everwhen.families.complextempqa.seats import DAYS_APART, Seats
from everwhen.families.complextempqa.stage import _compared_task, _done, _wide_batches
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.families.complextempqa.template import Template, chosen_templates
from everwhen.language.lint import suspect
from everwhen.synth.words import film_name

CORES = 2
FILMS = 30_000
TEMPLATES = ("comparison.entity.before_after", "comparison.entity.first")
WARM = 2_000_000
"""Rows of the run that warms everwhen up: with fewer, Java is still compiling when it is measured."""

SECONDS = 2.0
"""Between two looks at the memory."""

PROPERTY = 577
EPOCH = dt.date(1970, 1, 1)


def made_films() -> pa.Table:
    """The films by number, in the order of their values: place, and gap, how much further the first partner stands."""
    rng = np.random.default_rng(1)
    names: dict[str, None] = {}
    number = 0
    while len(names) < FILMS:
        # "Before Dawn" in a name would be one word of comparison too many: such a question is not asked.
        name = film_name("benchmark", number)
        number += 1
        if not suspect(name):
            names[name] = None
    labels = list(names)
    # Wikidata's shares, roughly: of the release most know the day, some the month, and others the year.
    days = rng.integers((dt.date(1930, 1, 1) - EPOCH).days, (dt.date(2024, 1, 1) - EPOCH).days, FILMS)
    unit = rng.choice(["D", "M", "Y"], FILMS, p=[0.7, 0.1, 0.2])
    first, last = days.copy(), days.copy()
    for name in "MY":
        mine = unit == name
        of = days[mine].astype("datetime64[D]").astype(f"datetime64[{name}]")
        first[mine] = of.astype("datetime64[D]").astype(int)
        last[mine] = (of + 1).astype("datetime64[D]").astype(int) - 1
    weight = 1 / np.arange(1, 61)
    one, two = (rng.choice(np.arange(60), FILMS, p=weight / weight.sum()) for _ in "ab")
    second = rng.random(FILMS) < 0.2
    countries = [
        sorted({int(a) + 16, int(b) + 16}) if both else [int(a) + 16]
        for a, b, both in zip(one, two, second, strict=True)
    ]
    return pa.table(
        {
            "number": pa.array(np.arange(FILMS), pa.int32()),
            "entity": pa.array(np.sort(rng.choice(120_000_000, FILMS, replace=False)), pa.int64()),
            "name": labels,
            "long_name": [f"the film {label}" for label in labels],
            "label": labels,
            "popular": pa.array(rng.random(FILMS) < 0.16),
            "countries": pa.array(countries, pa.list_(pa.int64())),
            "first_day": pa.array(first.astype("datetime64[D]"), pa.date32()),
            "last_day": pa.array(last.astype("datetime64[D]"), pa.date32()),
            "topic": ["medtop:20000005"] * FILMS,
            "place": pa.array(np.argsort(np.argsort(first, kind="stable")), pa.int32()),
            "gap": pa.array(_gaps(first, last), pa.int32()),
        }
    )


def _gaps(first: npt.NDArray[Any], last: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """How many places further each film's first partner stands (`seats.py`)."""
    order = np.sort(first)
    return np.searchsorted(order, last + DAYS_APART, side="right") - np.searchsorted(order, first, side="left")


def block_of(films: pa.Table) -> Block:
    """All films in one block."""
    partners = np.maximum(0, FILMS - films["place"].to_numpy() - films["gap"].to_numpy())
    return Block(
        0, "item", "times", "release", "films", "", "train", 0, FILMS, 0, np.sort(partners), np.zeros(0, dtype=np.int64)
    )


def asked(rows: int, films: pa.Table) -> tuple[tuple[Template, ...], list[Draw]]:
    """The templates, and the draws that make so many rows.

    Both templates take the first partners of each film, which the ways by hand count from 1.
    """
    templates = chosen_templates(TEMPLATES)
    config = Settings(budgets=[{"templates": list(TEMPLATES), "rows": rows}])
    return templates, [replace(draw, turn=0, turns=1) for draw in draws([block_of(films)], templates, config)]


def cells(draw: Draw) -> int:
    """The steps of all seats together."""
    return draw.steps * FILMS + draw.more


def per_file(found: list[Draw]) -> int:
    """Pairs of a file: at most four million, and as many files for each core."""
    pairs = sum(cells(draw) for draw in found)
    files = CORES * -(-pairs // (CORES * 4_000_000))
    return pairs // files + FILMS


class Asking:
    """What everwhen needs of a build to ask comparisons: a session, seats and a seed."""

    def __init__(self, folder: Path, memory: str) -> None:
        """Start Spark and seat the films."""
        settings = {"spark.local.dir": str(folder)}
        self.spark = start_session(
            "questions", Spark(master=f"local[{CORES}]", driver_memory=memory, settings=settings)
        )
        self.films = pq.read_table(folder / "films.parquet")
        self.schema = to_arrow_schema(QUESTIONS.schema)
        read = self.spark.createDataFrame(self.films)
        rows = read.select(
            F.col("place").cast("bigint").alias("seat"),
            "place",
            "gap",
            F.greatest(F.lit(0), F.lit(FILMS) - F.col("place") - F.col("gap")).alias("partners"),
            F.col("place").alias("turn"),
            F.lit(0).alias("shift"),
            F.lit(0).cast("bigint").alias("offset"),
            "entity",
            F.col("number").alias("thing"),
            F.lit(1).alias("amount"),
            *("first_day", "last_day"),
            F.lit(0).alias("year"),
            F.lit(0).cast("bigint").alias("series"),
            F.lit(1).alias("own"),
            F.array(F.lit(1)).alias("keys"),
            F.expr("CAST(array() AS array<struct<form: bigint, number: int, year: int>>)").alias("forms"),
        )
        told = self.spark.createDataFrame([], "number int, entity bigint, key string, description string")
        words = self.spark.createDataFrame(
            [("item", "times", "release", "films", "", PROPERTY, [], {"verb": "released"}, "film", "Which film")],
            "kind string, by string, key string, on_list string, alike string, property int, hops array<int>,"
            " words map<string, string>, noun string, which string",
        )
        films = read.drop("place", "gap")  # for `judged`, too, which the books alone read
        self.seats = Seats(
            rows=rows.localCheckpoint(),
            things=films,
            told=told,
            blocks=[block_of(self.films)],
            words=words,
            judged=films,
        )
        self.world = World(self.spark, Config(version="0", snapshot="benchmark"), None, ())  # type: ignore[arg-type]

    def plan(self, rows: int) -> Mapping[str, Any]:
        """What the ways by hand are told (`by_hand.Plan`)."""
        templates, found = asked(rows, self.films)
        made, drawn = frames(self.world, self.seats, found, templates)
        salts = {row["template"]: row for row in drawn.collect()}
        said = []
        for place, (template, draw) in enumerate(zip(templates, found, strict=True)):
            row = salts[place]
            texts = [made[row[f"frame_{coin}"]].texts for coin in (0, 1)]
            pieces = [
                [_around(template, wording, each) for each in texts] for wording in range(len(template.questions))
            ]
            (form,) = {slot.form for slot in template.slots.values() if slot.entity}
            said.append(
                {
                    "template": template.id,
                    "drawn": cells(draw),
                    "choice": template.choice,
                    "form": form,
                    "salts": [row["salt_0"], row["salt_1"]],
                    "pieces": pieces,
                }
            )
        plan = {"seats": FILMS, "property": PROPERTY, "coin_salt": salts[0]["coin_salt"]}
        return plan | {"rows_per_file": per_file(found), "said": said}

    def write(self, rows: int, target: Path) -> dict[str, float]:
        """Bind and write, as the stage questions does."""
        began = time.perf_counter()
        templates, found = asked(rows, self.films)
        made, drawn = frames(self.world, self.seats, found, templates)
        planning = time.perf_counter() - began
        bound = comparisons(self.seats, found, drawn, templates, per_file(found))
        make = Comparisons(templates, made, self.seats.things.toArrow(), self.seats.told.toArrow())
        shared = self.spark.sparkContext.broadcast(make)
        jobs = [
            partial(_done, pairs, partial(_compared_task, shared, str(target), name, self.schema))
            for name, pairs in bound.items()
        ]
        with _wide_batches(self.spark):
            said = [line for lines in side_by_side(jobs) for line in lines]
        shared.destroy()
        faults = [
            row for row in said if row["kind"] == "rejected" and json.loads(row["about"])["record_type"] == "question"
        ]
        assert not faults, f"ways by hand do not lint: {faults}"
        return {"rows": sum(row["rows"] for row in said if row["kind"] == "file"), "planning_s": round(planning, 2)}

    def bind(self, rows: int) -> None:
        """Bind alone, and throw away what is bound."""
        templates, found = asked(rows, self.films)
        _, drawn = frames(self.world, self.seats, found, templates)
        for pairs in comparisons(self.seats, found, drawn, templates, per_file(found)).values():
            pairs.write.format("noop").mode("overwrite").save()


def _around(template: Template, wording: int, texts: tuple[str | None, ...]) -> list[str]:
    """What stands before, between and after the two names of a wording."""
    pieces, order = template.pieces(wording)
    said = [pieces[0]]
    for slot, piece in zip(order, pieces[1:], strict=True):
        if texts[slot] is None:
            said.append(piece)
        else:
            said[-1] += f"{texts[slot]}{piece}"
    before, between, after = said
    return [before[:1].upper() + before[1:], between, after]


def tree() -> dict[str, list[psutil.Process]]:
    """This process and all below it, by what they are."""
    found: dict[str, list[psutil.Process]] = {}
    for process in below(os.getpid()):
        words = command(process)
        what = "jvm" if words and words[0].endswith("java") else "workers" if "pyspark.daemon" in words else "driver"
        found.setdefault(what, []).append(process)
    return found


def cpu_by_kind() -> dict[str, float]:
    """CPU time of the tree by what its processes are, the ended ones included."""
    return {what: cpu_seconds(processes) for what, processes in tree().items()}


def held_by_kind() -> dict[str, float]:
    """MB that the tree holds, by what its processes are."""
    return {what: held(processes) / 2**20 for what, processes in tree().items()}


class Memory:
    """Looks at the memory now and then, while something runs."""

    def __init__(self) -> None:
        """Nothing is held yet."""
        self.peak: dict[str, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._over.wait(SECONDS):
            self._keep()

    def _keep(self) -> None:
        self.peak = max(self.peak, held_by_kind(), key=lambda each: sum(each.values()))

    def __enter__(self) -> Memory:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Look once more and end."""
        self._over.set()
        self._thread.join()
        self._keep()


def measured(run: Callable[[], Mapping[str, float] | None]) -> dict[str, Any]:
    """What a run costs: seconds, CPU seconds and MB by process, and what it says itself."""
    with Memory() as memory:
        cpu, began = cpu_by_kind(), time.perf_counter()
        said = run() or {}
        seconds, after = time.perf_counter() - began, cpu_by_kind()
    used = {what: round(after[what] - cpu.get(what, 0.0), 2) for what in after}
    return {"s": round(seconds, 3), "cpu_s": used, "mb": {what: round(n) for what, n in memory.peak.items()}, **said}


def one_way(way: str, rows: int, folder: Path, memory: str) -> None:
    """Run one way in this process; the last line that is printed says what it cost."""
    if way == "prepare":
        asking = Asking(folder, memory)
        (folder / "plan.json").write_text(json.dumps(asking.plan(rows)))
        pq.write_metadata(asking.schema, folder / "schema.parquet")
        return
    target = folder / way
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    if way == "everwhen":
        asking = Asking(folder, memory)
        asking.write(WARM, folder / "warm")
        shutil.rmtree(folder / "warm")
        result = measured(lambda: asking.write(rows, target))
        result["binding"] = measured(lambda: asking.bind(rows))
    else:
        begin = {"numpy": by_numpy, "duckdb": by_duckdb, "python": by_rows}[way]
        result = measured(begin(folder, target, pq.read_schema(folder / "schema.parquet"), CORES))
    result["bytes"] = sum(path.stat().st_size for path in target.iterdir())
    print(json.dumps(result))


def sums(base: duckdb.DuckDBPyConnection, files: Path) -> tuple[int, int]:
    """How many rows there are, and the sum of their hashes over all columns."""
    names = ", ".join(f'"{column.name}"' for column in QUESTIONS.columns)
    found = base.execute(f"SELECT count(*), sum(hash({names})) FROM read_parquet('{files}/*.parquet')").fetchone()
    assert found
    return int(found[0]), int(found[1])


def slice_agrees(base: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Hold what plain Python wrote against everwhen's rows."""
    lines = f"read_json('{folder}/python/rows.jsonl', format = 'newline_delimited')"
    query = f"""
        SELECT count(*), count_if(e.question = p.question AND e.answer = p.answer
          AND e.question_country_entity = p.question_country_entity AND e.year = p.year AND e.rating = p.rating)
        FROM {lines} p JOIN read_parquet('{folder}/everwhen/*.parquet') e USING (question_id)"""
    found = base.execute(query).fetchone()
    wanted = base.execute(f"SELECT count(*) FROM {lines}").fetchone()
    assert found == (*(wanted or ()), *(wanted or ())), f"plain Python: {found} of {wanted} rows agree"


WAYS = ("everwhen", "numpy", "duckdb", "python")


def main(rows: int, repeat: int, memory: str, ways: list[str], keep: Path | None) -> None:
    """Measure all ways and print a table and one line of JSON."""
    taken: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as made:
        folder = keep or Path(made)
        folder.mkdir(exist_ok=True)
        pq.write_table(made_films(), folder / "films.parquet")

        def run(way: str) -> str:
            own = ["--way", way, "--rows", str(rows), "--folder", str(folder), "--memory", memory]
            return subprocess.run(
                [sys.executable, __file__, *own], check=True, stdout=subprocess.PIPE, text=True
            ).stdout

        run("prepare")
        count = 0
        for turn in range(repeat):
            for way in ways:
                taken[way].append(json.loads(run(way).splitlines()[-1]))
            if not turn:
                count = agree(folder, ways)
    print(json.dumps(summary(taken, count, load, rows)))


def agree(folder: Path, ways: list[str]) -> int:
    """How many rows each way made; all must have made the same."""
    base = duckdb.connect(config={"threads": CORES})
    found = {way: sums(base, folder / way) for way in ways if way != "python"}
    assert len(set(found.values())) == 1, f"not the same rows: {found}"
    if {"python", "everwhen"} <= set(ways):
        slice_agrees(base, folder)
    return next(iter(found.values()))[0]


def summary(taken: Mapping[str, list[dict[str, Any]]], count: int, load: float, rows: int) -> dict[str, Any]:
    """Print the table; the medians of all runs."""
    head = f"{'':<10}{'rows/s':>11}{'rows/CPU s':>12}{'s':>8}{'CPU s':>8}{'MB':>7}{'bytes/row':>11}"
    print(f"{count:,} rows; load at the start {load:.1f}\n{head}")
    result: dict[str, Any] = {"rows": count, "wanted": rows, "load": round(load, 2), "runs": 0}
    for way, runs in taken.items():
        middle = sorted(runs, key=lambda each: each["s"])[len(runs) // 2]
        made = int(middle.pop("rows", count))
        cpu = sum(middle["cpu_s"].values())
        middle |= {"rows_per_s": round(made / middle["s"]), "rows_per_cpu_s": round(made / cpu)}
        middle |= {"bytes_per_row": round(middle.pop("bytes") / made, 2), "made": made}
        result |= {way: middle, "runs": len(runs)}
        print(
            f"{way:<10}{middle['rows_per_s']:>11,}{middle['rows_per_cpu_s']:>12,}{middle['s']:>8.1f}{cpu:>8.1f}"
            f"{sum(middle['mb'].values()):>7,}{middle['bytes_per_row']:>11.1f}"
        )
    first = taken.get("everwhen")
    for way, runs in taken.items():
        if first and way != "everwhen":
            what = "rows_per_cpu_s" if way == "python" else "s"
            result[f"everwhen_to_{way}"] = _ratio(first, runs, what, result)
    return result


def _ratio(ours: list[dict[str, Any]], theirs: list[dict[str, Any]], what: str, result: Mapping[str, Any]) -> float:
    """How many times as fast everwhen is: the median of the ratios within each turn."""
    if what == "s":
        return round(statistics.median(b["s"] / a["s"] for a, b in zip(ours, theirs, strict=True)), 3)
    return round(result["everwhen"][what] / result["python"][what], 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Speed of making comparisons, by four ways.")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows wanted (default 10 million)")
    parser.add_argument("--repeat", type=int, default=1, help="measured runs of each way (default 1)")
    parser.add_argument("--memory", default="2g", help="heap of the JVM (default 2g)")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS, help="the ways (default all)")
    parser.add_argument("--keep", type=Path, help="folder to leave the files in")
    parser.add_argument("--way", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way:
        one_way(given.way, given.rows, given.folder, given.memory)
    else:
        main(given.rows, given.repeat, given.memory, given.ways, given.keep)
