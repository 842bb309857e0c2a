"""A family is a folder and a line in the registry: added to an installed wheel, it builds and proves itself."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest
import yaml

from hostile_world import ROOT
from wheels import run_everwhen, unpack_wheel

pytestmark = pytest.mark.full

FAMILY = ROOT / "tests" / "families" / "event_years"


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked where Python finds it first, with the family and its line in the registry."""
    site = tmp_path_factory.mktemp("second-family") / "site"
    unpack_wheel(wheel, site)
    families = site / "everwhen" / "families"
    shutil.copytree(FAMILY, families / "event_years", ignore=shutil.ignore_patterns("__pycache__"))
    with (families / "names.txt").open("a") as names:
        names.write("event_years\n")
    return site


def test_a_family_needs_a_folder_and_a_line(site: Path, small_config: Path, tmp_path: Path) -> None:
    config = tmp_path / "second-family.yaml"
    data = yaml.safe_load(small_config.read_text())
    data["families"] = {"complextempqa": {"templates": ["attribute.event.date"]}, "event_years": {}}
    config.write_text(yaml.safe_dump(data))
    module = site / "everwhen" / "families" / "event_years" / "build.py"
    sound = module.read_text()
    module.write_text(sound.replace('"answer": F.array(year', '"answer": F.array((year + 1)'))
    out = tmp_path / "out"
    broken = run_everwhen(site, "build", "--config", config, "--out", out)
    assert broken.returncode == 1, broken.stderr
    assert "check of event_years: " in broken.stderr
    assert not (out / "dataset" / "small" / "manifest.json").exists()
    module.write_text(sound)
    shutil.rmtree(out / "event_years")
    built = run_everwhen(site, "build", "--config", config, "--out", out, "--resume")
    assert built.returncode == 0, built.stderr
    assert "Years of events" in built.stderr
    dataset = out / "dataset" / "small"
    verified = run_everwhen(site, "verify", dataset)
    assert verified.returncode == 0, verified.stderr
    found = json.loads(verified.stdout)
    assert set(found["families"]) == {"complextempqa", "event_years"}
    assert found["rows"] == sum(family["rows"] for family in found["families"].values()) > 50
    assert (found["checked"], found["wrong"]) == (found["rows"], 0)
    assert found["families"]["event_years"]["release"] is None
    assert "the checks of event_years are those of no known release" in verified.stderr
    only = json.loads(run_everwhen(site, "verify", dataset, "--family", "event_years").stdout)
    assert list(only["families"]) == ["event_years"]
    report = json.loads((dataset / "report.json").read_text())
    item = report["families"]["event_years"]["samples"][0]
    explained = run_everwhen(site, "explain", dataset, item["question_id"])
    assert explained.stdout.startswith(f"{item['question']}\n  {item['answer'][0]}  (the facts give the same)\n")
    assert "The year in which the event's time lies." in explained.stdout
    notes = str(next((dataset / "event_years" / "notes").glob("*.parquet")))
    assert duckdb.read_parquet(notes).filter("text LIKE 'In % took place.'").count("*").fetchall()[0][0] > 0
    exported = run_everwhen(site, "export", "jsonl", dataset, tmp_path / "export", "--family", "event_years")
    assert exported.returncode == 0, exported.stderr
    retrieved = run_everwhen(site, "retrieve", "--dataset", dataset, "--family", "event_years", "--retriever", "random")
    assert retrieved.returncode == 0, retrieved.stderr
    counted = run_everwhen(site, "event_years", "count", dataset)
    assert sum(int(line.split()[1]) for line in counted.stdout.splitlines()) == found["families"]["event_years"]["rows"]
    prompts = run_everwhen(site, "ask", dataset, "--family", "event_years", "--limit", "1", "--dry-run")
    assert re.search(r"\? *\nA\. \d{4}\nB\. \d{4}\nC\. \d{4}\nD\. \d{4}\n", prompts.stdout), prompts.stderr
    assert "## Years of events" in (dataset / "README.md").read_text()
    assert (dataset / "checks" / "event_years" / "year.sql").is_file()


def test_the_family_has_under_250_lines_with_its_sql() -> None:
    code = [path for path in FAMILY.rglob("*") if path.suffix in (".py", ".sql")]
    assert sum(bool(line.strip()) for path in code for line in path.read_text().splitlines()) < 250
