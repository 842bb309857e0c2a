"""How the questions are asked of a model: from memory, or with the message that answers among others of its year."""

from __future__ import annotations

from everwhen.evaluate.conditions import Conditions
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.prompts import Prompts

GOLD = """SELECT query_id AS item_id, text AS question, answer, [[]]::VARCHAR[][] AS accepted, 'name' AS answer_type,
    NULL::VARCHAR AS unit, false AS is_ordered, []::VARCHAR[] AS options, NULL::VARCHAR AS split, wording FROM items"""

CANDIDATES = """SELECT r.query_id AS item_id, m.doc_id, NULL::VARCHAR AS title, m.text,
    m.doc_id = r.doc_id AS is_relevant
    FROM items JOIN qrels r USING (query_id) JOIN messages own ON own.doc_id = r.doc_id
    JOIN messages m ON left(m.text, 4) = left(own.text, 4)"""

EVALUATION = Evaluation(
    gold=GOLD,
    slices=("wording",),
    conditions=Conditions(
        has_statements=False,
        candidates=CANDIDATES,
        needs_context="SELECT query_id AS item_id FROM items WHERE year IS NULL",
    ),
    prompts=Prompts(
        instruction='Reply "Answer:" and the name.',
        instruction_with_context='Use the messages. Reply "Answer:" and the name.',
        shots="SELECT query_id AS item_id, wording AS type, '' AS manner, [query_id] AS subjects FROM items",
    ),
)
