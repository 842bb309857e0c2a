"""The wording of TimE's prompts, by form, with and without refusal (TimE, section C.4); the words are ours."""

from __future__ import annotations

from everwhen.evaluate.prompts import Prompts
from everwhen.families.time_benchmark.evaluation.queries import read_query
from everwhen.families.time_benchmark.evaluation.refusals import NO_ANSWER

TEXT = "A text is below the question. Use this text and nothing else."
REPLY = 'Reply with one line that begins with "Answer:", followed by'
TASKS = {
    "free": f"Answer the question. {REPLY} the answer alone: a name, several names with semicolons between them, a time"
    " such as 'From May 1998 to 2001' or 'Since 1998', or a duration in years, months and days.",
    "timeline": f"Put the events in the order in which they began, the earliest first. {REPLY} their numbers alone,"
    " each in parentheses, such as (2)(1)(3).",
    "single": f"Choose the one option that is right. {REPLY} its letter alone.",
    "multiple": f"Choose all options that are right; there may be one or several. {REPLY} their letters with spaces"
    " between them.",
}
REFUSALS = {
    "free": f" If nothing fits what is asked, the answer is '{NO_ANSWER}'.",
    "single": " If nothing fits what is asked, choose the option that says so.",
    "multiple": " If nothing fits what is asked, choose the option that says so, and no other.",
}
"""By form, what is added where an item may have no answer; an order always exists."""


def _write_prompts(*, may_refuse: bool) -> Prompts:
    tasks = {name: text + (REFUSALS.get(name, "") if may_refuse else "") for name, text in TASKS.items()}
    instructions = {name: (text, f"{TEXT} {text}") for name, text in tasks.items()}
    plain, with_context = instructions["free"]
    return Prompts(
        instruction=plain,
        instruction_with_context=with_context,
        by="asked",
        instructions=instructions,
        shots=read_query("shots"),
        context="Question: {question}\nText:\n{context}",
    )


PROMPTS = {"refusal": _write_prompts(may_refuse=True), "plain": _write_prompts(may_refuse=False)}
"""By name: with the remark that there may be no answer, and without it."""
