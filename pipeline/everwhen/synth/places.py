"""Countries with capitals, highest and lowest points; places; mountains."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.classes import derive_class_id
from everwhen.synth.dates import in_year, on_day
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import DEPRECATED, PREFERRED, state_amount, state_item, state_time, state_unknown
from everwhen.synth.truth import Entity, Time, Value
from everwhen.synth.words import (
    COUNTRY_ENDS,
    TOWN_ENDS,
    compose_country_name,
    compose_label,
    compose_town_name,
    list_syllables,
)
from everwhen.wikidata.properties import Property

METRE, FOOT, SQUARE_KILOMETRE = 11573, 3710, 712226
FOOT_IN_METRES = Decimal("0.3048")
assert not set(TOWN_ENDS) & set(COUNTRY_ENDS), "a town must not bear the name of a country"

MOUNTAIN_PATTERNS = (
    ("Mount {}{}{}{}{}", list_syllables(TOWN_ENDS)),
    ("{}{}{}{}{} Peak", list_syllables(TOWN_ENDS)),
    ("Pico {}{}{}{}{}", list_syllables(TOWN_ENDS)),
)
LAKE_PATTERNS = (("Lake {}{}{}{}{}", list_syllables(TOWN_ENDS)),)


def compose_country_label(plan: WorldPlan, number: int) -> str:
    """The label of a country."""
    return compose_country_name(plan.seed, number)


def find_country(plan: WorldPlan, number: int) -> int:
    """Find the number of a place's country."""
    return plan.seed_random("place", number).sample_below(plan.counts["country"], "country")


def compose_place_label(plan: WorldPlan, number: int) -> str:
    """The label of a place; capitals come after all places."""
    return compose_town_name(plan.seed, number)


def choose_views(rng: KeyedRandom) -> int:
    """Views of a place's article."""
    return rng.sample_pareto(2_000, 0.2, "views")


def build_country(plan: WorldPlan, number: int) -> Entity:
    """A country."""
    rng = plan.seed_random("country", number)
    text = compose_country_label(plan, number)
    year = rng.sample_between(1800, 1986, "founded")
    founded = (
        in_year(year) if rng.decide(0.3, "founded in a year") else on_day(date(year, rng.sample_between(1, 12, "m"), 9))
    )
    kind = "country" if rng.decide(0.05, "no sovereign state") else "sovereign state"
    area = rng.sample_log_uniform(300, 9_000_000, "area")
    statements = (
        state_item(Property.INSTANCE_OF, derive_class_id(kind)),
        state_time(Property.INCEPTION, founded),
        state_item(Property.CAPITAL, derive_item_id("capital", number)),
        state_item(Property.HIGHEST_POINT, derive_item_id("peak", number)),
        state_item(Property.LOWEST_POINT, derive_item_id("basin", number)),
        state_amount(Property.AREA, str(area), SQUARE_KILOMETRE),
    )
    aliases = (f"Republic of {text}",) if rng.decide(0.5, "has an alias") else ()
    item = Item(
        derive_item_id("country", number),
        text,
        "country",
        text,
        rng.sample_pareto(20_000, 0.6, "views"),
        statements,
        aliases,
    )
    time = Time(founded.first, founded.last, None, founded.precision, founded.precision)
    return Entity(
        *(item, "country", "countries"), time=time, min_views=300, values=[Value("area", Decimal(area))]
    ).judge()


def build_capital(plan: WorldPlan, number: int) -> Entity:
    """The capital of a country."""
    rng = plan.seed_random("capital", number)
    text = compose_place_label(plan, plan.counts["place"] + number)
    statements = (
        state_item(Property.INSTANCE_OF, derive_class_id("city")),
        state_item(Property.COUNTRY, derive_item_id("country", number)),
        state_amount(Property.POPULATION, str(rng.sample_log_uniform(90_000, 20_000_000, "population"))),
    )
    item = Item(
        derive_item_id("capital", number), text, "capital", text, rng.sample_pareto(9_000, 0.5, "views"), statements
    )
    return Entity(item, "capital")


def build_place(plan: WorldPlan, number: int) -> Entity:
    """A town. Some have lain in another country before: that statement is deprecated, or today's is preferred."""
    rng = plan.seed_random("place", number)
    text = compose_place_label(plan, number)
    country = find_country(plan, number)
    other = (country + 1) % plan.counts["country"]
    statements = [
        state_item(Property.INSTANCE_OF, derive_class_id("city")),
        state_item(Property.COUNTRY, derive_item_id("country", country)),
        state_amount(Property.POPULATION, str(rng.sample_log_uniform(200, 3_000_000, "population"))),
    ]
    if other != country and rng.decide(0.02, "deprecated country"):
        statements.append(state_item(Property.COUNTRY, derive_item_id("country", other), DEPRECATED))
    elif other != country and rng.decide(0.02, "former country"):
        statements[1] = state_item(Property.COUNTRY, derive_item_id("country", country), PREFERRED)
        statements.append(state_item(Property.COUNTRY, derive_item_id("country", other)))
    item = Item(derive_item_id("place", number), text, "town", text, choose_views(rng), tuple(statements))
    return Entity(item, "place")


def state_elevation(rng: KeyedRandom, metres: int) -> tuple[list[Statement], Value]:
    """Statements of an elevation, some in feet, and what it is in metres."""
    at_ = rng.sample_unit("elevation is told")
    if at_ < 0.15:
        feet = round(metres / 0.3048)
        return [state_amount(Property.ELEVATION, str(feet), FOOT)], Value("elevation", feet * FOOT_IN_METRES)
    if at_ < 0.18:
        return [state_unknown(Property.ELEVATION, "quantity")], Value("elevation", reason=RejectReason.VALUE_UNKNOWN)
    statements = [state_amount(Property.ELEVATION, str(metres), METRE)]
    if at_ < 0.21:
        statements.append(
            state_amount(Property.ELEVATION, str(metres + rng.sample_between(1, 40, "second survey")), METRE)
        )
        return statements, Value("elevation", reason=RejectReason.SEVERAL_VALUES)
    if at_ < 0.25:
        statements.append(state_amount(Property.ELEVATION, str(metres * 10), METRE, DEPRECATED))
    return statements, Value("elevation", Decimal(metres))


def build_mountain(plan: WorldPlan, number: int) -> Entity:
    """A mountain."""
    rng = plan.seed_random("mountain", number)
    country = rng.sample_below(plan.counts["country"], "country")
    dated, value = state_elevation(rng, rng.sample_between(300, 7_900, "elevation"))
    return _build_mountain(plan, "mountain", number, country, dated, value)


def build_peak(plan: WorldPlan, number: int) -> Entity:
    """The highest point of a country: a mountain whose elevation is known."""
    metres = plan.seed_random("peak", number).sample_between(200, 8_800, "elevation")
    dated = [state_amount(Property.ELEVATION, str(metres), METRE)]
    return _build_mountain(plan, "peak", number, number, dated, Value("elevation", Decimal(metres)))


def _build_mountain(
    plan: WorldPlan, kind: str, number: int, country: int, dated: list[Statement], value: Value
) -> Entity:
    rng = plan.seed_random(kind, number)
    text = compose_label(
        plan.seed, "mountain", number + (plan.counts["mountain"] if kind == "peak" else 0), MOUNTAIN_PATTERNS
    )
    statements = (
        state_item(Property.INSTANCE_OF, derive_class_id("mountain")),
        state_item(Property.COUNTRY, derive_item_id("country", country)),
        *dated,
    )
    item = Item(
        derive_item_id(kind, number), text, "mountain", text, rng.sample_pareto(2_000, 0.25, "views"), statements
    )
    time = Time(reason=RejectReason.NO_TIME_STATED)
    return Entity(*(item, kind, "mountains"), time=time, min_views=300, values=[value]).judge()


def build_basin(plan: WorldPlan, number: int) -> Entity:
    """The lowest point of a country: a lake, now and then below the sea's level."""
    rng = plan.seed_random("basin", number)
    text = compose_label(plan.seed, "lake", number, LAKE_PATTERNS)
    metres = rng.sample_between(-430, 150, "elevation")
    statements = (
        state_item(Property.INSTANCE_OF, derive_class_id("lake")),
        state_item(Property.COUNTRY, derive_item_id("country", number)),
        state_amount(Property.ELEVATION, str(metres), METRE),
    )
    item = Item(derive_item_id("basin", number), text, "lake", text, rng.sample_pareto(2_000, 0.1, "views"), statements)
    return Entity(item, "basin")
