"""A world about which one family asks nothing: the dataset is that of the other, and says why the one has no items."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from hostile_world import FillOnce

pytestmark = pytest.mark.full

WHY = "no items; candidate: none; question: none; row: none"


@pytest.fixture(scope="module")
def built(small_config: Path, everwhen: str, folder_filled_once: FillOnce) -> Path:
    """The small world, which has no office, award, team, executive or games; the folder has the screen, too."""

    def write(folder: Path) -> None:
        config = yaml.safe_load(small_config.read_text())
        config["families"] = {"complextempqa": {"templates": ["attribute.event.date"]}, "tdbench": {}}
        (folder / "absent.yaml").write_text(yaml.safe_dump(config))
        command = [everwhen, "build", "--config", folder / "absent.yaml", "--out", folder / "out"]
        run = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        (folder / "screen.txt").write_text(run.stderr)

    return folder_filled_once("absent-family", write)


def test_the_last_screen_has_the_items_of_one_family_and_the_reason_of_the_other(built: Path) -> None:
    screen = (built / "screen.txt").read_text()
    last = screen[screen.index("\nComplexTempQA: ") :]
    assert f"\nTDBench: {WHY}\nChecks: " in last
    assert last.count("┏") == 2  # the tables of ComplexTempQA


def test_it_is_verified_and_explained_by_the_family_that_has_items(built: Path, everwhen: str, tmp_path: Path) -> None:
    dataset = built / "out" / "dataset" / "small"
    verified = subprocess.run([everwhen, "verify", str(dataset)], capture_output=True, text=True, check=True)
    families = json.loads(verified.stdout)["families"]
    assert (families["tdbench"]["rows"], families["complextempqa"]["rows"] > 10) == (0, True)
    assert f"TDBench has {WHY}." in (dataset / "README.md").read_text()
    assert f"TDBench has {WHY}." in (dataset / "report.md").read_text()
    report = json.loads((dataset / "report.json").read_text())
    item = report["families"]["complextempqa"]["samples"][0]
    explained = subprocess.run(
        [everwhen, "explain", str(dataset), str(item["question_id"])], capture_output=True, text=True, check=True
    )
    assert item["question"] in explained.stdout
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(json.dumps({"item_id": item["question_id"], "response": item["answer"][0]}))
    subprocess.run([everwhen, "evaluate", str(dataset), str(predictions)], capture_output=True, check=True)
    asked = [everwhen, "evaluate", str(dataset), str(predictions), "--family", "tdbench"]
    refused = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stderr) == (
        2,
        f"everwhen: {dataset}: tdbench has no items; report.md says why\n",
    )
