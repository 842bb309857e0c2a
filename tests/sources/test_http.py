from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from email.utils import format_datetime

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from pipeline.config import Pull
from pipeline.errors import InputError
from pipeline.sources.http import Client, RefusedError, retry_after, user_agent

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
    monkeypatch.setattr("pipeline.sources.http.time.sleep", waits.append)
    httpserver.expect_request("/a").respond_with_json(MAXLAG, headers={"Retry-After": "7"})
    httpserver.expect_request("/b").respond_with_data(status=500)
    client = Client(pull(attempts=4, backoff=1))
    for path in ("/a", "/b"):
        with pytest.raises(InputError, match="no answer after 4 attempts"):
            client.json(httpserver.url_for(path))
    assert waits == [7, 7, 7, 1, 2, 4]


def test_a_wait_of_hours_is_no_wait(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_data(status=429, headers={"Retry-After": "86400"})
    with pytest.raises(InputError, match="asks to come back in 86400 seconds"):
        Client(pull()).json(httpserver.url_for("/a"))


def test_retry_after_takes_a_date() -> None:
    soon = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=30)
    assert 25 < (retry_after(format_datetime(soon, usegmt=True)) or 0) <= 30
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("1.5") == 1.5
    assert retry_after("soon") is None
    assert retry_after(None) is None


def test_no_server_is_one_clear_line(pull: Callable[..., Pull]) -> None:
    with pytest.raises(InputError, match=r"http://127\.0\.0\.1:9/: no answer after 2 attempts") as error:
        Client(pull(attempts=2, wiki_api="http://127.0.0.1:9/")).json("http://127.0.0.1:9/")
    assert "\n" not in str(error.value)


def test_a_refusal_is_not_tried_again(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/a").respond_with_data("no", status=403)
    httpserver.expect_request("/b").respond_with_json({"error": {"code": "badvalue", "info": "no"}})
    for path in ("/a", "/b"):
        with pytest.raises(RefusedError):
            Client(pull()).json(httpserver.url_for(path))
    assert len(httpserver.log) == 2


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
