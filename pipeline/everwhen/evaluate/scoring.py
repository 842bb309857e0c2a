"""Score a response to an item. All commands and exports use this one scorer."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.evaluate.answers.choices import list_texts, read_options
from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.answers.typed import judge, judge_choice
from everwhen.evaluate.explanations import Kind, explain, explain_options, explain_outcome
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.option_measures import OptionMeasures, measure_options
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
        why: Why it is not right (`everwhen.evaluate.explanations`), or what makes it doubtful; None of others.
        options: Of a choice with letters, the measures of the options that are chosen; None of others.
    """

    outcome: Outcome
    is_right_once: bool
    whole: Measures
    final: Measures
    final_answer: str
    why: str | None = None
    options: OptionMeasures | None = None

    @property
    def is_right(self) -> bool:
        """Whether the outcome is right; a coarse answer is not."""
        return self.outcome is Outcome.RIGHT


def score(response: str | None, item: GoldItem, finish_reason: str | None = None) -> Score:
    """Score a response.

    ComplexTempQA's measures of a choice with letters are those of the texts of the options that it chooses.

    Args:
        response: The response of the model; None if it returned nothing.
        item: The item with its gold answer.
        finish_reason: Why the response ended; `is_cut_off` tells by it whether it was cut off.
    """
    if item.is_choice:
        return _score_choice(response, item, finish_reason)
    whole = _measure(response, item)
    if response == "; ".join(item.answer) and not is_cut_off(finish_reason):
        # A build rejects items whose published answer would not be right (`everwhen.evaluate.recognition`).
        return Score(Outcome.RIGHT, False, whole, whole, response)
    return _score_text(response or "", item, whole, finish_reason)


def _score_text(response: str, item: GoldItem, whole: Measures, finish_reason: str | None) -> Score:
    """Score a response that is not the published answer; `whole` has the measures of all of it."""
    reply = open_envelope(response)
    final_answer = extract_final_answer(reply.text)
    final = whole if final_answer == response else _measure(final_answer, item)
    judgement = None if reply.is_cut or is_cut_off(finish_reason) else judge(final_answer, item)
    if judgement is None or (reply.is_unfinished and judgement.outcome is Outcome.WRONG):
        return Score(Outcome.CUT_OFF, False, whole, final, final_answer, explain_cut(finish_reason))
    why = explain_outcome(judgement.outcome, final_answer, item, is_right_once=judgement.is_right_once)
    return Score(*judgement, whole=whole, final=final, final_answer=final_answer, why=why)


def _measure(text: str | None, item: GoldItem) -> Measures:
    return measure(text, item.answer, is_ordered=item.is_ordered) if text else ZERO


def _score_choice(response: str | None, item: GoldItem, finish_reason: str | None) -> Score:
    """Score a response to a choice with letters."""
    reply = open_envelope(response or "")
    final_answer = extract_final_answer(reply.text)
    is_cut = reply.is_cut or is_cut_off(finish_reason)
    chosen = None if is_cut else read_options(final_answer, item)
    outcome = judge_choice(chosen, item)
    is_cut = is_cut or (reply.is_unfinished and outcome is Outcome.WRONG)
    letters = chosen or frozenset()
    texts = "; ".join(list_texts(letters, item.lettered))
    measures = measure(texts, item.answer) if texts else ZERO
    options = measure_options(letters, frozenset(item.right_letters))
    why = explain_cut(finish_reason) if is_cut else explain_options(chosen, final_answer, item)
    return Score(Outcome.CUT_OFF if is_cut else outcome, False, measures, measures, final_answer, why, options)


def explain_cut(finish_reason: str | None) -> str:
    """Explain why a response counts as cut off."""
    ended = f"it ended by {finish_reason}" if is_cut_off(finish_reason) else "it ends within a thought or a sentence"
    return explain(Kind.CUT_OFF, ended)
