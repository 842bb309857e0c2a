"""The progress of many steps, where stderr is no terminal and where it is one."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from everwhen.cli.steps import describe_rate, print_at_intervals, show_steps


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0, 0, 10, 0, 5.0), "0 of 10, 0.0 a second"),
        ((5, 0, 10, 0, 10.0), "5 of 10, 0.5 a second, about 10 seconds left"),
        ((5, 0, 10, 5, 10.0), "5 of 10, 0.0 a second"),
        ((100, 1, 1000, 0, 101.0), "100 of 1,000, 1 failed, 1.0 a second, about 15 minutes left"),
        ((1, 0, 10_001, 0, 1.0), "1 of 10,001, 1.0 a second, about 3 hours left"),
        ((1, 0, 62, 0, 1.0), "1 of 62, 1.0 a second, about 1 minute left"),
        ((1, 0, 10, 0, 0.0), "1 of 10, 0.0 a second"),
    ],
)
def test_rate_and_time_left(numbers: tuple[int, int, int, int, float], text: str) -> None:
    assert describe_rate(*numbers) == text


def test_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 1.0, 11.0, 12.0, 22.0, 40.0])
    monkeypatch.setattr("everwhen.cli.steps.time", SimpleNamespace(monotonic=lambda: next(clock)))
    report = print_at_intervals("ask", 100, 10.0)
    for done in (20, 42, 50, 64, 100):  # the first were there before
        report(done, 0)
    assert capsys.readouterr().err.splitlines() == [
        "  ask: 42 of 100, 2.0 a second, about 29 seconds left",
        "  ask: 64 of 100, 2.0 a second, about 18 seconds left",
    ]


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with show_steps("ask", 10, quiet=True) as report:
        report(5, 0)
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with show_steps("ask", 10, quiet=False) as report:
        report(3, 0)
        report(7, 1)
    err = capsys.readouterr().err
    assert "8/10" in err
    assert "1 failed" in err
