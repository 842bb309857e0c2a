"""What the sample's files hedge, or state so that nobody can read it, against the questions of the demo."""

from __future__ import annotations

import json

import pytest

from everwhen.core.build import Build
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.sample.dump import list_broken_lines
from everwhen.sample.load import sample_world
from everwhen.sample.world import Statement

pytestmark = [pytest.mark.full, pytest.mark.spark]

HEDGES = {1310, 1319, 1326, 1480, 5102, 8554, 8555}
ACTING = "Q4676846"
POSITION_HELD = 39


def is_hedged(statement: Statement) -> bool:
    """Whether the files of the sample say that a statement is not certain."""
    is_wide = statement.snak.datatype == "time" and bool(statement.snak.time.before or statement.snak.time.after)
    return is_wide or any(q.property_id in HEDGES or q.text == ACTING for q in statement.qualifiers)


def list_doubtful() -> set[tuple[int, int]]:
    """Items and properties that have a hedged or an unreadable value of the best rank."""
    found = {
        (item.id, statement.snak.property_id)
        for item in sample_world().items.values()
        for statement in item.statements
        if statement.snak.kind == "value" and is_hedged(statement) and statement.snak.property_id != POSITION_HELD
        if statement in item.select_best(statement.snak.property_id)
    }
    for line in list_broken_lines()[2:]:
        entity = json.loads(line)
        for name, claims in entity.get("claims", {}).items():
            if any(claim["rank"] == "preferred" for claim in claims):
                found.add((int(entity["id"][1:]), int(name[1:])))
    return found


def test_no_question_asks_for_what_is_not_certain(sample_build: Build) -> None:
    doubtful = list_doubtful()
    assert {property_ for _, property_ in doubtful} == {50, 569, 570, 571}
    assert {item for item, _ in doubtful} >= {4115189, 15397819}
    asked = {
        (item, row.hops[0] if row.hops else row.property): row.question
        for row in sample_build.read(QUESTIONS).collect()
        for item in row.question_entity
    }
    assert {key: asked[key] for key in doubtful & asked.keys()} == {}
    assert {(935, 569), (935, 570), (10665, 570)} <= asked.keys()


def test_acting_presidents_are_no_answers_and_leave_the_office_incomplete(sample_build: Build) -> None:
    acting = {
        (item.id, statement.snak.item)
        for item in sample_world().items.values()
        for statement in item.statements
        if statement.snak.property_id == POSITION_HELD and is_hedged(statement)
    }
    assert len(acting) == 3
    rows = sample_build.read(QUESTIONS).where("template_id LIKE '%entity%'").collect()
    of_office = [row for row in rows if 1054799 in row.question_entity]
    never = {362851, 890410}
    assert not [row.question for row in of_office if never & {*row.question_entity, *(row.answer_entity or ())}]
    assert not {"2010-04-10", "2010-07-08"} & {
        answer for row in of_office for answer in row.answer if 42939 in row.question_entity
    }
    templates = {row.template_id.rpartition(".")[2] for row in of_office}
    assert not templates & {"reign", "predecessor", "successor"}
