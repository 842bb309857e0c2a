"""A question of each template of the sample, explained: what its answer rests on names all that it asks about."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

import everwhen
from everwhen.core.build import Build
from everwhen.validate.explanation import Explanation
from hostile_world import ROOT

pytestmark = [pytest.mark.full, pytest.mark.spark]

CHOSEN = """
SELECT template_id, min(question_id) AS question_id FROM read_parquet($1) GROUP BY template_id, len(descriptions) > 0
"""


@pytest.fixture(scope="module")
def dataset(sample_build: Build) -> Path:
    return Path(sample_build.root) / "dataset" / "demo"


@pytest.fixture(scope="module")
def explained(dataset: Path) -> list[Explanation]:
    """Of each template the questions with the least id, one that names and one that describes."""
    files = str(dataset / "complextempqa" / "questions" / "*.parquet")
    with duckdb.connect() as db:
        ids = [number for _, number in db.execute(CHOSEN, [files]).fetchall()]
    return [everwhen.explain(dataset, number) for number in ids]


def test_the_facts_agree_with_every_template(explained: list[Explanation]) -> None:
    assert {found.group: found.disagreements for found in explained if not found.agrees} == {}
    assert len({found.group for found in explained}) == 64


def test_each_asked_subject_is_among_the_facts(explained: list[Explanation], dataset: Path) -> None:
    with duckdb.connect() as db:
        rows = db.execute("SELECT class, root FROM read_parquet($1)", [str(dataset / "facts/subclasses/*")]).fetchall()
    above: dict[int, set[int]] = {}
    for class_, root in rows:
        above.setdefault(class_, {class_}).add(root)
    for found in explained:
        named: set[int] = set()
        for fact in found.facts:
            value = fact.statement.get("value_item")
            named |= {fact.statement["subject"], value} | above.get(value, set())
        asked = found.item["question_entity"]
        # Of a country that an event did not take place in, the facts say nothing.
        asked = asked[:1] if (found.group, found.answer) == ("attribute.event.in_country", ["no"]) else asked
        assert set(asked) <= named, f"{found.group} {found.item_id}"


def test_each_asked_entity_and_each_description_is_in_the_text(explained: list[Explanation]) -> None:
    for found in explained:
        meanings = " ".join(slot.meaning for slot in found.slots)
        for entity in found.item["question_entity"]:
            counted = entity == found.item["question_entity"][0] and found.group.startswith("counting.event")
            assert counted or f"(Q{entity})" in meanings, f"{found.group} {found.item_id}"
        for slot in found.slots:
            assert slot.text.strip().casefold() in found.text.casefold(), f"{found.group}: {slot}"
        assert [note.name for note in found.notes if note.name.startswith('"')] == [
            f'"{slot.text}"' for slot in found.slots if "described by" in slot.meaning
        ]


def test_all_facts_have_labels_of_their_properties(explained: list[Explanation]) -> None:
    facts = [fact for found in explained for fact in [*found.facts, *(f for note in found.notes for f in note.facts)]]
    assert {fact.property for fact in facts if fact.property_label is None} == set()
    assert len(facts) > 100


def test_descriptions_and_thresholds_rest_on_facts(explained: list[Explanation]) -> None:
    notes = [note for found in explained for note in found.notes]
    assert [note.name for note in notes if not note.facts] == []
    assert any(note.name.startswith("threshold ") for note in notes)
    assert any(note.value.endswith("could fit") for note in notes)


@pytest.mark.parametrize("file", ["README.md", "pipeline/everwhen/cli/explain.py"])
def test_the_question_of_the_documents_is_in_the_sample(dataset: Path, file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    (number,) = re.findall(r"everwhen explain build/demo/dataset/demo (\d+)", text)
    assert everwhen.explain(dataset, number).agrees


def test_an_explanation_is_json_with_types(explained: list[Explanation]) -> None:
    for found in explained:
        data = json.loads(json.dumps(found.as_json()))
        assert data["agrees"] is True
        assert isinstance(data["item"]["rating"], int)
        assert isinstance(data["item"]["question_id"], str)
        assert data["item"]["timeframe"].keys() == {"start", "end"}
