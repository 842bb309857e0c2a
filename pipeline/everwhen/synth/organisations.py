"""Companies, operators (airlines among them), universities and aircraft types."""

from __future__ import annotations

from datetime import date

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Statement
from everwhen.synth.classes import COMPANY_CLASSES, INDUSTRIES, state_class, state_term
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.places import find_country
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import (
    DEPRECATED,
    PREFERRED,
    choose_time,
    coarsen_day,
    read_as_julian,
    state_doubtful_time,
    state_entity,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import CLASS, LABEL, Entity, Time, build_item, derive_time, derive_title
from everwhen.synth.words import compose_label, decorate
from everwhen.wikidata.properties import Property as P

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


def _state_founding(plan: WorldPlan, rng: KeyedRandom, first: int, last: int) -> tuple[Time, list[Statement]]:
    """Choose when something was founded, with its statements."""
    at = rng.sample_unit("founding is told")
    if at < 0.03:
        return Time(reason=RejectReason.NO_TIME_STATED), []
    if at < 0.035:
        return Time(reason=RejectReason.START_UNKNOWN), [state_unknown(P.INCEPTION, "time")]
    when = choose_time(rng, first, last, "founding")
    if when.first.year < JULIAN_BEFORE and rng.decide(0.5, "founding is Julian"):
        when = read_as_julian(when)
    if rng.decide(plan.hedged_rate, "founding is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, P.INCEPTION, when, "founding")
        return (derive_time(when) if is_known else Time(reason=RejectReason.START_UNKNOWN)), doubtful
    stated = state_time(P.INCEPTION, when)
    if at >= 0.05:
        return derive_time(when), [stated]
    other = state_time(P.INCEPTION, choose_time(rng, first - 9, first - 2, "claim"))
    if at < 0.04:
        return Time(reason=RejectReason.SEVERAL_STARTS), [stated, other]
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
        time = Time(*(time.first_day, time.start_last, end.last, time.precision, min(time.precision, end.precision)))
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


def _build_organisation(rng: KeyedRandom, text: str, shares: bool, statements: list[Statement], time: Time) -> Entity:
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
