"""Rows that end after the last day of which their table knows: what is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Config
from everwhen.families.tdbench.bind.items import bind_items
from everwhen.families.tdbench.bind.steps import BindSettings
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.rows import read_tables
from everwhen.families.tdbench.scopes import derive_scopes

pytestmark = pytest.mark.spark

CSV = """Product,Release,Since,Until
Alpha,1.0,2015-03-01,2022-03-12
Alpha,2.0,2022-03-12,2027-05-01
Beta,1.0,2015-03-01,2022-03-12
Beta,2.0,2022-03-12,present
Gamma,1.0,2015-03-01,2022-03-12
Gamma,2.0,2022-03-12,2025-01
Delta,1.0,2015-03-01,2025-01-02
Delta,2.0,2025-01-02,2026
"""


@pytest.fixture
def items(spark: SparkSession, declare: Callable[..., Declaration]) -> list[Any]:
    declaration = declare(
        CSV,
        "start: Since, end: Until, as_of: 2025-01-02",
        "tfds: [{given: [Product], determines: [Release]}]",
    )
    source, scopes = read_tables(spark, [declaration]), derive_scopes([declaration])
    rows = source.rows
    settings = BindSettings(Config(version="t", snapshot="s"), size=300, is_short=False)
    return list(bind_items(rows, scopes, [declaration], source.unasked, settings).items.collect())


def test_a_planned_end_is_a_known_end(items: list[Any]) -> None:
    current = {item.given[0].value: (item.answer, item.sql) for item in items if item.relation == "current"}
    assert {key: answer for key, (answer, _) in current.items()} == {"Alpha": ["2.0"], "Beta": ["2.0"]}
    assert "AND (r.earliest_end IS NULL OR r.earliest_end > DATE '2025-01-02') ORDER BY" in current["Alpha"][1]
    assert "AND r.latest_end IS NULL ORDER BY" in current["Beta"][1]
    ends = {
        (item.given[0].value, each.date)
        for item in items
        for each in item.references
        if each.role == "end" and each.answer == "2.0"
    }
    assert {("Alpha", "2027-05-01"), ("Beta", "still")} <= ends
    assert ("Alpha", "still") not in ends
    assert all(str(day) <= "2025-01-02" for item in items for day in (item.b_start, item.b_end) if day is not None)
