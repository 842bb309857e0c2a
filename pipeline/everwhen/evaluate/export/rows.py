"""The rows of exports: what is right of an item, in plain JSON, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from everwhen.evaluate.export.origin import CANARY, Origin
from everwhen.evaluate.items import Gold, GoldItem
from everwhen.evaluate.prompts import Prompts


def iter_rows(gold: Gold) -> Iterator[dict[str, Any]]:
    """Iterate over the items as rows: the columns of gold, then `once` and the canary GUID."""
    for batch in gold.table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            yield {**row, "once": list(gold.once.get(row["item_id"], ())), "canary": CANARY}


def add_task_columns(row: Mapping[str, Any], part: str, asked: AskedItem, origin: Origin) -> dict[str, Any]:
    """Add to a row what tasks of harnesses read.

    Args:
        row: A row of `iter_rows`.
        part: The slice whose values are tasks of their own.
        asked: How the item is asked.
        origin: What is exported.

    Returns:
        The row with `dataset`, its SHA-256, and `family`, by which `everwhen evaluate` knows the logs of harnesses;
        `part`; `instruction` and `prompt`; `context`, its sentences or passages; `settings`, how it is asked; `target`,
        one text for all parts of the answer, since harnesses take a list for texts of which any is right; `choices`,
        the options of a choice by log-likelihood, letters where options have some, and yes and no of such a question;
        and `choice`, the place of the right one, or null.
    """
    item, prompts = asked.item, asked.prompts
    choices, places = _list_choices(item)
    # Where not one option is right, there is no task by log-likelihood.
    known = len(places) == 1
    question = prompts.write_question(item)
    layout = prompts.context if asked.context else prompts.question
    return {
        **row,
        "dataset": origin.content_hash,
        "family": origin.family,
        "part": row[part],
        "instruction": prompts.instruction_with_context if asked.context else prompts.instruction,
        "prompt": f"{layout.format(question=question, context=chr(10).join(asked.context))}\n{_write_begin(prompts)}",
        "context": list(asked.context),
        "settings": {name: str(value) for name, value in asked.settings.items()},
        "target": prompts.write_answer(item, asked.reply).removeprefix(_write_begin(prompts)).strip(),
        "choices": choices if known else [],
        "choice": places[0] if known else None,
    }


@dataclass(frozen=True)
class AskedItem:
    """How an item is asked.

    Attributes:
        item: The item.
        prompts: Its prompts.
        context: Its sentences or passages.
        reply: How the family answers it as an example; None where the answer itself does.
        settings: How it is asked, as predictions say it.
    """

    item: GoldItem
    prompts: Prompts
    context: Sequence[str] = ()
    reply: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


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


def _write_begin(prompts: Prompts) -> str:
    """Write how an answer begins: "Answer:"."""
    return prompts.answer.format(answer="").rstrip()
