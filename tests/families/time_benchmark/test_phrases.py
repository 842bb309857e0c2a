"""The clauses and questions of `templates/time_benchmark`."""

from __future__ import annotations

import pytest

from everwhen.families.time_benchmark.phrases import SidePhrases, load_phrases
from everwhen.language.prose_templates import load_prose
from everwhen.language.wording import SLOT


@pytest.mark.parametrize("number", load_phrases())
def test_each_clause_names_both_ends_of_a_fact(number: int) -> None:
    phrases = load_phrases()[number]
    for clause in (phrases.begin, phrases.end, phrases.hold, phrases.had, phrases.when):
        assert {"s", "v"} == set(SLOT.findall(clause))


@pytest.mark.parametrize("number", load_phrases())
def test_each_question_names_the_entity(number: int) -> None:
    phrases = load_phrases()[number]
    sides: list[SidePhrases | None] = [phrases.subject, phrases.value]
    for side in filter(None, sides):
        assert SLOT.findall(side.which) == SLOT.findall(side.would) == ["entity"]
        assert set(SLOT.findall(side.nth)) == {"entity", "nth"}


@pytest.mark.parametrize("number", load_phrases())
def test_each_property_has_prose_for_its_times(number: int) -> None:
    assert {"start_end", "start", "end"} <= load_prose().properties[number].forms.keys()
