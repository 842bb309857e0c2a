"""Each pull against a server that fails: nothing is lost or asked for twice, and nothing half-read is stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pytest
import requests

import servers
from everwhen.cli.main import main
from everwhen.core.config import Sources
from everwhen.core.errors import ExitCode
from servers import Asked, Fault, FaultyServer, SampleWiki

STOPPED = ExitCode.MAY_GO_ON
"""Exit code of a pull that stops and goes on later."""
TITLES = {"AC/DC": 5, "Café": 7, "Nobody reads this": None, "Titanic (1997 film)": 123, "Zebra": 1}

PASSING: dict[str, Fault] = {
    "429-seconds": servers.status(429, Retry_After="7"),
    "429-date": servers.busy_until_later,
    "500": servers.status(500, b"error"),
    "503": servers.status(503, Retry_After="3"),
    "reset": servers.reset,
    "html": servers.html,
    "not-gzip": servers.not_gzip,
}
"""After these the same question is asked again."""
CUT: dict[str, Fault] = {
    "cut-by-length": servers.cut_length,
    "cut-in-a-chunk": servers.cut_chunk,
    "cut-json": servers.cut_json,
    "cut-gzip": servers.cut_gzip,
    "cut-with-trace": servers.cut_with_trace,
    "whole-with-trace": servers.send_with_trace,
    "drip": servers.drip,
    "drip-of-headers": servers.drip_headers,
}
"""After these, too; an entity list is asked for in smaller parts at once."""
WAITED = {"429-seconds": (7, 7), "429-date": (60, 1800), "503": (3, 3)}
"""Seconds that are waited as the server says: at least, at most."""


@dataclass
class Source:
    """A pull in a small world.

    Attributes:
        what: The pull.
        settings: Its part of the configuration.
        needed: Requests of an undisturbed pull.
        counts: What its manifest says then: asked, stored, missing, failed.
        cut: Requests more if the second answer is cut off.
        result: The file that holds what was answered last.
    """

    what: str
    server: FaultyServer
    settings: dict[str, object]
    needed: int
    counts: tuple[int, int, int, int]
    cut: int
    result: str

    def pull(self, folder: Path, **settings: object) -> int:
        """Run the command; its exit code."""
        folder.mkdir(exist_ok=True)
        addresses = {
            "wiki_api": self.server.url("/w/api.php"),
            "pageviews_api": self.server.url("/metrics/pageviews"),
            "sparql_endpoint": self.server.url("/sparql"),
        }
        quick = {"contact": "tests@example.org", "attempts": 3, "backoff": 0.5, "timeout": 10}
        config = {"version": "t", "snapshot": "t", "pull": {**addresses, **quick, **settings}, **self.settings}
        (folder / "config.json").write_text(json.dumps(config))  # JSON is YAML
        (folder / "titles.txt").write_text("\n".join(TITLES), encoding="utf-8")
        titles = ["--titles", str(folder / "titles.txt")] if self.what == "pageviews" else []
        return main(["pull", self.what, "--config", str(folder / "config.json"), "--raw", str(folder / "raw"), *titles])

    def files(self, folder: Path) -> dict[str, bytes]:
        """What lies in the raw folder, but for the manifest, whose addresses are the server's."""
        below = folder / "raw" / self.what.replace("-", "_")
        return {path.name: path.read_bytes() for path in below.iterdir() if path.name != "pull.json"}

    def manifest(self, folder: Path) -> tuple[int, int, int, int]:
        """Asked, stored, missing, failed."""
        text = (folder / "raw" / self.what.replace("-", "_") / "pull.json").read_text()
        found = json.loads(text)
        return found["asked"], found["stored"], found["missing"], found["failed"]


def views(asked: Asked) -> tuple[int, bytes]:
    """What the pageviews API answers."""
    found = TITLES[unquote(asked.path.split("/")[7]).replace("_", " ")]
    if found is None:
        return 404, b'{"title": "Not found."}'
    return 200, json.dumps({"items": [{"views": found - 1}, {"views": 1}]}).encode()


@pytest.fixture(params=["year-pages", "entity-lists", "pageviews"])
def source(
    request: pytest.FixtureRequest,
    faulty: Callable[..., FaultyServer],
    sample_paths: Sources,
    sparql_endpoint: str,
    waits: list[float],
) -> Source:
    wiki = SampleWiki(sample_paths, frozenset({"1997"}))

    def wiki_answer(asked: Asked) -> tuple[int, bytes]:
        return 200, json.dumps(wiki.answer(asked.form)).encode()

    def sparql(asked: Asked) -> tuple[int, bytes]:
        answer = requests.post(sparql_endpoint, asked.form, timeout=10, headers={"Accept": "application/json"})
        return answer.status_code, answer.content

    what: str = request.param
    if what == "year-pages":
        window = {"window": {"start": "1996-01-01", "end": "1998-12-31"}}
        return Source(what, faulty(wiki_answer), window, 4, (3, 2, 1, 0), 1, "1998.wikitext")
    if what == "entity-lists":
        lists = {"world": {"lists": ["films", "books", "wars"]}}
        return Source(what, faulty(sparql), lists, 3, (3, 3, 0, 0), 3, "wars.jsonl")
    return Source(what, faulty(views), {}, 5, (5, 5, 0, 0), 1, "pageviews.jsonl")


UNDISTURBED: dict[str, dict[str, bytes]] = {}
"""By pull, the files that it leaves where nothing fails."""


def undisturbed(source: Source, folder: Path) -> dict[str, bytes]:
    """The files of a pull from a server that does not fail; pulled once."""
    if source.what not in UNDISTURBED:
        assert source.pull(folder / "undisturbed") == 0
        assert len(source.server.asked) == source.needed
        assert source.manifest(folder / "undisturbed") == source.counts
        UNDISTURBED[source.what] = source.files(folder / "undisturbed")
        source.server.asked.clear()
        source.server.answered.clear()
    return UNDISTURBED[source.what]


@pytest.mark.parametrize("name", [*PASSING, *CUT])
def test_a_fault_that_passes(source: Source, tmp_path: Path, waits: list[float], name: str) -> None:
    complete = undisturbed(source, tmp_path)
    source.server.faults = [None, (PASSING | CUT)[name]]
    assert source.pull(tmp_path, timeout=1 if "drip" in name else 10) == 0
    assert len(source.server.asked) == source.needed + (1 if name in PASSING else source.cut)
    assert source.files(tmp_path) == complete
    assert source.manifest(tmp_path) == source.counts
    [waited] = waits
    least, most = WAITED.get(name, (0.5, 0.5))
    assert least <= waited <= most


@pytest.mark.parametrize("source", ["year-pages"], indirect=True)
def test_databases_that_lag(
    source: Source, tmp_path: Path, waits: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    source.server.faults, source.server.always = [None, servers.maxlag, None], servers.maxlag
    assert source.pull(tmp_path) == STOPPED
    assert "no answer after 3 attempts: the API answers maxlag" in capsys.readouterr().err
    source.server.always = None
    assert source.pull(tmp_path) == 0
    assert waits == [5, 5, 5]
    # One more for each answer that lagged; and 1997, which is missing, is asked for again.
    assert len(source.server.asked) == source.needed + 1 + 3 + 1
    assert source.manifest(tmp_path) == source.counts


@pytest.mark.parametrize("name", [*PASSING, *CUT])
def test_a_fault_that_stays(
    source: Source, tmp_path: Path, waits: list[float], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    complete = undisturbed(source, tmp_path)
    source.server.faults, source.server.always = [None], (PASSING | CUT)[name]
    capsys.readouterr()
    assert source.pull(tmp_path, timeout=0.5 if "drip" in name else 10) == STOPPED
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "no answer after 3 attempts" in line] == [lines[-1]]
    assert lines[-1].startswith(f"everwhen: {source.server.url('/')}")
    stored = {file: text for file, text in source.files(tmp_path).items() if not file.startswith(".")}
    assert stored.items() <= complete.items()
    assert source.result not in stored
    source.server.always = None
    assert source.pull(tmp_path) == 0
    assert source.files(tmp_path) == complete
    assert source.manifest(tmp_path) == source.counts
    answered = [json.dumps([asked.path, asked.form]) for asked in source.server.answered]
    assert len(answered) == len(set(answered))
    if name in PASSING or source.what != "entity-lists":
        assert len(answered) == source.needed
