"""Score what a model answered.

Reads predictions, one JSON object a line with item_id and response (and finish_reason, model, dataset), or the samples
that lm-eval logs, or a log of inspect_ai. Each item is scored as its family declares: how many answers are right,
coarse, wrong, not given or cut off, and ComplexTempQA's measures; a family with a scorer of its own has other figures.
docs/concepts/scores.md says how.

Several files are runs that are compared: each with the first, on the items that all have.
TREC run files are rankings of a collection that the dataset publishes: they are measured and compared.
--html also shows responses to read: wrong ones, and right ones that hedge or name another candidate.
Files in the layout of another release have what is right beside responses: --layout names it, and no DATASET is given.
--verdicts lists each response with what was read as its answer, the outcome, and why.

example:
  everwhen evaluate build/demo/dataset/demo predictions.jsonl --html report.html
  everwhen evaluate build/demo/dataset/demo baseline.jsonl mine.jsonl other.jsonl --html report.html
  everwhen evaluate responses.jsonl others.jsonl --layout NAME
  everwhen evaluate dataset bm25.run dense.run --family FAMILY --collection NAME --ties trec
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import (
    add_filter_argument,
    add_judge_arguments,
    build_judge,
    join_filters,
    locate_judge_journal,
    refuse_unused,
)
from everwhen.cli.rankings import add_ranking_arguments, evaluate_runs, is_run_file
from everwhen.core.errors import ExitCode, InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from everwhen.evaluate.scheme import Scheme

RARE_COLLECTIONS = (50_000, 20, 50)
"""How rarely Python looks for cycles: as often as usual it takes a tenth of the CPU time, and finds nothing to free."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    add(
        "predictions", metavar="PREDICTIONS", nargs="*", help="file of predictions; several are compared with the first"
    )
    add("--layout", metavar="NAME", help="all files are of this layout of a family, with what is right and responses")
    add("--family", metavar="NAME", help="score only this family; by default all that are predicted")
    add("--split", metavar="NAME", help="score only the items, or the queries, of this split")
    add("--set", dest="item_set", metavar="NAME", help="score only the items of this set")
    add_filter_argument(parser)
    add(
        "--granularity",
        metavar="UNIT",
        help="day, month or year: how exact a date that is given as reason must be, in families that score these",
    )
    add("--json", type=Path, metavar="FILE", help="write all figures to this file")
    add("--html", type=Path, metavar="FILE", help="write a page with tables and plots to this file")
    add(
        "--verdicts",
        type=Path,
        metavar="FILE",
        help="write the verdict on each response to this file, .parquet or .jsonl: what was read, its outcome, and why",
    )
    add_judge_arguments(parser)
    rankings = parser.add_argument_group("run files")
    rankings.add_argument("--collection", metavar="NAME", help="which collection of the dataset the run files rank")
    add_ranking_arguments(rankings)


def run(args: argparse.Namespace) -> int:
    """Evaluate predictions, and print and write the reports."""
    from everwhen.core.files import require_writable_files, write_atomically
    from everwhen.evaluate.evaluation import evaluate
    from everwhen.evaluate.layout_files import evaluate_layout
    from everwhen.evaluate.report.terminal import print_report
    from everwhen.evaluate.settings import RunSettings
    from everwhen.evaluate.verdicts import require_suffix
    from everwhen.families import load_evaluations

    gc.set_threshold(*RARE_COLLECTIONS)
    _require_files(args)
    if args.collection or is_run_file(Path(args.predictions[0])):
        return evaluate_runs(args)
    refuse_unused({f"--{name}": getattr(args, name) for name in ("pool", "measures", "ties")}, "run files")
    outputs = {"--json": args.json, "--html": args.html, "--judge-journal": locate_judge_journal(args)}
    outputs["--verdicts"] = args.verdicts
    require_suffix(args.verdicts)
    require_writable_files(outputs, [Path(path) for path in args.predictions])
    evaluations = load_evaluations()
    options = {} if args.granularity is None else {"granularity": args.granularity}
    judge = build_judge(args)
    settings = RunSettings(
        *(args.split, args.item_set, options, judge, args.judge_all),
        lists_verdicts=args.verdicts is not None,
        chooses_responses=args.html is not None,
        filters=join_filters(args.filters),
    )
    if args.layout:
        found = evaluate_layout(args.predictions, args.layout, evaluations, settings)
    else:
        found = evaluate(args.dataset, args.predictions, evaluations, family=args.family, settings=settings)
    verdicts = found.pop("verdicts", None)
    schemes = {name: evaluations[name].scheme for name in found["families"]}
    reports = _encode_reports(args, found, schemes, verdicts)
    for path, content in reports.items():
        write_atomically(path, content)
    print_report(found, schemes)
    return ExitCode.DONE


def _require_files(args: argparse.Namespace) -> None:
    """Require predictions; with a layout the first file is one, and nothing chooses among the items of a dataset."""
    if args.layout:
        names = {
            "--family": args.family,
            "--split": args.split,
            "--set": args.item_set,
            "--where": args.filters or None,
        }
        refuse_unused(names | {"--collection": args.collection}, "a dataset")
        args.predictions = [args.dataset, *args.predictions]
    if not args.predictions:
        raise InputError(f"{args.dataset}: no PREDICTIONS are given; name the dataset, and then a file of predictions")


def _encode_reports(
    args: argparse.Namespace, found: dict[str, Any], schemes: Mapping[str, Scheme], verdicts: pa.Table | None
) -> dict[Path, str | bytes]:
    """Encode all files that are asked for; all of them are made before one is written."""
    import orjson

    from everwhen.evaluate.evaluation import drop_responses
    from everwhen.evaluate.verdicts import encode_verdicts

    reports: dict[Path, str | bytes] = {}
    if args.json:
        reports[args.json] = orjson.dumps(drop_responses(found), option=orjson.OPT_INDENT_2) + b"\n"
    if args.html:
        from everwhen.evaluate.report.page import render_page

        reports[args.html] = render_page(found, schemes)
    if verdicts is not None:
        reports[args.verdicts] = encode_verdicts(verdicts, args.verdicts.suffix)
    return reports
