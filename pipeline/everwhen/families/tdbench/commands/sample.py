"""Write a sheet of responses for people to judge.

The sheet is CSV with the question, its answer, the dates that are required, and the response. People fill in the column
judgement with correct, partial (the answer alone is right), outdated, partly outdated, incorrect, unsure, missing or
cut off. `everwhen agree` then compares the scorer with them. Responses are chosen by hash; a greater --n adds some.

example:
  everwhen tdbench sample build/leaders/dataset/leaders predictions.jsonl --n 125 --out sheet.csv
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from everwhen.core.counted import count_noun
from everwhen.core.errors import ExitCode, InputError
from everwhen.families.tdbench.config import NAME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    parser.add_argument("predictions", metavar="PREDICTIONS", help="file of predictions")
    parser.add_argument("--n", type=int, default=125, metavar="N", help="responses at most (125)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the sheet to write, CSV")


def run(arguments: argparse.Namespace) -> int:
    """Write the sheet."""
    from everwhen.core.files import require_writable_files, write_atomically
    from everwhen.evaluate.evaluation import read_sample
    from everwhen.families.tdbench.evaluation import EVALUATION
    from everwhen.families.tdbench.evaluation.sheet import choose_responses, write_sheet

    if arguments.n < 1:
        raise InputError(f"--n {arguments.n}: a number from 1 is expected")
    require_writable_files({"--out": arguments.out}, [Path(arguments.predictions)])
    if arguments.out.exists():
        raise InputError(f"--out {arguments.out}: is there already, and may have judgements; name another file")
    predictions, gold = read_sample(
        arguments.dataset, arguments.predictions, NAME, EVALUATION, partial(choose_responses, count=arguments.n)
    )
    write_atomically(arguments.out, write_sheet(gold, predictions))
    if not arguments.quiet:
        print(f"{arguments.out}: {count_noun(gold.table.num_rows, 'response')} to judge", file=sys.stderr)
        print(
            f"next: fill in the column judgement, then everwhen agree {arguments.dataset} {arguments.out}"
            f" {arguments.predictions} --family {NAME}",
            file=sys.stderr,
        )
    return ExitCode.DONE
