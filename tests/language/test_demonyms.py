"""The adjectives of countries."""

from __future__ import annotations

import pytest

from everwhen.language.demonyms import ADJECTIVES


@pytest.mark.parametrize(
    ("country", "adjective"), [("United Kingdom", "British"), ("Costa Rica", "Costa Rican"), ("Zimbabwe", "Zimbabwean")]
)
def test_a_country_has_its_adjective(country: str, adjective: str) -> None:
    assert ADJECTIVES[country] == adjective
