"""Write an export: select the items, and have its format written into a folder that appears complete or not at all."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.files import write_atomically
from everwhen.evaluate.ask.examples import read_replies
from everwhen.evaluate.ask.prepare import Additions, Asked, choose_prompts, iter_prompts, read_asked
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.export.examples import select_examples
from everwhen.evaluate.export.folder import EXPORT, create_folder
from everwhen.evaluate.export.harness import write_scorer
from everwhen.evaluate.export.inspect import write_task
from everwhen.evaluate.export.layout import iter_layout
from everwhen.evaluate.export.licences import Kept, Licences
from everwhen.evaluate.export.lm_eval import write_tasks
from everwhen.evaluate.export.origin import Origin, describe_origin
from everwhen.evaluate.export.rows import AskedItem, add_task_columns, iter_rows
from everwhen.evaluate.export.text_files import WRITERS, write_json_lines
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import GOLD_COLUMNS, Gold
from everwhen.evaluate.prompts import Prompts
from everwhen.validate.manifest import load_manifest

HARNESSES = {"lm-eval": write_tasks, "inspect": write_task}
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

    Args:
        dataset: Folder of the dataset.
        family: Name of the family.
        evaluation: What the family declares.
        selection: Which items; `limit` is not read.
        form: The format, one of `list_formats`.
        out: The folder to write; it may be there if it is empty.

    Returns:
        What was exported.

    Raises:
        InputError: The dataset, the selection or the folder cannot be used; nothing was written.
        MachineFailed: Memory or disk does not suffice.
    """
    manifest = load_manifest(dataset)
    if selection.additions is not None and form not in HARNESSES:
        raise InputError(
            f"{form}: has items and no prompts; --context, --prompt and --as are of {' and '.join(HARNESSES)}"
        )
    licences = Licences(dataset, manifest, family, evaluation, selection.private)
    source = _Source(dataset, manifest, family, evaluation, licences, licences.keep_open(selection))
    with create_folder(Path(out)) as folder:
        origin = _write(source, form, folder)
        write_atomically(folder / EXPORT, json.dumps(origin.as_json(), indent=1, ensure_ascii=False) + "\n")
    return origin


@dataclass(frozen=True)
class _Source:
    """What is exported."""

    dataset: str | Path
    manifest: Mapping[str, Any]
    family: str
    evaluation: Evaluation
    licences: Licences
    kept: Kept

    @property
    def additions(self) -> Additions:
        """With which prompt and context items are asked."""
        return self.kept.selection.additions or Additions()

    def read_gold(self) -> Gold:
        """Read the items."""
        chosen = self.kept.selection
        conditions: dict[str, Any] = {"ids": chosen.ids, "split": chosen.split, "item_set": chosen.item_set}
        return read_gold(self.dataset, self.family, self.evaluation, **conditions)

    def describe(self, items: int, examples: Collection[int] = ()) -> Origin:
        """Describe what was exported.

        Args:
            items: How many items.
            examples: The ids of few-shot examples beside them.

        Raises:
            InputError: There are no items.
        """
        if not items and self.kept.left_out:
            tables = ", ".join(self.kept.left_out)
            raise InputError(
                f"{self.dataset}: every selected item is of a private table ({tables}), so nothing is exported;"
                " --private TABLE exports those of TABLE"
            )
        if not items:
            raise InputError(f"{self.dataset}: no item of {self.family} is selected, so nothing is exported")
        licences = self.licences.find_licences(self.kept.selection)
        if examples:
            licences |= self.licences.find_licences(Selection(ids=examples))
        left_out = self.kept.left_out
        return describe_origin(
            self.manifest, self.family, self.kept.selection, items=items, licences=licences, left_out=left_out
        )


def _write(source: _Source, form: str, folder: Path) -> Origin:
    """Write the files of a format, but for `export.json`."""
    if form in HARNESSES:
        return _write_tasks(source, form, folder)
    if form in WRITERS:
        name, write = WRITERS[form]
        return source.describe(write(iter_rows(source.read_gold()), folder / name))
    layouts = source.evaluation.layouts
    if form not in layouts:
        raise InputError(f"{form}: {source.family} has no such layout")
    rows = iter_layout(source.dataset, source.manifest, source.family, layouts[form], source.kept.selection)
    return source.describe(write_json_lines(rows, folder / "items.jsonl"))


def _write_tasks(source: _Source, form: str, folder: Path) -> Origin:
    """Write the tasks of a harness, and what its module scores by."""
    evaluation, additions = source.evaluation, source.additions
    wording, prompts = choose_prompts(source.dataset, source.family, evaluation, additions.wording)
    found = source.read_gold().table
    if "train" in pc.unique(found["split"]).to_pylist():
        raise InputError(f"{form}: few-shot examples come from train; select a set or another split")
    source.describe(found.num_rows)  # refuses an empty selection
    place = (source.dataset, source.family, evaluation, prompts)
    asked = read_asked(*place, found["item_id"].to_pylist(), additions)
    ids = select_examples(source.dataset, source.manifest, source.family, prompts, source.licences)
    shown = read_gold(source.dataset, source.family, evaluation, ids=ids)
    shown = shown.open_choices(ids if additions.opens_choices else ())
    remarks = [text.format(count_noun(n, noun)) for (noun, text), n in asked.remarks.items() if n]
    described = source.describe(asked.gold.table.num_rows, shown.table["item_id"].to_pylist())
    settings = {**additions.condition.describe(), **({"wording": wording} if wording else {})}
    origin = replace(described, settings=settings, remarks=remarks)
    rows = [list(_iter_task_rows(source, each, prompts, origin)) for each in (asked, Asked(shown))]
    HARNESSES[form](folder, rows[0], rows[1], origin, evaluation.scheme, evaluation.slices)
    write_scorer(folder, asked.gold)
    return origin


def _iter_task_rows(source: _Source, asked: Asked, prompts: Prompts, origin: Origin) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of tasks, each with how its item is asked; what only a scorer reads is left out."""
    evaluation = source.evaluation
    replies = read_replies(source.dataset, source.family, prompts.examples, asked.gold.table["item_id"].to_pylist())
    kept = [*GOLD_COLUMNS, *evaluation.slices]
    gold = replace(asked.gold, table=asked.gold.table.select(kept))
    for (item, own), row in zip(iter_prompts(asked.gold, prompts), iter_rows(gold), strict=True):
        manner = {"as": asked.manners[item.item_id]} if item.item_id in asked.manners else {}
        context = asked.contexts.get(item.item_id, ())
        one = AskedItem(item, own, context, replies.get(item.item_id), {**origin.settings, **manner})
        yield add_task_columns(row, evaluation.slices[0], one, origin)
