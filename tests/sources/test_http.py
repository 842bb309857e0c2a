from __future__ import annotations

import datetime as dt
import gzip
import json
from collections.abc import Callable
from email.utils import format_datetime
from types import SimpleNamespace

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

import servers
from everwhen.core.config import Pull
from everwhen.core.errors import InputError, NotNowError
from everwhen.sources.http import LARGEST_BODY, Client, RefusedError, TooLargeError, retry_after, user_agent
from servers import FaultyServer

MAXLAG = {"error": {"code": "maxlag", "info": "Waiting for 10.64.16.7: 6 seconds lagged."}}


def test_an_answer_and_what_it_was_asked_with(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_json({"b": 1})
    assert Client(pull()).json(httpserver.url_for("/a")) == {"b": 1}
    request, _ = httpserver.log[0]
    assert request.headers["User-Agent"].startswith("everwhen/")
    assert "(tests@example.org)" in request.headers["User-Agent"]


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(Response(status=429, headers={"Retry-After": "0"}), id="too-many"),
        pytest.param(Response(status=503), id="unavailable"),
        pytest.param(Response('{"items": [', content_type="application/json"), id="cut-off"),
        pytest.param(Response("<html>proxy</html>"), id="html"),
    ],
)
def test_a_request_is_made_again(httpserver: HTTPServer, pull: Callable[..., Pull], first: Response) -> None:
    httpserver.expect_ordered_request("/a").respond_with_response(first)
    httpserver.expect_ordered_request("/a").respond_with_json({"b": 1})
    assert Client(pull()).json(httpserver.url_for("/a")) == {"b": 1}


def test_maxlag_is_an_answer_with_status_200(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_ordered_request("/a").respond_with_json(MAXLAG, headers={"Retry-After": "0"})
    httpserver.expect_ordered_request("/a").respond_with_json({"b": 1})
    assert Client(pull()).json(httpserver.url_for("/a"), {"maxlag": "5"}) == {"b": 1}


def test_waits_as_long_as_it_is_told(
    httpserver: HTTPServer, pull: Callable[..., Pull], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("everwhen.sources.http.time", SimpleNamespace(sleep=waits.append))
    httpserver.expect_request("/a").respond_with_json(MAXLAG, headers={"Retry-After": "7"})
    httpserver.expect_request("/b").respond_with_data(status=500)
    client = Client(pull(attempts=4, backoff=1))
    for path in ("/a", "/b"):
        with pytest.raises(InputError, match="no answer after 4 attempts"):
            client.json(httpserver.url_for(path))
    assert waits == [7, 7, 7, 1, 2, 4]


def test_a_wait_of_hours_is_no_wait(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_data(status=429, headers={"Retry-After": "86400"})
    with pytest.raises(NotNowError, match="asks to come back in 86400 seconds"):
        Client(pull()).json(httpserver.url_for("/a"))


def test_an_answer_is_bounded_as_unpacked(faulty: Callable[..., FaultyServer], pull: Callable[..., Pull]) -> None:
    server = faulty(lambda _: (200, b"{}"))
    server.faults = [servers.bomb, servers.status(200, b"[" + b" " * LARGEST_BODY)]
    for _ in range(2):
        with pytest.raises(TooLargeError, match="/a: answers more than 64 MiB"):
            Client(pull(wiki_api=server.url("/"))).json(server.url("/a"))
    assert len(server.asked) == 2


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip, deflate", "deflate"])
def test_an_answer_is_packed_once_at_most(
    faulty: Callable[..., FaultyServer], pull: Callable[..., Pull], encoding: str
) -> None:
    server = faulty(lambda _: (200, b"{}"))
    body = gzip.compress(gzip.compress(b"{}"))
    server.faults = [servers.status(200, body, Content_Encoding=encoding)]
    assert Client(pull(wiki_api=server.url("/"))).json(server.url("/a")) == {}
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "body",
    [b'{"a": "\\ud800"}', b'{"a": NaN}', b'{"a": "\xff"}', b"[" * 100_000, b"", b'{"a": 1} {"b": 2}', b"\0"],
    ids=["half-a-character", "nan", "not-utf-8", "deep", "empty", "two", "nul"],
)
def test_what_is_no_json(faulty: Callable[..., FaultyServer], pull: Callable[..., Pull], body: bytes) -> None:
    server = faulty(lambda _: (200, b"{}"))
    server.faults = [servers.status(200, body)]
    assert Client(pull(wiki_api=server.url("/"))).json(server.url("/a")) == {}
    assert len(server.asked) == 2


@pytest.mark.parametrize("url", ["http://", "http://127.0.0.1:port/", "http://[::1", "http:///a"])
def test_an_address_that_is_none(pull: Callable[..., Pull], url: str) -> None:
    with pytest.raises(InputError, match=r"http") as error:
        Client(pull(wiki_api="http://127.0.0.1:9/")).json(url)
    assert "attempts" not in str(error.value)


def test_retry_after_takes_a_date() -> None:
    soon = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=30)
    assert 25 < (retry_after(format_datetime(soon, usegmt=True)) or 0) <= 30
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("1.5") == 1.5
    assert retry_after("soon") is None
    assert retry_after(None) is None


def test_no_server_is_one_clear_line(pull: Callable[..., Pull]) -> None:
    with pytest.raises(NotNowError, match=r"http://127\.0\.0\.1:9/: no answer after 2 attempts") as error:
        Client(pull(attempts=2, wiki_api="http://127.0.0.1:9/")).json("http://127.0.0.1:9/")
    assert "\n" not in str(error.value)


def test_a_refusal_is_not_tried_again(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_data("no", status=403)
    httpserver.expect_request("/b").respond_with_json({"error": {"code": "badvalue", "info": "no"}})
    for path in ("/a", "/b"):
        with pytest.raises(RefusedError):
            Client(pull()).json(httpserver.url_for(path))
    assert len(httpserver.log) == 2


def test_what_a_server_says_cannot_steer_a_terminal(
    faulty: Callable[..., FaultyServer], pull: Callable[..., Pull]
) -> None:
    error = {"code": "no\x1b[2J", "info": "one\ntwo\u202e\x07" + "x" * 1000}
    server = faulty(lambda _: (200, json.dumps({"error": error}).encode()))
    server.faults = [servers.status(418, b"\x1b]0;title\x07\nTea\xff\x00" + b"x" * 1000)]
    for said in (r"status 418: \]0;title Tea\ufffd x+$", r"the API answers no \[2J: one two x+$"):
        with pytest.raises(RefusedError, match=said) as refused:
            Client(pull(wiki_api=server.url("/"))).json(server.url("/a"))
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 300


def test_not_found_is_an_answer(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_json({"title": "Not found."}, status=404)
    assert Client(pull()).json(httpserver.url_for("/a")) is None


@pytest.mark.parametrize("host", ["en.wikipedia.org", "query.wikidata.org", "wikimedia.org"])
def test_wikimedia_is_not_asked_without_a_contact(host: str) -> None:
    with pytest.raises(InputError, match=r"pull\.contact"):
        user_agent(Pull(), f"https://{host}/w/api.php")
    assert "(me)" in user_agent(Pull(contact="me"), f"https://{host}/w/api.php")


def test_other_hosts_need_no_contact() -> None:
    assert user_agent(Pull(), "http://notwikipedia.org/").startswith("everwhen/")


@pytest.mark.parametrize("url", ["ftp://a/b", "file:///etc/passwd", "a/b", ""])
def test_only_http(url: str) -> None:
    with pytest.raises(InputError, match="http"):
        Client(Pull(contact="me")).json(url)
