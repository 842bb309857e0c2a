"""Each line on stderr is a JSON object, with the fields that its writer adds."""

from __future__ import annotations

import datetime as dt
import io
import json
import sys
import threading
import time

import pytest

from everwhen.core.log import JsonLog, add_log_fields, enter_stage, is_json_log, log_as_json


def read_objects(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_is_an_object_with_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    with log_as_json("build"):
        print("  entities: 812 rows", file=sys.stderr)
    (found,) = read_objects(capsys.readouterr().err)
    written = dt.datetime.fromisoformat(str(found.pop("time")))
    assert written.utcoffset() == dt.timedelta(0)
    assert found == {"level": "info", "command": "build", "message": "entities: 812 rows"}


def test_fields_are_those_of_the_lines_within(capsys: pytest.CaptureFixture[str]) -> None:
    with log_as_json("build"):
        enter_stage("facts")
        with add_log_fields(table="entities", rows=812, seconds=1.23456):
            print("one", file=sys.stderr)
        enter_stage(None)
        print("two", file=sys.stderr)
    one, two = read_objects(capsys.readouterr().err)
    assert [one[name] for name in ("stage", "table", "rows", "seconds")] == ["facts", "entities", 812, 1.235]
    assert two.keys() == {"time", "level", "command", "message"}


def test_lines_of_two_threads_are_kept_apart() -> None:
    out = io.StringIO()
    log = JsonLog(out, "build")
    barrier = threading.Barrier(2)

    def write_halves(name: str) -> None:
        with log.add_fields({"table": name}):
            log.write(f"{name} one ")
            barrier.wait()
            log.write(f"{name} two\n")

    threads = [threading.Thread(target=write_halves, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {entry["table"]: entry["message"] for entry in read_objects(out.getvalue())}
    assert found == {"a": "a one a two", "b": "b one b two"}


def test_what_is_for_terminals_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    with log_as_json("build"):
        print("\x1b[1m1/6 sources\x1b[0m\r\n\n   \nsaid „é\u2028“ \udcff", file=sys.stderr)
    assert [entry["message"] for entry in read_objects(capsys.readouterr().err)] == [
        "1/6 sources",
        "said „é\u2028“ \udcff",
    ]


def test_a_line_without_an_end_is_written_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with log_as_json("build"):
        assert is_json_log()
        print("half", end="", file=sys.stderr, flush=True)
    assert not is_json_log()
    assert read_objects(capsys.readouterr().err)[0]["message"] == "half"


def test_lines_of_text_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    enter_stage("facts")
    with add_log_fields(table="entities", seconds=time.monotonic()):
        print("  entities: 812 rows", file=sys.stderr)
    assert capsys.readouterr().err == "  entities: 812 rows\n"
