"""Questions written in Spark columns: every form in every wording, values that are no words, answers given away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.families.tdbench.texts.write import write_texts
from everwhen.language.lint import find_lint_error
from tdbench_words import DECLARATIONS, SCOPES, build_item, list_items

GOLDEN = Path(__file__).with_name("questions.txt")
SCHEMA = (
    "item_id bigint, declaration string, scope_id string, task string, relation string, is_short boolean,"
    " given array<struct<column:string,value:string>>, asked array<string>, answer array<string>, granularity string,"
    " b_start date, b_end date, offset_months int, as_of date, counted int, is_at_least boolean"
)
LEADERS = SCOPES[0]

pytestmark = pytest.mark.spark


def write(spark: SparkSession, items: Iterable[Mapping[str, Any]], **settings: int) -> list[dict[str, Any]]:
    names = [column.split()[0] for column in SCHEMA.replace("struct<column:string,value:string>", "x").split(", ")]
    bindings = spark.createDataFrame([tuple(item[name] for name in names) for item in items], SCHEMA)
    written: DataFrame = write_texts(
        bindings.withColumn("event", F.lit(None).cast("string")), DECLARATIONS, SCOPES, **settings
    )
    return [row.asDict(recursive=True) for row in written.collect()]


@pytest.fixture(scope="module")
def rows(spark: SparkSession) -> list[dict[str, Any]]:
    return write(spark, list_items(), wordings=3)


def test_every_question_reads_as_before(rows: list[dict[str, Any]], request: pytest.FixtureRequest) -> None:
    columns = ("scope_id", "task", "granularity", "relation", "is_short", "counted", "is_at_least", "wording")
    found = sorted(rows, key=lambda row: tuple(str(row[column]) for column in columns))
    lines = "".join(
        f"{row['scope_id']} {row['task']} {row['relation']}{' short' if row['is_short'] else ''} {row['granularity']}"
        f" {row['wording']}: {row['question']}\n"
        for row in found
    )
    if request.config.getoption("--golden-update"):
        GOLDEN.write_text(lines, encoding="utf-8")
    assert lines == GOLDEN.read_text(encoding="utf-8")


def test_every_question_is_sound(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 3 * len(list_items())
    assert {row["text_error"] for row in rows} == {None}
    for row in rows:
        assert find_lint_error(row["question"], row["answer"], choice=False, comparison=False) is None, row["question"]


def test_an_item_has_three_wordings_and_three_ids(rows: list[dict[str, Any]]) -> None:
    assert len({row["item_id"] for row in rows}) == len(rows)
    assert len({row["question"] for row in rows}) == len(rows)


HOSTILE = ["{Role}", 'O\'Brien \\ "x"', "<b>a</b>", "'; DROP TABLE rows; --", "$1 \\1", "given:Role", "a\u00a0b"]
REJECTED = [
    ({"answer": ["Brazil"]}, "the answer stands in the question"),
    ({"answer": ["Chile | Brazil"]}, "the answer stands in the question"),
    ({"given": [{"column": "Role", "value": "king"}]}, "a slot of the question has no value"),
    ({"b_start": None}, "a slot of the question has no value"),
    ({"given": [{"column": "Country", "value": "Sri  Lanka"}, {"column": "Role", "value": "x"}]}, "doubled space"),
]


@pytest.fixture(scope="module")
def odd(spark: SparkSession) -> dict[int, dict[str, Any]]:
    """By number: items with hostile values, then items that are rejected, in one wording each."""
    item = build_item(LEADERS, "reasoning", "before", "day")
    given = [[{"column": "Country", "value": value}, {"column": "Role", "value": "king"}] for value in HOSTILE]
    items = [{**item, "given": each} for each in given] + [{**item, **change} for change, _ in REJECTED]
    return {row["item_id"]: row for row in write(spark, [{**each, "item_id": n} for n, each in enumerate(items)])}


def test_values_are_no_part_of_the_grammar(odd: dict[int, dict[str, Any]]) -> None:
    assert all(f"king of {value}" in odd[number]["question"] for number, value in enumerate(HOSTILE))


def test_a_wording_is_chosen_by_hash(odd: dict[int, dict[str, Any]]) -> None:
    assert len(odd) == len(HOSTILE) + len(REJECTED)
    assert {row["wording"] for row in odd.values()} == {0, 1, 2}


@pytest.mark.parametrize(("number", "reason"), list(enumerate((reason for _, reason in REJECTED), len(HOSTILE))))
def test_rejects(odd: dict[int, dict[str, Any]], number: int, reason: str) -> None:
    assert odd[number]["text_error"] == reason


def test_the_event_is_named(rows: list[dict[str, Any]]) -> None:
    events = {row["scope_id"]: row["event"] for row in rows}
    assert events["leaders/2 hops"] == "the Rio 2016 Olympics"
    assert events["leaders/3 hops"] == "the 31st Summer Olympics"
    assert events[LEADERS.scope_id] is None
