"""The rows of a dataset change only by intent: digests of every column and table, for three builds.

`tests/dags` builds the sample once more, by jobs, with other partitions and adaptive plans: it has the same digests.

`pytest tests/golden --golden-update` renews `rows.json`. An issue that may change rows says which, and renews the file
in a commit of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from digests import digest_build
from everwhen.core.build import Build
from shared_builds import SyntheticBuild

ROWS = Path(__file__).resolve().parent / "rows.json"


def require_unchanged(name: str, build: Build, request: pytest.FixtureRequest) -> None:
    """Compare the digests of a build with those on record, or put them on record."""
    found: dict[str, Any] = digest_build(Path(build.root), build.config.version)
    record = json.loads(ROWS.read_text(encoding="utf-8"))
    if request.config.getoption("--golden-update"):
        record[name] = found
        ROWS.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert found == record[name]


@pytest.mark.full
@pytest.mark.spark
def test_the_sample_has_the_rows_on_record(sample_build: Build, request: pytest.FixtureRequest) -> None:
    require_unchanged("sample", sample_build, request)


@pytest.mark.full
@pytest.mark.spark
def test_the_synthetic_world_has_the_rows_on_record(
    synthetic_build: SyntheticBuild, request: pytest.FixtureRequest
) -> None:
    require_unchanged("synthetic", synthetic_build.build, request)


@pytest.mark.full
@pytest.mark.spark
def test_the_slice_has_the_rows_on_record(slice_build: Build, request: pytest.FixtureRequest) -> None:
    require_unchanged("slice", slice_build, request)
