"""Small declared tables, written for a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.load import load_declaration

Declare = Callable[..., Declaration]


@pytest.fixture
def declare(tmp_path: Path) -> Declare:
    """Write a CSV file and its declaration, and load it."""

    def write(
        csv: str, time: str, rest: str = "tfds: [{given: [Key], determines: [Value]}]", name: str = "t"
    ) -> Declaration:
        (tmp_path / f"{name}.csv").write_text(csv, encoding="utf-8")
        path = tmp_path / f"{name}.yaml"
        path.write_text(f"table: {name}\nfrom: {{file: {name}.csv}}\ntime: {{{time}}}\n{rest}\n", encoding="utf-8")
        return load_declaration(path)

    return write
