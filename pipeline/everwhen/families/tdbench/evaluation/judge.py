"""Responses judged by rules, and by a model that is asked which dates they give.

The prompt is that of TDBench, section B.5; the words are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from everwhen.evaluate.items import Gold
from everwhen.evaluate.messages import Message
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scorer import ScoreRequest
from everwhen.evaluate.tables import select_predicted
from everwhen.families.tdbench.evaluation.items import GoldQuestion, build_lexicons, iter_items
from everwhen.families.tdbench.evaluation.times import STILL
from everwhen.families.tdbench.evaluation.verdict import ResponseClass, TableVerdict, judge_response

EXACT = {
    "day": "A date must be right to the day.",
    "month": "Month and year must be right; the day does not matter.",
    "year": "The year must be right; month and day do not matter.",
}
INSTRUCTION = (
    "Below are a question, a numbered list of dates, and a response to the question. Decide of each date whether the"
    " response states it for the subject named with it and with the meaning named with it: a start must be stated as a"
    " start, an end as an end. Any way of writing a date is good. {exact} A date that the response only takes from the"
    " question as a limit, or states for another subject, does not count. Do not judge whether the response is right in"
    " other respects.\n\nReply with the numbers of the dates that the response states, separated by commas, or with"
    " 0 if it states none of them, and with nothing else."
)
ROLES = {"start": "started on", "end": "ended on", "point": "took place on"}
SKIPPED = (ResponseClass.UNSURE, ResponseClass.MISSING, ResponseClass.CUT_OFF)
"""Responses without anything to judge."""

LEXICONS = "lexicons"
"""What is kept of a gold: harnesses have each response scored by itself."""


def list_prompts(
    gold: Gold, predictions: Mapping[int, Prediction], request: ScoreRequest, judges_all: bool
) -> dict[int, Sequence[Message]]:
    """List the prompts, by item: of responses with a date in no role, or of all with references."""
    prompts: dict[int, Sequence[Message]] = {}
    for item, prediction, verdict in judge_all(select_predicted(gold, predictions), predictions, request):
        is_unclear = bool(item.references) and (judges_all or any(verdict.without_role))
        if is_unclear and verdict.class_ not in SKIPPED:
            prompts[prediction.item_id] = write_prompt(item, prediction.response or "")
    return prompts


def judge_all(
    gold: Gold, predictions: Mapping[int, Prediction], request: ScoreRequest
) -> Iterator[tuple[GoldQuestion, Prediction, TableVerdict]]:
    """Judge the response to each item of a gold, in its order."""
    if LEXICONS not in gold.kept:
        gold.kept[LEXICONS] = build_lexicons(gold.tables["names"])
    for item_id, item in iter_items(gold, request.options.get("granularity")):
        prediction = predictions[item_id]
        verdict = judge_response(
            prediction.response,
            item,
            gold.kept[LEXICONS],
            finish_reason=prediction.finish_reason,
            judged=read_reply(request.judged.get(item_id), len(item.references)),
        )
        yield item, prediction, verdict


def write_prompt(item: GoldQuestion, response: str) -> list[Message]:
    """Write the prompt for a response."""
    dates = "\n".join(
        f"{number}. {each.answer} {'had not ended' if each.date == STILL else f'{ROLES[each.role]} {each.date}'}"
        for number, each in enumerate(item.references, 1)
    )
    instruction = INSTRUCTION.format(exact=EXACT[item.granularity])
    parts = f"Question: {item.question}\n\nDates:\n{dates}\n\nResponse:\n{response}"
    return [{"role": "user", "content": f"{instruction}\n\n{parts}"}]


def read_reply(reply: str | None, count: int) -> tuple[bool, ...] | None:
    """Read what a judge replied: of each reference whether it is given; None where it said no such thing.

    >>> read_reply("1, 3", 3), read_reply("0", 2), read_reply("Both dates.", 2), read_reply(None, 1)
    ((True, False, True), (False, False), None, None)
    """
    numbers = re.fullmatch(r"\s*(\d+(?:\s*[,;]\s*\d+)*)\s*\.?\s*", reply or "")
    if numbers is None:
        return None
    chosen = {int(number) for number in re.findall(r"\d+", numbers[1])}
    if max(chosen) > count:
        return None
    return tuple(number in chosen for number in range(1, count + 1))
