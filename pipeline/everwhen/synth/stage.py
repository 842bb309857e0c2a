"""Write a synthetic world: Spark makes its parts, any part on any worker."""

from __future__ import annotations

import bz2
import json
import os
import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from rich.console import Console

from everwhen.core.config import Config, Views
from everwhen.core.errors import InputError
from everwhen.core.failures import translate_failures
from everwhen.core.files import write_atomically
from everwhen.core.log import add_log_fields
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.core.session import find_scratch_folder, start_session
from everwhen.synth import careers, events, pages, people, places, works
from everwhen.synth.broken_input import DumpLines, render_entity_lines
from everwhen.synth.plan import WorldPlan, build_class, build_term, plan_world
from everwhen.synth.truth import BYTES, Entity, Row, TruthWriter, summarize_world, write_counts
from everwhen.wikidata.columns import parse_columns

PART = 2_500
"""Numbers of the plan in one file of the dump: some ten megabytes of JSON, which a worker holds at once."""
LEVEL = 1
"""Of bz2: the highest takes half as long again and saves a seventh (12 MB of films: 1.3 s to 1.1 MB, 0.9 s to 1.3)."""
PAGE_CHUNK = 2_000
"""Events whose bullets a worker renders at once."""
WRITTEN = pa.schema(parse_columns("file:text record_type:text status:text reason:text records:long"))
VIEWS = pa.schema(parse_columns("day:int title:text item:long access:text views:long"))
BULLETS = pa.schema([("bullets", pa.binary())])
"""The bullets of a chunk, pickled: only the driver, which is of the same code, reads them."""
TRUTH = "truth.json"
"""The summary of a finished world."""


BUILDERS: Mapping[str, Callable[[WorldPlan, int], Entity | None]] = {
    "class": build_class,
    "term": build_term,
    "country": places.build_country,
    "capital": places.build_capital,
    "peak": places.build_peak,
    "basin": places.build_basin,
    "place": places.build_place,
    "position": people.build_position,
    "ruler": people.build_ruler,
    "award": people.build_award,
    "operator": places.build_operator,
    "aircraft": places.build_aircraft,
    "company": places.build_company,
    "university": places.build_university,
    "mountain": places.build_mountain,
    "person": careers.build_person_with_career,
    "book": works.build_book,
    "film": works.build_film,
    "disambiguation": works.build_disambiguation,
    "event": events.build_event,
    "stray": events.build_stray,
    **{kind: partial(careers.build_group, kind) for kind in careers.GROUPS},
    **{kind: partial(places.build_landmark, kind) for kind in places.LANDMARKS},
}


def build_entity(plan: WorldPlan, kind: str, number: int) -> Entity | None:
    """The entity of a kind and number; None for a number that gives nothing."""
    return BUILDERS[kind](plan, number)


@dataclass(frozen=True)
class SynthWorld:
    """What there is to write, and where to; `part` is how many numbers of the plan come into a file of the dump."""

    plan: WorldPlan
    views: Views
    out: Path
    part: int = PART


def check_output_folder(out: str) -> Path:
    """The folder to write to.

    Raises:
        InputError: It exists, cannot be made, or is not of this machine's file system.
    """
    if "://" in out:
        raise InputError(f"{out}: a synthetic world is written to a folder of this machine")
    path = Path(out)
    if (path / "truth").is_dir() and not (path / TRUTH).exists():
        raise InputError(f"{out}: holds a world that was not finished; delete it, or take another folder")
    if path.exists():
        raise InputError(f"{out}: exists already; take another folder")
    above = next(parent for parent in path.absolute().parents if parent.exists())
    if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        raise InputError(f"{out}: cannot be made: {above} is no folder that may be written")
    return path.resolve()


def synthesize(config: Config, out: str, console: Console | None = None) -> None:
    """Write a synthetic world: dump, year pages, pageviews, and its truth, whose summary `truth.json` comes last.

    Args:
        config: Seed, window, views, and the section `synth`.
        out: Folder to write to; it must not exist.
        console: Where progress goes; stderr by default.

    Raises:
        InputError: `out` exists, or is not of this machine's file system; the window is too short.
        MachineFailed: A disk is full, a folder cannot be written, or a process of Spark's has ended.
    """
    folder, plan = check_output_folder(out), plan_world(config)
    console = console or Console(stderr=True)
    started = time.monotonic()
    console.print(f"everwhen synth {config.synth.scale}: starting Spark ({config.spark.master})")
    with translate_failures(out, find_scratch_folder(config.spark)):
        spark = start_session("synth", config.spark)
        write_world(spark, SynthWorld(plan, config.views, folder), config, console)
    console.print(f"{out}: done in {time.monotonic() - started:.1f} s")


def write_world(
    spark: SparkSession, world: SynthWorld, config: Config, console: Console, partitions: int | None = None
) -> None:
    """Write all files; their content does not depend on the number of partitions."""
    for name in ("dump", "year_pages", "pageviews", "truth"):
        (world.out / name).mkdir(parents=True)
    written: list[Row] = []
    for number, (name, step) in enumerate(STEPS.items(), 1):
        before = time.monotonic()
        rows = step(spark, world, partitions)
        written += rows
        files = len({row["file"] for row in rows})
        seconds = time.monotonic() - before
        with add_log_fields(stage=name, seconds=seconds):
            console.print(f"{number}/{len(STEPS)} {name}: {files} files, {seconds:.1f} s")
    write_counts(world.out / "truth", written)
    summary = summarize_world(world.out / "truth", config, written)
    text = json.dumps(summary, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    write_atomically(world.out / TRUTH, text)


def list_rows(file: str, counts: RecordCounts) -> list[Row]:
    """Return record counts as rows of `WRITTEN`."""
    return [
        {"file": file, "record_type": record_type, "status": status, "reason": reason, "records": records}
        for (record_type, status, reason), records in sorted(counts.records.items())
    ]


def dump_part(plan: WorldPlan, numbers: Iterable[int]) -> tuple[DumpLines, TruthWriter]:
    """The lines of one part of the dump, and the truth of its entities; the counts have the part's brackets, too."""
    found, ledger = DumpLines(), TruthWriter()
    for index in numbers:
        entity = build_entity(plan, *plan.locate(index))
        if entity is None:
            continue
        found.extend(render_entity_lines(plan, entity, index))
        ledger.add_entity(entity)
        if entity.list_id:
            found.counts.decide("event candidate" if entity.event else "item candidate", entity.reason)
    found.counts.reject("line", RejectReason.BLANK_LINE, 2)
    return found, ledger


def format_part(lines: Iterable[bytes]) -> bytes:
    """A file of the dump: an array, an entity a line, a comma after all but the last one."""
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def _write_dump(spark: SparkSession, world: SynthWorld, partitions: int | None) -> list[Row]:
    plan, out, size = world.plan, world.out, world.part

    def write(number: int) -> list[Row]:
        first = number * size
        found, ledger = dump_part(plan, range(first, min(plan.total, first + size)))
        name = f"part-{number:05d}.json.bz2"
        text = format_part(found.lines)
        write_atomically(out / "dump" / name, bz2.compress(text, LEVEL))
        ledger.write(out / "truth", number)
        size_row = {"file": name, "record_type": BYTES, "status": "written", "reason": "", "records": len(text)}
        return [*list_rows(name, found.counts), size_row]

    return _map_numbers(spark, -(-plan.total // size), partitions, write, WRITTEN)


def _write_year_pages(spark: SparkSession, world: SynthWorld, partitions: int | None) -> list[Row]:
    plan = world.plan
    chunks = [
        (kind, range(plan.counts[kind])[first : first + PAGE_CHUNK])
        for kind in ("event", "stray")
        for first in range(0, plan.counts[kind], PAGE_CHUNK)
    ]

    def render(at: int) -> list[Row]:
        kind, numbers = chunks[at]
        return [{"bullets": pickle.dumps([bullet for n in numbers for bullet in pages.render_bullets(plan, kind, n)])}]

    found = _map_numbers(spark, len(chunks), partitions, render, BULLETS)
    files, counts = pages.write_pages(plan, (bullet for row in found for bullet in pickle.loads(row["bullets"])))
    for name, text in files.items():
        write_atomically(world.out / "year_pages" / name, text)
    return list_rows("year_pages", counts)


def _write_views(spark: SparkSession, world: SynthWorld, partitions: int | None) -> list[Row]:
    seed, rate, out = world.plan.seed, world.plan.broken_rate, world.out / "pageviews"
    days = pages.list_days(world.views)

    def share(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = (batch.column(name).to_pylist() for name in ("item", "title", "views"))
            rows = [
                (day, title, item, access, part)
                for item, title, views in zip(*columns, strict=True)
                for day, access, part in pages.share_views(seed, item, views, len(days))
            ]
            yield pa.RecordBatch.from_struct_array(pa.array(rows, pa.struct(list(VIEWS))))

    def write(table: pa.Table) -> pa.Table:
        name = f"pageviews-{days[table['day'][0].as_py()]:%Y%m%d}-user.bz2"
        columns = (table[column].to_pylist() for column in ("title", "item", "access", "views"))
        content, counts = pages.render_day_file(seed, rate, list(zip(*columns, strict=True)))
        write_atomically(out / name, bz2.compress(content, LEVEL))
        return pa.Table.from_pylist(list_rows(name, counts), schema=WRITTEN)

    viewed = spark.read.parquet(str(world.out / "truth" / "entities.parquet")).where("title IS NOT NULL AND views > 0")
    lines = viewed.select("item", "title", "views").mapInArrow(share, from_arrow_schema(VIEWS))
    rows = _collect(lines.groupBy("day").applyInArrow(write, from_arrow_schema(WRITTEN)))
    for name, (content, counts) in pages.render_ignored_files(world.views).items():
        write_atomically(out / f"{name}.bz2", bz2.compress(content, LEVEL))
        rows += list_rows(f"{name}.bz2", counts)
    return rows


def _map_numbers(
    spark: SparkSession, count: int, partitions: int | None, build: Callable[[int], list[Row]], schema: pa.Schema
) -> list[Row]:
    """Collect the rows that workers build of the numbers below `count`, each in a partition of its own if None."""

    def build_all(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column("id").to_pylist():
                yield pa.RecordBatch.from_pylist(build(number), schema=schema)

    numbers = spark.range(0, count, numPartitions=partitions or count)
    return _collect(numbers.mapInArrow(build_all, from_arrow_schema(schema)))


def _collect(df: DataFrame) -> list[Row]:
    return [row.asDict() for row in df.collect()]


STEPS: Mapping[str, Callable[[SparkSession, SynthWorld, int | None], list[Row]]] = {
    "dump": _write_dump,
    "year pages": _write_year_pages,
    "pageviews": _write_views,
}
"""What is written, in order: the views are those of the entities whose truth is beside the dump."""
