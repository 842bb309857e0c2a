"""Filters: which items of each family fit, and what is said of a name or value that is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import impliret_dataset as impliret
import tdbench_dataset as tdbench
import time_benchmark_dataset as time_benchmark
from asked import write_split_dataset
from everwhen.core.errors import InputError
from everwhen.evaluate.filters import filter_ids
from everwhen.evaluate.gold import read_gold
from everwhen.families import load_evaluations
from tiny_dataset import FAMILY, SOUND

EVALUATIONS = load_evaluations()


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    folder = tmp_path_factory.mktemp("filters")
    return {
        FAMILY: write_split_dataset(folder / "tiny", test=[2, 5]),
        tdbench.FAMILY: tdbench.write_dataset(folder / "tdbench"),
        impliret.FAMILY: impliret.write_dataset(folder / "impliret", [impliret.build_pool("temporal_multi")]),
        time_benchmark.NAME: time_benchmark.write_time_dataset(folder / "time_benchmark"),
    }


@pytest.mark.parametrize(
    ("family", "filters", "ids"),
    [
        pytest.param(FAMILY, {"question_type": ["1b"]}, [2, 4], id="type"),
        pytest.param(FAMILY, {"question_type": ["1b", "1a"]}, [2, 4, 5, 6], id="several-values"),
        pytest.param(FAMILY, {"question_type": ["1?"]}, [2, 4, 5, 6], id="pattern"),
        pytest.param(FAMILY, {"template": ["start"]}, [1], id="template"),
        pytest.param(FAMILY, {"year": ["1990-1991"]}, [1, 3, 5, 6], id="range-of-years"),
        pytest.param(FAMILY, {"question_type": ["1*"], "year": ["1990"]}, [1], id="names-hold-together"),
        pytest.param(tdbench.FAMILY, {"task": ["multi_hop"]}, [4], id="task"),
        pytest.param(tdbench.FAMILY, {"year": ["1990"], "task": ["reasoning"]}, [3], id="year-of-an-interval"),
    ],
)
def test_items_fit(
    datasets: Mapping[str, Path], family: str, filters: Mapping[str, Sequence[str]], ids: list[int]
) -> None:
    assert filter_ids(datasets[family], family, EVALUATIONS[family], filters) == ids


def test_the_year_is_that_of_an_answer_that_is_a_time(tmp_path: Path) -> None:
    rows = [{**SOUND["start"], "answer": ["2003-02-01"]}, SOUND["holder"]]
    dataset = write_split_dataset(tmp_path / "tiny", questions=rows)
    assert filter_ids(dataset, FAMILY, EVALUATIONS[FAMILY], {"year": ["2003"]}) == [1]


def test_filters_choose_among_the_items_of_a_split(datasets: Mapping[str, Path]) -> None:
    evaluation, filters = EVALUATIONS[FAMILY], {"question_type": ["1b"]}
    assert filter_ids(datasets[FAMILY], FAMILY, evaluation, filters, split="test") == [2]
    assert filter_ids(datasets[FAMILY], FAMILY, evaluation, filters, ids=[4, 5]) == [4]


@pytest.mark.parametrize(
    ("family", "filters", "message"),
    [
        (FAMILY, {"task": ["sets"]}, "--where task: .*: complextempqa has no such column; it has question_type, "),
        (FAMILY, {"tempalte": ["start"]}, r"no such column; did you mean template\? It has question_type"),
        (FAMILY, {"split": ["test"]}, "no such column; give --split. It has"),
        (
            FAMILY,
            {"template": ["strat"]},
            r"template=strat: .* no such item; did you mean start\? There are .*director",
        ),
        (FAMILY, {"year": ["2050-2060"]}, "year=2050-2060: .* has no such item; there are 1990, 1991, 1994"),
        (FAMILY, {"question_type": ["1b"], "template": ["start"]}, "template=start: .*; there are director"),
        (tdbench.FAMILY, {"task": ["set"]}, "task=set: .*; there are alignment, multi_hop, reasoning$"),
        (tdbench.FAMILY, {"year": ["2050-1990"]}, "--where year=2050-1990: the range is reversed; write 1990-2050$"),
    ],
)
def test_what_is_not_there_is_named(
    datasets: Mapping[str, Path], family: str, filters: Mapping[str, Sequence[str]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        filter_ids(datasets[family], family, EVALUATIONS[family], filters)


def test_a_family_without_filters_has_the_slices_of_its_gold(datasets: Mapping[str, Path]) -> None:
    evaluation = replace(EVALUATIONS[FAMILY], filters=None)
    assert filter_ids(datasets[FAMILY], FAMILY, evaluation, {"question_type": ["1b"]}) == [2, 4]
    with pytest.raises(InputError, match=r"--where year: .* no such column"):
        filter_ids(datasets[FAMILY], FAMILY, evaluation, {"year": ["1990"]})


@pytest.mark.parametrize("family", EVALUATIONS)
def test_every_slice_is_a_filter(datasets: Mapping[str, Path], family: str) -> None:
    evaluation = EVALUATIONS[family]
    row = read_gold(datasets[family], family, evaluation).table.to_pylist()[0]
    filters = {name: [row[name]] for name in evaluation.slices}
    assert row["item_id"] in filter_ids(datasets[family], family, evaluation, filters)
