"""Figures of a harness compared with those of `everwhen evaluate`, to the last of its digits."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from everwhen.evaluate.export.harness import name_measures
from everwhen.evaluate.report.rows import find_figure
from everwhen.evaluate.scheme import TYPED_OUTCOMES, Scheme

MEASURES = tuple(name_measures(TYPED_OUTCOMES))

DIGITS = 10
"""The decimals that `everwhen evaluate` writes."""

EVERWHEN = Path(sys.executable).parent / "everwhen"
"""The command, in an environment without Spark."""

Cell = Mapping[str, Any]


def evaluate(dataset: Path, predictions: Path, out: Path) -> dict[str, dict[str, Cell]]:
    """The tables of `everwhen evaluate`, by slice and value."""
    subprocess.run([EVERWHEN, "evaluate", dataset, predictions, "--json", out, "--quiet"], check=True)
    (family,) = json.loads(out.read_text(encoding="utf-8"))["families"].values()
    (run,) = family["runs"].values()
    found: dict[str, dict[str, Cell]] = run["tables"]
    return found


def find_cell(cell: Cell, measure: str, scheme: Scheme = TYPED_OUTCOMES) -> Cell | None:
    """A figure of a cell, under the name that exports give it; None where no item has it."""
    return find_figure(cell, name_measures(scheme)[measure])  # type: ignore[no-any-return]


def read_figure(cell: Cell, measure: str) -> float:
    """The value of a figure of a cell."""
    found = find_cell(cell, measure)
    assert found is not None
    return float(found["value"])


def read_error(cell: Cell, measure: str) -> float:
    """The standard error of a figure of a cell."""
    found = find_cell(cell, measure)
    assert found is not None
    return float(found["standard_error"])


def is_share(cell: Cell, measure: str) -> bool:
    """Whether a measure is 0 or 1 of each item."""
    return measure in cell or measure.endswith(("exact_match", "containment"))


def derive_error(cell: Cell, measure: str) -> float:
    """The standard error of a share: that of the mean of so many zeros and ones."""
    rows = int(cell["rows"])
    hits = round(read_figure(cell, measure) * rows)
    share = hits / rows
    return math.sqrt(share * (1 - share) / (rows - 1))


def pool_errors(cells: Sequence[Cell], measure: str) -> float:
    """The standard error that lm-eval states of a group: from the variances within its tasks (pooled variance)."""
    sizes = [int(cell["rows"]) for cell in cells]
    errors = [derive_error(cell, measure) if is_share(cell, measure) else read_error(cell, measure) for cell in cells]
    squares = sum((n - 1) * error**2 * n for n, error in zip(sizes, errors, strict=True))
    return math.sqrt(squares / (sum(sizes) - len(sizes)) / sum(sizes))


def require_same(cell: Cell, figures: Mapping[str, float], errors: Mapping[str, float]) -> None:
    """Require of each measure the same figure and standard error, and of a share the error that follows from it."""
    assert set(figures) == set(errors) == set(MEASURES)
    for measure in MEASURES:
        assert round(figures[measure], DIGITS) == read_figure(cell, measure), measure
        assert round(errors[measure], DIGITS) == read_error(cell, measure), measure
        if is_share(cell, measure):
            assert math.isclose(errors[measure], derive_error(cell, measure), rel_tol=1e-12, abs_tol=1e-15), measure


def require_same_known(cell: Cell, figures: Mapping[str, float], scheme: Scheme) -> None:
    """Require the same figures, and none of those that no item of a cell has."""
    expected = {name: found["value"] for name in name_measures(scheme) if (found := find_cell(cell, name, scheme))}
    assert {name: round(value, DIGITS) for name, value in figures.items() if not math.isnan(value)} == expected
