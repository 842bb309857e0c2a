"""A pull whose stderr is no terminal prints a line now and then."""

from __future__ import annotations

import pytest

from everwhen.core import progress
from everwhen.sources.progress import track_progress


def test_lines_say_how_far_a_pull_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0)
    assert list(track_progress("abc", 3, "year pages")) == ["a", "b", "c"]
    assert [line[:20] for line in capsys.readouterr().err.splitlines()] == [f"  year pages: {n} of 3" for n in range(3)]


def test_a_pull_of_seconds_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(track_progress("abc", 3, "year pages")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
