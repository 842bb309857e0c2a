"""Countries with capitals, highest and lowest points; places; mountains."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.classes import class_id
from everwhen.synth.dates import in_year, on
from everwhen.synth.draws import Draws
from everwhen.synth.ids import item_id
from everwhen.synth.plan import Plan
from everwhen.synth.statements import DEPRECATED, PREFERRED, amount, at, of_item, unknown
from everwhen.synth.truth import Entity, Time, Value
from everwhen.synth.words import COUNTRY_ENDS, TOWN_ENDS, country_name, label, syllables, town_name
from everwhen.wikidata.properties import Property

METRE, FOOT, SQUARE_KILOMETRE = 11573, 3710, 712226
FOOT_IN_METRES = Decimal("0.3048")
assert not set(TOWN_ENDS) & set(COUNTRY_ENDS), "a town must not bear the name of a country"

MOUNTAIN_FORMS = (
    ("Mount {}{}{}{}{}", syllables(TOWN_ENDS)),
    ("{}{}{}{}{} Peak", syllables(TOWN_ENDS)),
    ("Pico {}{}{}{}{}", syllables(TOWN_ENDS)),
)
LAKE_FORMS = (("Lake {}{}{}{}{}", syllables(TOWN_ENDS)),)


def country_label(plan: Plan, number: int) -> str:
    """The label of a country."""
    return country_name(plan.seed, number)


def country_of_place(plan: Plan, number: int) -> int:
    """Number of the country in which a place lies."""
    return plan.draws("place", number).below(plan.counts["country"], "country")


def place_label(plan: Plan, number: int) -> str:
    """The label of a place; capitals come after all places."""
    return town_name(plan.seed, number)


def views_of_place(draws: Draws) -> int:
    """Views of a place's article."""
    return draws.tail(2_000, 0.2, "views")


def make_country(plan: Plan, number: int) -> Entity:
    """A country."""
    draws = plan.draws("country", number)
    text = country_label(plan, number)
    year = draws.between(1800, 1986, "founded")
    founded = in_year(year) if draws.chance(0.3, "founded in a year") else on(date(year, draws.between(1, 12, "m"), 9))
    kind = "country" if draws.chance(0.05, "no sovereign state") else "sovereign state"
    area = draws.spread(300, 9_000_000, "area")
    statements = (
        of_item(Property.INSTANCE_OF, class_id(kind)),
        at(Property.INCEPTION, founded),
        of_item(Property.CAPITAL, item_id("capital", number)),
        of_item(Property.HIGHEST_POINT, item_id("peak", number)),
        of_item(Property.LOWEST_POINT, item_id("basin", number)),
        amount(Property.AREA, str(area), SQUARE_KILOMETRE),
    )
    aliases = (f"Republic of {text}",) if draws.chance(0.5, "has an alias") else ()
    item = Item(
        item_id("country", number), text, "country", text, draws.tail(20_000, 0.6, "views"), statements, aliases
    )
    time = Time(founded.first, founded.last, None, founded.precision, founded.precision)
    return Entity(
        *(item, "country", "countries"), time=time, min_views=300, values=[Value("area", Decimal(area))]
    ).judge()


def make_capital(plan: Plan, number: int) -> Entity:
    """The capital of a country."""
    draws = plan.draws("capital", number)
    text = place_label(plan, plan.counts["place"] + number)
    statements = (
        of_item(Property.INSTANCE_OF, class_id("city")),
        of_item(Property.COUNTRY, item_id("country", number)),
        amount(Property.POPULATION, str(draws.spread(90_000, 20_000_000, "population"))),
    )
    item = Item(item_id("capital", number), text, "capital", text, draws.tail(9_000, 0.5, "views"), statements)
    return Entity(item, "capital")


def make_place(plan: Plan, number: int) -> Entity:
    """A town. Some have lain in another country before: that statement is deprecated, or today's is preferred."""
    draws = plan.draws("place", number)
    text = place_label(plan, number)
    country = country_of_place(plan, number)
    other = (country + 1) % plan.counts["country"]
    statements = [
        of_item(Property.INSTANCE_OF, class_id("city")),
        of_item(Property.COUNTRY, item_id("country", country)),
        amount(Property.POPULATION, str(draws.spread(200, 3_000_000, "population"))),
    ]
    if other != country and draws.chance(0.02, "deprecated country"):
        statements.append(of_item(Property.COUNTRY, item_id("country", other), DEPRECATED))
    elif other != country and draws.chance(0.02, "former country"):
        statements[1] = of_item(Property.COUNTRY, item_id("country", country), PREFERRED)
        statements.append(of_item(Property.COUNTRY, item_id("country", other)))
    item = Item(item_id("place", number), text, "town", text, views_of_place(draws), tuple(statements))
    return Entity(item, "place")


def elevation(draws: Draws, metres: int) -> tuple[list[Statement], Value]:
    """Statements of an elevation, some in feet, and what it is in metres."""
    at_ = draws.unit("elevation is told")
    if at_ < 0.15:
        feet = round(metres / 0.3048)
        return [amount(Property.ELEVATION, str(feet), FOOT)], Value("elevation", feet * FOOT_IN_METRES)
    if at_ < 0.18:
        return [unknown(Property.ELEVATION, "quantity")], Value("elevation", reason=RejectReason.VALUE_UNKNOWN)
    told = [amount(Property.ELEVATION, str(metres), METRE)]
    if at_ < 0.21:
        told.append(amount(Property.ELEVATION, str(metres + draws.between(1, 40, "second survey")), METRE))
        return told, Value("elevation", reason=RejectReason.SEVERAL_VALUES)
    if at_ < 0.25:
        told.append(amount(Property.ELEVATION, str(metres * 10), METRE, DEPRECATED))
    return told, Value("elevation", Decimal(metres))


def make_mountain(plan: Plan, number: int) -> Entity:
    """A mountain."""
    draws = plan.draws("mountain", number)
    country = draws.below(plan.counts["country"], "country")
    told, value = elevation(draws, draws.between(300, 7_900, "elevation"))
    return _mountain(plan, "mountain", number, country, told, value)


def make_peak(plan: Plan, number: int) -> Entity:
    """The highest point of a country: a mountain whose elevation is known."""
    metres = plan.draws("peak", number).between(200, 8_800, "elevation")
    told = [amount(Property.ELEVATION, str(metres), METRE)]
    return _mountain(plan, "peak", number, number, told, Value("elevation", Decimal(metres)))


def _mountain(plan: Plan, kind: str, number: int, country: int, told: list[Statement], value: Value) -> Entity:
    draws = plan.draws(kind, number)
    text = label(plan.seed, "mountain", number + (plan.counts["mountain"] if kind == "peak" else 0), MOUNTAIN_FORMS)
    statements = (
        of_item(Property.INSTANCE_OF, class_id("mountain")),
        of_item(Property.COUNTRY, item_id("country", country)),
        *told,
    )
    item = Item(item_id(kind, number), text, "mountain", text, draws.tail(2_000, 0.25, "views"), statements)
    time = Time(reason=RejectReason.NO_TIME_STATED)
    return Entity(*(item, kind, "mountains"), time=time, min_views=300, values=[value]).judge()


def make_basin(plan: Plan, number: int) -> Entity:
    """The lowest point of a country: a lake, now and then below the sea's level."""
    draws = plan.draws("basin", number)
    text = label(plan.seed, "lake", number, LAKE_FORMS)
    metres = draws.between(-430, 150, "elevation")
    statements = (
        of_item(Property.INSTANCE_OF, class_id("lake")),
        of_item(Property.COUNTRY, item_id("country", number)),
        amount(Property.ELEVATION, str(metres), METRE),
    )
    item = Item(item_id("basin", number), text, "lake", text, draws.tail(2_000, 0.1, "views"), statements)
    return Entity(item, "basin")
