"""The scorer on every question of the sample: an oracle is right everywhere, and a wrong answer stays wrong."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everwhen.evaluate.evidence import read_evidence
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import Gold, GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scoring import score
from everwhen.evaluate.tables import score_all, tabulate
from everwhen.families import load_evaluations

pytestmark = [pytest.mark.full, pytest.mark.spark]

FAMILY = "complextempqa"
GOOD = (Outcome.RIGHT, Outcome.COARSE)


@pytest.fixture(scope="module")
def gold(sample_dataset: Path) -> Gold:
    return read_gold(sample_dataset, FAMILY, load_evaluations()[FAMILY])


def test_an_oracle_is_right_in_every_template(gold: Gold) -> None:
    items = gold.iter_items()
    answered = {item.item_id: Prediction(item.item_id, "; ".join(item.answer), None, "") for item in items}
    tables = tabulate(score_all(gold, answered))
    assert len(tables["template"]) >= 60
    wrong = [value for cells in tables.values() for value, cell in cells.items() if cell["right"]["value"] < 1]
    assert wrong == []
    assert {m["value"] for table in tables.values() for cell in table.values() for m in cell["final"].values()} == {1.0}


@pytest.mark.parametrize(
    "form", ["The answer is {}.", "I think it is {}", "<think>Hm.</think>\nAnswer: **{}**", "{}\n"]
)
def test_an_oracle_may_speak_in_sentences(gold: Gold, form: str) -> None:
    wrong = [
        item for item in gold.iter_items() if score(form.format("; ".join(item.answer)), item).outcome != Outcome.RIGHT
    ]
    assert wrong == []


def list_wrong_answers(gold: Gold) -> list[tuple[GoldItem, str]]:
    """For each item an option that is not the answer, else the answer of another item of its type.

    What reads like the mark of a list, "1" or "I. K. Gujral", is none, nor is a year before 1000, which is read as a
    number where it is not the answer.
    """
    items = list(gold.iter_items())
    drawn = np.random.default_rng(5).permutation(len(items)).tolist()
    pairs = []
    for item, place in zip(items, drawn, strict=True):
        other = items[place].answer[0] if not item.options else item.options[place % len(item.options)]
        same_type = bool(item.options) or items[place].answer_type == item.answer_type
        if re.match(r"\d{1,3}$|[IVX]+\.", other):
            continue
        if same_type and score(other, item).outcome not in GOOD:
            pairs.append((item, other))
    return pairs


@pytest.mark.parametrize("separator", [". ", ", ", "\n", "; ", " / ", " and ", " or ", " "])
def test_the_answer_behind_a_wrong_one_does_not_make_it_right(gold: Gold, separator: str) -> None:
    pairs = list_wrong_answers(gold)[::3]
    assert len(pairs) > 500
    assert [(i, w) for i, w in pairs if score(f"{w}{separator}{i.answer[0]}", i).outcome in GOOD] == []


def test_a_denied_answer_is_not_right(gold: Gold) -> None:
    assert [item for item in gold.iter_items() if score(f"not {item.answer[0]}", item).outcome in GOOD] == []


def test_options_are_texts_of_the_question_and_one_is_right(gold: Gold) -> None:
    choices = [item for item in gold.iter_items() if item.options]
    assert len(choices) > 500
    for item in choices:
        assert len(set(item.options)) == len(item.options) >= 2
        assert all(option in item.question for option in item.options)
        assert sum(score(option, item).is_right for option in item.options) == 1


def test_former_holders_are_right_once(gold: Gold) -> None:
    items = [item for item in gold.iter_items() if item.once]
    assert len(items) > 50
    for item in items:
        found = [score(text, item) for text in item.once]
        assert {each.outcome for each in found} == {Outcome.WRONG}
        assert all(each.is_right_once for each in found)


def test_every_answer_is_derived_from_statements(gold: Gold, sample_dataset: Path) -> None:
    ids = gold.table["item_id"].to_pylist()
    assert set(read_evidence(sample_dataset, FAMILY, ids)["item_id"].to_pylist()) == set(ids)
