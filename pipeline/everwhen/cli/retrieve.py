"""Retrieve documents for queries, and measure what was found.

Reads a corpus, queries and qrels: from JSONL files, whose fields options name, or from a folder in BEIR's layout.
A dataset may publish such collections: --dataset without --corpus reads one, with the measures of its family. A query
of a collection with pools is searched in its own; --layout reads a file of another release, as a family declares it.
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
  everwhen retrieve --corpus pool.jsonl.gz --family FAMILY --layout NAME --retriever NAME
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.rankings import (
    add_collection_arguments,
    add_ranking_arguments,
    list_default_measures,
    order_run,
    parse_measures,
    read_context,
    read_named_collection,
    require_packages,
)
from everwhen.core.arguments import read_count
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.files import compute_sha256, require_writable_files, write_atomically
from everwhen.core.log import is_json_log
from everwhen.core.progress import Progress, show_progress

if TYPE_CHECKING:
    from ir_measures import Measure

    from everwhen.evaluate.retrieval.collection import Collection
    from everwhen.evaluate.retrieval.evaluation import Context
    from everwhen.evaluate.retrieval.measures import Own, Scores
    from everwhen.evaluate.retrieval.ranking import Ranking, Run
    from everwhen.evaluate.retrieval.retriever import Retriever
    from everwhen.evaluate.retrieval.run_file import Dropped

DEFAULT = "bm25"
FUSION = "several --run"
OWN = "a retriever of the family"

_BM25, _DENSE = ("bm25", "hybrid"), ("dense", "hybrid")
SETTINGS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "method": ("lucene", _BM25),
    "k1": (1.5, _BM25),
    "b": (0.75, _BM25),
    "stopwords": ("en", _BM25),
    "stemmer": ("none", _BM25),
    "base_url": (None, _DENSE),
    "model": (None, _DENSE),
    "vectors": (None, _DENSE),
    "batch": (64, _DENSE),
    "similarity": ("cosine", _DENSE),
    "query_prefix": ("", _DENSE),
    "document_prefix": ("", _DENSE),
    "rrf_k": (60, ("hybrid", FUSION)),
    "seed": (0, ("random", OWN)),
    "top": (100, ("bm25", "dense", "hybrid", "random", "oracle", OWN, FUSION)),
}
"""By setting, its default and where it has an effect: retrievers, or several run files."""


def add_retriever_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the settings of the retrievers."""
    bm25 = parser.add_argument_group("bm25 and hybrid")
    add = bm25.add_argument
    add("--method", help="lucene (default), robertson, atire, bm25l or bm25+")
    add("--k1", type=float, help="how slowly a term's frequency saturates; 1.5 by default")
    add("--b", type=float, help="how much length counts, 0 to 1; 0.75 by default")
    add("--stopwords", metavar="LIST", help="a list of bm25s or none; en by default")
    add("--stemmer", metavar="NAME", help="one of PyStemmer or none; none by default")
    add = parser.add_argument_group("dense and hybrid").add_argument
    add("--base-url", metavar="URL", help="OpenAI-compatible endpoint, such as http://localhost:8000/v1")
    add("--model", metavar="NAME", help="its model; the environment's EVERWHEN_API_KEY may have a key")
    add("--vectors", type=Path, metavar="FILE", help="keeps all vectors, so that none is asked for twice")
    add("--batch", type=read_count, metavar="N", help="texts a request; 64 by default")
    add("--similarity", choices=("cosine", "dot"), help="cosine by default")
    add("--query-prefix", metavar="TEXT", help='text before each query, such as "query: "')
    add("--document-prefix", metavar="TEXT", help='likewise, such as "passage: "')
    other = parser.add_argument_group("other settings")
    other.add_argument("--rrf-k", type=read_count, metavar="N", help="constant of fusions; 60 by default")
    other.add_argument("--seed", type=int, metavar="N", help="seed of random; 0 by default")


def fill_settings(args: argparse.Namespace) -> None:
    """Set the defaults of settings that were not given.

    Raises:
        InputError: A setting was given that has no effect on the results.
    """
    used = args.retriever or DEFAULT
    used = used if used in RETRIEVERS else OWN
    if args.runs:
        used = FUSION if len(args.runs) > 1 else "one --run"
    for name, (default, users) in SETTINGS.items():
        if getattr(args, name) is None:
            setattr(args, name, default)
        elif used not in users:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option}: has no effect with {used}; leave it out (it belongs to {', '.join(users)})")


def find_run(
    args: argparse.Namespace, collection: Collection, context: Context, progress: Progress
) -> tuple[Run, Mapping[str, Any]]:
    """Retrieve a run, or read run files and fuse them.

    Returns:
        The run, and the settings of what made it.

    Raises:
        InputError: A setting or a file cannot be used.
    """
    from everwhen.evaluate.retrieval.retriever import build_by_part

    if args.runs:
        return _read_runs(args, collection)
    retriever = build_by_part(collection, lambda part: _build_retriever(args, part, context, progress))
    queries = collection.select_queries()
    found: dict[str, Ranking] = {}
    for query_id, ranking in retriever.retrieve(queries, args.top):
        found[query_id] = ranking
        progress("queries", len(found), len(queries))
    return found, {**retriever.settings, "top": args.top}


def _build_retriever(
    args: argparse.Namespace, collection: Collection, context: Context, progress: Progress
) -> Retriever:
    from everwhen.evaluate.retrieval.published import Published

    own = context.declaration.retrievers if isinstance(context, Published) else {}
    name = args.retriever or DEFAULT
    if isinstance(context, Published) and name in own:
        return own[name](collection.documents, args.seed, context.tables)
    if name not in RETRIEVERS:
        raise InputError(f"--retriever {name}: no such retriever; there are {', '.join((*RETRIEVERS, *own))}")
    return RETRIEVERS[name](args, collection, progress)


def _read_runs(args: argparse.Namespace, collection: Collection) -> tuple[Run, Mapping[str, Any]]:
    from everwhen.evaluate.retrieval.hybrid import fuse_runs
    from everwhen.evaluate.retrieval.run_file import Dropped, read_run

    read = [read_run(path, collection) for path in args.runs]
    runs, dropped = [run for run, _ in read], sum((each for _, each in read), Dropped())
    files = [str(path) for path in args.runs]
    if len(runs) == 1:
        return runs[0], {"name": "run", "files": files, "dropped": asdict(dropped)}
    settings = {"name": "fused", "fusion": "reciprocal rank", "k": args.rrf_k, "files": files}
    settings |= {"dropped": asdict(dropped), "top": args.top}
    return fuse_runs(runs, args.top, args.rrf_k), settings


def _build_bm25(args: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.bm25 import BM25, BM25Settings

    settings = BM25Settings(args.method, args.k1, args.b, args.stopwords, args.stemmer)
    progress("index", 0, 1)
    return BM25(collection.documents, settings)


def _build_dense(args: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.dense import Dense, DenseSettings
    from everwhen.evaluate.retrieval.vectors import EmbeddingEndpoint, embed_texts

    _require_endpoint(args)
    endpoint = EmbeddingEndpoint(args.base_url, args.model)
    settings = DenseSettings(args.model, args.similarity, args.query_prefix, args.document_prefix)
    report = partial(progress, "vectors")
    embed = partial(embed_texts, embedder=endpoint, path=args.vectors, batch=args.batch, report=report)
    return Dense(collection.documents, embed, settings)


def _require_endpoint(args: argparse.Namespace) -> None:
    for name in ("base_url", "model", "vectors"):
        if not getattr(args, name):
            raise InputError(f"--{name.replace('_', '-')} is missing; --retriever {args.retriever} needs it")


def _build_hybrid(args: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.hybrid import Hybrid

    _require_endpoint(args)  # before an index is built
    parts = [build(args, collection, progress) for build in (_build_bm25, _build_dense)]
    return Hybrid(parts, args.rrf_k)


def _build_oracle(args: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.retriever import Oracle

    if collection.qrels is None:
        raise InputError("the oracle reads qrels, and nothing is judged; name --qrels")
    return Oracle(collection.qrels)


def _build_random(args: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.retriever import Random

    return Random(collection.documents, args.seed)


RETRIEVERS: Mapping[str, Callable[[argparse.Namespace, Collection, Progress], Retriever]] = {
    "bm25": _build_bm25,
    "dense": _build_dense,
    "hybrid": _build_hybrid,
    "random": _build_random,
    "oracle": _build_oracle,
}
"""What builds each retriever."""


ANSWER = "Answer"
DEFAULT_CUTOFFS = (1, 10)
"""Of this measure, as far as so many documents are asked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_collection_arguments(parser)
    add = parser.add_argument
    add(
        "--retriever",
        metavar="NAME",
        help=f"how to find documents: {', '.join(RETRIEVERS)}, or one of the family; bm25 by default",
    )
    add(
        "--run",
        type=Path,
        action="append",
        default=[],
        dest="runs",
        metavar="FILE",
        help="a TREC run file in place of a retriever; several are fused by reciprocal rank",
    )
    add("--top", type=read_count, metavar="K", help="documents a query; 100 by default")
    add_ranking_arguments(parser)
    add("--against", type=Path, metavar="FILE", help="a TREC run file to compare with query by query")
    add("--run-out", type=Path, metavar="FILE", help="write the run as a TREC run file")
    add("--scores-out", type=Path, metavar="FILE", help="write the scores of each query as JSONL")
    add("--json", type=Path, metavar="FILE", help="write the JSON object to this file, not to stdout")
    add_retriever_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Retrieve or read a run, write it, and print what it scores."""
    require_packages()
    from everwhen.evaluate.retrieval.bounds import measure_bounds
    from everwhen.evaluate.retrieval.evaluation import (
        arrange,
        describe,
        describe_differences,
        describe_ties,
        score_queries,
    )
    from everwhen.evaluate.retrieval.published import Published
    from everwhen.evaluate.retrieval.run_file import write_run

    if args.runs and args.retriever:
        raise InputError("--run and --retriever: name one of them")
    fill_settings(args)
    context = read_context(args)
    collection = read_named_collection(args, context)
    measures = parse_measures(args.measures or _list_defaults(args, context, collection), context)
    _require_outputs(args, collection)
    _require_measurable(args, collection, measures)
    other, dropped = _read_other(args, collection)
    with show_progress("retrieve", quiet=args.quiet) as progress:
        found, settings = find_run(args, collection, context, progress)
    found = order_run(found, args)
    scores = score_queries(found, collection, context, measures)
    scored = arrange(scores, collection, context)
    report: dict[str, Any] = {
        "collection": _describe(collection, args.dataset),
        "retriever": settings,
        **describe(found, scored, collection, context),
        "ties": describe_ties(found, collection, context, measures),
    }
    if other is not None:
        second = arrange(score_queries(other, collection, context, measures), collection, context)
        report["against"] = {
            "retriever": {"name": "run", "files": [str(args.against)], "dropped": asdict(dropped)},
            **describe(other, second, collection, context),
            "differences": describe_differences(scored, second),
        }
    if isinstance(context, Published):
        report["bounds"] = measure_bounds(collection, context, measures)
    if args.run_out:
        write_run(args.run_out, found, settings["name"])
    if args.scores_out:
        _write_scores(args.scores_out, scores, collection)
    _publish(report, args)
    return ExitCode.DONE


def _publish(report: dict[str, Any], args: argparse.Namespace) -> None:
    """Write the JSON object to its file or to stdout, and tables for people to stderr."""
    from everwhen.evaluate.retrieval.report import print_measures

    text = json.dumps(report, indent=1, ensure_ascii=False)
    if args.json:
        write_atomically(args.json, f"{text}\n")
    else:
        print(text)
    if report["measures"] and not args.quiet and not is_json_log():
        print_measures(report)


def _list_defaults(args: argparse.Namespace, context: Context, collection: Collection) -> list[str]:
    from everwhen.evaluate.retrieval.evaluation import Questions

    answers = [f"{ANSWER}@{cutoff}" for cutoff in DEFAULT_CUTOFFS if args.top is None or cutoff <= args.top]
    relevance = list_default_measures(context) if collection.qrels else ()
    return [*relevance, *(answers if isinstance(context, Questions) else ())]


def _require_outputs(args: argparse.Namespace, collection: Collection) -> None:
    further = [path for path in (args.vectors, args.against) if path]
    outputs = {"--run-out": args.run_out, "--scores-out": args.scores_out, "--json": args.json}
    require_writable_files(outputs, [*collection.files, *args.runs, *further])


def _read_other(args: argparse.Namespace, collection: Collection) -> tuple[Run | None, Dropped]:
    from everwhen.evaluate.retrieval.run_file import Dropped, read_run

    if args.against is None:
        return None, Dropped()
    other, dropped = read_run(args.against, collection)
    return order_run(other, args), dropped


def _require_measurable(args: argparse.Namespace, collection: Collection, measures: list[Measure | Own]) -> None:
    """Require queries, and qrels and enough documents for the measures."""
    if not collection.queries:
        named = args.queries or args.corpus
        raise InputError(f"{named}: no queries; name --queries, --dataset or --query-field")
    _require_judged(args, collection, measures)
    if len(args.runs) != 1 and args.top < len(collection.documents):
        _require_depth(args.top, measures)


def _require_judged(args: argparse.Namespace, collection: Collection, measures: list[Measure | Own]) -> None:
    """Require questions for measures of answers, and qrels for all others."""
    from everwhen.evaluate.retrieval.measures import AnswerAtK

    relevance = [measure for measure in measures if not isinstance(measure, AnswerAtK)]
    if len(relevance) < len(measures) and not (args.dataset and args.corpus):
        raise InputError(f"{ANSWER}: only questions of a dataset say what is right; name --dataset")
    is_measured = any((args.measures, args.scores_out, args.against))
    if collection.qrels is None and is_measured and (relevance or not measures):
        raise InputError("nothing is judged, so nothing can be measured; name --qrels")


def _require_depth(top: int, measures: list[Measure | Own]) -> None:
    """Require that no measure reads more documents of a query than are asked for."""
    from everwhen.evaluate.retrieval.measures import Own

    for measure in measures:
        if not isinstance(measure, Own) and "@" in str(measure) and measure["cutoff"] > top:
            raise InputError(f"--top {top}: {measure} reads more documents; ask for {measure['cutoff']}")


def _describe(collection: Collection, dataset: str | None) -> dict[str, Any]:
    from everwhen.validate.manifest import load_manifest

    return {
        "documents": len(collection.documents),
        "queries": len(collection.queries),
        "judged_queries": len(collection.qrels or {}),
        "pools": {name: len(part.documents) for name, part in collection.parts.items()},
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
