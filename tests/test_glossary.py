"""The glossary is a list to look things up in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "glossary.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Cells of the table under a heading, without its two first lines."""
    section = re.split(r"^## ", TEXT, flags=re.M)
    (found,) = [part for part in section if part.startswith(heading)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found.splitlines() if line[:1] == "|"][2:]


@pytest.mark.parametrize("heading", ["Terms", "Words not to use"])
def test_the_entries_are_sorted_and_unique(heading: str) -> None:
    entries = [row[0].lower() for row in rows(heading)]
    assert entries == sorted(set(entries))


@pytest.mark.parametrize(("heading", "columns"), [("Terms", 3), ("Words not to use", 2)])
def test_every_entry_is_complete(heading: str, columns: int) -> None:
    assert {(len(row), all(row)) for row in rows(heading)} == {(columns, True)}


def test_no_word_to_avoid_is_a_term() -> None:
    terms = {row[0] for row in rows("Terms")}
    avoided = {word for row in rows("Words not to use") for word in row[0].split(", ")}
    assert not terms & avoided
