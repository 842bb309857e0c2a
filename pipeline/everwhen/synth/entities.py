"""Any entity by its kind and number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from everwhen.synth import events, organisations, people, places, works
from everwhen.synth.classes import build_class, build_term
from everwhen.synth.plan import WorldPlan
from everwhen.synth.truth import Entity

BUILDERS: Mapping[str, Callable[[WorldPlan, int], Entity | None]] = {
    "class": lambda plan, number: build_class(number),
    "term": lambda plan, number: build_term(number),
    "country": places.build_country,
    "capital": places.build_capital,
    "peak": places.build_peak,
    "basin": places.build_basin,
    "place": places.build_place,
    "position": people.build_position,
    "ruler": people.build_ruler,
    "award": people.build_award,
    "operator": organisations.build_operator,
    "aircraft": organisations.build_aircraft,
    "company": organisations.build_company,
    "university": organisations.build_university,
    "mountain": places.build_mountain,
    "person": people.build_person,
    "book": works.build_book,
    "film": works.build_film,
    "disambiguation": works.build_disambiguation,
    "event": events.build_event,
    "stray": events.build_stray,
}


def build_entity(plan: WorldPlan, kind: str, number: int) -> Entity | None:
    """The entity of a kind and number; None for a number that gives nothing."""
    return BUILDERS[kind](plan, number)
