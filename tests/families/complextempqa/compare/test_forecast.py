from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison_blocks import build_block, build_members, enumerate_sets
from everwhen.families.complextempqa.compare.blocks import Block, Turn
from everwhen.families.complextempqa.compare.forecast import Forecast, forecast
from everwhen.families.complextempqa.compare.quotas import Quota
from everwhen.families.complextempqa.compare.subjects import Subjects

VALUES = st.lists(st.integers(0, 12), min_size=1, max_size=20)


def forecast_of(block: Block, turn: Turn, size: int = 2, *, unnamed: bool = False, **columns: Any) -> Forecast:
    sample = {"sample": columns.pop("sample")} if "sample" in columns else {}
    subjects = Subjects([block], build_members([block], **columns), {block.key: 7})
    return forecast(subjects, block, turn, size, unnamed=unnamed, **sample)


def sets_of(block: Block, turn: Turn, size: int, steps: int, more: int) -> list[tuple[int, ...]]:
    return enumerate_sets(Quota("t", 0, False, size, turn, steps, more, 0.0), block)


@given(values=VALUES, size=st.sampled_from([2, 3]), turns=st.integers(1, 3), data=st.data())
def test_a_forecast_is_what_is_found_one_by_one(values: list[int], size: int, turns: int, data: st.DataObject) -> None:
    turn = Turn(data.draw(st.integers(0, turns - 1)), turns)
    years = data.draw(st.lists(st.sampled_from([0, 1990, 1991]), min_size=len(values), max_size=len(values)))
    block = build_block(values, by="times")
    found = forecast_of(block, turn, size, year=years)
    steps, more = data.draw(st.integers(0, 8)), data.draw(st.integers(0, block.size - 1))
    expected = [
        places
        for places in sets_of(block, turn, size, steps, more if steps < 4 else 0)
        if 0 in (known := {years[place] for place in places}) or len(known) == 1
    ]
    assert found.count(steps + (more if steps < 4 else 0) / block.size) == pytest.approx(len(expected))


@pytest.mark.parametrize("members", [3, 7, 49, 300])
def test_a_third_of_a_step_ends_where_subjects_do(members: int) -> None:
    block, turn = build_block(range(members), by="amounts"), Turn(0, 1)
    found = forecast_of(block, turn)
    for more in range(0, members, max(1, members // 25)):
        asked = len(sets_of(block, turn, 2, 1, more))
        assert found.count(1 + more / members) == pytest.approx(asked, abs=0.01 if members < 256 else 1.5)


@given(values=VALUES, described=st.integers(0, 20), size=st.sampled_from([2, 3]))
def test_unnamed_rows_describe_something(values: list[int], described: int, size: int) -> None:
    block = build_block(values, described=described)
    found = forecast_of(block, Turn(0, 1), size, unnamed=True)
    sets = sets_of(block, Turn(0, 1), size, block.size, 0)
    assert found.count(block.size) == pytest.approx(sum(min(places) < described for places in sets))


def test_a_pair_of_two_blocks_is_forecast_in_one() -> None:
    one, other = build_block(range(40)), build_block(range(40), number=1, offset=40)
    columns = {"entity": [*range(40)] * 2, "own": [1] * 40 + [2] * 40, "keys": [[1, 2]] * 80}
    subjects = Subjects([one, other], build_members([one, other], **columns), {"k": 7})
    found = [forecast(subjects, block, Turn(0, 1), 2, unnamed=False).count(40) for block in (one, other)]
    assert sum(found) == pytest.approx(40 * 39 / 2)
    assert min(found) > 300


@pytest.fixture(scope="module", params=[2, 3])
def by_sample(request: pytest.FixtureRequest) -> list[Forecast]:
    """Forecasts of pairs or of triples by all subjects of a block, and by a sample.

    Near values share years here: the nearest pairs are all asked, of the others half.
    """
    chance = np.random.default_rng(3)
    values = np.sort(chance.integers(0, 20 * 365, 2000))
    years = np.where(chance.random(2000) < 0.7, 1980 + values // 365, 0)
    block = build_block(values.tolist(), by="times")
    samples = (1 << 22, 1 << 15)
    return [forecast_of(block, Turn(0, 1), request.param, year=years.tolist(), sample=sample) for sample in samples]


@pytest.mark.parametrize("steps", [0.5, 3, 10, 100, 700, 2000])
def test_a_sample_shows_what_all_would(steps: float, by_sample: list[Forecast]) -> None:
    all_, some = by_sample
    assert some.count(steps) == pytest.approx(all_.count(steps), rel=0.02)


@pytest.mark.parametrize(("values", "widest"), [([1], 0), ([1, 2], 1), ([5, 5, 5], 0), ([*range(9)], 8)])
def test_nobody_meets_more_than_there_are(values: list[int], widest: int) -> None:
    assert forecast_of(build_block(values), Turn(0, 1)).widest == widest
