"""Export tasks for two harnesses, each with a module that calls the family's scorer.

inspect_ai (0.3.285) has one task, whose items and examples are JSON Lines. lm-evaluation-harness (0.4.13) has YAML and
parquet: a group of the family with a task for each value of its first slice, and a group with every choice question as
a choice by log-likelihood. Chat endpoints give no log-likelihoods: the tasks of the first group generate, and have
every question. Few-shot examples come from train.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from everwhen.core.files import write_atomically
from everwhen.evaluate.export.harness import name_measures
from everwhen.evaluate.export.origin import NOTICE, Origin
from everwhen.evaluate.export.text_files import write_json_lines
from everwhen.evaluate.scheme import Scheme

MODULE = "everwhen_export"
"""The module beside the tasks."""

FILES = Path(__file__).with_name("files")

CHOICE = "choice"
"""What the names of tasks by log-likelihood end with."""

SETTINGS = ("wording", "shots", "context", "others", "passages", "run", "as")
"""How an item is asked."""

ROW = pa.schema(
    [
        ("item_id", pa.int64()),
        ("question", pa.string()),
        ("answer", pa.list_(pa.string())),
        ("accepted", pa.list_(pa.list_(pa.string()))),
        ("answer_type", pa.string()),
        ("value_type", pa.string()),
        ("unit", pa.string()),
        ("is_ordered", pa.bool_()),
        ("options", pa.list_(pa.string())),
        ("once", pa.list_(pa.string())),
        ("split", pa.string()),
        ("instruction", pa.string()),
        ("prompt", pa.string()),
        ("context", pa.list_(pa.string())),
        ("settings", pa.struct([(name, pa.string()) for name in SETTINGS])),
        ("target", pa.string()),
        ("choices", pa.list_(pa.string())),
        ("choice", pa.int64()),
        ("dataset", pa.string()),
        ("family", pa.string()),
        ("canary", pa.string()),
    ]
)
"""The columns of the parquet files, before those of the slices; `choice` is the place of the right one, from 0."""


def write_lm_eval(
    folder: Path,
    rows: Iterable[Mapping[str, Any]],
    shots: Iterable[Mapping[str, Any]],
    origin: Origin,
    scheme: Scheme,
    slices: Sequence[str],
) -> None:
    """Write the tasks of a family into an empty folder, from rows of items and of few-shot examples."""
    asked, shown = _group(rows), _group(shots)
    schema = pa.schema([*ROW, *((name, pa.string()) for name in slices)])
    name = f"everwhen_{origin.family}"
    _write_yaml(folder / "_everwhen.yaml", _describe_base(origin, scheme))
    tasks: dict[str, list[str]] = {name: [], f"{name}_{CHOICE}": []}
    for part, items in asked.items():
        for group, members in tasks.items():
            by_likelihood, task = group != name, f"{group}_{part}"
            test, train = (_select(found, by_likelihood) for found in (items, shown.get(part, [])))
            if test:
                members.append(task)
                for split, found in (("test", test), ("train", train)):
                    _write_parquet(folder / "data" / task / f"{split}.parquet", found, schema)
                _write_yaml(folder / f"{task}.yaml", _describe_task(task, part, by_likelihood=by_likelihood))
    for group, members in tasks.items():
        if members:
            _write_yaml(folder / f"{group}.yaml", _describe_group(group, members, origin, scheme))
    module = (FILES / "lm_eval.py.txt").read_text(encoding="utf-8").replace("<FAMILY>", origin.family)
    write_atomically(folder / f"{MODULE}.py", module)


def write_inspect(
    folder: Path,
    rows: Iterable[Mapping[str, Any]],
    shots: Iterable[Mapping[str, Any]],
    origin: Origin,
    scheme: Scheme,
    slices: Sequence[str],
) -> None:
    """Write the task of a family into an empty folder, from rows of items and of few-shot examples."""
    write_json_lines(rows, folder / "items.jsonl")
    write_json_lines(shots, folder / "examples.jsonl")
    text = (FILES / "inspect.py.txt").read_text(encoding="utf-8")
    values = {
        "FAMILY": origin.family,
        "VERSION": origin.version,
        "METADATA": repr(origin.as_metadata()),
        "NOTICE": NOTICE,
        "MEASURES": repr(tuple(name_measures(scheme))),
    }
    for name, value in values.items():
        text = text.replace(f"<{name}>", value)
    write_atomically(folder / f"everwhen_{origin.family}.py", text)


def _select(rows: Iterable[Mapping[str, Any]], by_likelihood: bool) -> list[Mapping[str, Any]]:
    """Select the rows of a task: by log-likelihood those that are a choice."""
    return [row for row in rows if row["choices"] or not by_likelihood]


def _group(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Group rows by their part."""
    part = itemgetter("part")
    return {name: list(found) for name, found in groupby(sorted(rows, key=part), part)}


def _describe_base(origin: Origin, scheme: Scheme) -> dict[str, Any]:
    """Describe what all tasks include."""
    return {
        "custom_dataset": f"!function {MODULE}.load_items",
        "test_split": "test",
        "fewshot_split": "train",
        "fewshot_config": {"sampler": "first_n"},
        "description": "{{instruction}}\n\n",
        "doc_to_text": "prompt",
        "process_results": f"!function {MODULE}.process_results",
        "metric_list": [
            {"metric": name, "aggregation": "mean", "higher_is_better": figure not in scheme.better_if_less}
            for name, figure in name_measures(scheme).items()
        ],
        "metadata": {"version": origin.version, **origin.as_metadata(), "notice": NOTICE},
    }


def _describe_task(task: str, part: str, *, by_likelihood: bool) -> dict[str, Any]:
    """Describe a task: its items are generated, or chosen by log-likelihood."""
    described = {"include": "_everwhen.yaml", "task": task, "task_alias": part, "dataset_kwargs": {"task": task}}
    if by_likelihood:
        return {**described, "output_type": "multiple_choice", "doc_to_choice": "choices", "doc_to_target": "choice"}
    # A base model continues with the next question: what follows is no answer.
    settings = {"until": ["\nQuestion:"], "do_sample": False, "max_gen_toks": 1024}
    return {**described, "output_type": "generate_until", "doc_to_target": "target", "generation_kwargs": settings}


def _describe_group(group: str, members: Sequence[str], origin: Origin, scheme: Scheme) -> dict[str, Any]:
    """Describe a group: its figures are those of all its items.

    Measures that some items have not are those of its tasks alone: the harness would weight them by all items.
    """
    measures = [name for name, figure in name_measures(scheme).items() if figure not in scheme.partial]
    return {
        "group": group,
        "task": list(members),
        "aggregate_metric_list": [{"metric": name, "aggregation": "mean", "weight_by_size": True} for name in measures],
        "metadata": {"version": origin.version, **origin.as_metadata()},
    }


def _write_parquet(path: Path, rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist([{name: row[name] for name in schema.names} for row in rows], schema)
    pq.write_table(table, path, compression="zstd", store_schema=False)


def _write_yaml(path: Path, data: Mapping[str, Any]) -> None:
    """Write YAML; texts that begin with `!function` become tags of the harness."""
    text = yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True, width=1_000)
    lines = [
        line.replace("'!function ", "!function ").removesuffix("'") if "'!function " in line else line
        for line in text.splitlines()
    ]
    write_atomically(path, "\n".join(lines) + "\n")
