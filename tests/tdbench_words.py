"""Declared tables, scopes and bound items of every kind, whose questions the tests of the grammar write and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from everwhen.families.tdbench.declaration.model import CountQuestion, Declaration
from everwhen.families.tdbench.relations import POINT_RELATIONS
from everwhen.families.tdbench.scopes import Join, Scope, derive_scopes
from everwhen.temporal.allen import Relation

LEADERS = Declaration.model_validate(
    {
        "table": "leaders",
        "from": {"file": "leaders.csv"},
        "time": {"start": "Start", "end": "End", "as_of": "2025-01-02"},
        "tfds": [{"given": ["Country", "Role"], "determines": ["Name"]}],
        "sets": [{"given": ["Role"], "asked": ["Country", "Name"]}],
        "counts": [{"given": ["Country", "Role"], "asked": "Name"}],
        "words": {
            "begin": "became {Role} of {Country}",
            "end": "stopped being {Role} of {Country}",
            "again": "left office",
            "is": "is {Role} of {Country}",
            "was": "was {Role} of {Country}",
            "still": "was still in office",
            "noun": "term",
            "plural": "terms",
            "ask": {"Name": "who"},
            "values": {"Role": {"President": "president"}},
        },
    }
)
GAMES = Declaration.model_validate(
    {
        "table": "games",
        "from": {"file": "games.csv"},
        "time": {"start": "Start", "end": "End", "ends": "inclusive"},
        "fds": [{"given": ["Edition", "Season"], "determines": ["Game"]}, {"given": ["Game"], "determines": ["Host"]}],
        "words": {
            "event": "the {Game} Olympics",
            "event_by": {"Edition": "the {Edition:ordinal} {Season} Olympics"},
            "joined": {"Host": "the host country"},
        },
    }
)
CUPS = Declaration.model_validate(
    {
        "table": "cups",
        "from": {"file": "cups.csv"},
        "time": {"start": "Start", "end": "End"},
        "fds": [{"given": ["Cup"], "determines": ["Host"]}],
    }
)
LAWS = Declaration.model_validate(
    {
        "table": "laws",
        "from": {"file": "laws.csv"},
        "time": {"start": "Start", "end": "End", "ends": "inclusive", "as_of": "2025-01-02", "now": "bare"},
        "tfds": [{"given": ["Country", "Law_type"], "determines": ["Legality"]}],
        "counts": [{"given": ["Country", "Law_type"], "asked": "Legality"}],
        "words": {
            "topic": "{Law_type} in {Country}",
            "values": {"Legality": {"Legal": "legal", "Ilegal": "illegal"}},
        },
    }
)
AWARDS = Declaration.model_validate(
    {
        "table": "awards",
        "from": {"file": "awards.csv"},
        "time": {"start": "Date"},
        "tfds": [{"given": ["Award"], "determines": ["Person"]}],
        "counts": [{"given": ["Award"], "asked": "Person", "of": "rows"}],
        "words": {"happened": "received the {Award}", "ask": {"Person": "who"}},
    }
)
TEAMS = Declaration.model_validate(
    {
        "table": "teams",
        "from": {"file": "teams.csv"},
        "time": {"start": "Start", "end": "End", "as_of": "2025-01-02"},
        "tfds": [{"given": ["Player"], "determines": ["Team"]}],
        "counts": [{"given": ["Player"], "asked": "Team"}],
        "words": {
            "ask": {"Team": "which team"},
            "asking": {
                "Team": {
                    "by": "{Player}",
                    "begin": "join",
                    "end": "leave",
                    "is": "play for",
                    "was": "play for",
                    "noun": "spell",
                    "plural": "spells",
                }
            },
        },
    }
)
PLAIN = Declaration.model_validate(
    {
        "table": "stays",
        "from": {"file": "stays.csv"},
        "time": {"start": "Start", "end": "End", "ends": "inclusive", "as_of": "2025-01-02"},
        "tfds": [{"given": ["Patient", "Blood_type"], "determines": ["Doctor"]}],
        "sets": [{"given": ["Blood_type"], "asked": ["Patient", "Doctor"]}],
        "counts": [{"given": ["Patient", "Blood_type"], "asked": "Doctor", "of": "rows"}],
    }
)
VISITS = Declaration.model_validate(
    {
        "table": "visits",
        "from": {"file": "visits.csv"},
        "time": {"start": "Date"},
        "tfds": [{"given": ["Patient"], "determines": ["Doctor"]}],
    }
)
SINCE = date(1992, 1, 1)


def complete_since(declaration: Declaration, **times: Any) -> Declaration:
    """The same table, complete from a day on."""
    time = declaration.time.model_copy(update={"since": SINCE, **times})
    counts = declaration.counts or (CountQuestion(given=("Patient",), asked="Doctor", of="rows"),)
    words = declaration.words
    if declaration is LEADERS:
        words = words.model_copy(update={"stint": "stint in office", "stints": "stints in office"})
    update = {"table": f"late_{declaration.name}", "time": time, "counts": counts, "words": words}
    return declaration.model_copy(update=update)


LATE = (*map(complete_since, (LEADERS, LAWS, AWARDS, TEAMS, PLAIN)), complete_since(VISITS, as_of=date(2025, 1, 2)))
DECLARATIONS = (LEADERS, GAMES, CUPS, LAWS, AWARDS, TEAMS, PLAIN, VISITS, *LATE)

_BY_GAME = Join("games", (("Country", "Host"),), (), ("Game",), (("Host",),))
_BY_EDITION = Join("games", (("Country", "Host"),), (), ("Edition", "Season"), (("Game",), ("Host",)))
_BY_CITY = Join("cups", (("Country", "Host"),), (), ("Cup",), (("Host",),))
_LAWS_BY_GAME = Join("games", (("Country", "Host"),), (), ("Game",), (("Host",),))
SCOPES = (
    *derive_scopes([LEADERS, LAWS, AWARDS, TEAMS, PLAIN, VISITS]),
    *(scope for scope in derive_scopes(LATE) if scope.kind == "count"),
    Scope("leaders/join", "leaders", "join", ("Country", "Role"), ("Name",), _BY_GAME),
    Scope("leaders/2 hops", "leaders", "derived", ("Role",), ("Name",), _BY_GAME, hops=2),
    Scope("leaders/3 hops", "leaders", "derived", ("Role",), ("Name",), _BY_EDITION, hops=3),
    Scope("leaders/cups", "leaders", "derived", ("Role",), ("Name",), _BY_CITY, hops=2),
    Scope("leaders/cups join", "leaders", "join", ("Country", "Role"), ("Name",), _BY_CITY),
    Scope("laws/join", "laws", "join", ("Country", "Law_type"), ("Legality",), _LAWS_BY_GAME),
)
BY_NAME: Mapping[str, Declaration] = {declaration.name: declaration for declaration in DECLARATIONS}

VALUES = {
    "Country": "Brazil",
    "Role": "President",
    "Game": "Rio 2016",
    "Cup": "World Cup 2014",
    "Edition": "31",
    "Season": "Summer",
    "Law_type": "joint adoption of same-sex couples",
    "Award": "Turing Award",
    "Player": "Rivaldo",
    "Patient": "Jerry Martin",
    "Blood_type": "AB+",
}
INTERVALS = {
    "day": (date(1990, 5, 1), date(1992, 11, 1)),
    "month": (date(1990, 5, 1), date(1992, 11, 1)),
    "year": (date(1990, 1, 1), date(1992, 1, 1)),
}
TOUCHING = {
    "day": (date(1992, 5, 15), date(1992, 11, 15), 6),
    "month": (date(1992, 6, 1), date(1992, 11, 1), 5),
    "year": (date(1990, 1, 1), date(1992, 1, 1), 24),
}
"""Intervals whose length is so many months, also one unit earlier."""


def build_item(scope: Scope, task: str, relation: str, granularity: str, **more: Any) -> dict[str, Any]:
    """Build a bound item, as far as its question depends on it."""
    start, end, offset = *INTERVALS[granularity], None
    if relation in ("meets", "met_by") and task != "implicit":
        start, end, offset = TOUCHING[granularity]
    event = scope.join.event if scope.join else ()
    item = {
        "item_id": 0,
        "declaration": scope.declaration,
        "scope_id": scope.scope_id,
        "task": task,
        "relation": relation,
        "is_short": False,
        "given": [{"column": column, "value": VALUES[column]} for column in (*scope.given, *event)],
        "asked": list(scope.asked),
        "answer": ["Fernando Collor"],
        "granularity": granularity,
        "b_start": start if task in ("reasoning", "implicit", "sets") else None,
        "b_end": end if task in ("reasoning", "implicit", "sets") else None,
        "offset_months": offset,
        "as_of": BY_NAME[scope.declaration].time.as_of,
        "counted": None,
        "is_at_least": None,
    }
    return {**item, **more}


def list_items() -> list[dict[str, Any]]:
    """List an item of every scope, task, relation and granularity."""
    items = [item for scope in SCOPES for item in _list_scope(scope)]
    return [{**item, "item_id": number} for number, item in enumerate(items)]


def _list_scope(scope: Scope) -> Iterator[dict[str, Any]]:
    is_point = BY_NAME[scope.declaration].time.end is None
    if scope.kind == "count":
        for is_at_least in (False, True):
            for counted in (1, 2, 23):
                yield build_item(scope, "counting", "counted", "day", counted=counted, is_at_least=is_at_least)
        return
    if scope.kind == "derived":
        yield build_item(scope, "multi_hop", "joined", "day")
        return
    task = {"tfd": "reasoning", "set": "sets", "join": "implicit"}[scope.kind]
    relations = [(relation, False) for relation in (POINT_RELATIONS if is_point else Relation)]
    relations += [] if is_point else [(relation, True) for relation in (Relation.STARTED_BY, Relation.FINISHED_BY)]
    for granularity in INTERVALS:
        for relation, is_short in relations:
            yield build_item(scope, task, relation.value, granularity, is_short=is_short)
    if scope.kind == "tfd" and not is_point:
        yield build_item(scope, "alignment", "current", "day")
