"""The rows of exports: what is right of an item, in plain JSON, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from everwhen.evaluate.export.origin import CANARY
from everwhen.evaluate.items import Gold, GoldItem
from everwhen.evaluate.prompts import Prompts


def iter_rows(gold: Gold) -> Iterator[dict[str, Any]]:
    """Iterate over the items as rows: the columns of gold, then `once` and the canary GUID."""
    for batch in gold.table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            yield {**row, "once": list(gold.once.get(row["item_id"], ())), "canary": CANARY}


def describe_task(
    item: GoldItem, prompts: Prompts, context: Sequence[str], reply: str | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe an item as tasks of harnesses ask it.

    Args:
        item: The item.
        prompts: Its prompts.
        context: Its sentences or passages.
        reply: How the family answers it as an example; None where the answer itself does.
        settings: How it is asked, as predictions say it.

    Returns:
        `instruction` and `prompt`; `context`; `settings`; `target`, one text for all parts of the answer, since
        harnesses take a list for texts of which any is right; `choices`, the options of a choice by log-likelihood,
        letters where options have some, and yes and no of such a question; and `choice`, the place of the right one, or
        null.
    """
    choices, places = _list_choices(item)
    # Where not one option is right, there is no task by log-likelihood.
    known = len(places) == 1
    begin = prompts.answer.format(answer="").rstrip()  # "Answer:"
    layout = prompts.context if context else prompts.question
    asked = layout.format(question=prompts.write_question(item), context="\n".join(context))
    return {
        "instruction": prompts.instruction_with_context if context else prompts.instruction,
        "prompt": f"{asked}\n{begin}",
        "context": list(context),
        "settings": {name: str(value) for name, value in settings.items()},
        "target": prompts.write_answer(item, reply).removeprefix(begin).strip(),
        "choices": choices if known else [],
        "choice": places[0] if known else None,
    }


def _list_choices(item: GoldItem) -> tuple[list[str], list[int]]:
    """List what a choice by log-likelihood chooses from, and the places of what is right."""
    if item.is_choice:
        letters = list(item.lettered)
        return letters, [letters.index(letter) for letter in item.right_letters]
    choices = [*item.options] or (["yes", "no"] if item.answer_type == "yes_no" else [])
    if len(item.answer) != 1:
        return choices, []
    right = {*item.answer, *item.accepted[0]}
    return choices, [place for place, text in enumerate(choices) if text in right]
