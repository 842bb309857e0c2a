"""The progress of a command, where stderr is no terminal and where it is one."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from everwhen.core import progress
from everwhen.core.progress import describe_rate, show_progress


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0, 10, 0, 5.0), "0 of 10"),
        ((5, 10, 0, 10.0), "5 of 10"),
        ((1, 10, 1, 0.0), "1 of 10"),
        ((5, 10, 5, 10.0), "5 of 10, 0.5 a second, about 10 seconds left"),
        ((100, 1000, 100, 100.0), "100 of 1,000, 1.0 a second, about 15 minutes left"),
        ((1, 10_001, 1, 1.0), "1 of 10,001, 1.0 a second, about 3 hours left"),
        ((1, 62, 1, 1.0), "1 of 62, 1.0 a second, about 1 minute left"),
    ],
)
def test_rate_and_time_left(numbers: tuple[int, int, int, float], text: str) -> None:
    assert describe_rate(*numbers) == text


def test_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    reports = (
        *((0, "", 20, 100), (11, "", 42, 100), (20, "", 50, 100), (22, "", 64, 100), (44, "1 failed", 86, 100)),
        *((45, "vectors", 0, 20), (65, "vectors", 10, 20), (99, "vectors", 20, 20)),
    )
    clock = [0.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    with show_progress("ask", quiet=False) as report:
        for clock[0], stage, done, total in reports:
            report(stage, done, total)
    assert capsys.readouterr().err.splitlines() == [
        "  ask: 50 of 100, 1.5 a second, about 33 seconds left",
        "  ask, 1 failed: 86 of 100, 1.5 a second, about 9 seconds left",
        "  ask, vectors: 10 of 20, 0.5 a second, about 20 seconds left",
    ]


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("ask", quiet=True) as report:
        report("", 5, 10)
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with show_progress("ask", quiet=False) as report:
        report("", 3, 10)
        report("1 failed", 8, 10)
    err = capsys.readouterr().err
    assert "8 of 10" in err
    assert "ask, 1 failed" in err
