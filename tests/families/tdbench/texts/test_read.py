"""What the grammar writes is read back to the same conditions; other words are read, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.families.tdbench.texts.conditions import Conditions, move_unit, state_conditions
from everwhen.families.tdbench.texts.mentions import Candidates
from everwhen.families.tdbench.texts.read import read_conditions
from everwhen.families.tdbench.texts.templates import Template, compile_templates
from everwhen.temporal.phrases import SMALL_NUMBERS, write_date
from everwhen.temporal.precision import Precision
from tdbench_words import BY_NAME, DECLARATIONS, SCOPES, build_item, list_items

TEMPLATES = {(t.scope_id, t.form, t.wording): t for t in compile_templates(SCOPES, DECLARATIONS)}
BY_ID = {scope.scope_id: scope for scope in SCOPES}
UNITS = {"day": Precision.DAY, "month": Precision.MONTH, "year": Precision.YEAR}
ITEMS = list_items()


def name_form(item: Mapping[str, Any]) -> str:
    relation = f"{item['relation']}{'/short' if item['is_short'] else ''}"
    least, number = "at_least" if item["is_at_least"] else "exactly", "one" if item["counted"] == 1 else "more"
    return {
        "alignment": "current",
        "multi_hop": "joined",
        "counting": f"counted/{least}/{number}",
        "implicit": f"event/{'day' if item['granularity'] == 'day' else 'unit'}/{relation}",
    }.get(item["task"], f"times/{relation}")


def fill(template: Template, item: Mapping[str, Any]) -> str:
    """Fill a template without Spark."""
    unit, values = item["granularity"], {each["column"]: each["value"] for each in item["given"]}
    which = f"{unit} {'on' if unit == 'day' else 'in'} which"
    slots = {"unit": unit, "unit_which": which, "on_unit_which": f"{which.split()[1]} the {which}"}
    slots["as_of"] = write_date(item["as_of"]) if item["as_of"] else None
    number = item["counted"]
    slots["count"] = SMALL_NUMBERS[number] if number and number <= 20 else str(number)
    slots["times"] = {1: "once", 2: "twice"}.get(number, f"{slots['count']} times")
    if months := item["offset_months"]:
        length, noun = (months // 12, "year") if months % 12 == 0 else (months, "month")
        slots["offset"] = f"{SMALL_NUMBERS[length]} {noun}{'' if length == 1 else 's'}"
        slots["offset_half"] = "half a year" if months == 6 else slots["offset"]
    for name in ("b_start", "b_end"):
        for stated, shift in (("", 0), ("_stated", -1)):
            if item[name]:
                text = write_date(move_unit(item[name], unit, shift), UNITS[unit])
                slots |= {f"{name}{stated}": text, f"on:{name}{stated}": f"{'on' if unit == 'day' else 'in'} {text}"}
    for column, value in values.items():
        worded = {"President": "president", "Legal": "legal"}.get(value, value)
        slots |= {f"given:{column}": worded, f"ordinal:{column}": f"{value}st"}
    return "".join(piece if place % 2 == 0 else slots[piece] for place, piece in enumerate(template.pieces))


def read(question: str, item: Mapping[str, Any]) -> Conditions | None:
    scope = BY_ID[item["scope_id"]]
    events = {}
    if scope.join:
        template = next(t for t in TEMPLATES.values() if t.scope_id == scope.scope_id)
        pairs = frozenset((each["column"], each["value"]) for each in item["given"])
        named = frozenset(pair for pair in pairs if pair[0] in scope.join.event)
        events[fill(replace(template, pieces=template.event), item)] = named
    values = {each["column"]: [each["value"]] for each in item["given"]}
    return read_conditions(question, BY_NAME[scope.declaration], scope, Candidates(values, events))


def state(item: Mapping[str, Any]) -> Conditions:
    scope = BY_ID[item["scope_id"]]
    other = BY_NAME[scope.join.other] if scope.join else None
    return state_conditions(item, BY_NAME[scope.declaration], scope, other)


@pytest.mark.parametrize("wording", range(3))
def test_every_form_reads_back(wording: int) -> None:
    for item in ITEMS:
        question = fill(TEMPLATES[item["scope_id"], name_form(item), wording], item)
        assert read(question, item) == state(item), question


names = st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd", "Zs", "Po", "Sm"]), min_size=1, max_size=20).filter(
    lambda text: text == " ".join(text.split()) and text[0].isalnum() and text[-1].isalnum()
)


@given(
    st.sampled_from(ITEMS),
    st.integers(0, 2),
    st.dates(date(2, 1, 1), date(9990, 1, 1)),
    st.integers(1, 4000),
    st.integers(1, 5),
)
def test_dates_and_offsets_read_back(item: dict[str, Any], wording: int, day: date, length: int, offset: int) -> None:
    unit = item["granularity"]
    first = {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[unit]
    if item["b_start"]:
        last = move_unit(first, unit, length if first.year + length < 9990 else 1)
        item = {**item, "b_start": first, "b_end": last}
    if item["offset_months"]:
        item = {**item, "offset_months": offset * (12 if unit == "year" else 1)}
    question = fill(TEMPLATES[item["scope_id"], name_form(item), wording], item)
    assert read(question, item) == state(item), question


@given(names, names, st.integers(0, 2), st.sampled_from(["before", "overlaps", "contains", "current"]))
def test_values_read_back(country: str, role: str, wording: int, relation: str) -> None:
    task = "alignment" if relation == "current" else "reasoning"
    values = [{"column": "Country", "value": country}, {"column": "Role", "value": role}]
    item = build_item(SCOPES[0], task, relation, "month", given=values)
    question = fill(TEMPLATES[item["scope_id"], name_form(item), wording], item)
    # A value that is a word of the grammar, or a part of the other value, may be unreadable; it is never misread.
    assert read(question, item) in (state(item), None)


def test_a_value_that_is_a_word_of_the_sentence_is_not_misread() -> None:
    values = [{"column": "Country", "value": "Cassia"}, {"column": "Role", "value": "LASTED"}]
    item = build_item(SCOPES[0], "reasoning", "contains", "month", given=values)
    question = fill(TEMPLATES[item["scope_id"], name_form(item), 1], item)
    assert "was LASTED of" in question
    assert "and lasted beyond" in question
    assert read(question, item) is None


def test_values_are_told_apart_among_all_of_the_table() -> None:
    item = build_item(SCOPES[0], "reasoning", "before", "day")
    values = {"Country": ["Guinea", "Guinea-Bissau", "Brazil"], "Role": ["President", "Vice President"]}
    read_ = read_conditions(
        "Who stopped being vice president of Guinea-Bissau before 1 May 1990?",
        BY_NAME["leaders"],
        SCOPES[0],
        Candidates(values),
    )
    assert read_ is not None
    assert read_.given == {("Country", "Guinea-Bissau"), ("Role", "Vice President")}
    assert read_.times == state(item).times


MEETS = build_item(SCOPES[0], "reasoning", "meets", "day", b_end=date(2019, 5, 1), offset_months=4)
CONTAINS = build_item(SCOPES[0], "reasoning", "contains", "day", b_start=date(2019, 10, 1), b_end=date(2024, 8, 26))
CURRENT = build_item(SCOPES[0], "alignment", "current", "day")
JOINED = next(item for item in ITEMS if item["scope_id"] == "leaders/3 hops")
COUNT = next(item for item in ITEMS if item["task"] == "counting" and item["counted"] == 2)
LATE, LATE_AWARDS = (
    next(item for item in ITEMS if item["declaration"] == name and item["counted"] == 2)
    for name in ("late_leaders", "late_awards")
)


@pytest.mark.parametrize(
    ("item", "question"),
    [
        (MEETS, "Who was the president of Brazil whose term ended exactly four months before May 1, 2019?"),
        (MEETS, "Can you provide the president of Brazil who finished their term four months prior to May 1, 2019?"),
        (
            CONTAINS,
            "Who was the president of Brazil whose term started before October 1, 2019, and ended after Aug 26, 2024?",
        ),
        (
            CONTAINS,
            "What is the name of the president of Brazil who took office before October 1, 2019,"
            " and was still serving after 26 August 2024?",
        ),
        (
            LATE,
            "Who was president of Brazil for exactly two separate terms up to January 2, 2025, each of which started"
            " after January 1, 1992?",
        ),
        (LATE_AWARDS, "After January 1, 1992, who received the Turing Award on exactly two occasions?"),
        (CURRENT, "As of January 2, 2025, who serves as the president of Brazil?"),
        (JOINED, "Which person was president of the host country during the 31st Summer Olympics?"),
        (JOINED, "Can you name the president of the host country at the time of the 31st Summer Olympics?"),
    ],
)
def test_other_words_are_read(item: dict[str, Any], question: str) -> None:
    assert read(question, item) == state(item)


@pytest.mark.parametrize(
    "question",
    [
        "Which Brazilian president ended the term exactly four months before May 1, 2019?",
        "Who stopped being president of Brazil exactly four months before May 2019?",
        "Who stopped being president of Brazil on January 1, 2019?",
        "Who stopped being president of Brazil within four months before May 1, 2019?",
        "Who stopped being president of Brazil exactly four months after May 1, 2019?",
        "Who stopped being president of Brazil exactly three months before May 1, 2019?",
        "Who became president of Brazil exactly four months before May 1, 2019?",
        "Who stopped being president of Brazil exactly four months before May 1, 2019, after 2010?",
        "Who was the first to stop being president of Brazil exactly four months before May 1, 2019?",
        "Who did not stop being president of Brazil exactly four months before May 1, 2019?",
        "When did the president of Brazil leave exactly four months before May 1, 2019?",
        "Who stopped being president of Brazil and Chile exactly 120 days before May 1, 2019?",
        "Who stopped being president exactly four months before May 1, 2019?",
        "Who stopped being president of Brazil exactly four months before May 1, 2019",
        "Who stopped being president of Brazil exactly four months before 05/01/2019?",
    ],
)
def test_what_says_something_else_is_not_read_as_the_query(question: str) -> None:
    assert read(question, MEETS) != state(MEETS)


@pytest.mark.parametrize("asked", ["Which team or teams", "Which teams", "Which team", "Name the teams that"])
def test_a_column_may_be_asked_for_in_the_plural(asked: str) -> None:
    item = next(item for item in ITEMS if item["declaration"] == "teams" and item["relation"] == "before")
    scope, words = BY_ID[item["scope_id"]], BY_NAME["teams"].words
    worded = words.model_copy(update={"ask": {"Team": "which team or teams"}})
    declaration = BY_NAME["teams"].model_copy(update={"words": worded})
    question = f"{asked} did Rivaldo leave before {write_date(item['b_start'], UNITS[item['granularity']])}?"
    assert read_conditions(question, declaration, scope, Candidates({"Player": ["Rivaldo"]})) == state(item)


@pytest.mark.parametrize("bound", ["", " and up to 2 January 2024", " and up to January 2025"])
def test_what_came_after_is_read_with_its_last_day_alone(bound: str) -> None:
    item = {**MEETS, "relation": "after", "b_start": date(2010, 5, 1), "b_end": date(2012, 5, 1), "offset_months": None}
    question = "Who became president of Brazil after 1 May 2012"
    assert read(f"{question} and up to 2 January 2025?", item) == state(item)
    assert read(f"{question}{bound}?", item) != state(item)


@pytest.mark.parametrize(
    "question",
    [
        "Who was president of Brazil for at least two separate terms up to 2 January 2025?",
        "Who was president of Brazil for exactly three separate terms up to 2 January 2025?",
        "Who was president of Brazil for exactly two separate terms?",
    ],
)
def test_another_count_is_not_read_as_the_query(question: str) -> None:
    assert read(question, COUNT) != state(COUNT)


@pytest.mark.parametrize(
    "time",
    [
        "up to 2 January 2025",
        "that began after 1 January 1993, up to 2 January 2025",
        "that began after January 1992, up to 2 January 2025",
        "that began before 1 January 1992, up to 2 January 2025",
        "that began on 1 January 1992, up to 2 January 2025",
        "that ended after 1 January 1992, up to 2 January 2025",
        "that lasted beyond 1 January 1992, up to 2 January 2025",
        "after 1 January 1992, up to 2 January 2025",
        "that began after 1 January 1992",
        "that began exactly one year after 1 January 1992, up to 2 January 2025",
        "that began after 1 January 1992 but before 1 May 1999, up to 2 January 2025",
        "since 1 January 1992, up to 2 January 2025",
    ],
)
def test_another_time_of_a_count_is_not_read_as_the_query(time: str) -> None:
    question = "Who was president of Brazil for exactly two separate stints in office {}?"
    assert read(question.format("that began after 1 January 1992, up to 2 January 2025"), LATE) == state(LATE)
    assert read(question.format(time), LATE) != state(LATE)


def test_a_day_from_which_a_table_is_complete_is_not_read_of_another_table() -> None:
    question = "Who was president of Brazil for exactly two separate terms that began after 1 January 1992?"
    assert read(question, COUNT) != state(COUNT)
