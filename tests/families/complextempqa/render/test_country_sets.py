from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everwhen.families.complextempqa.render.country_sets import CountrySets


@given(st.lists(st.lists(st.integers(1, 5), max_size=3), min_size=1, max_size=6), st.data())
def test_countries_of_all_subjects_together(countries: list[list[int]], data: st.DataObject) -> None:
    unions = CountrySets(countries)
    for size in data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)):
        number = st.integers(0, len(countries) - 1)
        rows = data.draw(st.lists(st.tuples(*[number] * size), min_size=1, max_size=5))
        at = [np.array(side, dtype=np.int32) for side in zip(*rows, strict=True)]
        found = unions.take_lists(unions.join_countries(at)).to_pylist()
        assert found == [sorted({c for subject in row for c in countries[subject]}) for row in rows]
