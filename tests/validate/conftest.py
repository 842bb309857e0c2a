"""One sound row of each table that has a suite; a test plants its fault in a copy."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from pipeline.tables.accounts import accounts
from pipeline.tables.events import EVENTS
from pipeline.tables.questions import QUESTIONS
from pipeline.tables.statements import STATEMENTS
from pipeline.tables.table import Table

DAY = dt.date(1991, 7, 11)

SOUND: dict[str, tuple[Table, dict[str, Any]]] = {
    "statements": (
        STATEMENTS,
        {
            "statement_id": "Q1$a",
            "subject": 1,
            "property": 39,
            "rank": "normal",
            "snak": "value",
            "datatype": "wikibase-item",
            "value_item": 2,
            "start_time": ("value", DAY, DAY, 11),
            "end_time": ("somevalue", None, None, None),
        },
    ),
    "events": (
        EVENTS,
        {
            "event": 1,
            "list": "aviation_accidents",
            "name": "Nigeria Airways Flight 2120",
            "first_day": DAY,
            "last_day": DAY,
            "start_last": DAY,
            "start_precision": 11,
            "precision": 11,
            "extent": "instant",
            "countries": [851],
            "source": "list",
            "popular": False,
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
            "timeframe": (DAY, DAY),
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
    "accounts": (
        accounts("facts"),
        {"unit": "line", "outcome": "in", "reason": "", "units": 0, "examples": []},
    ),
}

Frame = Callable[..., DataFrame]


@pytest.fixture(scope="session")
def frame(spark: SparkSession) -> Frame:
    """A frame of a table: the sound row, once for each set of changes."""

    def make(name: str, *changes: dict[str, Any]) -> DataFrame:
        table, sound = SOUND[name]
        rows = [{**sound, **change} for change in changes]
        schema = table.schema
        for field in schema.fields:
            field.nullable = True
        return spark.createDataFrame([tuple(row.get(c.name) for c in table.columns) for row in rows], schema)

    return make
