"""Arrays of numbers: sorting them, and turning them into Arrow columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Ints = npt.NDArray[np.integer]
Mask = npt.NDArray[np.bool_]


MAX_DISTINCT = 1 << 20
"""Numbers further apart are not counted, for the memory that it takes."""


def find_runs(*keys: Ints) -> Iterator[tuple[int, int]]:
    """Find runs of rows with equal keys: the first row of each and the one after its last."""
    if not len(keys[0]):
        return
    changes = np.zeros(len(keys[0]), dtype=bool)
    for key in keys:
        changes[1:] |= key[1:] != key[:-1]
    starts = np.concatenate(([0], np.flatnonzero(changes), [len(keys[0])]))
    yield from zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)


def number_within(sizes: Ints) -> npt.NDArray[np.int64]:
    """Number the members of consecutive groups of these sizes, each group from 0."""
    ends = np.cumsum(sizes)
    found: npt.NDArray[np.int64] = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    return found


def find_distinct(numbers: Ints) -> tuple[Ints, Ints]:
    """The different ones of some small numbers, ascending, and which of them each is; no sorting."""
    used = np.flatnonzero(np.bincount(numbers))
    position = np.zeros(int(numbers.max(initial=0)) + 1, dtype=np.int32)
    position[used] = np.arange(len(used))
    return used, position[numbers]


def sort_rows(*keys: Ints) -> npt.NDArray[np.int64]:
    """The order of rows by several keys, the first above the others; equal ones stay as they come.

    Numbers of 16 bits are sorted by radix, in a tenth of the time of longer ones.
    """
    order = np.arange(len(keys[0]))
    for key in reversed(keys):
        short = key
        if key.dtype.itemsize > 2 and len(key):
            least = key.min()
            if key.max() - least < MAX_DISTINCT:
                used, position = find_distinct(key - least)
                short = position.astype(np.uint16) if len(used) < 1 << 16 else position
        order = order[np.argsort(short[order], kind="stable")]
    return order


def wrap_lists(values: pa.Array, size: int) -> pa.ListArray:
    """A list of `size` values in each row."""
    return pa.ListArray.from_arrays(pa.array(np.arange(len(values) // size + 1, dtype=np.int32) * size), values)


def filter_lists(lists: pa.ListArray, keep: pa.Array, values: pa.Array) -> pa.ListArray:
    """In each row the values whose place in its list is kept; `keep` and `values` are as long as all lists together."""
    kept = keep.to_numpy(zero_copy_only=False)
    row = pc.list_parent_indices(lists).to_numpy()[kept]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(lists)))))
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values.filter(keep))


def wrap_optional(there: Mask, values: pa.Array) -> pa.ListArray:
    """In each row a list of one value, or none."""
    offsets = np.concatenate(([0], np.cumsum(there, dtype=np.int32)))
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values)


def take_by_number(values: Sequence[Any], type_: pa.DataType, at: Ints) -> pa.Array:
    """Few values, each for many rows; texts as a dictionary, which is how a file holds them."""
    if not pa.types.is_string(type_):
        return pa.array(values, type_).take(pa.array(at))
    # A dictionary that holds a text twice is taken apart by the encoder.
    texts = sorted(set(values))
    position = np.array([texts.index(value) for value in values], dtype=np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(position[at]), pa.array(texts, type_))


def number_texts(columns: Sequence[pa.ChunkedArray]) -> tuple[pa.Array, list[Ints]]:
    """Number the different texts of some columns: the texts, and of each column which of them each row has."""
    every = pa.chunked_array([chunk.cast(pa.string()) for column in columns for chunk in column.chunks], pa.string())
    numbered = every.combine_chunks().dictionary_encode()
    ends = np.cumsum([len(column) for column in columns])
    return numbered.dictionary, np.split(numbered.indices.to_numpy(), ends[:-1])
