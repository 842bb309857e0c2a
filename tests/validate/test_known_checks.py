"""Whether a known release of everwhen has the checks of a dataset."""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from everwhen.families import load_builds
from everwhen.publish.checks import digest_families, render_check_files
from everwhen.validate import plan
from everwhen.validate.verify import verify
from tiny_dataset import FAMILY, SOUND, write_checks, write_dataset, write_manifest


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dataset without rows of other templates, with the checks that this release renders, which are known."""
    row = {**SOUND["start"], "template_id": "attribute.event.start"}
    folder = write_dataset(tmp_path, [row])
    shutil.rmtree(folder / "checks")
    families = [family for family in load_builds() if family.name == FAMILY]
    files = render_check_files(families)
    write_checks(folder, files)
    write_manifest(folder)
    # Whether the list of known checks is up to date is the matter of tests/publish/test_checks.py.
    known = {version("everwhen"): digest_families(files, families)}
    monkeypatch.setattr(plan, "load_known_checks", lambda: known)
    return folder


def test_the_checks_of_a_release_are_known_and_changed_ones_are_not(released: Path) -> None:
    found = verify(released)
    assert found.families[FAMILY].release == version("everwhen")
    assert (found.warn_of_unknown_checks(), found.as_json()["has_known_checks"]) == ([], True)
    path = released / "checks" / FAMILY / "hops.sql"
    path.write_text(path.read_text() + "-- lax\n")
    write_manifest(released)
    changed = verify(released)
    assert changed.families[FAMILY].release is None
    assert changed.families[FAMILY].checks != found.families[FAMILY].checks
    assert changed.changed_files == ()
    assert changed.warn_of_unknown_checks() == [
        "the checks of complextempqa are those of no known release: they may be lax"
    ]
    assert changed.as_json()["has_known_checks"] is False
