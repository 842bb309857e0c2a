"""The family as the registry has it, also where it is not registered yet, and a dataset."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen import families
from everwhen.families.time_benchmark.evaluation import EVALUATION
from time_benchmark_dataset import NAME, write_time_dataset


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the registry load the evaluation of this family alone."""
    monkeypatch.setattr(families, "load_evaluations", lambda: {NAME: EVALUATION})


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset with an item of most tasks."""
    return write_time_dataset(tmp_path / "dataset")
