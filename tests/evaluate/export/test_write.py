"""Exports of a small dataset: what is in their files, and what is refused."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.export.origin import CANARY
from everwhen.evaluate.export.write import export_items, list_formats
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import read_item
from everwhen.families import load_evaluations
from scored_dataset import COPIES, write_scored_dataset
from tiny_dataset import FAMILY

EVALUATION = load_evaluations()[FAMILY]
FORMATS = list_formats({FAMILY: EVALUATION})
ITEMS = 7 * COPIES // 2
"""How many items there are in test."""
GROUP = f"everwhen_{FAMILY}"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scored_dataset(tmp_path_factory.mktemp("scored") / "dataset")


@pytest.fixture(scope="module")
def exported(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The set lite-1000 in each format, by its name."""
    folders = {name: tmp_path_factory.mktemp("exports") / name for name in FORMATS}
    for name, folder in folders.items():
        export(dataset, name, folder)
    return folders


def export(dataset: Path, form: str, folder: Path, **conditions: Any) -> None:
    selection = Selection(**(conditions or {"item_set": "lite-1000"}))
    export_items(dataset, FAMILY, EVALUATION, selection, form, folder)


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def hash_files(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): compute_sha256(p) for p in sorted(folder.rglob("*")) if p.is_file()}


def test_there_are_five_formats() -> None:
    assert FORMATS == ("jsonl", "csv", "complextempqa", "lm-eval", "inspect")


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_says_where_it_comes_from(form: str, dataset: Path, exported: dict[str, Path]) -> None:
    origin = json.loads((exported[form] / "export.json").read_text(encoding="utf-8"))
    content_hash = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))["content_hash"]
    assert origin["content_hash"] == content_hash
    assert (origin["licence"], origin["canary"], origin["items"]) == ("CC0-1.0", CANARY, ITEMS)
    assert origin["version"] == f"scored+{content_hash[:12]}.0123456789ab"


@pytest.mark.parametrize("form", FORMATS)
def test_every_file_of_items_has_the_canary(form: str, exported: dict[str, Path]) -> None:
    for path in exported[form].rglob("*.*"):
        if path.suffix == ".parquet":
            assert set(pq.read_table(path)["canary"].to_pylist()) <= {CANARY}
        elif path.suffix in (".jsonl", ".csv"):
            lines = path.read_text(encoding="utf-8").splitlines()
            assert all(CANARY in line for line in lines[path.suffix == ".csv" :])


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_is_the_same_bytes_each_time(
    form: str, dataset: Path, exported: dict[str, Path], tmp_path: Path
) -> None:
    export(dataset, form, tmp_path / "again")
    assert hash_files(tmp_path / "again") == hash_files(exported[form])


@pytest.mark.parametrize("form", ["jsonl", "inspect"])
def test_the_gold_of_an_item_can_be_read_again(form: str, dataset: Path, exported: dict[str, Path]) -> None:
    gold = read_gold(dataset, FAMILY, EVALUATION, item_set="lite-1000")
    rows = read_json_lines(exported[form] / "items.jsonl")
    assert [read_item(row) for row in rows] == list(gold.iter_items())


def test_csv_has_lists_as_json(exported: dict[str, Path]) -> None:
    with (exported["csv"] / "items.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == ITEMS
    choice = next(row for row in rows if row["item_id"] == "300")
    assert json.loads(choice["options"]) == ["Lauda Air Flight 004", "the Gulf War"]
    assert json.loads(choice["answer"]) == ["Gulf War"]


def test_the_layout_of_the_release_has_the_fields_of_appendix_b(exported: dict[str, Path]) -> None:
    rows = read_json_lines(exported["complextempqa"] / "items.jsonl")
    assert rows[0] == {
        "id": 100,
        "question": "When did the Gulf War start?",
        "answer": ["1990-08-02"],
        "type": "1ac",
        "rating": 0,
        "timeframe": ["1990-08-02", "1991-02-28"],
        "question_entity": [10],
        "answer_entity": [],
        "question_country_entity": [],
        "answer_country_entity": [],
        "is_unnamed": 0,
        "hops": [],
        "canary": CANARY,
    }
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)


class Tasks:
    """The tasks of an export to lm-eval."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # The tag of the harness, which only it can resolve.
        texts = {
            path.stem: path.read_text(encoding="utf-8").replace("!function ", "") for path in folder.glob("*.yaml")
        }
        self.configs = {name: yaml.safe_load(text) for name, text in texts.items()}

    def read(self, task: str, split: str = "test") -> list[dict[str, Any]]:
        return list(pq.read_table(self.folder / "data" / task / f"{split}.parquet").to_pylist())

    def list_ids(self, group: str) -> list[int]:
        return sorted(row["item_id"] for task in self.configs[group]["task"] for row in self.read(task))


@pytest.fixture(scope="module")
def tasks(exported: dict[str, Path]) -> Tasks:
    return Tasks(exported["lm-eval"])


def test_the_group_of_the_family_has_a_task_for_each_type(tasks: Tasks) -> None:
    assert tasks.configs[GROUP]["task"] == [f"{GROUP}_{name}" for name in ("1a", "1ac", "1b", "2ac")]
    assert len(tasks.list_ids(GROUP)) == ITEMS


def test_every_choice_is_also_generated(tasks: Tasks) -> None:
    chosen = tasks.list_ids(f"{GROUP}_choice")
    assert chosen == [number for start in (300, 700) for number in range(start, start + COPIES // 2)]
    assert set(chosen) <= set(tasks.list_ids(GROUP))
    kinds = {
        config["task"]: config["output_type"]
        for config in tasks.configs.values()
        if isinstance(config.get("output_type"), str)
    }
    assert {kinds[task] for task in tasks.configs[GROUP]["task"]} == {"generate_until"}
    assert {kinds[task] for task in tasks.configs[f"{GROUP}_choice"]["task"]} == {"multiple_choice"}


def test_the_place_of_the_right_choice_is_stated(tasks: Tasks) -> None:
    rows = {row["item_id"]: row for row in tasks.read(f"{GROUP}_choice_2ac")}
    assert (rows[300]["choices"], rows[300]["choice"]) == (["Lauda Air Flight 004", "the Gulf War"], 1)
    assert (rows[700]["choices"], rows[700]["choice"]) == (["yes", "no"], 1)


def test_examples_are_of_train_and_of_the_same_type(tasks: Tasks) -> None:
    for task in tasks.configs[GROUP]["task"]:
        examples = tasks.read(task, "train")
        assert examples
        assert {row["split"] for row in examples} == {"train"}
        assert {row["question_type"] for row in examples} == {row["question_type"] for row in tasks.read(task)}


def test_tasks_have_the_version_of_dataset_and_templates(tasks: Tasks) -> None:
    assert tasks.configs["_everwhen"]["metadata"]["version"].startswith("scored+")
    assert tasks.configs[GROUP]["metadata"]["version"] == tasks.configs["_everwhen"]["metadata"]["version"]


def test_targets_are_one_text(tasks: Tasks) -> None:
    assert all(isinstance(row["target"], str) for task in tasks.configs[GROUP]["task"] for row in tasks.read(task))


@pytest.mark.parametrize(
    ("conditions", "form", "message"),
    [
        ({"item_set": "lite-5"}, "jsonl", "no set lite-5; it has lite-1000, lite-10000"),
        ({"split": "dev"}, "csv", "no split dev"),
        ({"ids": [9]}, "complextempqa", "no item 9"),
        ({"split": "train"}, "lm-eval", "few-shot examples come from train"),
        ({"split": "train"}, "inspect", "few-shot examples come from train"),
    ],
)
def test_what_cannot_be_exported_leaves_nothing(
    conditions: dict[str, Any], form: str, message: str, dataset: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        export(dataset, form, tmp_path / "out", **conditions)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_within_a_dataset_or_an_export_is_refused(
    dataset: Path, exported: dict[str, Path], tmp_path: Path
) -> None:
    before = hash_files(dataset)
    for folder in (dataset / "x", dataset / "checks" / "x" / "y"):
        with pytest.raises(InputError, match=r"x.*: within a dataset, .*; choose a folder elsewhere"):
            export(dataset, "jsonl", folder)
    with pytest.raises(InputError, match="within an export"):
        export(dataset, "jsonl", exported["csv"] / "x")
    assert hash_files(dataset) == before
    (tmp_path / "manifest.json").write_text('{"name": "of a web page"}')
    export(dataset, "jsonl", tmp_path / "x")
    with pytest.raises(InputError, match="is a file and no folder"):
        export(dataset, "jsonl", tmp_path / "manifest.json" / "x")


def test_a_folder_with_files_is_refused_and_an_empty_one_filled(dataset: Path, tmp_path: Path) -> None:
    taken, empty = tmp_path / "taken", tmp_path / "empty"
    for folder in (taken, empty):
        folder.mkdir()
    (taken / "theirs").touch()
    with pytest.raises(InputError, match="not an empty folder"):
        export(dataset, "jsonl", taken)
    export(dataset, "jsonl", empty)
    assert [path.name for path in taken.iterdir()] == ["theirs"]
    assert sorted(path.name for path in empty.iterdir()) == ["export.json", "items.jsonl"]


def test_the_command_exports_the_least_set_to_a_harness(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "inspect", str(dataset), str(tmp_path / "out")]) == 0
    assert f"{ITEMS} items of {FAMILY}" in capsys.readouterr().err
    assert json.loads((tmp_path / "out" / "export.json").read_text(encoding="utf-8"))["item_set"] == "lite-1000"


def test_the_command_names_the_formats(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "xml", str(dataset), str(tmp_path / "out")]) == 2
    formats = "jsonl, csv, complextempqa, impliret, time, lm-eval, inspect"
    assert f"xml: no such format; there are {formats}" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--pool", "--collection"])
def test_options_of_collections_are_refused_of_items(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    layout = ["--layout", "complextempqa"]
    assert main(["export", "jsonl", str(dataset), str(tmp_path / "out"), *layout, option, "x"]) == 2
    assert f"{option}: has an effect with beir only" in capsys.readouterr().err


def test_what_a_harness_imports_needs_neither_spark_nor_great_expectations() -> None:
    code = (
        "import sys, everwhen.evaluate.export.harness, everwhen.evaluate.export.write;"
        "assert not {'pyspark', 'great_expectations'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
