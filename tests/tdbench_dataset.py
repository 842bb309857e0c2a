"""A dataset of the family TDBench with a few rows, written without Spark, to be asked and scored."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tdbench_schemas import ACCEPTED_ANSWERS, DECLARATIONS, ITEMS, ROWS
from tiny_dataset import write_checks, write_manifest, write_table

FAMILY = "tdbench"
LEADERS = [
    ("Ardonia", "President", "Mira Holt", "1990-03-15", "1994-12-29"),
    ("Ardonia", "President", "Tomas Vale", "1994-12-29", "1999-01-01"),
    ("Ardonia", "President", "Ines Kerr", "1999-01-01", None),
    ("Belland", "Queen", "Oda II", "1980-04-30", "2013-04-30"),
    ("Belland", "Queen", "Runa", "2013-04-30", None),
    ("Cassia", "President", "Jo Marsh", "1988-02-25", "1993-02-25"),
    ("Cassia", "President", "Lee Brandt", "1993-02-25", "1998-02-25"),
]
"""An invented table: country, role, name, start and end."""

GAMES = [
    ("Northport 1992", "Cassia", "1992-07-01", "1992-07-20"),
    ("Eastbay 1996", "Ardonia", "1996-07-01", "1996-07-20"),
    ("Westgate 1990", "Old Cassia", "1990-07-01", "1990-07-20"),
]
JOIN = {"with": "games", "by": {"Country": "Country"}, "same": {"Old Cassia": "Cassia"}}
TEXT = {"words": {"ask": {"Name": "who"}}, "joins": [JOIN]}


def build_item(number: int, question: str, answer: Sequence[str], **changes: Any) -> dict[str, Any]:
    """An item; what is not named is that of a question about a president."""
    key = changes.pop("key", ("Ardonia", "President"))
    return {
        "item_id": number,
        "declaration": "rulers",
        "task": "reasoning",
        "question": question,
        "answer": list(answer),
        "cardinality": ("none", "unique", "multiple")[min(len(answer), 2)],
        "is_near_miss": False,
        "relation": "before",
        "is_short": False,
        "given": [{"column": c, "value": v} for c, v in zip(("Country", "Role"), key, strict=True) if v],
        "asked": ["Name"],
        "granularity": "day",
        "b_start": dt.date(1995, 1, 1),
        "b_end": dt.date(1996, 1, 1),
        "as_of": dt.date(2025, 1, 2),
        "hops": [],
        "references": [],
        "sql": "SELECT 1",
        "evidence": [],
        "context": [write_row(row) for row in LEADERS if row[:2] == key],
        "wording": 0,
        "split": "test",
        **changes,
    }


def write_row(row: Sequence[str | None]) -> str:
    """A row as a line of context."""
    country, role, name, start, end = row
    return f"Country: {country}; Role: {role}; Name: {name}; Start: {start}; End: {end or 'still'}"


def build_reference(answer: str, role: str, date: str, *, is_stated: bool = False) -> dict[str, Any]:
    """A reference."""
    return {"answer": answer, "role": role, "date": date, "is_stated": is_stated}


ALIGNED = build_item(
    1,
    "Who is the President of Ardonia as of 2 January 2025?",
    ["Ines Kerr"],
    task="alignment",
    relation="current",
    b_start=None,
    b_end=None,
    references=[build_reference("Ines Kerr", "start", "1999-01-01")],
)
BEFORE = build_item(
    2,
    "Which Presidents of Ardonia left office before 1 June 2000?",
    ["Mira Holt", "Tomas Vale"],
    references=[build_reference("Mira Holt", "end", "1994-12-29"), build_reference("Tomas Vale", "end", "1999-01-01")],
)
NOBODY = build_item(
    3,
    "Which President of Ardonia left office before 1 January 1990?",
    [],
    is_near_miss=True,
    b_start=dt.date(1990, 1, 1),
)
HOSTED = build_item(
    4,
    "Who was the President of the host country of the games Northport 1992?",
    ["Jo Marsh"],
    task="multi_hop",
    relation="joined",
    key=("", "President"),
    hops=[{"column": "Country", "value": "Cassia"}],
    references=[build_reference("Jo Marsh", "start", "1988-02-25"), build_reference("Jo Marsh", "end", "1993-02-25")],
)
STARTED = build_item(
    5,
    "Who became President of Ardonia on 29 December 1994 and left office before 1 May 2000?",
    ["Tomas Vale"],
    relation="starts",
    references=[
        build_reference("Tomas Vale", "start", "1994-12-29", is_stated=True),
        build_reference("Tomas Vale", "end", "1999-01-01"),
    ],
)
TRAINED = [
    build_item(
        10 + place,
        f"Who was the Queen of Belland, asked for time {place}?",
        ["Oda II"],
        key=("Belland", "Queen"),
        split="train",
        relation="before",
        references=[build_reference("Oda II", "end", "2013-04-30")],
    )
    for place in range(5)
]
TRAINED_NOW = [
    {**item, "item_id": item["item_id"] + 10, "task": "alignment", "relation": "current", "answer": ["Runa"]}
    | {"references": [build_reference("Runa", "start", "2013-04-30")]}
    for item in TRAINED
]
ALL = [ALIGNED, BEFORE, NOBODY, HOSTED, STARTED, *TRAINED, *TRAINED_NOW]


def write_dataset(
    folder: Path,
    items: Sequence[Mapping[str, Any]] = tuple(ALL),
    texts: Mapping[str, Any] = {"rulers": TEXT, "games": {}},
) -> Path:
    """Write a dataset of these items and declarations, with its tables and its manifest."""
    write_table(folder / FAMILY / "items", items, ITEMS)
    rulers = [
        build_row(n, "rulers", {"Country": r[0], "Role": r[1], "Name": r[2]}, r[3:]) for n, r in enumerate(LEADERS)
    ]
    games = [build_row(50 + n, "games", {"Game": g[0], "Country": g[1]}, g[2:]) for n, g in enumerate(GAMES)]
    write_table(folder / FAMILY / "rows", [*rulers, *games], ROWS)
    declared = [
        {"declaration": name, "is_private": True, "source": f"{name}.csv", "ends": "handover", "text": json.dumps(text)}
        for name, text in texts.items()
    ]
    write_table(folder / FAMILY / "declarations", declared, DECLARATIONS)
    alias = {"answer": "Ines Kerr", "scope": "rulers/Name", "kind": "alias", "text": "I. K. Kerr"}
    write_table(folder / FAMILY / "accepted_answers", [alias], ACCEPTED_ANSWERS)
    plan = {"items": {"table": "items", "id": "item_id"}, "checks": []}
    write_checks(folder, {f"{FAMILY}/checks.json": json.dumps(plan)})
    write_manifest(folder, window={"start": "1980-01-01", "end": "2025-01-02"}, lists=[])
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    counts = {split: sum(item["split"] == split for item in items) for split in ("train", "test")}
    manifest["families"][FAMILY]["counts"] = {"split": {name: count for name, count in counts.items() if count}}
    manifest |= {"version": "tiny", "snapshot": "2026-11-01", "templates_hash": "0123456789abcdef"}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def build_row(number: int, declaration: str, fields: Mapping[str, str], times: Sequence[str | None]) -> dict[str, Any]:
    """A row of a temporal table, its times to the day."""
    start, end = (None if text is None else dt.date.fromisoformat(text) for text in times)
    return {
        "row_id": number,
        "declaration": declaration,
        "fields": list(fields.items()),
        "stated_start": times[0],
        "stated_end": times[1],
        "start_precision": 11,
        "end_precision": 11 if end else None,
        "earliest_start": start,
        "latest_start": start,
        "earliest_end": end,
        "latest_end": end,
    }
