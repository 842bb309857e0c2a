"""Licences of exports: by table, and without the items of private tables unless these are named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

import tdbench_dataset
import tiny_dataset
from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.export.write import export_items
from everwhen.families import load_evaluations
from scored_dataset import write_scored_dataset
from tdbench_dataset import BEFORE, HOSTED, NOBODY

EVALUATIONS = load_evaluations()
QUERY = "SELECT 1 FROM rows r JOIN rows e ON e.declaration = 'games' WHERE r.declaration = 'rulers'"
JOINED = {**HOSTED, "sql": QUERY}


def license_tables(dataset: Path, family: str, licences: Mapping[str, str | None]) -> Path:
    """Enter licences in the manifest, as a build does."""
    path = dataset / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["families"][family]["licences"] = licences
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return dataset


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Two items of the table rulers, and one of rulers and games."""
    return tdbench_dataset.write_dataset(tmp_path / "tables", [BEFORE, NOBODY, JOINED])


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scored_dataset(tmp_path_factory.mktemp("scored") / "dataset")


def export(dataset: Path, out: Path, *more: str) -> dict[str, Any]:
    assert main(["export", "jsonl", str(dataset), str(out), *more]) == 0
    found: dict[str, Any] = json.loads((out / "export.json").read_text(encoding="utf-8"))
    return found


def read_ids(out: Path) -> list[int]:
    lines = (out / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["item_id"] for line in lines]


def test_an_export_names_the_licence_of_each_table(tables: Path, tmp_path: Path) -> None:
    license_tables(tables, "tdbench", {"rulers": "CC-BY-4.0", "games": "CC0-1.0", "others": None})
    origin = export(tables, tmp_path / "out")
    assert origin["licences"] == {"games": "CC0-1.0", "rulers": "CC-BY-4.0"}
    assert (origin["licence"], origin["left_out"]) == ("CC-BY-4.0 and CC0-1.0", {})


def test_a_table_that_nothing_is_exported_of_has_no_say(tables: Path, tmp_path: Path) -> None:
    license_tables(tables, "tdbench", {"rulers": "CC-BY-4.0", "games": "CC0-1.0"})
    (tmp_path / "ids").write_text(f"{BEFORE['item_id']}\n")
    assert export(tables, tmp_path / "out", "--ids", str(tmp_path / "ids"))["licences"] == {"rulers": "CC-BY-4.0"}


def test_items_of_a_private_table_are_left_out_and_counted(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    license_tables(tables, "tdbench", {"rulers": "CC-BY-4.0", "games": None})
    origin = export(tables, tmp_path / "out")
    assert read_ids(tmp_path / "out") == [BEFORE["item_id"], NOBODY["item_id"]]
    assert (origin["licences"], origin["left_out"]) == ({"rulers": "CC-BY-4.0"}, {"games": 1})
    assert "\nleft out: 1 item of the private table games; --private games exports them\n" in capsys.readouterr().err


def test_a_private_table_is_exported_by_name(tables: Path, tmp_path: Path) -> None:
    license_tables(tables, "tdbench", {"rulers": "CC-BY-4.0", "games": None})
    origin = export(tables, tmp_path / "out", "--private", "games")
    assert JOINED["item_id"] in read_ids(tmp_path / "out")
    assert origin["licences"] == {"games": None, "rulers": "CC-BY-4.0"}
    assert (origin["licence"], origin["left_out"]) == ("CC-BY-4.0 and private", {})


def test_an_item_of_two_private_tables_needs_both_names(tables: Path, tmp_path: Path) -> None:
    license_tables(tables, "tdbench", {"rulers": None, "games": None})
    assert export(tables, tmp_path / "out", "--private", "rulers")["left_out"] == {"games": 1}
    assert read_ids(tmp_path / "out") == [BEFORE["item_id"], NOBODY["item_id"]]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "every selected item is of a private table (games, rulers), so nothing is exported; --private TABLE"),
        (["--private", "ruler"], "--private ruler: no private table of tdbench; there are rulers, games"),
    ],
)
def test_nothing_is_exported_by_accident(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    license_tables(tables, "tdbench", {"rulers": None, "games": None})
    assert main(["export", "jsonl", str(tables), str(tmp_path / "out"), *more]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["lm-eval", "inspect"])
def test_tasks_of_harnesses_name_the_licences(questions: Path, tmp_path: Path, form: str) -> None:
    family = tiny_dataset.FAMILY
    dataset = license_tables(shutil.copytree(questions, tmp_path / "dataset"), family, {"mine": None})
    public, private = (Selection(item_set="lite-1000", private=names) for names in ((), ("mine",)))
    with pytest.raises(InputError, match="every selected item is of a private table"):
        export_items(dataset, family, EVALUATIONS[family], public, form, tmp_path / "out")
    export_items(dataset, family, EVALUATIONS[family], private, form, tmp_path / "out")
    if form == "inspect":
        text = (tmp_path / "out" / f"everwhen_{family}.py").read_text(encoding="utf-8")
        assert "'licence': 'private', 'licences': {'mine': None}}" in text
        return
    base = yaml.load((tmp_path / "out" / "_everwhen.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    assert (base["metadata"]["licence"], list(base["metadata"]["licences"])) == ("private", ["mine"])
