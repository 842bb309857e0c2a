"""Whom a client asks: none but the hosts that it is given, wherever a redirect leads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import servers
from everwhen.core.addresses import AllowedHosts, find_host, hide_password, is_loopback, resolve_redirect
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError, RetryPolicy
from servers import Asked, FaultyServer, fetch_json


def good(_: Asked) -> tuple[int, bytes]:
    return 200, b'{"good": true}'


@pytest.fixture
def client() -> Client:
    """Asks 127.0.0.1 alone."""
    return Client(["127.0.0.1"], named_by="the test", policy=RetryPolicy(2, 0), timeout=5)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_get_follows_redirects_on_its_host(faulty: Callable[..., FaultyServer], client: Client, code: int) -> None:
    server = faulty(good)
    server.faults = [servers.redirect(code, "/there?x=1"), servers.redirect(code, server.url("/last"))]
    assert fetch_json(client, server.url("/api")) == {"good": True}
    assert [asked.path for asked in server.asked] == ["/api", "/there?x=1", "/last"]


def test_the_body_of_a_redirect_is_not_read(faulty: Callable[..., FaultyServer], client: Client) -> None:
    server = faulty(good)
    server.faults = [servers.redirect_and_drip]
    assert client.ask(server.url("/api")).body == b'{"good": true}'
    assert [asked.path for asked in server.asked] == ["/api", "/there"]


@pytest.mark.parametrize("code", [307, 308])
def test_a_post_is_sent_on_where_the_redirect_says_so(
    faulty: Callable[..., FaultyServer], client: Client, code: int
) -> None:
    server = faulty(good)
    server.faults = [servers.redirect(code, "/there")]
    assert fetch_json(client, server.url("/api"), {"a": "b"}) == {"good": True}
    assert [(asked.method, asked.path, asked.form) for asked in server.asked] == [
        ("POST", "/api", {"a": "b"}),
        ("POST", "/there", {"a": "b"}),
    ]


@pytest.mark.parametrize("code", [301, 302, 303])
def test_a_post_does_not_become_a_get(faulty: Callable[..., FaultyServer], client: Client, code: int) -> None:
    server = faulty(good)
    server.faults = [servers.redirect(code, "/there")]
    with pytest.raises(RefusedError, match=r"/api: leads to http://127\.0\.0\.1:\d+/there; name that one"):
        fetch_json(client, server.url("/api"), {"a": "b"})
    assert len(server.asked) == 1


def test_a_redirect_to_another_host_is_not_followed(faulty: Callable[..., FaultyServer], client: Client) -> None:
    server, elsewhere = faulty(good), faulty(good, host="localhost")
    server.faults = [servers.redirect(302, elsewhere.url("/"))]
    with pytest.raises(RefusedError, match=r"/a: leads to http://localhost:\d+/: is not asked: the test names 127"):
        fetch_json(client, server.url("/a"))
    assert not elsewhere.asked


@pytest.mark.parametrize("send", [Client.ask, lambda client, url: client.stream(url, {}).__enter__()])
def test_redirects_without_end(
    faulty: Callable[..., FaultyServer], client: Client, send: Callable[[Client, str], object]
) -> None:
    server = faulty(good)
    server.always = servers.redirect(308, "/again")
    with pytest.raises(RefusedError, match="more than 5 redirects"):
        send(client, server.url("/a"))
    assert len(server.asked) == 6


def test_https_does_not_become_http() -> None:
    assert resolve_redirect("https://en.wikipedia.org/a", "/b") == "https://en.wikipedia.org/b"
    assert resolve_redirect("http://en.wikipedia.org/a", "https://en.wikipedia.org/a").startswith("https:")
    with pytest.raises(InputError, match="not https any more"):
        resolve_redirect("https://en.wikipedia.org/a", "http://en.wikipedia.org/a")


@pytest.mark.parametrize("url", ["ftp://a/b", "file:///etc/passwd", "a/b", ""])
def test_only_http(client: Client, url: str) -> None:
    with pytest.raises(InputError, match="http"):
        fetch_json(client, url)


@pytest.mark.parametrize(
    "url",
    [
        "http://good.example.evil.example/",
        "http://evil.example/good.example",
        "http://good.example@evil.example/",
        "http://evil.example@good.example/",
        "http://good.example\\@evil.example/",
        "http://good.example\t.evil.example/",
        "http://good.example./",
        "http://good.example:port/",
    ],
)
def test_an_address_that_looks_like_an_allowed_host(url: str) -> None:
    with pytest.raises(InputError):
        AllowedHosts(frozenset({"good.example"}), "the test").require(url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://me:secret@example.org/a?b#c", "https://example.org/a?b#c"),
        ("https://me:secret@example.org", "https://example.org"),
        ("https://example.org/a@b", "https://example.org/a@b"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_password(url: str, expected: str) -> None:
    assert hide_password(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1/", True),
        ("http://127.9.9.9/", True),
        ("http://[::1]:80/", True),
        ("http://128.0.0.1/", False),
        ("http://0.0.0.0/", False),
        ("http://127.0.0.1.example.org/", False),
        ("http://localhost.example.org/", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_what_is_on_this_machine(url: str, expected: bool) -> None:
    assert is_loopback(url) == expected


def test_the_host_of_an_address() -> None:
    assert [find_host(url) for url in ("http://[::1]:8080/x", "https://EXAMPLE.org/x", "http://[", "x")] == [
        "::1",
        "example.org",
        "",
        "",
    ]
