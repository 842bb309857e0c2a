"""Choices with letters, from a dataset of the small family to scores: asked with options and without, and exported."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from asked import write_split_dataset
from chat import answer_chats
from everwhen import families
from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.evaluate.export.harness import open_scorer
from everwhen.evaluate.gold import read_gold
from hostile_world import ROOT
from servers import FaultyServer
from tiny_dataset import write_checks, write_manifest, write_table

NAME = "event_years"
YEARS = pa.schema(
    [
        ("question_id", pa.int64()),
        ("question", pa.string()),
        ("answer", pa.list_(pa.string())),
        ("options", pa.list_(pa.string())),
        ("item_id", pa.int64()),
        ("wording", pa.string()),
        ("split", pa.string()),
    ]
)
ROWS = [(1, "1991", 1990), (2, "1990", 1990), (3, "2004", 2001), (4, "1969", 1968)]
"""Id, answer and first option; the right letters are B, A, D and B."""

Register = Callable[..., Path]


def build_row(number: int, answer: str, first: int) -> dict[str, Any]:
    options = [str(first + place) for place in range(4)]
    row = {"question_id": number, "question": f"In what year was event {number}?", "answer": [answer]}
    return {**row, "options": options, "item_id": 100 + number, "wording": "0", "split": "test"}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Writes a dataset of the family, which is registered."""
    monkeypatch.setattr(families, "NAMES", tmp_path / "names.txt")
    monkeypatch.setattr(families, "__path__", [*families.__path__, str(ROOT / "tests" / "families")])
    (tmp_path / "names.txt").write_text(NAME)
    families.load_families.cache_clear()
    families.load_evaluations.cache_clear()

    def write_dataset(rows: list[dict[str, Any]]) -> Path:
        folder = tmp_path / "dataset"
        write_table(folder / NAME / "years", rows, YEARS)
        plan = {"items": {"table": "years", "id": "question_id"}, "checks": []}
        write_checks(folder, {f"{NAME}/checks.json": json.dumps(plan)})
        window = {"start": "1980-01-01", "end": "2026-01-01"}
        write_manifest(folder, window=window, lists=[], version="v1", snapshot="2026-11-01", templates_hash="0" * 16)
        return folder

    yield write_dataset
    families.load_families.cache_clear()
    families.load_evaluations.cache_clear()
    for name in [name for name in sys.modules if name.startswith(f"everwhen.families.{NAME}")]:
        del sys.modules[name]
    vars(families).pop(NAME, None)


@pytest.fixture
def dataset(write: Register) -> Path:
    return write([build_row(*row) for row in ROWS])


def answer_years(prompt: str) -> tuple[str, str]:
    """Always the second option, or 1990."""
    return ("Answer: B" if re.search(r"^B\. \d{4}$", prompt, re.MULTILINE) else "It was in 1990."), "stop"


def test_a_choice_is_asked_and_scored_with_its_options_and_without(
    dataset: Path, tmp_path: Path, faulty: Callable[..., FaultyServer], capsys: pytest.CaptureFixture[str]
) -> None:
    server = faulty(answer_chats(answer_years))
    asked = ["ask", str(dataset), "--base-url", server.url("/v1"), "--model", "m", "--threads", "1"]
    files = {manner: tmp_path / f"{manner}.jsonl" for manner in ("choice", "generation")}
    for manner, file in files.items():
        assert main([*asked, "--as", manner, "--out", str(file)]) == 0
    prompts = [json.loads(each.body)["messages"][-1]["content"] for each in server.asked]
    assert prompts[0] == (
        'Choose the one option that answers the question. Reply with one line that begins with "Answer:", followed by'
        " its letter alone.\n\nQuestion: In what year was event 1?\nA. 1990\nB. 1991\nC. 1992\nD. 1993"
    )
    assert prompts[4] == 'Reply "Answer:" and the year.\n\nQuestion: In what year was event 1?'
    capsys.readouterr()
    out = tmp_path / "out.json"
    assert main(["evaluate", str(dataset), *map(str, files.values()), "--json", str(out)]) == 0
    runs = json.loads(out.read_text())["families"][NAME]["runs"]
    choice, generation = (runs[f"{manner}.jsonl"]["tables"] for manner in files)
    assert choice["all"]["all"]["right"]["value"] == 0.5
    assert {name: each["value"] for name, each in choice["all"]["all"]["options"].items()} == {
        name: 0.5 for name in ("precision", "recall", "f1")
    }
    assert list(choice["answer_type"]) == ["single_choice"]
    assert (list(generation["answer_type"]), generation["all"]["all"]["right"]["value"]) == (["date"], 0.25)
    assert generation["all"]["all"]["options"]["f1"] is None
    assert "options f1" in capsys.readouterr().out


def test_a_choice_is_exported_with_letters_and_its_scorer(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "lm-eval"
    (tmp_path / "ids").write_text("1\n2\n3\n")
    arguments = ["export", "lm-eval", str(dataset), str(out), "--ids", str(tmp_path / "ids")]
    assert main(arguments) == 0
    task = f"everwhen_{NAME}_choice_0"
    rows = pq.read_table(out / "data" / task / "test.parquet").to_pylist()
    assert [(row["choices"], row["choice"], row["target"]) for row in rows] == [
        (["A", "B", "C", "D"], place, letter) for place, letter in ((1, "B"), (0, "A"), (3, "D"))
    ]
    assert rows[0]["prompt"].endswith("\nC. 1992\nD. 1993\nAnswer:")
    scorer = open_scorer(out, NAME, families.load_evaluations())
    measures = scorer.measure(1, "The answer is B) 1991")
    assert (measures["right"], measures["options_f1"], measures["f1"]) == (1, 1, 1)
    assert scorer.measure(3, "B", "length")["cut_off"] == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": ["1980"]}, "item 1: the answer ['1980'] is not among the options"),
        ({"answer": ["1990", "1991"]}, "item 1: a single choice has one right option"),
        ({"options": ["1991"]}, "item 1: a choice has 2 to 26 different options"),
        ({"options": ["1991", "1991"]}, "item 1: a choice has 2 to 26 different options"),
    ],
)
def test_a_choice_that_cannot_be_asked_is_refused(write: Register, changes: dict[str, Any], message: str) -> None:
    dataset = write([build_row(*ROWS[0]) | changes])
    with pytest.raises(InputError, match=re.escape(message)):
        read_gold(dataset, NAME, families.load_evaluations()[NAME])


def test_choices_are_asked_without_options_where_there_are_some(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    dataset = write_split_dataset(tmp_path / "tiny")
    assert main(["ask", str(dataset), "--as", "generation", "--dry-run"]) == 2
    assert "--as generation: complextempqa has no choices with letters; leave it out" in capsys.readouterr().err
