"""What is refused before a build of IMPLIRET begins."""

from __future__ import annotations

from typing import Any

import pytest

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.families.impliret.config import NAME
from everwhen.families.impliret.preflight import PREFLIGHT, find_config_errors, forecast


def configure(**settings: Any) -> Config:
    """A configuration with such a section."""
    return Config(version="t", snapshot="s", families={NAME: settings})


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"tuples": 20}, "30 are expected: the activities of temporal chats"),
        ({"sets": 60}, "temporal_uni: 60 sets of 28 days do not fit"),
        ({"sets": 200, "categories": ["arithmetic"]}, "arithmetic_multi: 79 topics of arithmetic, 200 are needed"),
        ({"first_year": 2024, "last_year": 2023}, "2024 or later is expected"),
        ({"uni_prices": {"lowest": 900, "highest": 900}}, "highest: more than 900 is expected"),
    ],
)
def test_sizes_that_contradict_each_other_are_found(settings: dict[str, Any], error: str) -> None:
    assert error in str(find_config_errors(configure(**settings))[0])


def test_a_plan_says_how_many_documents_there_will_be() -> None:
    landmarks = "; without wknow where the facts have too few landmarks"
    assert forecast(configure()) == [
        f"impliret: 6 pools of 50 sets of 30 documents: 9,000 documents, and as many queries{landmarks}"
    ]
    few = configure(categories=["wknow"], styles=["uni"], sets=1, tuples=2)
    assert forecast(few) == ["impliret: 1 pool of 1 set of 2 documents: 2 documents, and as many queries"]


def test_twenty_tuples_suit_what_is_no_temporal_chat() -> None:
    assert find_config_errors(configure(tuples=20, styles=["multi"])) == []


def test_a_model_that_cannot_be_asked_is_refused() -> None:
    rewriting = {"base_url": "localhost", "model": "m", "journal": "none"}
    with pytest.raises(InputError, match=r"^localhost/chat/completions: an address that begins with http"):
        PREFLIGHT.require_usable(configure(rewriting=rewriting))


def test_the_size_of_the_paper_can_be_drawn() -> None:
    assert find_config_errors(configure()) == []
