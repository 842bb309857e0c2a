"""Events of the window."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.amounts import state_quantities
from everwhen.synth.classes import EVENT_CLASSES, Class, derive_class_id
from everwhen.synth.dates import When, choose_day, in_month, in_year, on_day
from everwhen.synth.hedges import hedge, state_doubtful_value
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.organisations import derive_title
from everwhen.synth.places import find_country
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import DEPRECATED, PREFERRED, state_item, state_time
from everwhen.synth.truth import LABEL, YEAR, Entity, Time, Value
from everwhen.synth.words import compose_town_name
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property

SPANS = {
    "battles": 20,
    "coups": 3,
    "disasters": 9,
    "occurrences": 5,
    "olympic_games": 18,
    "protests": 30,
    "spaceflights": 14,
    "tropical_cyclones": 15,
    "wars": 300,
    "world_cups": 32,
}
"""Lists whose events may last, and for how many days at most."""
WITH_OPERATOR = frozenset({"aviation_accidents", "spaceflights", "disasters", "terrorist_attacks"})
WITH_WINNER = frozenset({"olympic_games", "world_cups", "award_ceremonies"})
BOUNDS = list(accumulate(c.weight for c in EVENT_CLASSES))

LABELS = {
    "aviation_accidents": "{town} Air Flight {n}",
    "award_ceremonies": "{year} {town} Awards",
    "battles": "Battle of {town}",
    "coups": "{year} {town} coup",
    "disasters": "{year} {town} {class}",
    "earthquakes": "{year} {town} earthquake",
    "elections": "{year} {town} {class}",
    "massacres": "{town} massacre",
    "occurrences": "{year} {town} {class}",
    "olympic_games": "{year} {town} Games",
    "protests": "{year} {town} protests",
    "spaceflights": "{town}-{n}",
    "terrorist_attacks": "{year} {town} bombing",
    "tropical_cyclones": "Cyclone {town}",
    "wars": "{town} War",
    "world_cups": "{year} {town} World Cup",
}
"""The town is another one for each event, so no two labels are the same."""
UNDATED = frozenset({"battles", "massacres", "wars", "tropical_cyclones"})
"""Lists whose labels tell no year: of these two events may have the same label."""


def choose_class(plan: WorldPlan, kind: str, number: int) -> Class:
    """The class of an event."""
    at_ = plan.seed_random(kind, number).sample_below(BOUNDS[-1], "class")
    return next(c for c, bound in zip(EVENT_CLASSES, BOUNDS, strict=True) if at_ < bound)


def shares_label(plan: WorldPlan, number: int) -> bool:
    """Whether an event is one of two of the same list that share a label."""
    return plan.shares_label("event", number)


def _find_class(plan: WorldPlan, kind: str, number: int) -> Class:
    """Two events that share a label are of one class, one whose labels tell no year."""
    if kind == "event" and shares_label(plan, number):
        undated = [c for c in EVENT_CLASSES if c.list in UNDATED]
        return plan.seed_random("event", number // 2).pick(undated, "class of the pair")
    return choose_class(plan, kind, number)


def choose_town(plan: WorldPlan, kind: str, number: int) -> str:
    """The town in an event's label."""
    if kind == "event" and shares_label(plan, number):
        number -= number % 2
    first = plan.counts["place"] + plan.counts["country"]
    return compose_town_name(plan.seed, first + number + (plan.counts["event"] if kind == "stray" else 0))


def compose_event_label(plan: WorldPlan, kind: str, number: int, year: int) -> str:
    """The label of an event that began in `year`."""
    c = _find_class(plan, kind, number)
    assert c.list
    flight = plan.seed_random(kind, number).sample_between(1, 999, "flight number")
    return LABELS[c.list].format(town=choose_town(plan, kind, number), year=year, n=flight, **{"class": c.label})


def _choose_days(plan: WorldPlan, rng: KeyedRandom, list_: str) -> tuple[date, date]:
    """First and last day of an event of the window."""
    longest = SPANS.get(list_, 0)
    first = choose_day(rng, plan.start, plan.end - timedelta(days=longest), "first day")
    if not longest or rng.decide(0.2, "is over in a day"):
        return first, first
    return first, first + timedelta(days=rng.sample_between(1, longest, "days"))


def _choose_shared_days(plan: WorldPlan, number: int, list_: str) -> tuple[date, date, str | None]:
    """Days of one of two events that share a label, and what distinguishes them."""
    pair = plan.seed_random("event", number // 2)
    rng = plan.seed_random("event", number)
    first, last = plan.start.year, plan.end.year
    same = pair.decide(0.3, "the pair is of one year") or last == first
    year = pair.sample_between(first, last - (0 if same else 1), "year of the pair")
    if not same and number % 2:
        year = pair.sample_between(year + 1, last, "year of the second")
    day = choose_day(rng, max(plan.start, date(year, 1, 1)), min(plan.end, date(year, 12, 1)), "day of the pair")
    end = min(day + timedelta(days=rng.sample_below(min(SPANS.get(list_, 0), 25) + 1, "days")), plan.end)
    return day, end, None if same else YEAR


@dataclass(frozen=True)
class Dating:
    """What dates an event.

    Attributes:
        statements: The statements of its time.
        time: From when to when it is.
        method: What its name is unambiguous by; None without a name.
        reason: Why nobody asks about it; None where nothing of its time is against it.
    """

    statements: list[Statement]
    time: Time
    method: str | None = LABEL
    reason: RejectReason | None = None


def build_event(plan: WorldPlan, number: int) -> Entity:
    """Build an event of the window."""
    rng = plan.seed_random("event", number)
    c = _find_class(plan, "event", number)
    assert c.list
    method: str | None = LABEL
    if shares_label(plan, number):
        first, last, method = _choose_shared_days(plan, number, c.list)
        start, end = on_day(first), on_day(last)
    else:
        first, last = _choose_days(plan, rng, c.list)
        start, end = _coarsen_days(plan, rng, first, last)
    if first == last:
        time = Time(start.first, start.last, start.last, start.precision, start.precision)
        dates = [state_time(Property.POINT_IN_TIME, start)]
        if rng.decide(0.03, "wrong date") and start.first.year > 1900:
            dates.append(state_time(Property.POINT_IN_TIME, in_year(start.first.year - 1), DEPRECATED))
    else:
        time = Time(start.first, start.last, end.last, start.precision, min(start.precision, end.precision))
        dates = [state_time(Property.START_TIME, start), state_time(Property.END_TIME, end)]
    return assemble_event(plan, "event", number, Dating(dates, time, method))


def _coarsen_days(plan: WorldPlan, rng: KeyedRandom, first: date, last: date) -> tuple[When, When]:
    """How the days of an event are known: mostly as such. Near the window's edge they are always known by day."""
    at_ = rng.sample_unit("precision")
    inside = plan.start.year < first.year and last.year < plan.end.year
    if at_ < 0.05 and first.year == last.year and inside:
        return in_year(first.year), in_year(last.year)
    if at_ < 0.11 and inside:
        return in_month(first), in_month(last)
    return on_day(first), on_day(last)


def assemble_event(plan: WorldPlan, kind: str, number: int, dating: Dating) -> Entity:
    """Add places, people and quantities to a dated event."""
    rng = plan.seed_random(kind, number)
    c = _find_class(plan, kind, number)
    assert c.list
    quantities, values = state_quantities(rng, c.list, plan.hedged_rate)
    placed, country = _state_places(plan, rng)
    instance = state_item(Property.INSTANCE_OF, derive_class_id(c.label))
    statements = [
        hedge(rng, instance, "class") if rng.decide(plan.hedged_rate / 20, "class is doubtful") else instance,
        *dating.statements,
        *placed,
        *quantities,
        *_state_others(plan, rng, c.list),
    ]
    year = dating.time.first_day.year if dating.time.first_day else plan.start.year
    text = compose_event_label(plan, kind, number, year)
    title = derive_title(text, f"{kind} {number}" if dating.method != LABEL else "")
    item = Item(
        *(derive_item_id(kind, number), text, c.label, title, rng.sample_pareto(3_000, 0.3, "views"), tuple(statements))
    )
    linked = choose_role(plan, kind, number, dating.time) in LINKING
    reason: str | None = dating.reason
    if reason is None and c.list == "occurrences" and not linked:
        reason = RejectReason.NO_YEAR_PAGE_LINKS
    elif reason is None and dating.method is None:
        reason = RejectReason.NO_NAME
    return Entity(
        *(item, kind, c.list, True),
        time=dating.time,
        method=dating.method,
        min_views=300,
        reason=reason,
        linked=linked,
        values=[*values, country],
    )


def _state_places(plan: WorldPlan, rng: KeyedRandom) -> tuple[list[Statement], Value]:
    """Location and country, and what the one country is."""
    place = rng.sample_below(plan.counts["place"], "location")
    country = derive_item_id("country", find_country(plan, place))
    other = derive_item_id("country", (find_country(plan, place) + 1) % plan.counts["country"])
    found = [state_item(Property.COUNTRY, country)]
    value = Value("country", item=country)
    at_ = rng.sample_unit("country is told")
    if other != country and at_ < 0.03:
        found.append(state_item(Property.COUNTRY, other))
        value = Value("country", reason=RejectReason.SEVERAL_VALUES)
    elif other != country and at_ < 0.05:
        found = [state_item(Property.COUNTRY, other), state_item(Property.COUNTRY, country, PREFERRED)]
    elif other != country and at_ < 0.07:
        found.append(state_item(Property.COUNTRY, other, DEPRECATED))
    elif rng.decide(plan.hedged_rate / 4, "country is doubtful"):
        found = state_doubtful_value(rng, found[0], "country")
        value = Value("country", reason=RejectReason.VALUE_UNKNOWN)
    if rng.decide(0.85, "location is known"):
        found.append(state_item(Property.LOCATION, derive_item_id("place", place)))
    return found, value


def _state_others(plan: WorldPlan, rng: KeyedRandom, list_: str) -> list[Statement]:
    """Operator, aircraft type, winners."""
    found = []
    if list_ in WITH_OPERATOR and rng.decide(0.9, "operator is known"):
        operators = 2 if rng.decide(0.03, "two operators") else 1
        for operator in rng.sample_several(operators, plan.counts["operator"], "operator"):
            found.append(state_item(Property.OPERATOR, derive_item_id("operator", operator)))
    if list_ == "aviation_accidents" and rng.decide(0.95, "aircraft is known"):
        found.append(
            state_item(
                Property.ITEM_OPERATED,
                derive_item_id("aircraft", rng.sample_below(plan.counts["aircraft"], "aircraft")),
            )
        )
    if list_ in WITH_WINNER or list_ == "elections":
        person = derive_item_id("person", rng.sample_below(plan.counts["person"], "winner"))
        found.append(state_item(Property.SUCCESSFUL_CANDIDATE if list_ == "elections" else Property.WINNER, person))
    return found


# Year pages.

LINKING = frozenset({"linked", "by redirect", "by two redirects"})
"""Roles of events that a year page links to on their date."""


def choose_role(plan: WorldPlan, kind: str, number: int, time: Time) -> str | None:
    """What a year page does with an event; None: nothing.

    Linked, by redirect, by two redirects; disagrees (the bullet has another date); untold (the event's own time is not
    known). Only what is known by day has a bullet.
    """
    rng = plan.seed_random(kind, number)
    at_ = rng.sample_unit("role")
    if time.reason:
        return "untold" if at_ < 0.1 else None
    begins = time.first_day
    if time.precision != Precision.DAY or begins is None or not plan.start <= begins <= plan.end:
        return None
    wanted = 0.9 if _find_class(plan, kind, number).list == "occurrences" else 0.4
    if at_ < wanted * 0.9:
        return "linked"
    if at_ < wanted * 0.96:
        return "by redirect"
    if at_ < wanted:
        return "by two redirects"
    if at_ < wanted + 0.02 and begins.month <= 6 and time.last_day and time.last_day.year == begins.year:
        return "disagrees" if time.last_day.month <= 9 else None
    return None
