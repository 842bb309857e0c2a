"""The glossary is a list to look things up in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PROSE = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/data.md"]
NEVER = {"bears", "goes on", "held", "is none", "lies", "rests on", "said", "stands", "tells", "thing", "told", "trio"}
"""Of the words not to use, those that no sentence of a document needs. Tables and code may quote them."""


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


def test_the_words_that_no_sentence_needs_are_on_the_list() -> None:
    assert {word for row in rows("Words not to use") for word in row[0].split(", ")} >= NEVER


@pytest.mark.parametrize("document", PROSE)
def test_prose_avoids_the_words_not_to_use(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    sentences = re.sub(r"^```[^`]*```$|`[^`]*`|^\|.*$|^    .*$", " ", text, flags=re.M)
    assert {word for word in NEVER if re.search(rf"\b{word}\b", sentences, re.I)} == set()
