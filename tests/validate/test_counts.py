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
from everwhen.validate.verification import Verification
from everwhen.validate.verify import ItemSelection, verify
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


Change = Callable[[dict[str, Any]], None]

WRONG: dict[str, tuple[Change, list[tuple[str, Any, Any]]]] = {
    "rows": (set_key("rows", to=7), [("rows", 7, 6)]),
    "version": (set_key("version", to="2"), [("report.json.version", "1", "2")]),
    "snapshot": (set_key("snapshot", to="t"), [("report.json.snapshot", "s", "t")]),
    "table": (set_key("tables", "facts/labels", "rows", to=1), [("tables.facts/labels.rows", 1, 9)]),
    "file": (set_rows_of_file, [(f"tables.facts/entities.files.{FILE}.rows", 10, 9)]),
    "family": (set_key("families", FAMILY, "rows", to=7), [(f"families.{FAMILY}.rows", 7, 6)]),
    "id": (set_key("families", FAMILY, "id", to="x"), [(f"families.{FAMILY}.id", "x", "question_id")]),
    "split": (
        set_key("families", FAMILY, "counts", "split", to={"train": 5, "test": 1}),
        [(f"families.{FAMILY}.counts.split.test", 1, 0), (f"families.{FAMILY}.counts.split.train", 5, 6)],
    ),
    "no-column": (
        set_key("families", FAMILY, "counts", "kind", to={"a": 1}),
        [(f"families.{FAMILY}.counts.kind", {"a": 1}, None)],
    ),
}
"""By a name: a change of the manifest, and the keys that are wrong then, with what it says and what the files give.

No change touches what another one does, so that all are made at once."""


def verify_changed(folder: Path, *changes: Change) -> tuple[Verification, list[str]]:
    """Verify with a manifest that is changed for the time; what is found, and the warnings."""
    path = folder / "manifest.json"
    sound = path.read_text()
    try:
        manifest = json.loads(sound)
        for change in changes:
            change(manifest)
        path.write_text(json.dumps(manifest))
        reported: list[str] = []
        return verify(folder, ItemSelection(patterns=["start"], limit=1), warn=reported.append), reported
    finally:
        path.write_text(sound)


def test_no_key_of_a_sound_manifest_is_wrong(published: Path) -> None:
    found, reported = verify_changed(published)
    assert (found.wrong_keys, found.passed, reported) == ((), True, [])
    assert found.as_json()["wrong_keys"] == []


def test_every_wrong_key_is_named_and_no_other(published: Path) -> None:
    found, reported = verify_changed(published, *(change for change, _ in WRONG.values()))
    expected = sorted((key for _, keys in WRONG.values() for key in keys), key=lambda key: key[0])
    assert found.wrong_keys == tuple(WrongKey(*key) for key in expected)
    assert found.passed is False
    assert len(reported) == 1
    assert found.as_json()["wrong_keys"] == [
        {"key": wrong.key, "manifest": wrong.manifest, "files": wrong.files} for wrong in found.wrong_keys
    ]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        # One of the report, one of a table, and a family without counts, each alone.
        pytest.param(*WRONG["version"], id="version"),
        pytest.param(*WRONG["file"], id="file"),
        pytest.param(
            set_key("families", FAMILY, "counts", to=None), [(f"families.{FAMILY}.counts", None, {})], id="no-counts"
        ),
    ],
)
def test_one_wrong_key_fails(published: Path, change: Change, wrong: list[tuple[str, Any, Any]]) -> None:
    found, reported = verify_changed(published, change)
    assert found.wrong_keys == tuple(WrongKey(*each) for each in wrong)
    assert (found.passed, len(reported)) == (False, 1)


DIGESTS = (
    ("content_hash",),
    ("tables", "facts/statements", "content_hash"),
    ("tables", QUESTIONS, "bytes"),
    ("families", FAMILY, "checks"),
    ("families", FAMILY, "items"),
)


def test_missing_or_wrong_digests_are_named(published: Path) -> None:
    found, _ = verify_changed(published, *(set_key(*path, to=None) for path in DIGESTS))
    assert {".".join(path) for path in DIGESTS} <= {wrong.key for wrong in found.wrong_keys}


def test_a_report_of_other_rows_is_named(published: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    shutil.copytree(published, folder)
    (folder / "report.json").write_text(json.dumps({**REPORT, "rows": 7}))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["report.json"] = compute_sha256(folder / "report.json")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    found = verify(folder, ItemSelection(patterns=["start"], limit=1))
    assert found.wrong_keys == (WrongKey("report.json.rows", 7, 6),)


@pytest.mark.parametrize(("name", "wrong"), [("train", ()), ("test", (("test", "train"),))])
def test_rows_of_another_split_than_their_file_are_named(
    tmp_path: Path, name: str, wrong: tuple[tuple[str, str], ...]
) -> None:
    folder = write_dataset(tmp_path)
    file = f"{name}-00000-of-00001.parquet"
    (folder / QUESTIONS / FILE).rename(folder / QUESTIONS / file)
    write_manifest(folder)
    found = verify(folder, ItemSelection(patterns=["start"], limit=1))
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
