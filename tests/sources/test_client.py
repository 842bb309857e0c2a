"""What the client of the pulls adds: who asks, and how Wikimedia's APIs answer."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from pytest_httpserver import HTTPServer

import servers
from everwhen.core import progress
from everwhen.core.config import Pull
from everwhen.core.errors import InputError
from everwhen.core.retries import RefusedError
from everwhen.sources.client import build_user_agent, fetch_api_json, open_client, track_progress
from servers import FaultyServer, fetch_json

MAXLAG = {"error": {"code": "maxlag", "info": "Waiting for 10.64.16.7: 6 seconds lagged."}}


def test_a_request_names_its_contact(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_json({"b": 1})
    assert fetch_api_json(open_client(pull()), httpserver.url_for("/a")) == {"b": 1}
    request, _ = httpserver.log[0]
    assert request.headers["User-Agent"].startswith("everwhen/")
    assert "(tests@example.org)" in request.headers["User-Agent"]


def test_maxlag_is_an_answer_with_status_200(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_ordered_request("/a").respond_with_json(MAXLAG, headers={"Retry-After": "0"})
    httpserver.expect_ordered_request("/a").respond_with_json({"b": 1})
    assert fetch_api_json(open_client(pull()), httpserver.url_for("/a"), {"maxlag": "5"}) == {"b": 1}


def test_maxlag_says_how_long_to_wait(httpserver: HTTPServer, pull: Callable[..., Pull], waits: list[float]) -> None:
    httpserver.expect_request("/a").respond_with_json(MAXLAG, headers={"Retry-After": "7"})
    with pytest.raises(InputError, match="no answer after 4 attempts"):
        fetch_api_json(open_client(pull(attempts=4, backoff=1)), httpserver.url_for("/a"))
    assert waits == [7, 7, 7]


def test_an_error_of_the_api_is_not_tried_again(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/b").respond_with_json({"error": {"code": "badvalue", "info": "no"}})
    with pytest.raises(RefusedError):
        fetch_api_json(open_client(pull()), httpserver.url_for("/b"))
    assert len(httpserver.log) == 1


def test_an_error_of_the_api_cannot_steer_a_terminal(
    faulty: Callable[..., FaultyServer], pull: Callable[..., Pull]
) -> None:
    error = {"code": "no\x1b[2J", "info": "one\ntwo\u202e\x07" + "x" * 1000}
    server = faulty(lambda _: (200, json.dumps({"error": error}).encode()))
    server.faults = [servers.status(418, b"\x1b]0;title\x07\nTea\xff\x00" + b"x" * 1000)]
    for message in (r"status 418: \]0;title Tea\ufffd x+$", r"the API answers no \[2J: one two x+$"):
        with pytest.raises(RefusedError, match=message) as refused:
            fetch_api_json(open_client(pull(wiki_api=server.url("/"))), server.url("/a"))
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 300


def test_not_found_is_an_answer(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_json({"title": "Not found."}, status=404)
    assert fetch_api_json(open_client(pull()), httpserver.url_for("/a")) is None


@pytest.mark.parametrize("host", ["en.wikipedia.org", "query.wikidata.org", "wikimedia.org"])
def test_wikimedia_is_not_asked_without_a_contact(host: str) -> None:
    url = f"https://{host}/w/api.php"
    with pytest.raises(InputError, match=r"pull\.contact"):
        build_user_agent(Pull(), url)
    with pytest.raises(InputError, match=r"pull\.contact"):
        open_client(Pull(), [url]).require_allowed(url)
    assert "(me)" in build_user_agent(Pull(contact="me"), url)


def test_other_hosts_need_no_contact() -> None:
    assert build_user_agent(Pull(), "http://notwikipedia.org/").startswith("everwhen/")


@pytest.mark.parametrize("url", ["ftp://a/b", "file:///etc/passwd", "a/b", ""])
def test_only_http(url: str) -> None:
    with pytest.raises(InputError, match="http"):
        fetch_json(open_client(Pull(contact="me")), url)


def test_lines_say_how_far_a_pull_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0)
    assert list(track_progress("abc", 3, "year pages")) == ["a", "b", "c"]
    assert [line[:20] for line in capsys.readouterr().err.splitlines()] == [f"  year pages: {n} of 3" for n in range(3)]


def test_a_pull_of_seconds_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(track_progress("abc", 3, "year pages")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
