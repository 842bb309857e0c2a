from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.world import THING, VALUE, World
from everwhen.families.complextempqa.budget import Draw, Ring, chunks, draws
from everwhen.families.complextempqa.config import Settings
from everwhen.families.complextempqa.pairs import comparisons, frames
from everwhen.families.complextempqa.seats import Seats, take_seats
from rings import Asked, ask, enumerated, template

pytestmark = pytest.mark.spark

SIZES = range(2, 10)
BIG = 300
DAY = dt.date(1990, 1, 1)


def values() -> dict[int, tuple[str, Any, Any]]:
    """By entity, the ring that it sits on (its key), and from where to where its value lies."""
    found: dict[int, tuple[str, Any, Any]] = {}
    for n in SIZES:
        for i in range(n):
            # Of amounts two or three are equal; of times some overlap.
            found[10_000 + 100 * n + i] = (f"amount {n}", i // 2, i // 2)
            found[20_000 + 100 * n + i] = (f"time {n}", 2 * i, 2 * i + i % 4)
    for i in range(BIG):
        found[30_000 + i] = ("amount big", i % 40, i % 40)
    return found


VALUES = values()


def split_of(key: str) -> str:
    return "test" if key.endswith(("2", "5", "8")) else "train"


@pytest.fixture(scope="module")
def rings(world: World, but: Callable[..., World]) -> World:
    """A world of rings of two to nine things and a big one, with ties."""
    rows = [
        (entity, key, split_of(key))
        + ((None, DAY + dt.timedelta(low), DAY + dt.timedelta(high)) if "time" in key else (Decimal(low), None, None))
        for entity, (key, low, high) in VALUES.items()
    ]
    schema = "entity bigint, key string, split string, amount decimal(38,9), first_day date, last_day date"
    plain = {
        "kind": "'item'",
        "list": "'films'",
        "countries": "array(cast(20 AS bigint))",
        "popular": "true",
        "topic": "'medtop:1'",
        "entity": "entity",
        "split": "split",
    }
    thing = F.struct(*(F.expr(plain.get(name, "NULL")).alias(name) for name in THING))
    own = {"key", "amount", "first_day", "last_day"}
    void = {
        "property": "7",
        "hops": "cast(array() AS array<int>)",
        "precision": "11",
        "value_item": "cast(NULL AS bigint)",
    }
    v = F.struct(*(F.expr(name if name in own else void[name]).alias(name) for name in VALUE))
    words = F.expr("map('high', 'higher', 'verb', 'born')").alias("words")
    frame = world.spark.createDataFrame(rows, schema)
    types = world.things.schema["thing"].dataType
    things = frame.select(thing.cast(types).alias("thing"), v.alias("v"), words).localCheckpoint()
    names = frame.selectExpr("entity", *(f"concat('thing ', entity) AS {n}" for n in ("name", "long_name", "label")))
    keys = frame.select("key").distinct().select("key", words)
    return but(things=things.select("thing"), values=things, words=keys, named_texts=names)


def variants(n: int) -> list[tuple[int, int]]:
    """How many first and near pairs are drawn from a ring of n."""
    most = n * (n - 1) // 2
    every = n * n
    few = [(0, every), (1, 3 * n + 1), (n // 2, every), (n, n), (n + 1, every), (most - 1, every), (most, 0), (n, 0)]
    return [(min(first, most), near) for first, near in few]


PAIRS = [template(f"pair {by} {i}", by=by) for by in ("amounts", "times") for i in range(8)]
TRIOS = [template(f"trio {by}", "trio", by=by) for by in ("amounts", "times")]


@pytest.fixture(scope="module")
def seats(rings: World) -> Seats:
    return take_seats(rings, PAIRS + TRIOS)


@pytest.fixture(scope="module")
def found(seats: Seats) -> list[Draw]:
    """Draws of all variants from the little rings."""
    made = []
    for ring in seats.rings:
        if ring.seats == BIG:
            continue
        for number, (first, near) in enumerate(variants(ring.seats)):
            made.append(Draw(f"pair {ring.by} {number}", ring.number, False, 2, first, near, 0.0, taken=first))
        if ring.most(3):
            made.append(Draw(f"trio {ring.by}", ring.number, False, 3, ring.most(3), 0, 0.0))
    return made


@pytest.fixture(scope="module")
def asked(rings: World, found: list[Draw]) -> Asked:
    return ask(rings, PAIRS + TRIOS, found)


def sets(asked: Asked) -> dict[tuple[str, str], list[frozenset[int]]]:
    """Who is compared with whom, by template and key of the ring."""
    made: dict[tuple[str, str], list[frozenset[int]]] = defaultdict(list)
    for row in asked.bound:
        entities = [row[f"entity_{x}"] for x in "abc" if row[x] >= 0]
        (key,) = {VALUES[entity][0] for entity in entities}
        made[row["template"], key].append(frozenset(entities))
    return made


def before(x: int, y: int) -> bool:
    """Whether the first one's value is surely less."""
    return bool(VALUES[x][2] < VALUES[y][1])


def nearest(ring: Ring, seated: list[Any], draw: Draw) -> set[frozenset[int]]:
    """The near pairs of a draw, told from the values: each thing with the next ones that are surely greater."""
    steps, rest = divmod(draw.near, ring.seats)
    order = [row.entity for row in sorted(seated, key=lambda row: row.near)]
    made = set()
    for row in seated:
        greater = [entity for entity in order if before(row.entity, entity)]
        made |= {frozenset((row.entity, entity)) for entity in greater[: steps + (row.place < rest)]}
    return made


def test_who_is_compared_with_whom(asked: Asked, seats: Seats, found: list[Draw]) -> None:
    rows = seats.rows.collect()
    made = sets(asked)
    expected = {}
    for draw in found:
        ring = seats.rings[draw.ring]
        seated = sorted((r for r in rows if 0 <= r.seat - ring.offset < ring.seats), key=lambda row: row.place)
        first = [frozenset(seated[place].entity for place in places) for places in enumerated(draw, ring.seats)]
        near = nearest(ring, seated, draw) - set(first)
        expected[draw.template, ring.key] = Counter([*first, *near])
        mine = made.get((draw.template, ring.key), [])
        assert len(mine) == len(set(mine)), "no pair twice, and no set of three"
        assert set(map(len, mine)) <= {draw.size}, "nobody with oneself"
        if draw.near >= ring.seats**2:
            pairs = {frozenset(two) for two in combinations([row.entity for row in seated], 2)}
            clear = {two for two in pairs if before(*two) or before(*tuple(two)[::-1])}
            assert clear <= set(mine) <= pairs, "with all near pairs, all that can be told apart are there"
    assert {key: Counter(mine) for key, mine in made.items()} == {key: n for key, n in expected.items() if n}
    assert sum(map(len, made.values())) > 1000


def test_near_pairs_never_tie(asked: Asked) -> None:
    alone = [row for row in asked.bound if row["template"] in ("pair amounts 0", "pair times 0")]
    assert alone
    assert all(row["reason"] == 0 for row in alone)


def test_all_that_is_drawn_has_an_id_of_its_own(asked: Asked) -> None:
    assert len({row["question_id"] for row in asked.bound}) == len(asked.bound)


def test_the_answer_is_that_of_the_values(asked: Asked) -> None:
    """The greatest amount or the first time; who is named first tells nothing about it."""
    places: Counter[tuple[str, int]] = Counter()
    for row in asked.bound:
        entities = [row[f"entity_{x}"] for x in "abc" if row[x] >= 0]
        time = "time" in row["template"]
        ahead = [
            place
            for place, one in enumerate(entities)
            if all(before(one, other) if time else before(other, one) for other in entities if other != one)
        ]
        assert (row["reason"] == 0) == (len(ahead) == 1)
        if ahead:
            assert ahead == [row["answer"]]
            places[row["template"][:4], row["answer"]] += 1
    for relation, size in (("pair", 2), ("trio", 3)):
        all_ = sum(n for (of, _), n in places.items() if of == relation)
        assert all(0.6 / size < places[relation, place] / all_ < 1.4 / size for place in range(size)), places


def test_a_task_has_one_split_and_draws_what_its_chunks_say(rings: World, seats: Seats, found: list[Draw]) -> None:
    some = [*PAIRS[::5], *TRIOS]
    found = [draw for draw in found if draw.template in {t.id for t in some}]
    made, drawn = frames(rings, seats, found, some)
    spark = rings.spark
    sizes: dict[str, list[Counter[Any]]] = {}
    for setting in ("2", "7"):
        spark.conf.set("spark.sql.shuffle.partitions", setting)
        try:
            rows = comparisons(seats, found, drawn, some, 60)
            parts = {
                name: (
                    part.rdd.getNumPartitions(),
                    part.select(F.spark_partition_id().alias("task"), "frame").collect(),
                )
                for name, part in rows.items()
            }
        finally:
            spark.conf.set("spark.sql.shuffle.partitions", "2")
        sizes[setting] = []
        for number, bound in parts.values():
            tasks: dict[int, Counter[Any]] = defaultdict(Counter)
            for row in bound:
                tasks[row.task][made[row.frame].split] += 1
            assert all(len(splits) == 1 for splits in tasks.values()), "a file is of one split"
            sizes[setting] += [tasks[n] for n in range(number)]
    assert sizes["2"] == sizes["7"], "which task binds what does not hang on Spark's settings"
    shared = [
        chunks(found, seats.rings, 60, near=near, size=size) for size, near in ((2, False), (2, True), (3, False))
    ]
    assert len(sizes["2"]) == sum(max(c.task for c in some) + 1 for some in shared)
    # The first seats of a ring may have one partner more than the others.
    assert max(n.total() for n in sizes["2"]) <= 66


def test_a_draw_gives_the_rows_that_it_expects(rings: World, seats: Seats) -> None:
    (big,) = (ring for ring in seats.rings if ring.seats == BIG)
    config = Settings(budgets=[{"templates": ["pair amounts 1"], "rows": 8000}, {"templates": ["trio*"], "rows": 4000}])
    found = draws([big], [PAIRS[1], TRIOS[0]], config)
    # The numbers of rings are places in the list of all.
    bound = ask(rings, [PAIRS[1], TRIOS[0]], found).bound
    rows = Counter(row["template"] for row in bound if row["reason"] == 0)
    assert sum(d.near for d in found) > 1500
    assert rows["pair amounts 1"] == pytest.approx(8000, rel=0.01)
    assert rows["trio amounts"] == pytest.approx(4000, rel=0.01)


def test_where_nothing_is_drawn_nothing_is_bound(rings: World, seats: Seats) -> None:
    _, drawn = frames(rings, seats, [], PAIRS)
    assert comparisons(seats, [], drawn, PAIRS, 1000) == {}
