from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import servers
from everwhen.core.config import Config, Sources
from everwhen.core.errors import InputError
from everwhen.sample.load import sample_world
from everwhen.sources.pull import pull
from servers import Asked, FaultyServer, SampleWiki

WINDOW = {"start": "1996-01-01", "end": "2001-12-31"}


class Wiki:
    """Answers as the MediaWiki API does, from the sample's pages; lags before every third answer."""

    def __init__(self, sample: SampleWiki) -> None:
        self._sample = sample
        self._requests = 0
        self.asked: list[str] = []
        self.lost: set[str] = set()

    def __call__(self, request: Request) -> Response:
        self._requests += 1
        assert request.form["maxlag"] == "5"
        if self._requests % 3 == 0:
            lagged = {"error": {"code": "maxlag", "info": "lagged"}}
            return Response(json.dumps(lagged), headers={"Retry-After": "0"}, content_type="application/json")
        self.asked += request.form["titles"].split("|")
        if self.lost & set(self.asked):
            return Response(status=503)
        return Response(json.dumps(self._sample.answer(request.form)), content_type="application/json")


@pytest.fixture
def wiki(httpserver: HTTPServer, sample_paths: Sources) -> Wiki:
    wiki = Wiki(SampleWiki(sample_paths, frozenset({"1999"})))
    httpserver.expect_request("/w/api.php", method="POST").respond_with_handler(wiki)
    return wiki


def test_pages_and_redirects(wiki: Wiki, config: Callable[..., Config], sample_paths: Sources, tmp_path: Path) -> None:
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


def test_stored_pages_are_not_fetched_again(wiki: Wiki, config: Callable[..., Config], tmp_path: Path) -> None:
    pull(config(window=WINDOW), "year-pages", tmp_path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "year_pages").iterdir()}
    wiki.asked.clear()
    pull(config(window=WINDOW), "year-pages", tmp_path)
    assert wiki.asked == ["1999"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "year_pages").iterdir()} == before


def test_a_page_that_was_cut_off_is_asked_again(wiki: Wiki, config: Callable[..., Config], tmp_path: Path) -> None:
    pull(config(window=WINDOW), "year-pages", tmp_path)
    page = tmp_path / "year_pages" / "1998.wikitext"
    complete = page.read_text()
    page.write_text(complete[:50])
    wiki.asked.clear()
    pull(config(window=WINDOW), "year-pages", tmp_path)
    assert "1998" in wiki.asked
    assert page.read_text() == complete


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


YEAR = {"window": {"start": "1996-01-01", "end": "1996-12-31"}}
TEXT = "== Events ==\n* [[May 1]] – [[A]] and [[B]] meet.\n"
REVISION = {"revid": 7, "timestamp": "t", "slots": {"main": {"contentmodel": "wikitext", "content": TEXT}}}


def pieces(*answers: dict[str, Any]) -> Callable[[Asked], tuple[int, bytes]]:
    """Answers with these, one after the other, to who goes on as the one before said."""
    left = list(answers)
    onwards: dict[str, str] = {}

    def answer(asked: Asked) -> tuple[int, bytes]:
        assert onwards.items() <= asked.form.items()
        given = left.pop(0)
        onwards.clear()
        onwards.update(given.get("continue", {}))
        return 200, json.dumps(given).encode()

    return answer


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "year_pages" / "pull.json").read_text())
    return found


PIECES = (
    {"continue": {"rvcontinue": "1", "continue": "||"}, "query": {"pages": [{"pageid": 1, "title": "1996"}]}},
    {"batchcomplete": True, "query": {"pages": [{"pageid": 1, "title": "1996", "revisions": [REVISION]}]}},
    {
        "continue": {"rdcontinue": "2", "continue": "-||"},
        "query": {"pages": [{"title": "A"}], "redirects": [{"from": "A", "to": "C"}]},
    },
    {"query": {"pages": [{"title": "B"}], "redirects": [{"from": "A", "to": "C"}, {"from": "B", "to": "D"}]}},
)


def test_answers_in_two_pieces(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path
) -> None:
    server = faulty(pieces(*PIECES))
    pull(config({"wiki_api": server.url("/w/api.php")}, **YEAR), "year-pages", tmp_path)
    assert len(server.asked) == 4
    assert (tmp_path / "year_pages" / "1996.wikitext").read_text() == TEXT
    redirects = (tmp_path / "year_pages" / "redirects.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in redirects] == [{"source": "A", "target": "C"}, {"source": "B", "target": "D"}]
    assert manifest(tmp_path)["redirects"]["redirects"] == 2


@pytest.mark.parametrize(("before", "stored"), [(1, []), (3, ["1996.wikitext"])], ids=["page", "redirects"])
def test_an_answer_whose_second_piece_does_not_come(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path, before: int, stored: list[str]
) -> None:
    server = faulty(pieces(*PIECES))
    server.answer = pieces(*PIECES[:before], {}, {}, {})  # a fault takes an answer, too
    server.faults = [*[None] * before, *[servers.reset] * 3]
    settings = config({"wiki_api": server.url("/w/api.php")}, **YEAR)
    with pytest.raises(InputError, match="no answer after 3 attempts"):
        pull(settings, "year-pages", tmp_path)
    found = [path.name for path in (tmp_path / "year_pages").glob("*") if path.name != "pull.json"]
    assert found == stored
    server.answer = pieces(*PIECES[2:] if stored else PIECES)
    pull(settings, "year-pages", tmp_path)
    assert (manifest(tmp_path)["stored"], manifest(tmp_path)["redirects"]["redirects"]) == (1, 2)
    assert len(server.asked) == before + 3 + (2 if stored else 4)


def test_pieces_without_end(faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path) -> None:
    server = faulty(lambda _: (200, json.dumps(PIECES[0]).encode()))
    with pytest.raises(InputError, match="an answer in more than 100 pieces"):
        pull(config({"wiki_api": server.url("/w/api.php")}, **YEAR), "year-pages", tmp_path)
    assert len(server.asked) == 100


@pytest.mark.parametrize(
    ("query", "outcome", "more"),
    [
        pytest.param({"pages": [{"title": "1996", "missing": True}]}, "missing", {}, id="no-such-page"),
        pytest.param({"pages": [{"title": "19|96", "invalid": True}]}, "missing", {}, id="no-title"),
        pytest.param(
            {
                "redirects": [{"from": "1996", "to": "AD 1996"}],
                "pages": [{"title": "AD 1996", "revisions": [REVISION]}],
            },
            "stored",
            {"title": "AD 1996", "revision": 7},
            id="moved",
        ),
        pytest.param(
            {"pages": [{"title": "1996", "revisions": [{"revid": 7, "timestamp": "t", "slots": {"main": {}}}]}]},
            "failed",
            {},
            id="text-hidden",
        ),
        pytest.param({"pages": [{"title": "1996"}]}, "failed", {}, id="no-revision"),
        pytest.param({"pages": []}, "failed", {}, id="no-page"),
        pytest.param({"pages": [{"title": "1996"}, {"title": "1997"}]}, "failed", {}, id="two-pages"),
    ],
)
def test_the_outcome_of_a_page(
    faulty: Callable[..., FaultyServer],
    config: Callable[..., Config],
    tmp_path: Path,
    query: dict[str, Any],
    outcome: str,
    more: dict[str, Any],
) -> None:
    good = {"query": {"pages": [{"title": "1997", "revisions": [REVISION]}]}}
    server = faulty(pieces({"query": query}, good, {"query": {"pages": []}}))
    window = {"start": "1996-01-01", "end": "1997-12-31"}
    pull(config({"wiki_api": server.url("/w/api.php")}, window=window), "year-pages", tmp_path)
    found = manifest(tmp_path)
    assert (found["asked"], found["items"][0]["outcome"], found[outcome]) == (2, outcome, 1 + (outcome == "stored"))
    assert more.items() <= found["items"][0].items()
    assert (tmp_path / "year_pages" / "1996.wikitext").exists() == (outcome == "stored")


def test_a_window_of_which_nothing_can_be_had(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path
) -> None:
    refusal = json.dumps({"error": {"code": "readapidenied", "info": "You need read permission."}}).encode()
    server = faulty(lambda _: (200, refusal))
    settings = config({"wiki_api": server.url("/w/api.php")}, window=WINDOW)
    message = (
        r"6 asked, 0 stored, 0 missing, 6 failed; 1996: .* the API answers readapidenied: You need read permission\."
    )
    with pytest.raises(InputError, match=message):
        pull(settings, "year-pages", tmp_path)
    server.always = servers.status(403, b"Please set a user-agent.")
    with pytest.raises(InputError, match="status 403: Please set a user-agent"):
        pull(settings, "year-pages", tmp_path)
    assert len(server.asked) == 6 + 1


def test_redirects_are_not_asked_again_after_an_error(
    wiki: Wiki, config: Callable[..., Config], tmp_path: Path
) -> None:
    pull(config(window=WINDOW), "year-pages", tmp_path)
    page = tmp_path / "year_pages" / "2000.wikitext"
    complete = page.read_text()
    page.write_text(complete[:50])
    wiki.asked.clear()
    wiki.lost = {"2000"}  # asked for after 1999, which is missing and so asked for each time
    with pytest.raises(InputError):
        pull(config(window=WINDOW), "year-pages", tmp_path)
    wiki.lost = set()
    wiki.asked.clear()
    pull(config(window=WINDOW), "year-pages", tmp_path)
    assert wiki.asked == ["1999", "2000"]
    assert page.read_text() == complete


def test_links_never_name_a_file(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path
) -> None:
    evil = ["../../up", "/etc/passwd", "a\\..\\b", "..", ".", "C:\\x", "nul\0", "x" * 5000, "é" * 300, "~root", "a\nb"]
    text = "== Events ==\n" + "".join(f"* [[May 1]] – [[{title}]] and [[|{title}]].\n" for title in evil)
    revision = REVISION | {"slots": {"main": {"content": text}}}
    moved = {"from": "A", "to": "../../../up"}

    def answer(asked: Asked) -> tuple[int, bytes]:
        page = {"title": "../1996/../../up", "revisions": [revision]} if "rvprop" in asked.form else {"title": "A"}
        return 200, json.dumps({"query": {"pages": [page], "redirects": [moved]}}).encode()

    server = faulty(answer)
    folder = tmp_path / "a" / "raw"
    pull(config({"wiki_api": server.url("/w/api.php")}, **YEAR), "year-pages", folder)
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert files == [f"a/raw/year_pages/{name}" for name in ("1996.wikitext", "pull.json", "redirects.jsonl")]
