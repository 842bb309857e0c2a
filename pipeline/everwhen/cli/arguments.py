"""Command-line arguments that the command and the jobs share."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.core.config import SOURCES, Config, override_section
from everwhen.core.config_values import require_no_password
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.log import FORMATS

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.evaluate.messages import Message
    from everwhen.evaluate.settings import Judge

MIN_MEMORY = 256
"""MB. The checks of the sample run out of 100."""


def read_memory(text: str) -> str:
    """Read an amount of memory that this machine has."""
    found = re.fullmatch(r"(?P<number>\d+(\.\d+)?) ?((?P<prefix>[KMGT])(?P<binary>i?)B|%)", text, flags=re.IGNORECASE)
    if not found:
        raise argparse.ArgumentTypeError(f"a size such as 8GB or 50% is expected, not {text}")
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if found["prefix"]:
        step = 1024 if found["binary"] else 1000
        size = float(found["number"]) * step ** ("KMGT".index(found["prefix"].upper()) + 1)
    else:
        size = float(found["number"]) / 100 * there
    if not MIN_MEMORY * 10**6 <= size <= there:
        most = f"{there / 10**9:.1f}GB, which this machine has,"
        raise argparse.ArgumentTypeError(f"{MIN_MEMORY}MB to {most} is expected, not {text}")
    return text


def add_filter_argument(parser: argparse._ActionsContainer) -> None:
    """Add --where, by which commands choose items of every family."""
    parser.add_argument(
        "--where",
        dest="filters",
        action="append",
        type=read_filter,
        default=[],
        metavar="NAME=VALUE,…",
        help="only items with one of these values, such as task=sets,counting, question_type=1* or year=1990-1999;"
        " may be given several times",
    )


def read_filter(text: str) -> tuple[str, tuple[str, ...]]:
    """Read a filter: a name, and the values of which one is wanted."""
    name, sign, rest = text.partition("=")
    values = tuple(value.strip() for value in rest.split(","))
    if not name.strip() or not sign or not all(values):
        raise argparse.ArgumentTypeError(f"NAME=VALUE is expected, such as task=sets, not {text}")
    return name.strip(), values


def join_filters(filters: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    """Join filters of the same name: an item needs one of all their values.

    >>> join_filters([("task", ("sets",)), ("year", ("1994",)), ("task", ("counting",))])
    {'task': ['sets', 'counting'], 'year': ['1994']}
    """
    joined: dict[str, list[str]] = {}
    for name, values in filters:
        joined.setdefault(name, []).extend(values)
    return joined


def choose_evaluation(dataset: str, family: str | None, unknown: str) -> tuple[str, Evaluation]:
    """Choose the family whose items are used, by default the first of the dataset that has some.

    Args:
        dataset: Folder of the dataset.
        family: The family that was named.
        unknown: What this release does not know where it does not have the family, for the message.

    Returns:
        The family's name, and how its items are evaluated.

    Raises:
        InputError: There is no such family, or this release does not have it.
    """
    from everwhen.evaluate.gold import choose_family
    from everwhen.families import load_evaluations
    from everwhen.validate.manifest import load_manifest

    name, evaluations = choose_family(dataset, load_manifest(dataset), family), load_evaluations()
    if name not in evaluations:
        raise InputError(f"{dataset}: {name}: this release does not know {unknown}")
    return name, evaluations[name]


def refuse_unused(options: Mapping[str, object], needed: str) -> None:
    """Refuse options that have no effect here, so that nobody believes they had one.

    Args:
        options: By name as typed, the value of each; None where it was not given.
        needed: With what alone they have an effect.

    Raises:
        InputError: One was given.
    """
    for name, value in options.items():
        if value is not None:
            raise InputError(f"{name}: has an effect with {needed} only; leave it out, or add that")


def read_folder(text: str) -> str:
    """Read the name of a folder, as argparse's `type`."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name of a folder is expected, not an empty text")
    return text


def read_date(text: str) -> dt.date | None:
    """Read a date, as argparse's `type`; None of an empty text, by which a scheduler says that it has none."""
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise argparse.ArgumentTypeError(f"a date such as 2026-11-01 is expected, not {text}") from None


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --quiet, --verbose and --log-format."""
    much = parser.add_mutually_exclusive_group()
    much.add_argument("-q", "--quiet", action="store_true", help="no progress; errors and results alone")
    much.add_argument("-v", "--verbose", action="store_true", help="also what Spark and DuckDB say themselves")
    add_log_argument(parser)


def add_log_argument(parser: argparse.ArgumentParser) -> None:
    """Add --log-format."""
    parser.add_argument(
        "--log-format", choices=FORMATS, default="text", help="stderr as lines of text, or a JSON object a line"
    )


def add_config_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add --config and what overrides it; a scheduler may pass an empty text for what it does not override."""
    add = parser.add_argument
    add("--config", required=required, metavar="FILE", help="configuration (YAML); see configs/")
    add("--snapshot", metavar="NAME", help="which state of the sources this is, such as 2026-11-01; overrides snapshot")
    add("--window-start", metavar="DATE", help="first day asked about, YYYY-MM-DD; overrides window.start")
    add("--window-end", metavar="DATE", help="last day asked about, YYYY-MM-DD; overrides window.end")


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the paths of the sources."""
    parser.add_argument("--raw", metavar="DIR", help="what `everwhen pull` has fetched, as pull.sources says")
    for name, text in SOURCES.items():
        parser.add_argument(f"--{name.replace('_', '-')}", nargs="+", metavar="PATH", help=text)


def add_build_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --config with what overrides it, --out, and the paths of the sources."""
    add_config_arguments(parser)
    parser.add_argument("--out", required=True, type=read_folder, metavar="DIR", help="folder of the build")
    add_source_arguments(parser)


def add_spark_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what overrides the section spark."""
    parser.add_argument(
        "--shuffle-partitions", type=int, metavar="N", help="changes the speed; overrides spark.shuffle_partitions"
    )
    parser.add_argument("--master", metavar="URL", help="where Spark runs, such as local[4]; overrides spark.master")


def load_chosen_config(args: argparse.Namespace) -> Config:
    """The configuration file with the window and the snapshot of the command line.

    Args:
        args: Parsed arguments of `add_config_arguments`.

    Raises:
        InputError: The file or an argument cannot be used.
    """
    from everwhen.preflight import read_config  # the families, and so PySpark: seconds that --help should not take

    config = read_config(args.config, args.snapshot)
    window = {"start": args.window_start or None, "end": args.window_end or None}
    return override_section(config, "window", window)


def resolve_config(args: argparse.Namespace, **spark: Any) -> Config:
    """The configuration file with what the command line overrides.

    Args:
        args: Parsed arguments of `add_build_arguments`, or of those above without --out.
        spark: Settings of the section spark; None leaves one as it is.

    Raises:
        InputError: The file or an argument cannot be used, or nothing was pulled of what should have been.
    """
    try:
        require_no_password(getattr(args, "out", ""))
    except ValueError as error:
        raise InputError(f"--out: {error}") from None
    config = override_section(load_chosen_config(args), "sources", {name: getattr(args, name) for name in SOURCES})
    if args.raw:
        from everwhen.sources.pull import with_pulled

        config = with_pulled(config, Path(args.raw))
    return override_section(config, "spark", spark)


MAX_TOKENS = 64
"""A judge replies with a few numbers."""


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --judge and what belongs to it."""
    judge = parser.add_argument_group("judge", "a model that decides whether a response gives a date in its role")
    add = judge.add_argument
    add("--judge", metavar="URL", help="address of its API, such as http://localhost:8000/v1")
    add("--judge-model", metavar="NAME", help="the model's name, as the endpoint knows it")
    add("--judge-all", action="store_true", help="judge all responses; without it only those whose dates have no role")
    add(
        "--judge-journal",
        type=Path,
        metavar="FILE",
        help="its answers so far; by default beside the first PREDICTIONS, as *.judge.jsonl",
    )


def locate_judge_journal(args: argparse.Namespace) -> Path | None:
    """Locate the journal of the judge; None where there is no judge."""
    if args.judge is None:
        return None
    given = args.predictions
    predictions = Path(given if isinstance(given, str) else given[0])
    journal: Path = args.judge_journal or predictions.with_name(f"{predictions.stem}.judge.jsonl")
    return journal


def build_judge(args: argparse.Namespace) -> Judge | None:
    """Prepare the judge that the arguments name; nothing is asked yet.

    Raises:
        InputError: The address, the model or the key cannot be used, or an option has no effect.
    """
    journal = locate_judge_journal(args)
    if journal is None:
        unused = {"--judge-model": args.judge_model, "--judge-journal": args.judge_journal}
        refuse_unused({**unused, "--judge-all": args.judge_all or None}, "--judge")
        return None
    if not args.judge_model:
        raise InputError("--judge-model is missing; --judge needs it")
    from everwhen.evaluate.ask.endpoint import Endpoint, Model
    from everwhen.evaluate.ask.run import ask_items, describe_failures

    model = Model(args.judge_model, {"temperature": 0.0, "max_tokens": MAX_TOKENS})
    endpoint = Endpoint(args.judge, model)

    def judge(prompts: Mapping[int, Sequence[Message]]) -> Mapping[int, str]:
        answers, failures = ask_items("judge", prompts, endpoint, journal, quiet=args.quiet)
        if failures:
            raise NotNowError(f"--judge: {describe_failures(failures, len(prompts))}")
        return answers

    return judge
