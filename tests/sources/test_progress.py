"""A pull whose stderr is no terminal prints a line now and then."""

from __future__ import annotations

import pytest

from everwhen.sources import progress


def test_lines_say_how_far_a_pull_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0)
    assert list(progress.track_progress("abc", 3, "year pages")) == ["a", "b", "c"]
    assert capsys.readouterr().err.splitlines() == [f"  year pages: {done} of 3" for done in range(3)]


def test_a_pull_of_seconds_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.track_progress("abc", 3, "year pages")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
