"""The figures of readers: ROUGE-1 recall, exact match, and what wrong answers are (Taghavi et al. 2025, Table 5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np

from everwhen.core.errors import InputError
from everwhen.evaluate.answers.claims import clean
from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.answers.refusals import find_answer, says_none
from everwhen.evaluate.explanations import Kind, explain, write_contrast
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scheme import Scheme, ScoreColumn
from everwhen.evaluate.scorer import ScoreRequest
from everwhen.evaluate.scoring import explain_cut
from everwhen.evaluate.squad import normalize
from everwhen.evaluate.tables import ItemVerdict, Scored, select_predicted

ROUGE = "rouge1_recall"


class ResponseClass(StrEnum):
    """What a response is."""

    EXACT = "exact_match"
    OTHER = "other_document"
    MALFORMED = "malformed"
    NONE = "none"
    CUT_OFF = "cut_off"


CLASSES = tuple(each.value for each in ResponseClass)

SCHEME = Scheme(
    shares=CLASSES,
    means=(ROUGE,),
    columns=(
        ScoreColumn("ROUGE-1", ROUGE),
        ScoreColumn("95 %", ROUGE, "interval"),
        ScoreColumn("EM", ResponseClass.EXACT),
        ScoreColumn("95 %", ResponseClass.EXACT, "interval"),
        *(ScoreColumn(name.replace("_", " "), name) for name in CLASSES[1:]),
        ScoreColumn("trivial", "trivial"),
    ),
    compared=(ROUGE, *CLASSES),
    bars=dict(zip(CLASSES, ("#2c7a4b", "#c4473a", "#e08e45", "#b8b8b8", "#6e6e6e"), strict=True)),
    main=ResponseClass.EXACT.value,
    silent=frozenset({ResponseClass.NONE.value, ResponseClass.CUT_OFF.value}),
    better_if_less=frozenset(CLASSES[1:]),
    legend=(
        "ROUGE-1: share of the answer's words that follow the last 'Answer:', as stems. EM: exact match but for case,"
        " punctuation, articles and spaces. The others are wrong, and add up to 100 % with EM: other document has the"
        " answer to another query of the set alone; none gives no answer; cut off did not end; malformed is all else."
        " trivial is what the best shortcut of each pool scores."
    ),
)


def score_gold(gold: Gold, predictions: Mapping[int, Prediction], request: ScoreRequest) -> Scored:
    """Score the predictions of a gold; items without one are left out. Nothing of the request is read.

    Raises:
        InputError: The package rouge-score is missing.
    """
    chosen = select_predicted(gold, predictions)
    shares = np.zeros((chosen.table.num_rows, len(SCHEME.shares)))
    means = np.zeros((chosen.table.num_rows, 1))
    verdicts = []
    of_sets = chosen.table["set_answers"].to_pylist()
    for row, (item, of_set) in enumerate(zip(chosen.iter_items(), of_sets, strict=True)):
        predicted, (answer,) = predictions[item.item_id], item.answer
        final = read_answer(predicted.response)
        found = classify(final, answer, of_set, is_cut=is_cut_off(predicted.finish_reason))
        shares[row, CLASSES.index(found)] = 1
        means[row, 0] = measure_recall(final, answer)
        verdicts.append(ItemVerdict(final, found.value, _explain(found, final, answer, predicted.finish_reason)))
    return Scored(chosen.table, gold.slices, shares, means, SCHEME, tuple(verdicts))


def read_answer(response: str | None) -> str:
    """Read what follows the last "Answer:" of a response; all of it where there is none."""
    return extract_final_answer(open_envelope(response or "").text)


def measure_recall(text: str, answer: str) -> float:
    """Measure ROUGE-1 recall, from 0 to 1: the share of the answer's stems that a text has (Lin 2004).

    Raises:
        InputError: The package rouge-score is missing.
    """
    return float(_load_rouge().score(answer, text)["rouge1"].recall)


def classify(final: str, answer: str, of_set: Collection[str], *, is_cut: bool = False) -> ResponseClass:
    """Classify a final answer; `of_set` has the answers to all queries of the set.

    >>> classify("It was Bo.", "Ann", ["Ann", "Bo"]).value, classify("Ann or Bo", "Ann", ["Ann", "Bo"]).value
    ('other_document', 'malformed')
    """
    given, right = normalize(final), normalize(answer)
    if given == right:
        return ResponseClass.EXACT
    if is_cut:
        return ResponseClass.CUT_OFF
    if not _has(given, right) and any(_has(given, normalize(other)) for other in of_set):
        return ResponseClass.OTHER
    text = clean(final)
    if not given or find_answer(text) is None or says_none([text]):
        return ResponseClass.NONE
    return ResponseClass.MALFORMED


def _has(given: str, answer: str) -> bool:
    """Tell whether a text has an answer as whole words."""
    return f" {answer} " in f" {given} "


@cache
def _load_rouge() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise InputError("no package rouge-score; run pip install 'everwhen[retrieval]'") from None
    return RougeScorer(["rouge1"], use_stemmer=True)


def _explain(found: ResponseClass, final: str, answer: str, finish_reason: str | None) -> str | None:
    if found is ResponseClass.EXACT:
        return None
    if found is ResponseClass.CUT_OFF:
        return explain_cut(finish_reason)
    if found is ResponseClass.NONE:
        return explain(Kind.REFUSES if final else Kind.NO_RESPONSE)
    return explain(Kind.NAME, write_contrast([final], [answer]))
