"""Rankings on the command line: which measures are asked for, and run files over a collection of a dataset."""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import refuse_unused
from everwhen.cli.collections import read_collection_of_dataset
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.files import write_atomically
from everwhen.core.outputs import require_writable_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ir_measures import Measure

    from everwhen.evaluate.retrieval.evaluation import Context
    from everwhen.evaluate.retrieval.measures import Own
    from everwhen.evaluate.retrieval.ranking import Run

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@10")

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
        f" of the family; by default {' '.join(DEFAULT_MEASURES)}, and Answer@1 Answer@10 of questions of a dataset",
    )
    parser.add_argument(
        "--ties",
        choices=("id", "trec"),
        default="id",
        help="how documents of equal scores are ordered: by ascending id (default), or as pytrec_eval does",
    )


def parse_measures(texts: Sequence[str], context: Context) -> list[Measure | Own]:
    """Read measures: those that a family declares by their names, all others as ir-measures has them.

    Raises:
        InputError: There is no such measure.
    """
    from everwhen.evaluate.retrieval.measures import Own, parse_measure
    from everwhen.evaluate.retrieval.published import Published

    own = context.declaration.measures if isinstance(context, Published) else {}
    return [Own(text, own[text]) if text in own else parse_measure(text) for text in texts]


def list_default_measures(context: Context) -> tuple[str, ...]:
    """List the measures of relevance where none is named, and those of the family."""
    from everwhen.evaluate.retrieval.published import Published

    if not isinstance(context, Published):
        return DEFAULT_MEASURES
    declared = context.declaration
    return tuple(dict.fromkeys((*(declared.defaults or DEFAULT_MEASURES), *declared.measures)))


def order_run(run: Run, arguments: argparse.Namespace) -> Run:
    """Order documents of equal scores as the arguments say; rankings are by ascending id before."""
    from everwhen.evaluate.retrieval.ranking import reorder_ties

    return run if arguments.ties == "id" else reorder_ties(run, arguments.ties)


def is_run_file(path: Path) -> bool:
    """Whether a file begins as a TREC run file does."""
    try:
        with path.open(encoding="utf-8") as file:
            fields = file.readline(10_000).split()
    except (OSError, UnicodeDecodeError):
        return False
    return len(fields) == 6 and fields[1].upper() in ("Q0", "0")


def evaluate_runs(arguments: argparse.Namespace) -> int:
    """Measure run files over a collection of a dataset, each compared with the first.

    Raises:
        InputError: A file, the collection or a measure cannot be used; or an option is of predictions alone.
    """
    require_packages()
    from dataclasses import asdict

    from everwhen.evaluate.retrieval.evaluation import (
        arrange,
        describe,
        describe_differences,
        measure_bounds,
        score_queries,
    )
    from everwhen.evaluate.retrieval.report import print_runs
    from everwhen.evaluate.retrieval.run_file import read_run

    options = {"--set": arguments.item_set, "--where": arguments.filters or None, "--html": arguments.html}
    options |= {f"--{name}": getattr(arguments, name) for name in ("split", "granularity", "verdicts", "judge")}
    refuse_unused(options, "predictions")
    require_writable_files({"--json": arguments.json}, [Path(path) for path in arguments.predictions])
    published = read_collection_of_dataset(arguments.dataset, arguments.family, arguments.collection)
    collection = published.collection
    measures = parse_measures(arguments.measures or list_default_measures(published), published)
    report: dict[str, Any] = {"family": published.family, "collection": published.name, "runs": {}}
    first = None
    for file in dict.fromkeys(arguments.predictions):
        run, dropped = read_run(Path(file), collection.queries, collection.documents)
        ordered = order_run(run, arguments)
        scored = arrange(score_queries(ordered, collection, published, measures), collection, published)
        report["runs"][file] = {"dropped": asdict(dropped), **describe(ordered, scored, collection)}
        if first is None:
            first = scored
        else:
            report["runs"][file]["less_the_first"] = describe_differences(scored, first)
    report["bounds"] = measure_bounds(collection, published, measures)
    if arguments.json:
        write_atomically(arguments.json, json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    print_runs(report)
    return ExitCode.DONE
