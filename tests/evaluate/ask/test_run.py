"""Many prompts side by side: each is asked once, and faults end a run or do not."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import servers
from chat import answer_chats, answer_with, build_completion, busy_for_a_second, find_prompt, keep_silent
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.retries import RefusedError, RetryPolicy
from everwhen.evaluate.ask.completion import Completion
from everwhen.evaluate.ask.endpoint import Endpoint, Model
from everwhen.evaluate.ask.journal import open_journal, read_journal
from everwhen.evaluate.ask.run import MAX_FAILURES, ask_all
from everwhen.evaluate.messages import Message
from everwhen.evaluate.model_api import UnusableError
from servers import Asked, FaultyServer

PROMPTS = {str(number): [{"role": "user", "content": f"Question {number}?"}] for number in range(40)}


@pytest.fixture
def server(faulty: Callable[..., FaultyServer]) -> FaultyServer:
    return faulty(answer_chats(lambda prompt: (prompt.upper(), "stop")))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def build_endpoint(server: FaultyServer, attempts: int = 1) -> Endpoint:
    return Endpoint(server.url("/v1"), Model("m"), RetryPolicy(attempts, 0.01), 5)


def run(server: FaultyServer, path: Path, prompts: dict[str, Any] = PROMPTS, **more: Any) -> dict[str, str]:
    with open_journal(path) as journal:
        return ask_all(prompts, build_endpoint(server).ask, journal, **more)


def count_asked(asked: Sequence[Asked]) -> Counter[str]:
    return Counter(find_prompt(request) for request in asked)


@pytest.mark.parametrize(
    ("finish_reason", "advice"), [("length", "give a greater --max-tokens"), ("stop", "check the model and its chat")]
)
def test_twenty_answers_without_text_warn_once(
    faulty: Callable[..., FaultyServer], path: Path, finish_reason: str, advice: str
) -> None:
    server, warnings = faulty(answer_chats(lambda prompt: ("", finish_reason))), list[str]()
    assert run(server, path, warn=warnings.append) == {}
    assert len(server.asked) == len(PROMPTS)
    (warning,) = warnings
    assert f"20 answers in a row have no text (finish reason {finish_reason}): " in warning
    assert advice in warning
    assert "the run continues" in warning


def test_a_text_between_empty_answers_is_no_reason_to_warn(faulty: Callable[..., FaultyServer], path: Path) -> None:
    server, warnings = faulty(answer_chats(lambda prompt: ("x" if "9" in prompt else None, "stop"))), list[str]()
    assert run(server, path, warn=warnings.append, threads=1) == {}
    assert warnings == []


def test_each_prompt_is_asked_once(server: FaultyServer, path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    assert run(server, path, report=lambda *step: seen.append(step)) == {}
    assert seen == [("", done, 40) for done in range(41)]
    assert {key: answer.response for key, answer in read_journal(path).items()} == {
        key: f"QUESTION {key}?" for key in PROMPTS
    }
    assert set(count_asked(server.asked).values()) == {1}


def test_what_is_in_the_journal_is_not_asked(server: FaultyServer, path: Path) -> None:
    run(server, path, {key: PROMPTS[key] for key in ("3", "5")})
    seen: list[tuple[str, int, int]] = []
    run(server, path, report=lambda *step: seen.append(step))
    assert seen[0] == ("", 2, 40)
    assert set(count_asked(server.asked).values()) == {1}
    assert len(server.asked) == 40
    run(server, path)
    assert len(server.asked) == 40


NO_CONTENT = [{"message": {"content": None, "reasoning": "Hm."}, "finish_reason": "length"}]
TWELVE_FAULTS = (
    busy_for_a_second,
    servers.status(500),
    servers.html,
    answer_with(build_completion(None, choices=[])),
    answer_with(build_completion(None, choices=NO_CONTENT)),
    servers.cut_json,
    servers.drip,
    servers.reset,
    servers.redirect(307, "http://elsewhere.example/v1"),
    answer_with(b" " * (9 << 20)),
    answer_with(build_completion("QUESTION?", model="another", id="chatcmpl-another")),
    keep_silent,
)


def test_one_run_through_all_faults(server: FaultyServer, path: Path) -> None:
    server.faults = [fault for pair in zip(TWELVE_FAULTS, [None] * 12, strict=True) for fault in pair]
    endpoint = Endpoint(server.url("/v1"), Model("m"), RetryPolicy(3, 0.01), 1.5)
    with open_journal(path) as journal:
        failures = ask_all(PROMPTS, endpoint.ask, journal, threads=1)
        assert [why.rpartition("; ")[2].rpartition(": ")[2] for why in failures.values()] == [
            "name that address in --base-url if you trust it",
            "answers more than 8 MiB",
        ]
        # A good answer follows each fault: to the same prompt where the fault passes, else to the next.
        assert len(server.asked) == len(PROMPTS) + 8
        assert ask_all(PROMPTS, endpoint.ask, journal, threads=1) == {}
    answers = read_journal(path)
    assert answers.keys() == PROMPTS.keys()
    assert sum(answer.response is None for answer in answers.values()) == 1
    assert {answer.model for answer in answers.values()} == {"rules", "another"}
    assert len(server.asked) == len(PROMPTS) + 10


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_are_bounded(path: Path, threads: int) -> None:
    here, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(threads)

    class Counting:
        def ask(self, messages: Sequence[Message]) -> Completion:
            nonlocal here, most
            with lock:
                here += 1
                most = max(most, here)
            together.wait(5)  # so many are under way at the same time
            with lock:
                here -= 1
            return Completion("x", "stop", "m", {})

    with open_journal(path) as journal:
        ask_all({key: PROMPTS[key] for key in list(PROMPTS)[:12]}, Counting().ask, journal, threads=threads)
    assert most == threads


def test_a_prompt_that_is_refused_is_reported_and_asked_again(server: FaultyServer, path: Path) -> None:
    server.faults = [None, servers.status(400, b"too many tokens"), None, servers.status(413)]
    seen: list[tuple[str, int, int]] = []
    failures = run(server, path, threads=1, report=lambda *step: seen.append(step))
    assert failures.keys() == {"1", "3"}
    assert seen[-1] == ("2 failed", 40, 40)
    assert "status 400: too many tokens" in failures["1"]
    assert read_journal(path).keys() == PROMPTS.keys() - failures.keys()
    assert run(server, path) == {}
    assert len(server.asked) == 42


@pytest.mark.parametrize(
    ("status", "error"),
    [pytest.param(400, RefusedError, id="refused"), pytest.param(500, NotNowError, id="not-now")],
)
def test_faults_one_after_the_other_end_the_run(
    server: FaultyServer, path: Path, status: int, error: type[InputError]
) -> None:
    server.always = servers.status(status)
    with pytest.raises(error, match=f"^10 prompts, one after the other, got no answer; the last: http.*{status}"):
        run(server, path, threads=1)
    assert len(server.asked) in (MAX_FAILURES, MAX_FAILURES + 1)  # the next may be under way


@pytest.mark.parametrize("status", [400, 500])
def test_a_run_that_ends_early_keeps_its_answers(server: FaultyServer, path: Path, status: int) -> None:
    warnings = list[str]()
    server.faults = [None] * 5
    server.always = servers.status(status)
    failures = run(server, path, threads=1, warn=warnings.append)
    assert read_journal(path).keys() == PROMPTS.keys() - failures.keys() == set("01234")
    assert [re.search(str(status), why) is None for why in failures.values()].count(False) == MAX_FAILURES
    assert set(list(failures.values())[MAX_FAILURES:]) == {"not asked"}
    assert re.fullmatch(
        r"10 prompts, .* got no answer; the last: .*; the run ends, and its answers are kept", warnings[0]
    )
    assert len(server.asked) - 5 in (MAX_FAILURES, MAX_FAILURES + 1)


def test_a_run_without_any_answer_is_refused(server: FaultyServer, path: Path) -> None:
    server.always = servers.status(400)
    with pytest.raises(RefusedError, match=r"^no prompt got an answer; the last: http.*400"):
        run(server, path, {"3": PROMPTS["3"], "5": PROMPTS["5"]})


def test_an_unusable_endpoint_ends_the_run(server: FaultyServer, path: Path) -> None:
    server.always = servers.status(401)
    with pytest.raises(UnusableError, match="asks for a key"):
        run(server, path, threads=1)
    assert len(server.asked) == 1


@pytest.mark.parametrize("threads", [1, 4])
def test_a_used_up_quota_ends_the_run(server: FaultyServer, path: Path, threads: int) -> None:
    server.always = servers.status(429, b'{"error": {"message": "Used up.", "code": "insufficient_quota"}}')
    with pytest.raises(NotNowError, match=r"^the quota is used up; .*: Used up\.$"):
        run(server, path, threads=threads)
    assert len(server.asked) <= threads


@pytest.mark.parametrize("threads", [1, 4])
def test_a_quota_that_is_used_up_in_a_run_ends_it(server: FaultyServer, path: Path, threads: int) -> None:
    warnings = list[str]()
    server.faults = [None] * 5
    server.always = servers.status(402, b"Used up.")
    failures = run(server, path, threads=threads, warn=warnings.append)
    assert len(read_journal(path)) == 5
    assert len(failures) == len(PROMPTS) - 5
    assert "Used up.; the run ends" in warnings[0]
    assert len(server.asked) <= 5 + threads


def test_what_an_error_has_ended_is_asked_again(server: FaultyServer, path: Path) -> None:
    run(server, path, {"3": PROMPTS["3"]})
    path.write_text(path.read_text().replace('"stop"', '"error"'))
    assert run(server, path, {"3": PROMPTS["3"]}) == {}
    assert [len(server.asked), read_journal(path)["3"].finish_reason] == [2, "stop"]


def test_a_full_disk_ends_the_run(server: FaultyServer, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("everwhen.evaluate.append_only.os.write", refuse)
    with pytest.raises(OSError, match="No space left"):
        run(server, path, threads=1)
    assert len(server.asked) == 1


def test_an_interrupted_run_keeps_what_is_under_way(path: Path) -> None:
    asked: list[str] = []
    begun, interrupted = threading.Event(), threading.Event()

    class Slow:
        def ask(self, messages: Sequence[Message]) -> Completion:
            asked.append(messages[0]["content"])
            begun.set()
            assert interrupted.wait(5)
            return Completion("x", "stop", "m", {})

    def interrupt(stage: str, done: int, of: int) -> None:
        begun.wait(5)
        interrupted.set()
        raise KeyboardInterrupt

    with open_journal(path) as journal, pytest.raises(KeyboardInterrupt):
        ask_all(PROMPTS, Slow().ask, journal, threads=2, report=interrupt)
    assert len(read_journal(path)) == len(asked) < 10
