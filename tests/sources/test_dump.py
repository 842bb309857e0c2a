from __future__ import annotations

import bz2
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from everwhen.core.config import Config
from everwhen.core.errors import InputError, NotNowError
from everwhen.sources.download import CHUNK
from everwhen.sources.dump import build_dump_url
from everwhen.sources.pull import pull

NAME = "latest-all.json.bz2"
DUMP = bz2.compress(random.Random(1).randbytes(3 * CHUNK))
OTHER = bz2.compress(random.Random(2).randbytes(3 * CHUNK))


@dataclass
class Mirror:
    """A server with one file, which answers in pieces where it is asked for them.

    Attributes:
        body: The file.
        first: What it answers before the file, one answer a request.
        cuts: How many bytes it sends before it cuts an answer, one number a request.
        ranges: Whether it knows of ranges.
        asked: The first byte that was asked for, one number a request.
        sent: Bytes of the file that it has sent.
    """

    body: bytes = DUMP
    first: list[Response] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    asked: list[int] = field(default_factory=list)
    sent: int = 0

    def __call__(self, request: Request) -> Response:
        tag = f'"{hashlib.md5(self.body).hexdigest()}"'
        wanted = self.ranges and request.range and request.headers["If-Range"] == tag
        start = request.range.ranges[0][0] if wanted else 0
        self.asked.append(start)
        if self.first:
            return self.first.pop(0)
        rest = self.body[start:]
        headers = {"ETag": tag, "Last-Modified": "Wed, 28 Oct 2026 03:14:15 GMT", "Content-Length": str(len(rest))}
        if wanted:
            headers["Content-Range"] = f"bytes {start}-{len(self.body) - 1}/{len(self.body)}"
        cut = self.cuts.pop(0) if self.cuts else len(rest)
        return Response(self._pieces(rest[:cut]), status=206 if wanted else 200, headers=headers)

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        for place in range(0, len(data), 1 << 16):
            piece = data[place : place + (1 << 16)]
            self.sent += len(piece)
            yield piece


@pytest.fixture
def mirror(httpserver: HTTPServer) -> Mirror:
    server = Mirror()
    httpserver.expect_request(f"/entities/{NAME}").respond_with_handler(server)
    return server


@pytest.fixture
def fetch(httpserver: HTTPServer, config: Callable[..., Config], tmp_path: Path) -> Callable[..., Path]:
    """Pulls the dump; the folder where it lies."""

    def run(path: str = f"/entities/{NAME}", **more: Any) -> Path:
        pull(config({"dump_url": httpserver.url_for(path), **more}), "dump", tmp_path)
        return tmp_path / "dump"

    return run


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "pull.json").read_text())
    return found


def test_a_dump_is_fetched_once_and_its_checksum_recorded(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    folder = fetch()
    assert sorted(path.name for path in folder.iterdir()) == [NAME, "pull.json"]
    assert (folder / NAME).read_bytes() == DUMP
    assert manifest(folder)["items"] == [
        {
            "item": NAME,
            "outcome": "stored",
            "modified": "Wed, 28 Oct 2026 03:14:15 GMT",
            "bytes": len(DUMP),
            "sha256": hashlib.sha256(DUMP).hexdigest(),
        }
    ]
    fetch()
    assert mirror.asked == [0]
    (folder / NAME).write_bytes(DUMP[:-1])
    fetch()
    assert (folder / NAME).read_bytes() == DUMP


def test_arrived_bytes_are_not_asked_for_again(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    mirror.cuts = [CHUNK + 7, CHUNK + 1, 3]
    folder = fetch()
    assert (folder / NAME).read_bytes() == DUMP
    assert mirror.asked[:2] == [0, mirror.asked[1]]
    assert mirror.asked == sorted(mirror.asked)
    assert len(mirror.asked) == 4
    assert mirror.sent == len(DUMP)


def test_an_abandoned_pull_resumes(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    mirror.cuts = [100_000, 0, 0]
    with pytest.raises(NotNowError, match="no answer after 3 attempts"):
        fetch()
    folder = fetch()
    assert (folder / NAME).read_bytes() == DUMP
    assert mirror.asked == [0, 100_000, 100_000, 100_000]
    assert mirror.sent == len(DUMP)


def test_cuts_after_which_more_has_arrived_do_not_end_a_pull(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    mirror.cuts = [CHUNK, 0, CHUNK, 0]
    assert (fetch() / NAME).read_bytes() == DUMP
    assert mirror.sent == len(DUMP)


def test_another_file_of_that_name_is_begun_anew(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    mirror.cuts = [CHUNK, 0, 0]
    with pytest.raises(NotNowError):
        fetch()
    mirror.body = OTHER
    folder = fetch()
    assert (folder / NAME).read_bytes() == OTHER
    assert sorted(path.name for path in folder.iterdir()) == [NAME, "pull.json"]


def test_a_server_that_knows_no_ranges_is_asked_for_all(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    mirror.ranges = False
    mirror.cuts = [CHUNK]
    assert (fetch() / NAME).read_bytes() == DUMP
    assert mirror.asked == [0, 0]


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(Response(status=503), id="unavailable"),
        pytest.param(Response(status=429, headers={"Retry-After": "0"}), id="too-many"),
        pytest.param(Response("<html>maintenance</html>", content_type="text/html"), id="html"),
        pytest.param(Response("maintenance", content_type="application/octet-stream"), id="no-bz2"),
        pytest.param(Response(b"", content_type="application/octet-stream"), id="empty"),
        pytest.param(Response(status=416), id="no-such-range"),
    ],
)
def test_a_file_that_is_not_a_dump_is_fetched_again(
    mirror: Mirror, fetch: Callable[..., Path], first: Response
) -> None:
    mirror.first = [first]
    assert (fetch() / NAME).read_bytes() == DUMP
    assert len(mirror.asked) == 2


def test_another_page_in_the_middle_costs_nothing_that_has_arrived(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    mirror.cuts = [CHUNK, 0, 0]
    with pytest.raises(NotNowError):
        fetch()
    mirror.first = [Response("<html>proxy</html>", content_type="text/html"), Response(status=500)]
    assert (fetch() / NAME).read_bytes() == DUMP
    assert mirror.sent == len(DUMP)


def test_redirects_stay_with_the_host(httpserver: HTTPServer, mirror: Mirror, fetch: Callable[..., Path]) -> None:
    httpserver.expect_request(f"/latest/{NAME}").respond_with_data(
        status=302, headers={"Location": f"/entities/{NAME}"}
    )
    httpserver.expect_request(f"/away/{NAME}").respond_with_data(
        status=302, headers={"Location": f"http://dumps.example.org/{NAME}"}
    )
    httpserver.expect_request(f"/round/{NAME}").respond_with_data(status=302, headers={"Location": f"/round/{NAME}"})
    with pytest.raises(InputError, match=r"leads to http://dumps\.example\.org/.*; name that one as pull\.dump_url"):
        fetch(f"/away/{NAME}")
    with pytest.raises(InputError, match="more than 5 redirects"):
        fetch(f"/round/{NAME}")
    assert (fetch(f"/latest/{NAME}") / NAME).read_bytes() == DUMP


def test_a_full_disk_is_reported_before_anything_is_written(
    mirror: Mirror, fetch: Callable[..., Path], tmp_path: Path
) -> None:
    mirror.first = [Response(iter([b"BZh"]), headers={"Content-Length": str(10**18)})]
    with pytest.raises(InputError, match=r"1,000,000,000,000,000,000 bytes are still to come, and [0-9,]+ are free"):
        fetch()
    assert list((tmp_path / "dump").iterdir()) == []


def test_a_folder_that_cannot_be_written_to(mirror: Mirror, fetch: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "dump").write_text("")
    with pytest.raises(InputError, match=r"dump: cannot be written to: "):
        fetch()


def test_no_such_file(httpserver: HTTPServer, fetch: Callable[..., Path]) -> None:
    httpserver.expect_request(f"/gone/{NAME}").respond_with_data(status=404)
    with pytest.raises(InputError, match=f"/gone/{NAME}: status 404"):
        fetch(f"/gone/{NAME}")


def test_a_folder_holds_one_dump(mirror: Mirror, fetch: Callable[..., Path]) -> None:
    fetch()
    with pytest.raises(InputError, match=rf"holds the dump of .*/entities/{NAME}; take another folder"):
        fetch("/entities/20261026/wikidata-20261026-all.json.bz2")


def test_wikimedia_is_not_asked_without_a_contact(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pull\.contact"):
        pull(Config(version="t", snapshot="2026-11-16"), "dump", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("snapshot", ["2026-10-26", "20261026"])
def test_the_date_in_the_address_is_the_snapshot(snapshot: str) -> None:
    url = "https://example.org/{date}/wikidata-{date}-all.json.gz"
    config = Config(version="t", snapshot=snapshot, pull={"dump_url": url})
    assert build_dump_url(config) == "https://example.org/20261026/wikidata-20261026-all.json.gz"


def test_a_date_is_a_folder_of_the_address() -> None:
    config = Config(version="t", snapshot="2026-11-16", pull={"dump_url": "https://example.org/{date}.json.bz2"})
    with pytest.raises(InputError, match=r"^pull\.dump_url: .*: a folder of the date is expected"):
        build_dump_url(config)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://example.org/{date}/a.json.bz2", "needs a date, and the snapshot autumn is none"),
        ("https://example.org/dump.nt.bz2", "a file is expected whose name ends in .json.bz2"),
        ("https://example.org/%2e%2e%2fdump.json.bz2", "a file is expected"),
        ("https://example.org/.json.bz2", "a file is expected"),
        ("https://example.org/", "a file is expected"),
    ],
)
def test_an_address_that_names_no_dump(url: str, message: str) -> None:
    with pytest.raises(InputError, match=r"^pull\.dump_url: ") as caught:
        build_dump_url(Config(version="t", snapshot="autumn", pull={"dump_url": url}))
    assert message in str(caught.value)
