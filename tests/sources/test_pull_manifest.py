from __future__ import annotations

import json
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.core.retries import RefusedError
from everwhen.sources.pull_manifest import Log, Manifest

TITLES = ["a\u2028b", "c\x85d", "é", "e\rf"]
"""Titles with what Python takes for the end of a line."""


def test_a_log_keeps_complete_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = Log(path)
    for title in TITLES:
        log.append({"title": title})
    complete = path.read_bytes()
    for cut in range(len(complete) + 1):
        path.write_bytes(complete[:cut])
        lines = Log(path).lines
        assert lines == [{"title": title} for title in TITLES[: complete[:cut].count(b"\n")]]
        assert path.read_bytes() == complete[: complete[:cut].rfind(b"\n") + 1]


def test_a_broken_log_is_reported(tmp_path: Path) -> None:
    (tmp_path / "log").write_text('{"title": "a"}\n{"ti\n{"title": "b"}\n')
    with pytest.raises(InputError, match=r"log: a line is broken"):
        Log(tmp_path / "log")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"items": 3}', '{"items": [{}]}', '{"items": [1]}', "\xff"])
def test_a_broken_manifest_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "pull.json").write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=r"pull\.json: no manifest of a pull"):
        Manifest(tmp_path, {})


def test_the_content_of_a_manifest(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path, {"what": "things"})
    manifest.fail("a", RefusedError("no", 400))
    with pytest.raises(InputError, match=r"1 asked, 0 stored, 0 missing, 1 failed; a: no$"):
        manifest.summarize()
    with pytest.raises(RefusedError, match="not you"):
        manifest.fail("b", RefusedError("not you", 401))
    (tmp_path / "c").write_text("c")
    manifest.record("c", "stored", tmp_path / "c")
    manifest.record("d", "missing")
    assert manifest.summarize() == "3 asked, 1 stored, 1 missing, 1 failed (a: no)"
    manifest.write(redirects={"titles": 4})
    again = Manifest(tmp_path, {"what": "things"})
    again.record("a", "missing")
    assert json.loads((tmp_path / "pull.json").read_text())["redirects"] == {"titles": 4}
    assert again.summarize() == "3 asked, 1 stored, 2 missing, 0 failed"
