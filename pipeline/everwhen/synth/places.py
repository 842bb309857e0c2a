"""Countries with capitals, highest and lowest points; places; mountains."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Statement
from everwhen.synth.classes import state_class
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import (
    DEPRECATED,
    NORMAL,
    PREFERRED,
    in_year,
    on_day,
    state_amount,
    state_entity,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import Entity, Value, build_item, derive_time
from everwhen.synth.words import compose_label
from everwhen.wikidata.properties import Property as P

METRE, FOOT, SQUARE_KILOMETRE = 11573, 3710, 712226
FOOT_IN_METRES = Decimal("0.3048")


def compose_country_label(plan: WorldPlan, number: int) -> str:
    """The label of a country."""
    return compose_label(plan.seed, "country", number)


def find_country(plan: WorldPlan, number: int) -> int:
    """Find the number of a place's country."""
    return plan.seed_random("place", number).sample_below(plan.counts["country"], "country")


def build_country(plan: WorldPlan, number: int) -> Entity:
    """A country."""
    rng = plan.seed_random("country", number)
    text = compose_country_label(plan, number)
    year = rng.sample_between(1800, 1986, "founded")
    founded = on_day(date(year, rng.sample_between(1, 12, "m"), 9))
    if rng.decide(0.3, "founded in a year"):
        founded = in_year(year)
    area = rng.sample_log_uniform(300, 9_000_000, "area")
    statements = (
        state_class("country" if rng.decide(0.05, "no sovereign state") else "sovereign state"),
        state_time(P.INCEPTION, founded),
        state_entity(P.CAPITAL, "capital", number),
        state_entity(P.HIGHEST_POINT, "peak", number),
        state_entity(P.LOWEST_POINT, "basin", number),
        state_amount(P.AREA, str(area), SQUARE_KILOMETRE),
    )
    item = build_item(rng, text, "country", (20_000, 0.6), statements)
    if rng.decide(0.5, "has an alias"):
        item = replace(item, aliases=(f"Republic of {text}",))
    values = [Value("area", Decimal(area))]
    return Entity(item, "country", "countries", derive_time(founded), values=values)


def build_capital(plan: WorldPlan, number: int) -> Entity:
    """The capital of a country; its name comes after those of all places."""
    rng = plan.seed_random("capital", number)
    text = compose_label(plan.seed, "town", plan.counts["place"] + number)
    statements = (
        state_class("city"),
        state_entity(P.COUNTRY, "country", number),
        _state_population(rng, 90_000, 20_000_000),
    )
    return Entity(build_item(rng, text, "capital", (9_000, 0.5), statements), "capital")


def _state_population(rng: KeyedRandom, least: int, most: int) -> Statement:
    return state_amount(P.POPULATION, str(rng.sample_log_uniform(least, most, "population")))


def build_place(plan: WorldPlan, number: int) -> Entity:
    """A town. Some have lain in another country before: that statement is deprecated, or today's is preferred."""
    rng = plan.seed_random("place", number)
    country = find_country(plan, number)
    other = (country + 1) % plan.counts["country"]
    rank, former = NORMAL, []
    if other != country and rng.decide(0.02, "deprecated country"):
        former = [state_entity(P.COUNTRY, "country", other, DEPRECATED)]
    elif other != country and rng.decide(0.02, "former country"):
        rank, former = PREFERRED, [state_entity(P.COUNTRY, "country", other)]
    statements = [
        state_class("city"),
        state_entity(P.COUNTRY, "country", country, rank),
        _state_population(rng, 200, 3_000_000),
        *former,
    ]
    text = compose_label(plan.seed, "town", number)
    return Entity(build_item(rng, text, "town", (2_000, 0.2), statements), "place")


def _state_elevation(metres: int, rank: str = NORMAL) -> Statement:
    return state_amount(P.ELEVATION, str(metres), METRE, rank)


def _measure_mountain(rng: KeyedRandom) -> tuple[list[Statement], Value]:
    """Statements of a mountain's elevation, some in feet, and what it is in metres."""
    metres = rng.sample_between(300, 7_900, "elevation")
    stated, value = _state_elevation(metres), Value("elevation", Decimal(metres))
    at = rng.sample_unit("elevation is told")
    if at < 0.15:
        feet = round(metres / 0.3048)
        return [state_amount(P.ELEVATION, str(feet), FOOT)], Value("elevation", feet * FOOT_IN_METRES)
    if at < 0.18:
        return [state_unknown(P.ELEVATION, "quantity")], Value("elevation", reason=RejectReason.VALUE_UNKNOWN)
    if at < 0.21:
        other = _state_elevation(metres + rng.sample_between(1, 40, "second survey"))
        return [stated, other], Value("elevation", reason=RejectReason.SEVERAL_VALUES)
    if at < 0.25:
        return [stated, _state_elevation(metres * 10, DEPRECATED)], value
    return [stated], value


def build_mountain(plan: WorldPlan, number: int) -> Entity:
    """A mountain."""
    rng = plan.seed_random("mountain", number)
    country = rng.sample_below(plan.counts["country"], "country")
    return _build_mountain(plan, rng, country, *_measure_mountain(rng))


def build_peak(plan: WorldPlan, number: int) -> Entity:
    """The highest point of a country: a mountain whose elevation is known."""
    rng = plan.seed_random("peak", number)
    metres = rng.sample_between(200, 8_800, "elevation")
    return _build_mountain(plan, rng, number, [_state_elevation(metres)], Value("elevation", Decimal(metres)))


def _build_mountain(
    plan: WorldPlan, rng: KeyedRandom, country: int, elevation: list[Statement], value: Value
) -> Entity:
    after = plan.counts["mountain"] if rng.kind == "peak" else 0
    text = compose_label(plan.seed, "mountain", after + rng.number)
    statements = (state_class("mountain"), state_entity(P.COUNTRY, "country", country), *elevation)
    item = build_item(rng, text, "mountain", (2_000, 0.25), statements)
    return Entity(item, rng.kind, "mountains", values=[value])


def build_basin(plan: WorldPlan, number: int) -> Entity:
    """The lowest point of a country: a lake, now and then below the sea's level."""
    rng = plan.seed_random("basin", number)
    statements = (
        state_class("lake"),
        state_entity(P.COUNTRY, "country", number),
        _state_elevation(rng.sample_between(-430, 150, "elevation")),
    )
    text = compose_label(plan.seed, "lake", number)
    return Entity(build_item(rng, text, "lake", (2_000, 0.1), statements), "basin")
