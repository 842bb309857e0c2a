"""What builds TDBench."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb

from everwhen.families.family_build import FamilyBuild, Items, read_files
from everwhen.families.tdbench.card_notes import note_rejected_records
from everwhen.families.tdbench.config import NAME
from everwhen.families.tdbench.family import FAMILY
from everwhen.families.tdbench.stage import TABLES, run_tdbench
from everwhen.families.tdbench.tables import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, ITEMS, REJECTS, ROWS

FOLDER = Path(__file__).resolve().parent

CITATION = """@misc{tdbench,
  title = {Harnessing Temporal Databases for Systematic Evaluation
           of Factual Time-Sensitive Question-Answering in {LLM}s},
  author = {{Anonymous authors}},
  note = {Paper under double-blind review},
  year = {2025}
}"""

TASKS = {
    "alignment": "what is true on the table's last day",
    "counting": "how often something was so",
    "implicit": "how rows relate to an event that is named",
    "multi_hop": "what was true during an event, over two or three tables",
    "reasoning": "how rows relate to an interval",
    "sets": "questions that may have several answers or columns",
}
"""The tasks, in words."""


def read_licences(dataset: Path) -> dict[str, str | None]:
    """Read the licences of a dataset's tables, by declaration; None where the table must not be passed on."""
    files = sorted(str(path) for path in (dataset / NAME / DECLARATIONS.name).glob("*.parquet"))
    with duckdb.connect() as db:
        found = db.read_parquet(files).select("declaration, licence").order("declaration").fetchall()
    return dict(found)


BUILD = FamilyBuild(
    family=FAMILY,
    run=run_tdbench,
    tables=TABLES,
    published=(ITEMS, ROWS, REJECTS, DECLARATIONS, ACCEPTED_ANSWERS, ITEM_SETS.table),
    items=Items(
        table=ITEMS,
        id="item_id",
        show=("task", "question", "answer"),
        groups=TASKS,
        counts=("task", "declaration", "relation", "cardinality", "granularity", "split"),
        prefer="cardinality <> 'none'",
        split="split",
        sets=ITEM_SETS,
    ),
    evidence=None,
    checks=partial(read_files, FOLDER / "checks"),
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
    citation=CITATION,
    divided={ROWS.name: "declaration"},
    licences=read_licences,
    notes=note_rejected_records,
)
