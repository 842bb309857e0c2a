"""Which items are asked."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from asked import write_split_dataset
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import Selection, read_ids, select_ids
from tiny_dataset import FAMILY


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_split_dataset(tmp_path_factory.mktemp("selection") / "tiny", test=[2, 5])


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        pytest.param(Selection(), [1, 2, 3, 4, 5, 6], id="all"),
        pytest.param(Selection(split="test"), [2, 5], id="split"),
        pytest.param(Selection(ids=[6, 2]), [2, 6], id="ids"),
        pytest.param(Selection(ids=[6, 2], limit=9), [2, 6], id="limit-above"),
        pytest.param(Selection(ids=[6, 2], limit=10**30), [2, 6], id="limit-far-above"),
    ],
)
def test_items_are_selected(dataset: Path, selection: Selection, ids: list[int]) -> None:
    assert select_ids(dataset, FAMILY, selection) == ids


def test_a_greater_limit_adds_items(dataset: Path) -> None:
    found = [set(select_ids(dataset, FAMILY, Selection(limit=limit))) for limit in range(1, 7)]
    assert [len(ids) for ids in found] == [1, 2, 3, 4, 5, 6]
    assert all(less < more for less, more in pairwise(found))


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(ids=[6, 99]), "no item 99"),
        (Selection(split="dev"), "no split dev"),
        (Selection(item_set="lite-5"), "no set lite-5"),
        (Selection(ids=[2], split="train"), "no item"),
    ],
)
def test_what_is_not_there_is_named(dataset: Path, selection: Selection, message: str) -> None:
    with pytest.raises(InputError, match=message):
        select_ids(dataset, FAMILY, selection)


def test_ids_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_text("5\n\n 9223372036854775807 \r\n1")
    assert read_ids(path) == [5, (1 << 63) - 1, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"5\nfive\n", r"ids\.txt:2: an item's id is expected, not five"),
        (b"-5\n", r"ids\.txt:1: an item's id is expected, not -5"),
        ("٥\n".encode(), r"ids\.txt:1: an item's id is expected"),
        (b"9223372036854775808\n", r"ids\.txt:1: an item's id is expected"),
        (b"9" * 5000, r"ids\.txt:1: an item's id is expected"),
        (b"5\n6\n5\n", r"ids\.txt:3: id 5 is also in line 1"),
        (b"\xff\n", r"ids\.txt: not UTF-8 at byte 0"),
        (b"\n", r"ids\.txt: no ids; one a line is expected"),
    ],
)
def test_a_file_of_ids_that_is_none(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "ids.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_ids(path)
