"""The table that a build ends with."""

from __future__ import annotations

import json

from rich.markup import escape
from rich.table import Table as Grid

from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.storage import Folder
from everwhen.publish.card import type_name
from everwhen.publish.dataset import dataset_folder
from everwhen.publish.report import checks_passed


def print_summary(build: Build, *, seconds: float) -> None:
    """Print what came of a build: rows, rejects, checks, time, place, and five questions to read.

    Args:
        build: The build, its dataset published.
        seconds: How long it took.

    Raises:
        InputError: There is no published dataset.
    """
    path = dataset_folder(build.root, build.config)
    text = Folder(build.spark, path).read("report.json")
    if text is None:
        raise InputError(f"{path}: no published dataset")
    report = json.loads(text)
    rows = Grid("type", "questions", title=f"everwhen {report['version']}: {report['rows']:,} questions")
    rows.columns[1].justify = "right"
    for code, count in report["rows_by_type"].items():
        rows.add_row(type_name(code), f"{count:,}")
    rejects = Grid("stage", "record type", "rejected because", "records", title="Rejects")
    rejects.columns[3].justify = "right"
    for book in report["record_counts"]:
        if book["status"] == "rejected":
            rejects.add_row(book["stage"], book["record_type"], escape(book["reason"]), f"{book['records']:,}")
    examples = Grid("type", "question", "answer", title="To read")
    for row in report["to_read"]:
        examples.add_row(row["type"], escape(row["question"]), escape(", ".join(row["answer"])))
    for grid in (rejects, rows, examples):
        build.console.print(grid)
    build.console.print(f"Checks:  {checks_passed(report)}")
    build.console.print(f"Seconds: {seconds:.0f}")
    build.console.print(f"Parquet: {escape(path)}/questions", soft_wrap=True)
