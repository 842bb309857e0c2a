"""The wording of ComplexTempQA's prompts. Their parts are those of the paper's Appendix D, the words are ours."""

from __future__ import annotations

from everwhen.evaluate.prompts import Prompts

REPLY = (
    'Reply with one line that begins with "Answer:", followed by the answer alone. Write a date as YYYY-MM-DD, or only '
    "the year if a year is asked for; write a number in digits; separate several answers by semicolons. If you do not "
    'know the answer, reply "Answer: unknown".'
)

PROMPTS = Prompts(
    instruction=f"The following question asks for a fact about an event, a person, a work or a place. {REPLY}",
    instruction_with_context=(
        "The following question asks for a fact about an event, a person, a work or a place. Use the context below it; "
        f"not all of it concerns the question. {REPLY}"
    ),
    shots="SELECT question_id AS item_id, type, '' AS manner, question_entity AS subjects FROM items",
)
