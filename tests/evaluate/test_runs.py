"""Runs: which family a prediction belongs to, and how its items were asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.runs import read_runs, require_shared_families, summarize_settings
from everwhen.validate.manifest import load_manifest
from tdbench_dataset import write_dataset

FAMILY = "tdbench"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("runs") / "tiny")


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(json.dumps({"response": "x", **row}) for row in rows), encoding="utf-8")
    return path


def test_a_prediction_belongs_to_the_family_that_has_its_item(dataset: Path, tmp_path: Path) -> None:
    (run,) = read_runs(dataset, load_manifest(dataset), [write(tmp_path / "a.jsonl", {"item_id": 1})])
    assert {family: list(found.rows) for family, found in run.by_family.items()} == {FAMILY: [1]}


def test_files_of_the_same_name_are_told_apart(dataset: Path, tmp_path: Path) -> None:
    paths = [write(tmp_path / name / "a.jsonl", {"item_id": 1}) for name in ("x", "y")]
    assert [run.name for run in read_runs(dataset, load_manifest(dataset), paths)] == ["x/a.jsonl", "y/a.jsonl"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"item_id": 99}, r"a\.jsonl:2: item 99 is not in .*tiny"),
        ({"item_id": 2**63 + 1}, r"a\.jsonl:2: item 9223372036854775809 is not in .*tiny"),
        ({"item_id": 2, "family": "tempo"}, r"a\.jsonl:2: family: these are predictions for tempo, not for tdbench"),
    ],
)
def test_an_item_or_family_that_is_not_there_is_refused(
    dataset: Path, tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_runs(dataset, load_manifest(dataset), [write(tmp_path / "a.jsonl", {"item_id": 1}, row)])


def test_a_file_of_another_dataset_is_refused(dataset: Path, tmp_path: Path) -> None:
    paths = [write(tmp_path / "a.jsonl", {"item_id": 1}), write(tmp_path / "b.jsonl", {"item_id": 98}, {"item_id": 99})]
    with pytest.raises(InputError, match=r"b\.jsonl: no item of its predictions is in .*tiny; name the dataset"):
        read_runs(dataset, load_manifest(dataset), paths)


def test_a_run_needs_a_family_that_another_has() -> None:
    require_shared_families({"a": ["tdbench"]})
    require_shared_families({"a": ["complextempqa"], "b": ["complextempqa", "tdbench"], "c": ["tdbench"]})
    with pytest.raises(InputError, match="b has items of tdbench alone, a of complextempqa: nothing can be compared"):
        require_shared_families({"b": ["tdbench"], "a": ["complextempqa"]})
    with pytest.raises(InputError, match="c has items of tdbench alone, a of complextempqa, b of complextempqa: "):
        require_shared_families({"a": ["complextempqa"], "b": ["complextempqa"], "c": ["tdbench"]})


def test_settings_are_summarised_by_their_values() -> None:
    rows = {
        number: Prediction(number, "", None, "", {"context": "none", "date": f"2026-01-{number:02}"})
        for number in range(1, 6)
    }
    assert summarize_settings(rows) == {"context": "none", "date": "5 values from 2026-01-01 to 2026-01-05"}
