"""Careers: what people learnt, played, worked for and belonged to, whom they married, and the groups they did it in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Snak, Statement
from everwhen.synth.people import build_person, choose_birth_year
from everwhen.synth.plan import WorldPlan, state_class
from everwhen.synth.statements import (
    DEPRECATED,
    PREFERRED,
    When,
    build_time_snak,
    choose_day,
    date_roughly,
    derive_item_id,
    state_doubtful_span,
    state_item,
)
from everwhen.synth.truth import Entity, TemporalFact, build_item
from everwhen.synth.words import compose_label
from everwhen.wikidata.properties import Property as P

GROUPS: dict[str, tuple[P, str, int]] = {
    "team": (P.MEMBER_OF_SPORTS_TEAM, "sports team", 5),
    "school": (P.EDUCATED_AT, "school", 4),
    "party": (P.MEMBER_OF_POLITICAL_PARTY, "political party", 3),
    "employer": (P.EMPLOYER, "research institute", 5),
    "organisation": (P.MEMBER_OF, "learned society", 3),
}
"""Of each kind of group: the property by which people are in it, its class, and how often they are in one."""
OFTEN = [kind for kind, (_, _, weight) in GROUPS.items() for _ in range(weight)]
WITH_CAREER, NEIGHBOURS = 1 / 4, 8
"""Share of people with a career; of so many neighbouring numbers all have one, or none. They marry each other."""
COUPLES = (2, 4)
"""By which bits the numbers of the two differ: of the first couple a person may be in, of the second one."""
LAST_DAY = date(2023, 12, 31)

Dated = tuple[Statement, TemporalFact | None]
"""A statement, and what is true by it; None where it is deprecated, undated or nobody can read it."""


def build_group(kind: str, plan: WorldPlan, number: int) -> Entity:
    """A team, school, party, employer or society."""
    text = compose_label(plan.seed, kind, number)
    rng, class_ = plan.seed_random(kind, number), GROUPS[kind][1]
    return Entity(build_item(rng, text, class_, (2_000, 0.3), [state_class(class_)]), kind)


def build_person_with_career(plan: WorldPlan, number: int) -> Entity:
    """A person; a quarter of them have a career."""
    entity = build_person(plan, number)
    if not has_career(plan, number):
        return entity
    pairs = [*_pursue_career(plan, number, entity.time.last_day or LAST_DAY), *_marry(plan, number)]
    stated = [statement for statement, _ in pairs]
    entity.item = replace(entity.item, statements=(*entity.item.statements, *stated))
    entity.dated = [fact for _, fact in pairs if fact]
    return entity


def has_career(plan: WorldPlan, number: int) -> bool:
    """Whether a person has a career."""
    return plan.seed_random("careers", number // NEIGHBOURS).decide(WITH_CAREER, "are there")


def _pursue_career(plan: WorldPlan, number: int, last: date) -> Iterator[Dated]:
    """Join three to eight groups, each once, in the prime of life."""
    rng = plan.seed_random("career", number)
    first = date(choose_birth_year(plan, number) + 17, 1, 1)
    last = max(min(last, first + timedelta(days=40 * 365)), first + timedelta(days=365))
    many = Counter(rng.pick(OFTEN, f"kind of {step}") for step in range(rng.sample_between(3, 8, "steps")))
    for kind, count in many.items():
        for group in rng.sample_several(count, plan.counts[kind], kind):
            start = choose_day(rng, first, last, f"start in {kind} {group}")
            sound = state_item(GROUPS[kind][0], derive_item_id(kind, group))
            yield _date_statement(plan, rng, sound, (start, last), f"{kind} {group}")


def _marry(plan: WorldPlan, number: int) -> Iterator[Dated]:
    """State the spouses of a person, to whom each spouse states the same: those of about the same age."""
    born = choose_birth_year(plan, number)
    for bit in COUPLES:
        other = number ^ bit
        if other >= plan.counts["person"] or abs(born - (born_too := choose_birth_year(plan, other))) > 15:
            continue
        rng = plan.seed_random(f"couple {bit}", min(number, other))
        year = max(born, born_too)
        wedding = choose_day(rng, date(year + 18, 1, 1), date(year + 24, 12, 31), "wedding")
        sound = state_item(P.SPOUSE, derive_item_id("person", other))
        yield _date_statement(plan, rng, sound, (wedding, LAST_DAY), "marriage")


def _date_statement(plan: WorldPlan, rng: KeyedRandom, sound: Statement, days: tuple[date, date], what: str) -> Dated:
    """Say from when to when something held; now and then the claim is wrong, or not certain."""
    start, end = _choose_bounds(rng, *days, what)
    stated = replace(sound, qualifiers=_qualify_bounds(rng, start, end, what))
    if rng.decide(0.02, f"{what} was wrong"):
        return replace(stated, rank=DEPRECATED), None
    if not (start or end):
        return stated, None
    fact = TemporalFact(sound.snak.property_id, sound.snak.item, start=start, end=end)
    if not (start and end):
        is_preferred = bool(start) and rng.decide(0.2, f"{what} is preferred")
        return (replace(stated, rank=PREFERRED) if is_preferred else stated), fact
    if not rng.decide(plan.hedged_rate / 5, f"doubt about {what}"):
        return stated, fact
    reason, doubtful = state_doubtful_span(rng, stated, (start, end), what)
    return doubtful, _drop_doubtful(fact, reason)


def _choose_bounds(rng: KeyedRandom, first: date, last: date, what: str) -> tuple[When | None, When | None]:
    """Choose start and end of what began on a day and may have lasted to another; one may not be stated, or neither."""
    over = first + timedelta(days=rng.sample_log_uniform(200, 6_000, f"length of {what}"))
    at = rng.sample_unit(f"bounds of {what}")
    has_start, has_end = at < 0.86, at < 0.7 or 0.86 <= at < 0.96
    start = date_roughly(rng, first, f"start of {what}") if has_start else None
    return start, date_roughly(rng, over, f"end of {what}") if has_end and over <= last else None


def _qualify_bounds(rng: KeyedRandom, start: When | None, end: When | None, what: str) -> tuple[Snak, ...]:
    """Write a start, and an end; of what has begun, now and then that it has no end, or one that nobody knows."""
    begun = (build_time_snak(P.START_TIME, start.text),) if start else ()
    if end:
        return (*begun, build_time_snak(P.END_TIME, end.text))
    at = rng.sample_unit(f"open end of {what}")
    if not start or at >= 0.3:
        return begun
    return (*begun, Snak(P.END_TIME, "time", "somevalue" if at < 0.1 else "novalue", ""))


def _drop_doubtful(fact: TemporalFact, reason: RejectReason) -> TemporalFact | None:
    """Drop of a fact what is not certain: a bound, both of them, or all of it."""
    if reason == RejectReason.UNREADABLE:
        return None
    if reason == RejectReason.NO_USABLE_START:
        return replace(fact, start=None)
    if reason == RejectReason.NO_USABLE_END:
        return replace(fact, end=None)
    return replace(fact, start=None, end=None, reason=reason)
