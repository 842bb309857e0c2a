"""Ask a model the questions of a dataset, by an OpenAI-compatible endpoint.

Writes predictions for `everwhen evaluate`. Every answer is first written to a journal: the same command resumes a run
that was interrupted or killed, and asks no prompt again that has an answer there. The key is read from the environment
variable EVERWHEN_API_KEY. --dry-run prints the first prompts, their number and an estimate of tokens, and asks nothing.

example:
  everwhen ask build/demo/dataset/demo --split test --limit 100 --shots 2 --dry-run
  everwhen ask build/demo/dataset/demo --set lite-1000 --base-url http://localhost:8000/v1 --model qwen3-8b
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import read_count, read_threads
from everwhen.core.errors import ExitCode, InputError
from everwhen.evaluate.prompts import CONTEXTS, PASSAGES

if TYPE_CHECKING:
    from everwhen.evaluate.ask.endpoint import Endpoint
    from everwhen.evaluate.ask.passages import Passages
    from everwhen.evaluate.ask.predictions import Answered
    from everwhen.evaluate.ask.prepare import Prepared

MOST_SHOTS = 3
LONGEST_TIMEOUT = 86_400
OWN_FIELDS = frozenset({"model", "messages", "stream"})
"""Fields of a request that --parameters may not set."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    parser.add_argument("--family", metavar="NAME", help="whose items are asked; by default the only family")
    _add_selection(parser)
    _add_prompt_arguments(parser)
    _add_endpoint_arguments(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--out", type=Path, default=Path("predictions.jsonl"), metavar="FILE", help="predictions (predictions.jsonl)"
    )
    output.add_argument(
        "--journal", type=Path, metavar="FILE", help="answers so far; by default beside --out, as *.journal.jsonl"
    )
    output.add_argument("--dry-run", action="store_true", help="ask nothing; print the first prompts and their number")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    items = parser.add_argument_group("items", "all of the family by default; several conditions hold together")
    items.add_argument("--set", dest="item_set", metavar="NAME", help="those of a set, such as lite-1000")
    items.add_argument("--split", metavar="NAME", help="those of a split: train, validation or test")
    items.add_argument("--ids", type=Path, metavar="FILE", help="those with these ids, one a line")
    items.add_argument("--limit", type=read_count, metavar="N", help="at most N of them, chosen by hash")


def _add_prompt_arguments(parser: argparse.ArgumentParser) -> None:
    prompts = parser.add_argument_group("prompts")
    prompts.add_argument("--shots", type=_read_shots, default=0, metavar="K", help="examples from train, 0 to 3 (0)")
    prompts.add_argument(
        "--context",
        choices=CONTEXTS,
        default="none",
        help="evidence: the statements of the answer; evidence-mixed: these among others; passage, passages: the first"
        " or the first K of --run (none)",
    )
    prompts.add_argument("--others", type=read_count, default=8, metavar="N", help="others of evidence-mixed (8)")
    prompts.add_argument("--passages", type=read_count, default=5, metavar="K", help="passages of a question (5)")
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
        "--temperature", type=_read_temperature, default=0.0, metavar="T", help="temperature, 0 or more (0)"
    )
    endpoint.add_argument(
        "--max-tokens", type=read_count, default=1024, metavar="N", help="tokens of an answer at most (1024)"
    )
    endpoint.add_argument(
        "--parameters",
        type=_read_parameters,
        default={},
        metavar="JSON",
        help='more fields of each request, such as \'{"reasoning_effort": "low"}\'; null leaves one out',
    )
    endpoint.add_argument(
        "--threads", type=read_threads, default=4, metavar="N", help="requests at a time, 1 to 64 (4)"
    )
    endpoint.add_argument(
        "--timeout", type=_read_seconds, default=300, metavar="SECONDS", help="wait so long for an answer (300)"
    )
    endpoint.add_argument("--attempts", type=read_count, default=6, metavar="N", help="tries of one request (6)")
    endpoint.add_argument("--key-variable", metavar="NAME", help="environment variable with the key (EVERWHEN_API_KEY)")


def run(arguments: argparse.Namespace) -> int:
    """Ask, and write the predictions."""
    from everwhen.evaluate.ask.dry_run import render_dry_run
    from everwhen.evaluate.ask.predictions import write_predictions

    if arguments.dry_run:
        print(render_dry_run(_prepare(arguments), arguments.max_tokens))
        return ExitCode.DONE
    _require_output(arguments)
    endpoint = _open_endpoint(arguments)
    answered = _ask(arguments, endpoint, _prepare(arguments))
    write_predictions(arguments.out, answered)
    return _report(arguments, answered)


def _prepare(arguments: argparse.Namespace) -> Prepared:
    """Prepare the prompts."""
    from everwhen.evaluate.ask.prepare import Additions, prepare_prompts
    from everwhen.evaluate.ask.selection import Selection, read_ids, select_ids
    from everwhen.evaluate.gold import choose_family
    from everwhen.families import load_evaluations
    from everwhen.validate.manifest import load_manifest

    family = choose_family(arguments.dataset, load_manifest(arguments.dataset), arguments.family)
    evaluations = load_evaluations()
    if family not in evaluations:
        raise InputError(f"{arguments.dataset}: {family}: this release does not know how to ask its items")
    selection = Selection(
        ids=read_ids(arguments.ids) if arguments.ids else None,
        split=arguments.split,
        item_set=arguments.item_set,
        limit=arguments.limit,
    )
    ids = select_ids(arguments.dataset, family, selection)
    additions = Additions(arguments.shots, arguments.context, arguments.others, _locate_passages(arguments))
    return prepare_prompts(arguments.dataset, family, evaluations[family], ids, additions)


def _locate_passages(arguments: argparse.Namespace) -> Passages | None:
    """Locate the passages, if the context is some."""
    from everwhen.evaluate.ask.passages import Passages
    from everwhen.evaluate.retrieval.collection import Fields

    if arguments.context not in PASSAGES:
        if arguments.run_file or arguments.corpus:
            raise InputError("--run and --corpus: --context passage or passages is expected with them")
        return None
    for name, path in (("run", arguments.run_file), ("corpus", arguments.corpus)):
        if path is None:
            raise InputError(f"--{name} is missing; --context {arguments.context} needs it")
    named = {"doc_id": arguments.id_field, "text": arguments.text_field, "title": arguments.title_field}
    fields = Fields(**{name: value for name, value in named.items() if value is not None})
    count = 1 if arguments.context == "passage" else arguments.passages
    return Passages(arguments.run_file, arguments.corpus, count, fields)


def _require_output(arguments: argparse.Namespace) -> None:
    """Require files that can be written, before anything is asked."""
    out = arguments.out
    if out.is_dir():
        raise InputError(f"--out {out}: a folder; the name of a file is expected")
    journal = _locate_journal(arguments)
    if out.resolve() == journal.resolve():
        raise InputError(f"--journal {journal}: the predictions are written there; name another file")


def _open_endpoint(arguments: argparse.Namespace) -> Endpoint:
    """Prepare the endpoint; what is missing of it is reported before the dataset is read."""
    from everwhen.evaluate.ask.endpoint import Endpoint, Limits, Model

    for name in ("base_url", "model"):
        if not getattr(arguments, name):
            raise InputError(f"--{name.replace('_', '-')} is missing; only --dry-run works without it")
    parameters = {"temperature": arguments.temperature, "max_tokens": arguments.max_tokens, **arguments.parameters}
    return Endpoint(
        arguments.base_url,
        Model(arguments.model, {name: value for name, value in parameters.items() if value is not None}),
        Limits(timeout=float(arguments.timeout), attempts=arguments.attempts),
        key_variable=arguments.key_variable,
    )


def _ask(arguments: argparse.Namespace, endpoint: Endpoint, prepared: Prepared) -> Answered:
    """Ask what the journal has no answer to."""
    from everwhen.cli.steps import show_steps
    from everwhen.evaluate.ask.journal import hash_prompt, open_journal
    from everwhen.evaluate.ask.predictions import Answered
    from everwhen.evaluate.ask.run import ask_all

    keys = {item: hash_prompt(endpoint.model, messages) for item, messages in prepared.prompts.items()}
    prompts = {keys[item]: messages for item, messages in prepared.prompts.items()}
    with (
        open_journal(_locate_journal(arguments)) as journal,
        show_steps("ask", len(prompts), quiet=arguments.quiet) as report,
    ):
        failures = ask_all(prompts, endpoint, journal, threads=arguments.threads, report=report)
        answers = {key: answer for key in prompts if (answer := journal.find(key)) is not None}
    settings = {"shots": arguments.shots, "context": arguments.context}
    return Answered(prepared, endpoint.model, keys, answers, failures, settings)


def _report(arguments: argparse.Namespace, answered: Answered) -> int:
    """Say on stderr what came of a run."""
    if not arguments.quiet:
        from everwhen.evaluate.ask.predictions import summarize

        for line in summarize(answered):
            print(line, file=sys.stderr)
        print(f"predictions: {len(answered.keys):,}, in {arguments.out}", file=sys.stderr)
    if not answered.failures:
        if not arguments.quiet:
            print(f"next: everwhen evaluate {arguments.dataset} {arguments.out}", file=sys.stderr)
        return ExitCode.DONE
    reason = next(iter(answered.failures.values()))
    print(
        f"{len(answered.failures):,} of {len(answered.keys):,} prompts have no answer; the same command asks them"
        f" again; the first: {reason}",
        file=sys.stderr,
    )
    return ExitCode.MAY_GO_ON


def _locate_journal(arguments: argparse.Namespace) -> Path:
    out: Path = arguments.out
    journal: Path = arguments.journal or out.with_name(f"{out.stem}.journal.jsonl")
    return journal


def _read_shots(text: str) -> int:
    """Read a number of examples."""
    if not text.isdecimal() or int(text) > MOST_SHOTS:
        raise argparse.ArgumentTypeError(f"0 to {MOST_SHOTS} examples are expected, not {text}")
    return int(text)


def _read_seconds(text: str) -> int:
    """Read how long to wait."""
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_TIMEOUT:
        raise argparse.ArgumentTypeError(f"1 to {LONGEST_TIMEOUT} seconds are expected, not {text}")
    return int(text)


def _read_temperature(text: str) -> float:
    """Read a temperature."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(f"a finite number from 0 is expected, not {text}")
    return value


def _read_parameters(text: str) -> dict[str, Any]:
    """Read fields of a request."""

    def read_finite(number: str) -> float:
        if not math.isfinite(value := float(number)):
            raise ValueError(f"{number} is no finite number")
        return value

    try:
        fields = json.loads(text, parse_constant=read_finite, parse_float=read_finite)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"a JSON object is expected: {error}") from None
    if not isinstance(fields, dict):
        raise argparse.ArgumentTypeError(f"a JSON object is expected, not {text}")
    if taken := fields.keys() & OWN_FIELDS:
        raise argparse.ArgumentTypeError(f"{min(taken)} is not a parameter that can be given here")
    return fields
