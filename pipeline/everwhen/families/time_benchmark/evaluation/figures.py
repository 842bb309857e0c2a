"""The figures of TimE: the paper's measure of each item, and typed outcomes beside it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from everwhen.evaluate.items import Gold, GoldItem
from everwhen.evaluate.option_measures import OptionMeasures, measure_options
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scheme import OPTIONS, TYPED_OUTCOMES, Scheme, ScoreColumn
from everwhen.evaluate.scorer import ScoreRequest
from everwhen.evaluate.tables import ItemVerdict, Scored, select_predicted
from everwhen.families.time_benchmark.evaluation.measures import measure_answer, measure_choice, measure_order
from everwhen.families.time_benchmark.evaluation.refusals import NO_ANSWER, says_none
from everwhen.families.time_benchmark.evaluation.verdict import TIMELINE, Reading, read_order, read_response

UNREAD, SAYS_NONE = "unread", "says_none"
PAPER, TOKENS, MATCH, CHOICE = "paper", "token_f1", "timeline_match", "option_f1"
_OPTIONS = tuple(f"{OPTIONS}.{name}" for name in OptionMeasures._fields)

SCHEME = Scheme(
    shares=(*(each.value for each in Outcome), SAYS_NONE, UNREAD),
    means=(PAPER, TOKENS, MATCH, CHOICE, *_OPTIONS),
    partial=frozenset({TOKENS, MATCH, CHOICE, UNREAD, *_OPTIONS}),
    counts=("shared_letters", "all_letters", "tau", "timelines", "words", "responses"),
    ratios={
        "option_f1_micro": ("shared_letters", "all_letters"),
        "tau": ("tau", "timelines"),
        "response_words": ("words", "responses"),
    },
    columns=(
        ScoreColumn("paper", PAPER),
        ScoreColumn("95 %", PAPER, "interval"),
        ScoreColumn("F1", TOKENS),
        ScoreColumn("EM", MATCH),
        ScoreColumn("macro", CHOICE),
        ScoreColumn("micro", "option_f1_micro"),
        ScoreColumn("options f1", f"{OPTIONS}.f1"),
        ScoreColumn("τ", "tau"),
        ScoreColumn("right", "right"),
        ScoreColumn("95 %", "right", "interval"),
        *(ScoreColumn(name.replace("_", " "), name) for name in ("coarse", "wrong", "none_given", "cut_off")),
        ScoreColumn("says none", SAYS_NONE),
        ScoreColumn("unread", UNREAD, "value_of_rows"),
        ScoreColumn("words", "response_words", "number"),
        ScoreColumn("trivial", "trivial"),
    ),
    compared=(PAPER, TOKENS, MATCH, CHOICE, f"{OPTIONS}.f1", "right", "wrong", "none_given", SAYS_NONE),
    bars=TYPED_OUTCOMES.bars,
    main="right",
    silent=TYPED_OUTCOMES.silent,
    better_if_less=frozenset({"wrong", "none_given", "cut_off", UNREAD}),
    legend=(
        "paper: TimE's measure of each item: F1 of tokens (F1), exact match of a timeline (EM), or F1 of options, 0"
        " with a wrong one (macro). micro: of summed options. options f1: without that zero. τ: Kendall's tau of a"
        " timeline, from -100 to 100. right: by typed outcomes; right, coarse, wrong, none given and cut off add up to"
        " 100 %. says none: the response says that there is no answer. unread: choices of which no option was read."
        " words: mean length of a response. trivial: what the best shortcut of each task scores."
    ),
)
"""The figures; those of options are of choices, and those of an order are of timelines."""

SETTINGS = {"prompt": "wording", "context": "context"}
"""Slices of a run, with the settings of predictions that they are of."""
UNSTATED = "not stated"


def score_gold(gold: Gold, predictions: Mapping[int, Prediction], request: ScoreRequest) -> Scored:
    """Score the predictions of a gold; items without one are left out. Nothing of the request is read.

    Returns:
        The scores. Their table has `prompt` and `context` too, by which they are tabulated.
    """
    chosen = select_predicted(gold, predictions)
    columns = [*SCHEME.figures, *SCHEME.counts]
    found = np.full((chosen.table.num_rows, len(columns)), np.nan)
    verdicts = []
    asked = chosen.table["asked"].to_pylist()
    for row, (item, manner) in enumerate(zip(chosen.iter_items(), asked, strict=True)):
        predicted = predictions[item.item_id]
        reading = read_response(predicted.response, item, manner, predicted.finish_reason)
        figures = compute_figures(reading, item, manner) | {"words": len((predicted.response or "").split())}
        found[row] = [figures.get(name, np.nan) for name in columns]
        verdicts.append(ItemVerdict(reading.final_answer, reading.outcome.value, reading.why))
    table = chosen.table
    settings = [predictions[item].settings for item in table["item_id"].to_pylist()]
    for name, key in SETTINGS.items():
        table = table.append_column(name, pa.array([each.get(key, UNSTATED) for each in settings], pa.string()))
    shares, means, counts = np.split(found, np.cumsum([len(SCHEME.shares), len(SCHEME.means)]), axis=1)
    return Scored(table, (*gold.slices, *SETTINGS), shares, means, SCHEME, tuple(verdicts), counts)


def compute_figures(reading: Reading, item: GoldItem, asked: str) -> dict[str, float]:
    """Compute the figures and counts of a response that its item has, but for its length."""
    figures: dict[str, float] = {each.value: float(reading.outcome is each) for each in Outcome}
    figures |= {SAYS_NONE: float(says_none(reading.final_answer)), "responses": 1.0}
    if item.is_choice:
        own = _measure_letters(reading, item)
    elif asked == TIMELINE and item.answer != (NO_ANSWER,):
        own = _measure_timeline(reading, item)
    else:
        own = {TOKENS: _measure_text(reading.final_answer, item)}
    return figures | own | {PAPER: next(own[name] for name in (CHOICE, MATCH, TOKENS) if name in own)}


def _measure_letters(reading: Reading, item: GoldItem) -> dict[str, float]:
    """Measure the options that are chosen; a response without an answer is not one that was not read."""
    letters, right = reading.letters, frozenset(item.right_letters)
    return {
        CHOICE: measure_choice(letters, right),
        UNREAD: float(not letters and reading.outcome is Outcome.WRONG),
        "shared_letters": 2 * len(letters & right),
        "all_letters": len(letters) + len(right),
        **dict(zip(_OPTIONS, measure_options(letters, right), strict=True)),
    }


def _measure_timeline(reading: Reading, item: GoldItem) -> dict[str, float]:
    """Measure exact match after lower case and strip (TimE, section C.2), and Kendall's tau; 0 of what has no order."""
    right = [text.lower().strip() for text in (*item.answer, *item.accepted[0])]
    gold = read_order(item.answer[0], 0) or ()
    return {
        MATCH: float(reading.final_answer.lower().strip() in right),
        "tau": measure_order(reading.order, gold) if reading.order else 0.0,
        "timelines": 1.0,
    }


def _measure_text(final: str, item: GoldItem) -> float:
    """Measure F1 of tokens; that there is no answer is all or nothing."""
    if item.answer == (NO_ANSWER,):
        return float(says_none(final))
    return measure_answer(final, item.answer, item.accepted)
