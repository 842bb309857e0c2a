"""A dataset of a few rows, written without Spark: its facts never change, its questions may."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.core.files import compute_sha256
from everwhen.families.complextempqa.checks.render import Rule, render_checks
from everwhen.publish.checks import render_shared_checks
from everwhen.publish.manifest import describe_table
from everwhen.validate.manifest import hash_tables
from everwhen.validate.plan import digest_checks
from everwhen.validate.shared_checks import add_shared_checks

TIME = pa.struct(
    [
        ("snak", pa.string()),
        ("text", pa.string()),
        ("first_day", pa.date32()),
        ("last_day", pa.date32()),
        ("precision", pa.int8()),
        ("calendar", pa.string()),
    ]
)
STATEMENTS = pa.schema(
    [
        ("statement_id", pa.string()),
        ("subject", pa.int64()),
        ("property", pa.int32()),
        ("rank", pa.string()),
        ("snak", pa.string()),
        ("datatype", pa.string()),
        ("value_item", pa.int64()),
        ("value_text", pa.string()),
        ("amount", pa.decimal128(38, 9)),
        ("unit", pa.int64()),
        ("first_day", pa.date32()),
        ("last_day", pa.date32()),
        ("precision", pa.int8()),
        ("calendar", pa.string()),
        ("before", pa.int32()),
        ("after", pa.int32()),
        ("hedges", pa.list_(pa.int32())),
        ("start_time", TIME),
        ("end_time", TIME),
        ("point_in_time", TIME),
        ("ordinal", pa.int32()),
    ]
)
ENTITIES = pa.schema(
    [("item", pa.int64()), ("label", pa.string()), ("aliases", pa.list_(pa.string())), ("description", pa.string())]
)
MEMBERSHIP = pa.struct(
    [("list", pa.string()), ("first_day", pa.date32()), ("last_day", pa.date32()), ("calendar", pa.string())]
)
BORNE = pa.schema(
    [
        ("item", pa.int64()),
        ("kind", pa.string()),
        ("text", pa.string()),
        ("key", pa.string()),
        ("classes", pa.list_(pa.int64())),
        ("memberships", pa.list_(MEMBERSHIP)),
    ]
)
SUBCLASSES = pa.schema([("class", pa.int64()), ("root", pa.int64())])
POPULARITY = pa.schema(
    [
        ("entity", pa.int64()),
        ("population", pa.string()),
        ("member", pa.bool_()),
        ("views", pa.int64()),
        ("popular", pa.bool_()),
    ]
)
QUESTIONS = pa.schema(
    [
        ("question_id", pa.int64()),
        ("question", pa.string()),
        ("answer", pa.list_(pa.string())),
        ("type", pa.string()),
        ("question_entity", pa.list_(pa.int64())),
        ("answer_entity", pa.list_(pa.int64())),
        ("question_country_entity", pa.list_(pa.int64())),
        ("answer_country_entity", pa.list_(pa.int64())),
        ("hops", pa.list_(pa.int32())),
        ("descriptions", pa.list_(pa.struct([("entity", pa.int64()), ("key", pa.string())]))),
        ("rating", pa.int8()),
        ("is_unnamed", pa.bool_()),
        ("timeframe", pa.struct([("start", pa.date32()), ("end", pa.date32())])),
        ("template_id", pa.string()),
        ("template_version", pa.int32()),
        ("wording", pa.int32()),
        ("polarity", pa.string()),
        ("property", pa.int32()),
        ("threshold", pa.decimal128(38, 9)),
        ("counted_over", pa.string()),
        ("calendar", pa.string()),
        ("topic", pa.string()),
        ("split", pa.string()),
        ("year", pa.int32()),
        ("head_entity", pa.int64()),
    ]
)

DECLARATIONS = pa.schema(
    [
        ("number", pa.int32()),
        ("what", pa.string()),
        ("item", pa.int64()),
        ("since", pa.int32()),
        ("until", pa.int32()),
        ("members", pa.int32()),
        ("found", pa.int32()),
        ("is_complete", pa.bool_()),
        ("source", pa.string()),
    ]
)

ITEM_SETS = pa.schema([("item_set", pa.string()), *QUESTIONS])
SETS = ("lite-1000", "lite-10000")

ACCEPTED_ANSWERS = pa.schema([(name, pa.string()) for name in ("answer", "scope", "kind", "text")])

WAR, FLIGHT, FILM, DIRECTOR, OFFICE, COUNTRY, PEAK, STRIKE = 10, 11, 12, 13, 50, 869, 900, 14


def parse_days(text: str) -> tuple[dt.date, dt.date, int]:
    """A day, month or year as first day, last day and precision."""
    parts = [int(part) for part in text.split("-")]
    if len(parts) == 3:
        day = dt.date(*parts)
        return day, day, 11
    if len(parts) == 2:
        after = dt.date(parts[0] + parts[1] // 12, parts[1] % 12 + 1, 1)
        return dt.date(parts[0], parts[1], 1), after - dt.timedelta(days=1), 10
    return dt.date(parts[0], 1, 1), dt.date(parts[0], 12, 31), 9


def build_qualifier(text: str | None) -> dict[str, Any] | None:
    """A dating qualifier: a time, or the snak "somevalue", "novalue" or "several"."""
    if text is None or text[0].isalpha():
        return None if text is None else {"snak": text}
    days = dict(zip(("first_day", "last_day", "precision"), parse_days(text), strict=True))
    return days | {"snak": "value", "text": write_time(text), "calendar": "gregorian"}


def write_time(text: str) -> str:
    """A time as Wikibase writes it: zeros where the text ends."""
    return f"+{text}{'-00' * (2 - text.count('-'))}T00:00:00Z"


def build_statement(
    subject: int,
    property_: int,
    value: int | str | Decimal | None = None,
    *,
    rank: str = "normal",
    name: str = "a",
    start: str | None = None,
    end: str | None = None,
    at: str | None = None,
    ordinal: int | None = None,
) -> dict[str, Any]:
    """A statement: of an item (int), a time (str) or an amount (Decimal); None is somevalue."""
    row: dict[str, Any] = {
        "statement_id": f"Q{subject}$P{property_}-{name}",
        "subject": subject,
        "property": property_,
        "rank": rank,
        "snak": "somevalue" if value is None else "value",
        "start_time": build_qualifier(start),
        "end_time": build_qualifier(end),
        "point_in_time": build_qualifier(at),
        "ordinal": ordinal,
    }
    if isinstance(value, int):
        row["value_item"] = value
    elif isinstance(value, str):
        row["first_day"], row["last_day"], row["precision"] = parse_days(value)
        row["value_text"], row["calendar"] = write_time(value), "gregorian"
    elif value is not None:
        row["amount"], row["unit"] = value, 0
    return row


FACTS = [
    build_statement(WAR, 31, 198),
    build_statement(WAR, 580, "1989", name="coarse"),
    build_statement(WAR, 580, "1990-08-02", rank="preferred", name="best"),
    build_statement(WAR, 580, "1970-01-01", rank="deprecated", name="gone"),
    build_statement(WAR, 582, "1991-02-28"),
    build_statement(FLIGHT, 31, 744913),
    build_statement(FLIGHT, 585, "1991-05-26"),
    build_statement(FLIGHT, 17, COUNTRY),
    build_statement(FLIGHT, 1120, Decimal(223)),
    build_statement(STRIKE, 31, 273120),
    build_statement(STRIKE, 580, "1984-03"),
    build_statement(FILM, 31, 11424),
    build_statement(FILM, 577, "1994-07-06"),
    build_statement(FILM, 495, 30),
    build_statement(FILM, 57, DIRECTOR),
    build_statement(DIRECTOR, 31, 5),
    build_statement(DIRECTOR, 569, "1951-05-14"),
    build_statement(DIRECTOR, 27, 30),
    build_statement(DIRECTOR, 39, OFFICE, start="1993-01-20", end="2001-01"),
    build_statement(COUNTRY, 31, 6256),
    build_statement(COUNTRY, 610, PEAK),
    build_statement(PEAK, 2044, Decimal(2565)),
]
LABELS = {
    WAR: "Gulf War",
    FLIGHT: "Lauda Air Flight 004",
    FILM: "Forrest Gump",
    DIRECTOR: "Robert Zemeckis",
    OFFICE: "mayor",
    COUNTRY: "Thailand",
    PEAK: "Doi Inthanon",
    STRIKE: "miners' strike",
    30: "United States",
}
# Of the events' views the standard deviation is 47.1, of the items' exactly 20: the office's views are just enough.
VIEWS = [
    (WAR, "events", True, 100),
    (FLIGHT, "events", True, 0),
    (STRIKE, "events", True, 0),
    (FILM, "items", True, 50),
    (DIRECTOR, "items", True, 10),
    (15, "items", True, None),
    (OFFICE, "items", False, 20),
]
CLASSES = [198, 744913, 273120, 11424, 5, 6256]

RULES = {
    rule.id: rule
    for rule in (
        Rule(
            "start",
            1,
            """SELECT q.question_id, [day_text(s.stated_date, s.precision)] AS answer, [s.statement_id] AS facts
               FROM q JOIN best s ON s.subject = q.question_entity[1] AND s.property = 580 AND s.snak = 'value'""",
            rule="The start time of best rank.",
        ),
        Rule(
            "holder",
            1,
            """SELECT q.question_id, list(label(t.holder)) AS answer, list(t.statement_id) AS facts
               FROM q JOIN terms t ON t.position = q.question_entity[1] AND t.usable
                   AND t.latest_start <= q.timeframe.start AND t.earliest_end >= q.timeframe."end"
               GROUP BY q.question_id""",
            timeframe="years",
        ),
        Rule(
            "first",
            1,
            """SELECT q.question_id,
                   [label(CASE WHEN a.last_day < b.first_day THEN a.event ELSE b.event END)] AS answer,
                   list_concat(a.facts, b.facts) AS facts
               FROM q JOIN event_times a ON a.event = q.question_entity[1]
               JOIN event_times b ON b.event = q.question_entity[2]""",
            polarities=("earlier",),
        ),
        Rule(
            "director",
            1,
            """SELECT q.question_id, [label(s.value_item)] AS answer, [s.statement_id] AS facts
               FROM q JOIN single_items s ON s.subject = q.question_entity[1] AND s.property = 57""",
        ),
        Rule(
            "peak",
            1,
            """SELECT q.question_id, [amount_text(h.amount)] AS answer, [c.statement_id, h.statement_id] AS facts
               FROM q JOIN single_items c ON c.subject = q.question_entity[1] AND c.property = 17
               JOIN single_items p ON p.subject = c.value_item AND p.property = 610
               JOIN single_amounts h ON h.subject = p.value_item AND h.property = 2044""",
            hops=True,
        ),
        Rule(
            "country",
            1,
            """SELECT q.question_id, [label(s.value_item)] AS answer, [s.statement_id] AS facts
               FROM q JOIN single_items s ON s.subject = q.question_entity[1] AND s.property = 17""",
        ),
    )
}
DESCRIPTIONS = {
    "deaths": (
        "the aviation accident in 1991 with {amount} deaths",
        """SELECT d.entity, NULL AS year, NULL AS country, amount_text(a.amount) AS amount, [] AS items,
            (SELECT count(*) FROM class_members m WHERE m.root = d.root[1] AND m.member <> d.entity) AS rivals
        FROM d JOIN single_amounts a ON a.subject = d.entity AND a.property = 1120""",
    )
}


def build_question(
    number: int, template: str, text: str, answer: str, entities: list[int], **changes: Any
) -> dict[str, Any]:
    """A row; what is not named has no value."""
    return {
        "question_id": number,
        "question": text,
        "answer": [answer],
        "type": "1ac",
        "question_entity": entities,
        "answer_entity": [],
        "question_country_entity": [],
        "answer_country_entity": [],
        "hops": [],
        "descriptions": [],
        "rating": 1,
        "is_unnamed": False,
        "template_id": template,
        "template_version": 1,
        "wording": 0,
        "topic": "medtop:1",
        "split": "train",
        "head_entity": entities[0],
        **changes,
    }


def build_timeframe(start: str | None, end: str | None) -> dict[str, dt.date | None]:
    """A timeframe."""
    return {
        "start": None if start is None else dt.date.fromisoformat(start),
        "end": None if end is None else dt.date.fromisoformat(end),
    }


CRASH = build_timeframe("1991-05-26", "1991-05-26")
SOUND = {
    row["template_id"]: row
    for row in (
        build_question(
            1,
            "start",
            "When did the Gulf War start?",
            "1990-08-02",
            [WAR],
            rating=0,
            timeframe=build_timeframe("1990-08-02", "1991-02-28"),
        ),
        build_question(
            2,
            "holder",
            "Who was mayor throughout 1994?",
            "Robert Zemeckis",
            [OFFICE],
            type="1b",
            rating=0,
            answer_entity=[DIRECTOR],
            answer_country_entity=[30],
            timeframe=build_timeframe("1994-01-01", "1994-12-31"),
        ),
        build_question(
            3,
            "first",
            "Which happened first, Lauda Air Flight 004 or the Gulf War?",
            "Gulf War",
            [FLIGHT, WAR],
            type="2ac",
            polarity="earlier",
            answer_entity=[WAR],
            question_country_entity=[COUNTRY],
            timeframe=build_timeframe("1990-08-02", "1991-05-26"),
        ),
        build_question(
            4,
            "director",
            "Who directed Forrest Gump?",
            "Robert Zemeckis",
            [FILM],
            type="1b",
            rating=0,
            answer_entity=[DIRECTOR],
            question_country_entity=[30],
            answer_country_entity=[30],
            timeframe=build_timeframe("1994-07-06", "1994-07-06"),
        ),
        build_question(
            5,
            "peak",
            "How high is the highest point of the country where Lauda Air Flight 004 crashed?",
            "2565",
            [FLIGHT],
            type="1a",
            hops=[17, 610],
            question_country_entity=[COUNTRY],
            timeframe=CRASH,
        ),
        build_question(
            6,
            "country",
            "In which country did the aviation accident in 1991 with 223 deaths happen?",
            "Thailand",
            [FLIGHT],
            type="1a",
            is_unnamed=True,
            descriptions=[{"entity": FLIGHT, "key": "deaths"}],
            answer_entity=[COUNTRY],
            question_country_entity=[COUNTRY],
            answer_country_entity=[COUNTRY],
            timeframe=CRASH,
        ),
    )
}


WINDOW = ("1987-01-01", "2023-12-31")
FAMILY = "complextempqa"


def write_dataset(
    folder: Path,
    questions: Iterable[Mapping[str, Any]] | None = None,
    *,
    facts: Iterable[Mapping[str, Any]] = FACTS,
    pulled: Iterable[tuple[str, int]] = (),
    rules: Mapping[str, Rule] = RULES,
    descriptions: Mapping[str, tuple[str, str]] = DESCRIPTIONS,
    window: tuple[str, str] = WINDOW,
    lists: Sequence[str] = (),
    declarations: Iterable[Mapping[str, Any]] = (),
    accepted: Iterable[tuple[int, str, str | None, str]] = (),
    aliases: Mapping[int, Sequence[str]] | None = None,
) -> Path:
    """A dataset of these questions, of all sound ones by default, with its checks and its manifest.

    A count that says nothing else is one of the known facts. If nothing else is said, nothing has an alias.
    """
    rows = [dict(row) for row in (SOUND.values() if questions is None else questions)]
    for row in rows:
        if str(row["type"]).startswith("3"):
            row.setdefault("counted_over", "known facts")
        is_date = row["type"] in ("1ac", "1bc") and not row["answer_entity"]
        if is_date and re.fullmatch(r"\d{4}(-\d\d)*", row["answer"][0]):
            row.setdefault("calendar", "gregorian")
        if (start := row["timeframe"]["start"]) is not None:
            row.setdefault("year", start.year)
    write_table(folder / FAMILY / "questions", rows, QUESTIONS)
    write_table(folder / FAMILY / "declarations", declarations, DECLARATIONS)
    tested = [{"item_set": name, **row} for name in SETS for row in rows if row["split"] == "test"]
    write_table(folder / FAMILY / "item_sets", tested, ITEM_SETS)
    texts = [{"answer": f"Q{entity}", "scope": key, "kind": kind, "text": text} for entity, kind, key, text in accepted]
    write_table(folder / FAMILY / "accepted_answers", texts, ACCEPTED_ANSWERS)
    write_table(folder / "facts/statements", facts, STATEMENTS)
    also = aliases or {}
    entities = [{"item": i, "label": label, "aliases": also.get(i, ())} for i, label in LABELS.items()]
    write_table(folder / "facts/entities", entities, ENTITIES)
    borne = [{"item": i, "kind": "label", "text": label, "key": label.lower()} for i, label in LABELS.items()]
    write_table(folder / "facts/labels", [{**row, "classes": [], "memberships": []} for row in borne], BORNE)
    write_table(folder / "facts/subclasses", [{"class": c, "root": c} for c in CLASSES], SUBCLASSES)
    names = ("entity", "population", "member", "views")
    rated = [dict(zip(names, row, strict=True)) | {"popular": False} for row in VIEWS]
    write_table(folder / "facts/popularity", rated, POPULARITY)
    if pulled:
        members = pa.schema([("list", pa.string()), ("item", pa.int64())])
        write_table(folder / "facts/list_members", [{"list": name, "item": item} for name, item in pulled], members)
    rendered = add_shared_checks(select_checks(render_checks(rules.values(), descriptions)))
    write_checks(folder, load_shared_checks() | {f"{FAMILY}/{path}": text for path, text in rendered.items()})
    write_manifest(folder, window=dict(zip(("start", "end"), window, strict=True)), lists=list(lists))
    return folder


def select_checks(rendered: Mapping[str, str]) -> dict[str, str]:
    """The checks of rows that are numbered 1, 2, 3, of cut facts: without those of what whole datasets have alone."""
    plan = json.loads(rendered["checks.json"])
    plan["checks"] = [check for check in plan["checks"] if check["name"] not in ("wordings", "evidence")]
    left_out = plan.pop("id_numbers")
    kept = {name: text for name, text in rendered.items() if name != left_out}
    return {**kept, "checks.json": json.dumps(plan)}


@cache
def load_shared_checks() -> dict[str, str]:
    """What every dataset's checks share, rendered once."""
    return render_shared_checks()


def write_checks(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below `checks/`, by path."""
    for name, text in files.items():
        path = folder / "checks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_manifest(folder: Path, like: Path | None = None, **changes: Any) -> None:
    """Write the manifest of what is in a folder.

    Of other matters it says what the manifest in the folder `like` says, or the one that is there.
    """
    path, other = folder / "manifest.json", (like or folder) / "manifest.json"
    manifest = json.loads(other.read_text(encoding="utf-8")) if other.exists() else {}
    path.unlink(missing_ok=True)  # it may be a link
    files: dict[str, dict[str, str]] = {}
    for file in sorted(folder.rglob("*.parquet")):
        files.setdefault(file.parent.relative_to(folder).as_posix(), {})[file.name] = compute_sha256(file)
    tables = {table: describe_table(folder / table, names) for table, names in files.items()}
    texts = {
        file.relative_to(folder / "checks").as_posix(): file.read_bytes()
        for file in sorted((folder / "checks").rglob("*"))
        if file.is_file()
    }
    families = {}
    for plan_file in sorted((folder / "checks").glob("*/checks.json")):
        plan, name = json.loads(plan_file.read_bytes()), plan_file.parent.name
        items = f"{name}/{plan['items']['table']}"
        rows = tables.get(items, {"rows": 0})["rows"]
        digest = digest_checks(texts, name)
        families[name] = {"items": items, "id": plan["items"]["id"], "rows": rows, "counts": {}, "checks": digest}
    manifest |= {
        "rows": sum(family["rows"] for family in families.values()),
        "content_hash": hash_tables(tables),
        "families": families,
        "tables": tables,
        "checks": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
        "files": {},
    }
    path.write_text(json.dumps(manifest | changes), encoding="utf-8")


def write_table(folder: Path, rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> None:
    """Write a table as one file of parquet."""
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema), folder / "part-00000.parquet")
