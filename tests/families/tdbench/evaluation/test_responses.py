"""The verdicts on responses are those that a person wrote before the scorer."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from everwhen.families.tdbench.evaluation.items import GoldQuestion, Lexicons, Reference
from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
from everwhen.families.tdbench.evaluation.reading import SEPARATOR
from everwhen.families.tdbench.evaluation.verdict import judge_response

TABLE: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("responses.yaml").read_text(encoding="utf-8"))
HOPS = {"Country": ["Italy", "South Korea", "Japan"], "Game_name": ["Seoul 1988", "Sapporo 1972"]}


class Case(NamedTuple):
    """A response with its verdict."""

    name: str
    response: str | None
    is_right: int
    time: str | None
    class_: str
    tag: str = ""


LATER: list[Any] = yaml.safe_load(Path(__file__).with_name("later_responses.yaml").read_text(encoding="utf-8"))
CASES = [Case(name, *row) for name, item in TABLE["items"].items() for row in item["responses"]]


def build_item(name: str) -> tuple[GoldQuestion, Lexicons]:
    row = TABLE["items"][name]
    names: dict[str, list[str]] = TABLE["names"][row["names"]]
    asked = tuple(f"column {place}" for place in range(next(iter(names)).count(SEPARATOR) + 1))
    lexicons = {
        ("table", column): build_lexicon({value.split(SEPARATOR)[place]: also for value, also in names.items()})
        for place, column in enumerate(asked)
    } | {("", column): build_lexicon({value: () for value in values}) for column, values in HOPS.items()}
    item = GoldQuestion(
        question=row["question"],
        task=row["task"],
        declaration="table",
        asked=asked,
        answer=tuple(row["answer"]),
        references=tuple(Reference(*each) for each in row["references"]),
        granularity=row["score"],
        given=tuple(row["given"]),
        hops=tuple(map(tuple, row.get("hops", ()))),
        once=frozenset(row.get("earlier", ())),
    )
    return item, lexicons


ALL = [*CASES, *(Case(*row) for row in LATER)]


@pytest.mark.parametrize("case", ALL, ids=[f"{case.name}: {case.response}"[:90] for case in ALL])
def test_the_verdict_is_that_of_a_person(case: Case) -> None:
    found = judge_response(case.response, *build_item(case.name))
    expected = None if case.time is None else Fraction(case.time)
    assert (int(found.is_right), found.time, found.class_.value) == (case.is_right, expected, case.class_), found


def test_the_table_is_long_and_hard() -> None:
    assert len(set(CASES)) >= 200
    tags = Counter(case.tag for case in CASES)
    assert min(tags[tag] for tag in ("negation", "refusal", "range", "two")) >= 10
