"""Examples: of train, of the same type, with other subjects, chosen by hash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asked import write_split_dataset
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.examples import Described, ExamplePool, choose_shots, describe_items, read_pool
from everwhen.families import load_evaluations
from tiny_dataset import FAMILY

SHOTS = load_evaluations()[FAMILY].prompts.shots  # type: ignore[union-attr]

SUBJECTS = st.frozensets(st.integers(0, 5), max_size=2)
ITEMS = st.builds(Described, st.integers(0, 40), st.sampled_from(["1a", "2bc"]), SUBJECTS)
POOLS = st.lists(ITEMS, unique_by=lambda item: item.item_id, max_size=20)


def describe(item_id: int, type: str = "1a", *subjects: int) -> Described:
    return Described(item_id, type, frozenset(subjects))


@given(POOLS, ITEMS, st.integers(0, 3))
def test_an_example_is_of_the_type_and_has_other_subjects(pool: list[Described], asked: Described, count: int) -> None:
    chosen = ExamplePool(pool).choose(asked, count)
    by_id = {item.item_id: item for item in pool}
    fitting = [
        i for i in pool if i.type == asked.type and not i.subjects & asked.subjects and i.item_id != asked.item_id
    ]
    assert len(chosen) == len(set(chosen)) == min(count, len(fitting))
    assert all(by_id[item] in fitting for item in chosen)


@given(POOLS, ITEMS)
def test_the_order_of_the_pool_changes_nothing(pool: list[Described], asked: Described) -> None:
    assert ExamplePool(pool).choose(asked, 3) == ExamplePool(pool[::-1]).choose(asked, 3)


@given(POOLS, ITEMS)
def test_fewer_examples_are_the_first_of_more(pool: list[Described], asked: Described) -> None:
    assert ExamplePool(pool).choose(asked, 3)[:2] == ExamplePool(pool).choose(asked, 2)


@given(POOLS, ITEMS, st.integers(0, 40))
def test_an_item_that_goes_leaves_other_choices(pool: list[Described], asked: Described, gone: int) -> None:
    before = ExamplePool(pool).choose(asked, 3)
    after = ExamplePool([item for item in pool if item.item_id != gone]).choose(asked, 3)
    if gone not in before:
        assert after == before
    else:
        assert [item for item in before if item != gone] == after[: len(before) - 1]


def test_different_items_have_different_examples() -> None:
    pool = ExamplePool([describe(item) for item in range(200)])
    chosen = {tuple(pool.choose(describe(item), 2)) for item in range(1000, 1100)}
    assert len(chosen) > 60


def test_another_purpose_has_another_choice() -> None:
    pool, asked = ExamplePool([describe(item) for item in range(200)]), describe(1000)
    assert pool.choose(asked, 3) != pool.choose(asked, 3, "others")


def test_a_type_with_too_few_items_has_examples_of_others() -> None:
    pool = ExamplePool([describe(1, "sets", 7), describe(2, "sets", 8), describe(3, "counting", 9)])
    chosen = choose_shots(pool, {4: describe(4, "sets", 7), 5: describe(5, "sets", 6)}, 2)
    assert chosen.by_item[4] == [2, 3]
    assert sorted(chosen.by_item[5]) == [1, 2]
    assert chosen.of_other_types == 1


def test_an_example_of_another_type_is_answered_alike() -> None:
    pool = ExamplePool([Described(1, "alignment", frozenset(), "now"), Described(2, "sets", frozenset(), "dates")])
    assert pool.choose_others(Described(3, "counting", frozenset(), "dates"), 2) == [2]
    assert pool.choose_others(Described(4, "sets", frozenset(), "dates"), 2) == []


def test_too_few_examples_are_named() -> None:
    pool = ExamplePool([describe(1, "1a", 7), describe(2, "1a", 8), describe(3, "2bc", 7)])
    assert choose_shots(pool, {4: describe(4, "1a", 7)}, 1).by_item == {4: [2]}
    with pytest.raises(InputError, match="--shots 2: train has 1 item that may be an example of item 4: the others"):
        choose_shots(pool, {4: describe(4, "1a", 7)}, 2)


def test_the_pool_is_train(tmp_path: Path) -> None:
    dataset = write_split_dataset(tmp_path / "tiny", test=[2, 5])
    pool, asked = read_pool(dataset, FAMILY, SHOTS), describe_items(dataset, FAMILY, SHOTS, [2, 4, 5])
    assert {item: (one.type, len(one.subjects)) for item, one in asked.items()} == {
        2: ("1b", 1),
        4: ("1b", 1),
        5: ("1a", 1),
    }
    assert pool.choose(asked[2], 3) == [4]
    assert pool.choose(asked[4], 3) == []  # the other of its type is in test
    assert pool.choose(asked[5], 3) == []  # the other of its type has its subject


def test_a_dataset_without_train(tmp_path: Path) -> None:
    dataset = write_split_dataset(tmp_path / "tiny", test=range(1, 7))
    with pytest.raises(InputError, match="has no split train"):
        read_pool(dataset, FAMILY, SHOTS)
