from __future__ import annotations

from typing import Any

import pytest
from frames import Row, day, frame
from pyspark.sql import SparkSession

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
        "questions": ["{second} {verb} {first}, {second}?", "{first}{second}{verb}?", "{verb}? {second} {first}?"],
        "answer": {"entity": "a"},
        "rule": "x",
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
        # Two descriptions of one entity; a text that stands for an entity; a third wording; an answer of two dates.
        binding(10, (1, "description", "deaths"), (1, "description", "country"), verb, wording=2),
        binding(11, (3, "text", "the prize"), (2, "description", "deaths"), verb, answer_text=["1990", "1991-02"]),
        # Another version's wordings are none of these.
        binding(12, (1, "name", None), (2, "name", None), verb, template_version=2),
    ]
    names = [
        {"entity": n, "name": label, "label": f"[{label}]", "long_name": f"the film {label}", "method": "label"}
        for n, label in enumerate(ODD, 1)
    ]
    descriptions = [
        {"entity": 1, "key": "deaths", "description": "the war of {second}"},
        {"entity": 1, "key": "country", "description": "the war in Laos"},
        {"entity": 2, "key": "deaths", "description": "the quake"},
    ]
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
        10: "Was? the war in Laos the war of {second}?",
        11: "The quake was the prize, the quake?",
        **{number: f"{two} was {one}, {two}?" for number in (7, 8, 9)},
    }
    assert rows[1].answer == ["yes"]
    assert (rows[7].answer, rows[7].answer_country_entity) == (sorted([f"[{three}]", f"[{one}]"]), [5, 20, 30])
    assert rows[8].answer is None
    assert rows[9].answer == [None]
    assert rows[11].answer == ["1990", "1991-02"]
    assert rows[1].answer_country_entity == []
