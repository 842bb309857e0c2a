from __future__ import annotations

from typing import Any

import pytest
from frames import Row, day, frame
from pyspark.sql import SparkSession

from pipeline.questions.bind.world import World
from pipeline.questions.compile import bind
from pipeline.questions.render import render
from pipeline.tables.bindings import BINDINGS
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.tables.members import MEMBERS
from pipeline.tables.names import NAMES
from pipeline.tables.questions import QUESTIONS
from pipeline.template import Template

pytestmark = pytest.mark.spark

ODD = ['The "Piano" \\1', "$1 {first} {}", "O'Brien & Söhne ?", "éva"]
TEMPLATE = Template.model_validate(
    {
        "id": "t",
        "version": 1,
        "type": "2b",
        "relation": "pair",
        "slots": {"first": {"entity": "a"}, "second": {"entity": "b"}, "verb": {"text": "c"}},
        "questions": ["{second} {verb} {first}, {second}?", "{first}{second}{verb}?"],
        "answer": {"entity": "a"},
        "check": "SELECT 1",
        "example": {},
    }
)


def binding(number: int, *slots: tuple[int | None, str, str | None], **fields: Any) -> Row:
    return {
        "question_id": number,
        "slots": list(slots),
        "answer_text": ["yes"],
        "answer_entity": [],
        "answer_country_entity": [],
        "choice": False,
        "timeframe": (day("1990-01-01"), None),
        "template_id": "t",
        "template_version": 1,
        "wording": 0,
    } | fields


def test_labels_and_texts_come_out_exactly(spark: SparkSession) -> None:
    verb = (None, "text", "was")
    bindings = [
        binding(1, (1, "name", None), (2, "long_name", None), verb),
        binding(2, (3, "label", None), (4, "name", None), (None, "text", "{first} $2")),
        binding(3, (1, "name", None), (2, "label", None), verb, wording=1),
        binding(4, (1, "name", None), (9, "name", None), verb),
        binding(5, (7, "text", "films"), (1, "description", "deaths"), verb),
        binding(6, (1, "description", "injured"), (1, "name", None), verb),
        binding(7, (1, "name", None), (2, "name", None), verb, answer_entity=[3, 1], answer_text=[]),
        binding(8, (1, "name", None), (2, "name", None), verb, answer_entity=[3, 9], answer_text=[]),
        binding(9, (1, "name", None), (2, "name", None), verb, answer_text=[None]),
    ]
    names = [
        {"entity": n, "name": label, "label": f"[{label}]", "long_name": f"the film {label}", "method": "label"}
        for n, label in enumerate(ODD, 1)
    ]
    descriptions = [{"event": 1, "attribute": "deaths", "description": "the war of {second}"}]
    members = [{"list": "a", "entity": 3, "countries": [30, 20]}, {"list": "b", "entity": 3, "countries": [20]}]
    members += [{"list": "a", "entity": 1, "countries": [5]}]
    rendered = render(
        frame(spark, BINDINGS, bindings),
        frame(spark, NAMES, names),
        frame(spark, DESCRIPTIONS, descriptions),
        frame(spark, MEMBERS, members),
        [TEMPLATE],
    )
    assert rendered.columns == [*(c.name for c in QUESTIONS.columns), "choice"]
    rows = {row.question_id: row for row in rendered.collect()}
    one, two, three, four = ODD
    assert {number: row.question for number, row in rows.items()} == {
        1: f"The film {two} was {one}, the film {two}?",
        2: f"Éva {{first}} $2 [{three}], {four}?",
        3: f"{one}[{two}]was?",
        4: None,
        5: "The war of {second} was films, the war of {second}?",
        6: None,
        **{number: f"{two} was {one}, {two}?" for number in (7, 8, 9)},
    }
    assert rows[1].answer == ["yes"]
    assert (rows[7].answer, rows[7].answer_country_entity) == (sorted([f"[{three}]", f"[{one}]"]), [5, 20, 30])
    assert rows[8].answer is None
    assert rows[9].answer == [None]
    assert rows[1].answer_country_entity == []


def test_wordings_are_chosen_by_hash(world: World) -> None:
    templates = [
        Template.model_validate(
            {
                "id": f"t{number}",
                "version": 1,
                "type": "1bc",
                "relation": "lifetime",
                "params": {"kind": "item", "extents": ["instant", "open", "span"]},
                "slots": {"it": {"entity": "a.entity"}},
                "questions": [f"one {number}: {{it}}?", f"two {number}: {{it}}?"],
                "answer": {"number": "1"},
                "check": "SELECT 1",
                "example": {},
            }
        )
        for number in range(6)
    ]
    bound = bind(world, templates[0])
    for made in templates[1:]:
        bound = bound.unionByName(bind(world, made))
    rows = render(bound, world.names, world.descriptions, world.members, templates).collect()
    again = render(bound.repartition(5), world.names, world.descriptions, world.members, templates[::-1]).collect()
    assert {row.question for row in rows} == {row.question for row in again}
    assert all(row.question.startswith(["One", "Two"][row.wording]) for row in rows)
    share = sum(row.wording for row in rows) / len(rows)
    assert len(rows) == 60
    assert 0.3 < share < 0.7
