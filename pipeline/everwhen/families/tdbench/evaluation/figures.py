"""The figures of TDBench: A, T, AT and their difference, set F1, hallucination by hop, and classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import numpy as np
import pyarrow as pa

from everwhen.evaluate.explanations import Kind, explain, shorten, write_contrast
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scheme import Scheme, ScoreColumn
from everwhen.evaluate.scorer import ScoreRequest
from everwhen.evaluate.scoring import explain_cut
from everwhen.evaluate.separator import SEPARATOR
from everwhen.evaluate.tables import ItemVerdict, Scored, select_predicted
from everwhen.families.tdbench.evaluation.items import GoldQuestion
from everwhen.families.tdbench.evaluation.judge import judge_all
from everwhen.families.tdbench.evaluation.reading import OTHER
from everwhen.families.tdbench.evaluation.verdict import ResponseClass, TableVerdict

STEPS = 2
"""Hops whose hallucination is measured: the paper's questions have three at most."""

SHARES = tuple(each.value for each in ResponseClass)
_HALLUCINATIONS = tuple(f"H{step}" for step in range(1, STEPS + 1))
PARTIAL = ("T", "AT", "delta", "T_unstated", "AT_unstated", *_HALLUCINATIONS, "without_role")
MEANS = ("A", "F1", *PARTIAL)

HEADINGS = {
    ResponseClass.PARTIAL: "partial",
    ResponseClass.OUTDATED: "outdated",
    ResponseClass.PARTLY_OUTDATED: "partly",
    ResponseClass.INCORRECT: "incorrect",
    ResponseClass.UNSURE: "unsure",
    ResponseClass.MISSING: "missing",
    ResponseClass.CUT_OFF: "cut off",
}
"""The classes that tables show."""

SCHEME = Scheme(
    shares=SHARES,
    means=MEANS,
    partial=frozenset(PARTIAL),
    columns=(
        ScoreColumn("A", "A"),
        ScoreColumn("95 %", "A", "interval"),
        ScoreColumn("T", "T"),
        ScoreColumn("AT", "AT"),
        ScoreColumn("95 %", "AT", "interval"),
        ScoreColumn("Δ", "delta"),
        ScoreColumn("F1", "F1"),
        ScoreColumn("T own", "T_unstated"),
        ScoreColumn("AT own", "AT_unstated"),
        *(ScoreColumn(name, name, "value_of_rows") for name in _HALLUCINATIONS),
        *(ScoreColumn(heading, each.value) for each, heading in HEADINGS.items()),
        ScoreColumn("no role", "without_role"),
        ScoreColumn("trivial", "trivial"),
    ),
    compared=("A", "T", "AT", "delta", "F1", ResponseClass.UNSURE.value),
    bars={
        ResponseClass.CORRECT.value: "#2c7a4b",
        ResponseClass.PARTIAL.value: "#9ccb86",
        ResponseClass.PARTLY_OUTDATED.value: "#f0c36d",
        ResponseClass.OUTDATED.value: "#e08e45",
        ResponseClass.INCORRECT.value: "#c4473a",
        ResponseClass.UNSURE.value: "#b8b8b8",
        ResponseClass.MISSING.value: "#8f8f8f",
        ResponseClass.CUT_OFF.value: "#6e6e6e",
    },
    main="A",
    silent=frozenset({ResponseClass.UNSURE.value, ResponseClass.MISSING.value, ResponseClass.CUT_OFF.value}),
    better_if_less=frozenset(
        {"delta", "without_role", *_HALLUCINATIONS, *SHARES}
        - {ResponseClass.CORRECT.value, ResponseClass.PARTIAL.value}
    ),
    legend=(
        "A: the answer is right. T: share of the dates required as reason; AT: answer and all dates are right; Δ = A −"
        " AT: all three of items that require dates. own: without dates that the question states. F1: of the set"
        " of answers. H1, H2: wrong at the next hop, of the responses that are right at this hop and mention the"
        " next. partial: the answer alone is right; partly: partly outdated. no role: a date counts"
        " that no word calls start or end. trivial: the A of the best shortcut of each table."
    ),
)
"""The figures; AT, T and Δ are of items with references, so not of those without an answer."""

PROMPT, BOOK = "prompt", "book"
OPEN, CLOSED = "open", "closed"
BOOKS = {"none": CLOSED, "dataset": OPEN}
"""By the context that `everwhen ask` writes, how a question was asked."""

UNSTATED = "not stated"
SILENT = {ResponseClass.UNSURE: Kind.REFUSES, ResponseClass.MISSING: Kind.NO_RESPONSE}
"""Classes that are an explanation by themselves."""

CLASS = "class"
"""The column of scored items with their class."""


def score_gold(gold: Gold, predictions: Mapping[int, Prediction], request: ScoreRequest) -> Scored:
    """Score the predictions of a gold; items without one are left out.

    Args:
        gold: The gold, with the columns and tables that the evaluation declares.
        predictions: The predictions, by item.
        request: The granularity, if one is chosen, and what a judge replied.

    Returns:
        The scores. Their table has the class of each response too, and `prompt` and `book`, by which they are
        tabulated.
    """
    chosen = select_predicted(gold, predictions)
    verdicts, figures = [], []
    added: dict[str, list[str]] = {CLASS: [], PROMPT: [], BOOK: []}
    for item, prediction, verdict in judge_all(chosen, predictions, request):
        figures.append(compute_figures(item, verdict))
        read = "; ".join(_write_values(verdict.found))
        verdicts.append(ItemVerdict(read, verdict.class_.value, _explain(item, verdict, prediction)))
        added[CLASS].append(verdict.class_.value)
        added[PROMPT].append(prediction.settings.get("wording", UNSTATED))
        context = prediction.settings.get("context", UNSTATED)
        added[BOOK].append(BOOKS.get(context, context))
    table = chosen.table
    for name, values in added.items():
        table = table.append_column(name, pa.array(values, pa.string()))
    shares, means = (
        np.array([[each[name] for name in names] for each in figures], dtype=float).reshape(-1, len(names))
        for names in (SHARES, MEANS)
    )  # None becomes NaN
    return Scored(table, (*gold.slices, PROMPT, BOOK), shares, means, SCHEME, tuple(verdicts))


def _explain(item: GoldQuestion, verdict: TableVerdict, prediction: Prediction) -> str | None:
    if verdict.class_ is ResponseClass.CUT_OFF:
        return explain_cut(prediction.finish_reason)
    if verdict.class_ in SILENT:
        return explain(SILENT[verdict.class_])
    if verdict.is_right:
        lacking = [r for r, given in zip(item.references, verdict.given, strict=True) if not given]
        dates = ", ".join(f"{r.role} {r.date} of {_write(r.answer)}" for r in lacking)
        return explain(Kind.REFERENCE, dates) if lacking else None
    return _explain_answer(verdict)


def _explain_answer(verdict: TableVerdict) -> str:
    """Explain why the answer of a response is wrong."""
    right, others = _write_values(verdict.right), _write_values(verdict.found - verdict.right)
    if verdict.class_ is not ResponseClass.INCORRECT:
        return explain(Kind.ONCE, write_contrast(others, right))
    if verdict.says_none:
        return explain(Kind.NAME, write_contrast(["no answer"], right))
    if not verdict.found:
        return explain(Kind.NOTHING, "no value is given as the answer")
    if not others:
        return explain(Kind.PART, shorten("; ".join(_write_values(verdict.right - verdict.found))))
    if right and verdict.right <= verdict.found:
        return explain(Kind.BESIDE, shorten("; ".join(others)))
    return explain(Kind.NAME, write_contrast(others, right))


def _write_values(values: Iterable[str]) -> list[str]:
    return sorted(map(_write, values))


def _write(value: str) -> str:
    """Write an answer to be read."""
    return "somebody whom the table does not have" if value == OTHER else value.replace(SEPARATOR, " / ")


def compute_figures(item: GoldQuestion, verdict: TableVerdict) -> dict[str, Fraction | int | None]:
    """Compute all figures of a response; None where an item has no such figure."""
    is_right = int(verdict.is_right)
    has_references, has_unstated = bool(item.references), verdict.unstated_time is not None
    is_timely = is_right and all(verdict.given)
    is_timely_unstated = is_right and verdict.unstated_time == 1
    figures: dict[str, Fraction | int | None] = {
        "A": is_right,
        "T": verdict.time,
        "AT": int(is_timely) if has_references else None,
        "delta": is_right - int(is_timely) if has_references else None,
        "T_unstated": verdict.unstated_time,
        "AT_unstated": int(is_timely_unstated) if has_unstated else None,
        "F1": verdict.f1,
        "without_role": int(any(verdict.without_role)) if has_references else None,
    }
    figures |= {each.value: int(verdict.class_ is each) for each in ResponseClass}
    return figures | {f"H{step}": measure_hallucination(verdict.hops, step) for step in range(1, STEPS + 1)}


def measure_hallucination(hops: tuple[bool | None, ...], step: int) -> int | None:
    """Measure whether a response that is right at a hop is wrong at the next; None where it is not counted.

    >>> measure_hallucination((True, False, False), 1), measure_hallucination((True, None, False), 1)
    (1, None)
    >>> measure_hallucination((False, True, True), 1), measure_hallucination((False, True, True), 2)
    (None, 0)
    """
    if len(hops) <= step or not hops[step - 1] or hops[step] is None:
        return None
    return int(not hops[step])


def list_classes(scored: Scored) -> list[str]:
    """List the class of each item that was scored."""
    classes: list[str] = scored.table[CLASS].to_pylist()
    return classes


def list_answer_classes(scored: Scored) -> list[str]:
    """List the classes by the answer alone, as benchmarks without time accuracy score (section D.2)."""
    return [ResponseClass.CORRECT.value if name == ResponseClass.PARTIAL else name for name in list_classes(scored)]
