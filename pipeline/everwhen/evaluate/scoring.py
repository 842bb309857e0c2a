"""The scorer: what a response to an item scores. Every command and every export calls it."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.evaluate.final_answer import extract_final_answer
from everwhen.evaluate.gold import GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.squad import ZERO, Measures, measure
from everwhen.evaluate.typed import judge

CUT_OFF = ("length", "max_tokens", "model_length")
"""What endpoints and harnesses call the end of a response that reached its limit."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a response scores.

    Attributes:
        outcome: The typed outcome.
        is_right_once: Whether it is wrong, and was right at another time.
        whole: ComplexTempQA's measures of the whole response.
        final: The same of the final answer.
        final_answer: The final answer; empty where there is none.
    """

    outcome: Outcome
    is_right_once: bool
    whole: Measures
    final: Measures
    final_answer: str

    @property
    def is_right(self) -> bool:
        """Whether the typed outcome is right; coarse is not."""
        return self.outcome is Outcome.RIGHT


def score(response: str | None, item: GoldItem, finish_reason: str | None = None) -> Score:
    """Score a response.

    Args:
        response: What the model said; None where it said nothing.
        item: What is right.
        finish_reason: Why the response ended; "length" means that it was cut off.
    """
    whole = measure(response, item.answer, is_ordered=item.is_ordered) if response else ZERO
    final_answer = extract_final_answer(response) if response else ""
    is_cut = final_answer is None or finish_reason in CUT_OFF
    final = measure(final_answer, item.answer, is_ordered=item.is_ordered) if final_answer else ZERO
    if is_cut:
        return Score(Outcome.CUT_OFF, False, whole, final, final_answer or "")
    verdict = judge(final_answer or "", item)
    return Score(*verdict, whole=whole, final=final, final_answer=final_answer or "")
