"""Ask a model for other wordings of TDBench's questions, and keep those that ask the same.

Each question is put to an OpenAI-compatible endpoint, which writes three phrasings. A phrasing is kept if every value,
date and length of time of the question is in it, no other date is, and a reader finds the conditions of the query in
it. The dataset stays as it is: --out has a line for each phrasing that is kept, with the item's id. Answers are in the
journal beside it, so that the same command asks nothing twice.

example:
  everwhen tdbench paraphrase build/leaders/dataset/leaders --base-url http://localhost:8000/v1 --model my-model
  everwhen tdbench paraphrase DATASET --base-url URL --model NAME --split test --limit 500 --out wordings.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.core.counted import count_noun
from everwhen.core.errors import ExitCode, InputError

if TYPE_CHECKING:
    from everwhen.evaluate.ask.endpoint import Endpoint
    from everwhen.families.tdbench.texts.paraphrase import Asked

FAMILY = "tdbench"

MOST_THREADS = 64

NOT_READABLE = "the grammar's own question cannot be read; not asked"

ITEMS = """
SELECT i.*, e.other FROM items i LEFT JOIN (
    SELECT item_id, any_value(r.declaration) AS other
    FROM (SELECT item_id, declaration, unnest(evidence) AS row_id FROM items WHERE event IS NOT NULL) n
    JOIN rows r USING (row_id) WHERE r.declaration <> n.declaration GROUP BY item_id) e USING (item_id)
ORDER BY item_id
"""
"""The items, each with the declaration of the event that it names."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder of the dataset")
    parser.add_argument("--base-url", required=True, metavar="URL", help="address of the API, ending before /chat")
    parser.add_argument("--model", required=True, metavar="NAME", help="the model's name, as the endpoint knows it")
    parser.add_argument("--split", metavar="NAME", help="only items of a split: train, validation or test")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N items, chosen by hash")
    parser.add_argument("--temperature", type=float, default=0.3, metavar="T", help="temperature (0.3)")
    parser.add_argument("--max-tokens", type=int, default=1024, metavar="N", help="tokens of an answer at most (1024)")
    parser.add_argument("--threads", type=int, default=4, metavar="N", help="requests at a time, 1 to 64 (4)")
    parser.add_argument("--attempts", type=int, default=6, metavar="N", help="tries of one request (6)")
    parser.add_argument("--key-variable", metavar="NAME", help="environment variable with the key (EVERWHEN_API_KEY)")
    parser.add_argument(
        "--out", type=Path, default=Path("wordings.jsonl"), metavar="FILE", help="phrasings kept (wordings.jsonl)"
    )
    parser.add_argument(
        "--rejects", type=Path, metavar="FILE", help="also write the phrasings that are not kept, with the reason"
    )
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="answers so far; by default beside --out, as *.journal.jsonl"
    )


def run(arguments: argparse.Namespace) -> int:
    """Ask, judge, and write what is kept."""
    from everwhen.core.files import write_atomically
    from everwhen.evaluate.ask.journal import hash_prompt
    from everwhen.families.tdbench.texts.paraphrase import build_prompt, is_readable

    _check_arguments(arguments)
    endpoint = _open_endpoint(arguments)
    asked, content_hash = _read_items(arguments)
    readable = {item: each for item, each in asked.items() if is_readable(each)}
    prompts = {item: build_prompt(each) for item, each in readable.items()}
    keys = {item: hash_prompt(endpoint.model, messages) for item, messages in prompts.items()}
    answers, failures = _ask(arguments, endpoint, {keys[item]: prompts[item] for item in prompts})
    kept, rejected = _judge(readable, keys, answers)
    origin = {"model": arguments.model, "dataset": content_hash, "family": FAMILY}
    write_atomically(arguments.out, "".join(json.dumps(row | origin) + "\n" for row in kept))
    if arguments.rejects:
        write_atomically(arguments.rejects, "".join(json.dumps(row | origin) + "\n" for row in rejected))
    reasons = Counter(row["reason"] for row in rejected)
    reasons[NOT_READABLE] += len(asked) - len(readable)
    return _report(arguments, asked, kept, reasons, failures)


def _check_arguments(arguments: argparse.Namespace) -> None:
    """Refuse arguments that cannot be meant, before anything is asked."""
    from everwhen.core.outputs import require_writable_files

    for name in ("limit", "max_tokens", "attempts"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise InputError(f"--{name.replace('_', '-')} {value}: 1 or more is expected")
    if not 1 <= arguments.threads <= MOST_THREADS:
        raise InputError(f"--threads {arguments.threads}: 1 to {MOST_THREADS} is expected")
    if not arguments.temperature >= 0:
        raise InputError(f"--temperature {arguments.temperature}: 0 or more is expected")
    require_writable_files({"--out": arguments.out})
    require_writable_files(
        {"--out": arguments.out, "--journal": _locate_journal(arguments), "--rejects": arguments.rejects}
    )


def _locate_journal(arguments: argparse.Namespace) -> Path:
    journal: Path = arguments.journal or arguments.out.with_name(f"{arguments.out.stem}.journal.jsonl")
    return journal


def _open_endpoint(arguments: argparse.Namespace) -> Endpoint:
    from everwhen.evaluate.ask.endpoint import Endpoint, Limits, Model

    parameters = {"temperature": arguments.temperature, "max_tokens": arguments.max_tokens}
    limits = Limits(attempts=arguments.attempts)
    return Endpoint(arguments.base_url, Model(arguments.model, parameters), limits, key_variable=arguments.key_variable)


def _read_items(arguments: argparse.Namespace) -> tuple[dict[int, Asked], str]:
    """Read the chosen items, each with what its question must say, and the content hash of the dataset."""
    from everwhen.evaluate.ask.selection import Selection, select_ids
    from everwhen.evaluate.gold import read_gold
    from everwhen.families.tdbench.declaration.model import Declaration
    from everwhen.families.tdbench.evaluation import EVALUATION
    from everwhen.families.tdbench.texts.paraphrase import describe_item

    ids = select_ids(arguments.dataset, FAMILY, Selection(split=arguments.split, limit=arguments.limit))
    tables = {"asked": ITEMS, "declared": "SELECT declaration, text FROM declarations"}
    gold = read_gold(arguments.dataset, FAMILY, replace(EVALUATION, tables=tables), ids=ids)
    rows, declared = (gold.tables[name].to_pylist() for name in tables)
    declarations = {row["declaration"]: Declaration.model_validate_json(row["text"]) for row in declared}
    asked = {
        row["item_id"]: describe_item(row, declarations[row["declaration"]], declarations.get(row["other"]))
        for row in rows
    }
    return asked, gold.content_hash


def _ask(
    arguments: argparse.Namespace, endpoint: Endpoint, prompts: Mapping[str, Any]
) -> tuple[dict[str, str | None], dict[str, str]]:
    """Ask what the journal has no answer to; return the answers, and why some are missing."""
    from everwhen.core.progress import show_progress
    from everwhen.evaluate.ask.journal import open_journal
    from everwhen.evaluate.ask.run import ask_all

    progress = show_progress("tdbench paraphrase", quiet=arguments.quiet)
    with open_journal(_locate_journal(arguments)) as journal, progress as report:
        failures = ask_all(prompts, endpoint, journal, threads=arguments.threads, report=report)
        answers = {key: answer.response for key in prompts if (answer := journal.find(key)) is not None}
    return answers, failures


def _judge(
    asked: Mapping[int, Asked], keys: Mapping[int, str], answers: Mapping[str, str | None]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Judge the phrasings of all items: rows that are kept, and rows that are not."""
    from everwhen.families.tdbench.texts.paraphrase import PhrasingReason, judge_phrasings, split_phrasings

    kept: list[dict[str, Any]] = []
    rejected: list[dict[str, Any]] = []
    for item, each in asked.items():
        if keys[item] not in answers:
            continue
        phrasings = split_phrasings(answers[keys[item]])
        if not phrasings:
            rejected.append({"item_id": item, "question": None, "reason": PhrasingReason.NOT_WRITTEN.value})
        for phrasing, reason in judge_phrasings(each, phrasings):
            row = {"item_id": item, "question": phrasing}
            if reason is None:
                kept.append(row)
            else:
                rejected.append({**row, "reason": reason.value})
    return kept, rejected


def _report(
    arguments: argparse.Namespace,
    asked: Mapping[int, Asked],
    kept: list[dict[str, Any]],
    reasons: Counter[str],
    failures: Mapping[str, str],
) -> int:
    """Say on stderr what came of a run."""
    items = len({row["item_id"] for row in kept})
    if not arguments.quiet:
        print(f"kept: {count_noun(len(kept), 'phrasing')} of {items:,} of {len(asked):,} items", file=sys.stderr)
        for reason, count in sorted(reasons.items(), key=lambda each: (-each[1], each[0])):
            if count:
                print(f"not kept: {count:,}: {reason}", file=sys.stderr)
        print(f"wordings: {arguments.out}", file=sys.stderr)
    if not failures:
        return ExitCode.DONE
    reason = next(iter(failures.values()))
    print(
        f"no answer: {count_noun(len(failures), 'prompt')}; the same command asks again; the first: {reason}",
        file=sys.stderr,
    )
    return ExitCode.MAY_GO_ON
