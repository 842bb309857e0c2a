"""How IMPLIRET's queries are asked with documents, and scored by ROUGE-1 recall and exact match, without Spark."""

from __future__ import annotations

from everwhen.evaluate.agreement import list_outcomes
from everwhen.evaluate.conditions import Conditions
from everwhen.evaluate.declaration import Evaluation, Shortcuts
from everwhen.evaluate.prompts import Prompts
from everwhen.evaluate.scorer import Scorer
from everwhen.families.impliret.evaluation.layout import LAYOUT, SLICES, SQL, read_responses
from everwhen.families.impliret.evaluation.scores import CLASSES, SCHEME, score_gold

GOLD = """SELECT query_id AS item_id, text AS question, answer, [[]]::VARCHAR[][] AS accepted, 'name' AS answer_type,
    NULL::VARCHAR AS unit, false AS is_ordered, []::VARCHAR[] AS options, split,
    category, style, pool, CASE WHEN has_lure THEN 'yes' ELSE 'no' END AS has_lure, set_answers
FROM items JOIN (SELECT set_id, list(DISTINCT answer[1] ORDER BY answer[1]) AS set_answers FROM queries GROUP BY set_id)
    USING (set_id)"""
"""Beside an item, `set_answers` are the answers to all queries of its set."""

CANDIDATES = """SELECT query_id AS item_id, d.doc_id, NULL::VARCHAR AS title, d.text, d.doc_id = r.doc_id AS is_relevant
    FROM items q JOIN qrels r USING (query_id) JOIN documents d ON d.pool = q.pool AND d.set_id = q.set_id"""

_POSTS = "Below are posts of a forum. Each begins with the date, the time and the name of who wrote it."
_CHATS = "Below are chats between two people. Each line begins with the date, the time and the name of who wrote it."
_ONE = "One of them tells what is asked, though not in so many words."
_REPLY = (
    "Answer the question. You may use what was written, when, and by whom. End with one line that begins with"
    ' "Answer:", followed by the answer alone in the words of the text:'
)
_OF_POSTS = f"{_REPLY} a name, or a brand and the year of its model."
_OF_CHATS = f"{_REPLY} an activity, a purpose, or a brand and a thing."
INSTRUCTIONS = {
    "multi": (_OF_POSTS, f"{_POSTS} {_ONE} {_OF_POSTS}"),
    "uni": (_OF_CHATS, f"{_CHATS} {_ONE} {_OF_CHATS}"),
}
"""By style, what to do, without documents and with some; without, queries mean nothing, and are not asked."""

PROMPTS = Prompts(
    *INSTRUCTIONS["multi"],
    by="style",
    instructions=INSTRUCTIONS,
    shots="SELECT query_id AS item_id, pool AS type, style AS manner, [set_id] AS subjects FROM items",
    context="{context}\n\nQuestion: {question}",
)

EVALUATION = Evaluation(
    gold=GOLD,
    slices=SLICES,
    strata=("category", "style"),
    default_set=None,
    pool="pool",
    shortcuts=Shortcuts(column="pool"),
    layouts={LAYOUT: SQL},
    readers={LAYOUT: read_responses},
    prompts=PROMPTS,
    conditions=Conditions(
        has_statements=False,
        candidates=CANDIDATES,
        needs_context="SELECT query_id AS item_id FROM items",
    ),
    scorer=Scorer(
        scheme=SCHEME,
        score=score_gold,
        classes=CLASSES,
        methods={"exact match": list_outcomes},
        judged_by=(("category",), ("style",)),
    ),
    columns=("set_answers",),
)
