"""Measures of runs by ir-measures (MacAvaney, Macdonald and Ounis 2022), each query by itself and as a mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import ir_measures
import numpy as np
from ir_measures import Measure

from everwhen.core.errors import InputError
from everwhen.evaluate.intervals import Estimate, estimate_mean
from everwhen.evaluate.retrieval.qrels import Qrels
from everwhen.evaluate.retrieval.ranking import Run

NAMES: Mapping[str, type[Measure]] = {
    "ndcg": ir_measures.measures.registry["nDCG"],
    **dict.fromkeys(("rr", "mrr"), ir_measures.measures.registry["RR"]),
    **dict.fromkeys(("r", "recall"), ir_measures.measures.registry["R"]),
    **dict.fromkeys(("p", "precision"), ir_measures.measures.registry["P"]),
    **dict.fromkeys(("ap", "map"), ir_measures.measures.registry["AP"]),
    "success": ir_measures.measures.registry["Success"],
    "rprec": ir_measures.measures.registry["Rprec"],
}
"""Measures from 0 to 1 of which the mean over queries is reported, by their names in lower case."""

NEED_CUTOFF = ("R", "P", "Success")
WITHOUT_CUTOFF = ("Rprec",)
LARGEST_CUTOFF = 10**6

PATTERN = re.compile(r"(?P<name>[A-Za-z]+)(@(?P<cutoff>[0-9]+))?")


@dataclass(frozen=True)
class Scores:
    """What a run scores by one measure.

    Attributes:
        measure: The measure, as ir-measures writes it.
        by_query: The score of each judged query; a query without results scores 0.
    """

    measure: str
    by_query: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over all judged queries."""
        return fmean(self.by_query.values())

    def estimate(self) -> Estimate:
        """Estimate the mean with its score interval."""
        return estimate_mean(np.array(list(self.by_query.values()), dtype=float))


def parse_measure(text: str) -> Measure:
    """Read a measure such as nDCG@10, RR@10 (or MRR@10), R@100 (or recall@100), AP.

    Raises:
        InputError: There is no such measure, or its cutoff cannot be used.
    """
    found = PATTERN.fullmatch(text)
    measure = NAMES.get(found["name"].lower()) if found else None
    if found is None or measure is None:
        raise InputError(f"measure {text}: one of nDCG, RR, R, P, AP, Success and Rprec is expected, such as nDCG@10")
    if found["cutoff"] is None:
        if measure.NAME in NEED_CUTOFF:
            raise InputError(f"measure {text}: how many documents count is missing, such as {text}@10")
        return measure()
    if measure.NAME in WITHOUT_CUTOFF:
        raise InputError(f"measure {text}: {measure.NAME} has no cutoff; ask for {measure.NAME}")
    if len(found["cutoff"]) > 7 or not 1 <= int(found["cutoff"]) <= LARGEST_CUTOFF:
        raise InputError(f"measure {text}: a cutoff from 1 to {LARGEST_CUTOFF:,} is expected")
    return measure(cutoff=int(found["cutoff"]))


def measure_run(run: Run, qrels: Qrels, measures: Sequence[Measure]) -> list[Scores]:
    """Measure a run on the queries that have qrels.

    Providers of ir-measures order equal scores in different ways. They get strictly falling scores in place of the
    run's, so that all see one order.

    Args:
        run: The run; other queries in it are passed over.
        qrels: The qrels.
        measures: The measures, by `parse_measure`.
    """
    falling = {
        query_id: {one.doc_id: float(-place) for place, one in enumerate(run.get(query_id, ()))} for query_id in qrels
    }
    by_measure: dict[Measure, dict[str, float]] = {one: dict.fromkeys(qrels, 0.0) for one in measures}
    grades = {query_id: dict(docs) for query_id, docs in qrels.items()}
    for metric in ir_measures.iter_calc(list(by_measure), grades, {q: docs for q, docs in falling.items() if docs}):
        by_measure[metric.measure][metric.query_id] = float(metric.value)
    return [Scores(str(measure), scores) for measure, scores in by_measure.items()]
