from __future__ import annotations

import pytest

from everwhen.facts.subclasses import derive_subclasses
from everwhen.tables.facts import select_best_rank

pytestmark = pytest.mark.spark

SCHEMA = "subject bigint, property int, rank string, snak string, value_item bigint"


def df(spark, *rows):
    return spark.createDataFrame(list(rows), SCHEMA)


def below(child: int, parent: int | None, rank: str = "normal", snak: str = "value", prop: int = 279):
    return (child, prop, rank, snak, parent)


CASES = {
    "a root alone": ([], [1], {(1, 1)}),
    "no root": ([below(2, 1)], [], set()),
    "two levels": ([below(2, 1), below(3, 2), below(9, 8)], [1], {(1, 1), (2, 1), (3, 1)}),
    "diamond": ([below(2, 1), below(3, 1), below(4, 2), below(4, 3)], [1], {(1, 1), (2, 1), (3, 1), (4, 1)}),
    "circle": ([below(2, 1), below(1, 2), below(1, 1)], [1], {(1, 1), (2, 1)}),
    "nested roots": ([below(2, 1), below(3, 2)], [1, 2, 2], {(1, 1), (2, 1), (2, 2), (3, 1), (3, 2)}),
    "another property": ([below(2, 1, prop=31)], [1], {(1, 1)}),
    "deprecated": ([below(2, 1, "deprecated")], [1], {(1, 1)}),
    "preferred hides normal": ([below(2, 1), below(2, 3, "preferred")], [1, 3], {(1, 1), (2, 3), (3, 3)}),
    "preferred somevalue": ([below(2, 1), below(2, None, "preferred", "somevalue")], [1], {(1, 1)}),
    "novalue": ([below(2, None, snak="novalue")], [1], {(1, 1)}),
    "deep": ([below(n + 1, n) for n in range(1, 12)], [1], {(n, 1) for n in range(1, 13)}),
}
APART = 100
"""Distance of the items of one case from those of the next: all are followed in one go."""


@pytest.fixture(scope="module")
def closures(spark):
    rows, roots = [], []
    for at, (edges, starts, _) in enumerate(CASES.values()):
        shift = at * APART
        rows += [(e[0] + shift, *e[1:4], None if e[4] is None else e[4] + shift) for e in edges]
        roots += [root + shift for root in starts]
    found: dict[str, set[tuple[int, int]]] = {name: set() for name in CASES}
    names = list(CASES)
    for row in derive_subclasses(df(spark, *rows), roots).collect():
        name = names[row["class"] // APART]
        pair = (row["class"] % APART, row["root"] % APART)
        assert pair not in found[name], f"{name}: {pair} twice"
        found[name].add(pair)
    return found


@pytest.mark.parametrize("name", CASES)
def test_subclasses(closures, name):
    assert closures[name] == CASES[name][2]


def test_no_roots_at_all(spark):
    assert derive_subclasses(df(spark, below(2, 1)), []).collect() == []


def test_best_rank_is_chosen_for_each_subject_and_property(spark):
    rows = df(
        spark,
        below(1, 10, "preferred"),
        below(1, 11, "preferred"),
        below(1, 12),
        below(1, 13, prop=31),
        below(2, 14),
        below(2, 15, "deprecated"),
        below(3, 16, "deprecated"),
        below(4, None, "preferred", "novalue"),
        below(4, 17),
    )
    kept = select_best_rank(rows)
    assert kept.columns == rows.columns
    assert sorted((row.subject, row.value_item or 0) for row in kept.collect()) == [
        (1, 10), (1, 11), (1, 13), (2, 14), (4, 0)
    ]  # fmt: skip
