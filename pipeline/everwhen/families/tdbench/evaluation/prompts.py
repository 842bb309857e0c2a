"""The wording of TDBench's prompts. Their parts are those of the paper's sections C.1 and D.4, the words are ours."""

from __future__ import annotations

from everwhen.evaluate.prompts import Prompts
from everwhen.families.tdbench.queries import write_query

ROWS = "The rows of a table are below the question; not all of them concern it. Use these rows and nothing else."

ALIGNMENT = (
    "Answer with what holds at the time that the question names. Write the answer, and behind it the word 'since' with"
    " the month and year from which it has held. If you do not know, write 'unsure'."
)
REASONING = (
    "Give the answer and, as its reason, the dates that decide it: when it started, when it ended, or when it took"
    " place, as far as the question asks about these. One answer is one short sentence. Several answers are a list with"
    " a bullet for each, with its own dates. If nothing fits, write 'No answer'. If you do not know, write 'unsure'."
)
BRIEF = "Write nothing else."
STEPS = (
    "Think first, step by step: find out what the question names without saying so, and compare the dates of each"
    ' candidate with every condition. Then write a last part that begins with "Answer:" and has the answer as described'
    " above."
)
TIMELINE = (
    "First write a timeline: everything that held of what the question asks about, each with its start and its end, in"
    " order of time. Mark in it the times that the question names, and compare them with each entry. Then write a last"
    ' part that begins with "Answer:" and has the answer as described.'
)

REPLY = "coalesce(r.reply, 'No answer')"
FITTING = "coalesce('These fit: ' || r.fitting || '.', 'Nothing fits every condition.')"
LAST = f"chr(10) || 'Answer: ' || {REPLY}"
ON_THE_WAY = "array_to_string(s.hops, '')"
TEXTS = {
    "plain": REPLY,
    "cot": f"{ON_THE_WAY} || {FITTING} || {LAST}",
    "time-cot": f"{ON_THE_WAY} || coalesce('Timeline: ' || t.timeline || '. ', '') || {FITTING} || {LAST}",
}
"""By prompt, SQL of what an example is answered with."""


def _write_prompts(text: str, manner: str) -> Prompts:
    plain, now = f"{REASONING} {manner}", f"{ALIGNMENT} {manner}"
    return Prompts(
        instruction=plain,
        instruction_with_context=f"{ROWS} {plain}",
        by="task",
        instructions={"alignment": (now, f"{ROWS} {now}")},
        shots=write_query("evaluation/shots"),
        context="Question: {question}\nRows:\n{context}",
        examples=write_query("evaluation/examples", text=text),
    )


PROMPTS = {
    "plain": _write_prompts(TEXTS["plain"], BRIEF),
    "cot": _write_prompts(TEXTS["cot"], STEPS),
    "time-cot": _write_prompts(TEXTS["time-cot"], TIMELINE),
}
"""By name: a direct answer, one behind steps of thought, and one behind a timeline."""
