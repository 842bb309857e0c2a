from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.families.complextempqa.accepted import collect_accepted_answers
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.tables.facts import ENTITIES
from everwhen.tables.world import DESCRIPTIONS
from table_rows import build_table

pytestmark = pytest.mark.spark

ITEMS = {
    1: ("George W. Bush", ["George Bush", "Dubya", "george w. bush"]),
    2: ("George H. W. Bush", ["GEORGE BUSH", "Bush Sr."]),
    3: ("Katrina", ["Hurricane"]),
    4: ("Texas", ["Dubya", "katrina", " ", "The\nLone Star State", "Lone Star State"]),
    # In no question: its names are nobody's.
    5: ("Bush Sr.", ["Lone Star State"]),
    6: (None, ["Nameless"]),
}
ASKED = [
    {"question_entity": [1, 2], "answer_entity": [1], "descriptions": [(1, "won"), (2, "born")]},
    {"question_entity": [1, 2], "answer_entity": [2], "descriptions": [(1, "born")]},
    {"question_entity": [3], "answer_entity": [4], "descriptions": []},
    {"question_entity": [3], "answer_entity": [6, 2], "descriptions": [(3, "won")]},
    {"question_entity": [3], "answer_entity": [], "descriptions": [(3, "born")]},
]
DESCRIBED = [(1, "won", "the winner"), (1, "born", "who was born"), (2, "born", "the elder"), (3, "won", "the storm")]


def test_what_is_accepted_as_an_answer(spark: SparkSession) -> None:
    found = collect_accepted_answers(
        build_table(spark, QUESTIONS, ASKED),
        build_table(
            spark, ENTITIES, [{"item": n, "label": label, "aliases": also} for n, (label, also) in ITEMS.items()]
        ),
        build_table(
            spark, DESCRIPTIONS, [{"entity": n, "key": key, "description": text} for n, key, text in DESCRIBED]
        ),
    ).collect()
    assert sorted((row.answer, row.kind, row.text, row.scope) for row in found) == [
        ("Q1", "description", "the winner", "won"),
        ("Q2", "alias", "Bush Sr.", None),
        ("Q4", "alias", "Lone Star State", None),
        ("Q6", "alias", "Nameless", None),
    ]
