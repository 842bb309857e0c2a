"""Companies, operators (airlines among them), universities and aircraft types."""

from __future__ import annotations

from datetime import date

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.classes import COMPANY_CLASSES, INDUSTRIES, derive_class_id, derive_term_id
from everwhen.synth.dates import When, choose_day, coarsen_day, read_as_julian
from everwhen.synth.hedges import state_doubtful_time
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.places import find_country
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import DEPRECATED, PREFERRED, state_item, state_time, state_unknown
from everwhen.synth.truth import CLASS, LABEL, Entity, Time
from everwhen.synth.words import TOWN_ENDS, compose_company_name, compose_label, decorate, list_syllables
from everwhen.wikidata.properties import Property

OPERATOR_PATTERNS = (
    ("{}{}{}{}{} Airlines", list_syllables(TOWN_ENDS)),
    ("Air {}{}{}{}{}", list_syllables(TOWN_ENDS)),
    ("{}{}{}{}{} Lines", list_syllables(TOWN_ENDS)),
)
UNIVERSITY_PATTERNS = (
    ("University of {}{}{}{}{}", list_syllables(TOWN_ENDS)),
    ("{}{}{}{}{} Polytechnic", list_syllables(TOWN_ENDS)),
)
JULIAN_BEFORE = 1750
"""The year before which a date may be of the Julian calendar."""
AIRCRAFT_PATTERNS = (("{}{}{}{} {}00", (*list_syllables(())[:4], [str(n) for n in range(10, 100)])),)


def shares_company_label(plan: WorldPlan, number: int) -> bool:
    """Whether the university of a number has the label of the company of that number."""
    if number >= min(plan.counts["company"], plan.counts["university"]):
        return False
    return plan.seed_random("university", number).decide(plan.ambiguous_rate, "shares a label")


def compose_company_label(plan: WorldPlan, number: int) -> str:
    """The label of a company."""
    return decorate(compose_company_name(plan.seed, number), plan.seed_random("company", number), 0.01)


def _state_founding(plan: WorldPlan, rng: KeyedRandom, first: int, last: int) -> tuple[Time, list[Statement]]:
    """Choose when something was founded, with its statements."""
    at_ = rng.sample_unit("founding is told")
    if at_ < 0.03:
        return Time(reason=RejectReason.NO_TIME_STATED), []
    if at_ < 0.035:
        return Time(reason=RejectReason.START_UNKNOWN), [state_unknown(Property.INCEPTION, "time")]
    day = choose_day(rng, date(first, 1, 1), date(last, 12, 31), "founding")
    when = coarsen_day(rng, day, "founding")
    if day.year < JULIAN_BEFORE and rng.decide(0.5, "founding is Julian"):
        when = read_as_julian(when)
    if rng.decide(plan.hedged_rate, "founding is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, Property.INCEPTION, when, "founding")
        return (_open(when) if is_known else Time(reason=RejectReason.START_UNKNOWN)), doubtful
    if at_ < 0.05:
        other = coarsen_day(rng, choose_day(rng, date(first - 9, 1, 1), date(first - 2, 12, 31), "claim"), "claim")
        if at_ < 0.04:
            return Time(reason=RejectReason.SEVERAL_STARTS), [
                state_time(Property.INCEPTION, when),
                state_time(Property.INCEPTION, other),
            ]
        rank, statements = PREFERRED, [state_time(Property.INCEPTION, other)]
    else:
        rank, statements = "normal", []
    return _open(when), [*statements, state_time(Property.INCEPTION, when, rank)]


def _open(when: When) -> Time:
    return Time(when.first, when.last, None, when.precision, when.precision)


def _state_headquarters(plan: WorldPlan, rng: KeyedRandom) -> list[Statement]:
    """Headquarters and country."""
    place = rng.sample_below(plan.counts["place"], "headquarters")
    found = [state_item(Property.COUNTRY, derive_item_id("country", find_country(plan, place)))]
    if rng.decide(0.9, "headquarters are known"):
        found.append(state_item(Property.HEADQUARTERS_LOCATION, derive_item_id("place", place)))
    return found


def build_company(plan: WorldPlan, number: int) -> Entity:
    """A company."""
    rng = plan.seed_random("company", number)
    time, dates = _state_founding(plan, rng, 1880, 2020)
    if time.start_last and time.precision and rng.decide(0.1, "is dissolved"):
        end = coarsen_day(rng, choose_day(rng, date(2021, 1, 1), date(2023, 12, 31), "end"), "end")
        dates.append(state_time(Property.DISSOLVED, end))
        time = Time(*(time.first_day, time.start_last, end.last, time.precision, min(time.precision, end.precision)))
    statements = [
        state_item(Property.INSTANCE_OF, derive_class_id(rng.pick(COMPANY_CLASSES, "class"))),
        *dates,
        *_state_headquarters(plan, rng),
    ]
    founders = 2 if rng.decide(0.35, "two founders") else 1
    if rng.decide(0.9, "founders are known"):
        people = rng.sample_several(founders, plan.counts["person"], "founder")
        statements += [state_item(Property.FOUNDED_BY, derive_item_id("person", person)) for person in people]
    if rng.decide(0.9, "industry is known"):
        statements.append(state_item(Property.INDUSTRY, derive_term_id(rng.pick(INDUSTRIES, "industry"))))
    shares = shares_company_label(plan, number)
    return _build_organisation(plan, "company", number, (compose_company_label(plan, number), shares), statements, time)


def build_operator(plan: WorldPlan, number: int) -> Entity:
    """An airline or another operator: a company whose founding date is known."""
    rng = plan.seed_random("operator", number)
    founded = coarsen_day(rng, choose_day(rng, date(1912, 1, 1), date(1985, 12, 31), "founding"), "founding")
    statements = [
        state_item(Property.INSTANCE_OF, derive_class_id("airline")),
        state_time(Property.INCEPTION, founded),
        *_state_headquarters(plan, rng),
    ]
    if rng.decide(0.05, "wrong founding"):
        statements.append(
            state_time(Property.INCEPTION, coarsen_day(rng, date(1900, 5, 5), "wrong founding"), DEPRECATED)
        )
    text = compose_label(plan.seed, "operator", number, OPERATOR_PATTERNS)
    return _build_organisation(plan, "operator", number, (text, False), statements, _open(founded))


def build_university(plan: WorldPlan, number: int) -> Entity:
    """Build a university; some have the label of a company."""
    rng = plan.seed_random("university", number)
    time, dates = _state_founding(plan, rng, 1400, 2010)
    statements = [
        state_item(Property.INSTANCE_OF, derive_class_id("university")),
        *dates,
        *_state_headquarters(plan, rng),
    ]
    shares = shares_company_label(plan, number)
    text = (
        compose_company_label(plan, number)
        if shares
        else compose_label(plan.seed, "university", number, UNIVERSITY_PATTERNS)
    )
    return _build_organisation(plan, "university", number, (text, shares), statements, time)


def _build_organisation(
    plan: WorldPlan, kind: str, number: int, named: tuple[str, bool], statements: list[Statement], time: Time
) -> Entity:
    rng = plan.seed_random(kind, number)
    text, shares = named
    item = Item(
        *(derive_item_id(kind, number), text, kind, derive_title(text, f"{kind} {number}" if shares else "")),
        *(rng.sample_pareto(2_000, 0.35, "views"), tuple(statements)),
    )
    list_ = "universities" if kind == "university" else "companies"
    return Entity(*(item, kind, list_), time=time, method=CLASS if shares else LABEL, min_views=2_000).judge()


def derive_title(text: str, apart: str = "") -> str:
    """The article of a label: without characters that titles do not have, and with a distinction in brackets."""
    for bad, good in (("{", "("), ("}", ")"), ("[", "("), ("]", ")"), ("#", "No. "), ("_", " ")):
        text = text.replace(bad, good)
    return f"{text} ({apart})" if apart else text


def build_aircraft(plan: WorldPlan, number: int) -> Entity:
    """An aircraft type and its first flight."""
    rng = plan.seed_random("aircraft", number)
    flight = coarsen_day(rng, choose_day(rng, date(1930, 1, 1), date(1985, 12, 31), "flight"), "flight")
    text = compose_label(plan.seed, "aircraft", number, AIRCRAFT_PATTERNS)
    statements = (
        state_item(Property.INSTANCE_OF, derive_class_id("aircraft model")),
        state_time(Property.FIRST_FLIGHT, flight),
    )
    views = rng.sample_pareto(4_000, 0.4, "views")
    return Entity(Item(derive_item_id("aircraft", number), text, "aircraft type", text, views, statements), "aircraft")
