"""People: actors, directors, authors and founders; holders of offices; awards."""

from __future__ import annotations

from datetime import date, timedelta

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Snak, Statement
from everwhen.synth.classes import derive_class_id
from everwhen.synth.dates import When, choose_day, coarsen_day, in_decade, in_month, in_year, on_day, to_julian
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom, unpermute
from everwhen.synth.places import compose_country_label, find_country
from everwhen.synth.plan import TERMS_OF_OFFICE, WorldPlan
from everwhen.synth.statements import (
    DEPRECATED,
    NORMAL,
    PREFERRED,
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
    time_, dates = _state_life(rng, born, plain=shared is not None)
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


def _state_life(rng: KeyedRandom, born: When | None, plain: bool) -> tuple[Time, list[Statement]]:
    """Choose birth and death, with their statements."""
    if born is None:
        if rng.decide(0.5, "birth is unknown"):
            return Time(reason=RejectReason.START_UNKNOWN), [state_unknown(Property.DATE_OF_BIRTH, "time")]
        return Time(reason=RejectReason.NO_TIME_STATED), []
    statements = [state_time(Property.DATE_OF_BIRTH, born)]
    if not plain and rng.decide(0.01, "two births"):
        statements.append(state_time(Property.DATE_OF_BIRTH, on_day(born.last + timedelta(days=40))))
        return Time(reason=RejectReason.SEVERAL_STARTS), statements
    if rng.decide(0.03, "wrong birth"):
        statements.append(state_time(Property.DATE_OF_BIRTH, on_day(born.first - timedelta(days=400)), DEPRECATED))
    if born.last.year > 1960 or rng.decide(0.25, "lives"):
        if rng.decide(0.01, "no death"):
            statements.append(state_unknown(Property.DATE_OF_DEATH, "time", "novalue"))
        return Time(born.first, born.last, None, born.precision, born.precision), statements
    death = coarsen_day(rng, choose_day(rng, date(1990, 1, 1), date(2023, 12, 31), "death"), "death")
    statements.append(state_time(Property.DATE_OF_DEATH, death))
    return Time(born.first, born.last, death.last, born.precision, min(born.precision, death.precision)), statements


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
            when = in_year(plan.start.year + one)
            awards.append(
                TermOrAward(derive_item_id("award", number), derive_item_id("person", person), when.first, when.last)
            )
            statements.append(
                state_item(
                    Property.AWARD_RECEIVED,
                    derive_item_id("award", number),
                    NORMAL,
                    (build_time_snak(Property.POINT_IN_TIME, when),),
                )
            )
        slot += people
    return awards, statements


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


# Offices. The terms 0 to 11 of a position follow without a gap; some return a person of two terms ago.


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
    list_ = "heads_of_state" if position % 2 == 0 else "heads_of_government"
    return Entity(item, "ruler", list_, time=time_, min_views=1_000, terms=own_terms).judge()


def _build_term(plan: WorldPlan, position: int, term: int, holder: int) -> tuple[TermOrAward, Statement]:
    """A term: from its handover to the next one, on the same day or the day before; the last one is open."""
    rng = plan.seed_random("position", position)
    begin = on_day(choose_handover(plan, position, term))
    last = term + 1 == TERMS_OF_OFFICE
    rank = PREFERRED if last and rng.decide(0.5, "today's holder is preferred") else NORMAL
    qualifiers: list[Snak] = [build_time_snak(Property.START_TIME, begin)]
    end: When | None = None
    reason = None
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
    return TermOrAward(
        derive_item_id("position", position), holder, begin.first, end.last if end else None, reason
    ), stated
