"""People: actors, directors, authors and founders; holders of offices; awards."""

from __future__ import annotations

from datetime import date, timedelta

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Snak, Statement
from everwhen.synth.classes import class_id
from everwhen.synth.dates import When, day_between, in_decade, in_month, in_year, julian, on, told
from everwhen.synth.draws import Draws, gathered
from everwhen.synth.ids import item_id
from everwhen.synth.places import country_label, country_of_place
from everwhen.synth.plan import TERMS_OF_OFFICE, Plan
from everwhen.synth.statements import DEPRECATED, NORMAL, PREFERRED, at, external, of_item, time, unknown
from everwhen.synth.truth import YEAR, Entity, Held, Time
from everwhen.synth.words import FAMILY_ENDS, NOUNS, label, person_name, syllables
from everwhen.wikidata.properties import Property

JULIAN_UNTIL = date(1917, 12, 31)
AWARD_FORMS = (("{}{}{}{}{} {} Award", (*syllables(FAMILY_ENDS), NOUNS)),)


def person_label(plan: Plan, number: int) -> str:
    """The name of a person; the second of a pair may bear that of the first."""
    return person_name(plan.seed, number - 1 if number % 2 and plan.pair_shares("person", number) else number)


def _shared_birth_year(plan: Plan, number: int) -> tuple[int, str | None] | None:
    """Of two people of one name: the year of birth of this one, and what tells them apart."""
    if not plan.pair_shares("person", number):
        return None
    pair = plan.draws("person", number // 2)
    year = pair.between(1935, 1999, "year of birth of the pair")
    if pair.chance(0.3, "the pair is born in one year"):
        return year, None
    return (year if number % 2 == 0 else year - pair.between(1, 30, "years between the pair")), YEAR


def make_person(plan: Plan, number: int) -> Entity:
    """An actor, director, author or founder."""
    draws = plan.draws("person", number)
    shared = _shared_birth_year(plan, number)
    if shared:
        born: When | None = on(day_between(draws, date(shared[0], 1, 1), date(shared[0], 12, 31), "birth"))
    else:
        born = _birth(draws)
    statements = [of_item(Property.INSTANCE_OF, class_id("human"))]
    time_, dates = _life(draws, born, plain=shared is not None)
    statements += dates
    statements += _origin(plan, draws)
    held, awarded = _awards(plan, number)
    statements += awarded
    if draws.chance(0.3, "has a VIAF id"):
        statements.append(external(Property.VIAF_CLUSTER_ID, str(draws.between(10**6, 10**9, "VIAF"))))
    text = person_label(plan, number)
    title = f"{text} (born {shared[0]}, {number})" if shared else text
    # No label begins with an initial, so that no name becomes ambiguous by it.
    aliases = (f"{text[0]}. {text.partition(' ')[2]}",) if draws.chance(0.12, "has an alias") else ()
    item = Item(
        item_id("person", number),
        text,
        "person",
        None if draws.chance(0.02, "no article") else title,
        draws.tail(5_000, 0.3, "views"),
        tuple(statements),
        aliases,
    )
    method = shared[1] if shared else "label"
    return Entity(*(item, "person", "persons"), time=time_, method=method, min_views=5_000, awards=held).judge()


def _birth(draws: Draws) -> When | None:
    """A date of birth; None where none is stated."""
    at_ = draws.unit("birth is told")
    if at_ < 0.02:
        return None
    if at_ < 0.06:
        return julian(day_between(draws, date(1901, 1, 1), JULIAN_UNTIL, "birth"))
    day = day_between(draws, date(1901, 1, 1), date(1999, 12, 31), "birth")
    if at_ < 0.08:
        return in_decade(day.year)
    return told(draws, day, "birth")


def _life(draws: Draws, born: When | None, plain: bool) -> tuple[Time, list[Statement]]:
    """Birth and death, and the statements that tell them."""
    if born is None:
        if draws.chance(0.5, "birth is unknown"):
            return Time(reason=RejectReason.START_UNKNOWN), [unknown(Property.DATE_OF_BIRTH, "time")]
        return Time(reason=RejectReason.NO_TIME_STATED), []
    statements = [at(Property.DATE_OF_BIRTH, born)]
    if not plain and draws.chance(0.01, "two births"):
        statements.append(at(Property.DATE_OF_BIRTH, on(born.last + timedelta(days=40))))
        return Time(reason=RejectReason.SEVERAL_STARTS), statements
    if draws.chance(0.03, "wrong birth"):
        statements.append(at(Property.DATE_OF_BIRTH, on(born.first - timedelta(days=400)), DEPRECATED))
    if born.last.year > 1960 or draws.chance(0.25, "lives"):
        if draws.chance(0.01, "no death"):
            statements.append(unknown(Property.DATE_OF_DEATH, "time", "novalue"))
        return Time(born.first, born.last, None, born.precision, born.precision), statements
    death = told(draws, day_between(draws, date(1990, 1, 1), date(2023, 12, 31), "death"), "death")
    statements.append(at(Property.DATE_OF_DEATH, death))
    return Time(born.first, born.last, death.last, born.precision, min(born.precision, death.precision)), statements


def _origin(plan: Plan, draws: Draws) -> list[Statement]:
    """Place of birth and citizenship."""
    place = draws.below(plan.counts["place"], "birthplace")
    country = country_of_place(plan, place)
    found = []
    if draws.chance(0.85, "birthplace is known"):
        found.append(of_item(Property.PLACE_OF_BIRTH, item_id("place", place)))
    if draws.chance(0.95, "citizenship is known"):
        found.append(of_item(Property.COUNTRY_OF_CITIZENSHIP, item_id("country", country)))
        second = (country + draws.between(1, 50, "second country")) % plan.counts["country"]
        if second != country and draws.chance(0.05, "two citizenships"):
            found.append(of_item(Property.COUNTRY_OF_CITIZENSHIP, item_id("country", second)))
    return found


# Awards. Two years of an award are a slot each; the first of them may take the second too.


def _years(plan: Plan) -> int:
    """Years of the window: in each of them every award is given."""
    return plan.end.year - plan.start.year + 1


def _awards(plan: Plan, person: int) -> tuple[list[Held], list[Statement]]:
    """Awards of a person: every award goes to somebody in every year, and to some in two years on end."""
    people, years = plan.counts["person"], _years(plan)
    held, statements = [], []
    slot = gathered(plan.seed, "awards", person, people)
    while slot < plan.counts["award"] * years:
        award, year = divmod(slot, years)
        if year % 2 and _again(plan, award, year - 1):
            won = []
        elif year % 2 == 0 and year + 1 < years and _again(plan, award, year):
            won = [year, year + 1]
        else:
            won = [year]
        for one in won:
            when = in_year(plan.start.year + one)
            held.append(Held(item_id("award", award), item_id("person", person), when.first, when.last))
            statements.append(
                of_item(Property.AWARD_RECEIVED, item_id("award", award), NORMAL, (time(Property.POINT_IN_TIME, when),))
            )
        slot += people
    return held, statements


def _again(plan: Plan, award: int, year: int) -> bool:
    """Whether who gets an award in an even year gets it in the next one too."""
    return plan.draws("award", award).chance(0.2, f"again {year}")


def make_award(plan: Plan, number: int) -> Entity:
    """An award."""
    draws = plan.draws("award", number)
    text = label(plan.seed, "award", number, AWARD_FORMS)
    item = Item(
        *(item_id("award", number), text, "award", text, draws.tail(3_000, 0.5, "views")),
        (of_item(Property.INSTANCE_OF, class_id("award")),),
    )
    return Entity(item, "award")


# Offices. Each position is held in unbroken succession by the terms 0 to 11, some of them by who held it two terms ago.


def make_position(plan: Plan, number: int) -> Entity:
    """An office: of the head of state (even numbers) or of government of a country."""
    country = number // 2
    text, root = _office(plan, number)
    statements = (
        of_item(Property.SUBCLASS_OF, class_id(root)),
        of_item(Property.APPLIES_TO_JURISDICTION, item_id("country", country)),
    )
    views = plan.draws("position", number).tail(3_000, 0.5, "views")
    return Entity(Item(item_id("position", number), text, "office", text, views, statements), "position")


def _office(plan: Plan, position: int) -> tuple[str, str]:
    """Label and class of an office."""
    country = country_label(plan, position // 2)
    monarchy = plan.draws("country", position // 2).chance(0.2, "monarchy")
    if position % 2 == 0:
        return f"{'Monarch' if monarchy else 'President'} of {country}", "head of state"
    return f"Prime Minister of {country}", "head of government"


def handover(plan: Plan, position: int, term: int) -> date:
    """The day on which a term begins: the first ones long before the window."""
    first = date(plan.start.year - 18, 1, 1).toordinal()
    step = (plan.end.toordinal() - first) // TERMS_OF_OFFICE
    jitter = plan.draws("position", position).between(0, step // 2, f"term {term}")
    return date.fromordinal(first + term * step + jitter)


def comes_back(plan: Plan, position: int, term: int) -> bool:
    """Whether who held the position two terms ago holds it again, for the first time."""
    if term < 2 or not plan.draws("position", position).chance(0.06, f"back {term}"):
        return False
    return term < 4 or not comes_back(plan, position, term - 2)


def make_ruler(plan: Plan, number: int) -> Entity | None:
    """Who holds a term of an office; nobody new where a former holder comes back."""
    position, term = divmod(number, TERMS_OF_OFFICE)
    if comes_back(plan, position, term):
        return None
    draws = plan.draws("ruler", number)
    terms = [term]
    if term + 2 < TERMS_OF_OFFICE and comes_back(plan, position, term + 2):
        terms.append(term + 2)
    held, statements = [], []
    for one in terms:
        fact, stated = _term(plan, position, one, item_id("ruler", number))
        held.append(fact)
        statements.append(stated)
    birth = on(handover(plan, position, term) - timedelta(days=draws.between(35 * 365, 70 * 365, "age")))
    if draws.chance(0.05, "birth by year"):
        birth = in_year(birth.first.year)
    statements += [
        of_item(Property.INSTANCE_OF, class_id("human")),
        at(Property.DATE_OF_BIRTH, birth),
        of_item(Property.COUNTRY_OF_CITIZENSHIP, item_id("country", position // 2)),
        of_item(Property.PLACE_OF_BIRTH, item_id("place", draws.below(plan.counts["place"], "birthplace"))),
    ]
    if draws.chance(0.05, "a claim that was wrong"):
        other = (position + 2) % plan.counts["position"]
        statements.append(of_item(Property.POSITION_HELD, item_id("position", other), DEPRECATED))
    time_ = Time(birth.first, birth.last, None, birth.precision, birth.precision)
    text = person_name(plan.seed, plan.counts["person"] + number)
    item = Item(
        *(item_id("ruler", number), text, "politician", text, draws.tail(1_000, 0.7, "views")), tuple(statements)
    )
    list_ = "heads_of_state" if position % 2 == 0 else "heads_of_government"
    return Entity(item, "ruler", list_, time=time_, min_views=1_000, terms=held).judge()


def _term(plan: Plan, position: int, term: int, holder: int) -> tuple[Held, Statement]:
    """A term: from its handover to the next one, on the same day or the day before; the last one is open."""
    draws = plan.draws("position", position)
    begin = on(handover(plan, position, term))
    last = term + 1 == TERMS_OF_OFFICE
    rank = PREFERRED if last and draws.chance(0.5, "today's holder is preferred") else NORMAL
    qualifiers: list[Snak] = [time(Property.START_TIME, begin)]
    end: When | None = None
    reason = None
    if last:
        if draws.chance(0.3, "no end is stated to be"):
            qualifiers.append(Snak(Property.END_TIME, "time", "novalue", ""))
    elif draws.chance(0.002, f"nobody knows the end of {term}"):
        qualifiers.append(Snak(Property.END_TIME, "time", "somevalue", ""))
        reason = RejectReason.NO_USABLE_END
    else:
        day = handover(plan, position, term + 1) - timedelta(days=draws.below(2, f"gap {term}"))
        end = in_month(day) if draws.chance(0.01, f"end of {term} by month") else on(day)
        qualifiers.append(time(Property.END_TIME, end))
    stated = of_item(Property.POSITION_HELD, item_id("position", position), rank, tuple(qualifiers))
    return Held(item_id("position", position), holder, begin.first, end.last if end else None, reason), stated
