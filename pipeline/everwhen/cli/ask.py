"""Ask a model the questions of a dataset, by an OpenAI-compatible endpoint.

Writes predictions for `everwhen evaluate`. Every answer is first written to a journal: the same command resumes a run
that was interrupted or killed, and asks no prompt again that has an answer there. The key is read from the environment
variable EVERWHEN_API_KEY. --dry-run prints the first prompts, their number and an estimate of tokens, and asks nothing.

example:
  everwhen ask build/demo/dataset/demo --split test --limit 100 --shots 2 --dry-run
  everwhen ask build/demo/dataset/demo --family tdbench --where task=sets --dry-run
  everwhen ask build/demo/dataset/demo --set lite-1000 --context none --context evidence --dry-run
  everwhen ask build/demo/dataset/demo --set lite-1000 --base-url http://localhost:8000/v1 --model qwen3-8b
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import add_filter_argument, choose_evaluation, join_filters
from everwhen.cli.contexts import add_context_arguments, read_conditions
from everwhen.core.arguments import (
    add_endpoint_arguments,
    add_journal_argument,
    list_parameters,
    locate_journal,
    read_count,
    require_outputs,
)
from everwhen.core.errors import ExitCode, InputError

if TYPE_CHECKING:
    from everwhen.evaluate.ask.endpoint import Endpoint
    from everwhen.evaluate.ask.predictions import Answered
    from everwhen.evaluate.ask.prepare import Prepared
    from everwhen.evaluate.ask.prices import Price
    from everwhen.evaluate.messages import Message

MAX_SHOTS = 4


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
    add = output.add_argument
    add("--out", type=Path, default=Path("predictions.jsonl"), metavar="FILE", help="predictions (predictions.jsonl)")
    add("--overwrite", action="store_true", help="replace predictions of another run in --out")
    add_journal_argument(output)
    add("--dry-run", action="store_true", help="ask nothing; print the first prompts and their number")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    items = parser.add_argument_group("items", "all of the family by default; several conditions hold together")
    add = items.add_argument
    add("--set", dest="item_set", metavar="NAME", help="those of a set, such as lite-1000")
    add("--split", metavar="NAME", help="those of a split: train, validation or test")
    add_filter_argument(items)
    add("--ids", type=Path, metavar="FILE", help="those with these ids, one a line")
    add("--limit", type=read_count, metavar="N", help="at most N of them, chosen by hash")


def _add_prompt_arguments(parser: argparse.ArgumentParser) -> None:
    prompts = parser.add_argument_group("prompts")
    add = prompts.add_argument
    add("--prompt", metavar="NAME", help="a prompt of the family, such as cot, where it has several")
    add("--shots", type=read_shots, default=0, metavar="K", help="examples from train, 0 to 4 (0)")
    add_context_arguments(prompts, is_repeated=True)


def read_shots(text: str) -> int:
    """Read a number of examples."""
    if not text.isdecimal() or int(text) > MAX_SHOTS:
        raise argparse.ArgumentTypeError(f"0 to {MAX_SHOTS} examples are expected, not {text}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Ask, and write the predictions."""
    from everwhen.evaluate.ask.endpoint import open_endpoint
    from everwhen.evaluate.ask.journal import hash_prompt
    from everwhen.evaluate.ask.predictions import require_own_file, write_predictions
    from everwhen.evaluate.ask.prices import find_limit, render_dry_run

    price = _read_price(args)
    if args.dry_run:
        for prepared in _prepare(args):
            print(render_dry_run(prepared, find_limit(list_parameters(args)), price))
        return ExitCode.DONE
    read = (args.ids, args.run_file, args.corpus, args.prices)
    require_outputs(args, [path for path in read if path])
    endpoint = open_endpoint(args)
    conditions = [
        (prepared, {item: hash_prompt(endpoint.model, messages) for item, messages in prepared.prompts.items()})
        for prepared in _prepare(args)
    ]
    if not args.overwrite:
        require_own_file(args.out, [keys for _, keys in conditions])
    answered = _ask(args, endpoint, conditions, price)
    write_predictions(args.out, answered)
    return _report(args, answered, price)


def _read_price(args: argparse.Namespace) -> Price | None:
    from everwhen.evaluate.ask.prices import read_price

    if args.prices is None:
        return None
    if not args.model:
        raise InputError("--model is missing; --prices needs it")
    return read_price(args.prices, args.model)


def _prepare(args: argparse.Namespace) -> list[Prepared]:
    """Prepare the prompts of each condition."""
    from everwhen.evaluate.ask.prepare import Additions, prepare_prompts
    from everwhen.evaluate.ask.selection import Selection, read_ids, select_ids
    from everwhen.evaluate.filters import filter_ids

    family, evaluation = choose_evaluation(args.dataset, args.family, "how to ask its items")
    chosen: dict[str, Any] = {"split": args.split, "item_set": args.item_set}
    chosen["ids"] = read_ids(args.ids) if args.ids else None
    if filters := join_filters(args.filters):
        chosen["ids"] = filter_ids(args.dataset, family, evaluation, filters, **chosen)
    ids = select_ids(args.dataset, family, Selection(**chosen, limit=args.limit))
    opens = args.manner == "generation"
    additions = [Additions(args.shots, condition, args.prompt, opens) for condition in read_conditions(args)]
    return [prepare_prompts(args.dataset, family, evaluation, ids, each) for each in additions]


def _ask(
    args: argparse.Namespace,
    endpoint: Endpoint,
    conditions: Sequence[tuple[Prepared, Mapping[int, str]]],
    price: Price | None,
) -> list[Answered]:
    """Ask what the journal has no answer to; a prompt that several conditions share is asked once."""
    from everwhen.core.progress import show_progress
    from everwhen.evaluate.ask.journal import open_journal
    from everwhen.evaluate.ask.predictions import Answered
    from everwhen.evaluate.ask.run import ask_all, print_warning

    prompts = {keys[item]: messages for each, keys in conditions for item, messages in each.prompts.items()}
    today = dt.datetime.now(dt.UTC).date().isoformat()
    with open_journal(locate_journal(args), today) as journal:
        if price is not None and not args.quiet:
            missing = [messages for key, messages in prompts.items() if journal.find(key) is None]
            _print_cost(price, missing, endpoint)
        with show_progress("ask", quiet=args.quiet) as report:
            failures = ask_all(prompts, endpoint.ask, journal, threads=args.threads, report=report, warn=print_warning)
        answers = {key: answer for key in prompts if (answer := journal.find(key)) is not None}
    return [
        Answered(each, endpoint.model, keys, answers, failures, _list_settings(args, endpoint, each))
        for each, keys in conditions
    ]


def _print_cost(price: Price, missing: Sequence[Sequence[Message]], endpoint: Endpoint) -> None:
    """Print what it may cost to ask the prompts that have no answer, if there are any."""
    from everwhen.evaluate.ask.prices import estimate_all, estimate_cost, find_limit

    if missing:
        limit = find_limit(endpoint.model.parameters)
        print(estimate_cost(price, estimate_all(missing), len(missing), limit), file=sys.stderr, flush=True)


def _list_settings(args: argparse.Namespace, endpoint: Endpoint, prepared: Prepared) -> dict[str, Any]:
    settings: dict[str, Any] = {"wording": prepared.wording} if prepared.wording else {}
    return {**endpoint.model.parameters, **settings, "shots": args.shots, **prepared.condition.describe()}


def _report(args: argparse.Namespace, answered: Sequence[Answered], price: Price | None) -> int:
    from everwhen.evaluate.ask.predictions import summarize
    from everwhen.evaluate.ask.run import describe_failures

    count, failures = sum(len(each.keys) for each in answered), answered[0].failures
    lines = []
    for each in answered:
        lines += [f"context {each.prepared.condition.name}"] if len(answered) > 1 else []
        lines += summarize(each, price)
    lines.append(f"predictions: {count:,}, in {args.out}")
    if not failures:
        lines.append(f"next: everwhen evaluate {args.dataset} {args.out}")
    for line in lines if not args.quiet else ():
        print(line, file=sys.stderr)
    if not failures:
        return ExitCode.DONE
    print(describe_failures(failures, count), file=sys.stderr)
    return ExitCode.MAY_GO_ON
