"""An error in the checks of a dataset says whether another version published it, and which command to use."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.validate import version as tested
from everwhen.validate.explain import explain
from everwhen.validate.plan import digest_checks, read_check_files
from everwhen.validate.verify import verify
from tiny_dataset import FAMILY, RULES, write_dataset, write_manifest

OWN = version("everwhen")
OTHER = "the checks of .* are those of everwhen 0.0.9, and this is .*: run pip install everwhen==0.0.9, then this com"
REVISION = rf"the checks of .* are those of another revision of everwhen {OWN}: use that revision, or build"


def write_old_dataset(folder: Path, publisher: str) -> Path:
    """Write a dataset whose slots lack a column."""
    slots = "SELECT 'event' AS slot, label(question_entity[1]) AS text, 'x' AS stands_for FROM q"
    write_dataset(folder, rules={"start": replace(RULES["start"], slots=slots)})
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "everwhen": publisher}))
    return folder


@pytest.mark.parametrize(("publisher", "message"), [("0.0.9", OTHER), (OWN, REVISION)])
def test_an_explanation_says_who_published(tmp_path: Path, publisher: str, message: str) -> None:
    folder = write_old_dataset(tmp_path, publisher)
    with pytest.raises(InputError, match=rf"meaning is missing; {message}"):
        explain(folder, 1)


def test_a_verification_says_who_published(tmp_path: Path) -> None:
    folder = write_old_dataset(tmp_path, "0.0.9")
    path = folder / "checks" / FAMILY / "show.sql"
    plan = folder / "checks" / FAMILY / "checks.json"
    plan.write_text(json.dumps({**json.loads(plan.read_text()), "new_key": 1}))
    assert path.exists()
    write_manifest(folder)
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "everwhen": "0.0.9"}))
    with pytest.raises(InputError, match=OTHER):
        verify(folder)


def test_an_error_in_checks_of_this_version_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_old_dataset(tmp_path, OWN)
    files = read_check_files(folder, json.loads((folder / "manifest.json").read_text())["checks"])
    monkeypatch.setattr(tested, "load_known_checks", lambda: {OWN: {FAMILY: digest_checks(files, FAMILY)}})
    with pytest.raises(InputError, match=r"meaning is missing$"):
        explain(folder, 1)
