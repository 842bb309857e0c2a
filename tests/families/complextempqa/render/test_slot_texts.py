from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from everwhen.families.complextempqa.render.slot_texts import with_texts
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.tables.facts import ENTITIES
from everwhen.tables.world import DESCRIPTIONS, MEMBERS, NAMES
from table_rows import Row, build_table

pytestmark = pytest.mark.spark

ODD = ['The "Piano" \\1', "$1 {first} {}", "O'Brien & Söhne ?", "éva"]
VERB = (None, "text", "was")


def binding(number: int, *slots: tuple[int | None, str, str | None], **fields: Any) -> Row:
    return {
        "question_id": number,
        "slots": list(slots),
        "answer_text": ["yes"],
        "answer_entity": [],
        "template_id": "t",
    } | fields


def test_each_slot_has_its_text_and_each_answer_its_words(spark: SparkSession) -> None:
    bindings = [
        binding(1, (1, "name", None), (2, "long_name", None), VERB),
        binding(2, (3, "label", None), (4, "name", None), (None, "text", "{first} $2")),
        # Somebody without a name, and one without the description that is asked for.
        binding(4, (1, "name", None), (9, "name", None), VERB),
        binding(6, (1, "description", "injured"), (1, "name", None), VERB),
        # A text that stands for an entity; two descriptions of one entity.
        binding(5, (7, "text", "films"), (1, "description", "deaths"), VERB),
        binding(10, (1, "description", "deaths"), (1, "description", "country"), VERB),
        binding(7, (1, "name", None), VERB, answer_entity=[3, 1], answer_text=[]),
        binding(8, (1, "name", None), VERB, answer_entity=[3, 9], answer_text=[]),
        binding(9, (1, "name", None), VERB, answer_text=[None]),
        binding(11, (1, "name", None), VERB, answer_text=["1990", "1991-02"]),
        binding(12, VERB),
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
    with_words = with_texts(
        build_table(spark, BINDINGS, bindings),
        build_table(spark, NAMES, names),
        build_table(spark, DESCRIPTIONS, descriptions),
        build_table(spark, MEMBERS, members),
        build_table(spark, ENTITIES, [{"item": n, "label": label} for n, label in ((1, "éva"), (3, "x"), (7, None))]),
    )
    assert with_words.columns == [
        *(c.name for c in BINDINGS.columns),
        "texts",
        "described_labels",
        "answer",
        "answer_countries",
    ]
    rows = {row.question_id: row for row in with_words.collect()}
    one, two, three, four = ODD
    assert {number: row.texts for number, row in rows.items()} == {
        1: [one, f"the film {two}", "was"],
        2: [f"[{three}]", four, "{first} $2"],
        4: [one, None, "was"],
        6: [None, one, "was"],
        5: ["films", "the war of {second}", "was"],
        10: ["the war of {second}", "the war in Laos", "was"],
        **{number: [one, "was"] for number in (7, 8, 9, 11)},
        12: ["was"],
    }
    assert {number: row.described_labels for number, row in rows.items() if row.described_labels} == {
        number: ["éva"] for number in (5, 6, 10)
    }
    assert {number: rows[number].answer for number in (1, 7, 8, 9, 11)} == {
        1: ["yes"],
        7: sorted([f"[{three}]", f"[{one}]"]),
        8: None,
        9: [None],
        11: ["1990", "1991-02"],
    }
    assert (rows[1].answer_countries, rows[7].answer_countries) == ([], [5, 20, 30])
