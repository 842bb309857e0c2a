"""A key goes to the server that it is for, encrypted or on this machine, and nowhere else."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

import servers
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.core.retries import RefusedError, RetryPolicy
from servers import Asked, FaultyServer, fetch_json

KEY = "sk-very-secret-0123456789"
HOSTS = ("127.0.0.1", "localhost", "models.example.org")


def echo(asked: Asked) -> tuple[int, bytes]:
    """Repeats the header, as careless servers do."""
    return 200, json.dumps({"sent": asked.headers.get("Authorization", "")}).encode()


def client(key: str | None = KEY, attempts: int = 2) -> Client:
    return Client(HOSTS, policy=RetryPolicy(attempts, 0), timeout=5, key=key)


def list_keys(server: FaultyServer) -> list[str]:
    return [asked.headers.get("Authorization", "") for asked in server.asked]


def test_a_key_is_sent_as_bearer_token(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(echo)
    fetch_json(client(), server.url("/v1"), body={})
    fetch_json(client(key=None), server.url("/v1"), body={})
    fetch_json(client(key=""), server.url("/v1"), body={})
    assert list_keys(server) == [f"Bearer {KEY}", "", ""]


def test_a_key_is_not_sent_over_plain_http() -> None:
    with pytest.raises(InputError, match=r"^http://models\.example\.org/v1: the key is sent by https alone"):
        fetch_json(client(), "http://models.example.org/v1", body={})
    client().require_allowed("https://models.example.org/v1")


def test_a_redirect_does_not_lead_a_key_to_plain_http(faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(echo)
    server.faults = [servers.redirect(307, "http://models.example.org/v1")]
    with pytest.raises(RefusedError, match="the key is sent by https alone"):
        fetch_json(client(), server.url("/v1"), body={})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_another_origin_does_not_get_the_key(faulty: Callable[..., FaultyServer], host: str) -> None:
    server, other = faulty(echo), faulty(echo, host=host)
    server.faults = [servers.redirect(307, "/again"), servers.redirect(307, other.url("/v1"))]
    assert fetch_json(client(), server.url("/v1"), body={}) == {"sent": ""}
    assert list_keys(server) == [f"Bearer {KEY}"] * 2
    assert list_keys(other) == [""]


def test_a_proxy_of_the_environment_does_not_see_the_key(
    faulty: Callable[..., FaultyServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, proxy = faulty(echo), faulty(echo)
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url(""))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    fetch_json(client(), server.url("/v1"))
    assert (len(server.asked), len(proxy.asked)) == (1, 0)


def test_a_password_of_netrc_is_sent_to_nobody(
    faulty: Callable[..., FaultyServer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password hush\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    server = faulty(echo)
    fetch_json(client(), server.url("/v1"))
    fetch_json(client(key=None), server.url("/v1"))
    assert list_keys(server) == [f"Bearer {KEY}", ""]


def test_no_answer_error_or_log_shows_the_key(
    faulty: Callable[..., FaultyServer], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server = faulty(echo)
    assert fetch_json(client(), server.url("/v1")) == {"sent": "Bearer ***"}
    faults = [
        servers.status(401, f"Incorrect API key: {KEY}".encode()),
        servers.status(500, KEY.encode(), Retry_After=KEY),
        servers.status(200, f"<html>{KEY}".encode()),
        servers.status(200, b"{}", Content_Encoding=KEY),
        servers.redirect(302, f"http://elsewhere.example/{KEY}"),
        servers.redirect(302, f"http://{KEY}@127.0.0.1/"),
        servers.reset,
        servers.cut_length,
    ]
    for fault in faults:
        server.always = fault
        with pytest.raises(InputError) as error:
            fetch_json(client(), server.url("/v1"), body={"a": 1})
        assert KEY not in "".join(traceback.format_exception(error.value))
        assert KEY not in repr(error.value)
    assert KEY not in caplog.text
    assert KEY not in repr(vars(client()))


@pytest.mark.parametrize("key", ["with space", "line\nbreak", "schlüssel", "\x00", " "])
def test_a_key_that_no_header_can_hold(key: str) -> None:
    with pytest.raises(InputError, match="visible ASCII characters without spaces are expected") as error:
        client(key=key)
    assert key.strip() == "" or key not in str(error.value)
