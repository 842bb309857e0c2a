"""`--log-format json`: each line on stderr is an object, errors too, and exit codes are those of text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.job import run_job
from everwhen.cli.main import main
from everwhen.cli.outcome import end_with_code, prepare_log
from everwhen.core.errors import InputError

JSON = ["--log-format", "json"]


def read_log(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    streams = capsys.readouterr()
    assert streams.out == ""
    return [json.loads(line) for line in streams.err.splitlines()]


def test_an_error_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--config", "none.yaml", "--out", "out", *JSON]) == 2
    error, end = read_log(capsys)
    assert (error["level"], error["command"], error["exit_code"]) == ("error", "build", 2)
    assert error["message"] == "everwhen: none.yaml: no such configuration file"
    assert (end["level"], end["exit_code"], end["message"]) == ("error", 2, "everwhen: ended with exit code 2")
    assert end["seconds"] >= 0


def test_an_error_of_a_job_names_its_stage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run_job("facts", ["--config", "none.yaml", "--out", "out", *JSON])
    assert ended.value.code == 2
    assert {(entry["level"], entry["stage"]) for entry in read_log(capsys)} == {("error", "facts")}


@pytest.mark.parametrize("arguments", [["build"], ["verify", "--threads", "0", "x"]], ids=" ".join)
def test_an_error_of_the_command_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, *JSON])
    assert ended.value.code == 2
    (error,) = read_log(capsys)
    assert (error["level"], error["exit_code"], error["command"]) == ("error", 2, arguments[0])


def test_each_line_of_a_message_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise InputError("a: wrong\nb: wrong")

    with prepare_log(JSON, "check"):
        assert end_with_code("everwhen", fail) == 2
    assert [entry["message"] for entry in read_log(capsys)][:2] == ["everwhen: a: wrong", "everwhen: b: wrong"]


def test_a_traceback_is_a_field(capsys: pytest.CaptureFixture[str]) -> None:
    with prepare_log(["--log-format=json"], "build"):
        assert end_with_code("everwhen", lambda: [][0]) == 70
    error, end = read_log(capsys)
    assert error["traceback"].endswith("IndexError: list index out of range\n")
    assert "traceback" not in end


def test_a_command_that_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", "--out", str(tmp_path / "world"), *JSON]) == 0
    written, end = read_log(capsys)
    assert written["message"].endswith("files written")
    assert (end["level"], end["exit_code"]) == ("info", 0)


def test_a_format_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sample", "--out", "world", "--log-format", "xml"])
    assert ended.value.code == 2
    assert "invalid choice: 'xml'" in capsys.readouterr().err
