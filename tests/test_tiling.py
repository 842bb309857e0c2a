"""Tables of any size for benchmarks: n copies have n times what one has."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from everwhen.families.tdbench.inspection.tables import Inspection, inspect_tables
from everwhen.families.tdbench.source.load import load_declaration

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def inspect(declaration: Path) -> Inspection:
    (inspection,) = inspect_tables([load_declaration(declaration)])
    return inspection


def test_a_table_of_copies_has_as_many_times_all_of_one(tmp_path: Path) -> None:
    tile_table = runpy.run_path(str(BENCHMARKS / "tiling.py"))["tile_table"]
    one, copies = inspect(BENCHMARKS / "patients.yaml"), tile_table(BENCHMARKS / "patients.yaml", 850, tmp_path / "out")
    many = inspect(tmp_path / "out" / "patients.yaml")
    assert copies == 3
    assert (many.rows, many.open_rows, many.rejects) == (3 * one.rows, 3 * one.open_rows, [])
    ((first,), (found,)) = one.tfds, many.tfds
    assert (found.keys, len(found.broken)) == (3 * first.keys, 3 * len(first.broken)) == (156, 6)
    assert {f"{key[0]}{copy}" for key, _ in first.broken for copy in ("", " 2", " 3")} == {
        key[0] for key, _ in found.broken
    }
    with pytest.raises(FileExistsError):
        tile_table(BENCHMARKS / "patients.yaml", 850, tmp_path / "out")
