"""Whoever checks a dataset needs neither Spark nor the code that made it: neither is in this installation."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tiny_dataset import SOUND, write_dataset
from wheels import ROOT, run_everwhen, run_python, unpack_wheel

pytestmark = pytest.mark.full

NEEDED = ("__init__.py", "__main__.py", "cli", "core", "dataset.py", "temporal", "validate")
"""What of the package checks a dataset, explains it and reads it."""
NOT_NEEDED = sorted(
    path.name
    for path in (ROOT / "pipeline" / "everwhen").iterdir()
    if path.name not in NEEDED and (path.suffix == ".py" or (path / "__init__.py").exists())
)
REFUSED = ("pyspark", "py4j", "great_expectations")
"""Packages that are installed beside this one, and may not be."""


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked, without anything that builds."""
    site = tmp_path_factory.mktemp("verify-alone") / "site"
    unpack_wheel(wheel, site)
    for path in (site / "everwhen").iterdir():
        if path.name not in NEEDED:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in REFUSED:
        (site / f"{name}.py").write_text(f"raise ModuleNotFoundError({name!r})\n")
    return site


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("sound") / "dataset")


IMPORTS = """
import importlib
import sys

for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if name in str(error):
            print(name)
"""
"""Prints those of the modules that are not there."""


def test_the_generator_is_not_installed(site: Path) -> None:
    modules = [*REFUSED, *(f"everwhen.{name.removesuffix('.py')}" for name in NOT_NEEDED)]
    run = run_python(site, "-c", IMPORTS, *modules)
    assert run.stdout.splitlines() == modules, run.stderr


def test_sound_rows_pass(site: Path, sound: Path) -> None:
    run = run_everwhen(site, "verify", sound)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["checked"] == len(SOUND)


def test_a_wrong_row_ends_with_1(site: Path, tmp_path: Path) -> None:
    rows = [{**row, "answer": ["never"]} if name == "start" else row for name, row in SOUND.items()]
    run = run_everwhen(site, "verify", write_dataset(tmp_path / "dataset", rows))
    assert run.returncode == 1, run.stderr
    (example,) = json.loads(run.stdout)["families"]["complextempqa"]["examples"]
    assert (example["check"], example["expected"]) == ("answer", [["1990-08-02"]])


def test_a_row_is_explained(site: Path, sound: Path) -> None:
    run = run_everwhen(site, "explain", sound, 1, "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["answer"] == ["1990-08-02"]


@pytest.mark.parametrize(
    "expression",
    [
        "verify({dataset!r}, groups='start').passed",
        "explain({dataset!r}, 1).answer == ['1990-08-02']",
        "load({dataset!r}).families == ('complextempqa',)",
    ],
    ids=["verify", "explain", "load"],
)
def test_python_does_the_same(site: Path, sound: Path, expression: str) -> None:
    code = f"import everwhen; assert everwhen.{expression.format(dataset=str(sound))}"
    run = run_python(site, "-c", code)
    assert run.returncode == 0, run.stderr
