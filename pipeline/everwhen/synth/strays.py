"""Strays: events whose time cannot be asked about."""

from __future__ import annotations

from datetime import date, timedelta

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Statement
from everwhen.synth.dates import When, choose_day, in_century, in_decade, on_day
from everwhen.synth.events import Dating, assemble_event, choose_class
from everwhen.synth.hedges import build_wide_snak, hedge, state_doubtful_time
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import NORMAL, state_time, state_unknown
from everwhen.synth.truth import Entity, Time
from everwhen.wikidata.properties import Property

OPEN_LISTS = frozenset({"battles", "coups", "occurrences", "protests", "wars"})
"""Lists with events of a decade, or without an end: such a one leaves the counts of its class and years undecided."""

MOST_DOUBTFUL = 0.5
"""Share of events without a time that are doubtful, at most: the others lack it for other reasons."""


def build_stray(plan: WorldPlan, number: int) -> Entity:
    """Build an event that is not of the window, or whose time nobody can ask about."""
    rng = plan.seed_random("stray", number)
    vague = choose_class(plan, "stray", number).list in OPEN_LISTS
    at_ = rng.sample_unit("trouble")
    if at_ < 0.5 or (at_ < 0.7 and not vague):
        old = on_day(plan.start - timedelta(days=rng.sample_between(1, 14_000, "days before the window")))
        time = Time(old.first, old.last, old.last, old.precision, old.precision)
        return assemble_event(
            plan,
            "stray",
            number,
            Dating([state_time(Property.POINT_IN_TIME, old)], time, reason=RejectReason.OUTSIDE_WINDOW),
        )
    day = choose_day(rng, plan.start, plan.end - timedelta(days=400), "first day")
    if at_ < 0.6:
        when = in_decade(day.year) if at_ < 0.57 else in_century(day.year)
        time = Time(when.first, when.last, when.last, when.precision, when.precision)
        return assemble_event(
            plan,
            "stray",
            number,
            Dating([state_time(Property.POINT_IN_TIME, when)], time, reason=RejectReason.COARSER_THAN_YEAR),
        )
    if at_ < 0.7:
        dates, reason = [state_time(Property.START_TIME, on_day(day))], RejectReason.START_WITHOUT_END
    else:
        dates, reason = _state_no_time(rng, day, min(MOST_DOUBTFUL, 25 * plan.hedged_rate))
    return assemble_event(plan, "stray", number, Dating(dates, Time(reason=reason), reason=reason))


def _state_no_time(rng: KeyedRandom, day: date, hedged_rate: float) -> tuple[list[Statement], RejectReason]:
    """Choose statements that give no time, with the reason why they do not."""
    start = on_day(day)
    cases: list[tuple[list[Statement], RejectReason]] = [
        ([], RejectReason.NO_TIME_STATED),
        ([], RejectReason.NO_TIME_STATED),
        ([state_time(Property.START_TIME, start), state_unknown(Property.END_TIME, "time")], RejectReason.END_UNKNOWN),
        ([state_time(Property.END_TIME, start)], RejectReason.END_WITHOUT_START),
        (
            [state_time(Property.START_TIME, start), state_time(Property.END_TIME, on_day(day - timedelta(days=30)))],
            RejectReason.END_BEFORE_START,
        ),
        (
            [
                state_time(Property.POINT_IN_TIME, start),
                state_time(Property.POINT_IN_TIME, on_day(day + timedelta(days=14))),
            ],
            RejectReason.SEVERAL_STARTS,
        ),
        ([state_unknown(Property.POINT_IN_TIME, "time")], RejectReason.START_UNKNOWN),
        (
            [
                state_time(Property.START_TIME, start),
                state_time(Property.END_TIME, on_day(day + timedelta(days=3))),
                state_time(Property.END_TIME, on_day(day + timedelta(days=9))),
            ],
            RejectReason.SEVERAL_ENDS,
        ),
    ]
    if rng.decide(hedged_rate, "time is doubtful"):
        cases = _list_doubts(rng, start)
    return rng.pick(cases, "what is not told")


def _list_doubts(rng: KeyedRandom, when: When) -> list[tuple[list[Statement], RejectReason]]:
    """Times that are hedged or cannot be read, at the start and at the end."""
    start, end = state_time(Property.START_TIME, when), state_time(Property.END_TIME, when)
    point, is_known = state_doubtful_time(rng, Property.POINT_IN_TIME, when, "point in time")
    wide = Statement(build_wide_snak(rng, Property.POINT_IN_TIME, when, "point in time"), NORMAL, ())
    return [
        ([wide] if is_known else point, RejectReason.START_UNKNOWN),
        ([hedge(rng, start, "start"), end], RejectReason.START_UNKNOWN),
        ([start, hedge(rng, end, "end")], RejectReason.END_UNKNOWN),
    ]
