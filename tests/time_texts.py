"""A dataset of TimE without Spark: one text about a few players, and a question of each subtask, made by hand."""

from __future__ import annotations

import datetime as dt
import re
import struct
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import xxhash

from everwhen.families.time_benchmark.build import read_checks
from everwhen.validate import wrong_items
from everwhen.validate.shared_checks import add_shared_checks
from everwhen.validate.verify import verify
from tiny_dataset import (
    BORNE,
    ENTITIES,
    POPULARITY,
    STATEMENTS,
    SUBCLASSES,
    build_statement,
    load_shared_checks,
    write_checks,
    write_manifest,
    write_table,
)

FAMILY = "time_benchmark"
SEED = "tests"

ADA, BO, CY, DEE, ELI, FAY = 1, 2, 3, 4, 5, 6
CLUB = 21
NORTHGATE, SOUTHAM, WESTFORD, EASTBURY, MIDVALE = 11, 12, 13, 14, 15
LABELS = {
    ADA: "Ada Stone",
    BO: "Bo Reed",
    CY: "Cy Marsh",
    DEE: "Dee Park",
    ELI: "Eli Hart",
    FAY: "Fay Lund",
    NORTHGATE: "Northgate F.C.",
    SOUTHAM: "Southam United",
    WESTFORD: "Westford Town",
    EASTBURY: "Eastbury Rovers",
    MIDVALE: "Midvale City",
}

Row = dict[str, Any]

ITEMS = pa.schema(
    [
        ("item_id", pa.int64()),
        ("level", pa.int8()),
        ("task", pa.string()),
        ("form", pa.string()),
        ("context_id", pa.int64()),
        ("question", pa.string()),
        ("options", pa.list_(pa.string())),
        ("option_kinds", pa.list_(pa.string())),
        ("answer", pa.list_(pa.string())),
        ("accepted", pa.list_(pa.list_(pa.string()))),
        ("answer_type", pa.string()),
        ("evidence", pa.list_(pa.string())),
        ("parameters", pa.map_(pa.string(), pa.string())),
        ("is_refusal", pa.bool_()),
        ("words", pa.int32()),
        ("split", pa.string()),
    ]
)
CONTEXTS = pa.schema(
    [
        ("context_id", pa.int64()),
        ("root", pa.int64()),
        ("entities", pa.list_(pa.int64())),
        ("text", pa.string()),
        ("rewriting", pa.string()),
        ("words", pa.int32()),
        ("facts", pa.int32()),
        ("split", pa.string()),
    ]
)
MENTIONS = pa.schema(
    [
        ("context_id", pa.int64()),
        ("statement_id", pa.string()),
        ("position", pa.int32()),
        ("story", pa.int32()),
        ("entity", pa.int64()),
        ("is_asked", pa.bool_()),
        ("sentence", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
    ]
)


def state(subject: int, value: int, name: str, property_: int = 54, **times: str) -> Row:
    """A statement that a player was in a team, or a spouse."""
    return build_statement(subject, property_, value, name=name, **times)  # type: ignore[arg-type]


STORIES: Sequence[tuple[int, Sequence[tuple[str, Row]]]] = (
    (
        ADA,
        (
            (
                "From 1990 to 1992, Ada Stone was a player for Northgate F.C.",
                state(ADA, NORTHGATE, "a", start="1990", end="1992"),
            ),
            (
                "Ada Stone joined Southam United as a player in 1994 and left in 1996.",
                state(ADA, SOUTHAM, "b", start="1994", end="1996"),
            ),
            (
                "Ada Stone married Bo Reed on May 4, 1995, and the marriage ended on June 10, 2000.",
                state(ADA, BO, "a", 26, start="1995-05-04", end="2000-06-10"),
            ),
            (
                "Ada Stone played for Westford Town from 1999 to 2003.",
                state(ADA, WESTFORD, "c", start="1999", end="2003"),
            ),
        ),
    ),
    (
        BO,
        (
            (
                "Bo Reed joined Southam United as a player in 1987 and left in 1988.",
                state(BO, SOUTHAM, "a", start="1987", end="1988"),
            ),
            (
                "Bo Reed, who joined Eastbury Rovers as a player in 1997, stayed until 2001.",
                state(BO, EASTBURY, "b", start="1997", end="2001"),
            ),
            ("On July 1, 2004, Bo Reed married Fay Lund.", state(BO, FAY, "b", 26, start="2004-07-01")),
            (
                "Bo Reed played for Northgate F.C. from 2005 to 2008.",
                state(BO, NORTHGATE, "c", start="2005", end="2008"),
            ),
        ),
    ),
    (
        WESTFORD,
        (
            (
                "Dee Park played for Westford Town from 1970 to 1972.",
                state(DEE, WESTFORD, "a", start="1970", end="1972"),
            ),
            ("Eli Hart played for Westford Town until 1980.", state(ELI, WESTFORD, "a", end="1980")),
            ("Cy Marsh began to play for Westford Town in 2006.", state(CY, WESTFORD, "a", start="2006")),
        ),
    ),
)

UNTOLD: Sequence[Row] = (
    state(ADA, MIDVALE, "d", start="1985", end="1986") | {"rank": "deprecated"},
    state(ADA, NORTHGATE, "e", start="1990", end="1992"),  # the same fact, stated again
    state(BO, ADA, "c", 26, start="1995-05-04", end="2000-06-10"),  # the same marriage, from its other side
    state(CY, MIDVALE, "b"),
    *(build_statement(club, 31, CLUB, name="class") for club in (NORTHGATE, SOUTHAM, WESTFORD, EASTBURY, MIDVALE)),
)


def hash_chain(*numbers: int | str) -> int:
    """The id that the documented hash gives; a text counts as its own hash."""
    value = 42
    for each in numbers:
        number = xxhash.xxh64(each.encode(), seed=42).intdigest() if isinstance(each, str) else each
        value = xxhash.xxh64(struct.pack("<Q", number % 2**64), seed=value).intdigest()
    return value % 2**63


CONTEXT = hash_chain(SEED, FAMILY, ADA)


@dataclass
class Tables:
    """What a dataset has."""

    statements: list[Row]
    mentioned: list[Row]
    contexts: list[Row]
    items: dict[str, Row]
    labels: dict[int, str] = field(default_factory=lambda: dict(LABELS))

    def find_told(self, statement: str) -> Row:
        """Find the row that mentions a statement."""
        return next(row for row in self.mentioned if row["statement_id"] == statement)

    def find_statement(self, statement: str) -> Row:
        """Find a statement."""
        return next(row for row in self.statements if row["statement_id"] == statement)

    def join(self) -> None:
        """Join the text of the sentences again, and place them."""
        text = ""
        for place, row in enumerate(self.mentioned):
            is_first = place == 0 or self.mentioned[place - 1]["story"] != row["story"]
            text += "" if place == 0 else "\n\n" if is_first else " "
            row |= {"position": place, "start": len(text), "end": len(text) + len(row["sentence"])}
            text += row["sentence"]
        words = len(text.split())
        self.contexts[0] |= {"text": text, "words": words, "facts": len(self.mentioned)}
        for item in self.items.values():
            item["words"] = words

    def retell(self, statement: str, old: str, new: str) -> None:
        """Change the words of a sentence, and nothing that it is said to state."""
        row = self.find_told(statement)
        assert old in row["sentence"]
        row["sentence"] = row["sentence"].replace(old, new)
        self.join()


def build_tables() -> Tables:
    """Build the tables of a sound dataset."""
    mentioned = [
        {"context_id": CONTEXT, "story": story, "entity": entity, "is_asked": True, "sentence": sentence}
        | {"statement_id": statement["statement_id"]}
        for story, (entity, facts) in enumerate(STORIES)
        for sentence, statement in facts
    ]
    stated = [statement for _, facts in STORIES for _, statement in facts] + list(UNTOLD)
    context = {"context_id": CONTEXT, "root": ADA, "entities": [entity for entity, _ in STORIES]}
    context |= {"split": find_split(ADA), "rewriting": None}
    tables = Tables(
        [dict(row) for row in stated], mentioned, [context], {name_item(item): item for item in list_items()}
    )
    tables.join()
    return tables


def name_item(item: Row) -> str:
    """Name an item by its task, and a second form of a task as a choice."""
    is_choice = item["form"] == "single" and item["task"] not in FORMS
    return f"{item['task']} choice" if is_choice else item["task"]


def find_split(root: int) -> str:
    """The split that the documented hash gives."""
    salt = xxhash.xxh64(f"{SEED}\x1fsplit".encode(), seed=42).intdigest()
    value = xxhash.xxh64(struct.pack("<Q", root), seed=salt).intdigest()
    bucket = (value - 2**64 if value >= 2**63 else value) % 100
    return "train" if bucket < 80 else "validation" if bucket < 90 else "test"


def list_items() -> list[Row]:
    """List a question of each subtask, in the order of their levels."""
    ada = {"entity": "Q1", "property": "P54", "side": "subject"}
    bo = ada | {"entity": "Q2"}
    ada_facts = ["Q1$P54-a", "Q1$P54-b", "Q1$P54-c"]
    shown = ["Q2$P54-b", "Q1$P54-a", "Q3$P54-a", "Q1$P26-a", "Q2$P54-a", "Q1$P54-c", "Q2$P54-c", "Q1$P54-b"]
    clauses = [
        "Bo Reed began to play for Eastbury Rovers",
        "Ada Stone began to play for Northgate F.C.",
        "Cy Marsh began to play for Westford Town",
        "Ada Stone married Bo Reed",
        "Bo Reed began to play for Southam United",
        "Ada Stone began to play for Westford Town",
        "Bo Reed began to play for Northgate F.C.",
        "Ada Stone began to play for Southam United",
    ]
    return [
        ask(
            "extract",
            1,
            "Which of these dates appear in the text?",
            ["1990", "May 4, 1995"],
            ["Q1$P54-a", "Q1$P26-a"],
            {"times": "1985; 1990; May 4, 1995; 1991"},
            options=["1985", "1990", "May 4, 1995", "1991", "None of these"],
            other="shifted",
        ),
        ask(
            "localization",
            1,
            "When did Ada Stone play for Southam United?",
            ["From 1994 to 1996"],
            ["Q1$P54-b"],
            {"statement": "Q1$P54-b"},
        ),
        ask(
            "computation",
            1,
            "How long was it from the day on which Ada Stone married Bo Reed to the day on which Bo Reed married Fay"
            " Lund?",
            ["9 years 1 month 27 days"],
            ["Q1$P26-a", "Q2$P26-b"],
            {"from": "begin Q1$P26-a", "to": "begin Q2$P26-b"},
            accepted=[["9 years, 1 month and 27 days", f"{(dt.date(2004, 7, 1) - dt.date(1995, 5, 4)).days} days"]],
        ),
        ask(
            "duration_compare",
            1,
            "Which of these was true for longer?",
            ["Ada Stone played for Westford Town"],
            ["Q1$P54-c", "Q2$P54-a"],
            {"one": "hold Q1$P54-c", "two": "hold Q2$P54-a", "asked": "fact"},
            options=[
                "Ada Stone played for Westford Town",
                "Bo Reed played for Southam United",
            ],
        ),
        ask(
            "order_compare",
            1,
            "Which happened first?",
            ["Ada Stone stopped playing for Northgate F.C."],
            ["Q1$P54-a", "Q2$P54-b"],
            {"one": "begin Q2$P54-b", "two": "end Q1$P54-a", "asked": "which"},
            options=[
                "Bo Reed began to play for Eastbury Rovers",
                "Ada Stone stopped playing for Northgate F.C.",
            ],
        ),
        ask(
            "explicit_reasoning",
            2,
            "Which teams did Ada Stone play for at any time from 1991 to 1998?",
            ["Northgate F.C.", "Southam United"],
            ["Q1$P54-a", "Q1$P54-b"],
            ada | {"first": "1991", "last": "1998"},
        ),
        ask(
            "order_reasoning",
            2,
            "What was the second team that Ada Stone joined?",
            ["Southam United"],
            ada_facts,
            ada | {"k": "2"},
        ),
        ask(
            "relative_reasoning",
            2,
            "What was the last team that Ada Stone joined before Bo Reed began to play for Eastbury Rovers?",
            ["Southam United"],
            [*ada_facts, "Q2$P54-b"],
            ada | {"anchor": "Q2$P54-b", "direction": "before"},
        ),
        ask(
            "co_temporality",
            3,
            "Which teams did Bo Reed play for while Ada Stone played for Westford Town?",
            ["Eastbury Rovers"],
            ["Q1$P54-c", "Q2$P54-b"],
            bo | {"anchor": "Q1$P54-c"},
        ),
        ask(
            "timeline",
            3,
            "Put these events in chronological order, the earliest first:\n"
            + "\n".join(f"({n}) {clause}" for n, clause in enumerate(clauses, 1)),
            ["(5)(2)(8)(4)(1)(6)(7)(3)"],
            shown,
            {"shown": " ".join(shown)},
        ),
        ask(
            "counterfactual",
            3,
            "If Ada Stone had played for Southam United from 2007 to 2009 and at no other time, which teams would Ada"
            " Stone have played for at any time from 1991 to 1998?",
            ["Northgate F.C."],
            ["Q1$P54-a", "Q1$P54-b"],
            ada
            | {"first": "1991", "last": "1998", "moved": "Q1$P54-b", "moved_first": "2007", "moved_last": "2009"}
            | {"effect": "other"},
        ),
        *list_choices(),
    ]


def list_choices() -> list[Row]:
    """List a choice between names of each subtask with two forms."""
    ada = {"entity": "Q1", "property": "P54", "side": "subject"}
    moved = {"moved": "Q1$P54-b", "moved_first": "2007", "moved_last": "2009", "effect": "other"}
    if_ = (
        "If Ada Stone had played for Southam United from 2007 to 2009 and at no other time, which teams would Ada Stone"
    )
    return [
        choose(
            "explicit_reasoning",
            "Which teams did Ada Stone play for at any time from 1991 to 1993?",
            ["Q1$P54-a"],
            ada | {"first": "1991", "last": "1993"},
            {"Westford Town": "wrong_time", "Northgate F.C.": "right"}
            | {"Midvale City": "unmentioned", "Southam United": "wrong_time"},
        ),
        choose(
            "order_reasoning",
            "What was the third team that Ada Stone joined?",
            ["Q1$P54-a", "Q1$P54-b", "Q1$P54-c"],
            ada | {"k": "3"},
            {"Eastbury Rovers": "other_timeline", "Westford Town": "right"}
            | {"Northgate F.C.": "wrong_time", "Midvale City": "unmentioned"},
        ),
        choose(
            "relative_reasoning",
            "Suppose today is March 9, 1998. What was the last team that Ada Stone joined?",
            ["Q1$P54-a", "Q1$P54-b", "Q1$P54-c"],
            ada | {"date": "1998-03-09", "direction": "before"},
            {"Southam United": "right", "Westford Town": "wrong_time"}
            | {"Northgate F.C.": "wrong_time", "Midvale City": "unmentioned"},
        ),
        choose(
            "co_temporality",
            "Which teams did Bo Reed play for while Ada Stone played for Westford Town?",
            ["Q1$P54-c", "Q2$P54-b"],
            ada | {"entity": "Q2", "anchor": "Q1$P54-c"},
            {"Southam United": "wrong_time", "Midvale City": "unmentioned"}
            | {"Northgate F.C.": "wrong_time", "Eastbury Rovers": "right"},
        ),
        choose(
            "counterfactual",
            f"{if_} have played for at any time from 1991 to 1998?",
            ["Q1$P54-a", "Q1$P54-b"],
            ada | {"first": "1991", "last": "1998"} | moved,
            {"Southam United": "wrong_time", "Northgate F.C.": "right"}
            | {"Midvale City": "unmentioned", "Westford Town": "wrong_time"},
        ),
    ]


def choose(
    task: str, question: str, evidence: list[str], parameters: Mapping[str, str], options: Mapping[str, str]
) -> Row:
    """Build a choice between names, given with their kinds."""
    answer = [name for name, kind in options.items() if kind == "right"]
    level = 3 if task in ("co_temporality", "counterfactual") else 2
    item = ask(task, level, question, answer, evidence, parameters, options=[*options])
    return identify(item | {"form": "single", "answer_type": "single_choice", "option_kinds": [*options.values()]})


TYPES = {"extract": "multiple_choice", "localization": "time", "computation": "duration", "timeline": "order"}
FORMS = {"extract": "multiple", "duration_compare": "single", "order_compare": "single"}


def ask(
    task: str,
    level: int,
    question: str,
    answer: list[str],
    evidence: list[str],
    parameters: Mapping[str, str],
    *,
    options: Sequence[str] = (),
    other: str = "other",
    accepted: Sequence[Sequence[str]] = (),
) -> Row:
    """Build an item; its id follows from what it asks."""
    form = FORMS.get(task, "free")
    kinds = ["right" if o in answer else "none" if o == "None of these" else other for o in options]
    row = {
        "level": level,
        "task": task,
        "form": form,
        "context_id": CONTEXT,
        "question": question,
        "options": list(options),
        "option_kinds": kinds,
        "answer": answer,
        "accepted": list(accepted) or [[] for _ in answer],
        "answer_type": TYPES.get(task, "single_choice" if form == "single" else "name"),
        "evidence": sorted(evidence),
        "parameters": dict(parameters),
        "is_refusal": False,
        "split": find_split(ADA),
    }
    return identify(row)


def identify(item: Row) -> Row:
    """Give an item the id of what it asks."""
    asked = {name: value for name, value in item["parameters"].items() if name != "effect"}
    key = "\x1f".join(sorted(f"{name}={value}" for name, value in asked.items()))
    item["item_id"] = hash_chain(SEED, item["context_id"], item["task"], item["form"], key)
    return item


def shift(tables: Tables, by: int) -> Tables:
    """Say all that tables say of other entities, with the same names: of each the id is so much greater.

    Ids and splits that were right are those of the new text; others stay wrong.
    """
    split = find_split(ADA)
    root, context = ADA + by, hash_chain(SEED, FAMILY, ADA + by)

    def move(value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(r"\bQ([0-9]+)\b", lambda found: f"Q{int(found[1]) + by}", value)
        if isinstance(value, list):
            return [move(each) for each in value]
        return {key: move(each) for key, each in value.items()} if isinstance(value, dict) else value

    def place(row: Row) -> Row:
        moved = move(row) | {"context_id": context}
        if "split" in row:
            others = {"train", "validation", "test"} - {find_split(root)}
            moved["split"] = find_split(root) if row["split"] == split else min(others)
        return moved

    statements = [
        move(row) | {"subject": row["subject"] + by, "value_item": row["value_item"] + by} for row in tables.statements
    ]
    mentioned = [place(row) | {"entity": row["entity"] + by} for row in tables.mentioned]
    contexts = [place(row) | {"root": root, "entities": [e + by for e in row["entities"]]} for row in tables.contexts]
    items = {}
    for task, item in tables.items.items():
        wrong_by = item["item_id"] - identify(dict(item))["item_id"]
        items[task] = identify(place(item))
        items[task]["item_id"] += wrong_by
    return Tables(statements, mentioned, contexts, items, {item + by: label for item, label in tables.labels.items()})


def write_dataset(folder: Path, parts: Sequence[Tables]) -> Path:
    """Write a dataset of the tables of some texts, with its checks and its manifest."""
    write_table(folder / FAMILY / "items", [item for part in parts for item in part.items.values()], ITEMS)
    tested = [item for part in parts for item in part.items.values() if item["split"] == "test"]
    in_sets = pa.schema([("item_set", pa.string()), *ITEMS])
    chosen = [{"item_set": name, **item} for name in ("lite", "lite-paper") for item in tested]
    write_table(folder / FAMILY / "item_sets", chosen, in_sets)
    write_table(folder / FAMILY / "contexts", [row for part in parts for row in part.contexts], CONTEXTS)
    write_table(folder / FAMILY / "fact_mentions", [row for part in parts for row in part.mentioned], MENTIONS)
    write_table(folder / "facts/statements", [row for part in parts for row in part.statements], STATEMENTS)
    labels = [label for part in parts for label in part.labels.items()]
    named = [{"item": item, "label": label, "aliases": []} for item, label in labels]
    write_table(folder / "facts/entities", named, ENTITIES)
    borne = [{"item": item, "kind": "label", "text": label, "key": label.lower()} for item, label in labels]
    write_table(folder / "facts/labels", [{**row, "classes": [], "memberships": []} for row in borne], BORNE)
    write_table(folder / "facts/subclasses", [], SUBCLASSES)
    write_table(folder / "facts/popularity", [], POPULARITY)
    files = add_shared_checks(cut_patterns(read_checks()))
    write_checks(folder, load_shared_checks() | {f"{FAMILY}/{path}": text for path, text in files.items()})
    window = {"start": "1900-01-01", "end": "2030-12-31"}
    write_manifest(folder, window=window, lists=[], seed=SEED, splits={"train": 80, "validation": 10, "test": 10})
    return folder


def cut_patterns(files: Mapping[str, str]) -> dict[str, str]:
    """Cut the patterns of sentences to those of the properties in use: of all others none is read."""
    pattern = re.compile(r"^    \((?!26,|39,|54,|463,)\d+, '(?:[a-z ]+)', '.*'\),?\n", re.M)
    prose = pattern.sub("", files["prose.sql"])
    return {**files, "prose.sql": re.sub(r",\n\) AS written", "\n) AS written", prose)}


def verify_texts(folder: Path, texts: Sequence[Tables]) -> list[dict[str, set[str]]]:
    """Verify a dataset of some texts, each about other entities: by task of each wrong item, what finds it wrong."""
    parts = [shift(tables, 100 * number) for number, tables in enumerate(texts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wrong_items, "EXAMPLES_OF_EACH", "CREATE TABLE shown AS SELECT * FROM wrong")
        found = verify(write_dataset(folder, parts)).families[FAMILY]
    assert found.checked == sum(len(part.items) for part in parts)
    whose = {item["item_id"]: number for number, part in enumerate(parts) for item in part.items.values()}
    wrong: list[dict[str, set[str]]] = [defaultdict(set) for _ in parts]
    for example in found.examples:
        wrong[whose[int(example.item_id)]][example.group].add(example.check)
    return wrong
