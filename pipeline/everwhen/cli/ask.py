"""Ask a model the questions of a dataset, by an OpenAI-compatible endpoint.

Writes predictions for `everwhen evaluate`. Every answer is first written to a journal: the same command resumes a run
that was interrupted or killed, and asks no prompt again that has an answer there. The key is read from the environment
variable EVERWHEN_API_KEY. --dry-run prints the first prompts, their number and an estimate of tokens, and asks nothing.

example:
  everwhen ask build/demo/dataset/demo --split test --limit 100 --shots 2 --dry-run
  everwhen ask build/demo/dataset/demo --family tdbench --where task=sets --dry-run
  everwhen ask build/demo/dataset/demo --set lite-1000 --base-url http://localhost:8000/v1 --model qwen3-8b
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.cli.arguments import add_filter_argument, join_filters, read_count, read_threads, refuse_unused
from everwhen.cli.ask_values import read_parameters, read_seconds, read_shots, read_temperature
from everwhen.core.counted import count_noun
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.outputs import require_writable_files

if TYPE_CHECKING:
    from everwhen.evaluate.ask.endpoint import Endpoint
    from everwhen.evaluate.ask.passages import Passages
    from everwhen.evaluate.ask.predictions import Answered
    from everwhen.evaluate.ask.prepare import Prepared

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
    endpoint.add_argument("--key-variable", metavar="NAME", help="environment variable with the key (EVERWHEN_API_KEY)")


def run(arguments: argparse.Namespace) -> int:
    """Ask, and write the predictions."""
    from everwhen.evaluate.ask.dry_run import render_dry_run
    from everwhen.evaluate.ask.journal import hash_prompt
    from everwhen.evaluate.ask.predictions import require_own_file, write_predictions

    if arguments.dry_run:
        print(render_dry_run(_prepare(arguments), arguments.max_tokens))
        return ExitCode.DONE
    _require_output(arguments)
    endpoint = _open_endpoint(arguments)
    prepared = _prepare(arguments)
    keys = {item: hash_prompt(endpoint.model, messages) for item, messages in prepared.prompts.items()}
    if not arguments.overwrite:
        require_own_file(arguments.out, keys)
    answered = _ask(arguments, endpoint, prepared, keys)
    write_predictions(arguments.out, answered)
    return _report(arguments, answered)


def _prepare(arguments: argparse.Namespace) -> Prepared:
    """Prepare the prompts."""
    from everwhen.evaluate.ask.prepare import Additions, prepare_prompts
    from everwhen.evaluate.ask.selection import Selection, read_ids, select_ids
    from everwhen.evaluate.filters import filter_ids
    from everwhen.evaluate.gold import choose_family
    from everwhen.families import load_evaluations
    from everwhen.validate.manifest import load_manifest

    family = choose_family(arguments.dataset, load_manifest(arguments.dataset), arguments.family)
    evaluations = load_evaluations()
    if family not in evaluations:
        raise InputError(f"{arguments.dataset}: {family}: this release does not know how to ask its items")
    chosen: dict[str, Any] = {"split": arguments.split, "item_set": arguments.item_set}
    chosen["ids"] = read_ids(arguments.ids) if arguments.ids else None
    if filters := join_filters(arguments.filters):
        chosen["ids"] = filter_ids(arguments.dataset, family, evaluations[family], filters, **chosen)
    ids = select_ids(arguments.dataset, family, Selection(**chosen, limit=arguments.limit))
    if arguments.context != "evidence-mixed":
        refuse_unused({"--others": arguments.others}, "--context evidence-mixed")
    others = arguments.others or DEFAULT_OTHERS
    additions = Additions(arguments.shots, arguments.context, others, _locate_passages(arguments), arguments.prompt)
    return prepare_prompts(arguments.dataset, family, evaluations[family], ids, additions)


def _locate_passages(arguments: argparse.Namespace) -> Passages | None:
    """Locate the passages, if the context is some."""
    from everwhen.evaluate.ask.passages import Passages
    from everwhen.evaluate.retrieval.collection import Fields

    if arguments.context not in PASSAGES:
        unused = {"--run": arguments.run_file, "--corpus": arguments.corpus, "--passages": arguments.passages}
        refuse_unused({**unused, **_list_fields(arguments)}, "--context passages")
        return None
    if arguments.context == "passage":
        refuse_unused({"--passages": arguments.passages}, "--context passages")
    for name, path in (("run", arguments.run_file), ("corpus", arguments.corpus)):
        if path is None:
            raise InputError(f"--{name} is missing; --context {arguments.context} needs it")
    if arguments.corpus.is_dir():
        refuse_unused(_list_fields(arguments), "a --corpus that is a JSONL file")
    named = {"doc_id": arguments.id_field, "text": arguments.text_field, "title": arguments.title_field}
    fields = Fields(**{name: value for name, value in named.items() if value is not None})
    count = 1 if arguments.context == "passage" else arguments.passages or DEFAULT_PASSAGES
    return Passages(arguments.run_file, arguments.corpus, count, fields)


def _list_fields(arguments: argparse.Namespace) -> dict[str, str | None]:
    """List the options that name fields of a corpus."""
    return {f"--{name}-field": getattr(arguments, f"{name}_field") for name in ("id", "text", "title")}


def _require_output(arguments: argparse.Namespace) -> None:
    """Require files that can be written, before anything is asked."""
    out = arguments.out
    require_writable_files({"--out": out})
    journal = _locate_journal(arguments)
    if out.resolve() == journal.resolve():
        raise InputError(f"--journal {journal}: the predictions are written there; name another file")
    read = [path for path in (arguments.ids, arguments.run_file, arguments.corpus) if path is not None]
    require_writable_files({"--out": out, "--journal": journal}, read)


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


def _ask(arguments: argparse.Namespace, endpoint: Endpoint, prepared: Prepared, keys: Mapping[int, str]) -> Answered:
    """Ask what the journal has no answer to."""
    from everwhen.cli.steps import show_steps
    from everwhen.evaluate.ask.journal import open_journal
    from everwhen.evaluate.ask.predictions import Answered
    from everwhen.evaluate.ask.run import ask_all

    prompts = {keys[item]: messages for item, messages in prepared.prompts.items()}
    with (
        open_journal(_locate_journal(arguments)) as journal,
        show_steps("ask", len(prompts), quiet=arguments.quiet) as report,
    ):
        failures = ask_all(prompts, endpoint, journal, threads=arguments.threads, report=report)
        answers = {key: answer for key in prompts if (answer := journal.find(key)) is not None}
    settings = {"shots": arguments.shots, "context": arguments.context}
    settings |= {"wording": prepared.wording} if prepared.wording else {}
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
        f"no answer: {len(answered.failures):,} of {count_noun(len(answered.keys), 'prompt')}; the same command asks"
        f" again; the first: {reason}",
        file=sys.stderr,
    )
    return ExitCode.MAY_GO_ON


def _locate_journal(arguments: argparse.Namespace) -> Path:
    out: Path = arguments.out
    journal: Path = arguments.journal or out.with_name(f"{out.stem}.journal.jsonl")
    return journal
