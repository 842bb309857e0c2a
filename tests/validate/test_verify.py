"""The independent check finds what is wrong, names it, and needs neither Spark nor the code that made the rows."""

from __future__ import annotations

import datetime as dt
import json
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import everwhen
from everwhen.core.errors import InputError, MachineFailed, ValidationFailed
from everwhen.families.complextempqa.checks.render import NAMES, Rule
from everwhen.families.complextempqa.template import load_templates
from everwhen.validate.database import Resources, open_dataset
from everwhen.validate.family_run import FamilyRun
from everwhen.validate.verification import FamilyVerification, Mismatch, Verification
from everwhen.validate.verify import ItemSelection, verify
from tiny_dataset import (
    COUNTRY,
    CRASH,
    DESCRIPTIONS,
    DIRECTOR,
    FACTS,
    FAMILY,
    FILM,
    FLIGHT,
    LABELS,
    OFFICE,
    RULES,
    SOUND,
    STRIKE,
    WAR,
    build_statement,
    build_timeframe,
    write_dataset,
    write_manifest,
)

QUESTIONS = f"{FAMILY}/questions/part-00000.parquet"


def check(
    folder: Path, selection: ItemSelection = ItemSelection(), resources: Resources = Resources()
) -> FamilyVerification:
    """What comes of the questions, the one family there."""
    (found,) = verify(folder, selection, resources=resources).families.values()
    return found


def changed(template: str, **changes: Any) -> list[dict[str, Any]]:
    """All sound rows, one of them changed."""
    return [{**row, **(changes if name == template else {})} for name, row in SOUND.items()]


def test_sound_rows_pass(tmp_path: Path) -> None:
    verified = verify(write_dataset(tmp_path))
    found = verified.families[FAMILY]
    assert [str(item) for item in found.examples] == []
    assert (found.rows, found.checked, found.wrong) == (6, 6, 0)
    assert found.by_check == dict.fromkeys(NAMES, 0)
    assert found.groups == {name: {"rows": 1, "wrong": 0} for name in sorted(SOUND)}
    assert found.explain_failure(FAMILY, ()) == []
    assert verified.passed
    verified.raise_on_failure()


def test_the_result_is_data(tmp_path: Path) -> None:
    found = verify(write_dataset(tmp_path, changed("start", answer=["1989"])))
    data = json.loads(json.dumps(found.as_json()))
    assert list(data) == [
        *("dataset", "passed", "has_known_checks", "rows", "checked", "wrong"),
        *("missing_files", "changed_files", "extra_files", "wrong_keys", "wrong_totals", "seconds", "families"),
    ]
    assert (data["passed"], data["rows"], data["checked"], data["wrong"]) == (False, 6, 6, 1)
    family = data["families"][FAMILY]
    # Ids are texts: for many readers JSON's numbers have 53 bits.
    assert list(family) == [
        *("rows", "checked", "wrong", "by_check", "groups", "examples", "checks", "release"),
    ]
    assert family["examples"] == [
        {
            "item_id": "1",
            "group": "start",
            "check": "answer",
            "text": "When did the Gulf War start?",
            "actual": ["1989"],
            "expected": [["1990-08-02"]],
        }
    ]


WRONG: dict[str, tuple[str, dict[str, Any], str, Any]] = {
    "another-answer": ("start", {"answer": ["1989"]}, "answer", [["1990-08-02"]]),
    "empty-answer": ("director", {"answer": []}, "answer", [["Robert Zemeckis"]]),
    "popular-called-hard": ("start", {"rating": 1}, "rating", 0),
    "popular-position-called-hard": ("holder", {"rating": 1}, "rating", 0),
    "one-of-two-not-popular": ("first", {"rating": 0}, "rating", 1),
    "hops-called-popular": ("peak", {"rating": 0}, "rating", 1),
    "unnamed-called-popular": ("country", {"rating": 0}, "rating", 1),
    "counting-called-popular": ("start", {"type": "3a"}, "rating", 1),
    "no-country": ("first", {"question_country_entity": []}, "question_countries", [869]),
    "a-country-too-many": ("start", {"question_country_entity": [30]}, "question_countries", []),
    "no-country-of-answer": ("director", {"answer_country_entity": []}, "answer_countries", [30]),
    "country-of-no-answer": ("start", {"answer_country_entity": [1]}, "answer_countries", []),
    "open-timeframe": (
        "start",
        {"timeframe": build_timeframe("1990-08-02", None)},
        "timeframe",
        {"start": "1990-08-02", "end": "1991-02-28"},
    ),
    "of-one-alone": ("first", {"timeframe": CRASH}, "timeframe", {"start": "1990-08-02", "end": "1991-05-26"}),
    "years-that-nobody-names": (
        "holder",
        {"timeframe": build_timeframe("1994-01-01", "1995-12-31")},
        "timeframe",
        {"start": None, "end": None},
    ),
    "hops-of-a-template-without": ("director", {"hops": [57, 31]}, "hops", "the template has none"),
    "no-value-at-the-end": ("peak", {"hops": [17, 36]}, "hops", "nothing is reached from Q11"),
    "no-bridge": ("peak", {"hops": [27, 610]}, "hops", "nothing is reached from Q11"),
    "named-after-all": ("country", {"is_unnamed": False}, "unnamed", "something is described"),
    "nothing-described": ("start", {"is_unnamed": True}, "unnamed", "nothing is described"),
    "another-number": (
        "country",
        {"question": "In which country did the crash with 222 deaths happen?"},
        "unnamed",
        "the facts give the aviation accident in 1991 with 223 deaths",
    ),
    "name-in-the-question": (
        "country",
        {"question": "Where did lauda air flight 004, the aviation accident in 1991 with 223 deaths, happen?"},
        "unnamed",
        "its name is in the question",
    ),
    "described-but-not-asked": (
        "country",
        {"descriptions": [{"entity": STRIKE, "key": "deaths"}]},
        "unnamed",
        "it is not asked about",
    ),
}
"""By a name: a sound row, what is changed in it, the check that finds it, and what the facts give instead."""

WINDOWS = {
    ("1987-01-01", "2023-12-31"): False,
    ("1994-01-01", "1994-12-31"): False,
    ("1980-01-01", "1989-12-31"): False,
    ("1980-01-01", "1990-12-31"): False,
    ("1980-01-01", "1988-12-31"): True,
    ("1981-01-01", "1990-12-31"): True,
    ("1994-01-02", "1994-12-31"): True,
    ("1994-01-01", "1994-12-30"): True,
    ("1994-01-01", None): True,
}
"""Timeframes, and whether they are no window."""

DIRECTIONS: dict[str, tuple[dict[str, Any], bool]] = {
    "the-direction": ({}, False),
    "no-direction": ({"polarity": None}, True),
    "another-direction": ({"polarity": "later"}, True),
}

ENTITIES: dict[str, tuple[str, Any, list[int], int]] = {
    "entity": ("director", "entities", [DIRECTOR], 0),
    "no-entity": ("director", "entities", [], 1),
    "text": ("start", "texts", [], 0),
    "an-entity-for-a-text": ("start", "texts", [WAR], 1),
}
"""A sound row, what its template's answers are, the row's entities of the answer, and how many are wrong."""

ORDERED: dict[str, tuple[Any, list[Any]]] = {"unordered": ("", []), "ordered": ("texts", [[["b", "a"]]])}
"""What a template's answers are, and what the check expects of a row that has them in another order."""
BOTH = "SELECT question_id, ['b', 'a'] AS answer, []::VARCHAR[] AS facts FROM q"

OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "given-by-no-fact": (
        "start",
        {
            "question_entity": [FLIGHT],
            "question_country_entity": [COUNTRY],
            "timeframe": CRASH,
            "head_entity": FLIGHT,
        },
    ),
    "described-twice": ("country", {"descriptions": [{"entity": FLIGHT, "key": "deaths"}] * 2}),
    "without-an-end": (
        "first",
        {
            "question_entity": [WAR, STRIKE],
            "question_country_entity": [],
            "timeframe": build_timeframe("1990-08-02", "1991-02-28"),
        },
    ),
    "hops-of-two": (
        "peak",
        {"type": "2a", "question_entity": [FLIGHT, WAR], "timeframe": SOUND["first"]["timeframe"]},
    ),
}

Case = tuple[dict[str, Any], Rule]


def verify_each(
    folder: Path, cases: Mapping[str, Case], **options: Any
) -> tuple[Verification, dict[str, list[Mismatch]]]:
    """Verify rows at once, each with a template of its own, so that all that is wrong with it is shown."""
    rows = [{**row, "template_id": name, "question_id": n} for n, (name, (row, _)) in enumerate(cases.items(), 1)]
    rules = {name: replace(rule, id=name) for name, (_, rule) in cases.items()}
    verified = verify(write_dataset(folder, rows, rules=rules, **options))
    found = verified.families[FAMILY]
    wrong: dict[str, list[Mismatch]] = {name: [] for name in cases}
    for item in found.examples:
        wrong[item.group].append(item)
    assert found.groups == {name: {"rows": 1, "wrong": int(bool(items))} for name, items in wrong.items()}
    return verified, wrong


def name_window(start: str, end: str | None) -> str:
    return f"window-{start}-{end}"


def build_cases() -> dict[str, Case]:
    """The rows of the constants above and the sound ones, by their names."""
    cases: dict[str, Case] = {name: (row, RULES[name]) for name, row in SOUND.items()}
    changes = {name: (template, changed) for name, (template, changed, *_) in WRONG.items()} | OTHERS
    changes |= {name_window(*days): ("holder", {"timeframe": build_timeframe(*days)}) for days in WINDOWS}
    changes |= {name: ("first", changed) for name, (changed, _) in DIRECTIONS.items()}
    cases |= {name: ({**SOUND[template], **changed}, RULES[template]) for name, (template, changed) in changes.items()}
    for name, (template, answers, entities, _) in ENTITIES.items():
        cases[name] = ({**SOUND[template], "answer_entity": entities}, replace(RULES[template], answers=answers))
    for name, (answers, _) in ORDERED.items():
        rule = replace(RULES["start"], check=BOTH, answers=answers)
        cases[name] = ({**SOUND["start"], "answer": ["a", "b"]}, rule)
    return cases


@pytest.fixture(scope="module")
def verified_rows(tmp_path_factory: pytest.TempPathFactory) -> tuple[Verification, dict[str, list[Mismatch]]]:
    """All of these rows, verified, and what is wrong with each."""
    return verify_each(tmp_path_factory.mktemp("rows") / "dataset", build_cases())


@pytest.fixture(scope="module")
def wrong(verified_rows: tuple[Verification, dict[str, list[Mismatch]]]) -> dict[str, list[Mismatch]]:
    return verified_rows[1]


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_row_is_right_beside_wrong_ones(wrong: dict[str, list[Mismatch]], name: str) -> None:
    assert wrong[name] == []


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_row_is_named(wrong: dict[str, list[Mismatch]], name: str) -> None:
    _, _, check_name, expected = WRONG[name]
    assert {item.check: item.expected for item in wrong[name]}[check_name] == expected


def test_wrong_rows_are_counted_and_fail(verified_rows: tuple[Verification, dict[str, list[Mismatch]]]) -> None:
    verified, wrong = verified_rows
    found = verified.families[FAMILY]
    assert found.by_check == dict.fromkeys(NAMES, 0) | Counter(item.check for items in wrong.values() for item in items)
    assert verified.wrong == found.wrong == sum(bool(items) for items in wrong.values())
    assert not verified.passed
    with pytest.raises(ValidationFailed, match=rf"check of {FAMILY}: {found.wrong} of {len(wrong)} wrong") as caught:
        verified.raise_on_failure()
    assert [name for _, _, name, _ in WRONG.values() if name not in str(caught.value)] == []


def test_an_answer_that_the_facts_do_not_give(wrong: dict[str, list[Mismatch]]) -> None:
    found = wrong["given-by-no-fact"]
    assert [(item.check, item.expected) for item in found] == [("answer", []), ("rating", 1)]
    assert "the facts give nothing" in str(found[0])


def test_two_derivations_are_wrong(tmp_path: Path) -> None:
    every_rank = RULES["start"].check.replace(
        "best s", "(SELECT *, stated_date(value_text) AS stated_date FROM statements) s"
    )
    twice = {**RULES, "start": replace(RULES["start"], check=every_rank)}
    found = check(write_dataset(tmp_path, rules=twice))
    assert found.by_check["answer"] == 1
    assert found.examples[0].expected == [["1970-01-01"], ["1989"], ["1990-08-02"]]


@pytest.mark.parametrize("name", ORDERED)
def test_the_order_of_an_answer_counts_unless_it_has_entities(wrong: dict[str, list[Mismatch]], name: str) -> None:
    assert [item.expected for item in wrong[name]] == ORDERED[name][1]


@pytest.mark.parametrize("name", ENTITIES)
def test_an_answer_has_entities_if_its_template_says_so(wrong: dict[str, list[Mismatch]], name: str) -> None:
    assert [item.check for item in wrong[name]].count("answer_entities") == ENTITIES[name][3]


def test_a_question_is_in_one_row(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path, [SOUND["start"], SOUND["director"], SOUND["director"]]))
    assert {(item.check, item.actual, item.expected) for item in found.examples} == {("id", "in 2 rows", "in one row")}


def test_a_statement_is_in_one_row(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path, facts=[*FACTS, build_statement(STRIKE, 31, 273120)]))
    assert [(item.check, item.actual) for item in found.examples] == [("id", "statement Q14$P31-a in 2 rows")]


BIRTH = build_statement(15, 569, "1951-05-14")
DAY_BEFORE = BIRTH["first_day"] - dt.timedelta(days=1)
START = build_statement(15, 39, OFFICE, start="1993-01-20")


@pytest.mark.parametrize(
    ("statement", "changes"),
    [
        pytest.param(BIRTH, {"first_day": DAY_BEFORE}, id="first-day"),
        pytest.param(BIRTH, {"last_day": BIRTH["last_day"] + dt.timedelta(days=1)}, id="last-day"),
        pytest.param(BIRTH, {"precision": 10}, id="precision"),
        pytest.param(BIRTH, {"calendar": "julian"}, id="calendar"),
        pytest.param(BIRTH, {"value_text": "+1951-05-13T00:00:00Z"}, id="text"),
        pytest.param(BIRTH, {"value_text": None}, id="no-text"),
        pytest.param(BIRTH, {"first_day": None, "last_day": None}, id="no-days"),
        pytest.param(BIRTH, {"snak": "hedged", "hedges": [1480]}, id="days-of-what-is-hedged"),
        pytest.param(BIRTH, {"snak": "hedged", "before": 2, "first_day": DAY_BEFORE}, id="not-wide-enough"),
        pytest.param(BIRTH, {"snak": "unreadable"}, id="days-of-what-was-rejected"),
        pytest.param(START, {"start_time": START["start_time"] | {"first_day": DAY_BEFORE}}, id="qualifier"),
    ],
)
def test_the_days_of_a_statement_are_derived_again(
    tmp_path: Path, statement: dict[str, Any], changes: dict[str, Any]
) -> None:
    found = check(write_dataset(tmp_path, facts=[*FACTS, {**statement, **changes}]))
    assert [item.check for item in found.examples] == ["days"]
    assert statement["statement_id"] in str(found.examples[0].actual)


def test_a_time_may_say_how_far_off_it_is(tmp_path: Path) -> None:
    wide = {**BIRTH, "snak": "hedged", "before": 1, "first_day": DAY_BEFORE}
    assert check(write_dataset(tmp_path, facts=[*FACTS, wide])).examples == ()


@pytest.mark.parametrize("calendar", ["julian", None])
def test_the_calendar_of_an_answer_is_that_of_a_statement(tmp_path: Path, calendar: str | None) -> None:
    found = check(write_dataset(tmp_path, changed("start", calendar=calendar)))
    assert [(item.check, item.expected) for item in found.examples] == [("calendar", ["gregorian"])]


@pytest.mark.parametrize(
    ("counted", "wrong"),
    [
        # As it is; more than the dataset has.
        ([(1, True), (2, False)], []),
        # Fewer; another number; complete and not said so.
        (
            [(0, False), (2, True), (1, False)],
            [
                "declaration 0: found 0, not complete",
                "declaration 1: found 2, complete",
                "declaration 2: found 1, not complete",
            ],
        ),
    ],
    ids=["right", "wrong"],
)
def test_a_declaration_is_counted_again(tmp_path: Path, counted: list[tuple[int, bool]], wrong: list[str]) -> None:
    entry = {"what": "list", "item": 744913, "since": 1990, "until": 1992, "members": 1, "source": "x"}
    declarations = [{**entry, "number": n, "found": c[0], "is_complete": c[1]} for n, c in enumerate(counted)]
    found = check(write_dataset(tmp_path, declarations=declarations))
    assert sorted(item.actual for item in found.examples) == wrong


@pytest.mark.parametrize(("rows", "wrong"), [(["start"], []), (["start", "count"], ["found none, not complete"])])
def test_a_declaration_finds_none_only_if_nothing_counts_it(tmp_path: Path, rows: list[str], wrong: list[str]) -> None:
    entry = {"number": 0, "what": "list", "item": 744913, "since": 1990, "until": 1992, "members": 1, "source": "x"}
    declarations = [{**entry, "found": None, "is_complete": False}]
    asked = {"start": SOUND["start"], "count": {**ACCIDENTS, "counted_over": "known facts"}}
    found = check(write_dataset(tmp_path, [asked[row] for row in rows], declarations=declarations))
    shown = [str(item.actual) for item in found.examples if item.check == "counted_over"]
    assert [text for text in shown if text.startswith("declaration")] == [f"declaration 0: {text}" for text in wrong]


def test_an_entity_is_described_once(wrong: dict[str, list[Mismatch]]) -> None:
    assert [item.expected for item in wrong["described-twice"]] == [
        "one description of each entity, in the order of question_entity"
    ]


def test_a_rival_makes_a_description_wrong(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path, facts=[*FACTS, build_statement(15, 31, 744913)]))
    assert [(item.check, item.actual, item.expected) for item in found.examples] == [
        ("unnamed", "Q11 by deaths", "1 others may fit")
    ]


def test_a_description_that_the_facts_do_not_give(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path, facts=[f for f in FACTS if f["property"] != 1120]))
    assert [item.expected for item in found.examples] == ["the facts do not describe it so"]


WAYS: dict[str, tuple[str, list[str]]] = {
    "a-choice-not-taken": ("'224' AS amount, [] AS items, 9", []),
    "another-that-fits": ("'223' AS amount, [] AS items, 0", []),
    "another-with-rivals": ("'223' AS amount, [] AS items, 9", []),
    "rivals-unknown": ("'223' AS amount, [] AS items, NULL", ["how many others may fit is unknown"]),
}
"""A second way to describe what is described, and what is wrong then."""


@pytest.fixture(scope="module")
def described_in_two_ways(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Mismatch]]:
    """Of rows that are described in two ways what is wrong; each description is of a form of its own."""
    says, first = DESCRIPTIONS["deaths"]
    second = "UNION ALL SELECT entity, NULL AS year, NULL AS country, {} AS rivals FROM d"
    forms = {name.replace("-", "_"): (says, f"{first} {second.format(way)}") for name, (way, _) in WAYS.items()}
    cases = {
        name: (
            {**SOUND["country"], "descriptions": [{"entity": FLIGHT, "key": name.replace("-", "_")}]},
            RULES["country"],
        )
        for name in WAYS
    }
    return verify_each(tmp_path_factory.mktemp("ways") / "dataset", cases, descriptions=forms)[1]


@pytest.mark.parametrize("name", WAYS)
def test_a_description_may_have_several_ways(described_in_two_ways: dict[str, list[Mismatch]], name: str) -> None:
    assert [item.expected for item in described_in_two_ways[name]] == WAYS[name][1]


@pytest.mark.parametrize(("start", "end"), WINDOWS)
def test_a_window_is_of_years_that_people_name(wrong: dict[str, list[Mismatch]], start: str, end: str | None) -> None:
    found = [item.check for item in wrong[name_window(start, end)]]
    assert ("timeframe" in found) == WINDOWS[start, end]


def test_an_unknown_day_leaves_its_bound_open(wrong: dict[str, list[Mismatch]]) -> None:
    """The strike has a start and no end: as an event it has no time at all."""
    found = [item.expected for item in wrong["without-an-end"] if item.check == "timeframe"]
    assert found == [{"start": None, "end": None}]


def test_hops_of_a_comparison_start_from_both(wrong: dict[str, list[Mismatch]]) -> None:
    assert [(item.check, item.expected) for item in wrong["hops-of-two"]] == [("hops", "nothing is reached from Q10")]


TWO_MORE = [
    *FACTS,
    *(
        fact
        for n, deaths, day in ((16, 20, "1995-01-01"), (17, 900, "1980-01-01"))
        for fact in (
            build_statement(n, 31, 744913),
            build_statement(n, 585, day),
            build_statement(n, 1120, Decimal(deaths)),
        )
    ),
]
"""Accidents with 20 and 900 deaths beside the one with 223."""
COUNT = Rule("count", 1, "SELECT question_id, answer, []::VARCHAR[] AS facts FROM q", timeframe="years")
ACCIDENTS = {
    **SOUND["holder"],
    "type": "3a",
    "rating": 1,
    "question_entity": [744913],
    "head_entity": 744913,
    "property": 1120,
}


def test_a_threshold_is_the_rounded_mean_of_its_class(tmp_path: Path) -> None:
    """Of two accidents in the window with 223 and 20 deaths it is 121, and people say 100; the third is before it."""
    cases = {name: ({**ACCIDENTS, "threshold": Decimal(n)}, COUNT) for name, n in (("right", 100), ("mean", 121))}
    _, wrong = verify_each(tmp_path / "window", cases, facts=TWO_MORE)
    assert {name: [(r.check, r.expected) for r in found] for name, found in wrong.items()} == {
        "right": [],
        "mean": [("threshold", 100)],
    }
    # With the third the mean is 381.
    wider = {"wider": ({**ACCIDENTS, "threshold": Decimal(400)}, COUNT)}
    window = ("1970-01-01", "2023-12-31")
    verified, _ = verify_each(tmp_path / "wider", wider, facts=TWO_MORE, window=window)
    assert verified.passed


@pytest.mark.parametrize(
    ("declared", "correct"),
    [
        ({}, "complete"),
        ({"item": None, "members": None}, "complete"),
        # Another number than there are, whatever the table says; another class; years that the window leaves.
        ({"members": 3}, "known facts"),
        ({"item": 198}, "known facts"),
        ({"since": 1995}, "known facts"),
        ({"what": "award"}, "known facts"),
    ],
)
@pytest.mark.sampled(3)
def test_a_count_is_over_what_is_declared_complete(tmp_path: Path, declared: dict[str, Any], correct: str) -> None:
    entry = {"number": 0, "what": "list", "item": 744913, "since": 1987, "until": 2023, "members": 2, "found": 2}
    declarations = [{**entry, "is_complete": True, "source": "me", **declared}]
    other = {"complete": "known facts", "known facts": "complete"}[correct]
    values = (("right", correct), ("wrong", other), ("none", None))
    cases = {name: ({**ACCIDENTS, "counted_over": value}, COUNT) for name, value in values}
    _, wrong = verify_each(tmp_path, cases, facts=TWO_MORE, declarations=declarations)
    for name, found in wrong.items():
        expected = [] if name == "right" else [("counted_over", correct)]
        # What the table says of the facts is checked for itself.
        shown = [r for r in found if not str(r.actual).startswith("declaration")]
        assert [(r.check, r.expected) for r in shown] == expected


ATTACKS = [
    fact
    for n in range(90, 95)
    for fact in (build_statement(n, 31, 198), build_statement(n, 585, "1994-05-01"), build_statement(n, 17, COUNTRY))
]
"""Five wars of a day in one country."""
BY_COUNTRY = {**ACCIDENTS, "question_entity": [198, COUNTRY], "head_entity": 198, "property": None, "answer": ["5"]}


def doubt(fact: dict[str, Any], snak: str) -> dict[str, Any]:
    """The statement with another snak type."""
    return {**fact, "snak": snak}


NO_COUNTRY = [each for each in ATTACKS if (each["subject"], each["property"]) != (94, 17)]


@pytest.mark.parametrize(
    ("facts", "answer", "shown"),
    [
        (ATTACKS, "5", []),
        ([*ATTACKS, doubt(build_statement(94, 17, 30), "hedged")], "5", []),
        ([*NO_COUNTRY, doubt(build_statement(94, 17, COUNTRY), "hedged")], "4", ["answer"]),
        ([*NO_COUNTRY, doubt(build_statement(94, 17, None), "novalue")], "4", []),
        ([*NO_COUNTRY, doubt(build_statement(94, 17, None), "somevalue")], "4", ["counted_over"]),
        (NO_COUNTRY, "4", ["counted_over"]),
        ([doubt(each, "hedged") if each.get("value_item") == 198 else each for each in ATTACKS], "5", ["answer"]),
    ],
    ids=["certain", "another hedged", "hedged", "none", "unknown", "not stated", "hedged class"],
)
def test_a_complete_count_by_country_knows_every_country(
    tmp_path: Path, facts: list[dict[str, Any]], answer: str, shown: list[str]
) -> None:
    (template,) = (each for each in load_templates() if each.id == "counting.event.in_country")
    rule = Rule("count", 1, template.check, timeframe="years")
    entry = {"number": 0, "what": "list", "item": None, "since": 1987, "until": 2023, "members": None, "source": "me"}
    declarations = [{**entry, "found": None, "is_complete": True}]
    row = {**BY_COUNTRY, "answer": [answer], "counted_over": "complete"}
    _, wrong = verify_each(tmp_path, {"count": (row, rule)}, facts=[*FACTS, *facts], declarations=declarations)
    assert [r.check for r in wrong["count"] if r.check in ("answer", "counted_over")] == shown


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_comparison_asks_in_a_direction_of_its_template(wrong: dict[str, list[Mismatch]], name: str) -> None:
    assert [item.check for item in wrong[name]] == ["polarity"] * DIRECTIONS[name][1]


UNDECLARED = "it is not declared that there is no other"
ANOTHER = 17


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(None, [UNDECLARED], id="nothing"),
        pytest.param({}, [], id="the-director"),
        pytest.param({"item": None, "members": None, "found": None}, [], id="all"),
        pytest.param({"since": 1994, "until": 1994}, [], id="the-year"),
        pytest.param({"since": 1995}, [UNDECLARED], id="later-years"),
        pytest.param({"until": 1993}, [UNDECLARED], id="earlier-years"),
        pytest.param({"members": 2}, [UNDECLARED], id="more-than-there-are"),
        pytest.param({"item": ANOTHER, "members": None}, [UNDECLARED], id="another"),
        pytest.param({"what": "books_by", "item": None, "members": None}, [UNDECLARED], id="books"),
    ],
)
@pytest.mark.sampled(2)
def test_a_work_is_described_by_maker_and_year_where_all_are_declared(
    tmp_path: Path, declared: dict[str, Any] | None, expected: list[str]
) -> None:
    values = "SELECT entity, 1994 AS year, NULL AS country, NULL AS amount, [13] AS items, 0 AS rivals FROM d"
    own = {"director_and_year": ("the {year} film directed by {first}", values)}
    question = "Who directed the 1994 film directed by Robert Zemeckis?"
    described = {"is_unnamed": True, "descriptions": [{"entity": FILM, "key": "director_and_year"}]}
    row = {**SOUND["director"], "question": question, "rating": 1, **described}
    entry = {"number": 0, "what": "films_by", "item": DIRECTOR, "since": 1990, "until": 2000, "members": 1, "found": 1}
    entries = [] if declared is None else [{**entry, "is_complete": True, "source": "me", **declared}]
    found = check(write_dataset(tmp_path, [row], descriptions=own, declarations=entries))
    assert [(item.check, item.actual, item.expected) for item in found.examples if item.check == "unnamed"] == [
        ("unnamed", f"Q{FILM} by director_and_year", correct) for correct in expected
    ]


ALIASES = {
    10: ["Desert Storm", "the war"],
    11: ["The War"],
    13: ["robert zemeckis", " ", "A\nB", "Zemeckis"],
    900: ["Peak"],
}
SOUND_ALIASES = [(10, "alias", None, "Desert Storm"), (13, "alias", None, "Zemeckis")]


@pytest.mark.parametrize(
    ("accepted", "wrong"),
    [
        (SOUND_ALIASES, set()),
        ([], {2, 3, 4}),
        ([SOUND_ALIASES[0]], {2, 4}),
        ([*SOUND_ALIASES, (10, "alias", None, "The Gulf")], {3}),
        ([*SOUND_ALIASES, (10, "alias", None, "the war")], {3}),
        ([*SOUND_ALIASES, (13, "alias", None, "robert zemeckis")], {2, 4}),
        ([*SOUND_ALIASES, (13, "label", None, "Zemeckis")], {2, 4}),
        # What nothing is asked about is shown at the first question.
        ([*SOUND_ALIASES, (900, "alias", None, "Peak")], {1}),
        ([*SOUND_ALIASES, (10, "description", "died", "the war")], {1}),
    ],
    ids=[
        "right",
        "no-alias",
        "one-alias",
        "unknown",
        "shared",
        "own-label",
        "label",
        "no-answer",
        "not-described",
    ],
)
@pytest.mark.sampled(3)
def test_accepted_answers_are_own_aliases(tmp_path: Path, accepted: list[Any], wrong: set[int]) -> None:
    found = check(write_dataset(tmp_path, accepted=accepted, aliases=ALIASES))
    assert {row.item_id for row in found.examples} == wrong
    assert {row.check for row in found.examples} <= {"accepted"}


DESCRIPTION = "the aviation accident in 1991 with 223 deaths"
OFFERED = {
    **SOUND["first"],
    "template_id": "latest",
    "polarity": "later",
    "question": f"Which happened last, {DESCRIPTION} or the Gulf War?",
    "answer": [LABELS[FLIGHT]],
    "answer_entity": [FLIGHT],
    "answer_country_entity": [COUNTRY],
    "is_unnamed": True,
    "descriptions": [{"entity": FLIGHT, "key": "deaths"}],
}
LATEST = Rule(
    "latest", 1, f"SELECT question_id, ['{LABELS[FLIGHT]}'] AS answer, ['a'] AS facts FROM q", polarities=("later",)
)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([DESCRIPTION], None),
        ([], "its description"),
        ([DESCRIPTION, "223 deaths"], "one description of each pattern"),
        (["the crash with 223 deaths"], "a description that is in the question"),
        (["the aviation accident in 1991 with 223 death"], "a description that is in the question"),
        (["the aviation accident in 1991"], "the description that the facts give"),
    ],
)
@pytest.mark.sampled(2)
def test_a_described_answer_is_accepted_as_it_was_offered(
    tmp_path: Path, texts: list[str], expected: str | None
) -> None:
    accepted = [(FLIGHT, "description", "deaths", text) for text in texts]
    found = check(write_dataset(tmp_path, [OFFERED], rules={"latest": LATEST}, accepted=accepted))
    assert [(row.check, row.expected) for row in found.examples] == ([("accepted", expected)] if expected else [])


def test_some_templates_and_some_rows(tmp_path: Path) -> None:
    many = [{**SOUND["start"], "question_id": n, "answer": ["1989"] if n > 3 else ["1990-08-02"]} for n in range(1, 6)]
    folder = write_dataset(tmp_path, [*many, {**SOUND["director"], "question_id": 9, "rating": 1}])
    found = check(folder, ItemSelection(patterns=["st*"]))
    assert (found.rows, found.checked, found.wrong) == (6, 5, 2)
    assert verify(folder, ItemSelection(patterns=["st*"], limit=3)).passed
    assert check(folder, ItemSelection(limit=3)).groups == {
        "director": {"rows": 1, "wrong": 1},
        "start": {"rows": 3, "wrong": 0},
    }
    with pytest.raises(InputError, match="no group of items fits star; did you mean start\\?"):
        verify(folder, ItemSelection(patterns=["start", "star"]))
    with pytest.raises(InputError, match="no group of items fits xyz; there are 2, such as director, start"):
        verify(folder, ItemSelection(patterns=["xyz"]))
    assert everwhen.verify(folder, groups="st*", limit=3).checked == 3, "a text is one pattern"


def test_statements_that_support_several_splits_are_counted(tmp_path: Path) -> None:
    splits = {1: "train", 2: "train", 3: "test"}
    rows = [{**SOUND["start"], "question_id": n, "split": split} for n, split in splits.items()]
    folder = write_dataset(tmp_path, [*rows, {**SOUND["director"], "question_id": 9, "split": "test"}])
    run = FamilyRun(folder, FAMILY, json.loads((folder / "manifest.json").read_text()))
    # When the war began is asked in two splits; of the two least ids only in one.
    assert run.count_shared_statements("split", 3) == {
        "looked_at": 4,
        "items": 4,
        "statements": 2,
        "shared": 1,
    }
    assert run.count_shared_statements("split", 2) == {
        "looked_at": 3,
        "items": 3,
        "statements": 2,
        "shared": 0,
    }


def test_only_the_first_wrong_rows_are_shown(tmp_path: Path) -> None:
    rows = [{**SOUND["start"], "question_id": n, "answer": ["1989"]} for n in range(9)]
    found = check(write_dataset(tmp_path, rows))
    assert (found.wrong, [item.item_id for item in found.examples]) == (9, [0, 1, 2])


def test_progress_is_reported(tmp_path: Path) -> None:
    reported: list[tuple[str, int, int]] = []
    verify(write_dataset(tmp_path), progress=lambda *step: reported.append(step))
    steps = reported[0][2]
    assert reported[0] == ("country", 0, steps)
    assert reported[-1] == ("done", steps, steps)
    assert [number for _, number, _ in reported] == list(range(steps + 1))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        pytest.param({}, "country: there is no check for it in checks/complextempqa", id="unknown"),
        pytest.param({"start": {"version": 2}}, "start: the items are of version 1, the check is of 2", id="version"),
        pytest.param({"start": {"check": "SELEC 1"}}, r"answers/start\.sql: .*syntax error", id="no-sql"),
        pytest.param({"start": {"check": "SELECT 1 AS question_id FROM q"}}, "it must yield", id="other-columns"),
        pytest.param(
            {"start": {"check": "SELECT question_id, ['x'] AS answer FROM q"}}, "facts VARCHAR", id="without-facts"
        ),
        pytest.param({"start": {"check": "-- nothing"}}, "the last statement must be a SELECT", id="nothing"),
        pytest.param({"start": {"check": "SELECT 1; SELECT 2"}}, "there are 2 statements", id="two"),
        pytest.param(
            {"start": {"check": "SELECT question_id, answer, ['x'] AS facts FROM nowhere"}}, "nowhere", id="table"
        ),
    ],
)
@pytest.mark.sampled(3)
def test_a_template_that_cannot_check(tmp_path: Path, rules: dict[str, Any], message: str) -> None:
    mine = (
        {name: replace(rule, **rules.get(name, {})) for name, rule in RULES.items()}
        if rules
        else {"x": Rule("x", 1, "SELECT 1")}
    )
    with pytest.raises(InputError, match=message):
        verify(write_dataset(tmp_path, rules=mine))


def test_a_description_of_an_unknown_form_is_wrong(tmp_path: Path) -> None:
    """The checks come with the dataset: what they cannot derive, they do not confirm."""
    found = check(write_dataset(tmp_path, descriptions={}))
    assert [(item.check, item.expected) for item in found.examples] == [("unnamed", "the facts do not describe it so")]


def test_a_description_that_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"checks/complextempqa/descriptions\.sql: .*country"):
        verify(write_dataset(tmp_path, descriptions={"deaths": ("it", "SELECT entity FROM d")}))


def test_what_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: no such folder"):
        verify(tmp_path / "none")
    with pytest.raises(InputError, match=r"no manifest\.json, so this is no finished dataset"):
        verify(tmp_path)
    folder = write_dataset(tmp_path / "made")
    with pytest.raises(InputError, match=rf"no finished dataset; there is one in {folder}"):
        verify(tmp_path)
    with pytest.raises(InputError, match="no family tempo in this dataset; it has complextempqa"):
        verify(folder, ItemSelection(families=["tempo"]))
    (folder / QUESTIONS).unlink()
    write_manifest(folder)
    with pytest.raises(InputError, match="no table complextempqa/questions; there are complextempqa/accepted_answers"):
        verify(folder)


def test_options_that_duckdb_does_not_take(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path)
    assert verify(folder, resources=Resources(memory="500MB", threads=1)).passed
    with pytest.raises(InputError, match="memory much"):
        check(folder, resources=Resources(memory="much"))


def test_want_of_memory_is_the_machines(tmp_path: Path) -> None:
    """Another try may do better: exit code 3."""
    with pytest.raises(MachineFailed, match=r"spills to .*; more memory or fewer threads may do\)$") as caught:
        check(write_dataset(tmp_path), resources=Resources(memory="1MB", threads=1))
    assert "SET " not in str(caught.value)


def test_a_verbose_command_passes_on_what_duckdb_advises(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = write_dataset(tmp_path)
    with caplog.at_level(logging.DEBUG, "everwhen"), pytest.raises(MachineFailed, match="SET "):
        check(folder, resources=Resources(memory="1MB", threads=1))


@pytest.mark.full
def test_questions_are_streamed_however_few_they_are_taken_for(tmp_path: Path) -> None:
    """160 MB of texts, checked in 110: DuckDB took them for the smaller side of a join, and kept them."""
    row = {**SOUND["director"], "question": "Who? " * 800}
    many = [{**row, "question_id": n, "answer_entity": [1_000_000 + n]} for n in range(40_000)]
    found = check(write_dataset(tmp_path, many), resources=Resources(memory="110MB", threads=2))
    assert (found.checked, found.wrong) == (40_000, 40_000)


def test_the_lists_of_the_manifest_count(tmp_path: Path) -> None:
    """Made with films alone, a dataset knows no time of a war."""
    folder = write_dataset(tmp_path, [SOUND["start"]], lists=["films"])
    assert [item.expected for item in check(folder).examples] == [{"start": None, "end": None}]
    write_manifest(folder, lists=[])
    assert verify(folder).passed


def test_a_limit_below_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="limit: a number from 1 is expected, not 0"):
        verify(write_dataset(tmp_path), ItemSelection(limit=0))


def test_a_check_may_end_in_a_comment(tmp_path: Path) -> None:
    rules = {name: replace(rule, check=f"{rule.check}; -- größe;\n/* ; */") for name, rule in RULES.items()}
    folder = write_dataset(tmp_path, changed("start", answer=["1989"]), rules=rules)
    assert check(folder).by_check == dict.fromkeys(NAMES, 0) | {"answer": 1}


def test_a_query_is_interrupted_as_anything_else(tmp_path: Path) -> None:
    """By the words that DuckDB says then; no signal is sent, since a query does not look for one at all times."""
    with pytest.raises(KeyboardInterrupt), open_dataset(tmp_path, {}):
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="another"), open_dataset(tmp_path, {}):
        raise RuntimeError("another")
