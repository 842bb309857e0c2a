"""Values of the arguments of `everwhen ask`, read as argparse's `type`."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

MOST_SHOTS = 4
LONGEST_TIMEOUT = 86_400
OWN_FIELDS = frozenset({"model", "messages", "stream"})
"""Fields of a request that --parameters may not set."""


def read_shots(text: str) -> int:
    """Read a number of examples."""
    if not text.isdecimal() or int(text) > MOST_SHOTS:
        raise argparse.ArgumentTypeError(f"0 to {MOST_SHOTS} examples are expected, not {text}")
    return int(text)


def read_seconds(text: str) -> int:
    """Read how long to wait."""
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_TIMEOUT:
        raise argparse.ArgumentTypeError(f"1 to {LONGEST_TIMEOUT} seconds are expected, not {text}")
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
