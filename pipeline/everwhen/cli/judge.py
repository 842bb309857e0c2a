"""The arguments of commands that have responses judged by a model, and what asks it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from everwhen.cli.arguments import refuse_unused
from everwhen.core.errors import InputError, NotNowError

if TYPE_CHECKING:
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
    from everwhen.evaluate.ask.run import ask_items, describe_failures

    model = Model(arguments.judge_model, {"temperature": 0.0, "max_tokens": MOST_TOKENS})
    endpoint = Endpoint(arguments.judge, model)

    def judge(prompts: Mapping[int, Sequence[Message]]) -> Mapping[int, str]:
        answers, failures = ask_items("judge", prompts, endpoint, journal, quiet=arguments.quiet)
        if failures:
            raise NotNowError(f"--judge: {describe_failures(failures, len(prompts))}")
        return answers

    return judge
