"""The checks of a dataset run by hand, as `checks/README.md` in it says, in DuckDB and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import duckdb
import pytest

from hostile_world import UndisturbedBuild

pytestmark = pytest.mark.full

CHECKS = Path("checks") / "complextempqa"


def read_file(db: duckdb.DuckDBPyConnection, path: Path) -> list[tuple[object, ...]]:
    """Run a file as `.read` of DuckDB's command line does; what its last statement yields."""
    return db.execute(path.read_text()).fetchall()


@pytest.fixture
def by_hand(undisturbed: UndisturbedBuild) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB after all that the README says to run first, in the folder of the dataset."""
    with chdir(undisturbed.dataset), duckdb.connect(":memory:") as db:
        text = (CHECKS.parent / "README.md").read_text()
        for block in re.findall(r"```sql\n(.*?)```", text, re.DOTALL):
            for part in re.split(r"^(\.read .*)$", block, flags=re.MULTILINE):
                if part.startswith(".read "):
                    read_file(db, Path(part.removeprefix(".read ")))
                elif part.strip():
                    db.execute(part)
        for name in json.loads((CHECKS / "checks.json").read_text())["setup"]:
            read_file(db, CHECKS / name)
        yield db


def test_every_check_finds_nothing_wrong(by_hand: duckdb.DuckDBPyConnection) -> None:
    plan = json.loads((CHECKS / "checks.json").read_text())
    for check in plan["checks"]:
        assert read_file(by_hand, CHECKS / check["file"]) == [], check["name"]
    groups = [name for (name,) in by_hand.execute("SELECT DISTINCT template_id FROM items").fetchall()]
    assert len(groups) > 5
    for group in groups:
        by_hand.execute(f"CREATE OR REPLACE VIEW q AS FROM items WHERE template_id = '{group}'")
        (rows,) = by_hand.execute("SELECT count(*) FROM q").fetchall()[0]
        answered = read_file(by_hand, CHECKS / plan["derivations"][group]["file"])
        texts = read_file(by_hand, CHECKS / plan["derivations"][group]["text"])
        assert len(answered) == len(texts) == rows > 0
        assert [row for row in texts if row[1] != row[2]] == []
