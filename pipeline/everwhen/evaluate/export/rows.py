"""The rows of exports: what is right of an item, in plain JSON, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from everwhen.evaluate.export.origin import CANARY, Origin
from everwhen.evaluate.items import Gold, GoldItem
from everwhen.evaluate.prompts import Prompts


def iter_rows(gold: Gold) -> Iterator[dict[str, Any]]:
    """Iterate over the items as rows: the columns of gold, then `once` and the canary GUID."""
    for batch in gold.table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            yield {**row, "once": list(gold.once.get(row["item_id"], ())), "canary": CANARY}


def read_item(row: Mapping[str, Any]) -> GoldItem:
    """Read an item from a row of an export, as the modules of harnesses do.

    Args:
        row: A row of `iter_rows`; it may have further columns.
    """
    return GoldItem(
        item_id=int(row["item_id"]),
        question=row["question"],
        answer=tuple(row["answer"]),
        accepted=tuple(map(tuple, row["accepted"])),
        answer_type=row["answer_type"],
        unit=row["unit"],
        is_ordered=row["is_ordered"],
        options=tuple(row["options"]),
        once=tuple(row["once"]),
    )


def add_task_columns(row: Mapping[str, Any], part: str, prompts: Prompts, origin: Origin) -> dict[str, Any]:
    """Add to a row what tasks of harnesses read.

    Args:
        row: A row of `iter_rows`.
        part: The slice whose values are tasks of their own.
        prompts: The wording.
        origin: What is exported.

    Returns:
        The row with `dataset`, its SHA-256, and `family`, by which `everwhen evaluate` knows the logs of harnesses;
        `part`; `prompt`; `target`, one text for all parts of the answer, since harnesses take a list for texts of which
        any is right; `choices`, the options of a choice, and yes and no of such a question; and `choice`, the place of
        the right one, or null.
    """
    choices = row["options"] or (["yes", "no"] if row["answer_type"] == "yes_no" else [])
    right = {*row["answer"], *(text for texts in row["accepted"] for text in texts)} if len(row["answer"]) == 1 else ()
    places = [place for place, text in enumerate(choices) if text in right]
    # Where the texts do not say which option is right, there is no task by log-likelihood.
    known = len(places) == 1
    return {
        **row,
        "dataset": origin.content_hash,
        "family": origin.family,
        "part": row[part],
        "prompt": f"{prompts.question.format(question=row['question'])}\n{prompts.answer.format(answer='').rstrip()}",
        "target": prompts.joint.join(row["answer"]),
        "choices": choices if known else [],
        "choice": places[0] if known else None,
    }
