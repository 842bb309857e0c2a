"""A dataset of TDBench without Spark: small temporal tables, and questions on them answered by trying days.

Nothing here is shared with the family: a row is compared with an interval by the conditions of the paper's Table 10 on
every pair of a start and an end that its dates allow.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import pytest
import xxhash

from everwhen.families import tdbench
from everwhen.families.family_build import read_files
from everwhen.validate import wrong_items
from everwhen.validate.shared_checks import add_shared_checks
from everwhen.validate.verification import Verification
from everwhen.validate.verify import verify
from tdbench_schemas import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, ITEMS, REJECTS, ROWS
from tiny_dataset import parse_days, write_checks, write_manifest, write_table

FAMILY = "tdbench"
SEED = "everwhen"
SETS = ("lite-1000", "lite-10000")

MAYORS: dict[str, Any] = {
    "table": "mayors",
    "time": {
        "start": "Since",
        "end": "Until",
        "ends": "handover",
        "as_of": "2024-06-30",
        "ask": ["day", "month", "year"],
    },
    "tfds": [{"given": ["Town", "Office"], "determines": ["Person"], "broken": "drop"}],
    "sets": [{"given": ["Office"], "asked": ["Town", "Person"]}],
    "counts": [{"given": ["Town", "Office"], "asked": "Person", "of": "stints"}],
    "joins": [{"with": "fairs.yaml", "by": {"Town": "Place"}, "same": {"Old Borum": "Borum"}}],
    "words": {"ask": {"Person": "who"}, "values": {"Office": {"Mayor": "mayor"}}},
    "licence": "CC0-1.0",
}
FAIRS: dict[str, Any] = {
    "table": "fairs",
    "time": {"start": "First", "end": "Last", "ends": "inclusive", "ask": ["day"]},
    "fds": [
        {"given": ["Fair"], "determines": ["Place"]},
        {"given": ["Edition"], "determines": ["Fair"]},
    ],
    "words": {"event": "the {Fair} fair", "event_by": {"Edition": "the {Edition:ordinal} fair"}},
}
LEASES: dict[str, Any] = {
    "table": "leases",
    "time": {"start": "From", "end": "To", "ends": "inclusive", "ask": ["day", "month"]},
    "tfds": [{"given": ["Flat"], "determines": ["Tenant"]}],
    "licence": "CC0-1.0",
}
LAWS: dict[str, Any] = {
    "table": "laws",
    "time": {"start": "Start", "end": "End", "padded": "year", "as_of": "2024-12-31", "ask": ["year"]},
    "tfds": [{"given": ["Land", "Topic"], "determines": ["Status"]}],
    "words": {"values": {"Status": {"Legal": "legal", "Banned": "banned"}}},
}
PRIZES: dict[str, Any] = {
    "table": "prizes",
    "time": {"start": "Date", "ask": ["day", "month", "year"]},
    "tfds": [{"given": ["Prize"], "determines": ["Winner"]}],
    "sets": [{"given": ["Prize"], "asked": ["Winner"]}],
    "licence": "CC0-1.0",
}
WARDENS: dict[str, Any] = {
    "table": "wardens",
    "time": {"start": "From", "end": "To", "as_of": "2024-06-30", "since": "1990-01-01"},
    "counts": [{"given": ["Gate"], "asked": "Warden", "of": "stints"}],
    "words": {"ask": {"Warden": "who"}},
    "licence": "CC0-1.0",
}
MEDALS: dict[str, Any] = {
    "table": "medals",
    "time": {"start": "Date", "as_of": "2024-06-30", "since": "1990-01-01"},
    "tfds": [{"given": ["Medal"], "determines": ["Holder"], "broken": "sets"}],
    "counts": [{"given": ["Medal"], "asked": "Holder", "of": "rows"}],
    "words": {"ask": {"Holder": "who"}},
    "licence": "CC0-1.0",
}
DECLARED = {each["table"]: each for each in (MAYORS, FAIRS, LEASES, LAWS, PRIZES, WARDENS, MEDALS)}

TABLES: dict[str, tuple[tuple[str, ...], list[tuple[str | None, ...]]]] = {
    "mayors": (
        ("Town", "Office", "Person"),
        [
            ("Aldby", "Mayor", "Ann Berg", "1980-03-01", "1984-03-01"),
            ("Aldby", "Mayor", "Bo Dahl", "1984-03-01", "1986-05-10"),
            ("Aldby", "Mayor", "Ann Berg", "1986-05-10", "1991-09-02"),
            ("Aldby", "Mayor", "Cy Eklund", "1991-09-02", "1995-01-15"),
            ("Aldby", "Mayor", "Cy Eklund", "1995-01-15", "1999-04-20"),
            ("Aldby", "Mayor", "Di Falk", "1999-04-20", None),
            ("Borum", "Mayor", "Ed Gran", "1985-02-01", "1990-02-01"),
            ("Borum", "Mayor", "Fay Holm", "1990-02-01", "2001-07-07"),
            ("Borum", "Mayor", "Gus O'Hara", "2001-07-07", None),
            ("Cliffe", "Mayor", "Hal Juhl", "1990-01-01", "1995-01-01"),
            ("Cliffe", "Mayor", "Ida Kyd", "1993-06-01", "1999-01-01"),
            ("Aldby", "Clerk", "Jon Lund", "1979-06", "1988"),
            ("Aldby", "Clerk", "Kai Moe", "1988", "2003-02-10"),
        ],
    ),
    "fairs": (
        ("Fair", "Edition", "Place"),
        [
            ("Aldby 1982", "1", "Aldby", "1982-06-01", "1982-06-14"),
            ("Borum 1988", "2", "Old Borum", "1988-05-03", "1988-05-20"),
            ("Aldby 1999", "3", "Aldby", "1999-04-10", "1999-04-30"),
            ("Aldby 1984", "4", "Aldby", "1984-03-01", "1984-03-05"),
        ],
    ),
    "leases": (
        ("Flat", "Tenant"),
        [
            ("Flat 4", "Lea North", "2001-01-01", "2003-05-31"),
            ("Flat 4", "Max Orr", "2003-06-01", "2003-06-30"),
            ("Flat 4", "Nia Pike", "2003-09-15", "2010-12-31"),
            ("Flat 9", "Oli Quist", "2000-02", "2004-11"),
        ],
    ),
    "laws": (
        ("Land", "Topic", "Status"),
        [
            ("Norland", "street busking", "Banned", "1950", "1990"),
            ("Norland", "street busking", "Legal", "1990", None),
            ("Sudland", "street busking", "Legal", "1971", None),
            ("Sudland", "kite flying", "Banned", "1988", "2002"),
            ("Sudland", "kite flying", "Legal", "2002", None),
        ],
    ),
    "prizes": (
        ("Prize", "Winner"),
        [
            ("Quill Prize", "Pia Rask", "1990-05-04", "1990-05-04"),
            ("Quill Prize", "Quin Sand", "1992-05-06", "1992-05-06"),
            ("Quill Prize", "Pia Rask", "1994-05-04", "1994-05-04"),
            ("Lens Prize", "Rob Tull", "1991", "1991"),
        ],
    ),
    "wardens": (
        ("Gate", "Warden"),
        [
            ("North Gate", "Una Vik", "1985-01-01", "1988-01-01"),
            ("North Gate", "Ida Lie", "1988-01-01", "1989-06-01"),
            ("North Gate", "Una Vik", "1989-06-01", "1991-01-01"),
            ("North Gate", "Una Vik", "1991-01-01", "1993-01-01"),
            ("North Gate", "Ida Lie", "1993-01-01", "1995-01-01"),
            ("North Gate", "Una Vik", "1995-01-01", "1997-01-01"),
            ("North Gate", "Ida Lie", "1997-01-01", None),
        ],
    ),
    "medals": (
        ("Medal", "Holder"),
        [
            ("Iron Medal", "Per Moe", "1989-05-01", "1989-05-01"),
            ("Iron Medal", "Per Moe", "1990-01-01", "1990-01-01"),
            ("Iron Medal", "Per Moe", "1994-05-04", "1994-05-04"),
            ("Iron Medal", "Rut Nes", "1994-05-04", "1994-05-04"),
            ("Iron Medal", "Rut Nes", "1996-05-04", "1996-05-04"),
        ],
    ),
}

REJECTED: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("mayors", "duplicate row", {"Town": "Borum", "Office": "Mayor", "Person": "Fay Holm"}),
    ("mayors", "starts after the last day known", {"Town": "Borum", "Office": "Mayor", "Person": "Fay Holm"}),
    ("mayors", "unreadable date soon", {"Town": "Dunby", "Office": "Reeve", "Person": "Lyn Ask"}),
)
"""Rejected records that no question lacks: of a row's double, of a later day, and of a key that is not asked."""

PLACES: dict[str, Callable[[dt.date], int]] = {
    "day": dt.date.toordinal,
    "month": lambda day: 12 * day.year + day.month - 1,
    "year": lambda day: day.year,
}
FOREVER = 10**8
LENGTHS = {"day": 10, "month": 7, "year": 4}

CONDITIONS: dict[str, Callable[[int, int, int, int], bool]] = {
    "before": lambda s, e, bs, be: e < bs,
    "after": lambda s, e, bs, be: s > be,
    "meets": lambda s, e, bs, be: e == bs,
    "met_by": lambda s, e, bs, be: s == be,
    "overlaps": lambda s, e, bs, be: s < bs < e < be,
    "overlapped_by": lambda s, e, bs, be: bs < s < be < e,
    "equals": lambda s, e, bs, be: s == bs and e == be,
    "starts": lambda s, e, bs, be: s == bs and e < be,
    "started_by": lambda s, e, bs, be: s == bs and e > be,
    "finishes": lambda s, e, bs, be: e == be and s > bs,
    "finished_by": lambda s, e, bs, be: e == be and s < bs,
    "during": lambda s, e, bs, be: bs < s and e < be,
    "contains": lambda s, e, bs, be: s < bs and be < e,
}
"""The conditions of the paper's Table 10, finished-by without its misprint."""

POINTS = ("before", "starts", "during", "finishes", "after")
"""The relations that points have; the conditions above are theirs, too."""

REASONS = {
    **dict.fromkeys(("before", "meets", "finished_by"), ("end",)),
    **dict.fromkeys(("after", "met_by", "started_by", "current"), ("start",)),
}
"""f(q) of the relations that need one date; the others need both."""


class Row(NamedTuple):
    """A row of a table, with the bounds of its times."""

    row_id: int
    declaration: str
    fields: dict[str, str]
    start: str
    end: str | None
    bounds: tuple[dt.date, dt.date, dt.date | None, dt.date | None]


def list_rows() -> list[Row]:
    """All rows, with their bounds."""
    rows = []
    for name, (columns, lines) in TABLES.items():
        for line in lines:
            start, end = str(line[-2]), line[-1]
            first, last, _ = parse_days(start)
            bounds = (first, last, *find_end(name, end))
            fields = dict(zip(columns, map(str, line), strict=False))
            rows.append(Row(len(rows) + 1001, name, fields, start, end, bounds))
    return rows


def find_end(name: str, end: str | None) -> tuple[dt.date | None, dt.date | None]:
    """The first and the last day on which a row may have passed on."""
    if end is None:
        return None, None
    first, last, _ = parse_days(end)
    if DECLARED[name]["time"].get("ends") != "inclusive":
        return first, last
    return first + dt.timedelta(days=1), last + dt.timedelta(days=1)


def describe_row(row: Row) -> dict[str, Any]:
    """A row as the table `rows` has it."""
    return {
        "row_id": row.row_id,
        "declaration": row.declaration,
        "fields": list(row.fields.items()),
        "stated_start": row.start,
        "stated_end": row.end,
        "start_precision": parse_days(row.start)[2],
        "end_precision": None if row.end is None else parse_days(row.end)[2],
        **dict(zip(("earliest_start", "latest_start", "earliest_end", "latest_end"), row.bounds, strict=True)),
    }


def describe_declaration(declared: Mapping[str, Any]) -> dict[str, Any]:
    """A declaration as the table `declarations` has it."""
    time = declared["time"]
    return {
        "declaration": declared["table"],
        "licence": declared.get("licence"),
        "is_private": "licence" not in declared,
        "source": f"{declared['table']}.csv",
        "ends": time.get("ends", "handover") if "end" in time else "points",
        "as_of": dt.date.fromisoformat(time["as_of"]) if "as_of" in time else None,
        "text": json.dumps(declared, sort_keys=True),
    }


@dataclass(frozen=True)
class Question:
    """What is asked, before it is answered."""

    task: str
    declaration: str
    given: Mapping[str, str]
    asked: tuple[str, ...]
    relation: str
    unit: str = "day"
    b_start: dt.date | None = None
    b_end: dt.date | None = None
    is_short: bool = False
    offset: int | None = None
    event: Row | None = None
    event_text: str | None = None
    hops: Mapping[str, str] = field(default_factory=dict)
    key: Mapping[str, str] = field(default_factory=dict)


def judge_row(row: Row, question: Question, move: tuple[int, int] = (0, 0)) -> bool | None:
    """Whether a row answers; None where its dates leave it open, or nobody can say."""
    place = PLACES[question.unit]
    if question.relation == "current":
        as_of = dt.date.fromisoformat(DECLARED[row.declaration]["time"]["as_of"])
        return row.bounds[0] <= as_of and row.end is None
    assert question.b_start is not None
    assert question.b_end is not None
    bs, be = place(question.b_start) + move[0], place(question.b_end) + move[1]
    first, last = row.bounds[2:]
    lag = 1 if DECLARED[row.declaration]["time"].get("ends") == "inclusive" else 0
    starts = list_places(place(row.bounds[0]), place(row.bounds[1]), bs, be)
    if first is None or last is None:
        ends = [FOREVER]
    else:  # the unit after the one that has the last day
        first, last = (each - dt.timedelta(days=lag) for each in (first, last))
        ends = list_places(place(first) + lag, place(last) + lag, bs, be)
    found = {judge_days(s, e, bs, be, question) for s, e in product(starts, ends) if s + lag <= e}
    (verdict,) = found if len(found) == 1 else {None}
    return verdict


def list_places(first: int, last: int, *near: int) -> list[int]:
    """The places from first to last that may make a difference: its ends, and those in and around an interval."""
    return sorted({first, last} | {place for b in near for place in (b - 1, b, b + 1) if first <= place <= last})


def judge_days(s: int, e: int, bs: int, be: int, question: Question) -> bool | None:
    """Whether a row with these endpoints answers."""
    if question.relation == "joined":
        return judge_joined(s, e, bs, be)
    short = {"started_by": s == bs, "finished_by": e == be}
    fits = short[question.relation] if question.is_short else CONDITIONS[question.relation](s, e, bs, be)
    return None if fits and s == e and (question.is_short or question.relation not in POINTS) else fits


def judge_joined(s: int, e: int, bs: int, be: int) -> bool | None:
    """Whether a row holds throughout an event; None where it holds for a part of it, which a handover is not."""
    holds, shares = s <= bs and be <= e, s < be and bs < e
    return holds if holds == shares else None


def is_point(row: Row, unit: str) -> bool:
    """Whether a row surely starts and ends in one unit."""
    places = [None if day is None else PLACES[unit](day) for day in row.bounds]
    return len(set(places)) == 1


def is_possible(question: Question) -> bool:
    """Whether some row could answer: a start and an end in or around the interval of the question, or an open end."""
    assert question.b_start is not None
    assert question.b_end is not None
    bs, be = (PLACES[question.unit](bound) for bound in (question.b_start, question.b_end))
    time = DECLARED[question.declaration]["time"]
    near = [*range(bs - 3, bs + 4), *range(be - 3, be + 4), FOREVER]
    if "end" not in time:
        return any(judge_days(s, s, bs, be, question) for s in near)
    length = 1 if time.get("ends") == "inclusive" else 0
    return any(judge_days(s, e, bs, be, question) for s, e in product(near, near) if s + length <= e)


MOVES = ((1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))


def answer(number: int, question: Question, rows: Sequence[Row]) -> dict[str, Any] | None:
    """The item of a question; None where it must not be asked."""
    if question.relation in CONDITIONS and not is_possible(question):
        return None
    wanted = {**question.given, **question.key}
    key_rows = [
        row
        for row in rows
        if row.declaration == question.declaration and all(row.fields.get(c, v) == v for c, v in wanted.items())
    ]
    verdicts = [judge_row(row, question) for row in key_rows]
    if None in verdicts:
        return None
    fitting = [row for row, fits in zip(key_rows, verdicts, strict=True) if fits]
    answers = sorted({join_answer(row, question.asked) for row in fitting})
    if len(answers) > 7 or (question.task == "multi_hop" and not fitting):
        return None
    stated = list_stated(question)
    events = [question.event] if question.event else []
    near = not answers and question.relation not in ("current", "joined") and is_nearly_answered(key_rows, question)
    time = DECLARED[question.declaration]["time"]
    return {
        "item_id": number,
        "declaration": question.declaration,
        "task": question.task,
        "question": write_question(question),
        "answer": answers,
        "cardinality": {0: "none", 1: "unique"}.get(len(answers), "multiple"),
        "is_near_miss": near,
        "relation": question.relation,
        "is_short": question.is_short,
        "given": [{"column": c, "value": v} for c, v in question.given.items()],
        "asked": list(question.asked),
        "granularity": question.unit,
        "b_start": question.b_start,
        "b_end": question.b_end,
        "offset_months": question.offset,
        "as_of": dt.date.fromisoformat(time["as_of"]) if "as_of" in time else None,
        "event": question.event_text,
        "hops": [{"column": c, "value": v} for c, v in question.hops.items()],
        "references": [reference for row in fitting for reference in list_references(row, question, stated)],
        "sql": write_sql(question, wanted),
        "evidence": sorted(row.row_id for row in fitting + events),
        "context": write_context(number, key_rows, [r for r in rows if r.declaration == question.declaration]),
        "wording": 0,
        "split": split_item(question.task, question.declaration, question.given),
    }


def split_item(task: str, declaration: str, given: Mapping[str, str]) -> str:
    """The split of an item: that of its key, without what names the event of an implicit time."""
    return split_key(declaration, {c: v for c, v in given.items() if task != "implicit" or c != "Fair"})


def split_key(declaration: str, given: Mapping[str, str]) -> str:
    """The split of a key, as docs/reference/stability.md says."""
    key = "\x1f".join((declaration, *(f"{column}={value}" for column, value in sorted(given.items()))))
    number = xxhash.xxh64(key.encode(), seed=xxhash.xxh64(f"{SEED}\x1fsplit".encode(), seed=42).intdigest()).intdigest()
    bucket = (number - (2**64 if number >= 2**63 else 0)) % 100
    return "train" if bucket < 40 else "validation" if bucket < 70 else "test"


def is_nearly_answered(key_rows: Sequence[Row], question: Question) -> bool:
    """Whether a row answers when the times of the question move by one unit."""
    assert question.b_start is not None
    assert question.b_end is not None
    length = PLACES[question.unit](question.b_end) - PLACES[question.unit](question.b_start)
    moves = [move for move in MOVES if length + move[1] - move[0] > 0]
    return any(judge_row(row, question, move) for row in key_rows for move in moves)


def join_answer(row: Row, asked: Sequence[str]) -> str:
    """An answer of several columns."""
    return " | ".join(row.fields[column] for column in asked)


def list_stated(question: Question) -> list[str]:
    """The dates that the text states."""
    if question.event or question.b_start is None or question.b_end is None:
        return []
    length, ends = LENGTHS[question.unit], DECLARED[question.declaration]["time"].get("ends")

    def state_end(day: dt.date) -> str:
        stated = day - dt.timedelta(days=1) if ends == "inclusive" else day
        return stated.isoformat()[:length]

    bs, be = question.b_start, question.b_end
    first, last = bs.isoformat()[:length], be.isoformat()[:length]
    stated = {
        "before": [state_end(bs)],
        "after": [last],
        "meets": [state_end(be)],
        "met_by": [first],
        "overlaps": [first, state_end(bs), state_end(be)],
        "overlapped_by": [first, last, state_end(be)],
    }.get(question.relation, [first, state_end(be)])
    if "end" not in DECLARED[question.declaration]["time"]:
        stated = {"starts": [first], "finishes": [last]}.get(question.relation, stated)
    if question.is_short:
        stated = [first] if question.relation == "started_by" else [state_end(be)]
    return sorted(set(stated))


MONTHS = tuple(dt.date(2000, month, 1).strftime("%B") for month in range(1, 13))


def write_day(iso: str) -> str:
    """An ISO date in English."""
    year, *rest = iso.split("-")
    words = [MONTHS[int(rest[0]) - 1]] if rest else []
    return " ".join([str(int(rest[1])), *words, year] if len(rest) == 2 else [*words, year])


COMPARED: dict[str, list[tuple[str, str, str]]] = {
    "before": [("ended", "<", "first")],
    "after": [("began", ">", "last")],
    "meets": [("ended", "=", "first")],
    "met_by": [("began", "=", "last")],
    "overlaps": [("began", "<", "first"), ("ended", ">", "first"), ("ended", "<", "last")],
    "overlapped_by": [("began", ">", "first"), ("began", "<", "last"), ("ended", ">", "last")],
    "equals": [("began", "=", "first"), ("ended", "=", "last")],
    "starts": [("began", "=", "first"), ("ended", "<", "last")],
    "started_by": [("began", "=", "first"), ("ended", ">", "last")],
    "finishes": [("began", ">", "first"), ("ended", "=", "last")],
    "finished_by": [("began", "<", "first"), ("ended", "=", "last")],
    "during": [("began", ">", "first"), ("ended", "<", "last")],
    "contains": [("began", "<", "first"), ("ended", ">", "last")],
}
"""What the words of each relation compare: start or end of a row with the start (first) or the end (last) of b."""


def write_comparison(question: Question, verb: str, sign: str, point: str) -> str:
    """One comparison of a question in words."""
    if question.event_text:  # the last day of a fair is the day before its end
        at = f"{question.event_text} {'began' if point == 'first' else 'ended'}"
        on, is_later = f"the day on which {at}", point == "last"
        if sign == "=":
            return f"{'exactly one day after' if is_later else 'on'} {on}"
        later = f"no later than {on}" if sign == "<" else f"more than one day after {on}"
        return later if is_later else f"{'before' if sign == '<' else 'after'} {at}"
    day, length = question.b_start if point == "first" else question.b_end, LENGTHS[question.unit]
    assert day is not None
    if verb == "ended" and DECLARED[question.declaration]["time"].get("ends") == "inclusive":
        day -= dt.timedelta(days=1)
    date = write_day(day.isoformat()[:length])
    if sign == "=":
        return f"{'on' if question.unit == 'day' else 'in'} {date}"
    return f"{'before' if sign == '<' else 'after'} {date}"


def write_offset(question: Question) -> str:
    """The comparison with a date that lies so many months away."""
    assert question.offset
    years, months = divmod(question.offset, 12)
    length = "half a year" if question.offset == 6 else f"{years} years" if not months else f"{months} months"
    if question.relation == "meets":
        return f"exactly {length} {write_comparison(question, 'ended', '<', 'last')}"
    return f"exactly {length} {write_comparison(question, 'began', '>', 'first')}"


def write_question(question: Question) -> str:
    """A question that names all constants."""
    named = [v.lower() if v == "Mayor" else v for c, v in question.given.items() if c not in ("Fair", "Edition")]
    asked = " and ".join("who" if column == "Person" else f"which {column}" for column in question.asked)
    time = DECLARED[question.declaration]["time"]
    if question.relation == "current":
        return f"{asked} is there now for {', '.join(named)}, as of {write_day(time['as_of'])}?"
    if question.relation == "joined":
        return f"{asked} was there throughout {question.event_text} for {', '.join(named)}?"
    compared = COMPARED[question.relation]
    if question.is_short or ("end" not in time and question.relation in ("starts", "finishes")):
        compared = [each for each in compared if each[1] == "="]
    clauses = []
    for verb in ("began", "ended"):
        words = [write_comparison(question, *each) for each in compared if each[0] == verb]
        words = [write_offset(question)] if words and question.offset else words
        if words:
            clauses.append(f"{verb} {' but '.join(words)}")
    bound = f", up to {write_day(time['as_of'])}" if question.relation == "after" and "as_of" in time else ""
    manner = f"{question.relation}{' in short' * question.is_short} ({question.unit})"
    return f"{asked} was {manner} for {', '.join(named)} in a time that {' and '.join(clauses)}{bound}?"


def list_references(row: Row, question: Question, stated: Sequence[str]) -> Iterator[dict[str, Any]]:
    """f(q) of an answering row."""
    roles = ("point",) if is_point(row, question.unit) else REASONS.get(question.relation, ("start", "end"))
    for role in roles:
        date = (row.end or "still") if role == "end" else row.start
        yield {"answer": join_answer(row, question.asked), "role": role, "date": date, "is_stated": date in stated}


def write_context(number: int, key_rows: Sequence[Row], rows: Sequence[Row]) -> list[str]:
    """All rows of the key and three others, in the order of a hash."""
    others = sorted((r for r in rows if r not in key_rows), key=lambda r: crc32(f"{number} {r.row_id}".encode()))
    chosen = [*key_rows, *others[:3]]
    return [render_row(r) for r in sorted(chosen, key=lambda r: crc32(f"{r.row_id} {number}".encode()))]


def render_row(row: Row) -> str:
    """A row in words."""
    time = DECLARED[row.declaration]["time"]
    parts = {**row.fields, time["start"]: row.start}
    if "end" in time:
        parts[time["end"]] = row.end or "still"
    return "; ".join(f"{column}: {value}" for column, value in parts.items())


def quote(text: str) -> str:
    """A literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


SQL = {
    "before": "LE < BS",
    "after": "FS > BE",
    "meets": "FE = BS AND LE = BS",
    "met_by": "FS = BE AND LS = BE",
    "overlaps": "LS < BS AND FE > BS AND LE < BE",
    "overlapped_by": "FS > BS AND LS < BE AND FE > BE",
    "equals": "FS = BS AND LS = BS AND FE = BE AND LE = BE",
    "starts": "FS = BS AND LS = BS AND LE < BE",
    "started_by": "FS = BS AND LS = BS AND FE > BE",
    "finishes": "FE = BE AND LE = BE AND FS > BS",
    "finished_by": "FE = BE AND LE = BE AND LS < BS",
    "during": "FS > BS AND LE < BE",
    "contains": "LS < BS AND FE > BE",
    "joined": "LS <= BS AND FE >= BE",
    "current": "r.earliest_end IS NULL",
}


def write_end(column: str, question: Question) -> str:
    """The unit of an end; of an inclusive one the unit after that of its last day."""
    if DECLARED[question.declaration]["time"].get("ends") == "inclusive":
        return f"date_trunc('{question.unit}', {column} - INTERVAL 1 DAY) + INTERVAL 1 {question.unit}"
    return f"date_trunc('{question.unit}', {column})"


def write_sql(question: Question, wanted: Mapping[str, str]) -> str:
    """A query on the table `rows` that yields the answer."""
    asked = " || ' | ' || ".join(f"r.fields[{quote(column)}]" for column in question.asked)
    columns = TABLES[question.declaration][0]
    where = [f"r.declaration = {quote(question.declaration)}"]
    where += [f"r.fields[{quote(c)}] = {quote(v)}" for c, v in wanted.items() if c in columns]
    condition = SQL[question.relation]
    if question.is_short:
        condition = {"started_by": "FS = BS AND LS = BS", "finished_by": "FE = BE AND LE = BE"}[question.relation]
    names = {
        "FS": f"date_trunc('{question.unit}', r.earliest_start)",
        "LS": f"date_trunc('{question.unit}', r.latest_start)",
        "FE": f"coalesce({write_end('r.earliest_end', question)}, DATE '9999-12-31')",
        "LE": f"coalesce({write_end('r.latest_end', question)}, DATE '9999-12-31')",
        "BS": f"DATE '{question.b_start}'",
        "BE": f"DATE '{question.b_end}'",
    }
    where += [" ".join(names.get(word, word) for word in condition.split(" "))]
    return f"SELECT {asked} AS answer FROM rows r WHERE {' AND '.join(where)}"


def day(text: str) -> dt.date:
    """A date."""
    return dt.date.fromisoformat(text)


INTERVALS: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("mayors", "day"): [
        *(("1984-03-01", "1986-05-10"), ("1984-03-01", "1988-01-01"), ("1983-05-10", "1986-05-10")),
        *(("1984-03-01", "1985-03-01"), ("1985-05-10", "1986-05-10"), ("1985-01-01", "1987-01-01")),
        *(("1982-01-01", "1985-01-01"), ("1983-01-01", "1987-06-01"), ("1985-01-01", "1985-06-01")),
        *(("1981-01-01", "1999-04-20"), ("1986-05-11", "1991-09-01"), ("1999-04-20", "2005-01-01")),
        *(("1979-01-01", "1979-05-01"), ("1992-02-29", "1994-02-28"), ("2001-07-07", "2024-06-30")),
    ],
    ("mayors", "month"): [("1984-03-01", "1986-05-01"), ("1984-02-01", "1986-06-01"), ("1991-03-01", "1991-09-01")],
    ("mayors", "year"): [("1984-01-01", "1986-01-01"), ("1984-01-01", "1988-01-01"), ("1990-01-01", "1999-01-01")],
    ("leases", "day"): [("2003-06-01", "2003-07-01"), ("2001-01-01", "2003-06-01"), ("2002-01-01", "2009-01-01")],
    ("leases", "month"): [("2003-06-01", "2003-07-01"), ("2000-02-01", "2004-12-01"), ("2003-01-01", "2004-01-01")],
    ("laws", "year"): [("1988-01-01", "2002-01-01"), ("1990-01-01", "2000-01-01"), ("1949-01-01", "1960-01-01")],
    ("prizes", "day"): [("1990-05-04", "1992-05-06"), ("1990-05-05", "1992-05-05"), ("1992-05-07", "1993-01-01")],
    ("prizes", "month"): [("1990-05-01", "1992-05-01"), ("1993-01-01", "1994-06-01")],
    ("prizes", "year"): [("1990-01-01", "1994-01-01"), ("1991-01-01", "1993-01-01")],
}


def count_months(first: dt.date, last: dt.date) -> int | None:
    """The months between two days, if one can be counted from the other both ways."""
    months = 12 * (last.year - first.year) + last.month - first.month
    is_even = last.day == first.day and (months <= 12 or (months % 12 == 0 and months <= 60))
    return months if is_even else None


def list_questions(rows: Sequence[Row]) -> Iterator[Question]:
    """All questions that the intervals above allow."""
    yield from list_timed(rows)
    for name in ("mayors", "laws"):
        for given in list_keys(rows, name):
            yield Question("alignment", name, given, (DECLARED[name]["tfds"][0]["determines"][0],), "current")
    for event in (row for row in rows if row.declaration == "fairs"):
        town = {"Old Borum": "Borum"}.get(event.fields["Place"], event.fields["Place"])
        start, end = event.bounds[0], event.bounds[2]
        for given in list_keys(rows, "mayors"):
            for relation in CONDITIONS:
                text = f"the {event.fields['Fair']} fair"
                yield Question(
                    *("implicit", "mayors", {**given, "Fair": event.fields["Fair"]}, ("Person",), relation),
                    *("day", start, end),
                    event=event,
                    event_text=text,
                )
        ordinals = {"1": "1st", "2": "2nd", "3": "3rd", "4": "4th"}
        steps = {"Fair": event.fields["Fair"], "Place": event.fields["Place"]}
        for column, text in (
            ("Fair", f"the {steps['Fair']} fair"),
            ("Edition", f"the {ordinals[event.fields['Edition']]} fair"),
        ):
            hops = {name: value for name, value in steps.items() if name != column}
            yield Question(
                *("multi_hop", "mayors", {"Office": "Mayor", column: event.fields[column]}, ("Person",), "joined"),
                *("day", start, end),
                event=event,
                event_text=text,
                hops=hops,
                key={"Town": town},
            )


def list_timed(rows: Sequence[Row]) -> Iterator[Question]:
    """The questions of all relations, on keys and beyond them."""
    for (name, unit), intervals in INTERVALS.items():
        for (start, end), relation in product(intervals, CONDITIONS):
            offset = count_months(day(start), day(end)) if relation in ("meets", "met_by") else None
            if relation in ("meets", "met_by") and (offset is None or (unit == "day" and name == "leases")):
                continue
            if relation == "after" and end == DECLARED[name]["time"].get("as_of"):
                continue  # nothing is known of what began later
            times = (relation, unit, day(start), day(end))
            asked = tuple(DECLARED[name]["tfds"][0]["determines"])
            scopes = [("reasoning", given, asked) for given in list_keys(rows, name)]
            for declared in DECLARED[name].get("sets", ()):
                if name != "prizes":
                    values = sorted({row.fields[declared["given"][0]] for row in rows if row.declaration == name})
                    scopes += [("sets", {declared["given"][0]: v}, tuple(declared["asked"])) for v in values]
            for task, given, columns in scopes:
                yield Question(task, name, given, columns, *times, offset=offset)
                if relation in ("started_by", "finished_by") and task == "reasoning":
                    yield Question(task, name, given, columns, *times, is_short=True)


def list_keys(rows: Sequence[Row], name: str) -> list[dict[str, str]]:
    """The keys of a table, without the broken one."""
    columns = DECLARED[name]["tfds"][0]["given"]
    keys = {tuple(row.fields[c] for c in columns) for row in rows if row.declaration == name}
    return [dict(zip(columns, key, strict=True)) for key in sorted(keys) if "Cliffe" not in key]


class Counted(NamedTuple):
    """A key whose stints or rows are counted by hand.

    Attributes:
        declaration: The table.
        given: The key.
        asked: The counted column.
        words: What a question says of the key.
        span: What it says of the time.
        numbers: How many each value has.
        uncounted: Places in the table of rows that began too early.
    """

    declaration: str
    given: dict[str, str]
    asked: str
    words: str
    span: str
    numbers: dict[str, int]
    uncounted: tuple[int, ...] = ()


LATER = "after 1 January 1990, up to 30 June 2024"
COUNTS = (
    # Cy Eklund handed over to himself.
    Counted(
        *("mayors", {"Town": "Aldby", "Office": "Mayor"}, "Person", "was mayor of Aldby", "up to 30 June 2024"),
        {"Ann Berg": 2, "Bo Dahl": 1, "Cy Eklund": 1, "Di Falk": 1},
    ),
    # So did Una Vik, in a term that began before the table is complete.
    Counted(
        *("wardens", {"Gate": "North Gate"}, "Warden", "was at the North Gate", f"in terms that began {LATER}"),
        *({"Una Vik": 1, "Ida Lie": 2}, (0, 1, 2, 3)),
    ),
    Counted(
        *("medals", {"Medal": "Iron Medal"}, "Holder", "won the Iron Medal", LATER),
        *({"Per Moe": 1, "Rut Nes": 2}, (0, 1)),
    ),
)


def list_counting(number: int, rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """The questions that count."""
    for counted, k, is_at_least in product(COUNTS, (1, 2, 3), (False, True)):
        number += 1
        table = [r for r in rows if r.declaration == counted.declaration]
        key_rows = [r for r in table if all(r.fields[c] == v for c, v in counted.given.items())]
        answers = sorted(p for p, n in counted.numbers.items() if (n >= k if is_at_least else n == k))
        used = [r for place, r in enumerate(table) if r in key_rows and place not in counted.uncounted]
        times = f"{'at least' if is_at_least else 'exactly'} {k} {'time' if k == 1 else 'times'} {counted.span}"
        names = ", ".join(quote(name) for name in answers) or "''"
        column = f"r.fields[{quote(counted.asked)}]"
        since = DECLARED[counted.declaration]["time"].get("since")
        late = f" AND r.earliest_start > DATE '{since}'" if since else ""
        yield {
            "item_id": number,
            "declaration": counted.declaration,
            "task": "counting",
            "question": f"who {counted.words} {times}?",
            "answer": answers,
            "cardinality": {0: "none", 1: "unique"}.get(len(answers), "multiple"),
            "is_near_miss": False,
            "relation": "counted",
            "is_short": False,
            "given": [{"column": c, "value": v} for c, v in counted.given.items()],
            "asked": [counted.asked],
            "granularity": "day",
            "as_of": day(DECLARED[counted.declaration]["time"]["as_of"]),
            "counted": k,
            "is_at_least": is_at_least,
            "hops": [],
            "references": [],
            "sql": f"SELECT DISTINCT {column} AS answer FROM rows r WHERE {column} IN ({names}){late}",
            "evidence": sorted(r.row_id for r in used if r.fields[counted.asked] in answers),
            "context": write_context(number, key_rows, table),
            "wording": 0,
            "split": split_key(counted.declaration, counted.given),
        }


@cache
def list_items() -> tuple[dict[str, Any], ...]:
    """All items, with texts that are asked once; their ids are 1, 2, 3."""
    items = list(answer_all(list_questions(list_rows())).values())
    return (*items, *list_counting(len(items), list_rows()))


def answer_all(questions: Iterable[Question]) -> dict[str, dict[str, Any]]:
    """The items of questions, by their texts."""
    rows, items = list_rows(), dict[str, dict[str, Any]]()
    for question in questions:
        item = answer(len(items) + 1, question, rows)
        if item is not None:
            items.setdefault(item["question"], item)
    return items


def verify_all(dataset: Path) -> tuple[Verification, dict[int, frozenset[str]]]:
    """Verify a dataset; the result, and by id of each wrong item the checks that find it wrong."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wrong_items, "EXAMPLES_OF_EACH", "CREATE TABLE shown AS SELECT * FROM wrong")
        found = verify(dataset)
    wrong: dict[int, set[str]] = defaultdict(set)
    for example in found.families[FAMILY].examples:
        wrong[int(example.item_id)].add(example.check)
    return found, {item: frozenset(names) for item, names in wrong.items()}


def write_dataset(
    folder: Path,
    items: Iterable[Mapping[str, Any]] | None = None,
    rows: Iterable[Mapping[str, Any]] | None = None,
    declared: Iterable[Mapping[str, Any]] | None = None,
    aliases: Iterable[tuple[str, str]] = (("Gus O'Hara", "Augustus O'Hara"),),
    *,
    rejects: Iterable[tuple[str, str, Mapping[str, str]]] = REJECTED,
    runs_sql: bool = False,
    checks_ids: bool = False,
) -> Path:
    """A dataset of these items, rows, declarations, aliases (of mayors) and rejects, of all sound ones by default.

    Running the statements of items takes ten times as long as all other checks, so that few tests need it. Ids are 1,
    2, 3, and no hashes, so that they are checked on demand.
    """
    asked = [dict(item) for item in (list_items() if items is None else items)]
    write_table(folder / FAMILY / "items", asked, ITEMS)
    write_table(folder / FAMILY / "rows", map(describe_row, list_rows()) if rows is None else rows, ROWS)
    texts = map(describe_declaration, DECLARED.values()) if declared is None else declared
    write_table(folder / FAMILY / "declarations", texts, DECLARATIONS)
    of_mayors = {"scope": "mayors/Person", "kind": "alias"}
    named = [{**of_mayors, "answer": value, "text": alias} for value, alias in aliases]
    write_table(folder / FAMILY / "accepted_answers", named, ACCEPTED_ANSWERS)
    lost = [
        {"declaration": d, "line": n, "reason": r, "fields": list(f.items())} for n, (d, r, f) in enumerate(rejects, 2)
    ]
    write_table(folder / FAMILY / "rejects", lost, REJECTS)
    tested = [{"item_set": name, **item} for name in SETS for item in asked if item["split"] == "test"]
    write_table(folder / FAMILY / "item_sets", tested, ITEM_SETS)
    files = add_shared_checks(read_files(Path(tdbench.__file__).with_name("checks")))
    plan = json.loads(files["checks.json"])
    checks = [check for check in plan["checks"] if checks_ids or check["name"] != "ids"]
    plan["checks"] = [check for check in checks if runs_sql or not check.get("queried_tables")]
    files["checks.json"] = json.dumps(plan)
    write_checks(folder, {f"{FAMILY}/{path}": text for path, text in files.items()})
    shares = {"train": 40, "validation": 30, "test": 30}
    window = {"start": "1900-01-01", "end": "2030-12-31"}
    write_manifest(folder, window=window, lists=[], seed=SEED, splits=shares)
    return folder
