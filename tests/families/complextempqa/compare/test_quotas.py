from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison_blocks import build_block, build_members, build_template, enumerate_sets, hash_pair, place_blocks
from everwhen.core.arrays import number_within
from everwhen.families.complextempqa.budget import select_comparisons
from everwhen.families.complextempqa.compare.blocks import Block, Turn
from everwhen.families.complextempqa.compare.forecast import Forecast, forecast
from everwhen.families.complextempqa.compare.quotas import (
    MAX_WIDTH,
    Quota,
    compute_own_share,
    divide_into_tasks,
    plan_quotas,
)
from everwhen.families.complextempqa.compare.subjects import Subjects
from everwhen.families.complextempqa.config import ComplexTempQASettings
from everwhen.families.complextempqa.template import Template


def lows(block: Block) -> list[int]:
    """The rank of each subject's value."""
    return block.tied.tolist()


def plan_all(blocks: Sequence[Block], templates: Sequence[Template], config: ComplexTempQASettings) -> list[Quota]:
    """What is drawn where no name tells a year and nothing meets in another block."""
    placed = place_blocks(blocks)
    subjects = Subjects(placed, build_members(placed), {block.key: 7 for block in placed})
    return plan_quotas(
        placed,
        templates,
        config,
        lambda block, turn, size, unnamed: forecast(subjects, block, turn, size, unnamed=unnamed),
    )


def drawn(steps: int, more: int = 0, size: int = 2, block: int = 0, **fields: Any) -> Quota:
    expected = {"template": "t", "unnamed": False, "rows": 0.0, "turn": Turn(0, 1)}
    return Quota(**{"block": block, "size": size, "steps": steps, "more": more} | expected | fields)


VALUES = st.lists(st.integers(0, 12), min_size=1, max_size=30)


@given(values=VALUES, steps=st.integers(0, 30), size=st.sampled_from([2, 3]))
def test_no_pair_and_no_set_of_three_comes_twice(values: list[int], steps: int, size: int) -> None:
    block = build_block(values)
    found = enumerate_sets(drawn(steps, size=size), block)
    assert len({frozenset(places) for places in found}) == len(found)
    for places in found:
        amounts = [lows(block)[place] for place in places]
        assert amounts == sorted(set(amounts)), "each value is greater than the one before"


@given(values=VALUES, width=st.integers(0, 8), turns=st.integers(1, 4), data=st.data())
def test_partners_are_those_found_one_by_one(values: list[int], width: int, turns: int, data: st.DataObject) -> None:
    turn = Turn(data.draw(st.integers(0, turns - 1)), turns)
    block = build_block(values, [value + data.draw(st.integers(0, 2)) for value in values])
    partners = block.find_partners(turn)
    found = [
        (x, int(partners.take(np.array([x]), np.array([step]))[0]))
        for x in range(block.size)
        for step in range(min(width, int(partners.available[x])))
    ]
    assert found == enumerate_sets(drawn(width, turn=turn), block)


@pytest.mark.parametrize("turns", [1, 3])
@pytest.mark.parametrize("n", range(1, 12))
def test_all_pairs_of_different_values_can_be_drawn(n: int, turns: int) -> None:
    for values in (range(n), [value // 3 for value in range(n)]):
        block = build_block(list(values))
        found = [
            frozenset(two) for turn in range(turns) for two in enumerate_sets(drawn(n, turn=Turn(turn, turns)), block)
        ]
        assert len(found) == len(set(found))
        ranks = lows(block)
        assert set(found) == {frozenset(two) for two in combinations(range(n), 2) if ranks[two[0]] != ranks[two[1]]}


def test_what_ties_does_not_meet_the_same_few() -> None:
    found = Counter(y for _, y in enumerate_sets(drawn(1), build_block([5] * 100 + [6] * 100)))
    assert len(found) > 40
    assert max(found.values()) < 10


def test_nearest_values_are_compared_first() -> None:
    block = build_block([10, 20, 20, 30, 40])
    assert [tuple(lows(block)[place] for place in pair) for pair in enumerate_sets(drawn(1), block)] == [
        *((0, 1), (1, 3), (1, 3), (3, 4)),
    ]


BIGGEST = 2_000
"""Things of the greatest block in which one more is tried here; `benchmarks/stability.py` tries 100,000."""


@pytest.mark.parametrize("turns", [1, 4])
@pytest.mark.parametrize("values", [10, 200, BIGGEST])
@pytest.mark.parametrize(
    ("width", "n"), [(1, 10), (4, 10), (4, 200), (9, 10), pytest.param(12, BIGGEST, marks=pytest.mark.full)]
)
def test_one_subject_more_changes_few_sets_that_are_not_its_own(n: int, width: int, values: int, turns: int) -> None:
    """Pairs of a template: at most 4w on average over the place of the new one; triples: at most 4w²."""
    chance = np.random.default_rng(n + width + values)
    subjects = chance.integers(0, values, n)
    for size, most in ((2, 4 * width), (3, 4 * width * width)):
        changed = []
        before = sets_of(subjects.tolist(), width, size, Turn(turns - 1, turns))
        for new in chance.integers(0, values, 8).tolist():
            after = sets_of([*subjects.tolist(), new], width, size, Turn(turns - 1, turns))
            changed.append(sum(n not in one for one in before ^ after))
        assert np.mean(changed) <= most


@pytest.mark.parametrize("turns", [1, 4])
@pytest.mark.parametrize(("n", "values"), [(2, 200), (10, 5), (60, 200), (60, 12)])
def test_one_subject_more_changes_no_pair_of_a_block_that_is_exhausted(n: int, values: int, turns: int) -> None:
    chance = np.random.default_rng(n + values)
    subjects = chance.integers(0, values, n).tolist()
    for turn in (Turn(number, turns) for number in range(turns)):
        before = sets_of(subjects, n + 1, 2, turn)
        for new in chance.integers(0, values, 8).tolist():
            after = sets_of([*subjects, new], n + 1, 2, turn)
            assert {one for one in after if n not in one} == before


def sets_of(values: list[int], width: int, size: int, turn: Turn) -> set[frozenset[int]]:
    """Which subjects a draw brings together."""
    # The hash of a thing must not change with its place.
    subjects = sorted(range(len(values)), key=lambda subject: (values[subject], hash_pair(values[subject], subject)))
    found = places_of(drawn(width, size=size, turn=turn), build_block(values))
    return {frozenset(subjects[place] for place in places) for places in found}


def places_of(quota: Quota, block: Block) -> list[tuple[int, ...]]:
    """The places that a draw brings together, as `enumerated` finds them one by one."""
    partners = block.find_partners(quota.turn)
    counts = np.minimum(partners.available, quota.steps + (block.rank < quota.more))
    x = np.repeat(np.arange(block.size), counts)
    step = number_within(counts)
    columns, _ = partners.find_sets(quota.size, x, step)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_no_triple_fits_a_block_of_two() -> None:
    assert [enumerate_sets(drawn(5, size=3), build_block(list(range(n)))) for n in (0, 1, 2)] == [[], [], []]
    assert enumerate_sets(drawn(5, size=3), build_block([1, 2, 3])) == [(0, 1, 2)]


@given(sets=st.lists(st.sets(st.integers(1, 3)), min_size=2, max_size=8))
def test_how_many_pairs_are_asked_in_another_block(sets: list[set[int]]) -> None:
    in_block = [sorted({0} | keys) for keys in sets]
    counted = Counter(map(tuple, in_block))
    shares = [1 / len(set(one) & set(other)) for one, other in combinations(in_block, 2)]
    assert compute_own_share(list(counted.items())) == pytest.approx(sum(shares) / len(shares))
    assert compute_own_share([((0, 1), 1)]) == 1


def test_a_width_allows_for_pairs_that_are_asked_in_another_block() -> None:
    block = build_block(list(range(100)), own=0.5)
    (half,) = plan_all([block], [build_template("than")], ComplexTempQASettings(pairs_per_entity=6))
    assert (half.steps, half.more) == (12, 0)
    assert half.rows == 88 * 12 + 11 * 12 // 2


def test_a_budget_allows_for_what_is_not_asked() -> None:
    block = build_block(list(range(1000)))

    def half(*_: Any) -> Forecast:
        return Forecast(np.arange(1000.0), np.minimum(np.arange(1000) * 500.0, 100_000))

    config = ComplexTempQASettings(budgets=[{"templates": ["first"], "rows": 9000}])
    (named,) = plan_quotas([block], [build_template("first")], config, half)
    assert (named.steps, named.more, named.rows) == (18, 0, 9000)
    much = ComplexTempQASettings(budgets=[{"templates": ["first"], "rows": 10**9}])
    (all_of_it,) = plan_quotas([block], [build_template("first")], much, half)
    assert (all_of_it.steps, all_of_it.more, all_of_it.rows) == (200, 0, 100_000)


def known(sizes: list[int], ties: int, seed: int, **fields: Any) -> list[Block]:
    """Blocks of these sizes in which so many subjects share a value on average."""
    chance = np.random.default_rng(seed)
    values = [chance.integers(0, max(1, n // ties), n).tolist() for n in sizes]
    return [build_block(amounts, number=number, **fields) for number, amounts in enumerate(values)]


@pytest.mark.parametrize("ties", [1, 5, 40])
def test_a_budget_is_met(ties: int) -> None:
    blocks = known([2, 9, 300, 2500], ties, seed=ties)
    config = ComplexTempQASettings(budgets=[{"templates": ["than*"], "rows": 60_000}])
    found = plan_all(blocks, [build_template("than.a"), build_template("than.b")], config)
    rows = sum(len(places_of(quota, blocks[quota.block])) for quota in found)
    assert rows == pytest.approx(60_000, rel=0.01)
    assert sum(quota.rows for quota in found) == pytest.approx(60_000, rel=0.001)
    # One width for all: both templates draw as much from the great blocks, and of the little ones all there is.
    by_template = {
        name: {d.block: (d.steps, d.more) for d in found if d.template == name} for name in ("than.a", "than.b")
    }
    assert all(by_template["than.a"][block] == by_template["than.b"][block] for block in (2, 3))


@given(rows=st.integers(0, 300), more=st.integers(0, 300), seed=st.integers(0, 3))
def test_a_larger_budget_only_adds(rows: int, more: int, seed: int) -> None:
    blocks = known([3, 12, 40], 2, seed)

    def pairs(wanted: int) -> set[tuple[str, int, tuple[int, ...]]]:
        config = ComplexTempQASettings(budgets=[{"templates": ["than*"], "rows": wanted}])
        found = plan_all(blocks, [build_template("than.a"), build_template("than.b")], config) if wanted else []
        return {(d.template, d.block, pair) for d in found for pair in places_of(d, blocks[d.block])}

    assert pairs(rows) <= pairs(rows + more)


NAMES = ("than.a", "than.b", "then")


@given(sizes=st.lists(st.integers(2, 12), min_size=1, max_size=4), width=st.integers(1, 8), rows=st.integers(0, 60))
def test_no_pair_is_drawn_twice(sizes: list[int], width: int, rows: int) -> None:
    blocks = [
        build_block(list(range(n)), number=number, described=number % 2 * n, key=f"k{number}")
        for number, n in enumerate(sizes)
    ]
    config = ComplexTempQASettings(
        budgets=[{"templates": ["then"], "rows": rows, "unnamed": rows // 2}], pairs_per_entity=width
    )
    templates = [*map(build_template, NAMES), build_template("most", "triple"), build_template("least", "triple")]
    found = plan_all(blocks, templates, config)
    for block in blocks:
        for size in (2, 3):
            mine = [d for d in found if (d.block, d.size) == (block.number, size)]
            pairs = [frozenset(places) for quota in mine for places in places_of(quota, block)]
            assert len(pairs) == len(set(pairs))


def test_each_template_has_its_share_of_little_blocks() -> None:
    blocks = [build_block([2 * n, 2 * n + 1], number=n, key=f"k{n}", described=2) for n in range(400)]
    found = plan_all(blocks, [build_template("than.a"), build_template("than.b")], ComplexTempQASettings())
    rows = Counter((d.template, d.unnamed) for d in found for _ in places_of(d, blocks[d.block]))
    assert rows.total() == 400, "the one pair of a block of two is asked once"
    assert len(rows) == 4
    assert min(rows.values()) > 70


def test_a_budget_of_triples_is_met() -> None:
    blocks = known([3, 50, 3000], 10, seed=3)
    config = ComplexTempQASettings(budgets=[{"templates": ["most"], "rows": 20_000}])
    found = plan_all(blocks, [build_template("most", "triple")], config)
    assert {d.size for d in found} == {3}
    rows = sum(len(places_of(quota, blocks[quota.block])) for quota in found)
    assert rows == pytest.approx(20_000, rel=0.01)


def test_unnamed_rows_have_a_budget_of_their_own() -> None:
    blocks = known([400, 400], 2, seed=1, described=100)
    config = ComplexTempQASettings(budgets=[{"templates": ["than"], "rows": 1000, "unnamed": 3000}])
    found = plan_all(blocks, [build_template("than")], config)
    rows = {unnamed: sum(d.rows for d in found if d.unnamed == unnamed) for unnamed in (False, True)}
    assert rows[False] == pytest.approx(1000, rel=0.01)
    assert rows[True] == pytest.approx(3000, rel=0.01)
    none = ComplexTempQASettings(budgets=[{"templates": ["than"], "rows": 0, "unnamed": 0}])
    assert plan_all(blocks, [build_template("than")], none) == []


def test_a_budget_beyond_all_there_is_gives_all_there_is() -> None:
    blocks = [build_block(list(range(n)), number=number) for number, n in enumerate((1, 2, 7, 40))]
    config = ComplexTempQASettings(budgets=[{"templates": ["*"], "rows": 10**9}])
    found = plan_all(blocks, [build_template("than"), build_template("most", "triple")], config)
    pairs = {d.block: len(places_of(d, blocks[d.block])) for d in found if d.size == 2}
    assert pairs == {1: 1, 2: 21, 3: 780} == {d.block: round(d.rows) for d in found if d.size == 2}
    threes = {d.block: len(places_of(d, blocks[d.block])) for d in found if d.size == 3}
    assert threes == {2: 9, 3: 20 * 19}
    assert max(d.steps for d in found) < MAX_WIDTH, "no step is looked at that nobody has"


def test_without_a_budget_the_width_counts() -> None:
    blocks = [
        build_block(list(range(100)), described=10),
        build_block(list(range(5)), number=1),
        build_block(list(range(30)), number=2, kind="event"),
        build_block(list(range(30)), number=3, by="times"),
    ]
    templates = [
        build_template("than"),
        build_template("most", "triple"),
        build_template("won", "winner", answer={"entity": "recipient"}),
    ]
    assert [t.id for t in select_comparisons(templates)] == ["than", "most"]
    found = {
        (d.template, d.block, d.unnamed): (d.steps, d.turn)
        for d in plan_all(blocks, templates, ComplexTempQASettings())
    }
    assert found == {
        ("than", 0, False): (4, Turn(0, 2)),
        ("than", 0, True): (4, Turn(1, 2)),
        ("most", 0, False): (4, Turn(0, 2)),
        ("most", 0, True): (4, Turn(1, 2)),
        ("than", 1, False): (4, Turn(0, 1)),
        ("most", 1, False): (2, Turn(0, 1)),
    }
    wide = ComplexTempQASettings(pairs_per_entity=6)
    assert next(d for d in plan_all(blocks, templates, wide) if d.template == "than").steps == 6


def test_templates_may_have_no_budget() -> None:
    blocks = known([500], 1, seed=5)
    config = ComplexTempQASettings(budgets=[{"templates": ["a"], "rows": 100}])
    found = plan_all(blocks, [build_template("a"), build_template("b")], config)
    assert {d.template: d.steps for d in found if not d.unnamed}["b"] == 4
    assert sum(d.rows for d in found if d.template == "a") == pytest.approx(100, abs=1)


def test_draws_do_not_hang_on_the_order_of_templates() -> None:
    blocks = known([30, 400], 2, seed=9)
    config = ComplexTempQASettings(budgets=[{"templates": ["b", "c"], "rows": 500, "unnamed": 10}])
    templates = [build_template("a"), build_template("b"), build_template("c", "triple")]
    assert plan_all(blocks, templates, config) == plan_all(blocks, templates[::-1], config)


BLOCKS = st.lists(
    st.tuples(st.integers(2, 40), st.sampled_from(["train", "validation", "test"])), min_size=1, max_size=5
)


@given(sizes=BLOCKS, rows_per_file=st.integers(1, 300), data=st.data())
@settings(deadline=None)
def test_chunks_have_each_member_of_each_quota_once(
    sizes: list[tuple[int, str]], rows_per_file: int, data: st.DataObject
) -> None:
    blocks = [build_block(range(n), number=number, split=split) for number, (n, split) in enumerate(sizes)]
    some = st.integers(0, 10)
    found = [
        drawn(data.draw(some), data.draw(st.integers(1, block.size - 1)), size, block.number, template=name)
        for block in blocks
        for name, size in (("a", 2), ("b", 2), ("c", 3))
    ]
    tasks = divide_into_tasks(found, blocks, rows_per_file, size=2)
    rows = {(d.template, d.block): d.steps + d.more / blocks[d.block].size for d in found if d.size == 2}
    members = [
        (c.quota.template, c.quota.block, member)
        for task in tasks
        for c in task
        for member in range(c.start, c.end + 1)
    ]
    assert len(members) == len(set(members))
    assert set(members) == {(*key, member) for key in rows for member in range(blocks[key[1]].size)}
    splits = [{blocks[c.quota.block].split for c in task} for task in tasks]
    made = [sum((c.end + 1 - c.start) * rows[c.quota.template, c.quota.block] for c in task) for task in tasks]
    assert all(len(one) == 1 for one in splits), "a file is of one split"
    most = max(rows.values())
    assert all(n <= max(rows_per_file, most) + 1e-6 for n in made), "no file is fuller than it may be"
    # And none is much emptier, but the last of its split.
    last = [number + 1 == len(tasks) or splits[number + 1] != split for number, split in enumerate(splits)]
    assert all(n > rows_per_file - most - 1e-6 for n, is_last in zip(made, last, strict=True) if not is_last)


def test_chunks_are_of_one_size() -> None:
    blocks = [build_block(range(10), number=number, split=split) for number, split in enumerate(("train", "test"))]
    found = [drawn(2, 5, block=block) for block in (0, 1)] + [drawn(1, size=3, template="most")]
    tasks = enumerate(divide_into_tasks(found, blocks, 10, size=2))
    expected = [(number, c.quota.block, c.start, c.end) for number, task in tasks for c in task]
    assert expected == [(0, 1, 0, 3), (1, 1, 4, 7), (2, 1, 8, 9), (3, 0, 0, 3), (4, 0, 4, 7), (5, 0, 8, 9)]
    assert [c.quota.template for task in divide_into_tasks(found, blocks, 10, size=3) for c in task] == ["most"]
