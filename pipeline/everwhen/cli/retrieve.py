"""Retrieve documents for queries, and measure what was found.

Reads a corpus, queries and qrels: from JSONL files, whose fields options name, or from a folder in BEIR's layout.
Writes a TREC run file, or measures run files that exist. Prints one JSON object on stdout: the collection, the
retriever with all of its settings, and the measures; on stderr the progress and a table for people. Needs the packages
of the extra "retrieval".

example:
  everwhen retrieve --corpus scifact --retriever bm25 --run-out bm25.run
  everwhen retrieve --corpus pool.jsonl.gz --id-field id --text-field pos_document --query-field question
  everwhen retrieve --corpus scifact --run bm25.run --run dense.run --measures nDCG@10 R@100
  everwhen retrieve --corpus passages.jsonl --dataset build/demo/dataset/demo --set lite-1000 --run-out bm25.run
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import read_count
from everwhen.cli.retrievers import RETRIEVERS, add_retriever_arguments, fill_settings, find_run
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.files import compute_sha256, write_atomically
from everwhen.core.log import is_json_log
from everwhen.core.outputs import require_writable_files
from everwhen.core.progress import show_progress

if TYPE_CHECKING:
    from ir_measures import Measure

    from everwhen.evaluate.retrieval.collection import Collection
    from everwhen.evaluate.retrieval.measures import Scores

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@10")
PACKAGES = ("bm25s", "Stemmer", "ir_measures")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    _add_collection_arguments(parser.add_argument_group("collection"))
    _add_dataset_arguments(parser.add_argument_group("questions of a dataset"))
    parser.add_argument("--retriever", choices=RETRIEVERS, help="how to find documents; bm25 by default")
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
    parser.add_argument(
        "--measures",
        nargs="+",
        metavar="MEASURE",
        help=f"nDCG, RR, R, P, AP, Success or Rprec, with @k or without; {' '.join(DEFAULT_MEASURES)} by default",
    )
    parser.add_argument("--run-out", type=Path, metavar="FILE", help="write the run as a TREC run file")
    parser.add_argument("--scores-out", type=Path, metavar="FILE", help="write the scores of each query as JSONL")
    add_retriever_arguments(parser)


def _add_collection_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--corpus", type=Path, required=True, metavar="PATH", help="JSONL file, or BEIR folder")
    group.add_argument("--queries", type=Path, metavar="FILE", help="queries as JSONL; of a BEIR folder queries.jsonl")
    group.add_argument("--qrels", type=Path, metavar="FILE", help="qrels of TREC or BEIR; of a folder qrels/test.tsv")
    for name, text in (
        ("id", "field with the id of a document; doc_id by default"),
        ("text", "field with the text of a document; text by default"),
        ("title", "field with the title of a document, if it has one; title by default"),
        ("query", "field with the text of a query: in --queries, else in the corpus; its document is then relevant"),
        ("query-id", "field with the id of a query; by default query_id in --queries, in the corpus the document's"),
    ):
        group.add_argument(f"--{name}-field", metavar="FIELD", help=text)


def _add_dataset_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--dataset", metavar="DATASET", help="take its questions as queries; their ids are item ids")
    group.add_argument("--family", metavar="NAME", help="whose questions; by default the first family that has items")
    group.add_argument("--set", dest="item_set", metavar="NAME", help="those of a set, such as lite-1000")
    group.add_argument("--split", metavar="NAME", help="those of a split: train, validation or test")
    group.add_argument("--ids", type=Path, metavar="FILE", help="those with these ids, one a line")


def run(arguments: argparse.Namespace) -> int:
    """Retrieve or read a run, write it, and print what it scores."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise InputError(f"no package {missing[0]}; run pip install 'everwhen[retrieval]'")
    from everwhen.evaluate.retrieval.measures import measure_run, parse_measure
    from everwhen.evaluate.retrieval.run_file import write_run

    measures = [parse_measure(text) for text in arguments.measures or DEFAULT_MEASURES]
    if arguments.runs and arguments.retriever:
        raise InputError("--run and --retriever: name one of them")
    fill_settings(arguments)
    collection = _read_collection(arguments)
    read = [*collection.files, *arguments.runs, *([arguments.vectors] if arguments.vectors else [])]
    require_writable_files({"--run-out": arguments.run_out, "--scores-out": arguments.scores_out}, read)
    _require_measurable(arguments, collection, measures)
    with show_progress("retrieve", quiet=arguments.quiet) as progress:
        found, settings = find_run(arguments, collection, progress or (lambda step, done, of: None))
    scores = measure_run(found, collection.qrels, measures) if collection.qrels else []
    if arguments.run_out:
        write_run(arguments.run_out, found, settings["name"])
    if arguments.scores_out:
        _write_scores(arguments.scores_out, scores)
    queries = collection.select_queries()
    report: dict[str, Any] = {
        "collection": _describe(collection, arguments.dataset),
        "retriever": settings,
        "queries": len(queries),
        "queries_without_results": sum(1 for query_id in queries if not found.get(query_id)),
        "measures": {one.measure: one.estimate()._asdict() for one in scores},
    }
    print(json.dumps(report, indent=1, ensure_ascii=False))
    if scores and not arguments.quiet:
        _print_table(report["measures"], len(collection.qrels or {}))
    return ExitCode.DONE


def _read_collection(arguments: argparse.Namespace) -> Collection:
    from everwhen.evaluate.retrieval.collection import Fields, read_beir, read_collection

    named = {
        "doc_id": arguments.id_field,
        "text": arguments.text_field,
        "title": arguments.title_field,
        "query_id": arguments.query_id_field,
        "query": arguments.query_field,
    }
    named = {name: value for name, value in named.items() if value is not None}
    if not arguments.dataset and (arguments.family or arguments.item_set or arguments.split or arguments.ids):
        raise InputError("--family, --set, --split and --ids choose questions of a dataset; name it with --dataset")
    queries = _read_questions(arguments) if arguments.dataset else arguments.queries
    if not arguments.corpus.is_dir():
        return read_collection(arguments.corpus, Fields(**named), queries, arguments.qrels)
    if named:
        raise InputError(f"{arguments.corpus}: BEIR's layout names the fields; leave out the options that name some")
    return read_beir(arguments.corpus, queries, arguments.qrels)


def _read_questions(arguments: argparse.Namespace) -> dict[str, str]:
    """Read the questions of a dataset, by item id as text."""
    from everwhen.evaluate.ask.selection import read_ids
    from everwhen.evaluate.gold import choose_family, read_gold
    from everwhen.families import load_evaluations
    from everwhen.validate.manifest import load_manifest

    if arguments.queries:
        raise InputError("--queries and --dataset: name one of them")
    family = choose_family(arguments.dataset, load_manifest(arguments.dataset), arguments.family)
    evaluations = load_evaluations()
    if family not in evaluations:
        raise InputError(f"{arguments.dataset}: {family}: this release does not know its questions")
    ids = read_ids(arguments.ids) if arguments.ids else None
    gold = read_gold(
        arguments.dataset, family, evaluations[family], ids=ids, split=arguments.split, item_set=arguments.item_set
    )
    columns = gold.table.select(["item_id", "question"]).to_pydict()
    return dict(zip(map(str, columns["item_id"]), columns["question"], strict=True))


def _require_measurable(arguments: argparse.Namespace, collection: Collection, measures: list[Measure]) -> None:
    """Require queries, and qrels and enough documents for the measures.

    Raises:
        InputError: There is one of these too few.
    """
    if not collection.queries:
        raise InputError(
            f"{arguments.queries or arguments.corpus}: no queries; name --queries, --dataset or --query-field"
        )
    if collection.qrels is None and (arguments.measures or arguments.scores_out):
        raise InputError("nothing is judged, so nothing can be measured; name --qrels")
    for measure in measures if collection.qrels and len(arguments.runs) != 1 else ():
        if "@" in str(measure) and measure["cutoff"] > arguments.top < len(collection.documents):
            raise InputError(f"--top {arguments.top}: {measure} reads more documents; ask for {measure['cutoff']}")


def _describe(collection: Collection, dataset: str | None) -> dict[str, Any]:
    from everwhen.validate.manifest import load_manifest

    return {
        "documents": len(collection.documents),
        "queries": len(collection.queries),
        "judged_queries": len(collection.qrels or {}),
        "files": {str(path): compute_sha256(path) if path.is_file() else None for path in collection.files},
        "dataset": load_manifest(dataset).get("content_hash") if dataset else None,
    }


def _write_scores(path: Path, scores: list[Scores]) -> None:
    """Write one JSON object a query, with its score by each measure."""
    rows = [
        {"query_id": query_id, **{one.measure: one.by_query[query_id] for one in scores}}
        for query_id in scores[0].by_query
    ]
    write_atomically(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _print_table(measures: Mapping[str, Mapping[str, float]], queries: int) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("measure", "mean", "95 % interval", title=f"judged queries: {queries:,}")
    for name, mean in measures.items():
        table.add_row(name, f"{mean['value']:.4f}", f"{mean['low']:.4f}–{mean['high']:.4f}")
    if not is_json_log():  # stdout has the figures
        Console(stderr=True).print(table)
