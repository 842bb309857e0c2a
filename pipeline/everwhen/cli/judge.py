"""The arguments of commands that have responses judged by a model, and what asks it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from everwhen.cli.arguments import refuse_unused
from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError, NotNowError

if TYPE_CHECKING:
    from everwhen.evaluate.ask.endpoint import Endpoint
    from everwhen.evaluate.messages import Message
    from everwhen.evaluate.settings import Judge

MOST_TOKENS = 64
"""A judge replies with a few numbers."""


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --judge and what belongs to it."""
    judge = parser.add_argument_group("judge", "a model that decides whether a response gives a date in its role")
    judge.add_argument("--judge", metavar="URL", help="address of its API, such as http://localhost:8000/v1")
    judge.add_argument("--judge-model", metavar="NAME", help="the model's name, as the endpoint knows it")
    judge.add_argument(
        "--judge-all", action="store_true", help="judge all responses; without it only those whose dates have no role"
    )
    judge.add_argument(
        "--judge-journal",
        type=Path,
        metavar="FILE",
        help="its answers so far; by default beside the first PREDICTIONS, as *.judge.jsonl",
    )


def locate_judge_journal(arguments: argparse.Namespace) -> Path | None:
    """Locate the journal of the judge; None where there is no judge."""
    if arguments.judge is None:
        return None
    given = arguments.predictions
    predictions = Path(given if isinstance(given, str) else given[0])
    journal: Path = arguments.judge_journal or predictions.with_name(f"{predictions.stem}.judge.jsonl")
    return journal


def build_judge(arguments: argparse.Namespace) -> Judge | None:
    """Prepare the judge that the arguments name; nothing is asked yet.

    Raises:
        InputError: The address, the model or the key cannot be used, or an option has no effect.
    """
    journal = locate_judge_journal(arguments)
    if journal is None:
        unused = {"--judge-model": arguments.judge_model, "--judge-journal": arguments.judge_journal}
        refuse_unused({**unused, "--judge-all": arguments.judge_all or None}, "--judge")
        return None
    if not arguments.judge_model:
        raise InputError("--judge-model is missing; --judge needs it")
    from everwhen.evaluate.ask.endpoint import Endpoint, Model

    model = Model(arguments.judge_model, {"temperature": 0.0, "max_tokens": MOST_TOKENS})
    endpoint = Endpoint(arguments.judge, model)

    def judge(prompts: Mapping[int, Sequence[Message]]) -> Mapping[int, str]:
        return ask_judge(prompts, endpoint, journal, quiet=arguments.quiet)

    return judge


def ask_judge(
    prompts: Mapping[int, Sequence[Message]], endpoint: Endpoint, journal: Path, *, quiet: bool
) -> dict[int, str]:
    """Ask what the journal has no answer to.

    Returns:
        The answers, by item.

    Raises:
        NotNowError: A prompt got no answer; the journal has the others.
    """
    from everwhen.core.progress import show_progress
    from everwhen.evaluate.ask.journal import hash_prompt, open_journal
    from everwhen.evaluate.ask.run import ask_all

    keys = {item: hash_prompt(endpoint.model, messages) for item, messages in prompts.items()}
    asked = {keys[item]: messages for item, messages in prompts.items()}
    with open_journal(journal) as answers, show_progress("judge", quiet=quiet) as report:
        failures = ask_all(asked, endpoint, answers, report=report)
        found = {item: answers.find(key) for item, key in keys.items()}
    if failures:
        reason = next(iter(failures.values()))
        raise NotNowError(
            f"--judge: no answer to {count_noun(len(failures), 'prompt')} of {len(asked):,}; the same command asks"
            f" again; the first: {reason}"
        )
    return {item: answer.response or "" for item, answer in found.items() if answer is not None}
