"""Offices and who holds them. The terms 0 to 11 of a position follow without a gap; some return a former holder."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Snak, Statement
from everwhen.synth.classes import derive_class_id
from everwhen.synth.dates import When, in_month, in_year, on_day
from everwhen.synth.hedges import build_unreadable_snak, build_wide_snak, call_acting, hedge
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.places import compose_country_label
from everwhen.synth.plan import TERMS_OF_OFFICE, WorldPlan
from everwhen.synth.statements import DEPRECATED, NORMAL, PREFERRED, build_time_snak, state_item, state_time
from everwhen.synth.truth import Entity, TermOrAward, Time
from everwhen.synth.words import compose_person_name
from everwhen.wikidata.properties import Property


def build_position(plan: WorldPlan, number: int) -> Entity:
    """An office: of the head of state (even numbers) or of government of a country."""
    country = number // 2
    text, root = _name_office(plan, number)
    statements = (
        state_item(Property.SUBCLASS_OF, derive_class_id(root)),
        state_item(Property.APPLIES_TO_JURISDICTION, derive_item_id("country", country)),
    )
    views = plan.seed_random("position", number).sample_pareto(3_000, 0.5, "views")
    return Entity(Item(derive_item_id("position", number), text, "office", text, views, statements), "position")


def _name_office(plan: WorldPlan, position: int) -> tuple[str, str]:
    """Label and class of an office."""
    country = compose_country_label(plan, position // 2)
    monarchy = plan.seed_random("country", position // 2).decide(0.2, "monarchy")
    if position % 2 == 0:
        return f"{'Monarch' if monarchy else 'President'} of {country}", "head of state"
    return f"Prime Minister of {country}", "head of government"


def choose_handover(plan: WorldPlan, position: int, term: int) -> date:
    """The day on which a term begins: the first ones long before the window."""
    first = date(plan.start.year - 18, 1, 1).toordinal()
    step = (plan.end.toordinal() - first) // TERMS_OF_OFFICE
    jitter = plan.seed_random("position", position).sample_between(0, step // 2, f"term {term}")
    return date.fromordinal(first + term * step + jitter)


def returns_to_office(plan: WorldPlan, position: int, term: int) -> bool:
    """Whether who held the position two terms ago holds it again, for the first time."""
    if term < 2 or not plan.seed_random("position", position).decide(0.06, f"back {term}"):
        return False
    return term < 4 or not returns_to_office(plan, position, term - 2)


def build_ruler(plan: WorldPlan, number: int) -> Entity | None:
    """Who holds a term of an office; nobody new where a former holder comes back."""
    position, term = divmod(number, TERMS_OF_OFFICE)
    if returns_to_office(plan, position, term):
        return None
    rng = plan.seed_random("ruler", number)
    terms = [term]
    if term + 2 < TERMS_OF_OFFICE and returns_to_office(plan, position, term + 2):
        terms.append(term + 2)
    own_terms, statements = [], []
    for one in terms:
        fact, stated = _build_term(plan, position, one, derive_item_id("ruler", number))
        own_terms.append(fact)
        statements.append(stated)
    birth = on_day(
        choose_handover(plan, position, term) - timedelta(days=rng.sample_between(35 * 365, 70 * 365, "age"))
    )
    if rng.decide(0.05, "birth by year"):
        birth = in_year(birth.first.year)
    statements += [
        state_item(Property.INSTANCE_OF, derive_class_id("human")),
        state_time(Property.DATE_OF_BIRTH, birth),
        state_item(Property.COUNTRY_OF_CITIZENSHIP, derive_item_id("country", position // 2)),
        state_item(
            Property.PLACE_OF_BIRTH, derive_item_id("place", rng.sample_below(plan.counts["place"], "birthplace"))
        ),
    ]
    if rng.decide(0.05, "a claim that was wrong"):
        other = (position + 2) % plan.counts["position"]
        statements.append(state_item(Property.POSITION_HELD, derive_item_id("position", other), DEPRECATED))
    time_ = Time(birth.first, birth.last, None, birth.precision, birth.precision)
    text = compose_person_name(plan.seed, plan.counts["person"] + number)
    item = Item(
        *(derive_item_id("ruler", number), text, "politician", text, rng.sample_pareto(1_000, 0.7, "views")),
        tuple(statements),
    )
    list_, min_views = "heads_of_state" if position % 2 == 0 else "heads_of_government", 1_000
    if all(term.reason == RejectReason.UNREADABLE for term in own_terms):
        list_, min_views = "persons", 5_000  # nobody can read that the position was held
    return Entity(item, "ruler", list_, time=time_, min_views=min_views, terms=own_terms).judge()


def _build_term(plan: WorldPlan, position: int, term: int, holder: int) -> tuple[TermOrAward, Statement]:
    """A term: from its handover to the next one, on the same day or the day before; the last one is open."""
    rng = plan.seed_random("position", position)
    begin = on_day(choose_handover(plan, position, term))
    last = term + 1 == TERMS_OF_OFFICE
    rank = PREFERRED if last and rng.decide(0.5, "today's holder is preferred") else NORMAL
    qualifiers: list[Snak] = [build_time_snak(Property.START_TIME, begin)]
    end: When | None = None
    reason: str | None = None
    if last:
        if rng.decide(0.3, "no end is stated to be"):
            qualifiers.append(Snak(Property.END_TIME, "time", "novalue", ""))
    elif rng.decide(0.002, f"nobody knows the end of {term}"):
        qualifiers.append(Snak(Property.END_TIME, "time", "somevalue", ""))
        reason = RejectReason.NO_USABLE_END
    else:
        day = choose_handover(plan, position, term + 1) - timedelta(days=rng.sample_below(2, f"gap {term}"))
        end = in_month(day) if rng.decide(0.01, f"end of {term} by month") else on_day(day)
        qualifiers.append(build_time_snak(Property.END_TIME, end))
    stated = state_item(Property.POSITION_HELD, derive_item_id("position", position), rank, tuple(qualifiers))
    if end and rng.decide(plan.hedged_rate / 5, f"doubt about {term}"):
        reason, stated = _doubt_term(rng, stated, (begin, end), f"term {term}")
    return TermOrAward(
        derive_item_id("position", position), holder, begin.first, end.last if end else None, reason
    ), stated


def _doubt_term(
    rng: KeyedRandom, sound: Statement, bounds: tuple[When, When], what: str
) -> tuple[RejectReason, Statement]:
    """Choose why a term is not certain: its holder was acting, it is hedged, or one of its bounds is no certain day."""
    start, end = sound.qualifiers
    wide_start = build_wide_snak(rng, Property.START_TIME, bounds[0], what)
    wide_end = build_wide_snak(rng, Property.END_TIME, bounds[1], what)
    unreadable = build_unreadable_snak(rng, Property.START_TIME, what)
    cases = (
        (RejectReason.HEDGED, call_acting(rng, sound, what)),
        (RejectReason.HEDGED, call_acting(rng, sound, f"{what} again")),
        (RejectReason.HEDGED, hedge(rng, sound, what)),
        (RejectReason.NO_USABLE_START, replace(sound, qualifiers=(wide_start, end))),
        (RejectReason.NO_USABLE_END, replace(sound, qualifiers=(start, wide_end))),
        (RejectReason.UNREADABLE, replace(sound, qualifiers=(unreadable, end))),
    )
    return rng.pick(cases, f"kind of doubt about {what}")
