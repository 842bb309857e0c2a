"""A dataset of IMPLIRET without Spark: pools of two small sets each, with landmarks and countries that are invented."""

from __future__ import annotations

import datetime as dt
import struct
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import xxhash

from everwhen.core.table import Table
from everwhen.families.family_build import read_files
from everwhen.families.impliret import config
from everwhen.families.impliret.config import ImpliretSettings, Pool
from everwhen.families.impliret.draws.sets import TupleSet, load_words
from everwhen.families.impliret.tables import PUBLISHED, TUPLES
from everwhen.families.impliret.texts.compose import compose
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

FAMILY = config.NAME
SEED = "tests"
CHECKS = Path(config.__file__).with_name("checks")

SIZES = {
    "arithmetic_multi": 6,
    "arithmetic_uni": 6,
    "temporal_multi": 5,
    "temporal_uni": config.SCHEDULE,
    "wknow_multi": 4,
    "wknow_uni": 4,
}
"""Tuples of a set by the kind of its pool."""
SETS = 2

Row = dict[str, Any]

TYPES = {
    "bigint": pa.int64(),
    "int": pa.int32(),
    "string": pa.string(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "decimal(4,2)": pa.decimal128(4, 2),
    "array<string>": pa.list_(pa.string()),
    "array<int>": pa.list_(pa.int32()),
    "array<date>": pa.list_(pa.date32()),
}

STATE = 3624078
"""The class of sovereign states."""
MUSEUM, CAPITAL, TOWN = 1, 2, 3
"""What the ids of a museum, of the capital and of the town where it is are above that of its country."""


def hash_chain(*numbers: int | str) -> int:
    """The id that the documented hash gives; a text counts as its own hash."""
    value = 42
    for each in numbers:
        number = xxhash.xxh64(each.encode(), seed=42).intdigest() if isinstance(each, str) else each
        value = xxhash.xxh64(struct.pack("<Q", number), seed=value).intdigest()
    return value % 2**63


def find_split(set_id: int) -> str:
    """The split that the documented hash gives."""
    salt = xxhash.xxh64(f"{SEED}\x1fsplit".encode(), seed=42).intdigest()
    value = xxhash.xxh64(struct.pack("<Q", set_id), seed=salt).intdigest()
    bucket = (value - 2**64 if value >= 2**63 else value) % 100
    return "train" if bucket < 80 else "validation" if bucket < 90 else "test"


@dataclass
class Tables:
    """The tables of a pool, each in the order of its sets and of their places."""

    tuples: list[Row]
    documents: list[Row]
    queries: list[Row]
    qrels: list[Row]
    statements: list[Row]
    labels: dict[int, str]

    def compose(self, *numbers: int) -> None:
        """Derive and compose what follows from tuples, by their numbers: dates, text, query, answer and lures."""
        for number in numbers:
            row = self.tuples[number]
            written = compose(row, SEED)
            self.retell(number, str(written["document"]))
            self.documents[number]["opening"] = written["opening"]
            self.queries[number] |= {"text": written["query"], "answer": [find_answer(row)]}
        self.find_lures()

    def find_lures(self) -> None:
        """Find whose date another message bears."""
        for row, query in zip(self.tuples, self.queries, strict=True):
            others = {each["message_date"] for each in self.tuples if each["set_id"] == row["set_id"]}
            query["has_lure"] = row["asked_date"] in others

    def retell(self, number: int, text: str) -> None:
        """Change a document, and the number of its words."""
        self.documents[number] |= {"text": text, "words": len(text.split())}

    def replace(self, number: int, old: str, new: str) -> None:
        """Replace words of a document."""
        text = self.documents[number]["text"]
        assert old in text, text
        self.retell(number, text.replace(old, new))

    def share(self, name: str) -> None:
        """Give all tuples of the second set what those of the first have in a column."""
        size = len(self.tuples) // SETS
        for number, row in enumerate(self.tuples[size:]):
            row[name] = self.tuples[number][name]


def find_answer(row: Row) -> str:
    """Find the answer of a query."""
    if row["price"] is not None:
        return f"{row['brand']} {row['item'] if row['model'] is None else row['model']}"
    return str(row["activity"] or row["purpose"] or row["speaker"])


def build_pool(kind: str, copy: int = 1) -> Tables:
    """Build the sound tables of a pool; of each copy the landmarks are others."""
    category, style = kind.split("_")
    pool = Pool(kind + (f"_{copy}" if copy > 1 else ""), category, style)  # type: ignore[arg-type]
    settings = ImpliretSettings(sets=SETS, tuples=SIZES[kind])
    countries = [1000 * copy + 10 * number + (500 if style == "uni" else 0) for number in range(settings.tuples + 1)]
    tables = Tables([], [], [], [], [], {})
    if category == "wknow":
        for country in countries:
            add_country(tables, country)
    for number in range(SETS):
        for row in TupleSet(SEED, pool, number, settings, load_words()).draw():
            if category == "wknow":
                row |= locate(tables, countries[number + row["place"]])
            add_tuple(tables, pool, number, row)
    tables.compose(*range(len(tables.tuples)))
    return tables


def add_tuple(tables: Tables, pool: Pool, number: int, drawn: Row) -> None:
    """Add a tuple that was drawn, with all that it implies."""
    row: Row = dict.fromkeys(column.name for column in TUPLES.columns)
    keys: Row = {"pool": pool.name, "set_id": hash_chain(SEED, FAMILY, "set", pool.name, number)}
    ids = {
        name: hash_chain(SEED, FAMILY, what, pool.name, number, drawn["place"])
        for name, what in (("query_id", "query"), ("doc_id", "document"))
    }
    row |= {**drawn, **keys, **ids, "set_number": number, "category": pool.category, "style": pool.style}
    derive(row)
    asked = {"category": pool.category, "style": pool.style, "split": find_split(keys["set_id"])}
    tables.tuples.append(row)
    tables.documents.append({"doc_id": row["doc_id"], **keys, "verbalised_by": "grammar"})
    tables.queries.append({"query_id": row["query_id"], **keys, **asked})
    tables.qrels.append({**ids, "grade": 1})


def derive(row: Row) -> None:
    """Derive the price and the dates of a tuple."""
    if row["base_price"] is not None:
        sign = 1 if row["direction"] == "higher" else -1
        ratio = Decimal(100 + sign * row["percent"]) / 100 if row["factor"] is None else Decimal(row["factor"]) ** sign
        row["price"] = round(row["base_price"] * ratio)
    if row["offsets"] is not None:
        row["dates"] = [row["message_date"] + dt.timedelta(days) for days in row["offsets"]]
        row["asked_date"] = row["dates"][row.pop("asked_index", 0)]


def name_invented(number: int) -> str:
    """Invent a name; no two numbers below a hundred thousand have the same."""
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    return "".join(
        consonants[number // 70**place % 14] + vowels[number // (14 * 70**place) % 5] for place in range(3)
    ).capitalize()


def add_country(tables: Tables, country: int) -> None:
    """Add a country with its capital, and a museum in another town."""
    named = {country: "ria", country + MUSEUM: "n Museum", country + CAPITAL: "grad", country + TOWN: "ville"}
    tables.labels |= {item: name_invented(item) + ending for item, ending in named.items()}
    demonym = {"value_item": None, "value_text": tables.labels[country] + "n"}
    tables.statements += [
        build_statement(country, 31, STATE),
        build_statement(country, 36, country + CAPITAL),
        build_statement(country, 1549, country) | demonym,
        build_statement(country + MUSEUM, 31, 33506),
        build_statement(country + MUSEUM, 17, country),
        build_statement(country + MUSEUM, 131, country + TOWN),
    ]


def locate(tables: Tables, country: int) -> Row:
    """The landmark of a tuple, and its country."""
    museum, name = country + MUSEUM, tables.labels[country + MUSEUM]
    return {
        "landmark": museum,
        "landmark_name": name,
        "landmark_phrase": f"the {name}",
        "country": country,
        "country_name": tables.labels[country],
        "country_phrase": tables.labels[country],
        "statement_ids": [f"Q{museum}$P{property_}-a" for property_ in (31, 17)],
    }


def write_dataset(folder: Path, pools: Sequence[Tables]) -> Path:
    """Write a dataset of pools, with its checks and its manifest."""
    rows = ("queries", "documents", "qrels", "tuples")
    for table, name in zip(PUBLISHED, rows, strict=True):
        write_table(folder / FAMILY / name, [row for pool in pools for row in getattr(pool, name)], find_schema(table))
    labels = [label for pool in pools for label in pool.labels.items()]
    named = [{"item": item, "label": label, "aliases": []} for item, label in labels]
    borne = [{"item": item, "kind": "label", "text": label, "key": label.lower()} for item, label in labels]
    write_table(folder / "facts/statements", [row for pool in pools for row in pool.statements], STATEMENTS)
    write_table(folder / "facts/entities", named, ENTITIES)
    write_table(folder / "facts/labels", [{**row, "classes": [], "memberships": []} for row in borne], BORNE)
    write_table(folder / "facts/subclasses", [{"class": STATE, "root": STATE}], SUBCLASSES)
    write_table(folder / "facts/popularity", [], POPULARITY)
    files = add_shared_checks(read_files(CHECKS))
    write_checks(folder, load_shared_checks() | {f"{FAMILY}/{path}": text for path, text in files.items()})
    window = {"start": "1900-01-01", "end": "2030-12-31"}
    write_manifest(folder, window=window, lists=[], seed=SEED, splits={"train": 80, "validation": 10, "test": 10})
    return folder


@cache
def find_schema(table: Table) -> pa.Schema:
    """The schema of a table as parquet has it."""
    return pa.schema([(column.name, TYPES[column.type]) for column in table.columns])


def verify_pools(folder: Path, pools: Sequence[Tables]) -> list[dict[str, int]]:
    """Verify a dataset of some pools: of each, how many items are wrong by the name of the check."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wrong_items, "EXAMPLES_OF_EACH", "CREATE TABLE shown AS SELECT * FROM wrong")
        found = verify(write_dataset(folder, pools)).families[FAMILY]
    whose = {query["query_id"]: number for number, pool in enumerate(pools) for query in pool.queries}
    wrong: list[dict[str, int]] = [defaultdict(int) for _ in pools]
    for example in found.examples:
        wrong[whose[int(example.item_id)]][example.check] += 1
    return wrong
