"""Item sets: how questions are selected, what a new snapshot changes, and what the check of a dataset finds."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from everwhen.families.complextempqa.checks.render import render_all_checks
from everwhen.families.complextempqa.tables import ITEM_SETS as SETS
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.validate.shared_checks import add_shared_checks
from everwhen.validate.verify import verify
from table_rows import build_table
from tiny_dataset import FAMILY, ITEM_SETS, RULES, SOUND, write_dataset, write_manifest

Stratum = tuple[str, bool, int, int | None]
"""Type, whether it is unnamed, rating, year."""

CHECK = add_shared_checks(render_all_checks())["item_sets.sql"]
SMALL = {"lite-1000": 12, "lite-10000": 40}
STRATA: tuple[Stratum, ...] = (
    ("1a", False, 0, 1991),
    ("1a", False, 0, 1999),
    ("1a", False, 0, 2001),
    ("1a", True, 1, None),
    ("1a", True, 1, 1990),
    ("2bc", False, 0, 1990),
    ("2bc", False, 1, 1990),
    ("3a", False, 1, 2000),
)


_db = duckdb.connect()
"""One for all that is derived: to connect takes longer than to derive."""


def derive(rows: Mapping[int, Stratum], sizes: Mapping[str, int] = SMALL) -> dict[str, set[int]]:
    """Derive the sets as the SQL does that ships with a dataset: of some strata by id, the ids of each set."""
    sql = CHECK.replace("[1000, 10000]", str(list(sizes.values())))
    table = pa.table(
        {
            "question_id": pa.array(rows, pa.int64()),
            **{
                name: pa.array([stratum[place] for stratum in rows.values()], kind)
                for place, (name, kind) in enumerate(
                    {"type": pa.string(), "is_unnamed": pa.bool_(), "rating": pa.int8(), "year": pa.int32()}.items()
                )
            },
            "split": pa.array(["test"] * len(rows)),
        }
    )
    _db.register("all_items", table)
    _db.begin()
    for statement in sql.split("CREATE TABLE due_rows")[0].split(";\n")[:-1]:
        _db.execute(statement)
    found: dict[str, set[int]] = {name: set() for name in sizes}
    for name, item in _db.execute("FROM due").fetchall():
        found[name].add(item)
    _db.rollback()
    return found


def number(seed: str) -> int:
    """A number that is as good as an id: a hash."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7], "big")


def populate(counts: Sequence[int], label: str = "") -> dict[int, Stratum]:
    """So many rows of each stratum."""
    return {
        number(f"{label}{place}/{n}"): stratum
        for place, (stratum, count) in enumerate(zip(STRATA, counts, strict=True))
        for n in range(count)
    }


COUNTS = st.lists(st.integers(0, 12), min_size=len(STRATA), max_size=len(STRATA))


def test_types_have_equal_shares_and_within_them_the_other_strata() -> None:
    rows = populate([9] * len(STRATA))
    chosen = derive(rows)["lite-1000"]
    assert Counter(rows[item][0] for item in chosen) == {"1a": 4, "2bc": 4, "3a": 4}
    assert Counter(rows[item][1] for item in chosen if rows[item][0] == "1a") == {False: 2, True: 2}
    assert Counter(rows[item][2] for item in chosen if rows[item][0] == "2bc") == {0: 2, 1: 2}


def test_what_a_stratum_lacks_is_shared_by_the_others() -> None:
    rows = populate([9, 9, 9, 9, 9, 1, 0, 9])
    assert Counter(rows[item][0] for item in derive(rows)["lite-1000"]) in (
        {"1a": 6, "2bc": 1, "3a": 5},
        {"1a": 5, "2bc": 1, "3a": 6},
    )


def test_a_stratum_gives_its_least_ids() -> None:
    rows = populate([0, 0, 0, 0, 0, 0, 0, 30])
    assert derive(rows)["lite-1000"] == set(sorted(rows)[:12])


def test_a_split_that_is_smaller_than_a_set_is_the_set() -> None:
    rows = populate([3, 0, 0, 0, 1, 0, 0, 2])
    assert derive(rows) == {"lite-1000": set(rows), "lite-10000": set(rows)}


@given(COUNTS)
@settings(max_examples=15, deadline=None)
def test_a_smaller_set_is_a_part_of_a_larger_one(counts: Sequence[int]) -> None:
    rows = populate(counts)
    found = derive(rows)
    assert found["lite-1000"] <= found["lite-10000"]
    assert {name: len(ids) for name, ids in found.items()} == {n: min(size, len(rows)) for n, size in SMALL.items()}


@given(COUNTS, st.data())
@settings(max_examples=25, deadline=None)
def test_rows_withdrawn_leave_all_others_in_their_sets(counts: Sequence[int], data: st.DataObject) -> None:
    rows = populate(counts)
    gone = data.draw(st.sets(st.sampled_from(sorted(rows)), max_size=8)) if rows else set()
    before, after = derive(rows), derive({item: stratum for item, stratum in rows.items() if item not in gone})
    for name in before:
        assert before[name] - gone <= after[name]
        assert len(after[name] - before[name]) <= len(before[name] & gone)


@given(COUNTS, COUNTS)
@settings(max_examples=25, deadline=None)
def test_rows_added_take_at_most_as_many_places_as_they_enter(counts: Sequence[int], added: Sequence[int]) -> None:
    rows, new = populate(counts), populate(added, "new ")
    before, after = derive(rows), derive(rows | new)
    for name in before:
        assert after[name] - before[name] <= set(new)
        assert len(before[name] - after[name]) <= len(after[name] & set(new))


def test_a_twentieth_more_rows_changes_a_twentieth_of_a_set() -> None:
    """The share that docs/reference/stability.md states: p more rows of each stratum change p / (1 + p) on average."""
    rows, new = populate([400] * len(STRATA)), populate([20] * len(STRATA), "new ")
    sizes = {"lite-1000": 400, "lite-10000": 1_600}
    before, after = derive(rows, sizes), derive(rows | new, sizes)
    for name, size in sizes.items():
        assert 0.02 * size < len(before[name] - after[name]) < 0.08 * size


@pytest.mark.spark
def test_spark_selects_what_the_check_derives(spark: SparkSession) -> None:
    rows = populate([30, 4, 7, 1, 0, 19, 25, 40])
    values = [
        {**row, "split": split}
        for split in ("test", "train")
        for row in (_question(item + (split == "train"), stratum) for item, stratum in rows.items())
    ]
    found: dict[str, set[int]] = {}
    for row in replace(SETS, sizes=SMALL).select(build_table(spark, QUESTIONS, values)).collect():
        assert row.split == "test"
        found.setdefault(row.item_set, set()).add(row.question_id)
    assert found == derive(rows)


def _question(item: int, stratum: Stratum) -> dict[str, Any]:
    lists = ("answer", "question_entity", "answer_entity", "question_country_entity", "answer_country_entity", "hops")
    names = ("type", "is_unnamed", "rating", "year")
    return {
        **dict(zip(names, stratum, strict=True)),
        **{name: [] for name in (*lists, "descriptions")},
        "question_id": item,
        "question": f"Which is {item}?",
        "timeframe": (None, None),
        "template_id": "t",
        "template_version": 1,
        "wording": 0,
        "topic": "medtop:1",
        "head_entity": 1,
    }


def test_the_check_knows_the_sizes() -> None:
    names, sizes = list(SETS.sizes), list(SETS.sizes.values())
    assert f"unnest({names}) AS item_set, unnest({sizes}) AS size" in CHECK


def find_wrong(folder: Path, sets: Iterable[Mapping[str, Any]]) -> dict[Any, Any]:
    """Write other item sets into a dataset; by id of each wrong item, what is said of it."""
    pq.write_table(pa.Table.from_pylist([dict(row) for row in sets], ITEM_SETS), _file(folder))
    write_manifest(folder, window=json.loads((folder / "manifest.json").read_text())["window"])
    examples = verify(folder).families[FAMILY].examples
    assert {example.check for example in examples} <= {"item_sets"}
    return {example.item_id: example.actual for example in examples}


def _file(folder: Path) -> Path:
    return folder / FAMILY / "item_sets" / "part-00000.parquet"


TESTED = (1, 3, 6)


def test_sound_sets_are_right(tmp_path: Path) -> None:
    questions = [{**row, "split": "test" if row["question_id"] in TESTED else "train"} for row in SOUND.values()]
    folder = write_dataset(tmp_path / "dataset", questions)
    rows = pq.read_table(_file(folder)).to_pylist()
    assert len(rows) == 6
    assert find_wrong(folder, rows) == {}


COLUMNS = [name for name in ITEM_SETS.names if name != "question_id"]
FIRST = 0
LACKED, TWICE, TRAINED = (len(COLUMNS) + n for n in (1, 2, 3))
UNCHANGED = range(TRAINED + 1, TRAINED + 3)
STRANGER = 999


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Any]:
    """What is wrong with sets that lack a question, have one twice, one of another split and one that there is not.

    Of as many others each has another value in a column of its own. Each question has a template of its own, so that
    each that is wrong is shown.
    """
    ids = range(UNCHANGED.stop)
    questions = [
        {**SOUND["start"], "question_id": n, "template_id": f"start-{n}", "split": "train" if n == TRAINED else "test"}
        for n in ids
    ]
    rules = {f"start-{n}": replace(RULES["start"], id=f"start-{n}") for n in ids}
    folder = write_dataset(tmp_path_factory.mktemp("changed") / "dataset", questions, rules=rules)
    rows = pq.read_table(_file(folder)).to_pylist()
    assert [row["question_id"] for row in rows[: TRAINED + 2]] == [n for n in range(TRAINED + 3) if n != TRAINED]
    altered = [_change(row, column) for row, column in zip(rows[1:], COLUMNS, strict=False)]
    assert all(new != row for new, row in zip(altered, rows[1:], strict=False))
    trained = {**rows[FIRST], "question_id": TRAINED, "template_id": f"start-{TRAINED}", "split": "train"}
    others = [row for number, row in enumerate(rows) if number == FIRST or number > LACKED]
    return find_wrong(folder, [*altered, *others, rows[TWICE], trained, {**rows[FIRST], "question_id": STRANGER}])


def test_a_question_that_a_set_lacks_is_found(changed: dict[Any, Any]) -> None:
    assert changed[LACKED] == f"lite-1000: {LACKED} is not as it must be"


def test_a_question_of_another_split_is_found(changed: dict[Any, Any]) -> None:
    assert changed[TRAINED] == f"lite-1000: {TRAINED} is as it must not be"


def test_a_question_twice_is_found(changed: dict[Any, Any]) -> None:
    assert changed[TWICE] == f"lite-1000: {TWICE} is as it must not be"


def test_a_row_without_a_question_is_shown_at_the_first(changed: dict[Any, Any]) -> None:
    assert changed[FIRST] == f"lite-1000: {STRANGER} is as it must not be"


@pytest.mark.parametrize("column", COLUMNS)
def test_another_value_in_any_column_is_found(column: str, changed: dict[Any, Any]) -> None:
    assert 1 + COLUMNS.index(column) in changed


def test_questions_beside_changed_ones_are_right(changed: dict[Any, Any]) -> None:
    assert set(changed) == set(range(UNCHANGED.start))


def _change(row: Mapping[str, Any], column: str) -> dict[str, Any]:
    """The row with another value in a column."""
    others: dict[Any, Any] = {str: "other", int: 17, bool: True, list: [], dict: {"start": None, "end": None}}
    other = 17 if row[column] is None and column in ("property", "threshold") else others.get(type(row[column]), "x")
    other = [] if row[column] == other else other
    return {**row, column: other if row[column] != [] else _fill(column)}


def _fill(column: str) -> list[Any]:
    """A list with a value where there was an empty one."""
    return [{"entity": 1, "key": "x"}] if column == "descriptions" else [17]
