"""Item ids, times with the days that they mean, and statements: certain ones, hedged ones, and ones nobody can read."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.sample.rdf import convert_julian_day
from everwhen.sample.world import Snak, Statement
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property as P

ENTITY_TYPES = (
    *("class", "term", "country", "capital", "peak", "basin", "place", "position", "ruler", "award"),
    *("operator", "aircraft", "company", "university", "mountain", "person", "book", "film", "disambiguation"),
    *("event", "stray", "team", "school", "party", "employer", "organisation", "museum", "church", "venue"),
)
"""In the order of the dump. A term is a genre, a language or an industry; a stray is an event of no usable time. A new
kind goes to the end, so that all others keep their ids."""

BASE, IDS_PER_TYPE = 1_000_000_000, 10_000_000
"""Ids of kind n begin at BASE + n * IDS_PER_TYPE: far beyond those of Wikidata (some 140 million)."""
BROKEN, GONE = 2_000_000_000, 4_000_000_000
"""Added to an item's id: items of broken lines beside it, and ids that redirect to it."""


@lru_cache(maxsize=1 << 16)
def derive_item_id(kind: str, number: int) -> int:
    """The item id, without Q, of an entity."""
    return BASE + ENTITY_TYPES.index(kind) * IDS_PER_TYPE + number


# Times.

JULIAN_LAG = timedelta(days=13)
"""By which the Julian calendar was behind from March 1900 on."""


@dataclass(frozen=True)
class When:
    """A time: how the sample's compact form writes it, the days that it means, and Wikidata's precision."""

    text: str
    first: date
    last: date
    precision: int


def on_day(day: date) -> When:
    """A day."""
    return When(day.isoformat(), day, day, Precision.DAY)


def to_julian(day: date) -> When:
    """A Gregorian day, from 1901 to 2099, written in the Julian calendar; these are always 13 days apart there."""
    return When(f"{(day - JULIAN_LAG).isoformat()} julian", day, day, Precision.DAY)


def read_as_julian(when: When) -> When:
    """The day, month or year of the Julian calendar that is written as `when` is.

    A century year is a leap year there: its February is that of the year after 28 days, with one more.
    """
    first, last = when.first, when.last
    is_long = when.precision == Precision.MONTH and last.month == 2 and last.year % 4 == 0
    begin = convert_julian_day(first.year, first.month, first.day)
    end = convert_julian_day(last.year, last.month, 29 if is_long else last.day)
    return When(f"{when.text} julian", begin, end, when.precision)


def in_month(day: date) -> When:
    """The month of a day."""
    last = day.replace(day=monthrange(day.year, day.month)[1])
    return When(f"{day:%Y-%m}", day.replace(day=1), last, Precision.MONTH)


def in_year(year: int) -> When:
    """A year."""
    return _span_years(f"{year:04d}", year, 1, Precision.YEAR)


def in_decade(year: int) -> When:
    """The decade of a year."""
    first = year // 10 * 10
    return _span_years(f"{first:04d} decade", first, 10, Precision.DECADE)


def in_century(year: int) -> When:
    """The century of a year: the 20th is 1901 to 2000."""
    first = (year - 1) // 100 * 100 + 1
    return _span_years(f"{first:04d} century", first, 100, Precision.CENTURY)


def _span_years(text: str, first: int, years: int, precision: int) -> When:
    return When(text, date(first, 1, 1), date(first + years - 1, 12, 31), precision)


def choose_day(rng: KeyedRandom, first: date, last: date, what: str) -> date:
    """A day, both ends included."""
    return first + timedelta(days=rng.sample_below((last - first).days + 1, what))


def choose_time(rng: KeyedRandom, first: int, last: int, what: str, coarse: float = 0.0) -> When:
    """A day of the years `first` to `last` as it is known."""
    day = choose_day(rng, date(first, 1, 1), date(last, 12, 31), what)
    return coarsen_day(rng, day, what, coarse)


def coarsen_day(rng: KeyedRandom, day: date, what: str, coarse: float = 0.0) -> When:
    """A day as it is known: mostly as such, sometimes by month or year, in a share of `coarse` by decade."""
    at = rng.sample_unit(f"precision of {what}")
    if at < coarse + 0.06:
        return in_decade(day.year) if at < coarse else in_year(day.year)
    return in_month(day) if at < coarse + 0.11 else on_day(day)


def date_roughly(rng: KeyedRandom, day: date, what: str) -> When:
    """A day as careers have it: half of them by year, a fifth by month."""
    at = rng.sample_unit(f"precision of {what}")
    return in_year(day.year) if at < 0.5 else in_month(day) if at < 0.7 else on_day(day)


# Statements.

NORMAL, PREFERRED, DEPRECATED = "normal", "preferred", "deprecated"


def state_item(property_: int, item: int, rank: str = NORMAL, qualifiers: tuple[Snak, ...] = ()) -> Statement:
    """A statement whose value is an item."""
    return Statement(_name_item(property_, item), rank, qualifiers)


def state_entity(property_: int, kind: str, number: int, rank: str = NORMAL) -> Statement:
    """A statement whose value is an entity of this world."""
    return state_item(property_, derive_item_id(kind, number), rank)


def state_time(property_: int, when: When, rank: str = NORMAL) -> Statement:
    """A statement whose value is a time."""
    return Statement(build_time_snak(property_, when.text), rank, ())


def build_time_snak(property_: int, text: str) -> Snak:
    """A time in the sample's compact form, as qualifiers have it."""
    return Snak(property_, "time", "value", text)


def state_amount(property_: int, text: str, unit: int = 0, rank: str = NORMAL) -> Statement:
    """A statement whose value is a quantity; unit 0: a bare number."""
    return Statement(Snak(property_, "quantity", "value", f"{text} Q{unit}" if unit else text), rank, ())


def state_unknown(property_: int, datatype: str, kind: str = "somevalue") -> Statement:
    """A statement that there is a value that nobody knows, or (novalue) that there is none."""
    return Statement(Snak(property_, datatype, kind, ""), NORMAL, ())


def state_external_id(property_: int, text: str) -> Statement:
    """A statement whose value is an id in another catalogue."""
    return Statement(Snak(property_, "external-id", "value", text), NORMAL, ())


# Doubts.

CIRCA, PRESUMABLY, DISPUTED, ACTING = 5727902, 18122778, 18912752, 4676846
"""Items by which Wikidata hedges."""
UNREADABLE = {
    "0099 BCE": RejectReason.YEAR_BCE,
    "1950-05 day 00": RejectReason.WITHOUT_DAY.with_detail(precision=11),
    "5761-05-10 Hebrew": RejectReason.BAD_CALENDAR,
}
"""Times that nobody can read, in the sample's compact form, and why."""
DATING = frozenset({P.START_TIME, P.END_TIME, P.POINT_IN_TIME})


def explain_unreadable(statement: Statement) -> str | None:
    """Return why a statement is rejected; None where it can be read."""
    if statement.snak.text in UNREADABLE:
        return str(UNREADABLE[statement.snak.text])
    for snak in statement.qualifiers:
        if snak.property_id in DATING and snak.text in UNREADABLE:
            details = {"property": f"P{snak.property_id}", "reason": UNREADABLE[snak.text]}
            return RejectReason.BAD_QUALIFIER.with_detail(**details)
    return None


def hedge(rng: KeyedRandom, statement: Statement, what: str) -> Statement:
    """Add a qualifier that says that a statement is not certain, or not exact."""
    hedges: list[tuple[Snak, ...]] = [
        (_name_item(P.SOURCING_CIRCUMSTANCES, CIRCA),),
        (_name_item(P.SOURCING_CIRCUMSTANCES, PRESUMABLY),),
        (_name_item(P.NATURE_OF_STATEMENT, DISPUTED),),
        (_name_item(P.DISPUTED_BY, derive_item_id("person", 0)),),
        (build_time_snak(P.EARLIEST_DATE, "1800"), build_time_snak(P.LATEST_DATE, "2024")),
        (build_time_snak(P.LATEST_START, "2024"),),
        (build_time_snak(P.EARLIEST_END, "1800"),),
    ]
    return _qualify(statement, *rng.pick(hedges, f"hedge of {what}"))


def call_acting(rng: KeyedRandom, statement: Statement, what: str) -> Statement:
    """Say of a term of office that its holder was acting, in one of the two ways of Wikidata."""
    ways = (P.NATURE_OF_STATEMENT, P.OBJECT_HAS_ROLE)
    return _qualify(statement, _name_item(rng.pick(ways, f"how {what} is acting"), ACTING))


def build_unreadable_snak(rng: KeyedRandom, property_: int, what: str) -> Snak:
    """A time that nobody can read."""
    return build_time_snak(property_, rng.pick(list(UNREADABLE), f"what is wrong with {what}"))


def build_wide_snak(rng: KeyedRandom, property_: int, when: When, what: str) -> Snak:
    """A time that says how far off it may be: before it, after it, or both."""
    wide = rng.pick(("before 2", "after 3", "before 1 after 4"), f"width of {what}")
    return build_time_snak(property_, f"{when.text} {wide}")


def state_doubtful_time(rng: KeyedRandom, property_: int, when: When, what: str) -> tuple[list[Statement], bool]:
    """State a time with doubts about it.

    Returns:
        The statements, and whether the time is known nevertheless: what is uncertain is of another rank.
    """
    sound = state_time(property_, when)
    best = replace(sound, rank=PREFERRED)
    hedged = hedge(rng, sound, what)
    unreadable = Statement(build_unreadable_snak(rng, property_, what), NORMAL, ())
    wide = Statement(build_wide_snak(rng, property_, when, what), NORMAL, ())
    cases: list[tuple[list[Statement], bool]] = [
        ([hedged], False),
        ([wide], False),
        ([sound, hedged], False),
        ([sound, replace(hedged, rank=PREFERRED)], False),
        ([sound, unreadable], False),
        ([sound, replace(unreadable, rank=PREFERRED)], False),
        ([unreadable], False),
        ([best, hedged], True),
        ([best, unreadable], True),
        ([sound, replace(hedged, rank=DEPRECATED)], True),
        ([sound, replace(unreadable, rank=DEPRECATED)], True),
    ]
    return rng.pick(cases, f"doubt about {what}")


def state_doubtful_span(
    rng: KeyedRandom, sound: Statement, bounds: tuple[When, When], what: str
) -> tuple[RejectReason, Statement]:
    """Choose why a statement from a start to an end is not certain: whom it names was acting, it is hedged, or a bound
    is no certain day.
    """
    start, end = sound.qualifiers
    wide_start = build_wide_snak(rng, P.START_TIME, bounds[0], what)
    wide_end = build_wide_snak(rng, P.END_TIME, bounds[1], what)
    unreadable = build_unreadable_snak(rng, P.START_TIME, what)
    cases = (
        (RejectReason.HEDGED, call_acting(rng, sound, what)),
        (RejectReason.HEDGED, call_acting(rng, sound, f"{what} again")),
        (RejectReason.HEDGED, hedge(rng, sound, what)),
        (RejectReason.NO_USABLE_START, replace(sound, qualifiers=(wide_start, end))),
        (RejectReason.NO_USABLE_END, replace(sound, qualifiers=(start, wide_end))),
        (RejectReason.UNREADABLE, replace(sound, qualifiers=(unreadable, end))),
    )
    return rng.pick(cases, f"kind of doubt about {what}")


def has_several_values(statements: list[Statement]) -> bool:
    """Whether the statements of the best rank give several values; one that nobody can read is one of them."""
    best = PREFERRED if any(each.rank == PREFERRED for each in statements) else NORMAL
    return len({each.snak.text for each in statements if each.rank == best}) > 1


def state_doubtful_value(rng: KeyedRandom, sound: Statement, what: str) -> list[Statement]:
    """State a value that is not certain: by a hedge, or with a qualifier that nobody can read."""
    spoilt = _qualify(sound, build_unreadable_snak(rng, P.START_TIME, what))
    hedged = hedge(rng, sound, what)
    cases = [[hedged], [sound, hedged], [spoilt], [sound, replace(spoilt, rank=PREFERRED)]]
    return rng.pick(cases, f"doubt about {what}")


def _name_item(property_: int, item: int) -> Snak:
    return Snak(property_, "item", "value", f"Q{item}")


def _qualify(statement: Statement, *qualifiers: Snak) -> Statement:
    return replace(statement, qualifiers=(*statement.qualifiers, *qualifiers))
