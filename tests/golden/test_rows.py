"""The rows of a dataset change only by intent: digests of every column, for three builds.

`pytest tests/golden --golden-update` renews `rows.json`. An issue that may change rows says which, and renews the file
in a commit of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from digests import digest_questions
from everwhen.core.build import Build
from shared_builds import SyntheticBuild

ROWS = Path(__file__).resolve().parent / "rows.json"


def digest_build(build: Build) -> dict[str, Any]:
    """Digest the questions that a build has published."""
    return digest_questions(Path(build.root) / "dataset" / build.config.version)


def require_unchanged(name: str, found: dict[str, Any], request: pytest.FixtureRequest) -> None:
    """Compare the digests of a build with those on record, or put them on record."""
    record = json.loads(ROWS.read_text(encoding="utf-8"))
    if request.config.getoption("--golden-update"):
        record[name] = found
        ROWS.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert found == record[name]


@pytest.mark.full
@pytest.mark.spark
def test_the_sample_has_the_rows_on_record(sample_build: Build, request: pytest.FixtureRequest) -> None:
    require_unchanged("sample", digest_build(sample_build), request)


@pytest.mark.full
@pytest.mark.spark
def test_the_synthetic_world_has_the_rows_on_record(
    synthetic_build: SyntheticBuild, request: pytest.FixtureRequest
) -> None:
    require_unchanged("synthetic", digest_build(synthetic_build.build), request)


@pytest.mark.full
@pytest.mark.spark
def test_the_slice_has_the_rows_on_record(slice_build: Build, request: pytest.FixtureRequest) -> None:
    require_unchanged("slice", digest_build(slice_build), request)
