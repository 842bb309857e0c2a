"""The checks that ship with a dataset, and whether this release knows its own."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from everwhen.core.files import write_atomically
from everwhen.families import load_builds
from everwhen.publish.checks import digest_families, render_check_files
from everwhen.validate.plan import KNOWN, FamilyChecks, find_release, load_known_checks
from everwhen.validate.suites import load_suite


def test_the_checks_of_this_release_are_known(request: pytest.FixtureRequest) -> None:
    families = load_builds()
    rendered = digest_families(render_check_files(families), families)
    if request.config.getoption("--golden-update"):
        known = load_known_checks() | {version("everwhen"): rendered}
        KNOWN.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        load_known_checks.cache_clear()
    assert load_known_checks().get(version("everwhen")) == rendered, (
        "known_checks.json is stale: the checks of a family have changed. Read what changed, then run"
        " `pytest tests/publish/test_checks.py --golden-update`"
    )
    assert {name: find_release(name, digest) for name, digest in rendered.items()} == {
        family.name: version("everwhen") for family in families
    }


def test_plans_and_suites_of_every_family_are_sound(tmp_path: Path) -> None:
    """A build finds what is wrong with them only when it publishes."""
    for family in load_builds():
        for name, text in render_check_files([family]).items():
            write_atomically(tmp_path / "checks" / name, text)
        checks = FamilyChecks(tmp_path, family.name)
        plan = checks.plan
        derivations = [file for each in plan.derivations.values() for file in (each.file, each.text) if file]
        assert all(checks.read(file) for file in [*plan.setup, *derivations, *(check.file for check in plan.checks)])
        assert plan.items.table == family.items.table.name
        assert all(load_suite(family.suites / f"{table.name}.json").expectations for table in family.published)


def test_every_file_of_a_plan_is_rendered() -> None:
    for family in load_builds():
        files = render_check_files([family])
        shared = {"catalog.sql", "facts.sql"} if family.evidence else set()
        assert {"README.md", f"{family.name}/checks.json", *shared} <= set(files)
        assert json.loads(files[f"{family.name}/checks.json"]).get("reads_facts", True) == (family.evidence is not None)
        assert not [path for path, text in files.items() if not text.endswith("\n")]


def test_the_readme_says_what_the_checks_share_with_the_builder() -> None:
    for family in load_builds():
        _, shared = render_check_files([family])["README.md"].split("\n## What the checks share with the builder\n")
        assert "share no code" in shared
        assert ("facts/" in shared or "from a template" in shared.lower()) == (family.evidence is not None)
