"""The examples in the docstrings of the package run."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import everwhen.temporal

MODULES = sorted(f"everwhen.temporal.{module.name}" for module in pkgutil.iter_modules(everwhen.temporal.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_module_hold(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
