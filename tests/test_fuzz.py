from __future__ import annotations

import pytest

from fuzz import TARGETS, fuzz

INPUTS, SEED = 10_000, 20_261_121


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_is_too_much_for_a_parser(name: str) -> None:
    inputs = round(INPUTS * TARGETS[name].share)
    assert fuzz(name, inputs, SEED) >= inputs
