"""Responses to read: of each slice some that are wrong and some that are right but doubtful, chosen by hash."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from everwhen.evaluate.answers.envelope import open_envelope
from everwhen.evaluate.doubts import Candidates, find_doubt
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.separator import SEPARATOR
from everwhen.evaluate.tables import Scored

COUNT = 20
"""Responses of each kind that a slice shows."""

HEAD, TAIL = 240, 80
"""Characters at the beginning and at the end of a response that are shown; what is between them is left out."""


def choose_responses(
    scored: Scored, gold: Gold, predictions: Mapping[int, Prediction], pool: str | None
) -> dict[str, Any]:
    """Choose responses to read; `pool` is the slice whose items have answers of one kind.

    Returns:
        `wrong` and `doubtful`, how many there are of each kind; `slices`, by slice and kind the ids that are chosen, at
        most twenty, spread over the values of the slice; `rows`, by id as text, what is shown of each.
    """
    kinds = {"wrong": find_wrong(scored), "doubtful": find_doubtful(scored, gold, predictions, pool)}
    slices: dict[str, dict[str, list[int]]] = {}
    for slice_ in (*scored.scheme.slices, *scored.slices):
        values = scored.table[slice_].to_pylist()
        slices[slice_] = {kind: _spread(scored, values, rows) for kind, rows in kinds.items()}
    shown = {item for kinds_ in slices.values() for ids in kinds_.values() for item in ids}
    return {
        **{kind: len(rows) for kind, rows in kinds.items()},
        "slices": slices,
        "rows": _describe(scored, predictions, kinds["doubtful"], shown),
    }


def find_wrong(scored: Scored) -> dict[int, str | None]:
    """Find the rows with a response that is not right, though it gives an answer; with what decided it."""
    pairs = enumerate(zip(scored.is_right.tolist(), scored.verdicts, strict=True))
    return {
        row: verdict.why
        for row, (is_right, verdict) in pairs
        if not is_right and verdict.outcome not in scored.scheme.silent
    }


def find_doubtful(
    scored: Scored, gold: Gold, predictions: Mapping[int, Prediction], pool: str | None
) -> dict[int, str | None]:
    """Find the rows with a right response that is doubtful, with the reason (`everwhen.evaluate.doubts`)."""
    items = gold.select(scored.table).iter_items()
    groups = scored.table[pool].to_pylist() if pool else [""] * scored.table.num_rows
    candidates = _collect_candidates(groups, scored.table["answer"].to_pylist())
    doubts: dict[int, str | None] = {}
    pairs = zip(items, groups, scored.verdicts, scored.is_right.tolist(), strict=True)
    for row, (item, group, verdict, is_right) in enumerate(pairs):
        if not is_right:
            continue
        response = predictions[item.item_id].response or ""
        right, others = [*item.answer, *chain.from_iterable(item.accepted)], [*item.options, *item.once]
        if verdict.why and verdict.outcome == scored.scheme.main:
            doubts[row] = verdict.why
        elif response not in right:
            spoken = open_envelope(response).text
            doubts[row] = find_doubt(spoken, item.question, right, item.answer_type, candidates[group], others)
    return {row: doubt for row, doubt in doubts.items() if doubt is not None}


def _collect_candidates(groups: Sequence[str], answers: Sequence[Sequence[str]]) -> dict[str, Candidates]:
    """Collect the names that the answers of each group have."""
    names: dict[str, set[str]] = defaultdict(set)
    for group, answer in zip(groups, answers, strict=True):
        names[group].update(name for part in answer for name in part.split(SEPARATOR))
    return {group: Candidates.collect(found) for group, found in names.items()}


def shorten(text: str) -> str:
    """Shorten a text to its beginning and its end.

    >>> shorten("x" * 1000) == "x" * 240 + " … " + "x" * 80
    True
    """
    return text if len(text) <= HEAD + TAIL + 3 else f"{text[:HEAD].rstrip()} … {text[-TAIL:].lstrip()}"


def _spread(scored: Scored, values: Sequence[str], rows: Mapping[int, str | None]) -> list[int]:
    """Take one of each value in turn, in the order of their hashes; return ids."""
    ids = scored.ids.tolist()
    by_value: dict[str, list[int]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: _hash(ids[row])):
        by_value[values[row]].append(ids[row])
    turns = ((turn, value, item) for value, items in by_value.items() for turn, item in enumerate(items[:COUNT]))
    chosen = sorted(turns, key=lambda each: (each[0], _hash(each[2])))[:COUNT]
    return [item for _, _, item in sorted(chosen, key=lambda each: (each[1], each[0]))]


def _hash(item: int) -> str:
    return hashlib.sha256(f"everwhen responses\x1f{item}".encode()).hexdigest()


def _describe(
    scored: Scored, predictions: Mapping[int, Prediction], doubtful: Mapping[int, str | None], shown: set[int]
) -> dict[str, dict[str, Any]]:
    """Describe the responses that are shown."""
    described = {}
    for row, item in enumerate(scored.ids.tolist()):
        if item in shown:
            verdict = scored.verdicts[row]
            described[str(item)] = {
                "question": scored.table["question"][row].as_py(),
                "answer": scored.table["answer"][row].as_py(),
                "final_answer": shorten(verdict.final_answer),
                "outcome": verdict.outcome,
                "why": doubtful.get(row, verdict.why),
                "response": shorten(predictions[item].response or ""),
            }
    return described
