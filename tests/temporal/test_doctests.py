"""The examples of the page about intervals run."""

import doctest
from pathlib import Path


def test_examples_of_the_documentation_hold() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "concepts" / "intervals.md"
    results = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert results.attempted > 20
    assert results.failed == 0
