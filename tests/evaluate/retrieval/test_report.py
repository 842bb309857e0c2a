from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from everwhen.evaluate.retrieval.report import print_measures, print_runs


def figure(value: float, **others: int) -> dict[str, float]:
    return {"value": value, "low": value - 0.1, "high": value + 0.1, **others}


MEASURES = {"RR": figure(0.5), "Answer@1": figure(0.25, rows=4)}
REPORT: dict[str, Any] = {
    "queries": 5,
    "measures": MEASURES,
    "slices": {
        "answer_type": {"name": {"rows": 4, **MEASURES}, "yes_no": {"rows": 1, "RR": figure(0.5), "Answer@1": None}}
    },
}


def show(report: dict[str, Any], console: Console | None = None) -> list[str]:
    out = StringIO()
    console = console or Console()
    console.file = out
    print_measures(report, console)
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_a_row_a_measure_and_a_row_a_value_of_a_slice() -> None:
    lines = show(REPORT)
    assert "Answer@1 (of 4) 0.2500 0.1500–0.3500" in lines
    assert lines[-3:] == ["answer type", "name 4 0.5000 0.2500", "yes_no 1 0.5000"]


def test_differences_stand_beside_the_measures_and_by_slice() -> None:
    against = {"retriever": {"files": ["b.run"]}, "measures": MEASURES, "differences": REPORT}
    lines = show({**REPORT, "against": against})
    assert "RR 0.5000 0.4000–0.6000 0.5000 +0.5000 (+0.4000 to +0.6000)" in lines
    assert "less b.run" in lines
    assert lines[-2:] == ["name 4 +0.5000 (+0.4000 to +0.6000) +0.2500 (+0.1500 to +0.3500)", "yes_no 1 +0.5000"]


def test_a_single_query_has_no_interval() -> None:
    single = {"RR": figure(0.5), "Answer@1": figure(0.25, rows=1)}
    lines = show({"queries": 1, "measures": single, "slices": {}})
    assert lines == ["queries: 1", "measure mean 95 % interval", "RR 0.5000", "Answer@1 (of 1) 0.2500"]


@pytest.mark.parametrize("width", [80, 100, 190])
def test_no_figure_is_cut_where_the_terminal_is_narrow(width: int) -> None:
    measures = {f"nDCG@{cutoff}0": figure(0.5) for cutoff in range(1, 8)}
    cells = {"comparison.entity.before_after": {"rows": 40, **measures}}
    report = {"queries": 40, "measures": measures, "slices": {"template": cells}}
    against = {"retriever": {"files": ["/a/long/path/of/a/folder/b.run"]}, "measures": measures, "differences": report}
    console = Console(width=width, force_terminal=True, color_system=None)
    text = "\n".join(show({**report, "against": against}, console))
    assert "…" not in text
    assert text.count("+0.5000 (+0.4000 to +0.6000)") == 14
    assert text.count("less /a/long/path/of/a/folder/b.run") == 1


def test_each_table_of_runs_names_them() -> None:
    measures = {f"nDCG@{cutoff}0": figure(0.5) for cutoff in range(1, 10)}
    found = {"queries": 40, "measures": measures, "slices": {}, "queries_without_results": 0, "dropped": {}}
    report = {"family": "f", "collection": "c", "runs": {"bm25.run": found}, "bounds": {}}
    out = StringIO()
    print_runs(report, Console(file=out, width=100))
    lines = out.getvalue().splitlines()
    assert sum(line.startswith("run ") for line in lines) == sum(line.startswith("bm25.run ") for line in lines) > 1
    assert "…" not in out.getvalue()
