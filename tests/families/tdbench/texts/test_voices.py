"""Which voice asks a scope: declared phrases where they name what is given, else the columns."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.relations import list_relations
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.times import Times, list_comparisons
from everwhen.families.tdbench.texts.voices import choose_voice
from everwhen.temporal.allen import Relation
from tdbench_words import LEADERS

TIMES = Times(Relation.CONTAINS, LEADERS.time)
CONTAINS = next(list_comparisons(each) for each in list_relations(is_short=False) if each.relation == Relation.CONTAINS)


def change_words(**changes: Any) -> Declaration:
    """The leaders with other words; None takes a key away."""
    dumped = LEADERS.model_dump(mode="json", by_alias=True)
    words = {key: value for key, value in {**dumped["words"], **changes}.items() if value is not None}
    return Declaration.model_validate({**dumped, "words": words})


def test_what_is_asked_once_is_referred_to_later() -> None:
    voice = choose_voice(change_words(still=None), Scope("x", "leaders", "set", ("Role",), ("Country", "Name")))
    first = voice.ask_times(CONTAINS, TIMES)[0].replace("\x1e", "|")
    assert first == (
        "Who became |given:Role| of which country before |b_start| and was still |given:Role| of that country after"
        " |b_end|?"
    )


@pytest.mark.parametrize(
    ("given", "asked", "voice"),
    [
        (("Country", "Role"), ("Name",), "subject"),
        (("Role",), ("Country", "Name"), "subject"),
        (("Country", "Name"), ("Role",), "columns"),  # nobody says whose role the phrases ask for
        (("Country", "Role", "Party"), ("Name",), "columns"),  # the phrases do not name the party
    ],
)
def test_phrases_name_all_that_is_given(given: tuple[str, ...], asked: tuple[str, ...], voice: str) -> None:
    assert choose_voice(LEADERS, Scope("x", "leaders", "tfd", given, asked)).kind == voice


def test_verbs_come_together() -> None:
    with pytest.raises(ValueError, match="was: missing"):
        change_words(was=None)


def test_a_stint_has_a_plural() -> None:
    with pytest.raises(ValueError, match="stint and stints"):
        change_words(stint="stint in office")


@pytest.mark.parametrize(("of", "counted"), [("stints", "stints in office"), ("rows", "terms")])
def test_stints_have_a_name_of_their_own(of: Literal["stints", "rows"], counted: str) -> None:
    declaration = change_words(stint="stint in office", stints="stints in office")
    voice = choose_voice(declaration, Scope("x", "leaders", "count", ("Country", "Role"), ("Name",), of=of))
    assert (voice.kind, voice.plural) == ("subject", counted)


def test_a_brace_outside_a_slot_is_refused() -> None:
    with pytest.raises(ValueError, match="a brace outside a slot"):
        change_words(noun="term", begin="became {Role of Brazil")
