"""The examples of the package's docstrings and of its page run."""

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import everwhen.temporal

MODULES = sorted(f"everwhen.temporal.{module.name}" for module in pkgutil.iter_modules(everwhen.temporal.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_module_hold(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_of_the_documentation_hold() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "concepts" / "intervals.md"
    results = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert results.attempted > 20
    assert results.failed == 0
