"""The conditions of the relations, as questions state them."""

from __future__ import annotations

import pytest

from everwhen.families.tdbench.relations import list_relations

STATED = {
    "before": "..<.",
    "after": ".>..",
    "meets": "..=.",
    "met_by": ".=..",
    "overlaps": "<.><",
    "overlapped_by": "><.>",
    "equals": "=..=",
    "during": ">..<",
    "contains": "<..>",
    "starts": "=..<",
    "started_by": "=..>",
    "finishes": ">..=",
    "finished_by": "<..=",
}


def test_all_conjuncts_are_stated() -> None:
    assert {each.relation: each.conditions for each in list_relations(is_short=False)} == STATED


def test_two_relations_have_a_short_form() -> None:
    short = [each for each in list_relations(is_short=True) if each.is_short]
    assert {each.relation: each.conditions for each in short} == {"started_by": "=...", "finished_by": "...="}


@pytest.mark.parametrize(
    ("references", "count"), [(("end",), 3), (("start",), 3), (("start", "end"), 7)], ids=["end", "start", "both"]
)
def test_references_are_those_of_the_paper(references: tuple[str, ...], count: int) -> None:
    assert [each.references for each in list_relations(is_short=False)].count(references) == count
