from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from servers import SampleWiki
from werkzeug import Request, Response

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.sample.load import sample_world
from pipeline.sample.writers import SamplePaths
from pipeline.sources.pull import pull

WINDOW = {"start": "1996-01-01", "end": "2001-12-31"}


class Wiki:
    """Answers as the MediaWiki API does, from the sample's pages; lags before every third answer."""

    def __init__(self, sample: SampleWiki) -> None:
        self._sample = sample
        self._requests = 0
        self.asked: list[str] = []

    def __call__(self, request: Request) -> Response:
        self._requests += 1
        assert request.form["maxlag"] == "5"
        if self._requests % 3 == 0:
            lagged = {"error": {"code": "maxlag", "info": "lagged"}}
            return Response(json.dumps(lagged), headers={"Retry-After": "0"}, content_type="application/json")
        self.asked += request.form["titles"].split("|")
        return Response(json.dumps(self._sample.answer(request.form)), content_type="application/json")


@pytest.fixture
def wiki(httpserver: HTTPServer, sample_paths: SamplePaths) -> Wiki:
    wiki = Wiki(SampleWiki(sample_paths, frozenset({"1999"})))
    httpserver.expect_request("/w/api.php", method="POST").respond_with_handler(wiki)
    return wiki


def test_pages_and_redirects(
    wiki: Wiki, config: Callable[..., Config], sample_paths: SamplePaths, tmp_path: Path
) -> None:
    pull(config(window=WINDOW), "year-pages", tmp_path)
    folder = tmp_path / "year_pages"
    names = sorted(path.name for path in folder.iterdir())
    assert names == [*(f"{y}.wikitext" for y in (1996, 1997, 1998, 2000, 2001)), "pull.json", "redirects.jsonl"]
    for path in folder.glob("*.wikitext"):
        assert path.read_text() == (Path(sample_paths.year_pages[0]).parent / path.name).read_text()
    redirects = [json.loads(line) for line in (folder / "redirects.jsonl").read_text().splitlines()]
    ways = sample_world().redirects
    assert {r["source"]: r["target"] for r in redirects}.items() <= ways.items()
    assert redirects
    manifest = json.loads((folder / "pull.json").read_text())
    assert (manifest["asked"], manifest["stored"], manifest["missing"], manifest["failed"]) == (6, 5, 1, 0)
    page = next(entry for entry in manifest["items"] if entry["item"] == "1997")
    assert (page["revision"], page["timestamp"]) == (7, "2023-07-01T00:00:00Z")


def test_what_lies_there_is_not_asked_again(wiki: Wiki, config: Callable[..., Config], tmp_path: Path) -> None:
    pull(config(window=WINDOW), "year-pages", tmp_path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "year_pages").iterdir()}
    wiki.asked.clear()
    pull(config(window=WINDOW), "year-pages", tmp_path)
    assert wiki.asked == ["1999"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "year_pages").iterdir()} == before


def test_a_page_that_was_cut_off_is_asked_again(wiki: Wiki, config: Callable[..., Config], tmp_path: Path) -> None:
    pull(config(window=WINDOW), "year-pages", tmp_path)
    page = tmp_path / "year_pages" / "1998.wikitext"
    whole = page.read_text()
    page.write_text(whole[:50])
    wiki.asked.clear()
    pull(config(window=WINDOW), "year-pages", tmp_path)
    assert "1998" in wiki.asked
    assert page.read_text() == whole


def test_goes_on_where_it_was_killed(
    httpserver: HTTPServer, wiki: Wiki, config: Callable[..., Config], tmp_path: Path
) -> None:
    folder = tmp_path / "year_pages"
    pull(config(window={"start": "1996-01-01", "end": "1997-12-31"}), "year-pages", tmp_path)
    (folder / ".1998.wikitext.part").write_text("half a pa")
    (folder / ".redirects.part").write_text('{"titles": ["MH17"], "redirects": []}\n{"titles": ["9/1')
    wiki.asked.clear()
    pull(config(window=WINDOW), "year-pages", tmp_path)
    assert not {"1996", "1997"} & set(wiki.asked)
    assert {"1998", "2001"} <= set(wiki.asked)
    assert not list(folder.glob(".*"))


def test_no_mediawiki_there(httpserver: HTTPServer, config: Callable[..., Config], tmp_path: Path) -> None:
    httpserver.expect_request("/w/api.php").respond_with_json({"hello": "world"})
    with pytest.raises(InputError, match=r"pull\.wiki_api"):
        pull(config(window=WINDOW), "year-pages", tmp_path)
