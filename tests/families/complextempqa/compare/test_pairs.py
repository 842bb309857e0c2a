from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise, permutations
from typing import Any

import pytest
from pyspark.sql import functions as F

from comparison_blocks import Asked, ask, build_template, enumerate_sets
from everwhen.families.complextempqa.bind.world import SUBJECT_FIELDS, VALUE, WorldTables
from everwhen.families.complextempqa.compare.block_members import (
    AMOUNTS_APART,
    DAYS_APART,
    BlockMembers,
    arrange_members,
)
from everwhen.families.complextempqa.compare.blocks import Turn
from everwhen.families.complextempqa.compare.quotas import Quota, plan_quotas
from everwhen.families.complextempqa.config import ComplexTempQASettings
from everwhen.families.complextempqa.stage import prepare_forecasts
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS

pytestmark = pytest.mark.spark

SIZES = range(2, 10)
BIG = 300
DAY = dt.date(1990, 1, 1)


def values() -> dict[int, tuple[str, Any, Any]]:
    """By entity, the block that it is in (its key), and from where to where its value lies."""
    found: dict[int, tuple[str, Any, Any]] = {}
    for n in SIZES:
        for i in range(n):
            # Of amounts two or three are equal; of times some overlap, or lie less than a month apart.
            found[10_000 + 100 * n + i] = (f"amount {n}", i // 2, i // 2)
            found[20_000 + 100 * n + i] = (f"time {n}", 40 * i, 40 * i + 35 * (i % 4))
    for i in range(BIG):
        found[30_000 + i] = ("amount big", 100 + i % 40, 100 + i % 40)
    return found


VALUES = values()


def split_of(key: str) -> str:
    return "test" if key.endswith(("2", "5", "8")) else "train"


@pytest.fixture(scope="module")
def blocks(world: WorldTables, but: Callable[..., WorldTables]) -> WorldTables:
    """A world of blocks of two to nine subjects and a big one, with ties."""
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
    subject = F.struct(*(F.expr(plain.get(name, "NULL")).alias(name) for name in SUBJECT_FIELDS))
    own = {"key", "amount", "first_day", "last_day"}
    void = {
        "property": "7",
        "hops": "cast(array() AS array<int>)",
        "precision": "11",
        "calendar": "cast(NULL AS string)",
        "value_item": "cast(NULL AS bigint)",
    }
    value = F.struct(*(F.expr(name if name in own else void[name]).alias(name) for name in VALUE))
    words = F.expr("map('high', 'higher', 'verb', 'born')").alias("words")
    df = world.spark.createDataFrame(rows, schema)
    types = world.subjects.schema["subject"].dataType
    subjects = df.select(subject.cast(types).alias("subject"), value.alias("value"), words).localCheckpoint()
    name = "translate(entity, '0123456789', 'abcdefghij')"
    names = df.selectExpr("entity", *(f"{name} AS {form}" for form in ("name", "long_name", "label")))
    keys = df.select("key").distinct().select("key", words)
    return but(subjects=subjects.select("subject"), values=subjects, words=keys, named_texts=names)


PAIRS = [build_template(f"pair {by} {i}", by=by) for by in ("amounts", "times") for i in range(4)]
TRIPLES = [build_template(f"triple {by}", "triple", by=by) for by in ("amounts", "times")]


@pytest.fixture(scope="module")
def members(blocks: WorldTables) -> BlockMembers:
    return arrange_members(blocks, PAIRS + TRIPLES)


@pytest.fixture(scope="module")
def found(members: BlockMembers) -> list[Quota]:
    """Draws from the little blocks: by turns, some of it, and all there is."""
    made = []
    for block in (block for block in members.blocks if block.size != BIG):
        n = block.size
        variants = [(0, 2, n, 0), (1, 2, 1, n // 2), (0, 1, 1, 1), (0, 1, n, 0)]
        for number, (turn, turns, steps, more) in enumerate(variants):
            turn_of = Turn(turn, turns)
            made.append(Quota(f"pair {block.by} {number}", block.number, False, 2, turn_of, steps, more, 0.0))
        made.append(Quota(f"triple {block.by}", block.number, False, 3, Turn(0, 1), n, 0, 0.0))
    return made


@pytest.fixture(scope="module")
def asked(blocks: WorldTables, members: BlockMembers, found: list[Quota]) -> Asked:
    return ask(blocks, PAIRS + TRIPLES, found, members=members)


def sets(asked: Asked) -> dict[tuple[str, str], list[frozenset[int]]]:
    """Who is compared with whom, by template and key of the block."""
    made: dict[tuple[str, str], list[frozenset[int]]] = defaultdict(list)
    for row in asked.bound:
        entities = [row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0]
        (key,) = {VALUES[entity][0] for entity in entities}
        made[row["template"], key].append(frozenset(entities))
    return made


def before(x: int, y: int) -> bool:
    """Whether the first one's value is surely less."""
    return bool(VALUES[x][2] < VALUES[y][1])


def apart(x: int, y: int) -> bool:
    """Whether the first one's value is less, and by so much that the two are compared."""
    by_time = VALUES[x][0].startswith("time")
    margin = DAYS_APART if by_time else AMOUNTS_APART * VALUES[x][2]
    return bool(VALUES[x][2] + margin < VALUES[y][1])


def test_who_is_compared_with_whom(asked: Asked, members: BlockMembers, found: list[Quota]) -> None:
    entities = members.rows["entity"].to_pylist()
    made = sets(asked)
    expected = {}
    for quota in found:
        block = members.blocks[quota.block]
        seated = entities[block.offset : block.offset + block.size]
        expected[quota.template, block.key] = Counter(
            frozenset(seated[place] for place in places) for places in enumerate_sets(quota, block)
        )
        mine = made.get((quota.template, block.key), [])
        assert len(mine) == len(set(mine)), "no pair twice, and no set of three"
        assert set(map(len, mine)) <= {quota.size}, "nobody with oneself"
        for one in mine:
            in_order = sorted(one, key=lambda entity: VALUES[entity][1])
            assert all(apart(x, y) for x, y in pairwise(in_order)), "values lie apart"
        if quota.template == "pair times 3":
            clear = {frozenset(two) for two in permutations(seated, 2) if apart(*two)}
            assert set(mine) == clear, "with all steps, all that lie apart are there"
    assert {key: Counter(mine) for key, mine in made.items()} == {key: n for key, n in expected.items() if n}
    assert sum(map(len, made.values())) > 280


def test_all_that_is_drawn_has_an_id_of_its_own(asked: Asked) -> None:
    assert len({row["question_id"] for row in asked.bound}) == len(asked.bound)


def test_the_answer_is_that_of_the_values(asked: Asked) -> None:
    """The outermost value in the direction asked for; who is named first tells nothing about it."""
    places: Counter[tuple[str, str, int]] = Counter()
    for row in asked.bound:
        entities = [row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0]
        polarity = asked.contexts[row["context"]].polarity
        least = polarity in ("earlier", "lesser")
        ahead = [
            place
            for place, one in enumerate(entities)
            if all(before(one, other) if least else before(other, one) for other in entities if other != one)
        ]
        assert ahead == [row["answer"]]
        places[row["template"].split()[0], "least" if least else "greatest", row["answer"]] += 1
    for relation, size in (("pair", 2), ("triple", 3)):
        all_ = sum(n for (of, *_), n in places.items() if of == relation)
        for way in ("least", "greatest"):
            shares = [places[relation, way, place] / all_ for place in range(size)]
            assert all(0.25 / size < share < 0.75 / size for share in shares), places


def test_who_is_named_first_hangs_on_the_two_alone(blocks: WorldTables, members: BlockMembers) -> None:
    """Not on who else there is, nor on whose value is greater."""
    (big,) = (block for block in members.blocks if block.size == BIG)

    def chosen(steps: int, turn: Turn) -> dict[frozenset[int], tuple[int, str]]:
        found = ask(
            blocks, PAIRS, [Quota("pair amounts 1", big.number, False, 2, turn, steps, 0, 0.0)], members=members
        )
        return {
            frozenset((row["entity_first_subject"], row["entity_second_subject"])): (
                row["entity_first_subject"],
                found.contexts[row["context"]].polarity,
            )
            for row in found.bound
        }

    few, many = chosen(3, Turn(1, 2)), chosen(9, Turn(1, 2))
    assert few.items() <= many.items()
    assert {first == min(two) for two, (first, _) in many.items()} == {True, False}


def test_a_draw_gives_the_rows_that_it_expects(blocks: WorldTables, members: BlockMembers) -> None:
    (big,) = (block for block in members.blocks if block.size == BIG)
    config = ComplexTempQASettings(
        budgets=[{"templates": ["pair amounts 1"], "rows": 8000}, {"templates": ["triple*"], "rows": 4000}]
    )
    found = plan_quotas([big], [PAIRS[1], TRIPLES[0]], config, prepare_forecasts(members))
    bound = ask(blocks, [PAIRS[1], TRIPLES[0]], found, members=members).bound
    rows = Counter(row["template"] for row in bound)
    assert rows["pair amounts 1"] == pytest.approx(8000, abs=10)
    assert rows["triple amounts"] == pytest.approx(4000, abs=10)


def test_where_nothing_is_drawn_nothing_is_bound(blocks: WorldTables, members: BlockMembers) -> None:
    assert ask(blocks, PAIRS, [], members=members).bound == []
