from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.hashing import DuplicateIdError, refuse_duplicate_ids
from everwhen.families.complextempqa.bind.bindings import _union, apply_budgets, select_judged
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import load_templates
from table_rows import build_table

pytestmark = pytest.mark.spark


def test_two_bindings_of_one_id_end_the_build_and_are_named(spark: SparkSession) -> None:
    rows = [{"question_id": n, "template_id": name, "slots": [(n, "name", None)]} for n, name in [(1, "a"), (2, "b")]]
    shown = F.to_json(F.struct("template_id", "slots"))
    refuse_duplicate_ids(build_table(spark, BINDINGS, rows), "question_id", shown)
    same = [*rows, {"question_id": 2, "template_id": "c", "slots": [(None, "text", "x")]}]
    with pytest.raises(DuplicateIdError, match=r'question_id 2 belongs to two of them: .*"b".*  and  .*"c"'):
        refuse_duplicate_ids(build_table(spark, BINDINGS, same), "question_id", shown)


def test_all_rows_of_data_frames_are_united(spark: SparkSession) -> None:
    for n in (1, 2, 5, 8):
        rows = _union([spark.createDataFrame([(i,)], "n int") for i in range(n)]).collect()
        assert [row.n for row in rows] == list(range(n))


def with_budgets(small_build: Build, budgets: list[dict[str, Any]]) -> Build:
    """The small world with these budgets."""
    chosen = {"complextempqa": {**read_settings(small_build.config).model_dump(), "budgets": budgets}}
    return Build(small_build.spark, small_build.config.model_copy(update={"families": chosen}), small_build.root)


def bindings(spark: SparkSession, *rows: tuple[int, str, bool, str | None]) -> Any:
    """Whole bindings: id, template, whether unnamed, and the reason against them."""
    plain = [
        {"question_id": n, "template_id": name, "slots": [(1, "description" if unnamed else "name", None)]}
        for n, name, unnamed, _ in rows
    ]
    reasons = spark.createDataFrame([(n, reason) for n, *_, reason in rows], "question_id bigint, reason string")
    return (
        build_table(spark, BINDINGS, plain)
        .join(reasons, on="question_id")
        .select(*(c.name for c in BINDINGS.columns), "reason")
    )


def test_of_enumerated_bindings_the_least_ids_are_within_the_budget(small_build: Build) -> None:
    value, date, country = "attribute.event.value", "attribute.event.date", "attribute.event.country"
    build = with_budgets(small_build, budgets=[{"templates": ["*.value", date], "rows": 3, "unnamed": 1}])
    templates = [t for t in load_templates() if t.id in (value, date, country)]
    rows = [
        *((10, value, False, None), (11, date, False, None), (12, value, False, None), (13, date, False, None)),
        # What is rejected anyway takes nobody's place, and keeps its reason.
        *((1, value, False, "odd"), (14, value, False, "odd")),
        *((20, value, True, None), (21, date, True, None)),
        *((30, country, False, None), (31, country, True, None), (32, country, False, "odd")),
    ]
    judged = select_judged(bindings(small_build.spark, *rows))
    found = apply_budgets(judged, build, templates)
    assert found.columns == judged.columns
    reasons = {r.question_id: r.reason for r in found.collect()}
    assert reasons == {n: BindingReason.OVER_BUDGET if n in (13, 21) else reason for n, *_, reason in rows}
    assert apply_budgets(judged, small_build, templates) is judged


def with_paths(bound: Any, ends: dict[int, int | None]) -> Any:
    """Bindings of questions about attributes, with the property at the end of their path by id; None: no path."""
    rows = bound.sparkSession.createDataFrame(list(ends.items()), "question_id bigint, end int")
    hops = F.when(F.col("end").isNull(), F.array().cast("array<int>")).otherwise(F.array("end"))
    return (
        bound.drop("type", "hops", "property")
        .join(rows, on="question_id")
        .withColumns({"type": F.lit("1a"), "hops": hops, "property": F.col("end")})
        .select(*bound.columns)
    )


def test_a_budget_takes_as_many_of_each_path(small_build: Build) -> None:
    item = "attribute.event.hop_item"
    build = with_budgets(small_build, budgets=[{"templates": [item], "rows": 5}])
    templates = [t for t in load_templates() if t.id == item]
    paths: dict[int, int | None] = {1: 36, 2: 36, 3: 36, 4: 36, 5: 36, 6: 19, 7: 19, 8: 17}
    judged = select_judged(with_paths(bindings(small_build.spark, *((n, item, False, None) for n in paths)), paths))
    kept = {r.question_id for r in apply_budgets(judged, build, templates).where("reason IS NULL").collect()}
    assert kept == {1, 2, 6, 7, 8}


def test_ids_decide_how_many_of_a_budget_follow_a_path(small_build: Build) -> None:
    item, date = "attribute.event.hop_item", "attribute.event.date"
    build = with_budgets(small_build, budgets=[{"templates": [item, date], "rows": 4}])
    templates = [t for t in load_templates() if t.id in (item, date)]
    paths: dict[int, int | None] = {1: None, 2: 36, 3: 36, 4: None, 5: None, 6: 19}
    rows = ((n, date if end is None else item, False, None) for n, end in paths.items())
    judged = select_judged(with_paths(bindings(small_build.spark, *rows), paths))
    kept = {r.question_id for r in apply_budgets(judged, build, templates).where("reason IS NULL").collect()}
    assert kept == {1, 2, 4, 6}


def test_a_budget_of_none_asks_nothing(small_build: Build) -> None:
    templates = [t for t in load_templates() if t.id == "attribute.event.value"]
    build = with_budgets(small_build, budgets=[{"templates": ["attribute.*"], "rows": 0}])
    rows = ((n, templates[0].id, n == 2, None) for n in (1, 2))
    judged = select_judged(bindings(small_build.spark, *rows))
    assert {r.reason for r in apply_budgets(judged, build, templates).collect()} == {BindingReason.OVER_BUDGET}
