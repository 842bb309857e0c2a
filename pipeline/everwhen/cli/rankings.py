"""Collections and rankings on the command line: corpus, queries and qrels, measures, run files over a collection."""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import choose_evaluation, refuse_unused
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.files import require_writable_files, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ir_measures import Measure

    from everwhen.evaluate.retrieval.collection import Collection
    from everwhen.evaluate.retrieval.evaluation import Context, Questions
    from everwhen.evaluate.retrieval.measures import Own
    from everwhen.evaluate.retrieval.published import Published
    from everwhen.evaluate.retrieval.ranking import Run

FIELDS = ("id_field", "text_field", "title_field", "query_field", "query_id_field")
CHOOSING = ("queries", "qrels", "item_set", "ids")
"""Arguments that say how a file of documents is read, and for which queries it is searched."""


def add_collection_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what names a collection."""
    add = parser.add_argument_group("collection").add_argument
    add("--corpus", type=Path, metavar="PATH", help="JSONL file, or BEIR folder")
    add("--queries", type=Path, metavar="FILE", help="queries as JSONL; of a BEIR folder queries.jsonl")
    add("--qrels", type=Path, metavar="FILE", help="qrels of TREC or BEIR; of a folder qrels/test.tsv")
    for name, text in (
        ("id", "field with the id of a document; doc_id by default"),
        ("text", "field with the text of a document; text by default"),
        ("title", "field with the title of a document, if it has one; title by default"),
        ("query", "field with the text of a query: in --queries, else in the corpus; its document is then relevant"),
        ("query-id", "field with the id of a query; by default query_id in --queries, in the corpus the document's"),
    ):
        add(f"--{name}-field", metavar="FIELD", help=text)
    add("--layout", metavar="NAME", help="--corpus is a file of another release, in this layout of --family")
    add = parser.add_argument_group("a collection of a dataset, or its questions over --corpus").add_argument
    add("--dataset", metavar="DATASET", help="a collection that it publishes; with --corpus its questions are queries")
    add("--family", metavar="NAME", help="whose; by default the first family that has some")
    add("--collection", metavar="NAME", help="which collection, where the family publishes several")
    add("--variant", metavar="NAME", help="another wording of the collection's queries")
    add("--set", dest="item_set", metavar="NAME", help="those of a set, such as lite-1000")
    add("--split", metavar="NAME", help="those of a split: train, validation or test")
    add("--ids", type=Path, metavar="FILE", help="those with these ids, one a line")


def read_context(args: argparse.Namespace) -> Context:
    """Read what a dataset says of the queries, if one is named: a collection that it publishes, or questions.

    Raises:
        InputError: It cannot be read, or options contradict each other.
    """
    if args.layout:
        return read_collection_of_layout(args)
    if args.corpus is not None:
        if args.collection or args.variant or args.pool:
            raise InputError(
                "--collection, --variant and --pool: belong to a dataset's own documents; leave out --corpus"
            )
        return read_questions(args)
    if not args.dataset:
        raise InputError("--corpus is missing; name documents, or with --dataset a dataset that publishes some")
    _refuse_reading(args)
    return read_collection_of_dataset(args, args.variant)


def _refuse_reading(args: argparse.Namespace) -> None:
    """Refuse what says how a file of documents is read."""
    if any(getattr(args, name) for name in FIELDS):
        raise InputError("--id-field and the like name fields of --corpus; a dataset's collection has fixed ones")
    if any(getattr(args, name) for name in CHOOSING):
        raise InputError("--queries, --qrels, --set and --ids choose queries for --corpus; name that, too")


def read_collection_of_dataset(args: argparse.Namespace, variant: str | None = None) -> Published:
    """Read a collection that a dataset publishes, or a pool or split of it.

    Args:
        args: Parsed arguments: dataset, family, collection, pool and split.
        variant: The wording of its queries.

    Raises:
        InputError: There is no such collection, pool or split, or this release does not know how it is measured.
    """
    from everwhen.evaluate.retrieval.published import choose_collection, read_published
    from everwhen.families import load_collections
    from everwhen.validate.manifest import load_manifest

    manifest = load_manifest(args.dataset)
    of, name = choose_collection(args.dataset, manifest, args.family, args.collection)
    declared = load_collections(of)
    if name not in declared:
        raise InputError(f"{args.dataset}: {of} {name}: this release does not know how rankings of it are measured")
    published = read_published(args.dataset, manifest, (of, name), declared[name], variant)
    published = published.select_pool(args.pool) if args.pool else published
    return published.select_split(args.split) if args.split else published


def read_collection_of_layout(args: argparse.Namespace) -> Published:
    """Read a file in the layout of another release, as a family declares it, or a pool of it.

    Raises:
        InputError: The file cannot be used, there is no such layout or pool, or options contradict each other.
    """
    from everwhen.evaluate.retrieval.published import read_layout
    from everwhen.families import load_collections

    _require_layout_alone(args)
    declared = load_collections(args.family)
    names = [name for name, each in declared.items() if args.layout in each.layouts and args.collection in (None, name)]
    if not names:
        known = ", ".join(sorted({layout for each in declared.values() for layout in each.layouts})) or "none"
        raise InputError(f"--layout {args.layout}: {args.family} reads no such layout; there are {known}")
    chosen = (args.family, names[0])
    published = read_layout(args.corpus, chosen, declared[names[0]], args.layout, args.variant)
    return published.select_pool(args.pool) if args.pool else published


def _require_layout_alone(args: argparse.Namespace) -> None:
    """Require a file and a family, and nothing that says how other files are read."""
    if args.corpus is None or not args.family:
        raise InputError(f"--layout {args.layout}: name the file with --corpus, and the family with --family")
    for name in (*FIELDS, *CHOOSING, "split", "dataset"):
        if getattr(args, name) is not None:
            option = name.removeprefix("item_").replace("_", "-")
            raise InputError(f"--{option}: has no effect with --layout, whose file has documents, queries and qrels")


def read_questions(args: argparse.Namespace) -> Questions | None:
    """Read the questions of a dataset, if one is named.

    Raises:
        InputError: They cannot be read, or options contradict each other.
    """
    from everwhen.evaluate.ask.selection import read_ids
    from everwhen.evaluate.gold import read_gold
    from everwhen.evaluate.retrieval.evaluation import Questions

    if not args.dataset:
        if args.family or args.item_set or args.split or args.ids:
            raise InputError("--family, --set, --split and --ids choose questions of a dataset; name it with --dataset")
        return None
    if args.queries:
        raise InputError("--queries and --dataset: name one of them")
    family, evaluation = choose_evaluation(args.dataset, args.family, "its questions")
    ids = read_ids(args.ids) if args.ids else None
    gold = read_gold(args.dataset, family, evaluation, ids=ids, split=args.split, item_set=args.item_set)
    return Questions(gold, evaluation.scheme.slices)


def read_named_collection(args: argparse.Namespace, context: Context) -> Collection:
    """Read the collection; questions of a dataset are its queries where there are some.

    Raises:
        InputError: A file cannot be used, or fields are named of a folder that has its own.
    """
    from everwhen.evaluate.retrieval.collection import Fields, read_beir, read_collection
    from everwhen.evaluate.retrieval.published import Published

    if isinstance(context, Published):
        return context.collection
    named = {"doc_id": args.id_field, "text": args.text_field, "title": args.title_field}
    named |= {"query_id": args.query_id_field, "query": args.query_field}
    named = {name: value for name, value in named.items() if value is not None}
    queries = context.queries if context else args.queries
    if not args.corpus.is_dir():
        return read_collection(args.corpus, Fields(**named), queries, args.qrels)
    if named:
        raise InputError(f"{args.corpus}: BEIR's layout names the fields; leave out the options that name some")
    return read_beir(args.corpus, queries, args.qrels)


DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@10")
NEAR_MEASURES = ("Near@10", "nDCG_near@10")
"""Beside them, where documents are near."""

PACKAGES = ("bm25s", "Stemmer", "ir_measures")


def require_packages() -> None:
    """Require the packages of the extra "retrieval".

    Raises:
        InputError: One is missing.
    """
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise InputError(f"no package {missing[0]}; run pip install 'everwhen[retrieval]'")


def add_ranking_arguments(parser: argparse._ActionsContainer) -> None:
    """Add what says how rankings are measured."""
    parser.add_argument(
        "--measures",
        nargs="+",
        metavar="MEASURE",
        help="nDCG, RR, R, P, AP, Success, Rprec or Answer, with @k or without, or as trec_eval names them, or measures"
        f" of the family; by default {' '.join(DEFAULT_MEASURES)}, and Answer@1 Answer@10 of questions of a dataset;"
        " where documents are near, Near@k and measures among these, such as nDCG_near@10",
    )
    parser.add_argument("--pool", metavar="NAME", help="only this pool of a collection that has some")
    parser.add_argument(
        "--ties",
        choices=("id", "trec"),
        help="how documents of equal scores are ordered: by ascending id (default), or as pytrec_eval does",
    )


def parse_measures(texts: Sequence[str], context: Context) -> list[Measure | Own]:
    """Read measures: those that a family declares by their names, all others as ir-measures has them.

    Raises:
        InputError: There is no such measure, or it is of near documents and none is near.
    """
    from everwhen.evaluate.retrieval.measures import AmongNear, NearAtK, Own, parse_measure
    from everwhen.evaluate.retrieval.published import Published

    own = context.declaration.measures if isinstance(context, Published) else {}
    measures = [Own(text, own[text]) if text in own else parse_measure(text) for text in texts]
    has_near = isinstance(context, Published) and context.declaration.near is not None
    for measure in measures:
        if isinstance(measure, NearAtK | AmongNear) and not has_near:
            raise InputError(f"measure {measure}: no documents of the collection are near")
    return measures


def list_default_measures(context: Context) -> tuple[str, ...]:
    """List the measures of relevance where none is named, and those of the family."""
    from everwhen.evaluate.retrieval.published import Published

    if not isinstance(context, Published):
        return DEFAULT_MEASURES
    declared = context.declaration
    near = NEAR_MEASURES if declared.near else ()
    return tuple(dict.fromkeys((*(declared.defaults or DEFAULT_MEASURES), *near, *declared.measures)))


def order_run(run: Run, args: argparse.Namespace) -> Run:
    """Order documents of equal scores as the arguments say; rankings are by ascending id before."""
    from everwhen.evaluate.retrieval.ranking import reorder_ties

    return run if args.ties in (None, "id") else reorder_ties(run, args.ties)


def is_run_file(path: Path) -> bool:
    """Whether a file, which may be compressed, begins as a TREC run file does."""
    from everwhen.evaluate.retrieval.lines import read_lines

    try:
        fields = next((line.split() for _, line in read_lines(path)), [])
    except (OSError, InputError):
        return False
    return len(fields) == 6 and fields[1].upper() in ("Q0", "0")


def evaluate_runs(args: argparse.Namespace) -> int:
    """Measure run files over a collection of a dataset, each compared with the first.

    Raises:
        InputError: A file, the collection or a measure cannot be used; or an option is of predictions alone.
    """
    require_packages()
    from dataclasses import asdict

    from everwhen.evaluate.retrieval.bounds import measure_bounds
    from everwhen.evaluate.retrieval.evaluation import (
        arrange,
        describe,
        describe_differences,
        describe_ties,
        score_queries,
    )
    from everwhen.evaluate.retrieval.report import print_runs
    from everwhen.evaluate.retrieval.run_file import read_run

    options = {"--set": args.item_set, "--where": args.filters or None, "--html": args.html}
    options |= {f"--{name}": getattr(args, name) for name in ("granularity", "verdicts", "judge")}
    refuse_unused(options, "predictions")
    require_writable_files({"--json": args.json}, [Path(path) for path in args.predictions])
    published = read_collection_of_dataset(args)
    collection = published.collection
    measures = parse_measures(args.measures or list_default_measures(published), published)
    report: dict[str, Any] = {"family": published.family, "collection": published.name, "runs": {}}
    first = None
    for file in dict.fromkeys(args.predictions):
        run, dropped = read_run(Path(file), collection)
        ordered = order_run(run, args)
        scored = arrange(score_queries(ordered, collection, published, measures), collection, published)
        report["runs"][file] = {
            "dropped": asdict(dropped),
            **describe(ordered, scored, collection, published),
            "ties": describe_ties(ordered, collection, published, measures),
        }
        if first is None:
            first = scored
        else:
            report["runs"][file]["less_the_first"] = describe_differences(scored, first)
    report["bounds"] = measure_bounds(collection, published, measures)
    if args.json:
        write_atomically(args.json, json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    print_runs(report)
    return ExitCode.DONE
