"""Sheets of responses for people, and the scorer compared with what they judged."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from everwhen.cli.main import main
from everwhen.evaluate.agreement import measure_agreement
from everwhen.evaluate.report.agreement import print_agreement
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
    words = ["tdbench", "sample", str(dataset), str(predictions), "--n", str(count), "--out", str(out)]
    code = main(words)
    assert code == 0
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


def test_a_sheet_is_never_replaced(dataset: Path, predictions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_sheet(dataset, predictions)
    words = ["tdbench", "sample", str(dataset), str(predictions), "--out", str(predictions.with_name("sheet.csv"))]
    assert main(words) == 2
    assert "sheet.csv: is there already, and may have judgements" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        ('{"item_id": 1, "response": ""}\n{"item_id": 99, "response": ""}', [], "p.jsonl:2: item 99 is not in"),
        ('{"item_id": 1, "response": ""}', ["--n", "0"], "--n 0: a number from 1 is expected"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    dataset: Path,
    predictions: Path,
    capsys: pytest.CaptureFixture[str],
    lines: str,
    options: list[str],
    message: str,
) -> None:
    predictions.write_text(lines)
    out = predictions.with_name("sheet.csv")
    assert main(["tdbench", "sample", str(dataset), str(predictions), "--out", str(out), *options]) == 2
    given = capsys.readouterr().err
    assert (message in given, given.count("\n"), out.exists()) == (True, 1, False)


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
