"""The signatures by which the checks derive answers: of any row and interval, exactly one is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest

from everwhen.families import tdbench
from temporal_tables import CONDITIONS, FOREVER, POINTS

UNITS = range(8)
PROPER = tuple(combinations(UNITS, 2))
OPEN = tuple((start, FOREVER) for start in UNITS)
COUNT = """
SELECT a.s, a.e, b.s AS bs, b.e AS be, list(g.relation) FILTER (g.relation IS NOT NULL) AS found
FROM a CROSS JOIN b LEFT JOIN signatures g
    ON g.is_point = (a.s = a.e) AND g.start_start = sign(a.s - b.s) AND g.start_end = sign(a.s - b.e)
    AND g.end_start = sign(a.e - b.s) AND g.end_end = sign(a.e - b.e)
GROUP BY ALL
"""


class Pair(NamedTuple):
    """A row and an interval, with all relations whose signature is true of them."""

    s: int
    e: int
    bs: int
    be: int
    found: list[str] | None


@pytest.fixture(scope="module")
def db() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        connection.execute(
            Path(tdbench.__file__).with_name("checks").joinpath("signatures.sql").read_text(encoding="utf-8")
        )
        yield connection


def match_signatures(db: duckdb.DuckDBPyConnection, rows: Iterable[tuple[int, int]]) -> list[Pair]:
    for name, intervals in (("a", rows), ("b", PROPER)):
        db.execute(f"CREATE OR REPLACE TABLE {name} (s BIGINT, e BIGINT)")
        db.executemany(f"INSERT INTO {name} VALUES (?, ?)", list(intervals))
    return [Pair(*row) for row in db.execute(COUNT).fetchall()]


def test_thirteen_signatures_are_exclusive_and_exhaustive(db: duckdb.DuckDBPyConnection) -> None:
    pairs = match_signatures(db, PROPER)
    assert len(pairs) == 784
    assert all(pair.found is not None and len(pair.found) == 1 for pair in pairs)
    assert {name for pair in pairs for name in pair.found or ()} == set(CONDITIONS)


def test_open_rows_have_one_signature_each(db: duckdb.DuckDBPyConnection) -> None:
    pairs = match_signatures(db, OPEN)
    assert len(pairs) == 224
    assert Counter(len(pair.found or ()) for pair in pairs) == {1: 224}
    names = {name for pair in pairs for name in pair.found or ()}
    assert names == {"contains", "started_by", "overlapped_by", "met_by", "after"}


def test_points_have_five_signatures_of_their_own(db: duckdb.DuckDBPyConnection) -> None:
    pairs = match_signatures(db, [(unit, unit) for unit in UNITS])
    assert len(pairs) == 224
    assert Counter(len(pair.found or ()) for pair in pairs) == {1: 224}
    assert {name for pair in pairs for name in pair.found or ()} == set(POINTS)


def test_no_signature_of_proper_intervals_is_one_of_a_point_that_touches(db: duckdb.DuckDBPyConnection) -> None:
    (shared,) = db.execute(
        "SELECT list_sort(list(DISTINCT p.relation)) FROM signatures p JOIN signatures i USING (relation, start_start,"
        " start_end, end_start, end_end) WHERE p.is_point AND NOT i.is_point"
    ).fetchall()
    assert shared[0] == ["after", "before", "during"]


@pytest.mark.parametrize("relation", CONDITIONS)
def test_a_signature_is_what_table_10_says(db: duckdb.DuckDBPyConnection, relation: str) -> None:
    for s, e, bs, be, found in match_signatures(db, PROPER + OPEN):
        assert (found == [relation]) is CONDITIONS[relation](s, e, bs, be), (s, e, bs, be, found)


@pytest.mark.parametrize(("s", "e"), [(3, 4), (3, 5)])
def test_a_short_question_takes_three_relations(db: duckdb.DuckDBPyConnection, s: int, e: int) -> None:
    for relation, is_taken in (("started_by", lambda a: a[0] == s), ("finished_by", lambda a: a[1] == e)):
        query = "SELECT found FROM taken WHERE is_short AND verdict = 'fits' AND relation = ?"
        taken = {name for (name,) in db.execute(query, [relation]).fetchall()}
        for a in PROPER:
            holds = {name for name, condition in CONDITIONS.items() if condition(*a, s, e)}
            assert bool(holds & taken) is is_taken(a)
