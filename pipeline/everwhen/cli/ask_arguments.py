"""The arguments of `everwhen ask`."""

from __future__ import annotations

import argparse
from pathlib import Path

from everwhen.cli.arguments import add_filter_argument
from everwhen.core.argument_values import read_count
from everwhen.core.endpoint_arguments import add_endpoint_arguments, add_journal_argument

PASSAGES = ("passage", "passages")
CONTEXTS = ("none", "dataset", "evidence", "evidence-mixed", *PASSAGES)
"""With what a question is asked: nothing, the item's own context, the statements of its answer, these among others, one
passage, several.

They are here because `verify` loads this module, too, and runs where nothing that evaluates is installed.
"""

MOST_SHOTS = 4
DEFAULT_OTHERS = 8
DEFAULT_PASSAGES = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    parser.add_argument(
        "--family", metavar="NAME", help="whose items are asked; by default the first family that has items"
    )
    _add_selection(parser)
    _add_prompt_arguments(parser)
    endpoint = add_endpoint_arguments(parser)
    endpoint.add_argument(
        "--prices",
        type=Path,
        metavar="FILE",
        help="YAML or JSON: dollars per million input and output tokens of each model, to say what a run costs",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--out", type=Path, default=Path("predictions.jsonl"), metavar="FILE", help="predictions (predictions.jsonl)"
    )
    output.add_argument("--overwrite", action="store_true", help="replace predictions of another run in --out")
    add_journal_argument(output)
    output.add_argument("--dry-run", action="store_true", help="ask nothing; print the first prompts and their number")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    items = parser.add_argument_group("items", "all of the family by default; several conditions hold together")
    items.add_argument("--set", dest="item_set", metavar="NAME", help="those of a set, such as lite-1000")
    items.add_argument("--split", metavar="NAME", help="those of a split: train, validation or test")
    add_filter_argument(items)
    items.add_argument("--ids", type=Path, metavar="FILE", help="those with these ids, one a line")
    items.add_argument("--limit", type=read_count, metavar="N", help="at most N of them, chosen by hash")


def _add_prompt_arguments(parser: argparse.ArgumentParser) -> None:
    prompts = parser.add_argument_group("prompts")
    prompts.add_argument("--prompt", metavar="NAME", help="a prompt of the family, such as cot, where it has several")
    prompts.add_argument("--shots", type=read_shots, default=0, metavar="K", help="examples from train, 0 to 4 (0)")
    prompts.add_argument(
        "--context",
        choices=CONTEXTS,
        default="none",
        help="dataset: what the dataset has for each item; evidence: the statements of the answer; evidence-mixed:"
        " these among others; passage, passages: the first"
        " or the first K of --run (none)",
    )
    prompts.add_argument("--others", type=read_count, metavar="N", help="others of evidence-mixed (8)")
    prompts.add_argument("--passages", type=read_count, metavar="K", help="passages of a question (5)")
    prompts.add_argument(
        "--run",
        dest="run_file",
        type=Path,
        metavar="FILE",
        help="TREC run file with the passages; a query's id is that of an item",
    )
    prompts.add_argument("--corpus", type=Path, metavar="PATH", help="corpus of --run: JSONL file, or BEIR folder")
    for name in ("id", "text", "title"):
        prompts.add_argument(
            f"--{name}-field", metavar="FIELD", help=f"field of --corpus with the {name} of a document"
        )


def read_shots(text: str) -> int:
    """Read a number of examples."""
    if not text.isdecimal() or int(text) > MOST_SHOTS:
        raise argparse.ArgumentTypeError(f"0 to {MOST_SHOTS} examples are expected, not {text}")
    return int(text)
