"""The dataset that is exported, in an environment that has the harnesses and no Spark."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest
from comparison import EVERWHEN

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".venv" / "bin" / "python"

FAMILY = "complextempqa"


@pytest.fixture(scope="session", autouse=True)
def offline(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No harness asks a server, nor reads what other runs have left."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path_factory.mktemp("hugging-face"))}


def write_dataset(family: str, folder: Path) -> Path:
    subprocess.run([BUILD, Path(__file__).with_name("write_dataset.py"), family, folder], check=True)
    return folder


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(FAMILY, tmp_path_factory.mktemp("scored") / "dataset")


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a family with a scorer and contexts of its own."""
    return write_dataset("tdbench", tmp_path_factory.mktemp("tables") / "dataset")


@pytest.fixture(scope="session")
def exports(dataset: Path, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the exports to both harnesses; those of TDBench are open book."""
    folder = tmp_path_factory.mktemp("exports")
    for name in ("lm-eval", "inspect"):
        subprocess.run([EVERWHEN, "export", name, dataset, folder / name, "--set", "lite-1000", "--quiet"], check=True)
        place = folder / f"{name}-tdbench"
        command = [EVERWHEN, "export", name, tables, place, "--split", "test", "--context", "dataset"]
        subprocess.run(command, check=True)
    return folder


def test_there_is_no_spark() -> None:
    assert importlib.util.find_spec("pyspark") is None
