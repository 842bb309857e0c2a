"""A model of known rates: a rule that looks its answer up, and is right, coarse, wrong, silent or cut off by hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from everwhen.evaluate.items import GoldItem
from everwhen.temporal.phrases import write_date

RATES = {"right": 0.5, "coarse": 0.1, "right_once": 0.2, "none_given": 0.08, "cut_off": 0.05}
"""How often the model answers in which way, where it can; else, and in all other cases, it is wrong."""

FULL_DATE = len("1971-03-04")


@dataclass(frozen=True)
class RuleModel:
    """Answers the questions that it knows.

    Attributes:
        items: What is right, by question.
    """

    items: Mapping[str, GoldItem]

    @classmethod
    def know(cls, items: Iterable[GoldItem]) -> RuleModel:
        """Make a model that knows these items."""
        return cls({item.question: item for item in items})

    def answer(self, prompt: str) -> tuple[str, str]:
        """Answer a prompt: the text and the finish reason."""
        item = self.items[prompt.rpartition("Question: ")[2]]
        outcome = choose_outcome(item, prompt)
        if outcome == "cut_off":
            return "Let me think about all that happened in", "length"
        if outcome == "none_given":
            return ("Answer: unknown", "I'm sorry, but I don't know.")[_hash(prompt, "wording") < 0.5], "stop"
        thought = ("", "This is what I remember.\n")[_hash(prompt, "thought") < 0.5]
        return f"{thought}Answer: {_write_answer(item, outcome, _hash(prompt, 'format'))}", "stop"


def compute_rates(item: GoldItem) -> dict[str, float]:
    """Compute the probability of each outcome of an item's answer; `right_once` is part of `wrong`."""
    rates = {name: rate if _is_possible(item, name) else 0.0 for name, rate in RATES.items()}
    others = sum(rates[name] for name in ("right", "coarse", "none_given", "cut_off"))
    return {**rates, "wrong": 1.0 - others}


def choose_outcome(item: GoldItem, prompt: str) -> str:
    """Choose how a prompt is answered, by its hash."""
    number = _hash(prompt, "outcome")
    for name, rate in RATES.items():
        if number < rate:
            return name if _is_possible(item, name) else "wrong"
        number -= rate
    return "wrong"


def _is_possible(item: GoldItem, outcome: str) -> bool:
    if outcome == "coarse":
        return item.answer_type == "date" and all(len(part) == FULL_DATE for part in item.answer)
    return outcome != "right_once" or bool(item.once)


def _write_answer(item: GoldItem, outcome: str, number: float) -> str:
    if outcome == "right_once":
        return item.once[int(number * len(item.once))]
    if outcome == "coarse":
        return "; ".join(part[:4] for part in item.answer)
    if outcome == "right":
        in_words = item.answer_type == "date" and number < 0.5
        return "; ".join(_write_in_words(part) if in_words else part for part in item.answer)
    return {
        "date": "; ".join("1066-10-14" for _ in item.answer),
        "number": "-1",
        "yes_no": "no" if item.answer == ("yes",) else "yes",
        "name": "Nobody in Particular",
    }[item.answer_type]


def _write_in_words(part: str) -> str:
    return write_date(date.fromisoformat(part)) if len(part) == FULL_DATE else part


def _hash(prompt: str, purpose: str) -> float:
    """A number from 0 to 1."""
    return int.from_bytes(hashlib.sha256(f"{purpose}\x1f{prompt}".encode()).digest()[:7], "big") / 2**56
