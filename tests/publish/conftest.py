"""A tiny build whose stages are done: two questions, the facts they rest on, and the books."""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.table import Table
from everwhen.families.complextempqa.build import BUILD
from everwhen.families.complextempqa.checks.render import Rule, render_checks
from everwhen.families.complextempqa.render.write import QuestionFile
from everwhen.families.complextempqa.tables import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, QUESTIONS
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.evidence import EVIDENCE, EVIDENCE_ENTITIES, EVIDENCE_POPULARITY
from everwhen.tables.facts import LIST_MEMBERS, SUBCLASSES
from everwhen.tables.labels import LABELS
from everwhen.tables.record_counts import record_counts
from tiny_dataset import select_checks

DAY = dt.date(1991, 7, 11)
QUESTION = {
    "question_id": 1,
    "question": "On what date was Nigeria Airways Flight 2120?",
    "answer": ["1991-07-11"],
    "type": "1ac",
    "question_entity": [7],
    "answer_entity": [],
    "question_country_entity": [],
    "answer_country_entity": [],
    "hops": [],
    "descriptions": [],
    "rating": 0,
    "is_unnamed": False,
    "timeframe": (DAY, DAY),
    "template_id": "attribute.event.date",
    "template_version": 1,
    "wording": 0,
    "property": 585,
    "topic": "medtop:20000144",
    "split": "train",
    "year": 1991,
    "calendar": "gregorian",
    "head_entity": 7,
}
OTHER = {
    **QUESTION,
    "question_id": 2,
    "question": "When was [Flight] 2120?",
    "type": "1bc",
    "split": "test",
    "wording": 1,
}
STATEMENT = {
    "statement_id": "Q7$a",
    "subject": 7,
    "property": 585,
    "rank": "normal",
    "snak": "value",
    "datatype": "time",
    "value_text": "+1991-07-11T00:00:00Z",
    "first_day": DAY,
    "last_day": DAY,
    "precision": 11,
    "calendar": "gregorian",
}
INSTANCE = {
    "statement_id": "Q7$b",
    "subject": 7,
    "property": 31,
    "rank": "normal",
    "snak": "value",
    "datatype": "wikibase-item",
    "value_item": 744913,
}
RATED = {"entity": 7, "population": "events", "member": True, "views": 5, "popular": True}
ITEM = {"item": 7, "label": "Nigeria Airways Flight 2120", "aliases": [], "revision": 1, "file": "dump.json"}
BORNE = {
    "item": 7,
    "kind": "label",
    "text": "Nigeria Airways Flight 2120",
    "key": "nigeria airways flight 2120",
    "classes": [744913],
    "memberships": [],
}
IN = {"record_type": "line", "status": "input", "reason": "", "records": 3, "examples": []}
KEPT = {**IN, "status": "kept", "records": 2}
REJECTED = {**IN, "status": "rejected", "reason": "no JSON | here", "records": 1, "examples": ["{"]}

CHECK = """
SELECT q.question_id, [day_text(t.stated_date, t.precision)] AS answer, [t.statement_id] AS facts
FROM q JOIN single_times t ON t.subject = q.question_entity[1] AND t.property = q.property
"""
RULE = Rule("attribute.event.date", 1, CHECK)
SOURCES = {"dump.json": "sha256:1"}

Staged = Callable[..., Path]


@pytest.fixture(scope="session")
def family() -> FamilyBuild:
    """ComplexTempQA with the check of one template."""
    return replace(BUILD, checks=lambda: select_checks(render_checks([RULE], {})))


@pytest.fixture(scope="session")
def build_of(spark: SparkSession, config: Config) -> Callable[[Path], Build]:
    """A build in a folder that holds staged tables."""
    return lambda root: Build(spark, config, str(root), SOURCES, Console(file=io.StringIO(), width=200))


@pytest.fixture(scope="session")
def config() -> Config:
    return Config(version="0.1", snapshot="2025-01-01")


def stage(spark: SparkSession, root: Path, **changes: Any) -> Path:
    """Write the tables of a build below `root`; changes may be made to its questions."""

    def write(table: Table, *rows: dict[str, Any]) -> None:
        values = [tuple(row.get(c.name) for c in table.columns) for row in rows]
        table.write(spark.createDataFrame(values, table.schema).coalesce(1), str(root))

    _write_questions(spark, root, {**QUESTION, **changes}, {**OTHER, **changes})
    write(ACCEPTED_ANSWERS)
    write(DECLARATIONS)
    write(ITEM_SETS.table, *({"item_set": name, **OTHER, **changes} for name in ("lite-1000", "lite-10000")))
    write(EVIDENCE, STATEMENT, INSTANCE)
    write(EVIDENCE_ENTITIES, ITEM)
    write(SUBCLASSES, {"class": 744913, "root": 744913})
    write(LIST_MEMBERS)
    write(EVIDENCE_POPULARITY, RATED)
    write(LABELS, BORNE)
    for name in ("facts", "world", "complextempqa"):
        write(record_counts(name), IN, KEPT, REJECTED)
    return root


def _write_questions(spark: SparkSession, root: Path, *rows: dict[str, Any]) -> None:
    """The questions as their tasks write them: a file for each split."""
    folder = root / QUESTIONS.stage / QUESTIONS.name / "rows-1"
    df = spark.createDataFrame(
        [tuple(row.get(c.name) for c in QUESTIONS.columns) for row in rows], QUESTIONS.schema
    ).toArrow()
    files = []
    for split in sorted({row["split"] for row in rows}):
        sink = QuestionFile(str(folder), f"{split}-whole-00000", to_arrow_schema(QUESTIONS.schema), len(rows))
        sink.add(df.filter(pc.equal(df["split"], split)))
        line = sink.close()
        files.append({"name": line["name"], "rows": line["rows"], **json.loads(line["about"])})
    QUESTIONS.commit(spark, str(root), "rows-1", files)


@pytest.fixture
def staged(spark: SparkSession, tmp_path: Path) -> Staged:
    """Write the tables of a build; changes may be made to its questions."""
    return partial(stage, spark, tmp_path / "build")


@pytest.fixture(scope="session")
def once_staged(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tables for tests that leave them as they are."""
    return stage(spark, tmp_path_factory.mktemp("staged") / "build")
