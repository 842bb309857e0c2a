"""Whom a pull asks: none but http and https on hosts that the configuration names, wherever a redirect leads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import servers
from everwhen.core.config import Config, Pull
from everwhen.core.errors import InputError
from everwhen.sources.client import open_client
from everwhen.sources.pull import pull
from servers import Asked, FaultyServer

PULLS = ["year-pages", "entity-lists", "pageviews"]
ELSEWHERE = "http://localhost:9/"


def good(_: Asked) -> tuple[int, bytes]:
    return 200, b'{"good": true}'


@pytest.fixture
def settings() -> Callable[..., Pull]:
    """The section `pull`, with addresses on one server."""

    def make(server: FaultyServer, **more: Any) -> Pull:
        addresses = dict.fromkeys(("wiki_api", "pageviews_api", "sparql_endpoint"), server.url("/api"))
        return Pull(**{**addresses, "contact": "me", "attempts": 2, "backoff": 0, "timeout": 5, **more})

    return make


@pytest.mark.parametrize(
    ("location", "message"),
    [
        pytest.param("http://localhost:{port}/api", "http://localhost:{port}/api: is not asked", id="another-host"),
        pytest.param("//localhost:{port}/api", "http://localhost:{port}/api: is not asked", id="without-scheme"),
        pytest.param("http://127.0.0.1@localhost:{port}/", "http://localhost:{port}/: is not asked", id="as-user"),
        pytest.param("http://a:b@127.0.0.1:{port}/", "http://127.0.0.1:{port}/: is not asked", id="with-password"),
        pytest.param("file:///etc/passwd", "file:///etc/passwd: an address that begins with http", id="file"),
        pytest.param("ftp://127.0.0.1/x", "ftp://127.0.0.1/x: an address that begins with http", id="ftp"),
        pytest.param("http://[::1", "Invalid IPv6 URL", id="no-address"),
        pytest.param("https://en.wikipedia.org/w/api.php", "en.wikipedia.org/w/api.php: is not asked", id="wikimedia"),
    ],
)
@pytest.mark.parametrize("what", PULLS)
def test_no_pull_is_led_elsewhere(
    faulty: Callable[..., FaultyServer],
    settings: Callable[..., Pull],
    tmp_path: Path,
    what: str,
    location: str,
    message: str,
) -> None:
    server, elsewhere = faulty(good), faulty(good, host="localhost")
    port = elsewhere.url("").rpartition(":")[2]
    server.always = servers.redirect(307, location.format(port=port))
    titles = tmp_path / "titles"
    titles.write_text("A\nB\n")
    with pytest.raises(InputError) as error:
        pull(Config(version="t", snapshot="t", pull=settings(server, titles=str(titles))), what, tmp_path)
    assert "/api" in str(error.value)
    assert message.format(port=port) in str(error.value)
    assert "a:b" not in str(error.value)
    assert (len(server.asked), len(elsewhere.asked)) == (1, 0)
    assert not [path for path in tmp_path.rglob("*.*") if path.name not in ("pull.json",) and "part" not in path.name]


@pytest.mark.parametrize("what", PULLS)
def test_redirects_without_end(
    faulty: Callable[..., FaultyServer], settings: Callable[..., Pull], tmp_path: Path, what: str
) -> None:
    server = faulty(good)
    server.always = servers.redirect(308, "/api/again")
    (tmp_path / "titles").write_text("A\nB\n")
    named = settings(server, titles=str(tmp_path / "titles"))
    with pytest.raises(InputError, match="more than 5 redirects"):
        pull(Config(version="t", snapshot="t", pull=named), what, tmp_path)
    assert len(server.asked) == 6


def test_hosts_are_those_of_the_configuration() -> None:
    client = open_client(Pull(contact="https://example.org/me", wiki_api="http://[::1]:8080/w/api.php"))
    for url in ("http://[::1]:8080/x", "https://WIKIMEDIA.org/x", "https://query.wikidata.org/"):
        client.require_allowed(url)
    for url in ("https://example.org/me", "https://en.wikipedia.org/", "https://wikimedia.org.example.org/"):
        with pytest.raises(InputError, match="is not asked: the section pull names ::1, dumps"):
            client.require_allowed(url)


@pytest.mark.parametrize("what", PULLS)
def test_requests_to_wikimedia_name_a_contact(tmp_path: Path, what: str) -> None:
    (tmp_path / "titles").write_text("A\n")
    for contact in ("", "  "):
        named = {"contact": contact, "titles": str(tmp_path / "titles")}
        with pytest.raises(InputError, match=r"^pull\.contact: \S+ asks for an e-mail address or a page") as error:
            pull(Config(version="t", snapshot="t", pull=named), what, tmp_path)
        assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["titles"]


def test_the_contact_is_in_every_request(
    faulty: Callable[..., FaultyServer], settings: Callable[..., Pull], tmp_path: Path
) -> None:
    server = faulty(lambda _: (200, json.dumps({"items": [{"views": 1}]}).encode()))
    server.faults = [servers.redirect(302, "/api/moved"), servers.reset]
    (tmp_path / "titles").write_text("A\nB\n")
    named = settings(server, titles=str(tmp_path / "titles"))
    pull(Config(version="t", snapshot="t", pull=named), "pageviews", tmp_path)
    assert len(server.asked) == 4
    assert all(asked.headers["User-Agent"].endswith("(me)") for asked in server.asked)
