"""The SQL that reads sentences back: all of them rightly, and no planted error."""

from __future__ import annotations

import re

from everwhen.language.prose_check import PROSE_CHECK
from everwhen.language.prose_templates import load_prose
from prose_statements import (
    find_errors,
    list_examples,
    read_back,
    state,
    state_amount,
    state_date,
    state_time,
    tell,
    tell_in_form,
)


def test_every_form_is_read_back() -> None:
    rows = tell(list_examples())
    assert find_errors(rows) == {}
    assert len(rows) == sum(len(f) for entry in load_prose().properties.values() for f in entry.forms.values())


def test_dates_with_the_month_first_are_read_back() -> None:
    rows = [row for row in list_examples() if row["property"] in (54, 166, 570)]
    assert find_errors(tell(rows, month_first=True)) == {}


def test_the_sql_knows_the_properties_that_have_prose() -> None:
    written = set(map(int, re.findall(r"^    \((\d+), '[a-z ]+', '", PROSE_CHECK.read_text(), re.M)))
    assert written == set(load_prose().properties)


TERM = state(39, value_name="Chancellor of Germany", start_time="1969-10-22", end_time="1974-05")
BORN, SPELL = state_date("1818-05-05"), "22 October 1969 to May 1974"
CHILDREN = state_amount(1971, 3, 0)
AWARD = state(166, point_in_time=state_time("1998"))

PLANTED = [
    (TERM, "1969", "1970", "another time"),
    (TERM, "22 October", "23 October", "another time"),
    (TERM, "May 1974", "June 1974", "another time"),
    (TERM, "22 October 1969", "October 1969", "another time"),
    (TERM, "May 1974", "1974", "another time"),
    (TERM, " from 22 October 1969 to", " until", "another time"),
    (TERM, SPELL, "May 1974 to 22 October 1969", "another time"),
    (TERM, f" from {SPELL}", "", "another time"),
    (TERM, "Ada", "Eva", "another subject"),
    (TERM, "Chancellor of Germany", "Rome", "another value"),
    (TERM, "held the position of", "played for", "another property"),
    (TERM, "held", "liked", "no reading"),
    (state(190), "Ada has been twinned with Rome", "Rome has been twinned with Ada", "another subject"),
    (state(26, start_time="1998"), "Ada married Rome", "Rome married Ada", "another subject"),
    (state(131), "Administratively", "By country", "no reading"),
    (state(463), "became", "ceased to be", "no reading"),
    (state(551, start_time="1998"), "settled in", "lived in", "another time"),
    (AWARD, " in 1998", "", "another time"),
    (AWARD, "received", "came to hold", "another time"),
    (state(27, start_time="1998", end_time="1998"), "the same year", "in 1999", "another time"),
    (state_amount(1082, 1_234, 0), "1,234", "1,235", "another value"),
    (state_amount(2046, 5_000_000, 25343), "square kilometres", "square metres", "another value"),
    (CHILDREN, "three", "four", "another value"),
    (CHILDREN, "children", "seats", "another property"),
    (BORN, "5 May", "6 May", "another value"),
    (BORN, "on 5 May 1818", "in 1818", "another value"),
    (BORN, "was born", "died", "another property"),
    (state_date("1818", 571), "came into being", "ceased to exist", "another property"),
    (state_date("1917-10-25", 570, "julian"), " (Julian calendar)", "", "another value"),
]
"""A statement, what its sentence in the first form says, what is planted in its place, and the error."""


def test_every_planted_error_is_found() -> None:
    told = [tell_in_form(row | {"statement_id": f"Q1${n}"}, 1) for n, (row, *_) in enumerate(PLANTED)]
    told.append(tell_in_form(state(39, subject_name="Eva"), 1))
    assert find_errors(told) == {}
    changed = [
        row | {"sentence": row["sentence"].replace(right, wrong)}
        for row, (_, right, wrong, _) in zip(told, PLANTED, strict=False)
    ]
    assert all(a["sentence"] != b["sentence"] for a, b in zip(told, changed, strict=False))
    found = find_errors([*changed, told[-1]])
    assert [found.get(f"Q1${n}") for n in range(len(PLANTED))] == [error for *_, error in PLANTED]


def test_a_date_that_begins_a_sentence_is_read() -> None:
    row = tell_in_form(state_date("1818-05-05", 585), 5)
    assert row["sentence"] == "5 May 1818 was the date of Ada."
    assert find_errors([row]) == {}
    changed = row | {"sentence": row["sentence"].replace("5 May", "6 May")}
    assert find_errors([changed]) == {row["statement_id"]: "another value"}


def test_names_that_hold_the_words_of_a_sentence_are_read_right() -> None:
    names = [
        "A and B",
        "From 1998 to 2001",
        "B was born in 1990",
        "The Man Who Played for Time in 1998",
        "Washington, D.C.",
    ]
    rows = [
        state(number, subject_name=a, value_name=b, statement_id=f"Q{number}-{m}-{n}", **times)
        for number, times in ((26, {}), (54, {"start_time": "1998"}), (20, {}))
        for m, a in enumerate(names)
        for n, b in enumerate(names)
        if a != b
    ]
    assert find_errors(tell(rows)) == {}


def test_a_sentence_of_no_statement_is_an_error() -> None:
    row = tell_in_form(TERM, 1)
    db = read_back([row])
    (reading,) = db.sql("SELECT * EXCLUDE id FROM prose_readings").fetchall()
    assert reading == (39, "Ada", "Chancellor of Germany", None, None, None, "1969-10-22", "1974-05", None)
    db = read_back([row], [])
    assert db.sql("SELECT error FROM prose_errors").fetchall() == [("no such statement",)]
