"""The client against real servers on loopback, good ones and faulty ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

import servers
from everwhen.core.answers import MAX_BODY_BYTES, TooLargeError
from everwhen.core.errors import InputError, NotNowError
from everwhen.core.http import Client
from everwhen.core.retries import IncompleteError, RefusedError, RetryPolicy
from servers import Asked, FaultyServer, fetch_json

HERE = "127.0.0.1"


def client(hosts: tuple[str, ...] = (HERE, "localhost"), attempts: int = 3, **more: Any) -> Client:
    """A client with quick retries."""
    return Client(hosts, **{"policy": RetryPolicy(attempts, 0.01), "timeout": 5.0, **more})


def good(_: Asked) -> tuple[int, bytes]:
    return 200, b"{}"


def test_an_answer_and_what_it_was_asked_with(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/a").respond_with_json({"b": 1})
    assert fetch_json(client(), httpserver.url_for("/a")) == {"b": 1}
    request, _ = httpserver.log[0]
    assert request.method == "GET"
    assert request.headers["User-Agent"].startswith("everwhen/")


def test_a_value_is_posted_as_json(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(good)
    server.faults = [servers.status(503), servers.redirect(307, "/b")]
    value = {"prompt": "Who was née Çelik?", "stop": ["\n"], "half": "\ud800", "n": 0}
    assert fetch_json(client(), server.url("/a"), body=value) == {}
    assert [(asked.method, asked.path) for asked in server.asked] == [("POST", "/a"), ("POST", "/a"), ("POST", "/b")]
    assert all(json.loads(asked.body) == value for asked in server.asked)
    assert all(asked.headers["Content-Type"] == "application/json" for asked in server.asked)


def test_nan_is_not_posted() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        client().ask("http://127.0.0.1:9/", body={"temperature": float("nan")})


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(Response(status=429, headers={"Retry-After": "0"}), id="too-many"),
        pytest.param(Response(status=503), id="unavailable"),
        pytest.param(Response('{"items": [', content_type="application/json"), id="cut-off"),
        pytest.param(Response("<html>proxy</html>"), id="html"),
    ],
)
def test_a_request_is_made_again(httpserver: HTTPServer, first: Response) -> None:
    httpserver.expect_ordered_request("/a").respond_with_response(first)
    httpserver.expect_ordered_request("/a").respond_with_json({"b": 1})
    assert fetch_json(client(), httpserver.url_for("/a")) == {"b": 1}


def test_waits_as_long_as_the_server_asks(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("everwhen.core.retries.time", SimpleNamespace(sleep=waits.append))
    httpserver.expect_request("/a").respond_with_data(status=503, headers={"Retry-After": "7"})
    httpserver.expect_request("/b").respond_with_data(status=500)
    patient = client(policy=RetryPolicy(4, 1))
    for path in ("/a", "/b"):
        with pytest.raises(InputError, match="no answer after 4 attempts"):
            fetch_json(patient, httpserver.url_for(path))
    assert waits == [7, 7, 7, 1, 2, 4]


def test_a_wait_of_hours_is_no_wait(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/a").respond_with_data(status=429, headers={"Retry-After": "86400"})
    with pytest.raises(NotNowError, match="asks to come back in 86400 seconds"):
        fetch_json(client(), httpserver.url_for("/a"))


def test_an_answer_is_bounded_as_unpacked(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(good)
    server.faults = [servers.bomb, servers.status(200, b"[" + b" " * MAX_BODY_BYTES)]
    for _ in range(2):
        with pytest.raises(TooLargeError, match="/a: answers more than 64 MiB"):
            fetch_json(client(), server.url("/a"))
    assert len(server.asked) == 2


def test_the_caller_bounds_an_answer(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/a").respond_with_data(b"[" + b" " * (1 << 20) + b"]")
    with pytest.raises(TooLargeError, match="/a: answers more than 1 MiB"):
        fetch_json(client(largest_body=1 << 20), httpserver.url_for("/a"))


def test_a_late_answer_costs_no_later_one(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(good)
    server.faults = [servers.drip, servers.drip_headers]
    hasty = client(timeout=0.3)
    for _ in range(2):
        with pytest.raises(IncompleteError, match=r"no complete answer within 0\.3 seconds"):
            hasty.ask(server.url("/a"))
    assert fetch_json(hasty, server.url("/a")) == {}


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip, deflate", "deflate"])
def test_an_answer_is_packed_once_at_most(faulty: Callable[..., FaultyServer], encoding: str) -> None:
    server = faulty(good)
    body = gzip.compress(gzip.compress(b"{}"))
    server.faults = [servers.status(200, body, Content_Encoding=encoding)]
    assert fetch_json(client(), server.url("/a")) == {}
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "body",
    [b'{"a": NaN}', b'{"a": "\xff"}', b"[" * 100_000, b"", b'{"a": 1} {"b": 2}', b"\0"],
    ids=["nan", "not-utf-8", "deep", "empty", "two", "nul"],
)
def test_what_is_no_json(faulty: Callable[..., FaultyServer], body: bytes) -> None:
    server = faulty(good)
    server.faults = [servers.status(200, body)]
    assert fetch_json(client(), server.url("/a")) == {}
    assert len(server.asked) == 2


@pytest.mark.parametrize("url", ["http://", "http://127.0.0.1:port/", "http://[::1", "http:///a"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InputError, match=r"http") as error:
        fetch_json(client(), url)
    assert "attempts" not in str(error.value)


def test_no_server_is_one_clear_line() -> None:
    with pytest.raises(NotNowError, match=r"http://127\.0\.0\.1:9/: no answer after 2 attempts") as error:
        fetch_json(client(attempts=2), "http://127.0.0.1:9/")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("status", [400, 403, 404])
def test_a_refusal_is_not_tried_again(httpserver: HTTPServer, status: int) -> None:
    httpserver.expect_request("/a").respond_with_data("no", status=status)
    with pytest.raises(RefusedError, match=f"/a: status {status}: no") as refused:
        fetch_json(client(), httpserver.url_for("/a"))
    assert (refused.value.status, len(httpserver.log)) == (status, 1)


def test_a_text_of_the_server_cannot_steer_a_terminal(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(good)
    server.faults = [servers.status(418, b"\x1b]0;title\x07\nTea\xff\x00" + b"x" * 1000)]
    with pytest.raises(RefusedError, match=r"status 418: \]0;title Tea\ufffd x+$") as refused:
        fetch_json(client(), server.url("/a"))
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


def test_threads_share_a_client_and_no_connection(httpserver: HTTPServer) -> None:
    shared, together = client(), Barrier(8)
    httpserver.expect_request("/a").respond_with_json({"b": 1})

    def ask(_: int) -> tuple[Any, int]:
        together.wait(10)
        answers = [fetch_json(shared, httpserver.url_for("/a")) for _ in range(3)]
        return answers, id(shared._connections.find_session())

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert all(answers == [{"b": 1}] * 3 for answers, _ in found)
    assert len({session for _, session in found}) == 8


def test_an_answer_is_streamed_and_its_redirects_followed(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(lambda _: (200, b"x" * 100_000))
    server.faults = [servers.redirect(302, "/there"), servers.redirect(301, server.url("/last"))]
    with client().stream(server.url("/a"), {"Range": "bytes=0-"}) as answer:
        assert (answer.status_code, len(answer.raw.read())) == (200, 100_000)
    assert [asked.path for asked in server.asked] == ["/a", "/there", "/last"]
    assert all(asked.headers["Range"] == "bytes=0-" for asked in server.asked)
