"""Gold of ComplexTempQA, read from a dataset of a few rows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import GoldItem
from everwhen.families import load_evaluations
from tiny_dataset import FACTS, FAMILY, OFFICE, SOUND, STRIKE, build_statement, write_dataset

EVALUATION = load_evaluations()[FAMILY]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gold") / "tiny"
    former = build_statement(STRIKE, 39, OFFICE, start="1989-01-20", end="1993-01-20")
    rows = [row | {"property": 39} if row["template_id"] == "holder" else row for row in SOUND.values()]
    return write_dataset(folder, rows, facts=[*FACTS, former])


def read(dataset: Path, **options: object) -> dict[int, GoldItem]:
    return {item.item_id: item for item in read_gold(dataset, FAMILY, EVALUATION, **options).iter_items()}


def test_answer_types_follow_from_what_the_rows_declare(dataset: Path) -> None:
    types = {number: item.answer_type for number, item in read(dataset).items()}
    assert types == {1: "date", 2: "name", 3: "name", 4: "name", 5: "number", 6: "name"}


def test_a_choice_offers_the_texts_of_the_question(dataset: Path) -> None:
    item = read(dataset)[3]
    assert item.options == ("Lauda Air Flight 004", "the Gulf War")
    assert "the Gulf War" in item.accepted[0]


def test_another_holder_of_the_office_was_right_once(dataset: Path) -> None:
    assert read(dataset)[2].once == ("miners' strike",)


def test_a_national_team_is_also_called_by_its_country(tmp_path: Path) -> None:
    team = "Italy men's national association football team"
    row = SOUND["director"] | {"answer": [team]}
    item = next(iter(read(write_dataset(tmp_path / "tiny", [row])).values()))
    assert {"Italy", "Italy national team", "Italy national football team"} <= set(item.accepted[0])


def test_items_are_restricted_to_ids(dataset: Path) -> None:
    assert list(read(dataset, ids=[4, 2])) == [2, 4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ids": [4, 99]}, "no item 99"),
        ({"split": "dev"}, "no split dev"),
        ({"item_set": "lite-5"}, "no set lite-5"),
    ],
)
def test_what_is_not_there_is_named(dataset: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(dataset, **options)


def test_declarations_load_without_spark() -> None:
    code = "import sys; from everwhen.families import load_evaluations as f; f(); assert 'pyspark' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
