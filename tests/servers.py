"""Real servers on loopback: loaded with the sample world, and such as fail."""

from __future__ import annotations

import datetime as dt
import gzip
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import requests

from everwhen.core.answers import MAX_BODY_BYTES, parse_good
from everwhen.core.config import Sources
from everwhen.core.http import Client
from everwhen.core.retries import retry
from everwhen.sample.load import sample_world
from everwhen.sample.writers import TURTLE, render_sample


@pytest.fixture(scope="session")
def sample_paths(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """The sample world in the sources' own formats."""
    return render_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def sparql_endpoint(sample_paths: Sources) -> Iterator[str]:
    """Address of an Oxigraph server that holds the sample world."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).parent / "oxigraph"
    server = subprocess.Popen(
        [program, "serve", "--bind", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _load(f"http://127.0.0.1:{port}/store?default", (Path(sample_paths.dump[0]).parents[1] / TURTLE).read_bytes())
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _load(store: str, turtle: bytes) -> None:
    """Put the data into the store, once the server has come up."""
    deadline = time.monotonic() + 60
    while True:
        try:
            answer = requests.put(store, data=turtle, headers={"Content-Type": "text/turtle"}, timeout=60)
            break
        except requests.ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
    answer.raise_for_status()


class SampleWiki:
    """What a MediaWiki API with the sample's year pages answers."""

    def __init__(self, sample_paths: Sources, missing: frozenset[str] = frozenset()) -> None:
        """Take the pages of the sample, but for those that are to be missing."""
        self._folder = Path(sample_paths.year_pages[0]).parent
        self._missing = missing

    def answer(self, form: Mapping[str, str]) -> dict[str, Any]:
        """The answer to action=query."""
        titles = form["titles"].split("|")
        assert len(titles) <= 50
        ways = sample_world().redirects
        redirects, ends = [], list(titles)
        for title in ends:
            if title in ways:
                redirects.append({"from": title, "to": ways[title]})
                ends.append(ways[title])
        pages = [self._page(title, "prop" in form) for title in titles]
        return {"batchcomplete": True, "query": {"redirects": redirects, "pages": pages}}

    def text(self, title: str) -> str:
        """The wikitext of a page."""
        return (self._folder / f"{title}.wikitext").read_text(encoding="utf-8")

    def _page(self, title: str, with_text: bool) -> dict[str, Any]:
        if title in self._missing:
            return {"ns": 0, "title": title, "missing": True}
        page: dict[str, Any] = {"pageid": 1, "ns": 0, "title": title}
        if with_text:
            slots = {"main": {"contentmodel": "wikitext", "content": self.text(title)}}
            page["revisions"] = [{"revid": 7, "timestamp": "2023-07-01T00:00:00Z", "slots": slots}]
        return page


@dataclass(frozen=True)
class Asked:
    """A request: its method, its path as it was sent, the fields of a posted form, its headers, and its body."""

    method: str
    path: str
    form: dict[str, str]
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""


class FaultyServer:
    """An HTTP server on loopback that answers well, but for the requests that a test has it fail.

    Attributes:
        host: Its name.
        answer: Gives the status and the body of a good answer; JSON.
        faults: For each request to come how it fails, None where it does not.
        always: How every other request fails; None where it does not.
        asked: The requests so far.
        answered: Those among them that were answered well.
    """

    def __init__(self, answer: Callable[[Asked], tuple[int, bytes]], host: str = "127.0.0.1") -> None:
        """Start the server."""
        self.host = host
        self.answer = answer
        self.faults: list[Fault | None] = []
        self.always: Fault | None = None
        self.asked: list[Asked] = []
        self.answered: list[Asked] = []
        self.stopped = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.faulty = self  # type: ignore[attr-defined]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, path: str) -> str:
        """The address of a path."""
        return f"http://{self.host}:{self._server.server_address[1]}{path}"

    def stop(self) -> None:
        """Stop the server, and what drips."""
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One request on one connection."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server: FaultyServer = self.server.faulty  # type: ignore[attr-defined]
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        fields = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
        asked = Asked(self.command, self.path, fields, dict(self.headers), text)
        server.asked.append(asked)
        fault = server.faults.pop(0) if server.faults else server.always
        status, body = server.answer(asked)
        self.close_connection = True
        with suppress(OSError):  # the client has gone
            if fault is None:
                server.answered.append(asked)
                self.give(status, body)
            else:
                fault(self, body)

    do_POST = do_GET  # noqa: N815

    def give(self, status: int, body: bytes, **headers: str) -> None:
        """Send a whole answer; `Content-Length` may be made to lie."""
        self.head(status, **{"Content_Length": str(len(body)), **headers})
        self.wfile.write(body)

    def head(self, status: int, **headers: str) -> None:
        """Send status and headers."""
        self.send_response(status)
        for name, value in {"Content_Type": "application/json", "Connection": "close", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def stopped(self) -> threading.Event:
        """Is set when the server stops."""
        event: threading.Event = self.server.faulty.stopped  # type: ignore[attr-defined]
        return event

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def faulty() -> Iterator[Callable[..., FaultyServer]]:
    """Starts servers that fail where a test has them fail."""
    started: list[FaultyServer] = []

    def start(answer: Callable[[Asked], tuple[int, bytes]], **more: str) -> FaultyServer:
        started.append(FaultyServer(answer, **more))
        return started[-1]

    yield start
    for server in started:
        server.stop()


Fault = Callable[[_Handler, bytes], None]
"""Sends a bad answer in place of a good one."""
TRACE = b"\njava.util.concurrent.TimeoutException\n\tat java.base/java.util.concurrent.FutureTask.get(Unknown Source)\n"


def status(code: int, body: bytes = b"", **headers: str) -> Fault:
    """Another status, or other headers."""
    return lambda to, _: to.give(code, body, **headers)


def busy_until_later(to: _Handler, _: bytes) -> None:
    """Too many requests; the header names the time, half an hour from now, at which to ask again."""
    later = dt.datetime.now(dt.UTC) + dt.timedelta(minutes=30)
    to.give(429, b"", Retry_After=format_datetime(later, usegmt=True))


def maxlag(to: _Handler, _: bytes) -> None:
    """What the MediaWiki API answers while its databases lag."""
    body = b'{"error": {"code": "maxlag", "info": "Waiting for 10.64.16.7: 6 seconds lagged."}}'
    to.give(200, body, Retry_After="5")


def html(to: _Handler, _: bytes) -> None:
    """A page of some proxy."""
    to.give(200, b"<!DOCTYPE html><html><body>Please log in.</body></html>", Content_Type="text/html")


def reset(to: _Handler, _: bytes) -> None:
    """The connection is torn down before a byte is sent."""
    to.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    to.connection.close()


def cut_length(to: _Handler, body: bytes) -> None:
    """Half of what Content-Length says."""
    to.give(200, body[: len(body) // 2], Content_Length=str(len(body)))


def cut_chunk(to: _Handler, body: bytes) -> None:
    """The connection ends in the middle of a chunk."""
    to.head(200, Transfer_Encoding="chunked")
    to.wfile.write(b"%x\r\n" % len(body) + body[: len(body) // 2])


def cut_json(to: _Handler, body: bytes) -> None:
    """Half of the JSON in an answer that is whole as far as HTTP goes."""
    to.give(200, body[: len(body) // 2])


def cut_with_trace(to: _Handler, body: bytes) -> None:
    """How WDQS ends a query that has run out of time."""
    to.give(200, body[: len(body) // 2] + TRACE)


def send_with_trace(to: _Handler, body: bytes) -> None:
    """The same, when the time ran out after the last row."""
    to.give(200, body + TRACE)


def not_gzip(to: _Handler, body: bytes) -> None:
    """Said to be packed, and is not."""
    to.give(200, body, Content_Encoding="gzip")


def cut_gzip(to: _Handler, body: bytes) -> None:
    """Half of what was packed."""
    packed = gzip.compress(body)
    to.give(200, packed[: len(packed) // 2], Content_Encoding="gzip")


def drip(to: _Handler, body: bytes) -> None:
    """A byte of the body now and then."""
    to.head(200, Content_Length=str(len(body) + 1_000_000))
    while not to.stopped().wait(0.01):
        to.wfile.write(b" ")


def drip_headers(to: _Handler, _: bytes) -> None:
    """A byte of a header now and then."""
    to.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not to.stopped().wait(0.01):
        to.wfile.write(b"x")


def bomb(to: _Handler, _: bytes) -> None:
    """A body of 70 kB that unpacks to more than is taken."""
    to.give(200, gzip.compress(b" " * (MAX_BODY_BYTES + 1)), Content_Encoding="gzip")


def redirect_and_drip(to: _Handler, _: bytes) -> None:
    """A redirect whose body never ends."""
    to.head(302, Location="/there", Content_Length="1000000")
    while not to.stopped().wait(0.01):
        to.wfile.write(b" ")


def redirect(code: int, location: str) -> Fault:
    """A redirect."""
    return status(code, Location=location)


def fetch_json(client: Client, url: str, fields: Mapping[str, str] | None = None, body: object = None) -> Any:
    """Ask until an answer is good, as those who use the client do, and read its JSON."""
    return retry(url, client.policy, lambda: parse_good(client.ask(url, fields, body)))
