"""The newest complete dump of a server, and what follows from its date."""

from __future__ import annotations

import bz2
import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dump_server import DumpServer
from everwhen.cli.main import main
from everwhen.core.config import Config
from everwhen.core.errors import InputError, NotNowError
from everwhen.sources.dump import find_snapshot, follow_snapshot
from everwhen.sources.pull import pull

NAME = "/entities/{0}/wikidata-{0}-all.json.bz2"
URL = "/entities/{date}/wikidata-{date}-all.json.bz2"


def pack(text: str) -> bytes:
    return bz2.compress(f"[\n{text}\n]\n".encode())


@pytest.fixture
def dumps(httpserver: HTTPServer) -> DumpServer:
    """Three dumps; the newest is listed, and has no checksum yet."""
    server = DumpServer({"/entities/latest-all.json.bz2": pack("1"), "/entities/dcatap.rdf": b""})
    for date in ("20261102", "20261109"):
        server.add_dump(date, pack(date))
    server.add_dump("20261116", pack("20261116"), md5="", sha1="")
    server.files["/entities/20261123/wikidata-20261123-truthy-BETA.nt.bz2"] = b""
    httpserver.expect_request(re.compile("/entities/.*")).respond_with_handler(server)
    return server


@pytest.fixture
def monthly(httpserver: HTTPServer, config: Callable[..., Config]) -> Callable[..., Config]:
    """Makes a configuration whose dump is pulled by date."""

    def make(**more: Any) -> Config:
        settings = {"sources": ["dump", "year-pages"], "dump_url": httpserver.url_for("/").rstrip("/") + URL}
        return config(settings, **{"snapshot": "latest", **more})

    return make


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def test_the_newest_complete_dump_is_found(dumps: DumpServer, monthly: Callable[..., Config]) -> None:
    assert find_snapshot(monthly(), day("2026-12-01")) == "2026-11-09"
    dumps.add_dump("20261116", pack("20261116"), sha1="")  # one checksum suffices
    assert find_snapshot(monthly(), day("2026-12-01")) == "2026-11-16"


@pytest.mark.parametrize(("run", "found"), [("2026-11-09", "2026-11-09"), ("2026-11-08", "2026-11-02")])
def test_no_dump_is_newer_than_the_run(dumps: DumpServer, monthly: Callable[..., Config], run: str, found: str) -> None:
    assert find_snapshot(monthly(), day(run)) == found


def test_a_run_before_all_dumps_is_refused(dumps: DumpServer, monthly: Callable[..., Config]) -> None:
    with pytest.raises(InputError, match=r"no complete dump up to 2026-11-01; the oldest is of 2026-11-02"):
        find_snapshot(monthly(), day("2026-11-01"))


def test_dumps_that_are_not_complete_yet_may_be_later(dumps: DumpServer, monthly: Callable[..., Config]) -> None:
    for date in ("20261102", "20261109"):
        dumps.add_dump(date, b"", md5="0", sha1="0" * 39)  # a line that is being written
    with pytest.raises(NotNowError, match="no complete dump up to 2026-12-01; those from 2026-11-02 are not complete"):
        find_snapshot(monthly(), day("2026-12-01"))


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("2026-11-05", "the nearest are of 2026-11-02 and 2026-11-09"),
        ("2026-11-16", "the nearest are of 2026-11-09"),
        ("20261030", "the nearest are of 2026-11-02"),
    ],
)
def test_a_date_without_a_complete_dump_is_refused(
    dumps: DumpServer, monthly: Callable[..., Config], given: str, nearest: str, tmp_path: Path
) -> None:
    for attempt in (
        lambda: find_snapshot(monthly(snapshot=given), None),
        lambda: pull(monthly(snapshot=given), "dump", tmp_path),
    ):
        with pytest.raises(InputError, match=f"has no complete dump of that date; {nearest}$") as caught:
            attempt()
        assert not isinstance(caught.value, NotNowError)
    assert list(tmp_path.iterdir()) == []


def test_links_that_lead_elsewhere_are_no_dumps(
    httpserver: HTTPServer, monthly: Callable[..., Config], tmp_path: Path
) -> None:
    links = ["http://[::1", "https://example.org/20261116/", "/20261116/", "20261109/a/", "?C=M;O=A", "20261399/", ""]
    page = "<![x[<html>" + "".join(f'<a href="{link}">x</a>' for link in [*links, "/entities/20261102/"])
    httpserver.expect_request("/entities/").respond_with_data(
        f"<![x[<html>{page}<a>x</a><a href=", content_type="text/html"
    )
    httpserver.expect_request("/entities/20261102/").respond_with_data("<html></html>", content_type="text/html")
    with pytest.raises(NotNowError, match="those from 2026-11-02 are not complete"):
        find_snapshot(monthly(), day("2026-12-01"))


def test_a_page_without_dates_is_no_list_of_dumps(
    httpserver: HTTPServer, dumps: DumpServer, monthly: Callable[..., Config]
) -> None:
    dumps.files = {"/entities/readme.txt": b""}
    with pytest.raises(InputError, match=r"pull\.dump_url: .*/entities/: lists no folders of dates"):
        find_snapshot(monthly(), day("2026-12-01"))


def test_a_configuration_with_files_of_its_own_asks_no_server(config: Callable[..., Config]) -> None:
    own = {"sources": {"dump": ["a.json"]}}
    assert find_snapshot(config(snapshot="mine", **own), None) == "mine"
    assert find_snapshot(config(snapshot="mine", **own), day("2026-12-01")) == "2026-12-01"
    assert find_snapshot(config(snapshot="given", **own), day("2026-12-01"), is_given=True) == "given"
    assert find_snapshot(config(snapshot="latest", sources={"sample": True}), day("2026-12-01")) == "2026-12-01"


def test_window_and_views_follow_the_snapshot(monthly: Callable[..., Config]) -> None:
    followed = follow_snapshot(monthly(snapshot="2026-11-16"))
    assert (followed.window.start, followed.window.end) == (day("1987-01-01"), day("2025-12-31"))
    assert (followed.views.start, followed.views.end) == (day("2026-10-01"), day("2026-10-31"))
    assert follow_snapshot(followed) == followed
    january = follow_snapshot(monthly(snapshot="20270104"))
    assert (january.window.end, january.views.start) == (day("2026-12-31"), day("2026-12-01"))


def test_what_is_set_stays(monthly: Callable[..., Config], config: Callable[..., Config]) -> None:
    views = {"start": "2024-02-01", "end": "2024-02-29"}
    fixed = monthly(snapshot="2026-11-16", window={"end": "2020-06-30"}, views=views)
    assert follow_snapshot(fixed) == fixed
    started = follow_snapshot(monthly(snapshot="2026-11-16", window={"start": "2000-01-01"}))
    assert (started.window.start, started.window.end) == (day("2000-01-01"), day("2025-12-31"))
    own = config(snapshot="2026-11-16", sources={"dump": ["a.json"]})
    assert follow_snapshot(own) == own
    assert follow_snapshot(monthly()) == monthly()


def write(folder: Path, config: Config) -> str:
    settings = config.model_dump(mode="json", exclude_unset=True, exclude={"families"})
    (folder / "monthly.yaml").write_text(json.dumps({**settings, "families": {"complextempqa": {}}}))
    return str(folder / "monthly.yaml")


def test_the_command_prints_the_date_alone(
    dumps: DumpServer, monthly: Callable[..., Config], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, monthly())
    assert main(["pull", "snapshot", "--config", path, "--date", "2026-12-01", "--snapshot", ""]) == 0
    assert capsys.readouterr().out == "2026-11-09\n"
    assert main(["pull", "snapshot", "--config", path, "--snapshot", "2026-11-05"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["pull", "year-pages", "--config", path, "--raw", str(tmp_path / "raw")]) == 2
    assert "snapshot: latest: the dump is pulled by its date; `everwhen pull snapshot`" in capsys.readouterr().err
    assert not (tmp_path / "raw").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["snapshot", "--raw", "raw"], "--raw: has an effect with a source only"),
        (["dump", "--raw", "raw", "--date", "2026-12-01"], "--date: has an effect with pull snapshot only"),
        (["dump"], "--raw DIR is missing"),
    ],
)
def test_arguments_of_the_other_kind_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pull", *arguments, "--config", "configs/monthly.yaml"]) == 2
    assert message in capsys.readouterr().err


def test_the_checksum_is_compared(dumps: DumpServer, monthly: Callable[..., Config], tmp_path: Path) -> None:
    pull(monthly(snapshot="2026-11-09"), "dump", tmp_path)
    manifest = json.loads((tmp_path / "dump" / "pull.json").read_text())
    [stored] = manifest["items"]
    assert manifest["snapshot"] == "2026-11-09"
    assert stored["checked"].endswith("/entities/20261109/wikidata-20261109-sha1sums.txt")
    asked = len(dumps.asked)
    pull(monthly(snapshot="2026-11-09"), "dump", tmp_path)
    assert len(dumps.asked) == asked


def test_a_wrong_checksum_registers_nothing(dumps: DumpServer, monthly: Callable[..., Config], tmp_path: Path) -> None:
    path = dumps.add_dump("20261109", pack("x"), sha1="0" * 40)
    with pytest.raises(NotNowError, match=r"has arrived with the sha1 [0-9a-f]{40}, and .*-sha1sums\.txt says 0{40}"):
        pull(monthly(snapshot="2026-11-09"), "dump", tmp_path)
    assert list((tmp_path / "dump").iterdir()) == []
    dumps.add_dump("20261109", pack("x"))
    pull(monthly(snapshot="2026-11-09"), "dump", tmp_path)
    assert dumps.count_requests(path) == 2
    assert sorted(file.name for file in (tmp_path / "dump").iterdir()) == ["pull.json", path.rpartition("/")[2]]
