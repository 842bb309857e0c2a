"""Files under the keys of IMPLIRET's own release: written, and read as a collection or with responses."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import LayoutFile
from everwhen.evaluate.predictions import read_prediction
from everwhen.evaluate.retrieval.declaration import CollectionRows
from everwhen.evaluate.retrieval.lines import read_objects, require_id, require_new_id, require_text
from everwhen.families.impliret.evaluation.questions import read_question

LAYOUT = "impliret"
SLICES = ("category", "style", "pool", "has_lure")
POOL = re.compile(r"(?:arithmetic|temporal|wknow)_(?:multi|uni)(?:_(?:[2-9]|[1-9][0-9]+))?")

SQL = """SELECT q.query_id AS id, q.set_id AS tuple_set_id, d.opening AS forum_question, d.text AS pos_document,
    q.text AS question, q.answer[1] AS answer,
    concat_ws(' ## ', 'message_date: ' || t.message_date,
        'offset_days: ' || array_to_string(list_transform(t.offsets, lambda days: CASE
            WHEN days > 0 THEN 'in ' || days || ' days' ELSE -days || ' days ago' END), ', '),
        'base_price: ' || t.base_price, 'percent: ' || t.percent, 'factor: ' || t.factor, 'direction: ' || t.direction,
        'landmark: ' || t.landmark_name) AS explicit_hint,
    q.pool
FROM items q JOIN qrels r USING (query_id) JOIN documents d USING (doc_id) JOIN tuples t ON t.query_id = q.query_id
ORDER BY q.pool, t.set_number, t.place"""
"""The queries with their documents as the release has them; `pool` says in which pool a query belongs."""

_LIST = pa.list_(pa.string())
GOLD = pa.schema(
    [
        *(("item_id", pa.int64()), ("is_ordered", pa.bool_()), ("accepted", pa.list_(_LIST))),
        *((name, _LIST) for name in ("answer", "options", "set_answers")),
        *((name, pa.string()) for name in ("question", "answer_type", "value_type", "unit", "split", *SLICES)),
    ]
)

Row = dict[str, Any]


def read_collection(path: Path) -> CollectionRows:
    """Read a file as a collection: each line is a document, and the query that it answers.

    Raises:
        InputError: A line lacks a key, or has something else there; the message names both.
    """
    rows = read_rows(path)

    def select(*names: str, **renamed: str) -> pa.Table:
        columns = {name: name for name in names} | renamed
        return pa.table({name: [row[key] for row in rows] for name, key in columns.items()})

    return CollectionRows(
        documents=select("pool", "set_id", doc_id="id", text="document"),
        queries=select(*SLICES, "set_id", query_id="id", text="question"),
        qrels=select("grade", query_id="id", doc_id="id"),
    )


def read_responses(path: Path) -> LayoutFile:
    """Read a file with responses; the id of an item is a hash of its line without the response.

    Raises:
        InputError: As of `read_collection`, or a line has no response.
    """
    rows, predictions = [], {}
    for row in read_rows(path):
        item = _hash(row)
        predictions[item] = read_prediction(row["line"] | {"item_id": item}, {}, row["place"])
        gold = {"item_id": item, "answer": [row["answer"]], "accepted": [[]], "options": [], "is_ordered": False}
        rows.append(row | gold | {"answer_type": "name", "has_lure": "yes" if row["has_lure"] else "no"})
    return LayoutFile(pa.Table.from_pylist(rows, GOLD).sort_by("item_id"), predictions)


def read_rows(path: Path) -> list[Row]:
    """Read the lines of a file.

    Returns:
        Of each line id, set_id, document, question and answer as texts, the grade of its document, pool, category,
        style and has_lure, the answers to all queries of its set, its place, and the `line` itself.

    Raises:
        InputError: There is none, or one lacks a key or has something else there.
    """
    rows: dict[str, Row] = {}
    for place, line in read_objects(path):
        key = require_new_id(line, "id", place, rows)
        named = {"document": "pos_document", "question": "question", "answer": "answer"}
        row: Row = {name: require_text(line, key, place) for name, key in named.items()}
        row |= {"id": key, "set_id": require_id(line, "tuple_set_id", place), "place": place, "line": line, "grade": 1}
        rows[key] = row | {"pool": _require_pool(line, place) if "pool" in line else None}
    if not rows:
        raise InputError(f"{path}: no lines; JSON Lines with id, tuple_set_id, pos_document, question and answer")
    return _describe(list(rows.values()))


def _require_pool(line: Row, place: str) -> str:
    """Return the name of a pool, such as temporal_multi_2."""
    name = require_text(line, "pool", place)
    if not POOL.fullmatch(name):
        expected = "arithmetic, temporal or wknow is expected, then _multi or _uni, and for a copy its number from _2"
        raise InputError(f"{place}: pool {to_one_line(name)}: {expected}")
    return name


def _describe(rows: Sequence[Row]) -> list[Row]:
    """Describe each line by pool, category and style, and by its set: whether there is a lure, and all answers.

    Lines that name no pool are all of one: that of most of them.
    """
    asked = [read_question(row["question"]) for row in rows]
    styles = ["uni" if "\n" in row["document"].strip() else "multi" for row in rows]
    usual = Counter(f"{each.category}_{style}" for each, style in zip(asked, styles, strict=True)).most_common(1)[0][0]
    sets = _group_by_set(rows)
    described = []
    for row, each in zip(rows, asked, strict=True):
        of_set = sets[row["pool"], row["set_id"]]
        has_lure = any(other["document"][:10] == each.day for other in of_set if other is not row)
        pool = row["pool"] or usual
        category, style = pool.split("_")[:2]
        names = {"pool": pool, "category": category, "style": style, "has_lure": has_lure}
        described.append(row | names | {"set_answers": sorted({other["answer"] for other in of_set})})
    return described


def _group_by_set(rows: Sequence[Row]) -> Mapping[tuple[str | None, str], Sequence[Row]]:
    """Group lines by pool and set; sets of two pools may have the same id."""
    sets: dict[tuple[str | None, str], list[Row]] = defaultdict(list)
    for row in rows:
        sets[row["pool"], row["set_id"]].append(row)
    return sets


def _hash(row: Row) -> int:
    text = "\x1f".join(row[name] for name in ("id", "set_id", "document", "question", "answer"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
