"""A study without a network: a model of known rates is asked 2,000 questions, and the report finds the rates."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from chat import answer_chats
from everwhen.cli.main import main
from everwhen.evaluate.ask.selection import Selection, select_ids
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import Gold
from everwhen.families import load_evaluations
from rule_model import RATES, RuleModel, compute_rates
from servers import FaultyServer

FAMILY = "complextempqa"
QUESTIONS = 2000
OUTCOMES = (*RATES, "wrong")
LEAST_ROWS = 20


def choose_ids(dataset: Path) -> list[int]:
    """All items of which something else was right once, and others by hash."""
    gold = read_gold(dataset, FAMILY, load_evaluations()[FAMILY])
    others = select_ids(dataset, FAMILY, Selection(limit=QUESTIONS))
    return list(dict.fromkeys((*sorted(gold.once), *others)))[:QUESTIONS]


def iter_cells(gold: Gold, report: Mapping[str, Any]) -> Iterator[tuple[str, str, int, float, Mapping[str, float]]]:
    """Each share of the report, with the rate of the model: slice, value, rows, rate, interval."""
    rates = [compute_rates(item) for item in gold.iter_items()]
    (run,) = report["families"][FAMILY]["runs"].values()
    for slice_, cells in run["tables"].items():
        values = ["all"] * len(rates) if slice_ == "all" else gold.table[slice_].to_pylist()
        members: dict[str, list[dict[str, float]]] = defaultdict(list)
        for value, rate in zip(values, rates, strict=True):
            members[value].append(rate)
        assert members.keys() == cells.keys()
        for value, cell in cells.items():
            rows = members[value]
            assert cell["rows"] == len(rows)
            for outcome in OUTCOMES:
                rate = sum(row[outcome] for row in rows) / len(rows)
                yield f"{slice_}={value}", outcome, len(rows), rate, cell[outcome]


@pytest.mark.full
@pytest.mark.spark
def test_a_report_finds_the_rates_of_a_model(
    sample_dataset: Path, faulty: Callable[..., FaultyServer], tmp_path: Path
) -> None:
    ids = choose_ids(sample_dataset)
    (tmp_path / "ids.txt").write_text("".join(f"{item}\n" for item in ids))
    gold = read_gold(sample_dataset, FAMILY, load_evaluations()[FAMILY], ids=ids)
    server = faulty(answer_chats(RuleModel.know(gold.iter_items()).answer))
    out, report = str(tmp_path / "predictions.jsonl"), str(tmp_path / "report.json")
    endpoint = ["--base-url", server.url("/v1"), "--model", "rules"]
    assert main(["ask", str(sample_dataset), "--ids", str(tmp_path / "ids.txt"), "--out", out, *endpoint]) == 0
    assert len(server.asked) == QUESTIONS
    assert main(["evaluate", str(sample_dataset), out, "--json", report]) == 0

    cells = list(iter_cells(gold, json.loads(Path(report).read_text())))
    for name, outcome, _, rate, found in cells:
        if name == "all=all":
            assert rate > 0
            assert found["low"] <= rate <= found["high"], outcome
    # Of intervals of 95 percent a few miss; a rate of 0 or 1 has none.
    large = [(rate, found) for _, _, rows, rate, found in cells if rows >= LEAST_ROWS and 0 < rate < 1]
    hits = sum(found["low"] <= rate <= found["high"] for rate, found in large)
    assert len(large) > 200
    assert hits / len(large) > 0.92
    impossible = [found for *_, rate, found in cells if rate == 0]
    assert {found["value"] for found in impossible} == {0.0}
