"""Quantities of events: which ones a class has, in which units, and what they are in the unit that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Statement
from everwhen.synth.hedges import state_doubtful_value
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.statements import DEPRECATED, NORMAL, PREFERRED, state_amount, state_unknown
from everwhen.synth.truth import Value


@dataclass(frozen=True)
class Amount:
    """A quantity.

    Attributes:
        attribute: Id of the attribute.
        property: Property id without P.
        least: The least number that is written.
        most: The greatest one.
        share: Share of the events that state it.
        units: Units in which it is written, each with its factor to the unit that is asked for.
        decimals: Digits after the point as written.
        even: Whether numbers are equally frequent, and not orders of magnitude.
    """

    attribute: str
    property: int
    least: int
    most: int
    share: float = 1.0
    units: tuple[tuple[int, str], ...] = ((0, "1"),)
    decimals: int = 0
    even: bool = False


def _define_deaths(least: int, most: int) -> Amount:
    return Amount("deaths", 1120, least, most)


VOTERS = (
    Amount("ballots", 1868, 20_000, 90_000_000),
    Amount("eligible_voters", 1867, 30_000, 150_000_000, 0.8),
    Amount("votes_for", 8683, 9_000, 40_000_000, 0.25),
    Amount("votes_against", 8682, 9_000, 40_000_000, 0.25),
)
GAMES = (
    Amount("attendance", 1110, 300_000, 6_000_000),
    Amount("matches", 1350, 32, 104, 0.9, even=True),
)
ATHLETES = Amount("athletes", 1132, 400, 12_000, 0.9)
TEAMS = Amount("teams", 1132, 16, 48, 0.9, even=True)
GOALS = Amount("points", 1351, 70, 320, 0.9, even=True)
AMOUNTS: Mapping[str, tuple[Amount, ...]] = {
    "aviation_accidents": (
        _define_deaths(1, 590),
        Amount("survivors", 1561, 1, 420, 0.8),
    ),
    "award_ceremonies": (Amount("attendance", 1110, 300, 20_000),),
    "battles": (_define_deaths(20, 60_000), Amount("participants", 1132, 400, 400_000, 0.7)),
    "coups": (_define_deaths(1, 900), Amount("participants", 1132, 20, 9_000, 0.5)),
    "disasters": (_define_deaths(2, 30_000), Amount("survivors", 1561, 1, 9_000, 0.3)),
    "earthquakes": (
        _define_deaths(1, 90_000),
        Amount("magnitude", 2528, 40, 95, 0.98, decimals=1, even=True),
        Amount("depth", 4511, 2, 700, 0.9, units=((11573, "0.001"), (828224, "1")), even=True),
    ),
    "elections": VOTERS,
    "massacres": (_define_deaths(4, 9_000),),
    "occurrences": (Amount("attendance", 1110, 100, 400_000, 0.6),),
    "olympic_games": (*GAMES, ATHLETES),
    "protests": (_define_deaths(1, 3_000), Amount("participants", 1132, 200, 4_000_000, 0.8)),
    "spaceflights": (),
    "terrorist_attacks": (_define_deaths(1, 3_000),),
    "tropical_cyclones": (
        _define_deaths(1, 20_000),
        Amount("wind", 2895, 40, 190, 0.9, units=((211256, "1"),), even=True),
        Amount("pressure", 2532, 870, 1005, 0.9, units=((5139563, "1"), (44395, "0.01")), even=True),
    ),
    "wars": (_define_deaths(1_000, 2_000_000), Amount("participants", 1132, 9_000, 3_000_000, 0.6)),
    "world_cups": (*GAMES, TEAMS, GOALS),
}
"""By entity list. What befalls people states its dead and hardly ever leaves them out: an event that states none could
be any other one of its class and year, and no description of that one would be unique."""

TROUBLE = 0.06
"""Share of the quantities that are stated in more than one way."""


def state_quantities(rng: KeyedRandom, list_: str, hedged_rate: float) -> tuple[list[Statement], list[Value]]:
    """Statements of an event's quantities, and what they are."""
    statements: list[Statement] = []
    values: list[Value] = []
    for entry in AMOUNTS[list_]:
        if entry.share >= 1 or rng.decide(entry.share, f"{entry.attribute} stated"):
            stated, value = _state_amount(rng, entry)
            if rng.decide(hedged_rate, f"{entry.attribute} is doubtful"):
                stated = state_doubtful_value(rng, replace(stated[0], rank=NORMAL), entry.attribute)
                value = Value(entry.attribute, reason=RejectReason.VALUE_UNKNOWN)
            statements += stated
            values.append(value)
    return statements, values


def _state_amount(rng: KeyedRandom, entry: Amount) -> tuple[list[Statement], Value]:
    what = entry.attribute
    sample = rng.sample_between if entry.even else rng.sample_log_uniform
    number = sample(entry.least, entry.most, what)
    unit, factor = rng.pick(entry.units, f"unit of {what}")

    def format_number(of: int) -> str:
        return str(Decimal(of).scaleb(-entry.decimals))

    def build_statement(of: int, rank: str = "normal") -> Statement:
        return state_amount(entry.property, format_number(of), unit, rank)

    known = Value(what, Decimal(format_number(number)) * Decimal(factor))
    at = rng.sample_unit(f"trouble of {what}")
    if at < TROUBLE / 6:
        return [build_statement(number), build_statement(number + 1)], Value(what, reason=RejectReason.SEVERAL_VALUES)
    if at < TROUBLE / 4:
        return [state_unknown(entry.property, "quantity")], Value(what, reason=RejectReason.VALUE_UNKNOWN)
    if at < TROUBLE / 2:
        return [build_statement(number + 2), build_statement(number, PREFERRED)], known
    if at < TROUBLE:
        return [build_statement(number), build_statement(number * 3 + 1, DEPRECATED)], known
    return [build_statement(number)], known
