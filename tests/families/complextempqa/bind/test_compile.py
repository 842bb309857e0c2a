from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.bind.compile import (
    METADATA_COLUMNS,
    add_ids,
    bind_template,
    format_date,
    format_number,
    is_described,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import Template
from table_rows import build_table, parse_day

pytestmark = pytest.mark.spark

DEATHS: dict[str, Any] = {
    "id": "attribute.event.deaths",
    "version": 1,
    "type": "1a",
    "relation": "single_value",
    "params": {"keys": ["deaths"]},
    "slots": {"event": {"entity": "subject.entity", "form": "label"}, "noun": {"text": "words['noun']"}},
    "questions": {
        0: "What was the {noun} of {event}?",
        1: "How high was the {noun} of {event}?",
        2: "The {noun} of {event}?",
    },
    "answer": {"number": "value.amount"},
    "property": "value.property",
    "rule": "x",
    "check": "SELECT 1",
    "example": {},
}


def template(**changes: Any) -> Template:
    return Template.model_validate(DEATHS | changes)


def compiled(world: WorldTables, *templates: Template) -> list[Any]:
    return completed(world, _all(world, templates), templates).collect()


def completed(
    world: WorldTables, rows: DataFrame, templates: Sequence[Template], config: Config | None = None
) -> DataFrame:
    return add_ids(rows, templates, config or world.config)


def _all(world: WorldTables, templates: Sequence[Template]) -> DataFrame:
    rows = bind_template(world, templates[0])
    for made in templates[1:]:
        rows = rows.union(bind_template(world, made))
    return rows


def test_bindings_have_all_columns_of_their_rows(world: WorldTables) -> None:
    rows = bind_template(world, template())
    assert rows.columns == [
        *("template_id", "slots", "answer_text", "answer_entity", "hops", "property", "threshold"),
        *("counted_over", "calendar"),
        *METADATA_COLUMNS,
        "reason",
    ]
    bound = completed(world, rows, [template()])
    assert bound.columns == [*(c.name for c in BINDINGS.columns), "reason"]
    (row,) = BINDINGS.select(bound).where("head = 1").collect()
    assert [tuple(slot) for slot in row.slots] == [(1, "label", None), (None, "text", "death toll")]
    assert (row.answer_text, row.answer_entity, row.countries) == (["223"], [], [20])
    assert (row.type, row.property, row.threshold, row.hops, row.popular) == ("1a", 1120, None, [], True)
    assert (row.template_id, row.topic) == ("attribute.event.deaths", "medtop:aviation_accidents")
    assert (row.span.start, row.span.end, row.split) == (parse_day("1991-05-26"), parse_day("1991-05-26"), "train")


def build_time(day: str, precision: str) -> str:
    """A time as templates name it."""
    return f"named_struct('first_day', {day}, 'precision', {precision}, 'calendar', 'gregorian')"


WHOLE = build_time("subject.earliest_start", "subject.precision")


@pytest.mark.parametrize(
    ("answer", "texts", "entities"),
    [
        ({"date": WHOLE}, {1: ["1991-05-26"], 2: ["1992-03"], 3: ["1990-02-01"]}, []),
        (
            {"period": [WHOLE, build_time("subject.latest_end", "9")]},
            {1: ["1991-05-26", "1991"], 2: ["1992-03", "1992"], 3: ["1990-02-01", "1990"]},
            [],
        ),
        (
            {"date": build_time("subject.earliest_start", "IF(subject.entity = 1, 8, 10)")},
            {1: [None], 2: ["1992-03"], 3: ["1990-02"]},
            [],
        ),
        ({"yes_no": "value.amount > 100"}, {1: ["yes"], 2: ["no"], 3: ["no"]}, []),
        ({"number": "value.amount / 8"}, {1: ["27.875"], 2: ["12.5"], 3: ["1.25"]}, []),
        ({"entity": "77"}, {1: [], 2: [], 3: []}, [77]),
    ],
    ids=["date", "period", "coarse", "yes-no", "number", "entity"],
)
def test_each_kind_of_answer(
    world: WorldTables, answer: dict[str, Any], texts: dict[int, list[str | None]], entities: list[int]
) -> None:
    rows = bind_template(world, template(answer=answer)).select("head", "answer_text", "answer_entity").collect()
    assert {r["head"]: r.answer_text for r in rows} == texts
    assert all(r.answer_entity == entities for r in rows)


def test_ids_differ_where_anything_that_is_asked_differs(world: WorldTables, config: Config) -> None:
    salted = config.model_copy(update={"seed": "other"})
    variants = {
        "plain": (config, template()),
        "other template": (config, template(id="attribute.event.toll")),
        "other version": (config, template(version=2)),
        "other property": (config, template(property="1339")),
        "other hops": (config, template(hops="array(17)")),
        "other threshold": (config, template(threshold="7.50")),
        "other years": (config, template(timeframe="years")),
        "other seed": (salted, template()),
    }
    bound = [
        completed(world, bind_template(world, made), [made], config).select(
            F.lit(name).alias("name"), "head", "question_id"
        )
        for name, (config, made) in variants.items()
    ]
    description = "struct(s.entity, 'description' AS form, 'deaths' AS text)"
    described = bind_template(world, template()).withColumn(
        "slots", F.expr(f"transform(slots, s -> IF(s.form = 'text', s, {description}))")
    )
    reworded = template(
        questions={0: "What, {noun} of {event}?", 1: "{event}, {noun}?", 2: "{noun}, {event}?"}, type="1ac"
    )
    retold = template(slots=DEATHS["slots"] | {"noun": {"text": "'toll'"}, "more": {"text": "''"}})
    for name, rows, made in (
        ("described", described, template()),
        ("reworded", bind_template(world, reworded), reworded),
        ("retold", bind_template(world, retold), retold),
    ):
        bound.append(completed(world, rows, [made]).select(F.lit(name).alias("name"), "head", "question_id"))
    rows = bound[0]
    for other in bound[1:]:
        rows = rows.union(other)
    ids = {(row.name, row.head): row.question_id for row in rows.collect()}
    assert len(ids) == 3 * (len(variants) + 3)
    assert all(0 <= value < 2**63 for value in ids.values())
    # Words and types are no part of what is asked.
    assert all(ids.pop((name, n)) == ids["plain", n] for n in (1, 2, 3) for name in ("reworded", "retold"))
    assert len(set(ids.values())) == len(ids)


def test_a_condition_that_fails_or_is_null_gives_its_reason(world: WorldTables) -> None:
    made = template(
        require=[
            {"keep": "value.amount > 50", "otherwise": "few"},
            {"keep": "subject.extent = 'instant'", "otherwise": "no instant"},
            {"keep": "IF(subject.entity = 1, true, CAST(NULL AS boolean))", "otherwise": "null"},
        ]
    )
    assert {r.head: r.reason for r in compiled(world, made)} == {1: None, 2: "null", 3: "few"}


def test_the_relation_s_own_reason_comes_first(world: WorldTables) -> None:
    made = template(
        relation="winner",
        params={},
        slots={"award": {"entity": "award", "text": "award_label"}, "noun": {"text": "cast(year AS string)"}},
        questions={0: "{award} {noun}?", 1: "{noun} {award}?", 2: "{award}: {noun}?"},
        answer={"entity": "recipient"},
        property=166,
        require=[{"keep": "false", "otherwise": "x"}],
    )
    rows = bind_template(world, made).where("head = 80").select("slots", "reason", "property").collect()
    assert {r.slots[1].text: r.reason for r in rows} == {
        "1992": "more than one recipient in the year",
        **{str(year): "x" for year in (1990, 1991, 1993, 1994)},
    }
    # An entity that a text stands for is asked about all the same.
    assert {tuple(r.slots[0]) for r in rows} == {(80, "text", "the Booker Prize")}


def test_described_and_named_subjects_are_distinguished(spark: SparkSession) -> None:
    slots = {1: [(5, "name", None), (None, "text", "was")], 2: [(5, "name", None), (6, "description", "deaths")]}
    rows = build_table(spark, BINDINGS, [{"question_id": n, "slots": each} for n, each in slots.items()])
    assert {r.question_id: r.found for r in rows.select("question_id", is_described().alias("found")).collect()} == {
        1: False,
        2: True,
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"relation": "marriage"}, "relation: no marriage; there are lifetime, "),
        ({"params": {}}, "params: 'keys' is missing for single_value"),
        ({"answer": {"number": "value.amuont"}}, "amuont"),
        ({"answer": {"number": "value.amount +"}}, "syntax"),
        ({"answer": {"period": [WHOLE, "other"]}}, "other"),
        ({"slots": {"event": {"entity": "other.entity"}, "noun": {"text": "words['noun']"}}}, "other"),
        ({"require": [{"keep": "no_such_function(1)", "otherwise": "x"}]}, "no_such_function"),
        ({"hops": "value.way"}, "way"),
        ({"threshold": "treshold"}, "treshold"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_template_that_cannot_be_compiled_is_named(world: WorldTables, change: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError) as caught:
        bind_template(world, template(**change))
    message = str(caught.value)
    assert message.startswith("template attribute.event.deaths: ")
    assert expected.lower() in message.lower()
    assert "\n" not in message


def test_texts_of_dates_and_numbers(spark: SparkSession) -> None:
    dates = {11: "1994-07-06", 10: "1994-07", 9: "1994", 8: None, 7: None}
    numbers = {
        "0": "0",
        "100": "100",
        "100.500000000": "100.5",
        "-3.140": "-3.14",
        "0.000000001": "0.000000001",
        "0.5": "0.5",
        "1947": "1947",
        "10": "10",
        "12345678901234567890123456789": "12345678901234567890123456789",
    }
    days = spark.createDataFrame([(p, parse_day("1994-07-06")) for p in dates], "precision int, day date")
    found = days.select("precision", format_date(F.col("day"), F.col("precision"), F.lit(None)).alias("text"))
    assert {r.precision: r.text for r in found.collect()} == dates
    amounts = spark.createDataFrame([(n,) for n in numbers], "n string")
    found = amounts.select("n", format_number(F.col("n").cast("decimal(38,9)")).alias("text"))
    assert {r.n: r.text for r in found.collect()} == numbers
    early = spark.createDataFrame([(9, parse_day("0800-01-01"))], "precision int, day date")
    assert early.select(format_date(F.col("day"), F.col("precision"), F.lit("gregorian"))).collect()[0][0] == "800"


@pytest.mark.parametrize(
    ("day", "precision", "text"),
    [
        pytest.param("1616-05-03", 11, "1616-04-23", id="day"),
        pytest.param("1603-01-07", 11, "1602-12-28", id="day-of-the-year-before"),
        pytest.param("0128-12-31", 9, "129", id="year"),
        pytest.param("0128-12-31", 10, "0129-01", id="month-before-1000"),
        pytest.param("1900-02-13", 10, "1900-02", id="month"),
        pytest.param("1500-03-10", 11, None, id="leap-day-of-no-other-calendar"),
    ],
)
def test_a_julian_date_is_told_as_it_is_stated(spark: SparkSession, day: str, precision: int, text: str | None) -> None:
    days = spark.createDataFrame([(parse_day(day),)], "day date")
    written = format_date(F.col("day"), F.lit(precision), F.lit("julian"))
    assert days.select(written.alias("text")).collect()[0].text == text
