"""Export a task for inspect_ai (0.3.285): items and examples as JSON Lines, and a module that calls the scorer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from everwhen.core.files import write_atomically
from everwhen.evaluate.export.harness import name_measures
from everwhen.evaluate.export.origin import NOTICE, Origin
from everwhen.evaluate.export.text_files import write_json_lines
from everwhen.evaluate.scheme import Scheme

FILES = Path(__file__).with_name("files")


def write_task(
    folder: Path,
    rows: Iterable[Mapping[str, Any]],
    shots: Iterable[Mapping[str, Any]],
    origin: Origin,
    scheme: Scheme,
    slices: Sequence[str],
) -> None:
    """Write the task of a family.

    Args:
        folder: The folder, which is empty.
        rows: The items, as rows of `add_task_columns`.
        shots: The few-shot examples, likewise.
        origin: What is exported.
        scheme: The figures of the family's scorer.
        slices: The columns that scores are tabulated by, which rows have anyway.
    """
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
