"""One fault, one exit code, in every command and job."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from everwhen.cli.main import COMMANDS, main
from everwhen.cli.outcome import build_interrupt_handler, end_with_code
from everwhen.core.errors import MEANINGS, ExitCode, InputError, MachineFailed, NotNowError, ValidationFailed

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from everwhen.cli.outcome import end_with_code

def say():
    {body}

sys.exit(end_with_code('everwhen', say))
"""


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValidationFailed("a row"), 1),
        (InputError("a key"), 2),
        (FileNotFoundError(2, "No such file or directory", "x"), 2),
        (PermissionError(13, "Permission denied", "x"), 2),
        (NotNowError("later"), 3),
        (MachineFailed("full"), 3),
        (OSError(28, "No space left on device", "x"), 3),
        (BrokenPipeError(32, "Broken pipe"), 3),  # of a socket: stdout is open
        (ValueError("a bug"), 70),
    ],
    ids=repr,
)
def test_an_error_has_one_exit_code(capsys: pytest.CaptureFixture[str], error: Exception, code: int) -> None:
    def fail() -> None:
        raise error

    assert end_with_code("everwhen", fail) == code
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("everwhen: ")
    assert len(lines) == 1 or code == 70


def test_each_line_of_a_message_names_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise InputError("a: wrong\nb: wrong")

    end_with_code("everwhen world", fail)
    assert capsys.readouterr().err == "everwhen world: a: wrong\neverwhen world: b: wrong\n"


def test_an_unexpected_error_shows_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert end_with_code("everwhen", lambda: 1 // 0) == ExitCode.BUG
    message = capsys.readouterr().err
    assert message.startswith("everwhen: an error that nobody expected, please report it: ZeroDivisionError: ")
    assert "Traceback" in message


def run_code(code: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", f"import sys\nfrom everwhen.cli.outcome import end_with_code\n{code}"],
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


def test_a_second_interrupt_within_a_second_is_part_of_the_first() -> None:
    times = iter([5.0, 5.0, 5.2, 5.9, 6.0, 6.0])
    interrupt = build_interrupt_handler(lambda: next(times))
    with pytest.raises(KeyboardInterrupt):
        interrupt(2, None)
    interrupt(2, None)
    interrupt(15, None)
    with pytest.raises(KeyboardInterrupt):
        interrupt(2, None)


def test_an_ignored_interrupt_stays_ignored() -> None:
    code = "import os\nsys.exit(end_with_code('e', lambda: os.kill(os.getpid(), 2)))"
    assert run_code(f"import signal\nsignal.signal(2, signal.SIG_IGN)\n{code}").returncode == 0
    assert run_code(code).returncode == 130


def test_control_characters_are_escaped() -> None:
    run = run_code("sys.exit(end_with_code('e', lambda: print('B\u0103lăneşti')))", PYTHONIOENCODING="latin1")
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout == b"B\\u0103l\\u0103ne\\u015fti\n"


@pytest.mark.parametrize("output", ["print", "Console().print"])
def test_a_closed_pipe_ends_quietly(output: str) -> None:
    code = (
        "import sys\nfrom rich.console import Console\nfrom everwhen.cli.outcome import end_with_code\n"
        f"def say():\n    for number in range(20_000):\n        {output}(number)\n"
        "sys.exit(end_with_code('everwhen', say))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout
        assert run.stderr
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 0


@pytest.mark.parametrize("stderr", ["/dev/full", "closed pipe", "closed"])
@pytest.mark.parametrize(
    ("body", "code"), [("print('a', file=sys.stderr)", 0), ("open('none')", 2)], ids=["done", "input"]
)
def test_a_closed_stderr_does_not_change_the_exit_code(stderr: str, body: str, code: int) -> None:
    to = {"/dev/full": "2>/dev/full", "closed pipe": "2> >(true)", "closed": "2>&-"}[stderr]
    command = ["bash", "-c", f'"$0" -c "$1" {to}', sys.executable, PROGRAM.format(body=body)]
    run = subprocess.run(command, capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (code, b"")


def test_a_command_runs_without_stdout() -> None:
    command = ["bash", "-c", '"$0" -c "$1" >&-', sys.executable, PROGRAM.format(body="print(1)")]
    run = subprocess.run(command, capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_s_help_has_an_example_and_the_exit_codes(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    message = capsys.readouterr().out
    assert f"\n  everwhen {command} " in message.split("\nexample:")[1]
    assert "\nexit codes:\n" in message
    assert "--quiet" in message


def test_exit_codes_are_documented() -> None:
    text = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert all(f"\n| {int(code)} | {meaning} |" in text for code, meaning in MEANINGS.items())
    assert set(MEANINGS) == set(ExitCode)


def test_the_package_runs_as_the_command() -> None:
    run = subprocess.run([sys.executable, "-m", "everwhen", "-V"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("everwhen ")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_knows_the_commands(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", shell]) == 0
    message = capsys.readouterr().out
    assert all(command in message for command in COMMANDS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "--config", "x", "--out", ""],
        ["verify", "x", "--threads", "1000"],
        ["verify", "x", "--memory", "8"],
        ["sample", "--out", " "],
    ],
    ids=" ".join,
)
def test_arguments_out_of_range_are_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "expected, not" in capsys.readouterr().err


def test_a_file_as_output_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for command in (["build", "--config", str(ROOT / "configs" / "demo.yaml")], ["sample"]):
        assert main([*command, "--out", str(tmp_path / "file")]) == 2
        assert "file: is a file; the name of a " in capsys.readouterr().err


def test_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    assert main(["sample", "--quiet", "--out", str(tmp_path)]) == 0
    assert any(tmp_path.iterdir())
