"""Ids of items are those that docs/reference/stability.md describes, computed here without the package."""

from __future__ import annotations

import datetime as dt
import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import xxhash
from pyspark.sql import SparkSession

import temporal_tables as tables
from everwhen.core.config import Config
from everwhen.core.hashing import DuplicateIdError
from everwhen.families.tdbench.ids import number_items
from everwhen.families.tdbench.tables import DECLARATIONS, ITEMS
from everwhen.validate.verify import verify
from table_rows import build_table

POINTS = {name for name, declared in tables.DECLARED.items() if "end" not in declared["time"]}


def number_of(text: str) -> int:
    return xxhash.xxh64(text.encode(), seed=42).intdigest()


def day_of(day: dt.date | None, is_asked: bool) -> int:
    return int(day.strftime("%Y%m%d")) if day is not None and is_asked else -1


def or_none(value: int | bool | None) -> int:
    return -1 if value is None else int(value)


def id_of(item: Mapping[str, Any], seed: str = tables.SEED) -> int:
    """The id of an item, by its other columns."""
    relation, is_point = item["relation"], item["declaration"] in POINTS
    has_times = item.get("event") is None and item["task"] != "counting"
    one_end = {"finished_by": item["is_short"], "finishes": is_point, "after": True, "meets": True}
    one_start = {"started_by": item["is_short"], "starts": is_point, "before": True, "met_by": True}
    numbers = [*map(number_of, (seed, item["declaration"], item["task"], relation))]
    numbers += [int(item["is_short"]), item["wording"], len(item["given"])]
    numbers += [number_of(pair[name]) for pair in item["given"] for name in ("column", "value")]
    numbers += [len(item["hops"]), *(number_of(hop["column"]) for hop in item["hops"])]
    numbers += [len(item["asked"]), *map(number_of, item["asked"])]
    numbers += [number_of(item["granularity"] if has_times else "")]
    numbers += [day_of(item.get("b_start"), has_times and not one_end.get(relation, False))]
    numbers += [day_of(item.get("b_end"), has_times and not one_start.get(relation, False))]
    numbers += [or_none(item.get("offset_months"))]
    numbers += [day_of(item.get("as_of"), relation in ("after", "current", "counted"))]
    numbers += [or_none(item.get("counted")), or_none(item.get("is_at_least"))]
    value = 42
    for number in numbers:
        value = xxhash.xxh64(struct.pack("<Q", number % 2**64), seed=value).intdigest()
    return value % 2**63


def number_all(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**item, "item_id": id_of(item)} for item in items]


def find_wrong_ids(folder: Path, items: Iterable[Mapping[str, Any]]) -> set[int]:
    """The items of a dataset with the check of ids whose id is wrong."""
    dataset = tables.write_dataset(folder, items, checks_ids=True)
    plan = json.loads((dataset / "checks" / tables.FAMILY / "checks.json").read_text())
    assert "ids" in [check["name"] for check in plan["checks"]]
    _, wrong = tables.verify_all(dataset)
    return {item for item, names in wrong.items() if "id" in names}


def test_documented_ids_are_right_and_others_are_found(tmp_path: Path) -> None:
    items = number_all(tables.list_items())
    assert len({item["item_id"] for item in items}) == len(items)
    assert verify(tables.write_dataset(tmp_path / "sound", items, checks_ids=True)).passed
    changed = [dict(item) for item in items]
    wrong = {place: 7 + place for place in range(0, len(changed), 50)}
    for place, number in wrong.items():
        changed[place]["item_id"] = number
    assert find_wrong_ids(tmp_path / "wrong", changed) == set(wrong.values())


def test_another_seed_gives_other_ids(tmp_path: Path) -> None:
    items = [{**item, "item_id": id_of(item, "other")} for item in tables.list_items()[:20]]
    assert find_wrong_ids(tmp_path, items) == {item["item_id"] for item in items}


@pytest.mark.spark
def test_spark_gives_the_documented_ids(spark: SparkSession) -> None:
    items = [{**dict.fromkeys(column.name for column in ITEMS.columns), **item} for item in tables.list_items()]
    rows = [{**item, "context": item["context"] or []} for item in items]
    declared = build_table(
        spark, DECLARATIONS, [tables.describe_declaration(each) for each in tables.DECLARED.values()]
    )
    config = Config(version="v", snapshot="s", seed=tables.SEED)
    numbered = number_items(build_table(spark, ITEMS, rows), declared, config).select("item_id", "question").collect()
    assert {row.question: row.item_id for row in numbered} == {item["question"]: id_of(item) for item in items}
    same = [*rows, {**rows[0], "question": "Once more?"}]
    with pytest.raises(DuplicateIdError, match=r"belongs to two of them: .*Once more\?"):
        number_items(build_table(spark, ITEMS, same), declared, config)
