"""People: actors, directors, authors and founders, with their awards; offices and those who hold them.

The terms 0 to 11 of a position follow without a gap; some return a former holder.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from everwhen.core.keyed_random import KeyedRandom, unpermute
from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Snak, Statement
from everwhen.synth.places import compose_country_label, find_country
from everwhen.synth.plan import TERMS_OF_OFFICE, WorldPlan, derive_class_id, state_class
from everwhen.synth.statements import (
    DEPRECATED,
    NORMAL,
    PREFERRED,
    When,
    build_time_snak,
    build_unreadable_snak,
    build_wide_snak,
    choose_day,
    choose_time,
    coarsen_day,
    derive_item_id,
    has_several_values,
    hedge,
    in_decade,
    in_month,
    in_year,
    on_day,
    state_doubtful_span,
    state_doubtful_time,
    state_entity,
    state_external_id,
    state_item,
    state_time,
    state_unknown,
    to_julian,
)
from everwhen.synth.truth import LABEL, YEAR, Entity, TermOrAward, TrueTime, build_item, derive_time
from everwhen.synth.words import compose_label
from everwhen.wikidata.properties import Property as P

JULIAN_UNTIL = date(1917, 12, 31)
"""The last day of birth that may be stated in the Julian calendar."""


def _choose_shared_birth_year(plan: WorldPlan, number: int) -> tuple[int, str | None]:
    """Of two people of one name: the year of birth of this one, and what distinguishes them."""
    pair = plan.seed_random("person", number // 2)
    year = pair.sample_between(1935, 1999, "year of birth of the pair")
    if pair.decide(0.3, "the pair is born in one year"):
        return year, None
    return year - (pair.sample_between(1, 30, "years between the pair") if number % 2 else 0), YEAR


def build_person(plan: WorldPlan, number: int) -> Entity:
    """An actor, director, author or founder."""
    rng = plan.seed_random("person", number)
    shared = plan.shares_label("person", number)
    # The second of a pair has the name of the first.
    text = compose_label(plan.seed, "person", number - number % 2 if shared else number)
    method: str | None = LABEL
    title = text
    if shared:
        year, method = _choose_shared_birth_year(plan, number)
        title = f"{text} (born {year}, {number})"
        born = on_day(choose_day(rng, date(year, 1, 1), date(year, 12, 31), "birth"))
        time, dates = _state_life(rng, born, 0.0, 0.0)
    else:
        time, dates = _state_unshared_life(rng, plan.hedged_rate)
    awards, awarded = _give_awards(plan, number)
    statements = [state_class("human"), *dates, *_state_origin(plan, rng), *awarded]
    if rng.decide(0.3, "has a VIAF id"):
        statements.append(state_external_id(P.VIAF_CLUSTER_ID, str(rng.sample_between(10**6, 10**9, "VIAF"))))
    article = None if rng.decide(0.02, "no article") else title
    item = build_item(rng, text, "person", (5_000, 0.3), statements, article)
    if rng.decide(0.12, "has an alias"):
        # No label begins with an initial, so that no name becomes ambiguous by it.
        item = replace(item, aliases=(f"{text[0]}. {text.partition(' ')[2]}",))
    return Entity(item, "person", "persons", time, method, awards=awards)


def _state_unshared_life(rng: KeyedRandom, hedged_rate: float) -> tuple[TrueTime, list[Statement]]:
    """Choose the life of somebody whose name nobody else has; the birth may not be stated."""
    at = rng.sample_unit("birth is told")
    if at >= 0.02:
        return _state_life(rng, _choose_birth(rng, at), hedged_rate, 0.01)
    if rng.decide(0.5, "birth is unknown"):
        return TrueTime(reason=RejectReason.START_UNKNOWN), [state_unknown(P.DATE_OF_BIRTH, "time")]
    return TrueTime(reason=RejectReason.NO_TIME_STATED), []


def choose_birth_year(plan: WorldPlan, number: int) -> int:
    """The year, or the first of the decade, in which a person is born, whatever is stated of it."""
    if plan.shares_label("person", number):
        return _choose_shared_birth_year(plan, number)[0]
    rng = plan.seed_random("person", number)
    at = rng.sample_unit("birth is told")
    return _choose_birth(rng, at if at >= 0.02 else 1.0).first.year


def _choose_birth(rng: KeyedRandom, at: float) -> When:
    if at < 0.06:
        return to_julian(choose_day(rng, date(1901, 1, 1), JULIAN_UNTIL, "birth"))
    day = choose_day(rng, date(1901, 1, 1), date(1999, 12, 31), "birth")
    return in_decade(day.year) if at < 0.08 else coarsen_day(rng, day, "birth")


def _state_life(
    rng: KeyedRandom, born: When, hedged_rate: float, several_rate: float
) -> tuple[TrueTime, list[Statement]]:
    """Choose birth and death, with their statements."""
    if rng.decide(hedged_rate, "birth is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, P.DATE_OF_BIRTH, born, "birth")
        return (derive_time(born) if is_known else TrueTime(reason=RejectReason.START_UNKNOWN)), doubtful
    statements = [state_time(P.DATE_OF_BIRTH, born)]
    if rng.decide(several_rate, "two births"):
        statements.append(state_time(P.DATE_OF_BIRTH, on_day(born.last + timedelta(days=40))))
        return TrueTime(reason=RejectReason.SEVERAL_STARTS), statements
    if rng.decide(0.03, "wrong birth"):
        statements.append(state_time(P.DATE_OF_BIRTH, on_day(born.first - timedelta(days=400)), DEPRECATED))
    if born.last.year > 1960 or rng.decide(0.25, "lives"):
        if rng.decide(0.01, "no death"):
            statements.append(state_unknown(P.DATE_OF_DEATH, "time", "novalue"))
        return derive_time(born), statements
    life, stated = _state_death(rng, born, hedged_rate)
    return life, [*statements, *stated]


def _state_death(rng: KeyedRandom, born: When, hedged_rate: float) -> tuple[TrueTime, list[Statement]]:
    """Choose a death: the life that it ends, with its statements.

    One that is uncertain leaves the life open; with several of them a life has no time.
    """
    death = choose_time(rng, 1990, 2023, "death")
    if not rng.decide(hedged_rate, "death is doubtful"):
        return derive_time(born, death), [state_time(P.DATE_OF_DEATH, death)]
    doubtful, is_known = state_doubtful_time(rng, P.DATE_OF_DEATH, death, "death")
    if has_several_values(doubtful):
        return TrueTime(reason=RejectReason.SEVERAL_ENDS), doubtful
    return derive_time(born, death if is_known else None), doubtful


def _state_origin(plan: WorldPlan, rng: KeyedRandom) -> list[Statement]:
    """Place of birth and citizenship."""
    place = rng.sample_below(plan.counts["place"], "birthplace")
    country = find_country(plan, place)
    found = []
    if rng.decide(0.85, "birthplace is known"):
        found.append(state_entity(P.PLACE_OF_BIRTH, "place", place))
    if rng.decide(0.95, "citizenship is known"):
        found.append(state_entity(P.COUNTRY_OF_CITIZENSHIP, "country", country))
        second = (country + rng.sample_between(1, 50, "second country")) % plan.counts["country"]
        if second != country and rng.decide(0.05, "two citizenships"):
            found.append(state_entity(P.COUNTRY_OF_CITIZENSHIP, "country", second))
    return found


# Awards. Two years of an award are a slot each; the first of them may take the second too.


def _give_awards(plan: WorldPlan, person: int) -> tuple[list[TermOrAward], list[Statement]]:
    """Awards of a person: every award goes to somebody in every year, and to some in two years on end."""
    people, years = plan.counts["person"], plan.end.year - plan.start.year + 1
    given = []
    for slot in range(unpermute(plan.seed, "awards", person, people), plan.counts["award"] * years, people):
        number, year = divmod(slot, years)
        if year % 2:
            won = [] if _is_given_again(plan, number, year - 1) else [year]
        else:
            is_again = year + 1 < years and _is_given_again(plan, number, year)
            won = [year, year + 1] if is_again else [year]
        given += [_give_award(plan, number, person, in_year(plan.start.year + one)) for one in won]
    return [award for award, _ in given], [stated for _, stated in given]


def _give_award(plan: WorldPlan, number: int, person: int, when: When) -> tuple[TermOrAward, Statement]:
    """An award of a year; now and then it is hedged, or its time."""
    rng, what = plan.seed_random("award", number), f"award of {when.text}"
    award = derive_item_id("award", number)
    sound = state_item(P.AWARD_RECEIVED, award, NORMAL, (build_time_snak(P.POINT_IN_TIME, when.text),))
    fact = TermOrAward(award, derive_item_id("person", person), when.first, when.last)
    if not rng.decide(plan.hedged_rate / 20, f"doubt about {what}"):
        return fact, sound
    wide = replace(sound, qualifiers=(build_wide_snak(rng, P.POINT_IN_TIME, when, what),))
    unreadable = replace(sound, qualifiers=(build_unreadable_snak(rng, P.POINT_IN_TIME, what),))
    stated = rng.pick((hedge(rng, sound, what), wide, unreadable), f"kind of doubt about {what}")
    return replace(fact, first_day=None, last_day=None), stated


def _is_given_again(plan: WorldPlan, award: int, year: int) -> bool:
    """Whether who gets an award in an even year gets it in the next one too."""
    return plan.seed_random("award", award).decide(0.2, f"again {year}")


def build_award(plan: WorldPlan, number: int) -> Entity:
    """An award."""
    text = compose_label(plan.seed, "award", number)
    item = build_item(plan.seed_random("award", number), text, "award", (3_000, 0.5), [state_class("award")])
    return Entity(item, "award")


# Offices.


def build_position(plan: WorldPlan, number: int) -> Entity:
    """An office: of the head of state (even numbers) or of government of a country."""
    country = number // 2
    root, title = "head of government", "Prime Minister"
    if number % 2 == 0:
        is_monarchy = plan.seed_random("country", country).decide(0.2, "monarchy")
        root, title = "head of state", "Monarch" if is_monarchy else "President"
    statements = (
        state_item(P.SUBCLASS_OF, derive_class_id(root)),
        state_entity(P.APPLIES_TO_JURISDICTION, "country", country),
    )
    text = f"{title} of {compose_country_label(plan, country)}"
    item = build_item(plan.seed_random("position", number), text, "office", (3_000, 0.5), statements)
    return Entity(item, "position")


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
    holder = derive_item_id("ruler", number)
    pairs = [_build_term(plan, position, term, holder)]
    if term + 2 < TERMS_OF_OFFICE and returns_to_office(plan, position, term + 2):
        pairs.append(_build_term(plan, position, term + 2, holder))
    terms, stated = zip(*pairs, strict=True)
    age = timedelta(days=rng.sample_between(35 * 365, 70 * 365, "age"))
    birth = on_day(choose_handover(plan, position, term) - age)
    if rng.decide(0.05, "birth by year"):
        birth = in_year(birth.first.year)
    statements = [
        *stated,
        state_class("human"),
        state_time(P.DATE_OF_BIRTH, birth),
        state_entity(P.COUNTRY_OF_CITIZENSHIP, "country", position // 2),
        state_entity(P.PLACE_OF_BIRTH, "place", rng.sample_below(plan.counts["place"], "birthplace")),
    ]
    if rng.decide(0.05, "a claim that was wrong"):
        other = (position + 2) % plan.counts["position"]
        statements.append(state_entity(P.POSITION_HELD, "position", other, DEPRECATED))
    text = compose_label(plan.seed, "person", plan.counts["person"] + number)
    item = build_item(rng, text, "politician", (1_000, 0.7), statements)
    list_ = "heads_of_government" if position % 2 else "heads_of_state"
    if all(term.reason == RejectReason.UNREADABLE for term in terms):
        list_ = "persons"  # nobody can read that the position was held
    return Entity(item, "ruler", list_, derive_time(birth), terms=list(terms))


def _build_term(plan: WorldPlan, position: int, term: int, holder: int) -> tuple[TermOrAward, Statement]:
    """A term: from its handover to the next one, on the same day or the day before; the last one is open."""
    rng = plan.seed_random("position", position)
    office = derive_item_id("position", position)
    start = on_day(choose_handover(plan, position, term))
    fact = TermOrAward(office, holder, start.first, None)
    begun = build_time_snak(P.START_TIME, start.text)
    if term + 1 == TERMS_OF_OFFICE:
        rank = PREFERRED if rng.decide(0.5, "today's holder is preferred") else NORMAL
        is_stated = rng.decide(0.3, "no end is stated to be")
        ended = (Snak(P.END_TIME, "time", "novalue", ""),) if is_stated else ()
        return fact, state_item(P.POSITION_HELD, office, rank, (begun, *ended))
    if rng.decide(0.002, f"nobody knows the end of {term}"):
        unknown = Snak(P.END_TIME, "time", "somevalue", "")
        stated = state_item(P.POSITION_HELD, office, NORMAL, (begun, unknown))
        return replace(fact, reason=RejectReason.NO_USABLE_END), stated
    day = choose_handover(plan, position, term + 1) - timedelta(days=rng.sample_below(2, f"gap {term}"))
    end = in_month(day) if rng.decide(0.01, f"end of {term} by month") else on_day(day)
    fact = replace(fact, last_day=end.last)
    stated = state_item(P.POSITION_HELD, office, NORMAL, (begun, build_time_snak(P.END_TIME, end.text)))
    if not rng.decide(plan.hedged_rate / 5, f"doubt about {term}"):
        return fact, stated
    reason, doubtful = state_doubtful_span(rng, stated, (start, end), f"term {term}")
    return replace(fact, reason=reason), doubtful
