from __future__ import annotations

from typing import Any

import pytest
from frames import PRESIDENT, day
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.questions.bind.world import World
from pipeline.questions.compile import bind, date_text, number_text
from pipeline.template import Template, all_templates
from pipeline.tables.bindings import BINDINGS

pytestmark = pytest.mark.spark

DEATHS: dict[str, Any] = {
    "id": "attribute.event.deaths",
    "version": 1,
    "type": "1a",
    "relation": "single_value",
    "params": {"attributes": ["deaths"]},
    "slots": {"event": {"entity": "a.entity"}, "noun": {"text": "words['noun']"}},
    "questions": ["What was the {noun} of {event}?", "How high was the {noun} of {event}?"],
    "answer": {"number": "v.amount"},
    "property": "v.property",
    "check": "SELECT 1",
    "example": {},
}


def template(**changes: Any) -> Template:
    return Template.model_validate(DEATHS | changes)


def test_a_binding_carries_all_that_its_row_needs(world: World) -> None:
    (row,) = BINDINGS.select(bind(world, template())).where("head_entity = 1").collect()
    assert [tuple(slot) for slot in row.slots] == [(1, "name", None), (None, "text", "death toll")]
    assert (row.answer_text, row.answer_entity, row.choice) == (["223"], [], False)
    assert (row.question_entity, row.question_country_entity, row.answer_country_entity) == ([1], [20], [])
    assert (row.type, row.property, row.threshold, row.hops, row.is_unnamed) == ("1a", 1120, None, [], False)
    assert (row.template_id, row.template_version, row.rating, row.year) == ("attribute.event.deaths", 1, 0, 1991)
    assert row.wording in (0, 1)
    assert (row.timeframe.start, row.timeframe.end, row.split) == (day("1991-05-26"), day("1991-05-26"), "train")


def test_ids_differ_where_anything_that_is_asked_differs(world: World, config: Config) -> None:
    salted = World(world.spark, config.model_copy(update={"seed": "other"}), world.build, world.lists)
    variants = {
        "plain": (world, template()),
        "other template": (world, template(id="attribute.event.toll")),
        "other version": (world, template(version=2)),
        "other text": (world, template(slots=DEATHS["slots"] | {"noun": {"text": "'toll'"}})),
        "text in other slots": (world, template(slots=DEATHS["slots"] | {"more": {"text": "''"}})),
        "other seed": (salted, template()),
    }
    ids = {}
    for name, (where, made) in variants.items():
        for row in bind(where, made).select("question_id", "head_entity").collect():
            ids[name, row.head_entity] = row.question_id
    assert len(ids) == 3 * len(variants)
    assert len(set(ids.values())) == len(ids)
    assert all(0 <= value < 2**63 for value in ids.values())
    reworded = template(questions=["What was it, {noun} of {event}?", "{event}, {noun}?"], type="1ac")
    again = {row.head_entity: row.question_id for row in bind(world, reworded).collect()}
    assert again == {entity: value for (name, entity), value in ids.items() if name == "plain"}


def test_a_condition_that_fails_or_is_null_gives_its_reason(world: World) -> None:
    made = template(
        require=[
            {"keep": "v.amount > 50", "otherwise": "few"},
            {"keep": "a.extent = 'instant'", "otherwise": "no instant"},
            {"keep": "IF(a.entity = 1, true, CAST(NULL AS boolean))", "otherwise": "null"},
        ]
    )
    assert {r.head_entity: r.reason for r in bind(world, made).collect()} == {1: None, 2: "null", 3: "few"}
    reigns = next(t for t in all_templates() if t.relation == "reign")
    strict = Template.model_validate(reigns.model_dump() | {"require": [{"keep": "false", "otherwise": "x"}]})
    rows = bind(world, strict).where(f"head_entity = {PRESIDENT}").collect()
    assert {r.year: r.reason for r in rows}[1992] == "more than one holder in the year", "the relation's reason first"
    assert {r.year: r.reason for r in rows}[1990] == "x"


def test_only_what_is_popular_named_and_asked_alone_is_rated_popular(world: World) -> None:
    assert {r.head_entity: r.rating for r in bind(world, template()).collect()} == {1: 0, 2: 1, 3: 0}
    for change in ({"type": "3a"}, {"unnamed": True}, {"hops": "array(17)"}):
        assert {r.rating for r in bind(world, template(**change)).collect()} == {1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"relation": "marriage"}, "relation: no marriage; there are lifetime, "),
        ({"params": {}}, "params: 'attributes' is missing for single_value"),
        ({"answer": {"number": "v.amuont"}}, "amuont"),
        ({"answer": {"number": "v.amount +"}}, "syntax"),
        ({"slots": {"event": {"entity": "b.entity"}, "noun": {"text": "words['noun']"}}}, "b"),
        ({"require": [{"keep": "no_such_function(1)", "otherwise": "x"}]}, "no_such_function"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_template_that_cannot_be_compiled_is_named(world: World, change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        bind(world, template(**change))
    message = str(caught.value)
    assert message.startswith("template attribute.event.deaths: ")
    assert said.lower() in message.lower()
    assert "\n" not in message


def test_every_shipped_template_compiles(world: World) -> None:
    for made in all_templates():
        assert bind(world, made).columns == [*(c.name for c in BINDINGS.columns), "reason"]


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
    days = spark.createDataFrame([(p, day("1994-07-06")) for p in dates], "precision int, day date")
    found = days.select("precision", date_text(F.col("day"), F.col("precision")).alias("text"))
    assert {r.precision: r.text for r in found.collect()} == dates
    amounts = spark.createDataFrame([(n,) for n in numbers], "n string")
    found = amounts.select("n", number_text(F.col("n").cast("decimal(38,9)")).alias("text"))
    assert {r.n: r.text for r in found.collect()} == numbers
    early = spark.createDataFrame([(9, day("0800-01-01"))], "precision int, day date")
    assert early.select(date_text(F.col("day"), F.col("precision"))).collect()[0][0] == "0800"
