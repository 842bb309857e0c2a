"""Scores of responses to a small dataset: the paper's measures, typed outcomes, slices, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.outcome import Outcome
from everwhen.families.time_benchmark.evaluation import EVALUATION
from everwhen.families.time_benchmark.evaluation.verdict import read_response
from time_benchmark_dataset import NAME, ROWS, build_item, write_predictions, write_time_dataset

PERFECT = {1: "A C", 2: "From May 1998 to 2001", 3: "6 years 5 months 13 days", 4: "B", 5: "Alan Kerr"} | {
    6: "There is no answer",
    7: "Mira Rau; Kit Holt",
    8: "(2)(3)(1)",
    9: "Since 2005",
}


def run_evaluate(dataset: Path, file: Path, tmp_path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The tables of a run, and its verdicts by item."""
    out, verdicts = tmp_path / "out.json", tmp_path / "verdicts.jsonl"
    assert main(["evaluate", str(dataset), str(file), "--json", str(out), "--verdicts", str(verdicts)]) == 0
    (run,) = json.loads(out.read_text())["families"][NAME]["runs"].values()
    return run["tables"], [json.loads(line) for line in verdicts.read_text().splitlines()]


def evaluate_one(dataset: Path, tmp_path: Path, item: int, response: str | None) -> tuple[dict[str, Any], str]:
    """The cell of one response, and its outcome."""
    tables, (verdict,) = run_evaluate(dataset, write_predictions(tmp_path / "p.jsonl", {item: response}), tmp_path)
    return tables["all"]["all"], verdict["outcome"]


def test_right_responses_have_every_figure(dataset: Path, tmp_path: Path) -> None:
    tables, verdicts = run_evaluate(dataset, write_predictions(tmp_path / "p.jsonl", PERFECT), tmp_path)
    cell = tables["all"]["all"]
    names = ("paper", "token_f1", "timeline_match", "option_f1", "option_f1_micro", "tau", "right")
    assert {name: cell[name]["value"] for name in names} == dict.fromkeys(names, 1)
    assert {name: cell[name].get("rows") for name in names[1:6]} == {
        "token_f1": 6,
        "timeline_match": 1,
        "option_f1": 2,
        "option_f1_micro": 2,
        "tau": 1,
    }
    assert {each["outcome"] for each in verdicts} == {"right"}
    assert {each["why"] for each in verdicts} == {None}


def test_slices_are_task_level_form_refusal_and_length(dataset: Path, tmp_path: Path) -> None:
    tables, _ = run_evaluate(dataset, write_predictions(tmp_path / "p.jsonl", PERFECT, wording="plain"), tmp_path)
    rows = {slice_: {value: cell["rows"] for value, cell in cells.items()} for slice_, cells in tables.items()}
    assert rows["task"] == {row["task"]: 1 for row in ROWS}
    assert rows["level"] == {"level 1": 4, "level 2": 2, "level 3": 3}
    assert rows["form"] == {"free": 7, "multiple": 1, "single": 1}
    assert rows["refusal"] == {"answer": 8, "no answer": 1}
    assert rows["length"] == {
        "under 1,000 words": 6,
        "1,000 to 3,999 words": 1,
        "4,000 to 15,999 words": 1,
        "16,000 words and more": 1,
    }
    assert (rows["prompt"], rows["context"]) == ({"plain": 9}, {"not stated": 9})


@pytest.mark.parametrize(
    ("item", "response", "paper", "outcome"),
    [
        (1, "A", 2 / 3, "wrong"),
        (1, "A, B, C", 0, "wrong"),
        (1, "[[A C]]", 1, "right"),
        (1, "a, c", 1, "right"),
        (1, "There is no answer", 0, "wrong"),
        (1, "The answer is A, F", 0, "wrong"),
        (1, "", 0, "none_given"),
        (2, "1998 to 2001", 2 * 3 / 8, "coarse"),
        (2, "May 1998-2001", 2 * 3 / 8, "right"),
        (2, "There is no answer", 0, "wrong"),
        (2, "I don't know.", 0, "none_given"),
        (2, None, 0, "none_given"),
        (3, "2358 days", 1, "right"),
        (3, "Answer: 6 years", 2 * 2 / 8, "coarse"),
        (4, "Answer: B) Kit Holt led the port", 1, "right"),
        (4, "ABC", 0, "wrong"),
        (5, "Kerr", 1, "right"),
        (5, "alan r kerr", 1, "right"),
        (5, "It was Alan Kerr.", 2 * 2 / 6, "right"),
        (6, "There is no answer to this question.", 1, "right"),
        (6, "There is no answer, but Alan Kerr is likely.", 0, "wrong"),
        (6, "The answer is: there's no answer.", 1, "right"),
        (6, "Alan Kerr", 0, "wrong"),
        (6, "I don't know.", 0, "none_given"),
        (7, "Kit Holt, Mira Rau", 1, "right"),
        (7, "Kit Holt", 2 * 2 / 6, "wrong"),
        (7, "Kit Holt, Mira Rau, Alan Kerr", 2 * 4 / 10, "wrong"),
        (8, "Answer: (2)(3)(1)", 1, "right"),
        (8, "2, 3, 1", 0, "right"),
        (8, "(2)(1)(3)", 0, "wrong"),
        (9, "since 2005.", 1, "right"),
        (9, "2005", 2 / 3, "wrong"),
        (9, "It began in 2005.", 2 / 6, "right"),
        (9, "It began in 2005 and ended in 2007.", 2 / 10, "wrong"),
        (9, "It began and ended in 2005.", 2 / 8, "wrong"),
    ],
)
def test_a_response_has_the_measure_of_the_paper_and_an_outcome(
    dataset: Path, tmp_path: Path, item: int, response: str | None, paper: float, outcome: str
) -> None:
    cell, found = evaluate_one(dataset, tmp_path, item, response)
    assert (cell["paper"]["value"], found) == (pytest.approx(paper), outcome)


@pytest.mark.parametrize(("item", "response"), [(1, "A, C"), (5, "Alan Kerr"), (8, "(2)(3)(1)")])
def test_a_response_that_is_cut_off_keeps_the_measure_of_the_paper(
    dataset: Path, tmp_path: Path, item: int, response: str
) -> None:
    file = tmp_path / "p.jsonl"
    line = {"item_id": item, "response": response, "finish_reason": "length", "family": NAME}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    tables, (verdict,) = run_evaluate(dataset, file, tmp_path)
    assert (tables["all"]["all"]["paper"]["value"], verdict["outcome"]) == (1, "cut_off")


def test_options_count_without_the_zero_and_in_sum(dataset: Path, tmp_path: Path) -> None:
    file = write_predictions(tmp_path / "p.jsonl", {1: "A B C", 4: "B"})
    cell = run_evaluate(dataset, file, tmp_path)[0]["all"]["all"]
    # A, B, C of A, C: precision 2/3, recall 1; together TP 3, FP 1, FN 0.
    assert cell["option_f1"]["value"] == 0.5
    assert cell["options"]["f1"]["value"] == pytest.approx((0.8 + 1) / 2)
    assert cell["option_f1_micro"]["value"] == pytest.approx(6 / 7)
    assert 0 < cell["option_f1_micro"]["low"] < 6 / 7 < cell["option_f1_micro"]["high"] == 1


def test_choices_of_which_no_option_is_read_are_counted(dataset: Path, tmp_path: Path) -> None:
    file = write_predictions(tmp_path / "p.jsonl", {1: "All are fine.", 4: "", 5: "Alan Kerr"})
    cell = run_evaluate(dataset, file, tmp_path)[0]["all"]["all"]
    assert (cell["unread"]["value"], cell["unread"]["rows"]) == (0.5, 2)


def test_tau_has_pairs_and_a_timeline_that_is_not_read_has_none(dataset: Path, tmp_path: Path) -> None:
    assert evaluate_one(dataset, tmp_path, 8, "(2)(1)(3)")[0]["tau"]["value"] == pytest.approx(1 / 3)
    assert evaluate_one(dataset, tmp_path, 8, "(1)(3)(2)")[0]["tau"]["value"] == -1
    assert evaluate_one(dataset, tmp_path, 8, "First the port.")[0]["tau"]["value"] == 0


def test_the_report_names_the_measures_and_lengths(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_predictions(tmp_path / "p.jsonl", {4: "B", 5: "It was Alan Kerr."})
    assert main(["evaluate", str(dataset), str(file), "--html", str(tmp_path / "page.html")]) == 0
    printed = capsys.readouterr().out
    assert "Kendall's tau" in printed
    row = next(line.split() for line in printed.splitlines() if line.startswith("all "))
    assert row[-2] == "2.5"  # words, before trivial
    assert "Kendall" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("row", ROWS, ids=[row["task"] for row in ROWS])
def test_the_own_answer_is_recognised(dataset: Path, row: dict[str, Any]) -> None:
    gold = read_gold(dataset, NAME, EVALUATION, ids=[row["item_id"]])
    (item,) = gold.iter_items()
    text = ", ".join(item.right_letters) if item.is_choice else "; ".join(item.answer)
    assert read_response(text, item, gold.table["asked"][0].as_py()).outcome is Outcome.RIGHT


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"item_id": 77, "response": "A"}\n{"item_id": 1, "response": "A"}', "p.jsonl:1: item 77 is not in"),
        ('{"item_id": 1, "response": "A"}\n{"item_id": 1, "response": "B"}', "p.jsonl:2: item 1 "),
        ('{"item_id": 1, "response": 5}', "p.jsonl:1: response: a text or null is expected"),
    ],
)
def test_predictions_that_cannot_be_used_are_one_line_and_exit_code_2(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, message: str
) -> None:
    (tmp_path / "p.jsonl").write_text(lines)
    assert main(["evaluate", str(dataset), str(tmp_path / "p.jsonl")]) == 2
    error = capsys.readouterr().err
    assert (message in error, error.count("\n")) == (True, 1)


def test_a_choice_whose_answer_is_no_option_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = build_item(1, "order_compare", "Which came first?", ["A war"], options=["A strike", "A treaty"])
    dataset = write_time_dataset(tmp_path / "dataset", [row])
    assert main(["evaluate", str(dataset), str(write_predictions(tmp_path / "p.jsonl", {1: "A"}))]) == 2
    assert "item 1: the answer ['A war'] is not among the options" in capsys.readouterr().err
