"""Score a response to an item. All commands and exports use this one scorer."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.evaluate.answers.claims import clean
from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.answers.stance import drop_replaced
from everwhen.evaluate.answers.typed import Verdict, judge
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.gold import GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.squad import ZERO, Measures, measure


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a response.

    Attributes:
        outcome: The typed outcome.
        is_right_once: Whether the answer is wrong now, but was right at another time.
        whole: ComplexTempQA's measures, computed on the complete response.
        final: The same measures, computed on the final answer.
        final_answer: The final answer; empty if there is none.
        why: What decided the outcome; None where the answer alone did.
    """

    outcome: Outcome
    is_right_once: bool
    whole: Measures
    final: Measures
    final_answer: str
    why: str | None = None

    @property
    def is_right(self) -> bool:
        """Whether the outcome is right; a coarse answer is not."""
        return self.outcome is Outcome.RIGHT


def score(response: str | None, item: GoldItem, finish_reason: str | None = None) -> Score:
    """Score a response.

    Args:
        response: The response of the model; None if it returned nothing.
        item: The item with its gold answer.
        finish_reason: Why the response ended; `is_cut_off` tells by it whether it was cut off.
    """
    whole = measure(response, item.answer, is_ordered=item.is_ordered) if response else ZERO
    reply = open_envelope(response or "")
    final_answer = extract_final_answer(reply.text)
    final = measure(final_answer, item.answer, is_ordered=item.is_ordered) if final_answer else ZERO
    if reply.is_cut or is_cut_off(finish_reason):
        return Score(Outcome.CUT_OFF, False, whole, final, final_answer, explain_cut(finish_reason))
    judgement = judge(final_answer, item)
    if reply.is_unfinished and judgement.outcome is Outcome.WRONG:
        return Score(Outcome.CUT_OFF, False, whole, final, final_answer, explain_cut(finish_reason))
    why = _explain(judgement, final_answer, item)
    return Score(*judgement, whole=whole, final=final, final_answer=final_answer, why=why)


def explain_cut(finish_reason: str | None) -> str:
    """Explain why a response counts as cut off."""
    return f"it ended by {finish_reason}" if is_cut_off(finish_reason) else "it ends within a thought or a sentence"


def _explain(verdict: Verdict, final_answer: str, item: GoldItem) -> str | None:
    """Explain a verdict, where more than the answer decided it."""
    if verdict.outcome is Outcome.NONE_GIVEN:
        return "it refuses, or is unsure" if final_answer else "it is empty"
    if verdict.outcome is Outcome.COARSE:
        return "it is right as far as it goes"
    if verdict.is_right_once:
        return "it was right at another time"
    text = clean(final_answer)
    if item.answer_type != "yes_no" and drop_replaced(text) != text:
        return "a later claim replaces an earlier one"
    if verdict.outcome is Outcome.WRONG and all(part.casefold() in final_answer.casefold() for part in item.answer):
        return "it has the answer, and denies it, leaves it open, or gives another beside it"
    return None
