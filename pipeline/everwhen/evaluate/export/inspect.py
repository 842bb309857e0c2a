"""Export a task for inspect_ai (0.3.285): items and examples as JSON Lines, and one module that calls our scorer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from everwhen.core.files import write_atomically
from everwhen.evaluate.export.harness import MEASURES
from everwhen.evaluate.export.origin import NOTICE, Origin
from everwhen.evaluate.export.text_files import write_json_lines

FILES = Path(__file__).with_name("files")


def write_task(
    folder: Path,
    rows: Iterable[Mapping[str, Any]],
    shots: Iterable[Mapping[str, Any]],
    instruction: str,
    origin: Origin,
) -> None:
    """Write the task of a family.

    Args:
        folder: The folder, which is empty.
        rows: The items, as rows of `add_task_columns`.
        shots: The few-shot examples, likewise.
        instruction: What to do, before the first question.
        origin: What is exported.
    """
    write_json_lines(rows, folder / "items.jsonl")
    write_json_lines(shots, folder / "examples.jsonl")
    text = (FILES / "inspect.py.txt").read_text(encoding="utf-8")
    values = {
        "FAMILY": origin.family,
        "VERSION": origin.version,
        "METADATA": repr(origin.as_metadata()),
        "NOTICE": NOTICE,
        "INSTRUCTION": repr(instruction),
        "MEASURES": repr(tuple(MEASURES)),
    }
    for name, value in values.items():
        text = text.replace(f"<{name}>", value)
    write_atomically(folder / f"everwhen_{origin.family}.py", text)
