"""Any entity by its kind and number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from everwhen.synth.classes import build_class, build_term
from everwhen.synth.events import build_event
from everwhen.synth.offices import build_position, build_ruler
from everwhen.synth.organisations import build_aircraft, build_company, build_operator, build_university
from everwhen.synth.people import build_award, build_person
from everwhen.synth.places import build_basin, build_capital, build_country, build_mountain, build_peak, build_place
from everwhen.synth.plan import WorldPlan
from everwhen.synth.strays import build_stray
from everwhen.synth.truth import Entity
from everwhen.synth.works import build_book, build_disambiguation, build_film

BUILDERS: Mapping[str, Callable[[WorldPlan, int], Entity | None]] = {
    "class": lambda plan, number: build_class(number),
    "term": lambda plan, number: build_term(number),
    "country": build_country,
    "capital": build_capital,
    "peak": build_peak,
    "basin": build_basin,
    "place": build_place,
    "position": build_position,
    "ruler": build_ruler,
    "award": build_award,
    "operator": build_operator,
    "aircraft": build_aircraft,
    "company": build_company,
    "university": build_university,
    "mountain": build_mountain,
    "person": build_person,
    "book": build_book,
    "film": build_film,
    "disambiguation": build_disambiguation,
    "event": build_event,
    "stray": build_stray,
}


def build_entity(plan: WorldPlan, kind: str, number: int) -> Entity | None:
    """The entity of a kind and number; None for a number that gives nothing."""
    return BUILDERS[kind](plan, number)
