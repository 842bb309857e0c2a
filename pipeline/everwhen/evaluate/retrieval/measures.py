"""Measures of runs: of relevance by ir-measures (MacAvaney, Macdonald and Ounis 2022), answers, and near documents."""

from __future__ import annotations

import re
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import ir_measures
import pyarrow as pa
from ir_measures import Measure

from everwhen.core.errors import InputError
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.retrieval.answers import find_depths
from everwhen.evaluate.retrieval.collection import Collection, Documents, Qrels
from everwhen.evaluate.retrieval.declaration import OwnMeasure
from everwhen.evaluate.retrieval.ranking import Run

_REGISTRY: Mapping[str, Any] = ir_measures.measures.registry


class AnswerAtK(Measure):
    """1 where the first k documents contain the answer of the query (`everwhen.evaluate.retrieval.answers`), else 0."""

    __name__ = NAME = "Answer"
    SUPPORTED_PARAMS = {"cutoff": _REGISTRY["Success"].SUPPORTED_PARAMS["cutoff"]}


class NearAtK(Measure):
    """The share of near documents (`CollectionDeclaration.near`) among the first k that were found."""

    __name__ = NAME = "Near"
    SUPPORTED_PARAMS = AnswerAtK.SUPPORTED_PARAMS


class AmongNear(Measure):
    """A measure of relevance, of the ranking without the documents that are not near: nDCG_near@10."""

    def __init__(self, base: Measure) -> None:
        """Take the measure."""
        self.base, self.params, self.validated = base, base.params, True
        self.__name__ = self.NAME = f"{base.NAME}{NEAR}"
        self.SUPPORTED_PARAMS = base.SUPPORTED_PARAMS


NEAR = "_near"

NAMES: Mapping[str, type[Measure]] = {
    **dict.fromkeys(("ndcg", "ndcg_cut"), _REGISTRY["nDCG"]),
    **dict.fromkeys(("rr", "mrr", "recip_rank"), _REGISTRY["RR"]),
    **dict.fromkeys(("r", "recall"), _REGISTRY["R"]),
    **dict.fromkeys(("p", "precision"), _REGISTRY["P"]),
    **dict.fromkeys(("ap", "map", "map_cut"), _REGISTRY["AP"]),
    "success": _REGISTRY["Success"],
    "rprec": _REGISTRY["Rprec"],
    "answer": AnswerAtK,
    "near": NearAtK,
}
"""Measures from 0 to 1 of which the mean over queries is reported, by their names and trec_eval's in lower case."""

NEED_CUTOFF = ("R", "P", "Success", "Answer", "Near")
WITHOUT_CUTOFF = ("Rprec",)
MAX_CUTOFF = 10**6

PATTERN = re.compile(r"(?P<name>[A-Za-z]+(?:_[a-z]+)*)(?:[@_.](?P<cutoff>[0-9]+))?")


@dataclass(frozen=True)
class Own:
    """A measure of a family, by its name."""

    name: str
    compute: OwnMeasure

    def __str__(self) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True)
class Scores:
    """What a run scores by one measure.

    Attributes:
        measure: The measure, as ir-measures writes it.
        by_query: The score of each query that can be measured; one without results scores 0.
    """

    measure: str
    by_query: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over these queries."""
        return fmean(self.by_query.values())


def parse_measure(text: str) -> Measure:
    """Read a measure such as nDCG@10, RR@10 (or MRR@10), R@100 (or recall@100, recall_100), AP, Answer@10, RR_near@10.

    Raises:
        InputError: There is no such measure, or its cutoff cannot be used.
    """
    before, near, after = text.partition(NEAR)
    if near and not isinstance(base := _parse_plain(before + after), AnswerAtK | NearAtK):
        return AmongNear(base)
    return _parse_plain(text)


def _parse_plain(text: str) -> Measure:
    """Read a measure of all documents."""
    found = PATTERN.fullmatch(text)
    measure = NAMES.get(found["name"].lower()) if found else None
    if found is None or measure is None:
        raise InputError(
            f"measure {text}: one of nDCG, RR, R, P, AP, Success, Rprec, Answer and Near is expected, such as nDCG@10"
        )
    if found["cutoff"] is None:
        if measure.NAME in NEED_CUTOFF:
            raise InputError(f"measure {text}: how many documents count is missing, such as {text}@10")
        return measure()
    if measure.NAME in WITHOUT_CUTOFF:
        raise InputError(f"measure {text}: {measure.NAME} has no cutoff; ask for {measure.NAME}")
    if len(found["cutoff"]) > 7 or not 1 <= int(found["cutoff"]) <= MAX_CUTOFF:
        raise InputError(f"measure {text}: a cutoff from 1 to {MAX_CUTOFF:,} is expected")
    return measure(cutoff=int(found["cutoff"]))


def measure_run(run: Run, qrels: Qrels, measures: Sequence[Measure]) -> list[Scores]:
    """Measure the relevance of a run on the queries that have qrels; its other queries are passed over.

    Providers of ir-measures order equal scores in different ways. They get strictly falling scores in place of the
    run's, so that all see one order.
    """
    falling = {
        query_id: {one.doc_id: float(-place) for place, one in enumerate(run.get(query_id, ()))} for query_id in qrels
    }
    by_measure: dict[Measure, dict[str, float]] = {one: dict.fromkeys(qrels, 0.0) for one in measures}
    grades = {query_id: dict(docs) for query_id, docs in qrels.items()}
    for metric in ir_measures.iter_calc(list(by_measure), grades, {q: docs for q, docs in falling.items() if docs}):
        by_measure[metric.measure][metric.query_id] = float(metric.value)
    return [Scores(str(measure), scores) for measure, scores in by_measure.items()]


def measure_own(run: Run, queries: pa.Table, collection: Collection, measures: Sequence[Own]) -> list[Scores]:
    """Measure a run by measures of a family; a query of which one says nothing has no score.

    The table has the rows of the queries, with their id as item_id. Rows get the documents of the collection as
    `documents` and, where there are near ones, the ids of these as `near`.
    """
    qrels, near = collection.qrels or {}, collection.near
    rows = {row["item_id"]: row | {"documents": collection.documents} for row in queries.to_pylist()}
    if near:
        rows = {key: row | {"near": near.get(key, frozenset())} for key, row in rows.items()}
    found = []
    for measure in measures:
        scores = {key: measure.compute(run.get(key, ()), qrels.get(key, {}), row) for key, row in rows.items()}
        found.append(Scores(measure.name, {key: score for key, score in scores.items() if score is not None}))
    return found


def measure_near(
    run: Run, qrels: Qrels, near: Mapping[str, Ids[str]], measures: Sequence[NearAtK | AmongNear]
) -> list[Scores]:
    """Measure which near documents were found, and how a run ranks them alone.

    A query without results has no share of them. One without a relevant near document has no measure among them.
    """
    among = list(dict.fromkeys(measure for measure in measures if isinstance(measure, AmongNear)))
    found = [
        Scores(str(measure), _measure_shares(run, near, measure["cutoff"]))
        for measure in measures
        if isinstance(measure, NearAtK)
    ]
    if not among:
        return found
    measured = measure_run(_keep_near(run, near), _restrict_to_near(qrels, near), [measure.base for measure in among])
    return found + [Scores(str(measure), one.by_query) for measure, one in zip(among, measured, strict=True)]


def _keep_near(run: Run, near: Mapping[str, Ids[str]]) -> Run:
    return {key: tuple(one for one in run.get(key, ()) if one.doc_id in ids) for key, ids in near.items()}


def _restrict_to_near(qrels: Qrels, near: Mapping[str, Ids[str]]) -> Qrels:
    """Keep the grades of near documents, and the queries of which one is relevant."""
    grades = {key: {doc: grade for doc, grade in qrels.get(key, {}).items() if doc in near[key]} for key in near}
    return {key: docs for key, docs in grades.items() if any(grade > 0 for grade in docs.values())}


def _measure_shares(run: Run, near: Mapping[str, Ids[str]], cutoff: int) -> dict[str, float]:
    first = {query_id: [one.doc_id for one in run.get(query_id, ())[:cutoff]] for query_id in near}
    return {key: sum(doc_id in near[key] for doc_id in ids) / len(ids) for key, ids in first.items() if ids}


def measure_answers(
    run: Run, documents: Documents, items: Mapping[str, GoldItem], measures: Sequence[Measure]
) -> list[Scores]:
    """Measure by `AnswerAtK`; items of yes or no, and without an answer, have no score."""
    depths = find_depths(run, documents, items, max(measure["cutoff"] for measure in measures))
    return [
        Scores(str(measure), {query_id: float(depth <= measure["cutoff"]) for query_id, depth in depths.items()})
        for measure in measures
    ]
