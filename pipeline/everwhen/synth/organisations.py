"""Companies, operators (airlines among them), universities and aircraft types."""

from __future__ import annotations

from datetime import date

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.classes import COMPANY_CLASSES, INDUSTRIES, class_id, term_id
from everwhen.synth.dates import When, day_between, told
from everwhen.synth.draws import Draws
from everwhen.synth.ids import item_id
from everwhen.synth.places import country_of_place
from everwhen.synth.plan import Plan
from everwhen.synth.statements import DEPRECATED, PREFERRED, at, of_item, unknown
from everwhen.synth.truth import CLASS, LABEL, Entity, Time
from everwhen.synth.words import TOWN_ENDS, company_name, decorated, label, syllables
from everwhen.wikidata.properties import Property

OPERATOR_FORMS = (
    ("{}{}{}{}{} Airlines", syllables(TOWN_ENDS)),
    ("Air {}{}{}{}{}", syllables(TOWN_ENDS)),
    ("{}{}{}{}{} Lines", syllables(TOWN_ENDS)),
)
UNIVERSITY_FORMS = (
    ("University of {}{}{}{}{}", syllables(TOWN_ENDS)),
    ("{}{}{}{}{} Polytechnic", syllables(TOWN_ENDS)),
)
AIRCRAFT_FORMS = (("{}{}{}{} {}00", (*syllables(())[:4], [str(n) for n in range(10, 100)])),)


def shares_company_label(plan: Plan, number: int) -> bool:
    """Whether the university of a number bears the label of the company of that number."""
    if number >= min(plan.counts["company"], plan.counts["university"]):
        return False
    return plan.draws("university", number).chance(plan.ambiguous_rate, "shares a label")


def company_label(plan: Plan, number: int) -> str:
    """The label of a company."""
    return decorated(company_name(plan.seed, number), plan.draws("company", number), 0.01)


def _founded(draws: Draws, first: int, last: int) -> tuple[Time, list[Statement]]:
    """When something was founded, and the statements that tell it."""
    at_ = draws.unit("founding is told")
    if at_ < 0.03:
        return Time(reason=RejectReason.NO_TIME_STATED), []
    if at_ < 0.035:
        return Time(reason=RejectReason.START_UNKNOWN), [unknown(Property.INCEPTION, "time")]
    when = told(draws, day_between(draws, date(first, 1, 1), date(last, 12, 31), "founding"), "founding")
    if at_ < 0.05:
        other = told(draws, day_between(draws, date(first - 9, 1, 1), date(first - 2, 12, 31), "claim"), "claim")
        if at_ < 0.04:
            return Time(reason=RejectReason.SEVERAL_STARTS), [
                at(Property.INCEPTION, when),
                at(Property.INCEPTION, other),
            ]
        rank, statements = PREFERRED, [at(Property.INCEPTION, other)]
    else:
        rank, statements = "normal", []
    return _open(when), [*statements, at(Property.INCEPTION, when, rank)]


def _open(when: When) -> Time:
    return Time(when.first, when.last, None, when.precision, when.precision)


def _seat(plan: Plan, draws: Draws) -> list[Statement]:
    """Headquarters and country."""
    place = draws.below(plan.counts["place"], "headquarters")
    found = [of_item(Property.COUNTRY, item_id("country", country_of_place(plan, place)))]
    if draws.chance(0.9, "headquarters are known"):
        found.append(of_item(Property.HEADQUARTERS_LOCATION, item_id("place", place)))
    return found


def make_company(plan: Plan, number: int) -> Entity:
    """A company."""
    draws = plan.draws("company", number)
    time, dates = _founded(draws, 1880, 2020)
    if time.start_last and time.precision and draws.chance(0.1, "is dissolved"):
        end = told(draws, day_between(draws, date(2021, 1, 1), date(2023, 12, 31), "end"), "end")
        dates.append(at(Property.DISSOLVED, end))
        time = Time(*(time.first_day, time.start_last, end.last, time.precision, min(time.precision, end.precision)))
    statements = [
        of_item(Property.INSTANCE_OF, class_id(draws.pick(COMPANY_CLASSES, "class"))),
        *dates,
        *_seat(plan, draws),
    ]
    founders = 2 if draws.chance(0.35, "two founders") else 1
    if draws.chance(0.9, "founders are known"):
        people = draws.several(founders, plan.counts["person"], "founder")
        statements += [of_item(Property.FOUNDED_BY, item_id("person", person)) for person in people]
    if draws.chance(0.9, "industry is known"):
        statements.append(of_item(Property.INDUSTRY, term_id(draws.pick(INDUSTRIES, "industry"))))
    shares = shares_company_label(plan, number)
    return _organisation(plan, "company", number, (company_label(plan, number), shares), statements, time)


def make_operator(plan: Plan, number: int) -> Entity:
    """An airline or another operator: a company whose founding date is known."""
    draws = plan.draws("operator", number)
    founded = told(draws, day_between(draws, date(1912, 1, 1), date(1985, 12, 31), "founding"), "founding")
    statements = [
        of_item(Property.INSTANCE_OF, class_id("airline")),
        at(Property.INCEPTION, founded),
        *_seat(plan, draws),
    ]
    if draws.chance(0.05, "wrong founding"):
        statements.append(at(Property.INCEPTION, told(draws, date(1900, 5, 5), "wrong founding"), DEPRECATED))
    text = label(plan.seed, "operator", number, OPERATOR_FORMS)
    return _organisation(plan, "operator", number, (text, False), statements, _open(founded))


def make_university(plan: Plan, number: int) -> Entity:
    """A university; some bear the label of a company."""
    draws = plan.draws("university", number)
    time, dates = _founded(draws, 1400, 2010)
    statements = [of_item(Property.INSTANCE_OF, class_id("university")), *dates, *_seat(plan, draws)]
    shares = shares_company_label(plan, number)
    text = company_label(plan, number) if shares else label(plan.seed, "university", number, UNIVERSITY_FORMS)
    return _organisation(plan, "university", number, (text, shares), statements, time)


def _organisation(
    plan: Plan, kind: str, number: int, named: tuple[str, bool], statements: list[Statement], time: Time
) -> Entity:
    draws = plan.draws(kind, number)
    text, shares = named
    item = Item(
        *(item_id(kind, number), text, kind, title_of(text, f"{kind} {number}" if shares else "")),
        *(draws.tail(2_000, 0.35, "views"), tuple(statements)),
    )
    list_ = "universities" if kind == "university" else "companies"
    return Entity(*(item, kind, list_), time=time, method=CLASS if shares else LABEL, min_views=2_000).judge()


def title_of(text: str, apart: str = "") -> str:
    """The article of a label: without what no title may hold, and told apart by what stands in brackets after it."""
    for bad, good in (("{", "("), ("}", ")"), ("[", "("), ("]", ")"), ("#", "No. "), ("_", " ")):
        text = text.replace(bad, good)
    return f"{text} ({apart})" if apart else text


def make_aircraft(plan: Plan, number: int) -> Entity:
    """An aircraft type and its first flight."""
    draws = plan.draws("aircraft", number)
    flight = told(draws, day_between(draws, date(1930, 1, 1), date(1985, 12, 31), "flight"), "flight")
    text = label(plan.seed, "aircraft", number, AIRCRAFT_FORMS)
    statements = (of_item(Property.INSTANCE_OF, class_id("aircraft model")), at(Property.FIRST_FLIGHT, flight))
    views = draws.tail(4_000, 0.4, "views")
    return Entity(Item(item_id("aircraft", number), text, "aircraft type", text, views, statements), "aircraft")
