"""Score what a model answered.

Reads predictions, one JSON object a line with item_id and response (and finish_reason, model, dataset), or the samples
that lm-eval logs, or a log of inspect_ai. Prints how many answers are right, coarse, wrong, not given or cut off, and
ComplexTempQA's measures, by what the family declares, with intervals of 95 percent. docs/concepts/scores.md says how.

example:
  everwhen evaluate build/demo/dataset/demo predictions.jsonl --html report.html
  everwhen evaluate build/demo/dataset/demo predictions.jsonl --against others.jsonl --json report.json
"""

from __future__ import annotations

import argparse
from pathlib import Path

from everwhen.core.errors import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    parser.add_argument("predictions", metavar="PREDICTIONS", help="file of predictions")
    parser.add_argument("--family", metavar="NAME", help="the family; by default the only one of the dataset")
    parser.add_argument("--against", metavar="FILE", help="predictions of another run, to compare with item by item")
    parser.add_argument("--split", metavar="NAME", help="score only the items of this split")
    parser.add_argument("--set", dest="item_set", metavar="NAME", help="score only the items of this set")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to this file")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with tables and plots to this file")


def run(arguments: argparse.Namespace) -> int:
    """Evaluate predictions, and print and write the reports."""
    import orjson

    from everwhen.core.files import write_atomically
    from everwhen.core.outputs import require_writable_files
    from everwhen.evaluate.evaluation import Restriction, evaluate
    from everwhen.evaluate.report.terminal import print_report
    from everwhen.families import load_evaluations

    files = [Path(path) for path in (arguments.predictions, arguments.against) if path is not None]
    require_writable_files({"--json": arguments.json, "--html": arguments.html}, files)
    found = evaluate(
        arguments.dataset,
        arguments.predictions,
        load_evaluations(),
        family=arguments.family,
        against=arguments.against,
        restriction=Restriction(arguments.split, arguments.item_set),
    )
    reports: dict[Path, str | bytes] = {}  # all of them are made before one is written
    if arguments.json:
        reports[arguments.json] = orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n"
    if arguments.html:
        from everwhen.evaluate.report.page import render_page

        reports[arguments.html] = render_page(found)
    for path, content in reports.items():
        write_atomically(path, content)
    print_report(found)
    return ExitCode.DONE
