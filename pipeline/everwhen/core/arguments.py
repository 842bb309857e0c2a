"""Arguments that commands share: numbers, and those of commands that ask a model."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from everwhen.core.files import require_writable_files

MAX_THREADS = 64
"""DuckDB takes memory for each thread: 256 ran out of what it has by default."""


def read_count(text: str) -> int:
    """Read a number from one, as argparse's `type`."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is expected, not {text}")
    return int(text)


def read_threads(text: str) -> int:
    """Read a number of threads."""
    count = read_count(text)
    if count > MAX_THREADS:
        raise argparse.ArgumentTypeError(f"1 to {MAX_THREADS} threads are expected, not {text}")
    return count


MAX_TIMEOUT = 86_400
"""Seconds: a day, which no answer takes; more is a typing error."""
OWN_FIELDS = frozenset({"model", "messages", "stream"})
"""Fields of a request that --parameters may not set."""


def add_endpoint_arguments(parser: argparse.ArgumentParser, temperature: float = 0.0) -> argparse._ArgumentGroup:
    """Add the address, the model, and how it is asked."""
    endpoint = parser.add_argument_group("endpoint")
    add = endpoint.add_argument
    add("--base-url", metavar="URL", help="address of the API, such as http://localhost:8000/v1")
    add("--model", metavar="NAME", help="the model's name, as the endpoint knows it")
    add(
        "--temperature",
        type=read_temperature,
        default=temperature,
        metavar="T",
        help=f"temperature, 0 or more ({temperature:g})",
    )
    add("--max-tokens", type=read_count, default=1024, metavar="N", help="tokens of an answer at most (1024)")
    add(
        "--parameters",
        type=read_parameters,
        default={},
        metavar="JSON",
        help='more fields of each request, such as \'{"reasoning_effort": "low"}\'; null leaves one out',
    )
    add("--threads", type=read_threads, default=4, metavar="N", help="requests at a time, 1 to 64 (4)")
    add("--timeout", type=read_seconds, default=300, metavar="SECONDS", help="wait so long for an answer (300)")
    add("--attempts", type=read_count, default=6, metavar="N", help="tries of one request (6)")
    add("--key-variable", metavar="NAME", help="environment variable with the key (EVERWHEN_API_KEY)")
    return endpoint


def add_journal_argument(output: argparse._ActionsContainer) -> None:
    """Add --journal, beside --out."""
    output.add_argument(
        "--journal", type=Path, metavar="FILE", help="answers so far; by default beside --out, as *.journal.jsonl"
    )


def locate_journal(args: argparse.Namespace) -> Path:
    """Locate the journal, which is there even if nobody named it."""
    out: Path = args.out
    journal: Path = args.journal or out.with_name(f"{out.stem}.journal.jsonl")
    return journal


def require_outputs(
    args: argparse.Namespace, read: Sequence[Path] = (), others: Mapping[str, Path | None] = MappingProxyType({})
) -> None:
    """Require --out, the journal and other files that can be written, before anything is asked.

    Args:
        read: Files that are read, and must not be overwritten.
        others: Further files that are written, by the names of their options.
    """
    out = args.out
    require_writable_files({"--out": out})  # a folder has no name that the journal's can be made of
    require_writable_files({"--out": out, "--journal": locate_journal(args), **others}, read)


def list_parameters(args: argparse.Namespace) -> dict[str, Any]:
    """List the fields of each request beside the model and the prompt."""
    parameters = {"temperature": args.temperature, "max_tokens": args.max_tokens, **args.parameters}
    return {name: value for name, value in parameters.items() if value is not None}


def read_seconds(text: str) -> int:
    """Read how long to wait."""
    if not text.isdecimal() or not 1 <= int(text) <= MAX_TIMEOUT:
        raise argparse.ArgumentTypeError(f"1 to {MAX_TIMEOUT} seconds are expected, not {text}")
    return int(text)


def read_temperature(text: str) -> float:
    """Read a temperature."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(f"a finite number from 0 is expected, not {text}")
    return value


def read_parameters(text: str) -> dict[str, Any]:
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
