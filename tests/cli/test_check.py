"""`everwhen check`: what can be said of a configuration and its files without Spark."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from everwhen.cli.main import main
from everwhen.core.config_file import build_schema
from everwhen.families import load_settings

ROOT = Path(__file__).resolve().parents[2]
BARE = "version: '1'\nsnapshot: s\n"
PACKED = bz2.compress(b"Q42 was born\n" * 1000)
DAMAGED = PACKED[:10] + bytes(4) + PACKED[14:]
"""The checksum of its only block is wrong."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(BARE)
    return tmp_path


def test_a_valid_configuration_says_what_is_built_from_which_files(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(2):
        (here / f"{number}.json.bz2").write_bytes(bz2.compress(b"[\n]\n"))
    arguments = ["--dump", "*.json.bz2", "--year-pages", "s3a://bucket/pages/*.wikitext", "--snapshot", "2026-11-01"]
    assert main(["check", "--config", "mine.yaml", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "This configuration is valid: mine.yaml"
    assert lines[1].split() == ["version:", "1,", "from", "snapshot", "2026-11-01"]
    assert lines[-2].split() == ["dump:", "2", "files,", "0.0", "MB"]
    assert lines[-1].split() == ["year", "pages:", "s3a://bucket/pages/*.wikitext", "(not", "looked", "at)"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("a.json.bz2", b"", "is empty", id="empty"),
        pytest.param("a.json.bz2", b"not bz2", "is not a bzip2 file, as its name says", id="no-bzip2"),
        pytest.param("a.json.bz2", bz2.compress(b"[]")[:-9], "does not end as a bzip2 file does", id="cut-off"),
        pytest.param("a.json.gz", bz2.compress(b"[]"), "is not a gzip file, as its name says", id="no-gzip"),
        pytest.param("a.json", gzip.compress(b"[]"), "its name must end in .gz", id="name-hides-gzip"),
        pytest.param("a.zip", b"PK\x03\x04" + bytes(9), "is a zip file, which Spark does not read", id="zip"),
        pytest.param("a.json", b"Q42 was born\n", "begins with neither [ nor {", id="text"),
        pytest.param("a.json.bz2", DAMAGED, "cannot be unpacked: Invalid data stream", id="damaged"),
        pytest.param("a.json.gz", gzip.compress(b"a,b\n"), "begins with neither [ nor {", id="packed-text"),
        pytest.param("a.json.xz", b"\xfd7zXZ\x00" + bytes(9), "is a xz file, which Spark does not", id="xz"),
    ],
)
def test_a_file_s_first_bytes_are_looked_at(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, message: str
) -> None:
    (here / name).write_bytes(content)
    assert main(["check", "--config", "mine.yaml", "--dump", name]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"everwhen: sources.dump: {name}: ")
    assert message in error


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("folder", "folder: a folder without files"),
        ("none.json", "none.json: no such file"),
        ("https://dumps.wikimedia.org/a.json.bz2", "a build reads files; fetch it first (everwhen pull)"),
        ("hdfs://", "an address such as hdfs://host/path is expected"),
    ],
)
def test_a_path_that_names_no_file(here: Path, capsys: pytest.CaptureFixture[str], path: str, message: str) -> None:
    (here / "folder").mkdir()
    assert main(["check", "--config", "mine.yaml", "--dump", path]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text("[]")
    (here / "a.json").chmod(0)
    assert main(["check", "--config", "mine.yaml", "--dump", "a.json"]) == 2
    assert "no permission to read it" in capsys.readouterr().err


def test_all_unusable_files_are_reported_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--config", "mine.yaml", "--dump", "a", "b", "--pageviews", "c"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "everwhen: sources.dump: a: no such file",
        "everwhen: sources.dump: b: no such file",
        "everwhen: sources.pageviews: c: no such file",
    ]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (
            "{complete: [{list: games, start: 1990, end: 1999, members: 3, source: me}]}",
            "3: families.complextempqa.complete[1].list: no entity list of events games; there are aviation_accidents,",
        ),
        (
            "{complete: [{position: 5, award: 6, start: 1990, end: 1999, members: 3, source: me}]}",
            "3: families.complextempqa.complete[1]: one of list, position, award, films_by, films_with, books_by is",
        ),
        (
            "{complete: [{position: 5, start: 1999, end: 1990, members: 3, source: me}]}",
            "3: families.complextempqa.complete[1]: start: is after end",
        ),
        (
            "{complete: [{position: 5, start: 1990, end: 1999, source: me}]}",
            "3: families.complextempqa.complete[1]: members: expected of one item, and not of all",
        ),
        (
            "{templates: ['counting.*'], budgets: [{templates: [attribute.event.date], rows: 1}]}",
            "3: families.complextempqa.budgets[1]: of attribute.event.date none is among the templates in use",
        ),
        (
            "{budgets: [{templates: [attribute.evnt.date], rows: 1}]}",
            "3: families.complextempqa.budgets[1].templates[1]: no template attribute.evnt.date; did you mean",
        ),
    ],
)
def test_a_section_that_makes_no_sense(
    here: Path, capsys: pytest.CaptureFixture[str], section: str, message: str
) -> None:
    (here / "mine.yaml").write_text(f"{BARE}families: {{complextempqa: {section}}}\n")
    assert main(["check", "--config", "mine.yaml", "--dump", "mine.yaml"]) == 2
    assert capsys.readouterr().err.startswith(f"everwhen: mine.yaml:{message}")


PULL = (
    BARE.replace("snapshot: s", "snapshot: latest")
    + """pull:
  contact: me@example.org
  sources: [year-pages, entity-lists, pageviews, dump]
"""
)


def test_a_configuration_is_ready_after_the_pull(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.yaml").write_text(PULL)
    assert main(["check", "--config", "mine.yaml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "This configuration is valid, and ready after the pull: mine.yaml"
    assert [line.partition(":")[2].strip() for line in lines[1:4]] == [
        "1, from the newest complete dump (everwhen pull snapshot)",
        "1987-01-01 to the end of the last full year before the snapshot",
        "the last full month before the snapshot",
    ]
    assert lines[-1].split() == ["pull:", "year-pages,", "entity-lists,", "pageviews,", "dump"]
    assert main(["check", "--config", "mine.yaml", "--snapshot", "2026-11-16"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[2].strip() for line in lines[1:4]] == [
        "1, from snapshot 2026-11-16",
        "1987-01-01 to 2025-12-31",
        "2026-10-01 to 2026-10-31",
    ]


def test_what_is_not_pulled_must_be_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.yaml").write_text(PULL.replace(", dump]", "]"))
    assert main(["check", "--config", "mine.yaml"]) == 2
    assert "sources.dump: no Wikidata dump is named" in capsys.readouterr().err


def test_the_configuration_for_every_month_needs_a_contact_alone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "configs" / "monthly.yaml").read_text(encoding="utf-8")
    (here / "mine.yaml").write_text(text)
    assert main(["check", "--config", "mine.yaml"]) == 2
    assert re.fullmatch(r"everwhen: mine\.yaml:\d+: pull\.contact: .* asks for an e-mail.*\n", capsys.readouterr().err)
    (here / "mine.yaml").write_text(text.replace('contact: ""', "contact: me@example.org"))
    assert main(["check", "--config", "mine.yaml"]) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("  titles: none.txt", "6: pull.titles: none.txt: cannot be read: "),
        ("  titles: empty.txt", "6: pull.titles: empty.txt: has no title"),
        ("  lists: [film]", "6: pull.lists[1]: no entity list film; did you mean films?"),
        ("  lists: [films, books]\nworld: {lists: [films]}", "6: pull.lists[2]: books: is not built; world.lists says"),
        (
            "  dump_url: https://example.org/{date}.json.bz2",
            "6: pull.dump_url: https://example.org/{date}.json.bz2: a fo",
        ),
        ("  dump_url: https://example.org/{date}/a.nt", "6: pull.dump_url: https://example.org/{date}/a.nt: a file is"),
        (
            "  pageviews_url: https://example.org/views.bz2",
            "6: pull.pageviews_url: https://example.org/views.bz2: a file",
        ),
        (
            "views: {start: 2014-01-01, end: 2014-01-31}",
            "6: views.start: 2014-01-01: there are views from 2015-07-01 on",
        ),
        ("views: {start: 2024-01-01, end: 2999-12-31}", "6: views.end: 2999-12-31: there are views up to yesterday"),
        ("views: {start: 2024-01-01, end: 2024-01-30}", "6: views: 2024-01-01 to 2024-01-30 are no full months"),
    ],
)
def test_the_section_pull_is_checked(here: Path, capsys: pytest.CaptureFixture[str], line: str, message: str) -> None:
    (here / "empty.txt").touch()
    (here / "mine.yaml").write_text(f"{PULL}{line}\n")
    assert main(["check", "--config", "mine.yaml"]) == 2
    [error] = capsys.readouterr().err.splitlines()
    assert error.startswith(f"everwhen: mine.yaml:{message}")


def test_all_errors_of_a_pull_are_reported_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PULL.replace("me@example.org", '""').replace("latest", "autumn") + "  titles: none.txt\n"
    (here / "mine.yaml").write_text(text + "world: {lists: [film]}\n")
    assert main(["check", "--config", "mine.yaml"]) == 2
    found = [error.split(": ")[1:3] for error in capsys.readouterr().err.splitlines()]
    assert found == [
        ["mine.yaml:2", "snapshot"],
        ["mine.yaml:4", "pull.contact"],
        ["mine.yaml:6", "pull.titles"],
        ["mine.yaml:7", "world.lists[1]"],
    ]


def test_a_pull_is_checked_before_it_asks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.yaml").write_text(f"{PULL}  titles: none.txt\n")
    arguments = ["pull", "pageviews", "--config", "mine.yaml", "--snapshot", "2026-11-16", "--raw", "raw"]
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("everwhen: mine.yaml:6: pull.titles: none.txt: cannot be read: ")
    assert not (here / "raw").exists()


def test_no_jvm_is_started(here: Path) -> None:
    (here / "a.json").write_text("[]")
    code = (
        "import sys\nfrom everwhen.cli.main import main\n"
        "assert main(['check', '--config', 'mine.yaml', '--dump', 'a.json']) == 0\n"
        "pyspark = sys.modules.get('pyspark')\n"
        "print(pyspark is not None and pyspark.SparkContext._gateway is not None)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=here)
    assert run.stdout.splitlines()[-1] == "False"


def test_the_schema_beside_the_configurations_is_the_current_one() -> None:
    kept = json.loads((ROOT / "configs" / "schema.json").read_text(encoding="utf-8"))
    assert kept == build_schema(load_settings()), "everwhen check --schema > configs/schema.json"
