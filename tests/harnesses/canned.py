"""What models of known merit respond: gold, and mistakes of every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Row = Mapping[str, Any]
Respond = Callable[[Row], str]
"""What a model responds to the item of a row."""


def respond_with_gold(row: Row) -> str:
    """The answer, after the word that the instruction asks for."""
    return f"Answer: {row['target']}"


MISTAKES: tuple[Respond, ...] = (
    respond_with_gold,
    lambda row: "Answer: the Hundred Years' War",
    lambda row: f"I think that it was {row['target']}, all in all.",
    lambda row: f"<think>Is it {row['target']}? It may be.</think>\nAnswer: {row['target'][:4]}",
    lambda row: "I do not know.",
    lambda row: "",
    lambda row: f"<think>Let me see. It is {row['target']}",
    lambda row: f"Answer: not {row['target']}",
)
"""Right, wrong, verbose, coarse or cut short, unsure, empty, cut off, and denied."""


def respond_with_mistakes(row: Row) -> str:
    """A mistake, or the right answer, by the item's id."""
    template, copy = divmod(row["item_id"], 100)
    return MISTAKES[(template + 2 * copy) % len(MISTAKES)](row)


def choose(row: Row, respond: Respond) -> int:
    """The option that a model chooses: the right one where it responds with the answer, else the next one."""
    is_right = respond(row) == respond_with_gold(row)
    return int((row["choice"] + (not is_right)) % len(row["choices"]))
