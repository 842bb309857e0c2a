"""One sound row of each table that has a suite; a test plants its fault in a copy."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from everwhen.core.table import Table
from everwhen.families.complextempqa.tables import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, QUESTIONS
from everwhen.publish.evidence import EVIDENCE, EVIDENCE_ENTITIES, EVIDENCE_POPULARITY
from everwhen.tables.facts import LIST_MEMBERS, SUBCLASSES
from everwhen.tables.labels import LABELS
from everwhen.tables.world import SUBJECTS
from schemas import convert_schema

DAY = dt.date(1991, 7, 11)

COUNTS = ("records_in", "records_out", "unexplained", "unknown", "least")
RECORD_COUNTS = pa.schema([("record_type", pa.string()), *((name, pa.int64()) for name in COUNTS)])

PROFILE = {
    "statement_id": "Q1$a",
    "kind": "closed",
    "reason": None,
    "rank": "normal",
    "snak": "value",
    "start_snak": "value",
    "end_snak": "value",
    "point_snak": None,
    "start_bounds": "ordered",
    "end_bounds": "ordered",
    "point_bounds": "none",
    "ends_after_start": True,
    "bounds_agree": False,
}
FLAGS = ("ends_after_start", "bounds_agree")
PROFILES = pa.schema([(name, pa.bool_() if name in FLAGS else pa.string()) for name in PROFILE])

SOUND: dict[str, tuple[Table | pa.Schema, dict[str, Any]]] = {
    "statements": (
        EVIDENCE,
        {
            "statement_id": "Q1$a",
            "subject": 1,
            "property": 39,
            "rank": "normal",
            "snak": "value",
            "datatype": "wikibase-item",
            "value_item": 2,
            "start_time": {
                "snak": "value",
                "first_day": DAY,
                "last_day": DAY,
                "precision": 11,
                "calendar": "gregorian",
            },
            "end_time": {"snak": "somevalue"},
        },
    ),
    "subjects": (
        SUBJECTS,
        {
            "item_id": 1,
            "kind": "event",
            "list": "aviation_accidents",
            "name": "Nigeria Airways Flight 2120",
            "earliest_start": DAY,
            "latest_start": DAY,
            "earliest_end": DAY,
            "latest_end": DAY,
            "start_precision": 11,
            "precision": 11,
            "extent": "instant",
            "countries": [851],
            "source": "list",
            "is_popular": False,
            "topic": "medtop:20000144",
            "split": "train",
        },
    ),
    "questions": (
        QUESTIONS,
        {
            "question_id": 1,
            "question": "On what date was Nigeria Airways Flight 2120?",
            "answer": ["1991-07-11"],
            "type": "1ac",
            "question_entity": [1],
            "answer_entity": [],
            "question_country_entity": [851],
            "answer_country_entity": [],
            "hops": [],
            "rating": 0,
            "is_unnamed": False,
            "timeframe": {"start": DAY, "end": DAY},
            "template_id": "attribute.event.date",
            "template_version": 1,
            "wording": 0,
            "property": 585,
            "topic": "medtop:20000144",
            "split": "train",
            "year": 1991,
            "head_entity": 1,
        },
    ),
    "entities": (
        EVIDENCE_ENTITIES,
        {"item": 7, "label": "Nigeria Airways Flight 2120", "aliases": ["WT2120"], "revision": 12},
    ),
    "labels": (
        LABELS,
        {
            "item": 7,
            "kind": "label",
            "text": "Nigeria Airways Flight 2120",
            "key": "nigeria airways flight 2120",
            "classes": [744913],
            "memberships": [{"list": "aviation_accidents", "first_day": DAY, "last_day": DAY}],
        },
    ),
    "subclasses": (SUBCLASSES, {"class": 744913, "root": 744913}),
    "list_members": (LIST_MEMBERS, {"list": "films", "item": 7}),
    "accepted_answers": (ACCEPTED_ANSWERS, {"answer": "Q7", "kind": "alias", "text": "WT2120"}),
    "declarations": (
        DECLARATIONS,
        {
            "number": 1,
            "what": "position",
            "item": 11696,
            "since": 1990,
            "until": 2023,
            "members": 6,
            "found": 6,
            "is_complete": True,
            "source": "me",
        },
    ),
    "popularity": (
        EVIDENCE_POPULARITY,
        {"entity": 7, "population": "events", "member": True, "views": 5, "popular": True},
    ),
    "temporal_facts": (PROFILES, PROFILE),
    "record_counts": (
        RECORD_COUNTS,
        {"record_type": "line", "records_in": 3, "records_out": 3, "unexplained": 0, "unknown": 0, "least": 0},
    ),
}
SOUND["item_sets"] = (ITEM_SETS.table, {**SOUND["questions"][1], "item_set": "lite-1000", "split": "test"})

Planted = Callable[..., duckdb.DuckDBPyConnection]


@pytest.fixture
def planted() -> Planted:
    """A connection that has a table: the sound row, once for each set of changes."""

    def make(name: str, *changes: dict[str, Any]) -> duckdb.DuckDBPyConnection:
        table, sound = SOUND[name]
        schema = convert_schema(table) if isinstance(table, Table) else table
        schema = pa.schema([field.with_nullable(True) for field in schema])
        rows = [{column: {**sound, **change}.get(column) for column in schema.names} for change in changes]
        db = duckdb.connect()
        db.register(name, pa.Table.from_pylist(rows, schema=schema))
        return db

    return make
