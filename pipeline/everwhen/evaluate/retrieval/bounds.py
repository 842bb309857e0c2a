"""What scores are compared with: chance, chance among near documents, the most that is possible, and a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ir_measures import Measure

from everwhen.evaluate.retrieval.collection import Collection
from everwhen.evaluate.retrieval.evaluation import Context, average_scores, score_queries
from everwhen.evaluate.retrieval.measures import AmongNear, AnswerAtK, NearAtK, Own, measure_run
from everwhen.evaluate.retrieval.published import Published
from everwhen.evaluate.retrieval.ranking import Ranked
from everwhen.evaluate.retrieval.retriever import Oracle, Random, Retriever, build_by_part
from everwhen.evaluate.tables import round_figure

DEPTH = 100
"""How many documents a query the rankings have by which bounds are measured, or more where a measure reads more."""

AMONG_NEAR = "chance_among_near"

Means = dict[str, float | None]


def measure_bounds(collection: Collection, context: Context, measures: Sequence[Measure | Own]) -> dict[str, Means]:
    """Measure what scores are compared with.

    Returns:
        By name the mean of each measure, None where it says nothing. `chance` is a random order of the documents, and
        `upper` the most that a ranking can have. `chance_among_near` is the expectation of a random order of the near
        documents, where there are some, and a family's reference has its own name. Empty where nothing is judged.
    """
    if collection.qrels is None:
        return {}

    depth = max(DEPTH, *map(_read_cutoff, measures))

    def measure(build: Callable[[Collection], Retriever]) -> Means:
        run = dict(build_by_part(collection, build).retrieve(collection.select_queries(), depth))
        return average_scores(score_queries(run, collection, context, measures))

    bounds = {"chance": measure(lambda part: Random(part.documents))}
    if collection.near:
        among = expect_among_near(collection, measures)
        # A random order of all documents is one of the near documents, too.
        bounds["chance"] |= {name: among[name] for name in map(str, filter(_is_among_near, measures))}
        bounds[AMONG_NEAR] = among
    bounds["upper"] = measure(lambda part: Oracle(part.qrels or {}))
    if isinstance(context, Published) and (name := context.declaration.reference):
        build = context.declaration.retrievers[name]
        bounds[name] = measure(lambda part: build(part.documents, 0, context.tables))
    return bounds


def expect_among_near(collection: Collection, measures: Sequence[Measure | Own]) -> Means:
    """Compute the expectation of measures where a ranking is a random order of the query's near documents.

    It is over the queries with one relevant document, which is near; None of measures of a family, and of answers.
    """
    sizes = Counter(_list_sizes(collection))
    found: Means = {}
    for measure in measures:
        if isinstance(measure, NearAtK):
            found[str(measure)] = 1.0 if sizes else None
        elif isinstance(measure, Own | AnswerAtK) or not sizes:
            found[str(measure)] = None
        else:
            base = measure.base if isinstance(measure, AmongNear) else measure
            total = sum(number * expect_one_relevant(base, size) for size, number in sorted(sizes.items()))
            found[str(measure)] = round_figure(total / sizes.total())
    return found


def expect_one_relevant(measure: Measure, size: int) -> float:
    """Compute the expectation of a measure over random orders of so many documents, one of which is relevant.

    It is the mean over the ranks of that document; below the measure's cutoff all score 0.
    """
    ranks = range(1, min(size, _read_cutoff(measure) or size) + 1)
    others = tuple(Ranked(str(number), 0.0) for number in ranks)
    run = {str(rank): (*others[: rank - 1], Ranked("relevant", 0.0)) for rank in ranks}
    (scores,) = measure_run(run, {query_id: {"relevant": 1} for query_id in run}, [measure])
    return scores.mean * len(ranks) / size


def _list_sizes(collection: Collection) -> list[int]:
    """List how many near documents each query has, of those with one relevant document, which is near."""
    qrels, sizes = collection.qrels or {}, []
    for query_id in collection.select_queries():
        near = collection.near.get(query_id, ())
        relevant = [doc_id for doc_id, grade in qrels.get(query_id, {}).items() if grade > 0]
        if len(relevant) == 1 and relevant[0] in near:
            sizes.append(len(near))
    return sizes


def _read_cutoff(measure: Measure | Own) -> int:
    """Read how many documents a measure reads; 0 where it has no cutoff."""
    return 0 if isinstance(measure, Own) else measure.params.get("cutoff", 0)


def _is_among_near(measure: Measure | Own) -> bool:
    return isinstance(measure, AmongNear)
