"""Retrieve documents for queries, and measure what was found.

Reads a corpus, queries and qrels: from JSONL files, whose fields options name, or from a folder in BEIR's layout.
A dataset may publish such collections: --dataset without --corpus reads one, with the measures of its family.
Writes a TREC run file, or measures run files that exist. Queries may be questions of a dataset: then Answer@k says of
how many the first k documents contain the answer, and all measures are by the family's slices, too. --against compares
with another run, query by query. Prints one JSON object on stdout: the collection, the retriever with all of its
settings, and the measures; on stderr the progress and tables for people. Needs the packages of the extra "retrieval".

example:
  everwhen retrieve --corpus scifact --retriever bm25 --run-out bm25.run
  everwhen retrieve --corpus pool.jsonl.gz --id-field id --text-field pos_document --query-field question
  everwhen retrieve --corpus scifact --run bm25.run --run dense.run --measures nDCG@10 R@100
  everwhen retrieve --corpus passages.jsonl --dataset build/demo/dataset/demo --set lite-1000 --run-out bm25.run
  everwhen retrieve --corpus scifact --run dense.run --against bm25.run --json report.json
  everwhen retrieve --dataset dataset --family FAMILY --collection NAME --run-out bm25.run
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.collections import add_collection_arguments, read_context, read_named_collection
from everwhen.cli.rankings import (
    add_ranking_arguments,
    list_default_measures,
    order_run,
    parse_measures,
    require_packages,
)
from everwhen.cli.retrievers import RETRIEVERS, add_retriever_arguments, fill_settings, find_run
from everwhen.core.argument_values import read_count
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.files import compute_sha256, write_atomically
from everwhen.core.log import is_json_log
from everwhen.core.outputs import require_writable_files
from everwhen.core.progress import show_progress

if TYPE_CHECKING:
    from ir_measures import Measure

    from everwhen.evaluate.retrieval.collection import Collection
    from everwhen.evaluate.retrieval.evaluation import Context
    from everwhen.evaluate.retrieval.measures import Own, Scores
    from everwhen.evaluate.retrieval.ranking import Run
    from everwhen.evaluate.retrieval.run_file import Dropped

ANSWER = "Answer"
DEFAULT_CUTOFFS = (1, 10)
"""Of this measure, as far as so many documents are asked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_collection_arguments(parser)
    parser.add_argument(
        "--retriever",
        metavar="NAME",
        help=f"how to find documents: {', '.join(RETRIEVERS)}, or one of the family; bm25 by default",
    )
    parser.add_argument(
        "--run",
        type=Path,
        action="append",
        default=[],
        dest="runs",
        metavar="FILE",
        help="a TREC run file in place of a retriever; several are fused by reciprocal rank",
    )
    parser.add_argument("--top", type=read_count, metavar="K", help="documents a query; 100 by default")
    add_ranking_arguments(parser)
    parser.add_argument("--against", type=Path, metavar="FILE", help="a TREC run file to compare with query by query")
    parser.add_argument("--run-out", type=Path, metavar="FILE", help="write the run as a TREC run file")
    parser.add_argument("--scores-out", type=Path, metavar="FILE", help="write the scores of each query as JSONL")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the JSON object to this file, not to stdout")
    add_retriever_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Retrieve or read a run, write it, and print what it scores."""
    require_packages()
    from everwhen.evaluate.retrieval.evaluation import (
        arrange,
        describe,
        describe_differences,
        measure_bounds,
        score_queries,
    )
    from everwhen.evaluate.retrieval.published import Published
    from everwhen.evaluate.retrieval.run_file import write_run

    if arguments.runs and arguments.retriever:
        raise InputError("--run and --retriever: name one of them")
    fill_settings(arguments)
    context = read_context(arguments)
    collection = read_named_collection(arguments, context)
    measures = parse_measures(arguments.measures or _list_defaults(arguments, context, collection), context)
    _require_outputs(arguments, collection)
    _require_measurable(arguments, collection, measures)
    other, dropped = _read_other(arguments, collection)
    with show_progress("retrieve", quiet=arguments.quiet) as progress:
        found, settings = find_run(arguments, collection, context, progress)
    found = order_run(found, arguments)
    scores = score_queries(found, collection, context, measures)
    scored = arrange(scores, collection, context)
    report: dict[str, Any] = {
        "collection": _describe(collection, arguments.dataset),
        "retriever": settings,
        **describe(found, scored, collection),
    }
    if other is not None:
        second = arrange(score_queries(other, collection, context, measures), collection, context)
        report["against"] = {
            "retriever": {"name": "run", "files": [str(arguments.against)], "dropped": asdict(dropped)},
            **describe(other, second, collection),
            "differences": describe_differences(scored, second),
        }
    if isinstance(context, Published):
        report["bounds"] = measure_bounds(collection, context, measures)
    if arguments.run_out:
        write_run(arguments.run_out, found, settings["name"])
    if arguments.scores_out:
        _write_scores(arguments.scores_out, scores, collection)
    _publish(report, arguments)
    return ExitCode.DONE


def _publish(report: dict[str, Any], arguments: argparse.Namespace) -> None:
    """Write the JSON object to its file or to stdout, and tables for people to stderr."""
    from everwhen.evaluate.retrieval.report import print_measures

    text = json.dumps(report, indent=1, ensure_ascii=False)
    if arguments.json:
        write_atomically(arguments.json, f"{text}\n")
    else:
        print(text)
    if report["measures"] and not arguments.quiet and not is_json_log():
        print_measures(report)


def _list_defaults(arguments: argparse.Namespace, context: Context, collection: Collection) -> list[str]:
    """List the measures where none is named: those that can be computed."""
    from everwhen.evaluate.retrieval.evaluation import Questions

    answers = [f"{ANSWER}@{cutoff}" for cutoff in DEFAULT_CUTOFFS if arguments.top is None or cutoff <= arguments.top]
    relevance = list_default_measures(context) if collection.qrels else ()
    return [*relevance, *(answers if isinstance(context, Questions) else ())]


def _require_outputs(arguments: argparse.Namespace, collection: Collection) -> None:
    further = [path for path in (arguments.vectors, arguments.against) if path]
    outputs = {"--run-out": arguments.run_out, "--scores-out": arguments.scores_out, "--json": arguments.json}
    require_writable_files(outputs, [*collection.files, *arguments.runs, *further])


def _read_other(arguments: argparse.Namespace, collection: Collection) -> tuple[Run | None, Dropped]:
    """Read the run to compare with, and count its lines that were dropped."""
    from everwhen.evaluate.retrieval.run_file import Dropped, read_run

    if arguments.against is None:
        return None, Dropped()
    other, dropped = read_run(arguments.against, collection.queries, collection.documents)
    return order_run(other, arguments), dropped


def _require_measurable(arguments: argparse.Namespace, collection: Collection, measures: list[Measure | Own]) -> None:
    """Require queries, and qrels and enough documents for the measures.

    Raises:
        InputError: There is one of these too few.
    """
    if not collection.queries:
        raise InputError(
            f"{arguments.queries or arguments.corpus}: no queries; name --queries, --dataset or --query-field"
        )
    from everwhen.evaluate.retrieval.measures import Answer, Own

    relevance = [measure for measure in measures if not isinstance(measure, Answer)]
    if not (arguments.dataset and arguments.corpus) and len(relevance) < len(measures):
        raise InputError(f"{ANSWER}: only questions of a dataset say what is right; name --dataset")
    if collection.qrels is None and (relevance or not measures) and _needs_measures(arguments):
        raise InputError("nothing is judged, so nothing can be measured; name --qrels")
    for measure in measures if len(arguments.runs) != 1 else ():
        if isinstance(measure, Own):
            continue
        if "@" in str(measure) and measure["cutoff"] > arguments.top < len(collection.documents):
            raise InputError(f"--top {arguments.top}: {measure} reads more documents; ask for {measure['cutoff']}")


def _needs_measures(arguments: argparse.Namespace) -> bool:
    return bool(arguments.measures or arguments.scores_out or arguments.against)


def _describe(collection: Collection, dataset: str | None) -> dict[str, Any]:
    from everwhen.validate.manifest import load_manifest

    return {
        "documents": len(collection.documents),
        "queries": len(collection.queries),
        "judged_queries": len(collection.qrels or {}),
        "files": {str(path): compute_sha256(path) if path.is_file() else None for path in collection.files},
        "dataset": load_manifest(dataset).get("content_hash") if dataset else None,
    }


def _write_scores(path: Path, scores: list[Scores], collection: Collection) -> None:
    """Write one JSON object a query, with its score by each measure, null where it has none."""
    rows = [
        {"query_id": query_id, **{one.measure: one.by_query.get(query_id) for one in scores}}
        for query_id in collection.select_queries()
    ]
    write_atomically(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
