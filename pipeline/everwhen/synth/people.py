"""People: actors, directors, authors and founders; awards."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.classes import derive_class_id
from everwhen.synth.dates import When, choose_day, coarsen_day, in_decade, in_year, on_day, to_julian
from everwhen.synth.hedges import build_unreadable_snak, build_wide_snak, has_several_values, hedge, state_doubtful_time
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom, unpermute
from everwhen.synth.places import find_country
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import (
    DEPRECATED,
    NORMAL,
    build_time_snak,
    state_external_id,
    state_item,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import YEAR, Entity, TermOrAward, Time
from everwhen.synth.words import FAMILY_ENDS, NOUNS, compose_label, compose_person_name, list_syllables
from everwhen.wikidata.properties import Property

JULIAN_UNTIL = date(1917, 12, 31)
AWARD_PATTERNS = (("{}{}{}{}{} {} Award", (*list_syllables(FAMILY_ENDS), NOUNS)),)


def compose_person_label(plan: WorldPlan, number: int) -> str:
    """Compose the name of a person; the second of a pair may have that of the first."""
    return compose_person_name(plan.seed, number - 1 if number % 2 and plan.shares_label("person", number) else number)


def _choose_shared_birth_year(plan: WorldPlan, number: int) -> tuple[int, str | None] | None:
    """Of two people of one name: the year of birth of this one, and what distinguishes them."""
    if not plan.shares_label("person", number):
        return None
    pair = plan.seed_random("person", number // 2)
    year = pair.sample_between(1935, 1999, "year of birth of the pair")
    if pair.decide(0.3, "the pair is born in one year"):
        return year, None
    return (year if number % 2 == 0 else year - pair.sample_between(1, 30, "years between the pair")), YEAR


def build_person(plan: WorldPlan, number: int) -> Entity:
    """An actor, director, author or founder."""
    rng = plan.seed_random("person", number)
    shared = _choose_shared_birth_year(plan, number)
    if shared:
        born: When | None = on_day(choose_day(rng, date(shared[0], 1, 1), date(shared[0], 12, 31), "birth"))
    else:
        born = _choose_birth(rng)
    statements = [state_item(Property.INSTANCE_OF, derive_class_id("human"))]
    time_, dates = _state_life(rng, born, hedged_rate=0.0 if shared else plan.hedged_rate, plain=shared is not None)
    statements += dates
    statements += _state_origin(plan, rng)
    awards, awarded = _give_awards(plan, number)
    statements += awarded
    if rng.decide(0.3, "has a VIAF id"):
        statements.append(state_external_id(Property.VIAF_CLUSTER_ID, str(rng.sample_between(10**6, 10**9, "VIAF"))))
    text = compose_person_label(plan, number)
    title = f"{text} (born {shared[0]}, {number})" if shared else text
    # No label begins with an initial, so that no name becomes ambiguous by it.
    aliases = (f"{text[0]}. {text.partition(' ')[2]}",) if rng.decide(0.12, "has an alias") else ()
    item = Item(
        derive_item_id("person", number),
        text,
        "person",
        None if rng.decide(0.02, "no article") else title,
        rng.sample_pareto(5_000, 0.3, "views"),
        tuple(statements),
        aliases,
    )
    method = shared[1] if shared else "label"
    return Entity(*(item, "person", "persons"), time=time_, method=method, min_views=5_000, awards=awards).judge()


def _choose_birth(rng: KeyedRandom) -> When | None:
    """A date of birth; None where none is stated."""
    at_ = rng.sample_unit("birth is told")
    if at_ < 0.02:
        return None
    if at_ < 0.06:
        return to_julian(choose_day(rng, date(1901, 1, 1), JULIAN_UNTIL, "birth"))
    day = choose_day(rng, date(1901, 1, 1), date(1999, 12, 31), "birth")
    if at_ < 0.08:
        return in_decade(day.year)
    return coarsen_day(rng, day, "birth")


def _state_life(rng: KeyedRandom, born: When | None, hedged_rate: float, plain: bool) -> tuple[Time, list[Statement]]:
    """Choose birth and death, with their statements."""
    if born is None:
        if rng.decide(0.5, "birth is unknown"):
            return Time(reason=RejectReason.START_UNKNOWN), [state_unknown(Property.DATE_OF_BIRTH, "time")]
        return Time(reason=RejectReason.NO_TIME_STATED), []
    if rng.decide(hedged_rate, "birth is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, Property.DATE_OF_BIRTH, born, "birth")
        return (_begin(born) if is_known else Time(reason=RejectReason.START_UNKNOWN)), doubtful
    statements = [state_time(Property.DATE_OF_BIRTH, born)]
    if not plain and rng.decide(0.01, "two births"):
        statements.append(state_time(Property.DATE_OF_BIRTH, on_day(born.last + timedelta(days=40))))
        return Time(reason=RejectReason.SEVERAL_STARTS), statements
    if rng.decide(0.03, "wrong birth"):
        statements.append(state_time(Property.DATE_OF_BIRTH, on_day(born.first - timedelta(days=400)), DEPRECATED))
    if born.last.year > 1960 or rng.decide(0.25, "lives"):
        if rng.decide(0.01, "no death"):
            statements.append(state_unknown(Property.DATE_OF_DEATH, "time", "novalue"))
        return _begin(born), statements
    life, stated = _state_death(rng, born, hedged_rate)
    return life, [*statements, *stated]


def _state_death(rng: KeyedRandom, born: When, hedged_rate: float) -> tuple[Time, list[Statement]]:
    """Choose a death: the life that it ends, with its statements.

    One that is uncertain leaves the life open; with several of them a life has no time.
    """
    death = coarsen_day(rng, choose_day(rng, date(1990, 1, 1), date(2023, 12, 31), "death"), "death")
    life = Time(born.first, born.last, death.last, born.precision, min(born.precision, death.precision))
    if not rng.decide(hedged_rate, "death is doubtful"):
        return life, [state_time(Property.DATE_OF_DEATH, death)]
    doubtful, is_known = state_doubtful_time(rng, Property.DATE_OF_DEATH, death, "death")
    if has_several_values(doubtful):
        return Time(reason=RejectReason.SEVERAL_ENDS), doubtful
    return (life if is_known else _begin(born)), doubtful


def _begin(born: When) -> Time:
    return Time(born.first, born.last, None, born.precision, born.precision)


def _state_origin(plan: WorldPlan, rng: KeyedRandom) -> list[Statement]:
    """Place of birth and citizenship."""
    place = rng.sample_below(plan.counts["place"], "birthplace")
    country = find_country(plan, place)
    found = []
    if rng.decide(0.85, "birthplace is known"):
        found.append(state_item(Property.PLACE_OF_BIRTH, derive_item_id("place", place)))
    if rng.decide(0.95, "citizenship is known"):
        found.append(state_item(Property.COUNTRY_OF_CITIZENSHIP, derive_item_id("country", country)))
        second = (country + rng.sample_between(1, 50, "second country")) % plan.counts["country"]
        if second != country and rng.decide(0.05, "two citizenships"):
            found.append(state_item(Property.COUNTRY_OF_CITIZENSHIP, derive_item_id("country", second)))
    return found


# Awards. Two years of an award are a slot each; the first of them may take the second too.


def _count_years(plan: WorldPlan) -> int:
    """Years of the window: in each of them every award is given."""
    return plan.end.year - plan.start.year + 1


def _give_awards(plan: WorldPlan, person: int) -> tuple[list[TermOrAward], list[Statement]]:
    """Awards of a person: every award goes to somebody in every year, and to some in two years on end."""
    people, years = plan.counts["person"], _count_years(plan)
    awards, statements = [], []
    slot = unpermute(plan.seed, "awards", person, people)
    while slot < plan.counts["award"] * years:
        number, year = divmod(slot, years)
        if year % 2 and _is_given_again(plan, number, year - 1):
            won = []
        elif year % 2 == 0 and year + 1 < years and _is_given_again(plan, number, year):
            won = [year, year + 1]
        else:
            won = [year]
        for one in won:
            award, stated = _give_award(plan, number, person, in_year(plan.start.year + one))
            awards.append(award)
            statements.append(stated)
        slot += people
    return awards, statements


def _give_award(plan: WorldPlan, number: int, person: int, when: When) -> tuple[TermOrAward, Statement]:
    """An award of a year; now and then it is hedged, or its time."""
    rng, what = plan.seed_random("award", number), f"award of {when.text}"
    award, point = derive_item_id("award", number), build_time_snak(Property.POINT_IN_TIME, when)
    sound = state_item(Property.AWARD_RECEIVED, award, NORMAL, (point,))
    fact = TermOrAward(award, derive_item_id("person", person), when.first, when.last)
    if not rng.decide(plan.hedged_rate / 20, f"doubt about {what}"):
        return fact, sound
    wide, unreadable = (
        replace(sound, qualifiers=(snak,))
        for snak in (
            build_wide_snak(rng, Property.POINT_IN_TIME, when, what),
            build_unreadable_snak(rng, Property.POINT_IN_TIME, what),
        )
    )
    stated = rng.pick((hedge(rng, sound, what), wide, unreadable), f"kind of doubt about {what}")
    return replace(fact, first_day=None, last_day=None), stated


def _is_given_again(plan: WorldPlan, award: int, year: int) -> bool:
    """Whether who gets an award in an even year gets it in the next one too."""
    return plan.seed_random("award", award).decide(0.2, f"again {year}")


def build_award(plan: WorldPlan, number: int) -> Entity:
    """An award."""
    rng = plan.seed_random("award", number)
    text = compose_label(plan.seed, "award", number, AWARD_PATTERNS)
    item = Item(
        *(derive_item_id("award", number), text, "award", text, rng.sample_pareto(3_000, 0.5, "views")),
        (state_item(Property.INSTANCE_OF, derive_class_id("award")),),
    )
    return Entity(item, "award")
