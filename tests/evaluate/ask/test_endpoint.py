"""Endpoints that misbehave, on loopback: what comes of each fault, and who sees the key."""

from __future__ import annotations

import json
import logging
import socket
import time
import traceback
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import servers
from chat import answer_chats, answer_with, build_completion, busy_for_a_second, keep_silent
from everwhen.core.answers import TooLargeError
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.retries import RefusedError, RetryPolicy
from everwhen.evaluate.ask.endpoint import RESOURCE, Endpoint, Model
from everwhen.evaluate.model_api import UnusableError, UnusableNowError, locate_resource
from servers import Asked, Fault, FaultyServer

MODEL = Model("rules", {"temperature": 0.0, "max_tokens": 64})
PROMPT = [{"role": "user", "content": "When did Erich Kästner die?"}]
GOOD = "1974-07-29"
KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server(faulty: Callable[..., FaultyServer]) -> FaultyServer:
    return faulty(answer_chats(lambda _: (GOOD, "stop")))


def build_endpoint(server: FaultyServer, timeout: float = 5.0, attempts: int = 3, **more: Any) -> Endpoint:
    return Endpoint(server.url("/v1"), MODEL, RetryPolicy(attempts, 0.01), timeout, **more)


def test_what_is_posted(server: FaultyServer) -> None:
    completion = build_endpoint(server).ask(PROMPT)
    (asked,) = server.asked
    assert json.loads(asked.body) == {"model": "rules", "messages": PROMPT, "temperature": 0.0, "max_tokens": 64}
    assert (completion.response, completion.finish_reason, completion.model) == (GOOD, "stop", "rules")
    assert completion.usage["total_tokens"] == 9
    assert 0 < completion.latency < 5


TIMED_OUT = b"<!DOCTYPE html><html><head><title>api.example | 524: A timeout occurred</title></head>"
OVERLOADED = b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'
BROKEN_OFF = [{"message": {"content": "Ans"}, "error": {"code": 502, "message": "Provider returned error"}}]
QUOTA = b"""{"error": {"message": "You exceeded your current quota.", "type": "insufficient_quota",
               "code": "insufficient_quota"}}"""


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(busy_for_a_second, id="429-with-a-date"),
        pytest.param(servers.status(500, b"error"), id="500"),
        pytest.param(servers.status(524, TIMED_OUT), id="524-of-a-proxy"),
        pytest.param(servers.status(529, OVERLOADED), id="529"),
        pytest.param(servers.html, id="200-with-html"),
        pytest.param(answer_with(build_completion(None, choices=[])), id="empty-choices"),
        pytest.param(answer_with(build_completion("Ans", "error")), id="finish-reason-error"),
        pytest.param(answer_with(build_completion("Ans", choices=BROKEN_OFF)), id="error-in-a-choice"),
        pytest.param(servers.cut_json, id="cut-json"),
        pytest.param(servers.reset, id="hang-up"),
        pytest.param(servers.cut_length, id="hang-up-half-way"),
    ],
)
def test_a_fault_that_passes(server: FaultyServer, fault: Fault) -> None:
    server.faults = [fault]
    assert build_endpoint(server).ask(PROMPT).response == GOOD
    assert len(server.asked) == 2


@pytest.mark.parametrize("fault", [servers.drip, keep_silent])
def test_an_answer_that_never_ends_is_given_up(server: FaultyServer, fault: Fault) -> None:
    server.faults = [fault]
    assert build_endpoint(server, timeout=0.5, attempts=9).ask(PROMPT).response == GOOD


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        pytest.param(servers.status(500, b"error"), "status 500: error", id="500"),
        pytest.param(servers.status(524, TIMED_OUT), r"524: api.example \| 524: A timeout occurred$", id="524"),
        pytest.param(servers.status(529, OVERLOADED), "status 529: Overloaded$", id="529"),
        pytest.param(servers.status(429, b'{"detail": "Slow down"}'), "status 429: Slow down$", id="429"),
        pytest.param(servers.html, "no JSON: <!DOCTYPE html>", id="200-with-html"),
        pytest.param(answer_with(build_completion(None, choices=[])), "an answer without choices", id="empty-choices"),
        pytest.param(servers.cut_json, "an answer that is cut off", id="cut-json"),
        pytest.param(servers.drip, "no complete answer within 0.3 seconds", id="drip"),
        pytest.param(servers.reset, "reset", id="hang-up"),
        pytest.param(keep_silent, r"no complete answer within 0.3 seconds|timed? ?out", id="silence"),
    ],
)
def test_a_fault_that_stays(server: FaultyServer, fault: Fault, why: str) -> None:
    server.always = fault
    with pytest.raises(NotNowError, match=rf"no answer after 2 attempts: .*({why})"):
        build_endpoint(server, timeout=0.3, attempts=2).ask(PROMPT)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        pytest.param(servers.status(429, QUOTA), r"You exceeded your current quota\.", id="429"),
        pytest.param(servers.status(403, QUOTA), r"You exceeded your current quota\.", id="403"),
        pytest.param(servers.status(402, b'{"error": {"message": "No credits"}}'), "No credits", id="402"),
        pytest.param(answer_with(QUOTA), r"You exceeded your current quota\.", id="200"),
    ],
)
def test_a_used_up_quota_is_not_asked_again(server: FaultyServer, fault: Fault, why: str) -> None:
    server.always = fault
    with pytest.raises(UnusableNowError, match=rf"^the quota is used up; raise it, then repeat the command: {why}$"):
        build_endpoint(server).ask(PROMPT)
    assert len(server.asked) == 1


def test_a_rate_limit_is_no_used_up_quota(server: FaultyServer) -> None:
    server.faults = [servers.status(429, b'{"error": {"message": "Current quota", "type": "rate_limit_exceeded"}}')]
    assert build_endpoint(server).ask(PROMPT).response == GOOD


def find_closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("everwhen.core.retries.time", SimpleNamespace(sleep=waits.append))
    endpoint = Endpoint(f"http://127.0.0.1:{find_closed_port()}/v1", MODEL)
    with pytest.raises(UnusableNowError, match=r"no connection: .*Connection refused; start the server, or"):
        endpoint.ask(PROMPT)
    assert waits == [1, 2]


def test_a_server_that_goes_away_is_waited_for(server: FaultyServer) -> None:
    endpoint = build_endpoint(server, attempts=4)
    assert endpoint.ask(PROMPT).response == GOOD
    server.stop()
    with pytest.raises(NotNowError, match=r"no answer after 4 attempts: .*refused") as error:
        endpoint.ask(PROMPT)
    assert not isinstance(error.value, UnusableError)


def test_half_an_emoji_is_replaced(server: FaultyServer) -> None:
    server.faults = [answer_with(build_completion("Answer: Cher \ud83d", "length"))]
    completion = build_endpoint(server).ask(PROMPT)
    assert (completion.response, completion.finish_reason) == ("Answer: Cher \ufffd", "length")
    assert len(server.asked) == 1


def test_the_time_of_a_retry_is_that_of_the_server(server: FaultyServer) -> None:
    server.faults = [busy_for_a_second]
    began = time.monotonic()
    completion = build_endpoint(server).ask(PROMPT)
    assert time.monotonic() - began >= 0.9
    assert completion.latency < 0.9


def test_null_content_with_reasoning_is_no_response(server: FaultyServer) -> None:
    message = {"role": "assistant", "content": None, "reasoning_content": "It was in Munich, in 1974."}
    choices = [{"message": message, "finish_reason": "length"}]
    server.always = answer_with(build_completion(None, choices=choices))
    completion = build_endpoint(server).ask(PROMPT)
    assert (completion.response, completion.finish_reason) == (None, "length")
    assert completion.reasoning == "It was in Munich, in 1974."
    assert len(server.asked) == 1


def test_a_redirect_elsewhere_is_not_followed(server: FaultyServer) -> None:
    server.faults = [servers.redirect(307, "http://elsewhere.example/v1/chat/completions")]
    with pytest.raises(RefusedError, match=r"leads to .*elsewhere\.example.* is not asked: --base-url names 127\.0"):
        build_endpoint(server).ask(PROMPT)
    assert len(server.asked) == 1


def test_a_huge_body_is_not_read_to_its_end(server: FaultyServer) -> None:
    server.faults = [answer_with(b" " * (9 << 20))]
    with pytest.raises(TooLargeError, match="answers more than 8 MiB"):
        build_endpoint(server).ask(PROMPT)


def test_another_model_is_reported(server: FaultyServer) -> None:
    server.always = answer_with(build_completion(GOOD, model="rules-2026-11", id="chatcmpl-0"))
    assert build_endpoint(server).ask(PROMPT).model == "rules-2026-11"


def test_an_endpoint_that_asks_for_a_key(server: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.always = servers.status(401, b'{"error": {"message": "no key"}}')
    monkeypatch.delenv("EVERWHEN_API_KEY", raising=False)
    with pytest.raises(UnusableError, match=r"^the endpoint asks for a key; set the environment variable EVERWHEN_"):
        build_endpoint(server).ask(PROMPT)
    monkeypatch.setenv("OTHER_KEY", KEY)
    with pytest.raises(UnusableError, match=r"^the endpoint refuses the key in OTHER_KEY") as error:
        build_endpoint(server, key_variable="OTHER_KEY").ask(PROMPT)
    assert KEY not in str(error.value)
    assert [asked.headers.get("Authorization") for asked in server.asked] == [None, f"Bearer {KEY}"]


def test_an_unknown_model(server: FaultyServer) -> None:
    server.always = servers.status(404, b'{"error": {"message": "The model rules does not exist"}}')
    with pytest.raises(UnusableError, match=r"The model rules does not exist.*; check --base-url and --model$"):
        build_endpoint(server).ask(PROMPT)


def test_a_prompt_that_is_refused(server: FaultyServer) -> None:
    server.always = servers.status(400, b'{"error": {"message": "too many tokens"}}')
    with pytest.raises(RefusedError, match=r"status 400: .*too many tokens") as error:
        build_endpoint(server).ask(PROMPT)
    assert not isinstance(error.value, UnusableError)
    assert len(server.asked) == 1


def test_no_error_log_or_answer_shows_the_key(
    faulty: Callable[..., FaultyServer], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def repeat_header(asked: Asked) -> tuple[int, bytes]:
        return 200, build_completion(f"You sent {asked.headers['Authorization']}", model=KEY)

    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("EVERWHEN_API_KEY", KEY)
    server = faulty(repeat_header)
    endpoint = build_endpoint(server, attempts=2)
    assert endpoint.ask(PROMPT).response == "You sent Bearer ***"
    server.faults = [answer_with(build_completion(KEY, KEY).replace(b"sk-", b"sk\\u002d"))]
    assert endpoint.ask(PROMPT).response == "***"
    for code in (400, 401, 404, 500):
        server.always = servers.status(code, f"Wrong key: {KEY}".encode())
        with pytest.raises(InputError) as error:
            endpoint.ask(PROMPT)
        assert KEY not in "".join(traceback.format_exception(error.value))
    assert KEY not in caplog.text
    assert KEY not in repr(vars(endpoint))


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1/chat/completions"),
        ("https://api.example.org/v1/ ", "https://api.example.org/v1/chat/completions"),
        ("https://api.example.org/v1/chat/completions", "https://api.example.org/v1/chat/completions"),
        ("https://api.example.org", "https://api.example.org/chat/completions"),
        ("https://api.example.org/v1?api-version=2", "https://api.example.org/v1/chat/completions?api-version=2"),
    ],
)
def test_the_address_that_is_asked(base_url: str, url: str) -> None:
    assert locate_resource(base_url, RESOURCE) == url


@pytest.mark.parametrize("base_url", ["localhost:8000/v1", "", "ftp://example.org", "http://[", "http://a:b@c/v1"])
def test_an_address_that_cannot_be_asked(base_url: str) -> None:
    with pytest.raises(InputError) as error:
        Endpoint(base_url, MODEL)
    assert "a:b" not in str(error.value)


def test_a_key_is_not_sent_over_plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVERWHEN_API_KEY", KEY)
    with pytest.raises(InputError, match="the key is sent by https alone"):
        Endpoint("http://models.example.org/v1", MODEL)
