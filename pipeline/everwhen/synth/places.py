"""Countries with capitals, highest and lowest points; places, landmarks, mountains; organisations, aircraft types."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Statement
from everwhen.synth.plan import COMPANY_CLASSES, INDUSTRIES, WorldPlan, state_class, state_term
from everwhen.synth.statements import (
    DEPRECATED,
    NORMAL,
    PREFERRED,
    build_time_snak,
    choose_time,
    coarsen_day,
    date_roughly,
    hedge,
    in_year,
    on_day,
    read_as_julian,
    state_amount,
    state_doubtful_time,
    state_entity,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import (
    CLASS,
    LABEL,
    Entity,
    TemporalFact,
    TrueTime,
    Value,
    build_item,
    derive_time,
    derive_title,
)
from everwhen.synth.words import compose_label, decorate
from everwhen.wikidata.properties import Property as P

METRE, FOOT, SQUARE_KILOMETRE = 11573, 3710, 712226  # Wikidata's items of units
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
    counted, dated = _state_population(plan, rng, 90_000, 20_000_000)
    statements = (state_class("city"), state_entity(P.COUNTRY, "country", number), *counted)
    return Entity(build_item(rng, text, "capital", (9_000, 0.5), statements), "capital", dated=dated)


def _state_population(
    plan: WorldPlan, rng: KeyedRandom, least: int, most: int
) -> tuple[list[Statement], list[TemporalFact]]:
    """State the population of today, which is preferred, and of three to six years before; a few are not certain."""
    amount, step = rng.sample_log_uniform(least, most, "population"), rng.pick((1, 2, 5, 10), "years between censuses")
    statements: list[Statement] = []
    facts: list[TemporalFact] = []
    for census in range(rng.sample_between(4, 7, "censuses")):
        when, what = date_roughly(rng, date(2021 - census * step, 4, 1), f"census {census}"), f"census {census}"
        fact = TemporalFact(P.POPULATION, amount=Decimal(amount), start=when, end=when, is_point=True)
        counted = state_amount(P.POPULATION, str(amount), rank=NORMAL if census else PREFERRED)
        stated = replace(counted, qualifiers=(build_time_snak(P.POINT_IN_TIME, when.text),))
        if census and rng.decide(plan.hedged_rate / 5, f"doubt about {what}"):
            stated = hedge(rng, stated, what)
            fact = replace(fact, start=None, end=None, is_point=False, reason=RejectReason.HEDGED)
        is_wrong = bool(census) and rng.decide(0.02, f"{what} was wrong")
        statements.append(replace(stated, rank=DEPRECATED) if is_wrong else stated)
        facts += [] if is_wrong else [fact]
        amount = amount * rng.sample_between(90, 102, f"growth after {what}") // 100
    return statements, facts


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
    counted, dated = _state_population(plan, rng, 200, 3_000_000)
    statements = [state_class("city"), state_entity(P.COUNTRY, "country", country, rank), *counted, *former]
    text = compose_label(plan.seed, "town", number)
    return Entity(build_item(rng, text, "town", (2_000, 0.2), statements), "place", dated=dated)


LANDMARKS = {"museum": "museum", "church": "church building", "venue": "venue"}
"""The class of each kind of landmarks."""


def build_landmark(kind: str, plan: WorldPlan, number: int) -> Entity:
    """A museum, a church or a venue. Each country has as many churches and venues, whose views nobody has counted."""
    rng, class_, is_listed = plan.seed_random(kind, number), LANDMARKS[kind], kind == "museum"
    countries = plan.counts["country"]
    # Names of every n-th number are alike, and would tell the country.
    country = rng.sample_below(countries, "country") if is_listed else number * countries // plan.counts[kind]
    statements = (state_class(class_), state_entity(P.COUNTRY, "country", country))
    views = (2_000, 0.1) if is_listed else (0, 1.0)
    item = build_item(rng, compose_label(plan.seed, kind, number), class_, views, statements)
    return Entity(item, kind, "museums" if is_listed else None)


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


# Organisations: companies, operators (airlines among them) and universities.

JULIAN_BEFORE = 1750
"""The year before which a date may be of the Julian calendar."""


def shares_company_label(plan: WorldPlan, number: int) -> bool:
    """Whether the university of a number has the label of the company of that number."""
    if number >= min(plan.counts["company"], plan.counts["university"]):
        return False
    return plan.seed_random("university", number).decide(plan.ambiguous_rate, "shares a label")


def compose_company_label(plan: WorldPlan, number: int) -> str:
    """The label of a company."""
    return decorate(compose_label(plan.seed, "company", number), plan.seed_random("company", number), 0.01)


def _state_founding(plan: WorldPlan, rng: KeyedRandom, first: int, last: int) -> tuple[TrueTime, list[Statement]]:
    """Choose when something was founded, with its statements."""
    at = rng.sample_unit("founding is told")
    if at < 0.03:
        return TrueTime(reason=RejectReason.NO_TIME_STATED), []
    if at < 0.035:
        return TrueTime(reason=RejectReason.START_UNKNOWN), [state_unknown(P.INCEPTION, "time")]
    when = choose_time(rng, first, last, "founding")
    if when.first.year < JULIAN_BEFORE and rng.decide(0.5, "founding is Julian"):
        when = read_as_julian(when)
    if rng.decide(plan.hedged_rate, "founding is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, P.INCEPTION, when, "founding")
        return (derive_time(when) if is_known else TrueTime(reason=RejectReason.START_UNKNOWN)), doubtful
    stated = state_time(P.INCEPTION, when)
    if at >= 0.05:
        return derive_time(when), [stated]
    other = state_time(P.INCEPTION, choose_time(rng, first - 9, first - 2, "claim"))
    if at < 0.04:
        return TrueTime(reason=RejectReason.SEVERAL_STARTS), [stated, other]
    return derive_time(when), [other, state_time(P.INCEPTION, when, PREFERRED)]


def _state_headquarters(plan: WorldPlan, rng: KeyedRandom) -> list[Statement]:
    """Headquarters and country."""
    place = rng.sample_below(plan.counts["place"], "headquarters")
    found = [state_entity(P.COUNTRY, "country", find_country(plan, place))]
    if rng.decide(0.9, "headquarters are known"):
        found.append(state_entity(P.HEADQUARTERS_LOCATION, "place", place))
    return found


def build_company(plan: WorldPlan, number: int) -> Entity:
    """A company."""
    rng = plan.seed_random("company", number)
    time, dates = _state_founding(plan, rng, 1880, 2020)
    if time.start_last and time.precision and rng.decide(0.1, "is dissolved"):
        end = choose_time(rng, 2021, 2023, "end")
        dates.append(state_time(P.DISSOLVED, end))
        time = TrueTime(
            *(time.first_day, time.start_last, end.last, time.precision, min(time.precision, end.precision))
        )
    statements = [state_class(rng.pick(COMPANY_CLASSES, "class")), *dates, *_state_headquarters(plan, rng)]
    founders = 2 if rng.decide(0.35, "two founders") else 1
    if rng.decide(0.9, "founders are known"):
        people = rng.sample_several(founders, plan.counts["person"], "founder")
        statements += [state_entity(P.FOUNDED_BY, "person", person) for person in people]
    if rng.decide(0.9, "industry is known"):
        statements.append(state_term(P.INDUSTRY, rng.pick(INDUSTRIES, "industry")))
    shares = shares_company_label(plan, number)
    return _build_organisation(rng, compose_company_label(plan, number), shares, statements, time)


def build_operator(plan: WorldPlan, number: int) -> Entity:
    """An airline or another operator: a company whose founding date is known."""
    rng = plan.seed_random("operator", number)
    founded = choose_time(rng, 1912, 1985, "founding")
    statements = [state_class("airline"), state_time(P.INCEPTION, founded), *_state_headquarters(plan, rng)]
    if rng.decide(0.05, "wrong founding"):
        wrong = coarsen_day(rng, date(1900, 5, 5), "wrong founding")
        statements.append(state_time(P.INCEPTION, wrong, DEPRECATED))
    text = compose_label(plan.seed, "operator", number)
    return _build_organisation(rng, text, False, statements, derive_time(founded))


def build_university(plan: WorldPlan, number: int) -> Entity:
    """Build a university; some have the label of a company."""
    rng = plan.seed_random("university", number)
    time, dates = _state_founding(plan, rng, 1400, 2010)
    statements = [state_class("university"), *dates, *_state_headquarters(plan, rng)]
    shares = shares_company_label(plan, number)
    text = compose_company_label(plan, number) if shares else compose_label(plan.seed, "university", number)
    return _build_organisation(rng, text, shares, statements, time)


def _build_organisation(
    rng: KeyedRandom, text: str, shares: bool, statements: list[Statement], time: TrueTime
) -> Entity:
    title = derive_title(text, f"{rng.kind} {rng.number}" if shares else "")
    item = build_item(rng, text, rng.kind, (2_000, 0.35), statements, title)
    list_ = "universities" if rng.kind == "university" else "companies"
    return Entity(item, rng.kind, list_, time, CLASS if shares else LABEL)


def build_aircraft(plan: WorldPlan, number: int) -> Entity:
    """An aircraft type and its first flight."""
    rng = plan.seed_random("aircraft", number)
    flight = choose_time(rng, 1930, 1985, "flight")
    statements = (state_class("aircraft model"), state_time(P.FIRST_FLIGHT, flight))
    text = compose_label(plan.seed, "aircraft", number)
    return Entity(build_item(rng, text, "aircraft type", (4_000, 0.4), statements), "aircraft")
