from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.families.complextempqa.sentences import join_pieces


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
