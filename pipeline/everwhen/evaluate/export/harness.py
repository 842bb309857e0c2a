"""What a harness asks of a response: our scorer's measures, as numbers that a harness can average."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from everwhen.evaluate.export.rows import read_item
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.scoring import score
from everwhen.evaluate.squad import Measures

RIGHT_ONCE = "right_once"

WHOLE = "whole_"
"""What the names of measures of the whole response begin with; without it they are of the final answer."""

MEASURES: Mapping[str, bool] = {
    **{outcome.value: outcome in (Outcome.RIGHT, Outcome.COARSE) for outcome in Outcome},
    RIGHT_ONCE: False,
    **dict.fromkeys(Measures._fields, True),
    **{f"{WHOLE}{name}": True for name in Measures._fields},
}
"""The measures of a response, and whether more of it is better."""


def measure(row: Mapping[str, Any], response: str | None, finish_reason: str | None = None) -> dict[str, float]:
    """Score a response to the item of a row.

    Args:
        row: The row of an export.
        response: What the model has answered; None where it answered nothing.
        finish_reason: Why the response ended, as endpoints and harnesses say it.

    Returns:
        Each of `MEASURES`, from 0 to 1.
    """
    found = score(response, read_item(row), finish_reason)
    return {
        **{outcome.value: float(found.outcome is outcome) for outcome in Outcome},
        RIGHT_ONCE: float(found.is_right_once),
        **found.final._asdict(),
        **{f"{WHOLE}{name}": value for name, value in found.whole._asdict().items()},
    }
