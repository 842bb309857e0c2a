"""What is read of a response, and its typed outcome: by letters, as an order, a time, a duration or names."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

from everwhen.evaluate.answers.choices import read_options
from everwhen.evaluate.answers.claims import clean
from everwhen.evaluate.answers.durations import is_duration, judge_durations, read_durations
from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.answers.refusals import find_answer
from everwhen.evaluate.answers.spans import is_span, judge_span, leave_open, read_span
from everwhen.evaluate.answers.typed import judge, judge_choice
from everwhen.evaluate.explanations import Kind, explain, explain_options, explain_outcome, write_contrast
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.scoring import explain_cut
from everwhen.families.time_benchmark.evaluation.refusals import NO_ANSWER, says_none

TIMELINE = "timeline"
"""The value of `asked` of items that put events in order."""

EVENT = re.compile(r"\((\d{1,2})\)")
NUMBERS_ALONE = re.compile(r"[\[({]?\d{1,2}(?:\W{1,6}\d{1,2})*[\])}]?\.?|\d+")


class Reading(NamedTuple):
    """What is read of a response.

    Attributes:
        final_answer: Its final answer.
        outcome: Its typed outcome.
        why: Why it is not right; None where it is.
        letters: Of a choice, the options that are chosen.
        order: Of a timeline, the order of the events; None where none can be read.
    """

    final_answer: str
    outcome: Outcome
    why: str | None = None
    letters: frozenset[str] = frozenset()
    order: tuple[int, ...] | None = None


def read_response(response: str | None, item: GoldItem, asked: str, finish_reason: str | None = None) -> Reading:
    """Read a response.

    Args:
        response: The response; None where the model returned nothing.
        item: What is right.
        asked: How the item is asked: free, timeline, single or multiple.
        finish_reason: Why the response ended.
    """
    reply = open_envelope(response or "")
    final = extract_final_answer(reply.text)
    reading = _choose_reader(item, asked)(final, item)
    is_cut = reply.is_cut or is_cut_off(finish_reason)
    if is_cut or (reply.is_unfinished and reading.outcome is Outcome.WRONG):
        # The paper's measures do not know of cuts: they keep what was read.
        return reading._replace(outcome=Outcome.CUT_OFF, why=explain_cut(finish_reason))
    return reading


Reader = Callable[[str, GoldItem], Reading]


def _choose_reader(item: GoldItem, asked: str) -> Reader:
    if item.is_choice:
        return _read_choice
    if item.answer == (NO_ANSWER,):
        return _read_refusal
    if asked == TIMELINE:
        return _read_timeline
    if len(item.answer) == 1 and is_duration(item.answer[0]):
        return _read_duration
    return _read_time if len(item.answer) == 1 and is_span(item.answer[0]) else _read_values


def _read_choice(final: str, item: GoldItem) -> Reading:
    """Read letters; a sentence of the list chooses the option that says that there is no answer."""
    chosen = read_options(final, item)
    if not chosen and says_none(final):
        chosen = frozenset(letter for letter, text in item.lettered.items() if says_none(text)) or chosen
    why = explain_options(chosen, final, item)
    return Reading(final, judge_choice(chosen, item), why, chosen or frozenset())


def _read_refusal(final: str, item: GoldItem) -> Reading:
    return _conclude(final, item, Outcome.RIGHT if says_none(final) else Outcome.WRONG)


def _read_timeline(final: str, item: GoldItem) -> Reading:
    count = len(read_order(item.answer[0], 0) or ())
    order = read_order(final, count)
    is_right = order is not None and any(order == read_order(text, count) for text in _list_right(item))
    return _conclude(final, item, Outcome.RIGHT if is_right else Outcome.WRONG)._replace(order=order)


def _read_duration(final: str, item: GoldItem) -> Reading:
    right = [each for text in _list_right(item) for each in read_durations(text)]
    return _conclude(final, item, judge_durations(read_durations(final), right))


def _read_time(final: str, item: GoldItem) -> Reading:
    right = [span for text in _list_right(item) if (span := read_span(text))]
    given = read_span(final, item.question)
    if all(span.end is None for span in right):
        given = leave_open(given, final)
    return _conclude(final, item, judge_span(given, right))


def _read_values(final: str, item: GoldItem) -> Reading:
    """Read names, dates, numbers, yes or no as everwhen's own scorer does."""
    if final == "; ".join(item.answer):
        return Reading(final, Outcome.RIGHT)
    if says_none(final):
        return _conclude(final, item, Outcome.WRONG)
    outcome = judge(final, item).outcome
    return Reading(final, outcome, explain_outcome(outcome, final, item))


def _list_right(item: GoldItem) -> tuple[str, ...]:
    """List the texts that are right of an answer of one part."""
    return (item.answer[0], *chain.from_iterable(item.accepted))


def _conclude(final: str, item: GoldItem, outcome: Outcome) -> Reading:
    """Conclude from the outcome of what was read: what is wrong may be no answer at all."""
    if outcome is Outcome.RIGHT:
        return Reading(final, outcome)
    if outcome is Outcome.WRONG and not says_none(final) and find_answer(clean(final)) is None:
        why = explain(Kind.REFUSES if final else Kind.NO_RESPONSE)
        return Reading(final, Outcome.NONE_GIVEN, why)
    kind = Kind.LESS_EXACT if outcome is Outcome.COARSE else Kind.NAME
    return Reading(final, outcome, explain(kind, write_contrast([final], item.answer)))


def read_order(text: str, count: int) -> tuple[int, ...] | None:
    """Read in which order a text puts so many numbered events; None where it gives none.

    >>> read_order("(2)(1)(3)", 3), read_order("2, 1, 3", 3), read_order("213", 3), read_order("Two of them.", 3)
    ((2, 1, 3), (2, 1, 3), (2, 1, 3), None)
    """
    plain = clean(text)
    numbers = EVENT.findall(plain)
    if not numbers and NUMBERS_ALONE.fullmatch(plain):
        numbers = re.findall(r"\d+", plain)
        if len(numbers) == 1 and len(numbers[0]) == count <= 9:
            numbers = list(numbers[0])
    return tuple(map(int, numbers)) or None
