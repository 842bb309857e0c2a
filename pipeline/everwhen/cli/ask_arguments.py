"""The arguments of `everwhen ask`."""

from __future__ import annotations

import argparse
from pathlib import Path

from everwhen.cli.arguments import add_filter_argument, read_count, read_threads
from everwhen.cli.ask_values import read_parameters, read_seconds, read_shots, read_temperature

PASSAGES = ("passage", "passages")
CONTEXTS = ("none", "dataset", "evidence", "evidence-mixed", *PASSAGES)
"""With what a question is asked: nothing, the item's own context, the statements of its answer, these among others, one
passage, several.

They are here because `verify` loads this module, too, and runs where nothing that evaluates is installed.
"""

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
    _add_endpoint_arguments(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--out", type=Path, default=Path("predictions.jsonl"), metavar="FILE", help="predictions (predictions.jsonl)"
    )
    output.add_argument("--overwrite", action="store_true", help="replace predictions of another run in --out")
    output.add_argument(
        "--journal", type=Path, metavar="FILE", help="answers so far; by default beside --out, as *.journal.jsonl"
    )
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


def _add_endpoint_arguments(parser: argparse.ArgumentParser) -> None:
    endpoint = parser.add_argument_group("endpoint")
    endpoint.add_argument("--base-url", metavar="URL", help="address of the API, such as http://localhost:8000/v1")
    endpoint.add_argument("--model", metavar="NAME", help="the model's name, as the endpoint knows it")
    endpoint.add_argument(
        "--temperature", type=read_temperature, default=0.0, metavar="T", help="temperature, 0 or more (0)"
    )
    endpoint.add_argument(
        "--max-tokens", type=read_count, default=1024, metavar="N", help="tokens of an answer at most (1024)"
    )
    endpoint.add_argument(
        "--parameters",
        type=read_parameters,
        default={},
        metavar="JSON",
        help='more fields of each request, such as \'{"reasoning_effort": "low"}\'; null leaves one out',
    )
    endpoint.add_argument(
        "--threads", type=read_threads, default=4, metavar="N", help="requests at a time, 1 to 64 (4)"
    )
    endpoint.add_argument(
        "--timeout", type=read_seconds, default=300, metavar="SECONDS", help="wait so long for an answer (300)"
    )
    endpoint.add_argument("--attempts", type=read_count, default=6, metavar="N", help="tries of one request (6)")
    endpoint.add_argument(
        "--prices",
        type=Path,
        metavar="FILE",
        help="YAML or JSON: dollars per million input and output tokens of each model, to say what a run costs",
    )
    endpoint.add_argument("--key-variable", metavar="NAME", help="environment variable with the key (EVERWHEN_API_KEY)")
