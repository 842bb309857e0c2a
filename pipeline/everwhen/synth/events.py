"""Events: those of the window, and strays, whose time cannot be asked about; their quantities, people and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import accumulate

from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Statement
from everwhen.synth.places import find_country
from everwhen.synth.plan import EVENT_CLASSES, EVENTS, Class, WorldPlan, derive_class_id
from everwhen.synth.statements import (
    DEPRECATED,
    NORMAL,
    PREFERRED,
    When,
    build_wide_snak,
    choose_day,
    derive_item_id,
    hedge,
    in_century,
    in_decade,
    in_month,
    in_year,
    on_day,
    state_amount,
    state_doubtful_time,
    state_doubtful_value,
    state_entity,
    state_item,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import LABEL, YEAR, Entity, TrueTime, Value, build_item, derive_time, derive_title
from everwhen.synth.words import compose_label
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property as P

BOUNDS = list(accumulate(c.weight for c in EVENT_CLASSES))
UNDATED = frozenset(list_ for list_, entry in EVENTS.items() if entry["label"].count("{") == 1)
"""Lists whose labels tell no year and no number: of these two events may have the same label."""


def _find_class(plan: WorldPlan, kind: str, number: int) -> Class:
    """Two events that share a label are of one class, one whose labels tell no year."""
    if _shares_label(plan, kind, number):
        undated = [c for c in EVENT_CLASSES if c.list in UNDATED]
        return plan.seed_random("event", number // 2).pick(undated, "class of the pair")
    at = plan.seed_random(kind, number).sample_below(BOUNDS[-1], "class")
    return next(c for c, bound in zip(EVENT_CLASSES, BOUNDS, strict=True) if at < bound)


def _shares_label(plan: WorldPlan, kind: str, number: int) -> bool:
    """Whether an event is one of two of the same list that share a label."""
    return kind == "event" and plan.shares_label("event", number)


def compose_event_label(plan: WorldPlan, kind: str, number: int, year: int) -> str:
    """The label of an event that began in `year`; its town comes after places and capitals."""
    c = _find_class(plan, kind, number)
    flight = plan.seed_random(kind, number).sample_between(1, 999, "flight number")
    first = number - number % 2 if _shares_label(plan, kind, number) else number
    before = plan.counts["place"] + plan.counts["country"] + (plan.counts["event"] if kind == "stray" else 0)
    town = compose_label(plan.seed, "town", before + first)
    label: str = EVENTS[c.list or ""]["label"].format(town=town, year=year, n=flight, **{"class": c.label})
    return label


def _choose_days(plan: WorldPlan, rng: KeyedRandom, list_: str) -> tuple[date, date]:
    """First and last day of an event of the window."""
    longest = EVENTS[list_].get("days", 0)
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
    end = min(day + timedelta(days=rng.sample_below(min(EVENTS[list_].get("days", 0), 25) + 1, "days")), plan.end)
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
    time: TrueTime
    method: str | None = LABEL
    reason: RejectReason | None = None


def build_event(plan: WorldPlan, number: int) -> Entity:
    """Build an event of the window."""
    rng = plan.seed_random("event", number)
    list_ = _find_class(plan, "event", number).list or ""
    method: str | None = LABEL
    if _shares_label(plan, "event", number):
        first, last, method = _choose_shared_days(plan, number, list_)
        start, end = on_day(first), on_day(last)
    else:
        first, last = _choose_days(plan, rng, list_)
        start, end = _coarsen_days(plan, rng, first, last)
    if first == last:
        dates = [state_time(P.POINT_IN_TIME, start)]
        if rng.decide(0.03, "wrong date") and start.first.year > 1900:
            dates.append(state_time(P.POINT_IN_TIME, in_year(start.first.year - 1), DEPRECATED))
    else:
        dates = [state_time(P.START_TIME, start), state_time(P.END_TIME, end)]
    return _assemble_event(plan, "event", number, Dating(dates, derive_time(start, end), method))


def _coarsen_days(plan: WorldPlan, rng: KeyedRandom, first: date, last: date) -> tuple[When, When]:
    """How the days of an event are known: mostly as such. Near the window's edge they are always known by day."""
    at = rng.sample_unit("precision")
    inside = plan.start.year < first.year and last.year < plan.end.year
    if at < 0.05 and first.year == last.year and inside:
        return in_year(first.year), in_year(last.year)
    if at < 0.11 and inside:
        return in_month(first), in_month(last)
    return on_day(first), on_day(last)


def _assemble_event(plan: WorldPlan, kind: str, number: int, dating: Dating) -> Entity:
    """Add places, people and quantities to a dated event."""
    rng = plan.seed_random(kind, number)
    c = _find_class(plan, kind, number)
    list_ = c.list or ""
    quantities, values = _state_quantities(rng, list_, plan.hedged_rate)
    placed, country = _state_places(plan, rng)
    instance = state_item(P.INSTANCE_OF, derive_class_id(c.label))
    if rng.decide(plan.hedged_rate / 20, "class is doubtful"):
        instance = hedge(rng, instance, "class")
    statements = [instance, *dating.statements, *placed, *quantities, *_state_others(plan, rng, list_)]
    year = (dating.time.first_day or plan.start).year
    text = compose_event_label(plan, kind, number, year)
    title = derive_title(text, f"{kind} {number}" if dating.method != LABEL else "")
    linked = choose_role(plan, kind, number, dating.time) in LINKING
    reason: str | None = dating.reason
    if reason is None and list_ == "occurrences" and not linked:
        reason = RejectReason.NO_YEAR_PAGE_LINKS
    elif reason is None and dating.method is None:
        reason = RejectReason.NO_NAME
    item = build_item(rng, text, c.label, (3_000, 0.3), statements, title)
    return Entity(item, kind, list_, dating.time, dating.method, reason, linked, [*values, country])


def _state_places(plan: WorldPlan, rng: KeyedRandom) -> tuple[list[Statement], Value]:
    """Location and country, and what the one country is."""
    place = rng.sample_below(plan.counts["place"], "location")
    country = find_country(plan, place)
    other = (country + 1) % plan.counts["country"]
    found = [state_entity(P.COUNTRY, "country", country)]
    value = Value("country", item=derive_item_id("country", country))
    at = rng.sample_unit("country is told") if other != country else 1.0
    if at < 0.03:
        found.append(state_entity(P.COUNTRY, "country", other))
        value = Value("country", reason=RejectReason.SEVERAL_VALUES)
    elif at < 0.05:
        preferred = state_entity(P.COUNTRY, "country", country, PREFERRED)
        found = [state_entity(P.COUNTRY, "country", other), preferred]
    elif at < 0.07:
        found.append(state_entity(P.COUNTRY, "country", other, DEPRECATED))
    elif rng.decide(plan.hedged_rate / 4, "country is doubtful"):
        found = state_doubtful_value(rng, found[0], "country")
        value = Value("country", reason=RejectReason.VALUE_UNKNOWN)
    if rng.decide(0.85, "location is known"):
        found.append(state_entity(P.LOCATION, "place", place))
    return found, value


def _state_others(plan: WorldPlan, rng: KeyedRandom, list_: str) -> list[Statement]:
    """Operator, aircraft type, winners."""
    found, stated = [], EVENTS[list_].get("states", ())
    if "operator" in stated and rng.decide(0.9, "operator is known"):
        operators = 2 if rng.decide(0.03, "two operators") else 1
        numbers = rng.sample_several(operators, plan.counts["operator"], "operator")
        found += [state_entity(P.OPERATOR, "operator", operator) for operator in numbers]
    if "aircraft" in stated and rng.decide(0.95, "aircraft is known"):
        aircraft = rng.sample_below(plan.counts["aircraft"], "aircraft")
        found.append(state_entity(P.ITEM_OPERATED, "aircraft", aircraft))
    if "winner" in stated or "candidate" in stated:
        person = rng.sample_below(plan.counts["person"], "winner")
        won = P.WINNER if "winner" in stated else P.SUCCESSFUL_CANDIDATE
        found.append(state_entity(won, "person", person))
    return found


# Quantities.


@dataclass(frozen=True)
class Quantity:
    """A quantity.

    Attributes:
        attribute: Id of the attribute.
        property: Property id without P.
        least: The least number that is written.
        most: The greatest one.
        share: Share of the events that state it.
        units: Units in which it is written, each with its factor to the unit that is asked for.
        decimals: Digits after the point as written.
        even: Whether numbers are equally frequent, and not orders of magnitude.
    """

    attribute: str
    property: int
    least: int
    most: int
    share: float = 1.0
    units: Sequence[tuple[int, str]] = ((0, "1"),)
    decimals: int = 0
    even: bool = False


AMOUNTS = {list_: [Quantity(**amount) for amount in entry.get("amounts", ())] for list_, entry in EVENTS.items()}

TROUBLE = 0.06
"""Share of the quantities that are stated in more than one way."""


def _state_quantities(rng: KeyedRandom, list_: str, hedged_rate: float) -> tuple[list[Statement], list[Value]]:
    """Statements of an event's quantities, and what they are."""
    statements: list[Statement] = []
    values: list[Value] = []
    for entry in AMOUNTS[list_]:
        if rng.decide(entry.share, f"{entry.attribute} stated"):
            stated, value = _state_amount(rng, entry)
            if rng.decide(hedged_rate, f"{entry.attribute} is doubtful"):
                stated = state_doubtful_value(rng, replace(stated[0], rank=NORMAL), entry.attribute)
                value = Value(entry.attribute, reason=RejectReason.VALUE_UNKNOWN)
            statements += stated
            values.append(value)
    return statements, values


def _state_amount(rng: KeyedRandom, entry: Quantity) -> tuple[list[Statement], Value]:
    what = entry.attribute
    sample = rng.sample_between if entry.even else rng.sample_log_uniform
    number = sample(entry.least, entry.most, what)
    unit, factor = rng.pick(entry.units, f"unit of {what}")

    def scale(of: int) -> Decimal:
        return Decimal(of).scaleb(-entry.decimals)

    def build_statement(of: int, rank: str = NORMAL) -> Statement:
        return state_amount(entry.property, str(scale(of)), unit, rank)

    known = Value(what, scale(number) * Decimal(factor))
    at = rng.sample_unit(f"trouble of {what}")
    if at < TROUBLE / 6:
        return [build_statement(number), build_statement(number + 1)], Value(what, reason=RejectReason.SEVERAL_VALUES)
    if at < TROUBLE / 4:
        return [state_unknown(entry.property, "quantity")], Value(what, reason=RejectReason.VALUE_UNKNOWN)
    if at < TROUBLE / 2:
        return [build_statement(number + 2), build_statement(number, PREFERRED)], known
    if at < TROUBLE:
        return [build_statement(number), build_statement(number * 3 + 1, DEPRECATED)], known
    return [build_statement(number)], known


# Strays: events whose time cannot be asked about.

OPEN_LISTS = frozenset({"battles", "coups", "occurrences", "protests", "wars"})
"""Lists with events of a decade, or without an end: such a one leaves the counts of its class and years undecided."""

MAX_DOUBTFUL = 0.5
"""Share of events without a time that are doubtful, at most: the others lack it for other reasons."""


def build_stray(plan: WorldPlan, number: int) -> Entity:
    """Build an event that is not of the window, or whose time nobody can ask about."""
    return _assemble_event(plan, "stray", number, _date_stray(plan, number))


def _date_stray(plan: WorldPlan, number: int) -> Dating:
    rng = plan.seed_random("stray", number)
    is_open = _find_class(plan, "stray", number).list in OPEN_LISTS
    at = rng.sample_unit("trouble")
    if at < 0.5 or (at < 0.7 and not is_open):
        old = on_day(plan.start - timedelta(days=rng.sample_between(1, 14_000, "days before the window")))
        return Dating([state_time(P.POINT_IN_TIME, old)], derive_time(old, old), reason=RejectReason.OUTSIDE_WINDOW)
    day = choose_day(rng, plan.start, plan.end - timedelta(days=400), "first day")
    if at < 0.6:
        when = in_decade(day.year) if at < 0.57 else in_century(day.year)
        stated = [state_time(P.POINT_IN_TIME, when)]
        return Dating(stated, derive_time(when, when), reason=RejectReason.COARSER_THAN_YEAR)
    dates, reason = [state_time(P.START_TIME, on_day(day))], RejectReason.START_WITHOUT_END
    if at >= 0.7:
        dates, reason = _state_no_time(rng, day, min(MAX_DOUBTFUL, 25 * plan.hedged_rate))
    return Dating(dates, TrueTime(reason=reason), reason=reason)


def _state_no_time(rng: KeyedRandom, day: date, hedged_rate: float) -> tuple[list[Statement], RejectReason]:
    """Choose statements that give no time, with the reason why they do not."""

    def state_day(property_: P, later: int = 0) -> Statement:
        return state_time(property_, on_day(day + timedelta(days=later)))

    start, point = state_day(P.START_TIME), state_day(P.POINT_IN_TIME)
    cases: list[tuple[list[Statement], RejectReason]] = [
        ([], RejectReason.NO_TIME_STATED),
        ([], RejectReason.NO_TIME_STATED),
        ([start, state_unknown(P.END_TIME, "time")], RejectReason.END_UNKNOWN),
        ([state_day(P.END_TIME)], RejectReason.END_WITHOUT_START),
        ([start, state_day(P.END_TIME, -30)], RejectReason.END_BEFORE_START),
        ([point, state_day(P.POINT_IN_TIME, 14)], RejectReason.SEVERAL_STARTS),
        ([state_unknown(P.POINT_IN_TIME, "time")], RejectReason.START_UNKNOWN),
        ([start, state_day(P.END_TIME, 3), state_day(P.END_TIME, 9)], RejectReason.SEVERAL_ENDS),
    ]
    if rng.decide(hedged_rate, "time is doubtful"):
        cases = _list_doubts(rng, on_day(day))
    return rng.pick(cases, "what is not told")


def _list_doubts(rng: KeyedRandom, when: When) -> list[tuple[list[Statement], RejectReason]]:
    """Times that are hedged or cannot be read, at the start and at the end."""
    start, end = state_time(P.START_TIME, when), state_time(P.END_TIME, when)
    point, is_known = state_doubtful_time(rng, P.POINT_IN_TIME, when, "point in time")
    wide = Statement(build_wide_snak(rng, P.POINT_IN_TIME, when, "point in time"), NORMAL, ())
    return [
        ([wide] if is_known else point, RejectReason.START_UNKNOWN),
        ([hedge(rng, start, "start"), end], RejectReason.START_UNKNOWN),
        ([start, hedge(rng, end, "end")], RejectReason.END_UNKNOWN),
    ]


# Year pages.

LINKING = {"linked": 0.9, "by redirect": 0.96, "by two redirects": 1.0}
"""Roles of events that a year page links to on their date, each with the share of them that it ends at."""


def choose_role(plan: WorldPlan, kind: str, number: int, time: TrueTime) -> str | None:
    """What a year page does with an event; None: nothing.

    Linked, by redirect, by two redirects; disagrees (the bullet has another date); untold (the event's own time is not
    known). Only what is known by day has a bullet.
    """
    at = plan.seed_random(kind, number).sample_unit("role")
    if time.reason:
        return "untold" if at < 0.1 else None
    if not _is_dated_by_day(plan, time):
        return None
    wanted = 0.9 if _find_class(plan, kind, number).list == "occurrences" else 0.4
    for role, share in LINKING.items():
        if at < wanted * share:
            return role
    return "disagrees" if at < wanted + 0.02 and _is_over_by_september(time) else None


def _is_dated_by_day(plan: WorldPlan, time: TrueTime) -> bool:
    """Whether an event begins in the window, and is known by day."""
    return time.precision == Precision.DAY and plan.start <= (time.first_day or date.max) <= plan.end


def _is_over_by_september(time: TrueTime) -> bool:
    """Whether a wrong date in December is far from an event, which began in the same year's first half."""
    first, last = time.first_day, time.last_day
    return bool(first and last and first.month <= 6 and last < date(first.year, 10, 1))
