"""`kill -9` and Ctrl-C in the middle of `everwhen ask`: the same command resumes, and no answer is asked for twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from asked import write_split_dataset
from chat import answer_chats, find_prompt
from servers import Asked, FaultyServer
from tiny_dataset import SOUND

QUESTIONS = 60
THREADS = 4


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    row = SOUND["start"]
    rows = [{**row, "question_id": n, "question": f"When did war {n} start?"} for n in range(1, QUESTIONS + 1)]
    return write_split_dataset(tmp_path_factory.mktemp("killed") / "tiny", questions=rows)


@pytest.fixture
def server(faulty: Callable[..., FaultyServer]) -> FaultyServer:
    answer = answer_chats(lambda prompt: (f"Answer: {prompt.rpartition(' war ')[2]}", "stop"))

    def answer_slowly(asked: Asked) -> tuple[int, bytes]:
        if not is_complete(asked):
            return 400, b""
        time.sleep(0.03)
        return answer(asked)

    return faulty(answer_slowly)


def is_complete(asked: Asked) -> bool:
    """Whether a request came in full: its sender may have been killed."""
    return len(asked.body.encode()) == int(asked.headers["Content-Length"])


def list_prompts(server: FaultyServer) -> list[str]:
    return [find_prompt(asked) for asked in server.asked if is_complete(asked)]


def start(dataset: Path, server: FaultyServer, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "everwhen", "ask", str(dataset), "--threads", str(THREADS)]
    command += ["--base-url", server.url("/v1"), "--model", "m", "--out", str(folder / "out.jsonl")]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def count_lines(folder: Path) -> int:
    journal = folder / "out.journal.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_is_resumed(
    dataset: Path, server: FaultyServer, tmp_path: Path, how: signal.Signals
) -> None:
    first = start(dataset, server, tmp_path)
    deadline = time.monotonic() + 60
    while count_lines(tmp_path) < 15:
        assert first.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    first.send_signal(how)
    if how == signal.SIGINT:
        time.sleep(0.005)
        first.send_signal(how)  # as `timeout -s INT` does
    _, err = first.communicate(timeout=30)
    if how == signal.SIGKILL:
        assert first.returncode == -signal.SIGKILL
    else:
        assert first.returncode == 130
        assert err.startswith("everwhen: interrupted; the same command resumes")
    assert not (tmp_path / "out.jsonl").exists()
    journalled = count_lines(tmp_path)
    asked_before = len(list_prompts(server))
    assert 15 <= journalled < QUESTIONS

    second = start(dataset, server, tmp_path)
    _, err = second.communicate(timeout=60)
    assert second.returncode == 0, err
    assert len(list_prompts(server)) - asked_before == QUESTIONS - journalled
    times = Counter(list_prompts(server))
    assert len(times) == QUESTIONS
    # Of the requests that were under way no answer had come.
    assert asked_before - journalled <= (THREADS if how == signal.SIGKILL else 0)
    assert sum(times.values()) == QUESTIONS + asked_before - journalled
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["item_id"], row["response"]) for row in rows] == [
        (n, f"Answer: {n} start?") for n in range(1, QUESTIONS + 1)
    ]
