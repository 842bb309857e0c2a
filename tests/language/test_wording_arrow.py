from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from everwhen.language.wording_arrow import choose_wordings, join_pieces


@pytest.mark.parametrize(
    ("first", "capital"), [("éva", "Éva"), ("", ""), ("{x}", "{x}"), ("7 up", "7 up"), ("ǆ", "Ǆ"), ("A", "A")]
)
def test_the_first_letter_becomes_a_capital(first: str, capital: str) -> None:
    assert join_pieces(["", "?"], [pa.array([first])])[0].as_py() == f"{capital}?"
    assert join_pieces(["", " ", "?"], [first, pa.array(["x"])])[0].as_py() == f"{capital} x?"


TEXT = st.text(st.sampled_from("ab{}$\\ \"'é"), max_size=4)


@given(pieces=st.lists(TEXT, min_size=2, max_size=4), data=st.data())
def test_pieces_are_joined_side_by_side(pieces: list[str], data: st.DataObject) -> None:
    columns = [data.draw(st.lists(TEXT, min_size=2, max_size=2)) for _ in pieces[1:]]
    fixed = [data.draw(st.booleans()) for _ in columns]
    fixed[0] = False
    slots = [column[0] if same else pa.array(column) for column, same in zip(columns, fixed, strict=True)]
    for row, text in enumerate(join_pieces(pieces, slots).to_pylist()):
        texts = [column[0 if same else row] for column, same in zip(columns, fixed, strict=True)]
        plain = "".join(part for both in zip(pieces, [*texts, ""], strict=True) for part in both)
        # The capital goes to the first letter that is there in every row.
        assert text.lower() == plain.lower()
        if pieces[0]:
            assert text == plain[:1].upper() + plain[1:]


def test_the_wording_is_that_of_the_least_hash_of_key_and_number() -> None:
    keys = np.arange(3_000, dtype=np.int64) * 7_919
    template = np.arange(3_000) % 2
    found, without = (choose_wordings(keys, template, [[0, 1, 2], other]) for other in ([0, 1, 2], [0, 2]))
    for key, wording in zip(keys[:50].tolist(), found[:50].tolist(), strict=True):
        assert wording == min(range(3), key=lambda n: hash_pair(key, n))
    assert all(0.3 < (found == n).mean() < 0.37 for n in range(3))
    # What is gone takes nobody else's wording along.
    assert (found[found != 1] == without[found != 1])[template[found != 1] == 1].all()
    assert (found == without)[template == 0].all()
    assert (choose_wordings(keys, template, [[5], [7]]) == 5 + 2 * template).all()


def hash_pair(key: int, number: int) -> int:
    """The documented hash (docs/reference/stability.md)."""
    value = 42
    for each in (key, number):
        value = xxhash.xxh64(each.to_bytes(8, "little"), seed=value).intdigest()
    return value & (2**63 - 1)
