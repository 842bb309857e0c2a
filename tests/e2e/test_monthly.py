"""`configs/monthly.yaml` against servers that answer as Wikimedia's: a month whose pulls break off, and the next."""

from __future__ import annotations

import bz2
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
import requests
import yaml
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dump_server import DumpServer
from everwhen.cli.main import main
from everwhen.core.config import Sources
from everwhen.preflight import read_config
from everwhen.sample.writers import render_sample
from hostile_world import build_small_world
from servers import SampleWiki

pytestmark = [pytest.mark.full, pytest.mark.spark, pytest.mark.usefixtures("spark")]

ROOT = Path(__file__).resolve().parents[2]
PULLS = ("year-pages", "entity-lists", "pageviews", "dump")
VIEWS = "/other/pageview_complete/monthly/{0}/{0}-{1}/pageviews-{0}{1}-user.bz2"
ACCIDENT, NAME = "Q185380", "Air France Flight 447"
MOVED = "2025"
"""The year into which this accident is moved: outside the window of the first month, inside that of the next."""
TEMPLATES = ["attribute.entity.born", "attribute.event.date", "attribute.event.country"]


@dataclass
class Wikimedia:
    """Servers with a small world, which break off where they are told to.

    Attributes:
        dumps: The files of dumps.wikimedia.org.
        wiki: The MediaWiki API of a Wikipedia.
        sparql: Address of a SPARQL endpoint.
        answers: How many more requests the two services answer; None for any number.
        asked: Requests that the two services have answered.
    """

    dumps: DumpServer
    wiki: SampleWiki
    sparql: str
    answers: int | None = None
    asked: list[str] = field(default_factory=list)

    def answer_wiki(self, request: Request) -> Response:
        """Answer as the MediaWiki API does."""
        return self._answer(request, lambda: json.dumps(self.wiki.answer(request.form)).encode())

    def answer_sparql(self, request: Request) -> Response:
        """Hand a query on to the endpoint."""
        accepted = {"Accept": "application/sparql-results+json"}
        return self._answer(
            request, lambda: requests.post(self.sparql, dict(request.form), timeout=60, headers=accepted).content
        )

    def _answer(self, request: Request, answer: Callable[[], bytes]) -> Response:
        if self.answers == 0:
            return Response(status=503)
        self.answers = None if self.answers is None else self.answers - 1
        self.asked.append(json.dumps(sorted(request.form.items())))
        return Response(answer(), content_type="application/json")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """The small world in the sources' formats, its labels as they are."""
    return render_sample(tmp_path_factory.mktemp("world"), build_small_world({}))


@pytest.fixture
def wikimedia(httpserver: HTTPServer, paths: Sources, sparql_endpoint: str) -> Wikimedia:
    there = {Path(path).stem for path in paths.year_pages}
    missing = frozenset(str(year) for year in range(1987, 2030) if str(year) not in there)
    served = Wikimedia(DumpServer(), SampleWiki(paths, missing), sparql_endpoint)
    dump = bz2.decompress(Path(paths.dump[0]).read_bytes()).decode()
    lines = [_move_times(line) if f'"id":"{ACCIDENT}"' in line[:80] else line for line in dump.splitlines()]
    content = "\n".join(lines) + "\n"
    assert content != dump
    for date in ("20251117", "20251124", "20251229"):
        served.dumps.add_dump(date, bz2.compress(content.encode()))
    served.dumps.add_dump("20251201", bz2.compress(b"[\n]\n"), md5="", sha1="")
    served.dumps.add_dump("20260105", bz2.compress(content.encode() + b"\n"))
    days = [bz2.decompress(Path(path).read_bytes()) for path in paths.pageviews]
    served.dumps.files[VIEWS.format("2025", "10")] = bz2.compress(b"".join(days))
    served.dumps.files[VIEWS.format("2025", "12")] = bz2.compress(b"".join(days[:2]))
    httpserver.expect_request(re.compile("/(entities|other)/.*")).respond_with_handler(served.dumps)
    httpserver.expect_request("/w/api.php").respond_with_handler(served.answer_wiki)
    httpserver.expect_request("/sparql").respond_with_handler(served.answer_sparql)
    return served


def _move_times(line: str) -> str:
    """The line of an item whose times are of another year."""
    return re.sub(r'("time":")\+\d{4}(-\d\d-\d\dT00:00:00Z")', rf"\1+{MOVED}\2", line)


@pytest.fixture
def config(httpserver: HTTPServer, tmp_path: Path) -> Path:
    """configs/monthly.yaml with the addresses of these servers, and few templates."""
    content = yaml.safe_load((ROOT / "configs" / "monthly.yaml").read_text(encoding="utf-8"))
    root = httpserver.url_for("/").rstrip("/")
    content["pull"] |= {
        "contact": "tests@example.org",
        "wiki_api": f"{root}/w/api.php",
        "sparql_endpoint": f"{root}/sparql",
        "dump_url": f"{root}/entities/{{date}}/wikidata-{{date}}-all.json.bz2",
        "pageviews_url": root + VIEWS.format("{year}", "{month}"),
        "attempts": 2,
        "backoff": 0,
    }
    content["pull"]["pageviews_url"] = content["pull"]["pageviews_url"].replace("-user", "-{agent}")
    content["families"] = {"complextempqa": {"templates": TEMPLATES}}
    demo = read_config(ROOT / "configs" / "demo.yaml")
    content["spark"] = {"master": "local[2]", "shuffle_partitions": 2, "settings": dict(demo.spark.settings)}
    path = tmp_path / "monthly.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("core.retries", "sources.list_pages"):
        monkeypatch.setattr(f"everwhen.{module}.time", SimpleNamespace(sleep=lambda _: None))


def find_snapshot(config: Path, run_date: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The snapshot of a run, as its first step prints it."""
    capsys.readouterr()
    assert main(["pull", "snapshot", "--config", str(config), "--date", run_date]) == 0
    return capsys.readouterr().out.strip()


def pull(what: str, config: Path, snapshot: str, raw: Path) -> int:
    """Run a pull as the DAG does; its exit code."""
    arguments = ["--config", str(config), "--snapshot", snapshot, "--window-end", "", "--raw", str(raw)]
    return main(["pull", what, "--as-configured", *arguments, "-q"])


def check(config: Path, snapshot: str, raw: Path) -> int:
    """Look at what a build would read; the exit code."""
    return main(["check", "--config", str(config), "--snapshot", snapshot, "--raw", str(raw)])


def build(config: Path, snapshot: str, raw: Path, out: Path) -> Path:
    """Build a month; the published dataset."""
    arguments = ["--config", str(config), "--snapshot", snapshot, "--raw", str(raw), "--out", str(out)]
    assert main(["build", *arguments, "-q"]) == 0
    dataset = out / "dataset" / "monthly"
    assert main(["verify", str(dataset), "-q"]) == 0
    return dataset


def read_questions(dataset: Path, template: str) -> list[str]:
    """The questions of a template."""
    columns = ["question", "template_id"]
    rows = pq.read_table(dataset / "complextempqa" / "questions", columns=columns).to_pylist()
    return [row["question"] for row in rows if row["template_id"] == template]


def test_a_month_whose_pulls_break_off_and_the_next(
    wikimedia: Wikimedia,
    config: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "--config", str(config)]) == 0
    assert "ready after the pull" in capsys.readouterr().out

    december = find_snapshot(config, "2025-12-02", capsys)
    assert december == "2025-11-24"  # that of 1 December has no checksum yet
    raw = tmp_path / december / "raw"
    for what in PULLS:
        break_off(wikimedia, what)
        assert pull(what, config, december, raw) == 3, what
        assert check(config, december, raw) == 2
        assert f"run `everwhen pull {what}` first" in capsys.readouterr().err
        mend(wikimedia)
        assert pull(what, config, december, raw) == 0, what
    require_nothing_asked_twice(wikimedia, raw)
    assert check(config, december, raw) == 0

    first = build(config, december, raw, tmp_path / december / "build")
    manifest = json.loads((first / "manifest.json").read_text())
    assert (manifest["snapshot"], manifest["window"]["end"]) == ("2025-11-24", "2024-12-31")
    assert set(manifest["sources"]) >= {"wikidata-20251124-all.json.bz2", "pageviews-202510-user.bz2", "films.jsonl"}
    assert len(read_questions(first, "attribute.entity.born")) > 10  # persons, who come from the dump
    dates = read_questions(first, "attribute.event.date")
    assert len(dates) > 10
    assert not any(NAME in question for question in dates)

    january = find_snapshot(config, "2026-01-06", capsys)
    assert january == "2026-01-05"
    raw = tmp_path / january / "raw"
    assert check(config, january, tmp_path / december / "raw") == 2  # what was pulled for another month
    for what in PULLS:
        assert pull(what, config, january, raw) == 0, what
    second = build(config, january, raw, tmp_path / january / "build")
    manifest = json.loads((second / "manifest.json").read_text())
    assert (manifest["snapshot"], manifest["window"]["end"]) == ("2026-01-05", "2025-12-31")
    assert set(manifest["sources"]) >= {"wikidata-20260105-all.json.bz2", "pageviews-202512-user.bz2", "films.jsonl"}
    assert any(NAME in question for question in read_questions(second, "attribute.event.date"))
    assert manifest["views"] == {"start": "2025-12-01", "end": "2025-12-31", "agent": "user"}


def break_off(wikimedia: Wikimedia, what: str) -> None:
    """Let the next pull of a source break off in its middle."""
    wikimedia.answers = 3 if what in ("year-pages", "entity-lists") else None
    for path, content in wikimedia.dumps.files.items():
        if path.endswith("-all.json.bz2") or "pageviews-" in path:
            wikimedia.dumps.cuts[path] = [len(content) // 2, 0]


def mend(wikimedia: Wikimedia) -> None:
    """Let all servers answer again."""
    wikimedia.answers = None
    wikimedia.dumps.cuts.clear()


def require_nothing_asked_twice(wikimedia: Wikimedia, raw: Path) -> None:
    """Require that a pull has resumed: no answer was asked for again but of years that have no page, and no byte."""
    again = {asked for asked in wikimedia.asked if wikimedia.asked.count(asked) > 1}
    assert all('"rvprop"' in asked for asked in again)
    for path in (*raw.glob("dump/*.bz2"), *raw.glob("pageviews/*.bz2")):
        (served,) = (name for name in wikimedia.dumps.sent if name.endswith(path.name))
        assert wikimedia.dumps.sent[served] == len(wikimedia.dumps.files[served]) == path.stat().st_size
    assert sorted(path.name for path in raw.rglob(".*")) == []
