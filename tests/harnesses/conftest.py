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


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored") / "dataset"
    subprocess.run([BUILD, Path(__file__).with_name("write_dataset.py"), folder], check=True)
    return folder


@pytest.fixture(scope="session")
def exports(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the exports to both harnesses."""
    folder = tmp_path_factory.mktemp("exports")
    for name in ("lm-eval", "inspect"):
        subprocess.run([EVERWHEN, "export", name, dataset, folder / name, "--set", "lite-1000", "--quiet"], check=True)
    return folder


def test_there_is_no_spark() -> None:
    assert importlib.util.find_spec("pyspark") is None
