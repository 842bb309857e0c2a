"""Two builds into one folder: one wins, the other says why it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hostile_world import UndisturbedBuild

pytestmark = pytest.mark.full


def test_one_build_wins_and_the_others_say_why_they_stop(undisturbed: UndisturbedBuild) -> None:
    messages = [run.stderr for run in undisturbed.others]
    assert [run.returncode for run in undisturbed.others] == [3, 3, 3]
    reason = f"{undisturbed.out}: another build is at work here; wait for its end, or take another folder\n"
    assert messages == [f"everwhen: {reason}", f"everwhen: {reason}", f"everwhen facts: {reason}"]
    assert json.loads((undisturbed.dataset / "manifest.json").read_text())["rows"] > 0


def test_no_lock_is_left(undisturbed: UndisturbedBuild) -> None:
    assert sorted(path.name for path in undisturbed.out.iterdir()) == [
        "complextempqa",
        "dataset",
        "evidence",
        "facts",
        "raw",
        "world",
    ]
    assert not [path for path in Path(undisturbed.out).rglob("*") if "lock" in path.name]
