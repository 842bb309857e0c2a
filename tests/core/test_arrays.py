from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.arrays import (
    find_distinct,
    find_runs,
    number_texts,
    number_within,
    sort_rows,
    take_by_number,
)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=30))
def test_order_and_runs(rows: list[tuple[int, int, int]]) -> None:
    keys = [np.array([row[n] for row in rows], dtype=type_) for n, type_ in enumerate((np.int16, np.int64, np.int8))]
    order = sort_rows(*keys)
    assert [rows[n] for n in order] == sorted(rows)
    assert order.tolist() == sorted(range(len(rows)), key=lambda n: (rows[n], n)), "equal ones stay as they come"
    found = list(find_runs(*(key[order] for key in keys)))
    assert [place for start, end in found for place in range(start, end)] == list(range(len(rows)))
    actual = [sorted(rows)[start:end] for start, end in found]
    assert all(len(set(run)) == 1 for run in actual)
    assert len(actual) == len(set(rows))


@given(st.lists(st.integers(0, 40), max_size=30))
def test_different_numbers_are_those_of_a_set(numbers: list[int]) -> None:
    used, place = find_distinct(np.array(numbers, dtype=np.int32))
    assert used.tolist() == sorted(set(numbers))
    assert used[place].tolist() == numbers


@given(st.lists(st.integers(-(2**40), 2**40), max_size=30))
def test_numbers_far_apart_are_ordered_too(numbers: list[int]) -> None:
    order = sort_rows(np.array(numbers, dtype=np.int64))
    assert order.tolist() == sorted(range(len(numbers)), key=lambda n: (numbers[n], n))


def test_few_values_for_many_rows() -> None:
    texts = take_by_number(["b", "a", "b"], pa.string(), np.array([2, 0, 1, 1]))
    assert texts.to_pylist() == ["b", "b", "a", "a"]
    assert texts.dictionary.to_pylist() == ["a", "b"], "no text stands twice in a dictionary"
    lists = take_by_number([(1, 2), ()], pa.list_(pa.int32()), np.array([1, 0]))
    assert lists.to_pylist() == [[], [1, 2]]


@given(st.lists(st.integers(0, 4), max_size=6))
def test_members_of_groups_are_numbered_from_0(sizes: list[int]) -> None:
    assert number_within(np.array(sizes, dtype=np.int64)).tolist() == [n for size in sizes for n in range(size)]


def test_each_text_of_some_columns_has_one_number() -> None:
    columns = [pa.chunked_array([["b", "a"], ["b"]], pa.string()), pa.chunked_array([["a", "c"]], pa.string())]
    texts, numbers = number_texts(columns)
    assert texts.to_pylist() == ["b", "a", "c"]
    assert [column.tolist() for column in numbers] == [[0, 1, 0], [1, 2]]
