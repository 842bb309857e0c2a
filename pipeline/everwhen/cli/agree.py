"""Compare a scorer with people who judged the same responses.

JUDGEMENTS is CSV with the columns item_id and judgement; a judgement is a class of the family, such as correct or
unsure. Prints precision, recall and F1 of each class against people, and their averages by group.

With --annotator, people who answered the same items are compared with each other: how similar the words of their
answers are, and how many golds they keep.

example:
  everwhen agree build/demo/dataset/demo judged.csv predictions.jsonl --family tdbench
  everwhen agree build/demo/dataset/demo --annotator first.csv --annotator second.csv
"""

from __future__ import annotations

import argparse
from pathlib import Path

from everwhen.cli.arguments import add_judge_arguments, build_judge, locate_judge_journal, refuse_unused
from everwhen.core.errors import ExitCode, InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    add("judgements", metavar="JUDGEMENTS", nargs="?", help="CSV with the columns item_id and judgement")
    add("predictions", metavar="PREDICTIONS", nargs="?", help="file of the predictions that were judged")
    add(
        "--annotator",
        dest="annotators",
        type=Path,
        action="append",
        metavar="FILE",
        help="CSV of a person with the columns item_id, answer and perhaps keeps_gold (yes or no); give one each",
    )
    add("--family", metavar="NAME", help="the family; by default the first that has items")
    add("--granularity", metavar="UNIT", help="day, month or year, as of `everwhen evaluate`")
    add("--json", type=Path, metavar="FILE", help="write all figures to this file")
    add_judge_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compare, print and write the figures."""
    import orjson

    from everwhen.core.files import require_writable_files, write_atomically
    from everwhen.evaluate.agreement import measure_agreement
    from everwhen.evaluate.report.agreement import print_agreement
    from everwhen.evaluate.settings import RunSettings
    from everwhen.families import load_evaluations

    if args.annotators:
        return _compare_annotators(args)
    if not args.predictions:
        raise InputError("JUDGEMENTS and PREDICTIONS are expected, or --annotator several times")
    outputs = {"--json": args.json, "--judge-journal": locate_judge_journal(args)}
    require_writable_files(outputs, [Path(args.judgements), Path(args.predictions)])
    options = {} if args.granularity is None else {"granularity": args.granularity}
    found = measure_agreement(
        args.dataset,
        args.judgements,
        args.predictions,
        load_evaluations(),
        family=args.family,
        settings=RunSettings(options=options, judge=build_judge(args), judges_all=args.judge_all),
    )
    if args.json:
        write_atomically(args.json, orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")
    print_agreement(found)
    return ExitCode.DONE


def _compare_annotators(args: argparse.Namespace) -> int:
    """Compare people who answered the same items."""
    import orjson

    from everwhen.core.files import require_writable_files, write_atomically
    from everwhen.evaluate.annotators import measure_annotators
    from everwhen.evaluate.report.agreement import print_annotators

    unused = {"JUDGEMENTS": args.judgements, "--granularity": args.granularity}
    refuse_unused(unused, "a scorer that is compared with people")
    require_writable_files({"--json": args.json}, args.annotators)
    found = measure_annotators(args.dataset, args.annotators, family=args.family)
    if args.json:
        write_atomically(args.json, orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")
    print_annotators(found)
    return ExitCode.DONE
