"""Agreement of a scorer with people: sheets read, classes compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.agreement import average_classes, compare_classes, measure_agreement, read_judgements
from everwhen.families import load_evaluations
from tiny_dataset import SOUND, write_dataset

CLASSES = ("right", "wrong", "none_given")


def test_precision_recall_and_f1_by_hand() -> None:
    human = ["right"] * 4 + ["wrong"] * 3 + ["none_given"]
    found = ["right", "right", "right", "wrong", "wrong", "wrong", "right", "wrong"]
    compared = compare_classes(human, found, CLASSES)
    assert compared["right"] == {
        "precision": 3 / 4,
        "recall": 3 / 4,
        "f1": 3 / 4,
        "human": 4,
        "scorer": 4,
        "both": 3,
    }
    assert (compared["wrong"]["precision"], compared["wrong"]["recall"]) == (2 / 4, 2 / 3)
    assert (compared["none_given"]["precision"], compared["none_given"]["recall"]) == (None, 0)


def test_averages_are_of_the_classes_that_are_named() -> None:
    averages = average_classes(["right", "wrong"], ["right", "right"], CLASSES)
    assert (averages["precision"], averages["recall"], averages["rows"]) == (1 / 4, 1 / 2, 2)
    assert averages["equal"]["value"] == 1 / 2


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_sheet_is_read_with_classes_as_people_write_them(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "sheet.csv"
    lines = ["item_id,response,judgement", '1,"a ""b""",Right', "2,c, none given ", "3,d,"]
    path.write_text("\n".join(line.replace(",", separator) for line in lines), encoding="utf-8-sig")
    judged = read_judgements(path, CLASSES)
    assert (judged.classes, judged.left_open) == ({1: "right", 2: "none_given"}, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item_id,judgement\n1,good", r"s\.csv:2: judgement: good: no such class; there are right, wrong, none_given"),
        ("item_id,judgement\n1,right\n1,wrong", r"s\.csv:3: item 1 is there twice, first in .*s\.csv:2"),
        ("item_id,judgement\nx,right", r"s\.csv:2: item_id: a whole number is expected, not 'x'"),
        ("item_id,judgement\n1,", r"s\.csv: no line has a judgement"),
        ("item,judgement\n1,right", r"s\.csv: no column item_id"),
        ("", r"s\.csv: no column item_id"),
    ],
)
def test_a_sheet_that_cannot_be_used_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_judgements(path, CLASSES)


def test_typed_outcomes_are_compared_too(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "tiny")
    answers = {row["question_id"]: row["answer"][0] for row in SOUND.values()}
    predictions = tmp_path / "p.jsonl"
    predictions.write_text("\n".join(f'{{"item_id": {i}, "response": "{a}"}}' for i, a in answers.items()))
    sheet = tmp_path / "s.csv"
    sheet.write_text("item_id,judgement\n1,right\n2,right\n3,wrong\n")
    found = measure_agreement(dataset, sheet, predictions, load_evaluations())
    (method,) = found["methods"].values()
    assert method["classes"]["right"] | {"f1": None} == {
        "precision": 2 / 3,
        "recall": 1,
        "f1": None,
        "human": 2,
        "scorer": 3,
        "both": 2,
    }
    assert set(method["groups"]) == {"all", "date", "name"}


def test_a_judged_item_without_a_prediction_is_refused(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "tiny")
    (tmp_path / "p.jsonl").write_text('{"item_id": 1, "response": "x"}')
    (tmp_path / "s.csv").write_text("item_id,judgement\n2,wrong\n")
    with pytest.raises(InputError, match=r"s\.csv:2: item 2 has no prediction in p\.jsonl"):
        measure_agreement(dataset, tmp_path / "s.csv", tmp_path / "p.jsonl", load_evaluations())
