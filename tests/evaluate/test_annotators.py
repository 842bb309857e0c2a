"""How well annotators agree: by words, exactly, and in which golds they keep."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from everwhen.cli.main import main
from everwhen.evaluate.annotators import compare_words
from tiny_dataset import write_dataset

SHEETS = (
    "item_id,answer,keeps_gold\n1,2 August 1990,yes\n2,Robert Zemeckis,yes\n4,,no\n",
    "item_id;answer;keeps_gold\n1;August 1990;yes\n2;robert zemeckis;no\n",
    "item_id,answer\n2,Zemeckis\n4,nobody\n",
)


@pytest.fixture
def dataset(tmp_path: Path) -> str:
    return str(write_dataset(tmp_path / "tiny"))


def write_sheets(tmp_path: Path, sheets: tuple[str, ...] = SHEETS) -> list[str]:
    """The arguments that name the sheets."""
    arguments = []
    for number, text in enumerate(sheets):
        (tmp_path / f"{number}.csv").write_text(text, encoding="utf-8")
        arguments += ["--annotator", str(tmp_path / f"{number}.csv")]
    return arguments


def test_pairs_of_annotators_are_compared(dataset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.json"
    assert main(["agree", dataset, *write_sheets(tmp_path), "--json", str(out)]) == 0
    found = json.loads(out.read_bytes())
    # Items 1: 2/3; 2: 1, 1/2, 1/2; 4: nothing against nobody, 0.
    assert (found["annotators"], found["items"], found["pairs"]) == (3, 3, 5)
    assert found["similarity"]["value"] == pytest.approx((2 / 3 + 1 + 1 / 2 + 1 / 2 + 0) / 5)
    assert (found["exact"]["value"], found["quartiles"]) == (0.2, [0.5, 0.5, pytest.approx(2 / 3)])
    # Item 1 is kept by both, item 2 by one of two, item 4 by none.
    assert (found["kept"]["value"], found["kept"]["rows"]) == (pytest.approx(1 / 3), 3)
    printed = capsys.readouterr().out
    assert "3 annotators, 3 items, 5 pairs of answers" in printed
    assert "golds kept: 33.3 " in printed


def test_words_are_a_set_in_any_case() -> None:
    assert compare_words("May, may 1998", "1998 May") == 1
    assert compare_words("May", "June") == 0


@pytest.mark.parametrize(
    ("sheets", "message"),
    [
        (SHEETS[:1], "--annotator: two sheets or more are expected"),
        ((SHEETS[0], "item_id,answer\n99,x\n"), "1.csv:2: complextempqa has no item 99"),
        ((SHEETS[0], "item_id,answer\n1,x\n1,y\n"), "1.csv:3: item 1 is there twice, first in"),
        ((SHEETS[0], "item_id,answer,keeps_gold\n1,x,perhaps\n"), "1.csv:2: keeps_gold: yes or no is expected"),
        ((SHEETS[0], "item_id,response\n1,x\n"), "1.csv: no column answer; the columns item_id and answer are"),
        ((SHEETS[0], "item_id,answer\n5,x\n"), "no item was answered by two annotators"),
    ],
)
def test_a_sheet_that_cannot_be_used_is_one_line_and_exit_code_2(
    dataset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], sheets: tuple[str, ...], message: str
) -> None:
    assert main(["agree", dataset, *write_sheets(tmp_path, sheets)]) == 2
    error = capsys.readouterr().err
    assert (message in error, error.count("\n")) == (True, 1)


def test_something_to_compare_is_required(dataset: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", dataset]) == 2
    assert "JUDGEMENTS and PREDICTIONS are expected, or --annotator" in capsys.readouterr().err
