"""Statements that are not certain: hedged ones, and ones that cannot be read, alone and beside others."""

from __future__ import annotations

from dataclasses import replace

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Snak, Statement
from everwhen.synth.dates import When
from everwhen.synth.ids import derive_item_id
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.statements import DEPRECATED, NORMAL, PREFERRED, state_time
from everwhen.wikidata.properties import Property

CIRCA, PRESUMABLY, DISPUTED, ACTING = 5727902, 18122778, 18912752, 4676846
"""Items by which Wikidata hedges."""
UNREADABLE = {
    "0099 BCE": RejectReason.YEAR_BCE,
    "1950-05 day 00": RejectReason.WITHOUT_DAY.with_detail(precision=11),
    "5761-05-10 Hebrew": RejectReason.BAD_CALENDAR,
}
"""Times that nobody can read, in the sample's compact form, and why."""
DATING = frozenset({Property.START_TIME, Property.END_TIME, Property.POINT_IN_TIME})


def explain_unreadable(statement: Statement) -> str | None:
    """Return why a statement is rejected; None where it can be read."""
    if statement.snak.text in UNREADABLE:
        return str(UNREADABLE[statement.snak.text])
    for qualifier in statement.qualifiers:
        if qualifier.property_id in DATING and qualifier.text in UNREADABLE:
            reason = UNREADABLE[qualifier.text]
            return RejectReason.BAD_QUALIFIER.with_detail(property=f"P{qualifier.property_id}", reason=reason)
    return None


def hedge(rng: KeyedRandom, statement: Statement, what: str) -> Statement:
    """Add a qualifier that says that a statement is not certain, or not exact."""
    hedges: list[tuple[Snak, ...]] = [
        (_name_item(Property.SOURCING_CIRCUMSTANCES, CIRCA),),
        (_name_item(Property.SOURCING_CIRCUMSTANCES, PRESUMABLY),),
        (_name_item(Property.NATURE_OF_STATEMENT, DISPUTED),),
        (_name_item(Property.DISPUTED_BY, derive_item_id("person", 0)),),
        (_name_year(Property.EARLIEST_DATE, 1800), _name_year(Property.LATEST_DATE, 2024)),
        (_name_year(Property.LATEST_START, 2024),),
        (_name_year(Property.EARLIEST_END, 1800),),
    ]
    return _qualify(statement, *rng.pick(hedges, f"hedge of {what}"))


def call_acting(rng: KeyedRandom, statement: Statement, what: str) -> Statement:
    """Say of a term of office that its holder was acting, in one of the two ways of Wikidata."""
    ways = (Property.NATURE_OF_STATEMENT, Property.OBJECT_HAS_ROLE)
    return _qualify(statement, _name_item(rng.pick(ways, f"how {what} is acting"), ACTING))


def build_unreadable_snak(rng: KeyedRandom, property_: int, what: str) -> Snak:
    """A time that nobody can read."""
    return Snak(property_, "time", "value", rng.pick(list(UNREADABLE), f"what is wrong with {what}"))


def build_wide_snak(rng: KeyedRandom, property_: int, when: When, what: str) -> Snak:
    """A time that says how far off it may be: before it, after it, or both."""
    wide = rng.pick(("before 2", "after 3", "before 1 after 4"), f"width of {what}")
    return Snak(property_, "time", "value", f"{when.text} {wide}")


def state_doubtful_time(rng: KeyedRandom, property_: int, when: When, what: str) -> tuple[list[Statement], bool]:
    """State a time with doubts about it.

    Returns:
        The statements, and whether the time is known nevertheless: what is uncertain is of another rank.
    """
    sound = state_time(property_, when)
    hedged = hedge(rng, sound, what)
    unreadable = Statement(build_unreadable_snak(rng, property_, what), NORMAL, ())
    cases: list[tuple[list[Statement], bool]] = [
        ([hedged], False),
        ([Statement(build_wide_snak(rng, property_, when, what), NORMAL, ())], False),
        ([sound, hedged], False),
        ([sound, replace(hedged, rank=PREFERRED)], False),
        ([sound, unreadable], False),
        ([sound, replace(unreadable, rank=PREFERRED)], False),
        ([unreadable], False),
        ([replace(sound, rank=PREFERRED), hedged], True),
        ([replace(sound, rank=PREFERRED), unreadable], True),
        ([sound, replace(hedged, rank=DEPRECATED)], True),
        ([sound, replace(unreadable, rank=DEPRECATED)], True),
    ]
    return rng.pick(cases, f"doubt about {what}")


def has_several_values(statements: list[Statement]) -> bool:
    """Whether the statements of the best rank give several values; one that nobody can read is one of them."""
    best = PREFERRED if any(each.rank == PREFERRED for each in statements) else NORMAL
    return len({each.snak.text for each in statements if each.rank == best}) > 1


def state_doubtful_value(rng: KeyedRandom, sound: Statement, what: str) -> list[Statement]:
    """State a value that is not certain: by a hedge, or with a qualifier that nobody can read."""
    spoilt = _qualify(sound, build_unreadable_snak(rng, Property.START_TIME, what))
    hedged = hedge(rng, sound, what)
    cases = [[hedged], [sound, hedged], [spoilt], [sound, replace(spoilt, rank=PREFERRED)]]
    return rng.pick(cases, f"doubt about {what}")


def _name_item(property_: Property, item: int) -> Snak:
    return Snak(property_, "item", "value", f"Q{item}")


def _name_year(property_: Property, year: int) -> Snak:
    return Snak(property_, "time", "value", str(year))


def _qualify(statement: Statement, *qualifiers: Snak) -> Statement:
    return replace(statement, qualifiers=(*statement.qualifiers, *qualifiers))
