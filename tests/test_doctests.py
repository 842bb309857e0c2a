"""The examples in docstrings of pure functions run, without a JVM."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

PACKAGES = ("language", "temporal", "wikidata", "wikitext")


def find_modules() -> list[str]:
    """The modules of the packages."""
    return [
        f"everwhen.{package}.{module.name}"
        for package in PACKAGES
        for module in pkgutil.iter_modules(import_module(f"everwhen.{package}").__path__)
    ]


def find_examples(module: str) -> list[doctest.DocTest]:
    """The functions and classes of a module whose docstrings have examples."""
    return [test for test in doctest.DocTestFinder().find(import_module(module)) if test.examples]


@pytest.mark.parametrize("module", find_modules())
def test_examples_run(module: str) -> None:
    results = doctest.testmod(import_module(module))
    assert results.failed == 0


def test_each_package_of_pure_functions_has_examples() -> None:
    with_examples = {module.split(".")[1] for module in find_modules() if find_examples(module)}
    assert with_examples >= {"language", "temporal", "wikidata"}
    assert sum(len(find_examples(module)) for module in find_modules()) >= 10
