"""Any entity by its kind and number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from everwhen.synth.classes import make_class, make_term
from everwhen.synth.events import make_event, make_stray
from everwhen.synth.organisations import make_aircraft, make_company, make_operator, make_university
from everwhen.synth.people import make_award, make_person, make_position, make_ruler
from everwhen.synth.places import make_basin, make_capital, make_country, make_mountain, make_peak, make_place
from everwhen.synth.plan import Plan
from everwhen.synth.truth import Entity
from everwhen.synth.works import make_book, make_disambiguation, make_film

MAKERS: Mapping[str, Callable[[Plan, int], Entity | None]] = {
    "class": lambda plan, number: make_class(number),
    "term": lambda plan, number: make_term(number),
    "country": make_country,
    "capital": make_capital,
    "peak": make_peak,
    "basin": make_basin,
    "place": make_place,
    "position": make_position,
    "ruler": make_ruler,
    "award": make_award,
    "operator": make_operator,
    "aircraft": make_aircraft,
    "company": make_company,
    "university": make_university,
    "mountain": make_mountain,
    "person": make_person,
    "book": make_book,
    "film": make_film,
    "disambiguation": make_disambiguation,
    "event": make_event,
    "stray": make_stray,
}


def make(plan: Plan, kind: str, number: int) -> Entity | None:
    """The entity of a kind and number; None for a number that gives nothing."""
    return MAKERS[kind](plan, number)
