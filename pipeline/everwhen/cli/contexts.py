"""Arguments on the context of a question, which `everwhen ask` and `everwhen export` share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from everwhen.cli.arguments import refuse_unused
from everwhen.core.arguments import read_count
from everwhen.core.errors import InputError

if TYPE_CHECKING:
    from everwhen.evaluate.ask.context import Condition, Passages

CONTEXTS = ("none", "dataset", "evidence", "evidence-mixed", "passage", "passages", "oracle")
"""The names of `everwhen.evaluate.conditions`.

They are here because `verify` loads this module, too, and runs where nothing that evaluates is installed.
"""

DEFAULT_OTHERS = 8
DEFAULT_PASSAGES = 5
"""Few by default, since each statement and passage is paid for in every prompt."""


def add_context_arguments(parser: argparse._ActionsContainer, *, is_repeated: bool = False) -> None:
    """Add what says with which context a question is asked, and how a choice is.

    Args:
        parser: Where to.
        is_repeated: Whether several contexts may be named.
    """
    parser.add_argument(
        "--as",
        dest="manner",
        choices=("choice", "generation"),
        help="generation: choices with letters without their options, as far as they can be asked so (choice)",
    )
    again = "; may be repeated: each item is asked with each" if is_repeated else ""
    parser.add_argument(
        "--context",
        dest="contexts",
        action="append",
        choices=CONTEXTS,
        help="dataset: what the dataset has for each item; evidence: the statements of the answer; evidence-mixed:"
        " these among others; passage, passages: the first or the first K of --run; oracle: the relevant document and"
        f" K - 1 others of its group (none){again}",
    )
    parser.add_argument("--others", type=read_count, metavar="N", help="others of evidence-mixed (8)")
    parser.add_argument("--passages", type=read_count, metavar="K", help="documents of passages and oracle (5)")
    parser.add_argument(
        "--run",
        dest="run_file",
        type=Path,
        metavar="FILE",
        help="TREC run file with the passages; a query's id is that of an item",
    )
    parser.add_argument("--corpus", type=Path, metavar="PATH", help="corpus of --run: JSONL file, or BEIR folder")
    for name in ("id", "text", "title"):
        parser.add_argument(f"--{name}-field", metavar="FIELD", help=f"field of --corpus with the {name} of a document")


def read_conditions(args: argparse.Namespace) -> list[Condition]:
    """Read with which contexts questions are asked.

    Raises:
        InputError: A context is named twice, lacks an argument, or another argument has no effect.
    """
    from everwhen.evaluate.ask.context import Condition

    names = args.contexts or ["none"]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--context {name}: named twice; name each context once")
    if "evidence-mixed" not in names:
        refuse_unused({"--others": args.others}, "--context evidence-mixed")
    if not {"passages", "oracle"} & {*names}:
        refuse_unused({"--passages": args.passages}, "--context passages or oracle")
    if not {"passage", "passages"} & {*names}:
        unused = {"--run": args.run_file, "--corpus": args.corpus}
        refuse_unused({**unused, **_list_fields(args)}, "--context passages")
    others, count = args.others or DEFAULT_OTHERS, args.passages or DEFAULT_PASSAGES
    return [Condition(name, others, count, _locate_passages(args, name, count)) for name in names]


def _locate_passages(args: argparse.Namespace, context: str, count: int) -> Passages | None:
    """Locate the passages, if the context is some."""
    from everwhen.evaluate.ask.context import Passages
    from everwhen.evaluate.retrieval.collection import Fields

    if context not in ("passage", "passages"):
        return None
    for name, path in (("run", args.run_file), ("corpus", args.corpus)):
        if path is None:
            raise InputError(f"--{name} is missing; --context {context} needs it")
    if args.corpus.is_dir():
        refuse_unused(_list_fields(args), "a --corpus that is a JSONL file")
    named = {"doc_id": args.id_field, "text": args.text_field, "title": args.title_field}
    fields = Fields(**{name: value for name, value in named.items() if value is not None})
    return Passages(args.run_file, args.corpus, 1 if context == "passage" else count, fields)


def _list_fields(args: argparse.Namespace) -> dict[str, str | None]:
    """List the options that name fields of a corpus."""
    return {f"--{name}-field": getattr(args, f"{name}_field") for name in ("id", "text", "title")}
