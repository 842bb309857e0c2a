"""How questions on the year of an event are asked and scored: as a choice of four years, or without them."""

from __future__ import annotations

from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.prompts import Prompts

GOLD = """SELECT question_id AS item_id, question, answer, [[]]::VARCHAR[][] AS accepted,
    'single_choice' AS answer_type, 'date' AS value_type, NULL::VARCHAR AS unit, false AS is_ordered, options,
    split, wording FROM items"""

EVALUATION = Evaluation(
    gold=GOLD,
    slices=("wording",),
    has_choices=True,
    prompts=Prompts(
        instruction='Reply "Answer:" and the year.',
        instruction_with_context='Use the context. Reply "Answer:" and the year.',
        shots="SELECT question_id AS item_id, wording AS type, '' AS manner, [item_id] AS subjects FROM items",
    ),
)
