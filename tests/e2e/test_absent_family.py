"""A world about which one family asks nothing: the dataset is that of the other, and says why the one has no items."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr
from pathlib import Path

import pytest
import yaml
from pyspark.sql import SparkSession

from everwhen.cli.main import main
from hostile_world import FillOnce

pytestmark = [pytest.mark.full, pytest.mark.spark]

WHY = "no items; candidate: none; question: none; row: none"


@pytest.fixture(scope="module")
def built(spark: SparkSession, small_config: Path, folder_filled_once: FillOnce) -> Path:
    """The small world, which has no office, award, team, executive or games; the folder has the screen, too."""

    def write(folder: Path) -> None:
        config = yaml.safe_load(small_config.read_text())
        config["families"] = {"complextempqa": {"templates": ["attribute.event.date"]}, "tdbench": {}}
        (folder / "absent.yaml").write_text(yaml.safe_dump(config))
        screen = io.StringIO()
        with redirect_stderr(screen):
            code = main(["build", "--config", str(folder / "absent.yaml"), "--out", str(folder / "out")])
        assert code == 0, screen.getvalue()
        (folder / "screen.txt").write_text(screen.getvalue())

    return folder_filled_once("absent-family", write)


def test_the_last_screen_has_the_items_of_one_family_and_the_reason_of_the_other(built: Path) -> None:
    screen = (built / "screen.txt").read_text()
    last = screen[screen.index("\nComplexTempQA: ") :]
    assert f"\nTDBench: {WHY}\nChecks: " in last
    assert last.count("┏") == 2  # the tables of ComplexTempQA


def test_it_is_verified_and_explained_by_the_family_that_has_items(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = built / "out" / "dataset" / "small"
    assert main(["verify", str(dataset)]) == 0
    families = json.loads(capsys.readouterr().out)["families"]
    assert (families["tdbench"]["rows"], families["complextempqa"]["rows"] > 10) == (0, True)
    assert f"TDBench has {WHY}." in (dataset / "README.md").read_text()
    assert f"TDBench has {WHY}." in (dataset / "report.md").read_text()
    report = json.loads((dataset / "report.json").read_text())
    item = report["families"]["complextempqa"]["samples"][0]
    assert main(["explain", str(dataset), str(item["question_id"])]) == 0
    assert item["question"] in capsys.readouterr().out
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(json.dumps({"item_id": item["question_id"], "response": item["answer"][0]}))
    evaluate = ["evaluate", str(dataset), str(predictions)]
    assert main(evaluate) == 0
    capsys.readouterr()
    assert main([*evaluate, "--family", "tdbench"]) == 2
    assert capsys.readouterr().err == f"everwhen: {dataset}: tdbench has no items; report.md says why\n"
