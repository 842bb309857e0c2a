"""Answers written as predictions, one JSON object an item, as `everwhen evaluate` reads them."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.files import write_atomically
from everwhen.evaluate.ask.completion import FAILED, Completion
from everwhen.evaluate.ask.endpoint import Model
from everwhen.evaluate.ask.prepare import Prepared
from everwhen.evaluate.ask.prices import Price, describe_cost, sum_usage


@dataclass(frozen=True)
class Answered:
    """What came of a run.

    Attributes:
        prepared: What was asked.
        model: Which model.
        keys: The key of each item's prompt, as the journal has it.
        answers: The answers, by key.
        failures: Why there is no answer, by key.
        settings: How it was asked, as each prediction says, such as the number of examples.
    """

    prepared: Prepared
    model: Model
    keys: Mapping[int, str]
    answers: Mapping[str, Completion]
    failures: Mapping[str, str]
    settings: Mapping[str, Any]


def require_own_file(path: Path, conditions: Sequence[Mapping[int, str]]) -> None:
    """Require that a file, if it exists, has predictions of this run alone, so that no others are replaced.

    A condition is the key of each item's prompt.

    Raises:
        InputError: A line is no prediction, or one of another item, prompt, model or parameter.
    """
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not _is_own(line, conditions):
                raise InputError(
                    f"{path}:{number}: not a prediction of this run; name another --out, or replace the file with"
                    " --overwrite"
                )


def _is_own(line: bytes, conditions: Sequence[Mapping[int, str]]) -> bool:
    """Whether a line is a prediction for one of these prompts."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    item = row.get("item_id") if isinstance(row, dict) else None
    return isinstance(item, int) and any(item in keys and row.get("prompt") == keys[item] for keys in conditions)


def write_predictions(path: Path, answered: Sequence[Answered]) -> None:
    """Write the file, complete or not at all; one condition after the other, each with its items in ascending order.

    Raises:
        OSError: It cannot be written.
    """
    write_atomically(path, "".join(json.dumps(row) + "\n" for each in answered for row in _list_rows(each)))


def _list_rows(answered: Answered) -> Iterator[dict[str, Any]]:
    prepared = answered.prepared
    for item, key in answered.keys.items():
        row: dict[str, Any] = {"item_id": item, "response": None, "finish_reason": FAILED}
        row["model"] = answered.model.name
        answer = answered.answers.get(key)
        manner = {"as": prepared.manners[item]} if item in prepared.manners else {}
        settings = {
            **answered.settings,
            **manner,
            **({"date": answer.date} if answer is not None and answer.date else {}),
        }
        if answer is not None:
            row |= {"response": answer.response, "finish_reason": answer.finish_reason}
            row |= {"answered_by": answer.model, "usage": dict(answer.usage), "latency": answer.latency}
        else:
            row["error"] = answered.failures[key]
        yield {**row, "dataset": prepared.content_hash, "family": prepared.family, "prompt": key, "settings": settings}


def summarize(answered: Answered, price: Price | None = None) -> list[str]:
    """Summarise a run in lines to read: how answers end, tokens, cost at a price, latency, and which model answered."""
    answers = [answered.answers[key] for key in answered.keys.values() if key in answered.answers]
    if not answers:
        return []
    lines = [f"{count_noun(len(answers), 'answer')}, by finish reason: {_count_reasons(answers)}"]
    usage = sum_usage(answer.usage for answer in answers)
    if usage.prompt + usage.answer:
        lines.append(f"tokens: {usage.prompt:,} in prompts, {usage.answer:,} in answers")
    if price is not None:
        lines.append(describe_cost(price, usage))
    lines.append(f"latency: {statistics.median(answer.latency for answer in answers):.2f} seconds in the median")
    if others := sorted({answer.model for answer in answers} - {answered.model.name, ""}):
        lines.append(f"answers came from {', '.join(others)}; asked was {answered.model.name}")
    return [*lines, *answered.prepared.list_remarks()]


def _count_reasons(answers: Sequence[Completion]) -> str:
    """Count why answers end, the most frequent reason first."""
    reasons = Counter(answer.finish_reason for answer in answers)
    return ", ".join(f"{reason} {count:,}" for reason, count in reasons.most_common())
