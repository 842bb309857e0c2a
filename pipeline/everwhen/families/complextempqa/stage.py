"""The stage questions: bindings, then text."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa
from pyspark import Broadcast, TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from everwhen.core.build import Build, run_parallel
from everwhen.core.hashing import refuse_duplicate_ids
from everwhen.core.record_counts import DDL, INPUT, REJECTED, RecordCounts, count_records, sum_counts
from everwhen.families.complextempqa.accepted import collect_accepted_answers
from everwhen.families.complextempqa.bind.bindings import BoundTemplates, bind_templates
from everwhen.families.complextempqa.bind.declared import compare_declarations
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.budget import require_budgets, select_comparisons
from everwhen.families.complextempqa.compare.block_members import BlockMembers, arrange_members
from everwhen.families.complextempqa.compare.contexts import build_contexts
from everwhen.families.complextempqa.compare.forecast import forecast
from everwhen.families.complextempqa.compare.pairs import Binder
from everwhen.families.complextempqa.compare.quotas import Chunk, Forecasts, Quota, divide_into_tasks, plan_quotas
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.render.comparisons import ComparisonRenderer
from everwhen.families.complextempqa.render.slot_texts import with_texts
from everwhen.families.complextempqa.render.write import TASK_RESULT, read_rejected, write_bindings, write_comparisons
from everwhen.families.complextempqa.tables import ACCEPTED_ANSWERS, BINDINGS, DECLARATIONS, ITEM_SETS, QUESTIONS
from everwhen.families.complextempqa.template import Template, load_templates, select_templates
from everwhen.tables.facts import ENTITIES
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import DESCRIPTIONS, MEMBERS, NAMES

TABLES = (DECLARATIONS, BINDINGS, QUESTIONS, ACCEPTED_ANSWERS, ITEM_SETS.table, record_counts("complextempqa"))
"""All that the stage writes."""

BINDINGS_PER_TASK = 500_000
"""Enumerated bindings that a task holds in memory, about half a gigabyte."""


@dataclass(frozen=True)
class Plan:
    """What will be asked.

    Attributes:
        bindings: The bindings of all other templates.
        members: What can be compared, by blocks.
        quotas: How many comparisons each block gives.
        templates: The templates.
    """

    bindings: BoundTemplates
    members: BlockMembers
    quotas: list[Quota]
    templates: tuple[Template, ...]


def plan_questions(build: Build) -> tuple[WorldTables, Plan]:
    """Enumerate bindings, and decide how many comparisons are drawn.

    Raises:
        InputError: A template or a budget is wrong, or a table of the stage world is missing.
    """
    settings = read_settings(build.config)
    templates = select_templates(settings.templates)
    require_budgets(settings, load_templates())
    world = WorldTables.open(build)
    started = time.monotonic()
    enumerated = [t for t in templates if t not in select_comparisons(templates)]
    bindings = bind_templates(build, world, enumerated)
    seconds = time.monotonic() - started
    build.log(f"templates: {len(enumerated)} bound, {seconds:.1f} s", seconds=seconds)
    members = arrange_members(world, templates)
    return world, Plan(
        bindings, members, plan_quotas(members.blocks, templates, settings, prepare_forecasts(members)), templates
    )


def prepare_forecasts(members: BlockMembers) -> Forecasts:
    """Return what forecasts the rows of each block."""
    subjects = members.build_subjects()
    return lambda block, turn, size, unnamed: forecast(subjects, block, turn, size, unnamed=unnamed)


def run_questions(build: Build) -> None:
    """Write the tables of the stage questions, unless all are there.

    Raises:
        InputError: A template or a budget is wrong, or a table of the stage world is missing.
        DuplicateIdError: Two bindings share an id; change the configuration's seed.
    """
    if build.has_all("complextempqa", TABLES):
        return
    world, plan = plan_questions(build)
    build.materialize(DECLARATIONS, lambda: compare_declarations(world))
    bindings = build.materialize(BINDINGS, lambda: plan.bindings.asked)
    refuse_duplicate_ids(bindings, "question_id", F.to_json(F.struct("template_id", "slots")))
    build.materialize_files(QUESTIONS, partial(_write, build, world, plan, bindings))
    questions, entities, described = (build.read(table) for table in (QUESTIONS, ENTITIES, DESCRIPTIONS))
    build.materialize(ACCEPTED_ANSWERS, lambda: collect_accepted_answers(questions, entities, described))
    build.materialize(ITEM_SETS.table, lambda: ITEM_SETS.select(questions))
    slots = F.concat_ws(" ", "template_id", F.to_json("slots"))
    member = F.concat(F.lit("Q"), "entity", F.lit(" "), "key")
    parts = [
        count_records(plan.bindings.outcomes, "binding", slots, entered=plan.bindings.candidates),
        count_records(plan.members.judged, "block member", member),
        _count_records(build, bindings.count()),
    ]
    build.materialize(record_counts("complextempqa"), lambda: sum_counts(parts))


def read_texts(build: Build, bindings: DataFrame) -> DataFrame:
    """Join bindings with the texts of their slots, as `with_texts` does, from the tables of a build."""
    return with_texts(bindings, *(build.read(table) for table in (NAMES, DESCRIPTIONS, MEMBERS, ENTITIES)))


def _write(
    build: Build, world: WorldTables, plan: Plan, bindings: DataFrame, folder: str
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Write all questions; the files, and what the record counts need to know."""
    schema = to_arrow_schema(QUESTIONS.schema)
    named = read_texts(build, bindings)
    by_id = {t.id: t for t in plan.templates}
    # Not by what Spark's settings say: the same rows must come into the same files.
    partitioned = named.repartition(-(-bindings.count() // BINDINGS_PER_TASK) or 1, F.xxhash64("question_id"))
    shared = build.spark.sparkContext.broadcast(prepare_comparisons(world, plan.members, plan.quotas, plan.templates))
    jobs = [partial(_run_tasks, partitioned, partial(_write_bindings_task, by_id, folder, schema))]
    # The one task of few triples first, or it would run alone in the end.
    rows_per_file = read_settings(build.config).rows_per_file
    for name, size in (("triples", 3), ("pairs", 2)):
        tasks = divide_into_tasks(plan.quotas, plan.members.blocks, rows_per_file, size=size)
        if tasks:
            numbers = build.spark.range(0, len(tasks), 1, len(tasks))
            jobs.append(
                partial(_run_tasks, numbers, partial(_write_comparisons_task, shared, tasks, folder, name, schema))
            )
    # Side by side, since the last tasks of each would leave cores without work.
    results = list(chain.from_iterable(run_parallel(jobs)))
    shared.destroy()
    return _read_results(results)


def _read_results(results: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Read what the tasks return: the files, and what the record counts need to know."""
    files = [
        {"name": row["name"], "rows": row["rows"], **json.loads(row["about"])}
        for row in results
        if row["kind"] == "file"
    ]
    rejected = [row for row in read_rejected(results).list_rows() if row["status"] == REJECTED]
    return files, {"rows": sum(f["rows"] for f in files), "rejected": rejected}


def _write_bindings_task(
    templates: Mapping[str, Template], folder: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    yield from _as_batches(write_bindings(batches, templates, folder, f"whole-{_read_task_number():05d}", schema))


def _write_comparisons_task(
    shared: Broadcast[tuple[Binder, ComparisonRenderer]],
    tasks: Sequence[Sequence[Chunk]],
    folder: str,
    name: str,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    binder, make = shared.value
    for number in (number for batch in batches for number in batch["id"].to_pylist()):
        bound = binder.bind(tasks[number])
        yield from _as_batches(write_comparisons(bound, make, folder, f"{name}-{number:05d}", schema))


def prepare_comparisons(
    world: WorldTables, members: BlockMembers, found: Sequence[Quota], templates: Sequence[Template]
) -> tuple[Binder, ComparisonRenderer]:
    """Prepare what workers need to make comparisons: what binds them, and what makes rows of them.

    Args:
        world: The world; its seed salts the choices.
        members: The members of blocks.
        found: The quotas.

    Raises:
        InputError: A text of a template cannot be derived.
    """
    compared = select_comparisons(templates)
    contexts, context_numbers = build_contexts(world, members.words, members.blocks, found, templates)
    subjects = members.rows["subject"].to_numpy()
    binder = Binder({t.id: t for t in compared}, contexts, context_numbers, members.build_subjects(), subjects)
    return binder, ComparisonRenderer(compared, contexts, members.subjects.toArrow(), members.descriptions.toArrow())


def _read_task_number() -> int:
    """The number of the task that this code runs in."""
    context = TaskContext.get()
    return context.partitionId() if context else 0


def _as_batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Rows of TASK_RESULT as one batch."""
    schema = pa.schema([("kind", pa.string()), ("name", pa.string()), ("rows", pa.int64()), ("about", pa.string())])
    batch = pa.RecordBatch.from_pylist(list(rows), schema=schema)
    # What a complete file took, Arrow would keep for the next one: half a gigabyte in each worker while others need it.
    pa.default_memory_pool().release_unused()
    yield batch


def _run_tasks(rows: DataFrame, work: Any) -> list[Mapping[str, Any]]:
    """Run the tasks; what they return."""
    return [row.asDict() for row in rows.mapInArrow(work, TASK_RESULT).collect()]


def _count_records(build: Build, kept: int) -> DataFrame:
    """What the tasks have counted, as rows of `record_counts`.

    A comparison whose names do not give the answer away is a binding that is kept, and then a question for the lint.

    Args:
        kept: How many enumerated bindings were kept; these are counted already.
    """
    rows: int = build.read_metric(QUESTIONS, "rows")
    counts = RecordCounts()
    for row in build.read_metric(QUESTIONS, "rejected"):
        counts.reject(row["record_type"], row["reason"], row["records"], row["examples"])
    counts.keep("question", rows)
    counts.keep("binding", counts.records["question", INPUT, ""] - kept)
    return build.spark.createDataFrame([tuple(row.values()) for row in counts.list_rows()], DDL)
