from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.budget import (
    WIDEST,
    Chunk,
    Draw,
    Ring,
    budget_of,
    chunks,
    draws,
    own_share,
    require_budgets,
    ringed,
)
from everwhen.families.complextempqa.config import Settings, read_settings
from everwhen.families.complextempqa.template import all_templates
from everwhen.preflight import read_config
from rings import enumerated, template


def ring_of(low: list[int], high: list[int] | None = None, number: int = 0, **fields: Any) -> Ring:
    """A ring whose things' values lie from low to high."""
    highs = np.array(low if high is None else high)
    later = np.sort((np.array(low)[None, :] > highs[:, None]).sum(axis=1))
    said = {"kind": "item", "by": "amounts", "key": "k", "list": "films", "split": "train", "offset": 0, "described": 0}
    return Ring(**{"number": number, "seats": len(low), "later": later} | said | fields)


def drawn(first: int, size: int = 2, near: int = 0, ring: int = 0, **fields: Any) -> Draw:
    said = {"template": "t", "unnamed": False, "rows": 0.0}
    return Draw(**{"ring": ring, "size": size, "first": first, "near": near} | said | fields)


@given(n=st.integers(1, 60), data=st.data())
def test_no_pair_of_a_ring_comes_twice(n: int, data: st.DataObject) -> None:
    most = ring_of(list(range(n))).most(2)
    first = data.draw(st.integers(0, most))
    found = [frozenset(pair) for pair in enumerated(drawn(first), n)]
    assert len(found) == len(set(found)) == first
    assert all(len(pair) == 2 for pair in found), "nobody with oneself"
    met = [sum(place in pair for pair in found) for place in range(n)]
    assert max(met) - min(met) <= 2, "all are asked about equally often"


@pytest.mark.parametrize("n", range(1, 12))
def test_all_pairs_of_a_ring_can_be_drawn(n: int) -> None:
    found = {frozenset(pair) for pair in enumerated(drawn(ring_of(list(range(n))).most(2)), n)}
    assert found == {frozenset(pair) for pair in combinations(range(n), 2)}


@given(n=st.integers(3, 60), data=st.data())
def test_no_set_of_three_comes_twice(n: int, data: st.DataObject) -> None:
    most = ring_of(list(range(n))).most(3)
    assert most == (n * max(1, (n - 1) // 4) if n > 3 else 1)
    first = data.draw(st.integers(0, most))
    found = [frozenset(three) for three in enumerated(drawn(first, 3), n)]
    assert len(found) == len(set(found)) == first
    assert all(len(three) == 3 for three in found)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_three_do_not_sit_on_a_ring_of_two(n: int) -> None:
    assert ring_of(list(range(n))).most(3) == 0


def test_how_many_can_be_told_apart() -> None:
    ring = ring_of([1, 1, 2, 3])
    assert ring.decided(2) == 5 / 6
    # Of the 24 orders of three, those in which the first differs from both others.
    assert ring.decided(3) == pytest.approx(1 - 1.5 / 6)
    years = ring_of([1, 2, 5], [3, 4, 5])
    assert years.decided(2) == 2 / 3
    assert ring_of([1]).decided(2) == ring_of([1]).decided(3) == 1
    assert ring_of([1, 1, 1]).decided(2) == ring_of([1, 1, 1]).decided(3) == 0


@given(n=st.integers(1, 12), data=st.data())
def test_how_many_have_a_description(n: int, data: st.DataObject) -> None:
    described = data.draw(st.integers(0, n))
    ring = ring_of(list(range(n)), described=described)
    for size in (2, 3):
        sets = list(combinations(range(n), size))
        if sets:
            share = sum(min(one) < described for one in sets) / len(sets)
            assert ring.told(size) == pytest.approx(share)


@given(years=st.lists(st.sampled_from([0, 1990, 1991]), min_size=1, max_size=8))
def test_how_many_tell_their_years(years: list[int]) -> None:
    counts = tuple(n for year, n in Counter(years).items() if year)
    ring = ring_of(list(range(len(years))), by="times", years=counts)
    for size in (2, 3):
        sets = list(combinations(years, size))
        told = sum(0 not in one and len(set(one)) > 1 for one in sets)
        assert ring.dated(size) == pytest.approx(told / max(1, len(sets)))
    assert ring_of([1, 2], years=(1, 1)).dated(2) == 0, "years tell nothing of amounts"


@given(sets=st.lists(st.sets(st.integers(1, 3)), min_size=2, max_size=8))
def test_how_many_pairs_are_asked_on_another_ring(sets: list[set[int]]) -> None:
    on_ring = [sorted({0} | keys) for keys in sets]
    counted = Counter(map(tuple, on_ring))
    shares = [1 / len(set(one) & set(other)) for one, other in combinations(on_ring, 2)]
    assert own_share(list(counted.items())) == pytest.approx(sum(shares) / len(shares))
    assert own_share([((0, 1), 1)]) == 1


def test_a_width_allows_for_pairs_that_are_asked_on_another_ring() -> None:
    config = Settings(near_share=0.5, pairs_per_entity=6)
    (half,) = draws([ring_of(list(range(100)), own=0.5)], [template("than")], config)
    assert (half.first, half.near) == (600, 600)
    assert half.rows < 600


def test_a_budget_allows_for_names_that_tell_years() -> None:
    ring = ring_of(list(range(1000)), by="times", years=(300, 300), described=500, described_by_year=250)
    config = Settings(budgets=[{"templates": ["first"], "rows": 9000, "unnamed": 700}], near_share=0)
    named, unnamed = draws([ring], [template("first", by="times")], config)
    assert (named.unnamed, unnamed.unnamed) == (False, True)
    assert named.first == pytest.approx(9000 / (1 - 0.18), rel=0.01)
    assert unnamed.first == pytest.approx(700 / (1 - 0.5 * 0.6) / 0.75, rel=0.01)


def rows_of(draw: Draw, values: list[int]) -> int:
    """How many rows a draw gives on a ring whose things, place by place, have these values."""
    n = len(values)
    ring = [frozenset(pair) for pair in enumerated(draw, n)]
    rows = 0
    for one in ring:
        held = [values[place] for place in one]
        # Of a triple the greatest is asked for, which must be one.
        rows += held.count(max(held)) == 1
    order = sorted(range(n), key=lambda place: values[place])
    ascending = sorted(values)
    taken = {frozenset(pair) for pair in enumerated(replace(draw, skipped=0, first=draw.taken), n)}
    before, reach = (steps_of(number, n) for number in (draw.near_skipped, draw.near_skipped + draw.near))
    for x in order:
        later = bisect_right(ascending, values[x])
        rows += sum(frozenset((x, y)) not in taken for y in order[later + before[x] : later + reach[x]])
    return rows


def steps_of(number: int, n: int) -> list[int]:
    """How many of the first numbers of a ring of n each place has."""
    steps, rest = divmod(number, n)
    return [steps + (place < rest) for place in range(n)]


def known(sizes: list[int], ties: int, seed: int, **fields: Any) -> tuple[list[Ring], list[list[int]]]:
    """Rings of these sizes in which so many things share a value on average, and the values place by place."""
    chance = np.random.default_rng(seed)
    values = [chance.integers(0, max(1, n // ties), n).tolist() for n in sizes]
    return [ring_of(held, number=number, **fields) for number, held in enumerate(values)], values


@pytest.mark.parametrize("ties", [1, 5, 40])
@pytest.mark.parametrize("near_share", [0.0, 0.25, 0.6])
def test_a_budget_is_met(ties: int, near_share: float) -> None:
    rings, values = known([2, 9, 300, 2500], ties, seed=ties)
    config = Settings(budgets=[{"templates": ["than*"], "rows": 60_000}], near_share=near_share)
    found = draws(rings, [template("than.a"), template("than.b")], config)
    rows = sum(rows_of(draw, values[draw.ring]) for draw in found)
    assert rows == pytest.approx(60_000, rel=0.01)
    assert sum(draw.rows for draw in found) == pytest.approx(60_000, rel=0.001)
    # One width for all: both templates draw as much from the great rings, and of the little ones all there is.
    by_template = {
        name: {d.ring: (d.first, d.near) for d in found if d.template == name} for name in ("than.a", "than.b")
    }
    assert all(by_template["than.a"][ring] == by_template["than.b"][ring] for ring in (1, 3))
    assert sum(d.first for d in found if d.ring == 0) == 1
    assert sum(d.first for d in found if d.ring == 1) == 36


NAMES = ("than.a", "than.b", "then")


@given(
    sizes=st.lists(st.integers(2, 12), min_size=1, max_size=4),
    width=st.integers(1, 8),
    rows=st.integers(0, 60),
    near_share=st.sampled_from([0.0, 0.25, 0.6]),
)
def test_no_pair_is_drawn_twice(sizes: list[int], width: int, rows: int, near_share: float) -> None:
    rings = [
        ring_of(list(range(n)), number=number, described=number % 2 * n, key=f"k{number}")
        for number, n in enumerate(sizes)
    ]
    config = Settings(
        budgets=[{"templates": ["then"], "rows": rows, "unnamed": rows // 2}],
        pairs_per_entity=width,
        near_share=near_share,
    )
    templates = [*map(template, NAMES), template("most", "trio"), template("least", "trio")]
    found = draws(rings, templates, config)
    for ring in rings:
        for size in (2, 3):
            mine = [d for d in found if (d.ring, d.size) == (ring.number, size)]
            pairs = [frozenset(places) for draw in mine for places in enumerated(draw, ring.seats)]
            assert len(pairs) == len(set(pairs)) == sum(d.first for d in mine)
            assert {d.taken for d in mine} <= {len(pairs)}
            near = [n for d in mine for n in range(d.near_skipped, d.near_skipped + d.near)]
            assert len(near) == len(set(near)), "and no near pair is looked at twice"


def test_each_template_has_its_share_of_a_little_ring() -> None:
    rings = [ring_of([1, 2], number=number, key=f"k{number}", described=2) for number in range(400)]
    found = draws(rings, [template("than.a"), template("than.b")], Settings())
    rows = Counter((d.template, d.unnamed) for d in found)
    assert rows.total() == 400, "the one pair of a ring of two is asked once"
    assert len(rows) == 4
    assert min(rows.values()) > 70
    six = ring_of([1, 2, 3, 4], described=4)
    assert sorted(d.first for d in draws([six], [template("than.a"), template("than.b")], Settings())) == [1, 1, 2, 2]


def test_a_budget_of_triples_is_met() -> None:
    rings, values = known([3, 50, 3000], 10, seed=3)
    config = Settings(budgets=[{"templates": ["most"], "rows": 20_000}])
    found = draws(rings, [template("most", "trio")], config)
    assert {d.near for d in found} == {0}
    assert sum(rows_of(draw, values[draw.ring]) for draw in found) == pytest.approx(20_000, rel=0.01)


def test_unnamed_rows_have_a_budget_of_their_own() -> None:
    rings, _ = known([400, 400], 2, seed=1)
    rings = [Ring(**{**vars(ring), "described": 100}) for ring in rings]
    config = Settings(budgets=[{"templates": ["than"], "rows": 1000, "unnamed": 3000}])
    found = draws(rings, [template("than")], config)
    rows = {unnamed: sum(d.rows for d in found if d.unnamed == unnamed) for unnamed in (False, True)}
    assert rows[False] == pytest.approx(1000, rel=0.01)
    assert rows[True] == pytest.approx(3000, rel=0.01)
    none = Settings(budgets=[{"templates": ["than"], "rows": 0, "unnamed": 0}])
    assert draws(rings, [template("than")], none) == []


@pytest.mark.parametrize("near_share", [0.0, 0.25, 0.9])
def test_a_budget_beyond_all_there_is_gives_all_there_is(near_share: float) -> None:
    rings, values = known([1, 2, 7, 40], 3, seed=2)
    config = Settings(budgets=[{"templates": ["*"], "rows": 10**9}], near_share=near_share)
    found = draws(rings, [template("than"), template("most", "trio")], config)
    pairs = {d.ring: (d.first, d.near) for d in found if d.size == 2}
    assert pairs == {1: (1, 0), 2: (21, 0), 3: (780, 0)}
    for ring, held in enumerate(values[1:], 1):
        (draw,) = (d for d in found if d.size == 2 and d.ring == ring)
        assert rows_of(draw, held) == sum(a != b for a, b in combinations(held, 2)) == round(draw.rows)
    assert {d.ring: d.first for d in found if d.size == 3} == {2: 7, 3: 40 * 9}
    assert WIDEST * (1 - near_share) > 40


def test_without_a_budget_the_width_counts() -> None:
    rings = [
        ring_of(list(range(100)), described=10),
        ring_of(list(range(5)), number=1),
        ring_of(list(range(30)), number=2, kind="event"),
        ring_of(list(range(30)), number=3, by="times"),
    ]
    templates = [template("than"), template("most", "trio"), template("won", "winner")]
    assert [t.id for t in ringed(templates)] == ["than", "most"]
    found = {(d.template, d.ring, d.unnamed): (d.first, d.near) for d in draws(rings, templates, Settings())}
    each = {("than", 0): (300, 100), ("most", 0): (400, 0)}
    all_named = {("than", 1, False): (10, 0), ("most", 1, False): (5, 0)}
    assert found == all_named | {
        (name, ring, unnamed): n for (name, ring), n in each.items() for unnamed in (False, True)
    }
    wide = Settings(pairs_per_entity=6, near_share=0.0)
    assert next(d for d in draws(rings, templates, wide) if d.template == "than").first == 600


def test_templates_without_a_budget_stand_beside_those_that_have_one() -> None:
    rings, _ = known([500], 1, seed=5)
    config = Settings(budgets=[{"templates": ["a"], "rows": 100}])
    found = draws(rings, [template("a"), template("b")], config)
    assert {d.template: d.first + d.near for d in found if not d.unnamed}["b"] == 2000
    assert sum(d.rows for d in found if d.template == "a") == pytest.approx(100, abs=1)


def test_a_template_stands_in_one_budget_only() -> None:
    config = Settings(budgets=[{"templates": ["comparison.*"], "rows": 1}, {"templates": ["*.first"], "rows": 1}])
    said = r"^families\.complextempqa\.budgets: comparison\.first stands in two of them"
    with pytest.raises(InputError, match=said):
        budget_of(config, ["comparison.than", "comparison.first"])
    with pytest.raises(InputError, match=said):
        draws([ring_of([1, 2])], [template("comparison.first")], config)
    assert budget_of(config, ["comparison.than", "a.first", "b"]) == {"comparison.than": 0, "a.first": 1}
    # Twice in one budget is once.
    assert budget_of(Settings(budgets=[{"templates": ["a*", "*b"], "rows": 1}]), ["ab"]) == {"ab": 0}


def test_draws_do_not_hang_on_the_order_of_templates() -> None:
    rings, _ = known([30, 400], 2, seed=9)
    config = Settings(budgets=[{"templates": ["b", "c"], "rows": 500, "unnamed": 10}])
    templates = [template("a"), template("b"), template("c", "trio")]
    assert draws(rings, templates, config) == draws(rings, templates[::-1], config)


RINGS = st.lists(
    st.tuples(st.integers(2, 40), st.sampled_from(["train", "validation", "test"])), min_size=1, max_size=5
)


@given(sizes=RINGS, rows_per_file=st.integers(1, 300), near=st.booleans(), data=st.data())
@settings(deadline=None)
def test_chunks_hold_each_seat_of_each_draw_once(
    sizes: list[tuple[int, str]], rows_per_file: int, near: bool, data: st.DataObject
) -> None:
    rings = [ring_of(list(range(n)), number=number, split=split) for number, (n, split) in enumerate(sizes)]
    some = st.integers(0, 400)
    found = [
        drawn(data.draw(some), size, data.draw(some), ring.number, template=name)
        for ring in rings
        for name, size in (("a", 2), ("b", 2), ("c", 3))
    ]
    shared = chunks(found, rings, rows_per_file, near=near, size=2)
    rows = {(d.template, d.ring): d.near if near else d.first for d in found if d.size == 2}
    seats = [(c.draw.template, c.draw.ring, seat) for c in shared for seat in range(c.start, c.end + 1)]
    assert len(seats) == len(set(seats))
    assert set(seats) == {(*key, seat) for key, n in rows.items() if n for seat in range(rings[key[1]].seats)}
    splits: dict[int, set[str]] = {}
    made: dict[int, float] = {}
    for c in shared:
        splits.setdefault(c.task, set()).add(rings[c.draw.ring].split)
        seats_in = c.end + 1 - c.start
        made[c.task] = made.get(c.task, 0) + seats_in * rows[c.draw.template, c.draw.ring] / rings[c.draw.ring].seats
    assert all(len(one) == 1 for one in splits.values()), "a file is of one split"
    assert sorted(splits) == [c.task for c in _firsts(shared)], "tasks are counted as they come"
    most = max((n / rings[ring].seats for (_, ring), n in rows.items()), default=0)
    assert all(n <= max(rows_per_file, most) + 1e-6 for n in made.values()), "no file is fuller than it may be"
    # And none is much emptier, but the last of its split.
    last = {
        max(task for task in splits if splits[task] == {split}) for split in {s for one in splits.values() for s in one}
    }
    assert all(n > rows_per_file - most - 1e-6 for task, n in made.items() if task not in last)


def _firsts(shared: list[Chunk]) -> list[Chunk]:
    """The first chunk of each task."""
    return [c for before, c in zip([None, *shared], shared, strict=False) if before is None or before.task != c.task]


def test_chunks_are_of_one_size_and_kind() -> None:
    rings = [ring_of(list(range(10)), split="train"), ring_of(list(range(10)), number=1, split="test")]
    found = [drawn(25, 2, 10, ring) for ring in (0, 1)] + [drawn(10, 3, 0, 0, template="most")]
    said = [(c.task, c.draw.ring, c.start, c.end) for c in chunks(found, rings, 10, near=False, size=2)]
    assert said == [(0, 1, 0, 3), (1, 1, 4, 7), (2, 1, 8, 9), (3, 0, 0, 3), (4, 0, 4, 7), (5, 0, 8, 9)]
    assert [c.draw.ring for c in chunks(found, rings, 10, near=True, size=2)] == [1, 0]
    assert [c.draw.template for c in chunks(found, rings, 10, near=False, size=3)] == ["most"]
    assert chunks(found, rings, 10, near=True, size=3) == []


@pytest.mark.parametrize(
    ("budgets", "said"),
    [
        ([["comparison.event.frist"]], "families.complextempqa.budgets: no template comparison.event.frist"),
        ([["comparison.event.*", "counting.evnt.*"]], "families.complextempqa.budgets: no template counting.evnt.*"),
        ([["comparison.*"], ["*.first"]], "stands in two of them"),
        (
            [["comparison.event.first", "attribute.event.date"]],
            "comparison.event.first is drawn from rings and attribute.event.date is not: give each a budget of its own",
        ),
        ([["comparison.*"]], "before_after is drawn from rings and comparison.entity.held_first is not"),
    ],
)
def test_a_budget_that_cannot_be_met_is_refused(budgets: list[list[str]], said: str) -> None:
    config = Settings(budgets=[{"templates": names, "rows": 1} for names in budgets])
    with pytest.raises(InputError, match=re.escape(said)):
        require_budgets(config, all_templates())


def test_the_budgets_of_the_scale_configuration_are_sound() -> None:
    config = read_settings(read_config(Path(__file__).parents[3] / "configs" / "scale.yaml"))
    require_budgets(config, all_templates())
    assert set(budget_of(config, [t.id for t in all_templates()])) == {t.id for t in all_templates()}, (
        "what has no budget makes all it can"
    )
