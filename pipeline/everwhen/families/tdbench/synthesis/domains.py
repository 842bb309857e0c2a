"""The nine domains of TDBench (Table 15): their columns, and which of them are the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from everwhen.families.tdbench.synthesis import vocabulary as words

Role = Literal["key", "value", "other"]


@dataclass(frozen=True)
class SyntheticColumn:
    """A column of synthetic rows.

    Attributes:
        role: key: its values name the key; value: the key determines it at any time; other: neither.
        words: The values that it takes.
    """

    role: Role
    words: tuple[str, ...]


OLYMPIC = "olympic"
"""The domain of events, which has no key but dependencies that hold without regard to time."""


def _key(values: tuple[str, ...]) -> SyntheticColumn:
    return SyntheticColumn("key", values)


def _value(values: tuple[str, ...]) -> SyntheticColumn:
    return SyntheticColumn("value", values)


def _other(values: tuple[str, ...]) -> SyntheticColumn:
    return SyntheticColumn("other", values)


DOMAINS: Mapping[str, Mapping[str, SyntheticColumn]] = {
    "country": {"country": _key(words.COUNTRIES), "role": _key(words.ROLES), "name": _value(words.PEOPLE)},
    "athlete": {"name": _key(words.PEOPLE), "team": _value(words.TEAMS), "sport": _key(words.SPORTS)},
    "organization": {
        "org_name": _key(words.ORGANIZATIONS),
        "type": _key(words.TYPES),
        "role": _key(words.POSTS),
        "name": _value(words.PEOPLE),
    },
    "law": {
        "country": _key(words.COUNTRIES),
        "law_type": _key(words.LAWS),
        "legality": _value(("Legal", "Illegal")),
    },
    "carbon_tax": {
        "jurisdiction": _key(words.COUNTRIES),
        "tax_type": _key(words.TAXES),
        "instrument_name": _other(words.TAXES),
        "status": _value(("Implemented", "Abolished")),
    },
    "heritage": {
        "heritage_element": _key(words.ELEMENTS),
        "member_state": _other(words.COUNTRIES),
        "status": _value(("Inscribed", "Proclaimed")),
        "region": _other(words.REGIONS),
    },
    "netflix": {
        "title": _key(words.TITLES),
        "director": _value(words.PEOPLE),
        "cast": _other(words.PEOPLE),
        "release_year": _other(words.YEARS),
        "popularity": _other(words.NUMBERS),
    },
    "medical": {
        "name": _key(words.PEOPLE),
        "gender": _key(words.GENDERS),
        "blood_type": _key(words.BLOOD_TYPES),
        "medication": _value(words.MEDICATIONS),
        "doctor": _value(words.DOCTORS),
        "hospital": _other(words.HOSPITALS),
        "insurance_provider": _other(words.INSURERS),
        "billing_amount": _other(words.AMOUNTS),
    },
    OLYMPIC: {name: _other(()) for name in ("game_round", "game_edition", "city", "country", "season", "game_name")},
}
"""The columns of each domain but start and end, in order."""
