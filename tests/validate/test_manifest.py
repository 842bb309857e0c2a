"""A manifest that lacks what its readers need is refused before any work."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import everwhen
from everwhen.core.errors import InputError
from everwhen.validate.explain import explain
from everwhen.validate.manifest import load_manifest
from everwhen.validate.verify import verify
from tiny_dataset import FAMILY, write_dataset, write_manifest

QUESTIONS = f"{FAMILY}/questions"
FILE = {"name": "part-00000.parquet", "bytes": 1, "rows": 1, "sha256": "0"}


def list_file(**changes: Any) -> dict[str, Any]:
    """A manifest's tables: one, of one file."""
    return {"tables": {"facts/x": {"files": [{**FILE, **changes}]}}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"families": {"../x": {}}}, r"families\.\.\./x is no family", id="family"),
        pytest.param({"families": {FAMILY: 1}}, f"families.{FAMILY} is no family", id="family-without-data"),
        pytest.param({"families": {}}, "families is empty", id="no-family"),
        pytest.param({"tables": None}, "no tables", id="no-tables"),
        pytest.param({"tables": {}}, "tables is empty", id="empty-tables"),
        pytest.param({"tables": {"facts/x": {}}}, "tables.facts/x lists no files", id="no-files"),
        pytest.param({"tables": {"facts/x": {"files": []}}}, "tables.facts/x lists no files", id="empty-files"),
        pytest.param({"tables": {"facts/x": {"files": ["a"]}}}, "tables.facts/x: a file without name", id="no-file"),
        pytest.param(list_file(sha256=None), "tables.facts/x: a file without sha256", id="no-digest"),
        pytest.param(list_file(rows="1"), "tables.facts/x: a file without rows", id="no-rows"),
        pytest.param(list_file(name="../x.parquet"), r"tables.facts/x: \.\./x.parquet is no file", id="outside"),
        pytest.param({"tables": {"facts/x": {"files": [FILE, FILE]}}}, "tables.facts/x lists a file twice", id="twice"),
        pytest.param({"tables": {"../x": {"files": [FILE]}}}, r"tables.\.\./x is no table", id="table-outside"),
        pytest.param({"checks": {"../../x": "0"}}, r"\.\./\.\./x is no path in the dataset", id="check-outside"),
        pytest.param({"files": {"/etc/passwd": None}}, "/etc/passwd is no path in the dataset", id="file-outside"),
        pytest.param({"lists": "films"}, "lists is no list", id="lists"),
        pytest.param({"window": {"start": "soon"}}, "window.start and window.end are dates", id="window"),
        pytest.param({"checks": None}, "no checks", id="checks"),
        pytest.param({"files": None}, "no files", id="files"),
    ],
)
def test_a_damaged_manifest_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    folder = write_dataset(tmp_path)
    write_manifest(folder, **changes)
    with pytest.raises(InputError, match=rf"manifest\.json: damaged: {message}"):
        load_manifest(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"tables": 1}'])
@pytest.mark.parametrize("read", [verify, everwhen.load, lambda folder: explain(folder, 1)])
def test_every_reader_names_the_file_that_is_no_manifest(
    tmp_path: Path, read: Callable[[Path], object], text: str
) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=rf"{tmp_path}/manifest\.json: damaged: "):
        read(tmp_path)


def test_a_folder_without_a_manifest_is_refused_before_any_work(tmp_path: Path) -> None:
    """What else is there is not even looked at."""
    folder = write_dataset(tmp_path)
    (folder / QUESTIONS / "part-00000.parquet").write_bytes(b"torn")
    (folder / "manifest.json").unlink()
    with pytest.raises(InputError, match=r"no manifest\.json"):
        verify(folder, progress=lambda *step: pytest.fail("a check was run"))


def test_anybody_can_compute_a_content_hash(tmp_path: Path) -> None:
    """By two commands of every Linux."""
    folder = write_dataset(tmp_path)
    tables = json.loads((folder / "manifest.json").read_text())["tables"]
    for table, entry in tables.items():
        command = "sha256sum *.parquet | sha256sum"
        run = subprocess.run(["sh", "-c", command], cwd=folder / table, capture_output=True, text=True, check=True)
        assert run.stdout.split()[0] == entry["content_hash"]
