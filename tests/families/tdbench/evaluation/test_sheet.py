"""Sheets of responses for people, and the scorer compared with what they judged."""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.agreement import measure_agreement
from everwhen.evaluate.report.agreement import print_agreement
from everwhen.families.tdbench.commands import sample
from everwhen.families.tdbench.evaluation import EVALUATION
from tdbench_dataset import ALL, FAMILY, write_dataset

SAID = {
    1: "Ines Kerr, since 1 January 1999",
    2: "- Mira Holt\n- Tomas Vale",
    3: "Mira Holt",
    4: "unsure",
    5: "=1+1",
    10: "-Oda II",
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("tdbench") / "tiny")


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(json.dumps({"item_id": item, "response": text}) for item, text in SAID.items()))
    return path


def write_sheet(dataset: Path, predictions: Path, count: int = 125, name: str = "sheet.csv") -> list[dict[str, str]]:
    out = predictions.with_name(name)
    arguments = argparse.Namespace(dataset=str(dataset), predictions=str(predictions), n=count, out=out, quiet=True)
    assert sample.run(arguments) == 0
    with out.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_sheet_has_what_people_need_and_no_verdict(dataset: Path, predictions: Path) -> None:
    rows = {int(row["item_id"]): row for row in write_sheet(dataset, predictions)}
    assert rows.keys() == SAID.keys()
    assert rows[3]["answer"] == "No answer"
    assert rows[1]["references"] == "Ines Kerr: start 1999-01-01"
    assert {row["judgement"] for row in rows.values()} == {""}
    assert {row["question"] for row in rows.values()} <= {item["question"] for item in ALL}


def test_no_cell_is_run_as_a_formula(dataset: Path, predictions: Path) -> None:
    rows = {int(row["item_id"]): row["response"] for row in write_sheet(dataset, predictions)}
    assert (rows[5], rows[10], rows[4]) == ("'=1+1", "'-Oda II", "unsure")


def test_a_greater_number_adds_responses(dataset: Path, predictions: Path) -> None:
    few, many = (write_sheet(dataset, predictions, count, f"{count}.csv") for count in (2, 4))
    assert few == many[:2]


def test_a_sheet_is_never_replaced(dataset: Path, predictions: Path) -> None:
    write_sheet(dataset, predictions)
    with pytest.raises(InputError, match=r"sheet\.csv: is there already"):
        write_sheet(dataset, predictions)


def test_an_unknown_item_is_refused_by_its_line(dataset: Path, predictions: Path) -> None:
    predictions.write_text('{"item_id": 1, "response": ""}\n{"item_id": 99, "response": ""}')
    with pytest.raises(InputError, match=r"p\.jsonl:2: item 99 is not in .*tiny"):
        write_sheet(dataset, predictions)
    assert not predictions.with_name("sheet.csv").exists()


def test_the_scorer_is_compared_with_people_by_both_methods(
    dataset: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = predictions.with_name("judged.csv")
    judged = {1: "correct", 2: "partial", 3: "incorrect", 4: "unsure", 5: "incorrect", 10: "correct"}
    sheet.write_text("item_id,judgement\n" + "\n".join(f"{item},{name}" for item, name in judged.items()))
    found = measure_agreement(dataset, sheet, predictions, {FAMILY: EVALUATION})
    both, alone = found["methods"]["answer and time"], found["methods"]["answer"]
    assert (both["classes"]["correct"]["precision"], both["classes"]["correct"]["recall"]) == (1, 1 / 2)
    assert (alone["classes"]["correct"]["precision"], alone["classes"]["correct"]["recall"]) == (2 / 3, 1)
    assert {"all", "alignment", "multi_hop", "reasoning", "reasoning, none", "reasoning, unique"} <= set(both["groups"])
    print_agreement(found)
    assert "answer and time" in capsys.readouterr().out
