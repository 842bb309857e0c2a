"""What a manifest counts is compared with the files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256
from everwhen.validate.counts import WrongKey
from everwhen.validate.verify import Selection, verify
from tiny_dataset import FAMILY, write_dataset, write_manifest

QUESTIONS = f"{FAMILY}/questions"
FILE = "part-00000.parquet"
COUNTS = {"split": {"train": 6}, "type": {"1a": 2, "1ac": 1, "1b": 2, "2ac": 1}}
REPORT = {"version": "1", "snapshot": "s", "rows": 6}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with a report and counts; tests change its manifest and put it in order again."""
    folder = write_dataset(tmp_path_factory.mktemp("counts") / "dataset")
    (folder / "report.json").write_text(json.dumps(REPORT))
    files = {"report.json": compute_sha256(folder / "report.json")}
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["families"][FAMILY]["counts"] = COUNTS
    write_manifest(folder, version="1", snapshot="s", files=files, families=manifest["families"])
    return folder


def set_key(*path: str, to: Any) -> Callable[[dict[str, Any]], None]:
    """Set a key of a manifest."""

    def change(manifest: dict[str, Any]) -> None:
        for key in path[:-1]:
            manifest = manifest[key]
        manifest[path[-1]] = to

    return change


def set_rows_of_file(manifest: dict[str, Any]) -> None:
    """Let a file have another number of rows, and the table as well."""
    table = manifest["tables"]["facts/entities"]
    table["files"][0]["rows"] += 1
    table["rows"] += 1


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        pytest.param(lambda manifest: None, [], id="nothing"),
        pytest.param(set_key("rows", to=7), [("rows", 7, 6)], id="rows"),
        pytest.param(set_key("version", to="2"), [("report.json.version", "1", "2")], id="version"),
        pytest.param(set_key("snapshot", to="t"), [("report.json.snapshot", "s", "t")], id="snapshot"),
        pytest.param(
            set_key("tables", "facts/entities", "rows", to=1), [("tables.facts/entities.rows", 1, 9)], id="table"
        ),
        pytest.param(set_rows_of_file, [(f"tables.facts/entities.files.{FILE}.rows", 10, 9)], id="file"),
        pytest.param(set_key("families", FAMILY, "rows", to=7), [(f"families.{FAMILY}.rows", 7, 6)], id="family"),
        pytest.param(
            set_key("families", FAMILY, "id", to="x"), [(f"families.{FAMILY}.id", "x", "question_id")], id="id"
        ),
        pytest.param(
            set_key("families", FAMILY, "counts", "split", to={"train": 5, "test": 1}),
            [(f"families.{FAMILY}.counts.split.test", 1, 0), (f"families.{FAMILY}.counts.split.train", 5, 6)],
            id="split",
        ),
        pytest.param(
            set_key("families", FAMILY, "counts", "kind", to={"a": 1}),
            [(f"families.{FAMILY}.counts.kind", {"a": 1}, None)],
            id="no-column",
        ),
        pytest.param(
            set_key("families", FAMILY, "counts", to=None), [(f"families.{FAMILY}.counts", None, {})], id="no-counts"
        ),
    ],
)
def test_a_wrong_key_is_named(
    published: Path, change: Callable[[dict[str, Any]], None], wrong: list[tuple[str, Any, Any]]
) -> None:
    path = published / "manifest.json"
    sound = path.read_text()
    try:
        manifest = json.loads(sound)
        change(manifest)
        path.write_text(json.dumps(manifest))
        reported: list[str] = []
        found = verify(published, Selection(patterns=["start"], limit=1), warn=reported.append)
    finally:
        path.write_text(sound)
    assert found.wrong_keys == tuple(WrongKey(*each) for each in wrong)
    assert found.passed is (not wrong)
    assert len(reported) == bool(wrong)
    assert found.as_json()["wrong_keys"] == [
        dict(zip(("key", "manifest", "files"), each, strict=True)) for each in wrong
    ]


@pytest.mark.parametrize(
    "path",
    [
        ("content_hash",),
        ("tables", "facts/statements", "content_hash"),
        ("tables", QUESTIONS, "bytes"),
        ("families", FAMILY, "checks"),
        ("families", FAMILY, "items"),
    ],
    ids=".".join,
)
def test_a_missing_or_wrong_digest_is_named(tmp_path: Path, path: tuple[str, ...]) -> None:
    folder = write_dataset(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    set_key(*path, to=None)(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    found = verify(folder, Selection(patterns=["start"]))
    assert ".".join(path) in {wrong.key for wrong in found.wrong_keys}


def test_a_report_of_other_rows_is_named(published: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    shutil.copytree(published, folder)
    (folder / "report.json").write_text(json.dumps({**REPORT, "rows": 7}))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["report.json"] = compute_sha256(folder / "report.json")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    found = verify(folder, Selection(patterns=["start"], limit=1))
    assert found.wrong_keys == (WrongKey("report.json.rows", 7, 6),)


@pytest.mark.parametrize(("name", "wrong"), [("train", ()), ("test", (("test", "train"),))])
def test_rows_of_another_split_than_their_file_are_named(
    tmp_path: Path, name: str, wrong: tuple[tuple[str, str], ...]
) -> None:
    folder = write_dataset(tmp_path)
    file = f"{name}-00000-of-00001.parquet"
    (folder / QUESTIONS / FILE).rename(folder / QUESTIONS / file)
    write_manifest(folder)
    found = verify(folder, Selection(patterns=["start"], limit=1))
    assert found.wrong_keys == tuple(WrongKey(f"tables.{QUESTIONS}.files.{file}.split", *each) for each in wrong)


def test_a_line_for_people_shows_the_first(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path)
    write_manifest(folder, rows=1234)
    reported: list[str] = []
    found = verify(folder, warn=reported.append)
    assert reported == ["1 wrong key in manifest.json: rows is 1,234 and should be 6"]
    assert found.summarize().splitlines()[0] == "6 of 6 right; 1 wrong key in manifest.json: rows"


def test_counts_of_a_file_that_has_changed_are_not_named_too(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "dataset")
    other = write_dataset(tmp_path / "other", [])
    (folder / QUESTIONS / FILE).write_bytes((other / QUESTIONS / FILE).read_bytes())
    found = verify(folder)
    assert (found.changed_files, found.wrong_keys) == ((f"{QUESTIONS}/{FILE}",), ())


def test_a_file_that_never_was_parquet_is_named(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / QUESTIONS / FILE).write_bytes(b"")
    manifest["tables"][QUESTIONS]["files"][0]["sha256"] = (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=rf"{folder / QUESTIONS / FILE}: no parquet file: "):
        verify(folder)
