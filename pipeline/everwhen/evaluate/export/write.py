"""Write an export: select the items, and have its format written into a folder that appears complete or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.examples import read_replies
from everwhen.evaluate.ask.prepare import Additions, Asked, choose_prompts, iter_prompts, read_asked, write_remarks
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.export.folder import create_folder
from everwhen.evaluate.export.harness import write_scorer
from everwhen.evaluate.export.origin import Origin
from everwhen.evaluate.export.rows import describe_task, iter_rows
from everwhen.evaluate.export.source import Source
from everwhen.evaluate.export.tasks import write_inspect, write_lm_eval
from everwhen.evaluate.export.text_files import WRITERS, write_json_lines
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import GOLD_COLUMNS
from everwhen.evaluate.prompts import Prompts

HARNESSES = {"lm-eval": write_lm_eval, "inspect": write_inspect}
"""By format, what writes the tasks of a harness."""


def list_formats(evaluations: Mapping[str, Evaluation]) -> tuple[str, ...]:
    """List the formats: text files, the layouts that families declare, and harnesses."""
    layouts = sorted({name for evaluation in evaluations.values() for name in evaluation.layouts})
    return (*WRITERS, *layouts, *HARNESSES)


def export_items(
    dataset: str | Path,
    family: str,
    evaluation: Evaluation,
    selection: Selection,
    form: str,
    out: str | Path,
) -> Origin:
    """Export items of a dataset. Those of private tables are left out unless the selection names the table.

    `limit` of the selection is not read. The folder may be there if it is empty.

    Returns:
        What was exported.

    Raises:
        InputError: The dataset, the selection or the folder cannot be used; nothing was written.
        MachineFailed: Memory or disk does not suffice.
    """
    if selection.additions is not None and form not in HARNESSES:
        raise InputError(
            f"{form}: has items and no prompts; --context, --prompt and --as are of {' and '.join(HARNESSES)}"
        )
    source = Source(dataset, family, evaluation, selection)
    with create_folder(Path(out)) as folder:
        origin = _write(source, form, folder)
        origin.write(folder)
    return origin


def _write(source: Source, form: str, folder: Path) -> Origin:
    """Write the files of a format, but for `export.json`."""
    if form in HARNESSES:
        return _write_tasks(source, form, folder)
    if form in WRITERS:
        name, write = WRITERS[form]
        return source.describe(write(iter_rows(source.read_gold()), folder / name))
    layouts = source.evaluation.layouts
    if form not in layouts:
        raise InputError(f"{form}: {source.family} has no such layout")
    return source.describe(write_json_lines(source.iter_layout(layouts[form]), folder / "items.jsonl"))


def _write_tasks(source: Source, form: str, folder: Path) -> Origin:
    """Write the tasks of a harness, and what its module scores by."""
    evaluation, additions = source.evaluation, source.selection.additions or Additions()
    wording, prompts = choose_prompts(source.dataset, source.family, evaluation, additions.wording)
    found = source.read_gold().table
    if "train" in pc.unique(found["split"]).to_pylist():
        raise InputError(f"{form}: few-shot examples come from train; select a set or another split")
    source.describe(found.num_rows)  # refuses an empty selection
    place = (source.dataset, source.family, evaluation, prompts)
    asked = read_asked(*place, found["item_id"].to_pylist(), additions)
    ids = source.select_examples(prompts)
    shown = read_gold(source.dataset, source.family, evaluation, ids=ids)
    shown = shown.open_choices(ids if additions.opens_choices else ())
    described = source.describe(asked.gold.table.num_rows, shown.table["item_id"].to_pylist())
    settings = {**additions.condition.describe(), **({"wording": wording} if wording else {})}
    origin = replace(described, settings=settings, remarks=write_remarks(asked.remarks))
    rows = [list(_iter_task_rows(source, each, prompts, origin)) for each in (asked, Asked(shown))]
    HARNESSES[form](folder, rows[0], rows[1], origin, evaluation.scheme, evaluation.slices)
    write_scorer(folder, asked.gold)
    return origin


def _iter_task_rows(source: Source, asked: Asked, prompts: Prompts, origin: Origin) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of tasks, without what only a scorer reads.

    To a row of `iter_rows` they add `dataset`, its SHA-256, and `family`, by which `everwhen evaluate` knows the logs
    of harnesses; `part`, the value of the first slice, whose values are tasks of their own; and how the item is asked.
    """
    slices = source.evaluation.slices
    replies = read_replies(source.dataset, source.family, prompts.examples, asked.gold.table["item_id"].to_pylist())
    gold = replace(asked.gold, table=asked.gold.table.select([*GOLD_COLUMNS, *slices]))
    for (item, own), row in zip(iter_prompts(asked.gold, prompts), iter_rows(gold), strict=True):
        manner = {"as": asked.manners[item.item_id]} if item.item_id in asked.manners else {}
        context, settings = asked.contexts.get(item.item_id, ()), {**origin.settings, **manner}
        named = {"dataset": origin.content_hash, "family": origin.family, "part": row[slices[0]]}
        yield {**row, **named, **describe_task(item, own, context, replies.get(item.item_id), settings)}
