"""Files of pageviews of whole months, by byte ranges."""

from __future__ import annotations

import bz2
import datetime as dt
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dump_server import DumpServer
from everwhen.core.config import Config
from everwhen.core.errors import InputError, NotNowError
from everwhen.sources.download import CHUNK
from everwhen.sources.pull import pull

MONTHLY = "/other/pageview_complete/monthly"
URL = MONTHLY + "/{year}/{year}-{month}/pageviews-{year}{month}-{agent}.bz2"
JUNE = f"{MONTHLY}/2023/2023-06/pageviews-202306-user.bz2"
VIEWS = bz2.compress(random.Random(1).randbytes(2 * CHUNK))


@pytest.fixture
def server(httpserver: HTTPServer) -> DumpServer:
    served = DumpServer({JUNE: VIEWS})
    httpserver.expect_request(re.compile(".*")).respond_with_handler(served)
    return served


@pytest.fixture
def fetch(httpserver: HTTPServer, config: Callable[..., Config], tmp_path: Path) -> Callable[..., Path]:
    """Pulls the views; the folder where they are put."""

    def run(url: str = URL, **more: Any) -> Path:
        address = httpserver.url_for("/").rstrip("/") + url
        pull(config({"pageviews_url": address}, **more), "pageviews", tmp_path)
        return tmp_path / "pageviews"

    return run


def test_a_month_is_fetched_without_titles(server: DumpServer, fetch: Callable[..., Path]) -> None:
    folder = fetch()
    assert (folder / "pageviews-202306-user.bz2").read_bytes() == VIEWS
    manifest = json.loads((folder / "pull.json").read_text())
    assert manifest["period"] == {"start": "2023-06-01", "end": "2023-06-30", "agent": "user"}
    assert (manifest["asked"], manifest["stored"]) == (1, 1)
    fetch()
    assert server.asked == [(JUNE, 0)]


def test_a_month_that_was_broken_off_resumes(server: DumpServer, fetch: Callable[..., Path]) -> None:
    server.cuts[JUNE] = [100_000, 0, 0]
    with pytest.raises(NotNowError, match="no answer after 3 attempts"):
        fetch()
    assert (fetch() / "pageviews-202306-user.bz2").read_bytes() == VIEWS
    assert [start for _, start in server.asked] == [0, 100_000, 100_000, 100_000]
    assert server.sent[JUNE] == len(VIEWS)


def test_each_month_and_agent_has_a_file(server: DumpServer, fetch: Callable[..., Path]) -> None:
    names = [f"{month}-{agent}" for month in ("202212", "202301") for agent in ("automated", "spider", "user")]
    for name in names:
        server.files[f"{MONTHLY}/{name[:4]}/{name[:4]}-{name[4:6]}/pageviews-{name}.bz2"] = VIEWS
    folder = fetch(views={"start": "2022-12-01", "end": "2023-01-31", "agent": "all-agents"})
    assert sorted(path.name for path in folder.glob("*.bz2")) == [f"pageviews-{name}.bz2" for name in names]


def test_parts_of_months_have_no_file(server: DumpServer, fetch: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match="views: 2023-06-01 to 2023-06-29 are no full months"):
        fetch(views={"start": "2023-06-01", "end": "2023-06-29"})


def test_an_address_without_the_month_is_refused(server: DumpServer, fetch: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match=r"pull\.pageviews_url: .* a file pageviews-\{year\}\{month\}-\{agent\}"):
        fetch("/views.bz2")


def test_a_month_that_is_not_there_yet_may_be_later(server: DumpServer, fetch: Callable[..., Path]) -> None:
    last = dt.datetime.now(dt.UTC).date().replace(day=1) - dt.timedelta(days=1)
    with pytest.raises(NotNowError, match="status 404: the views of this month are not there yet"):
        fetch(views={"start": str(last.replace(day=1)), "end": str(last)})


def test_a_month_that_is_not_there_at_all_is_refused(server: DumpServer, fetch: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match="status 404") as caught:
        fetch(views={"start": "2016-01-01", "end": "2016-01-31"})
    assert not isinstance(caught.value, NotNowError)


def test_a_folder_has_views_of_titles_or_files(
    server: DumpServer, fetch: Callable[..., Path], config: Callable[..., Config], tmp_path: Path
) -> None:
    fetch()
    (tmp_path / "titles").write_text("A\n")
    with pytest.raises(InputError, match="holds views by file, not by title; take another folder"):
        pull(config({"titles": str(tmp_path / "titles")}), "pageviews", tmp_path)
    with pytest.raises(InputError, match="holds views of another period or agent"):
        fetch(views={"start": "2023-05-01", "end": "2023-05-31"})
