"""Errors planted in a sound dataset, each in an item of its own: the checks find each of them, and no other item."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import temporal_tables as tables
from everwhen.families.tdbench.tables import ACCEPTED_ANSWERS, DECLARATIONS, ITEM_SETS, ITEMS, REJECTS, ROWS
from temporal_tables import (
    DECLARED,
    Question,
    answer_all,
    describe_declaration,
    describe_row,
    list_items,
    list_questions,
    list_rows,
    split_item,
    verify_all,
    write_dataset,
)

Item = dict[str, Any]
Change = Callable[[Item], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("sound") / "dataset")


def test_sound_items_of_every_task_and_relation_pass(sound: Path) -> None:
    found, wrong = verify_all(sound)
    assert wrong == {}
    assert set(found.families["tdbench"].groups) == {item["task"] for item in list_items()}
    assert len(found.families["tdbench"].groups) == 6
    cells = {(item["relation"], item["cardinality"]) for item in list_items() if item["task"] == "reasoning"}
    assert {relation for relation, _ in cells} == set(tables.CONDITIONS)
    assert {relation for relation, size in cells if size == "unique"} == set(tables.CONDITIONS)


def rename(value: Any, old: str, new: str) -> Any:
    """Rename a value wherever it occurs."""
    match value:
        case str():
            return value.replace(old, new)
        case dict():
            return {key: rename(part, old, new) for key, part in value.items()}
        case list() | tuple():
            return type(value)(rename(part, old, new) for part in value)
        case _:
            return value


def rename_town(name: str) -> list[Item]:
    """The sound items with another name of the town Borum, each in the split of its key."""
    items = rename(list(list_items()), "Borum", name)
    for item in items:
        given = {pair["column"]: pair["value"] for pair in item["given"]}
        item["split"] = split_item(item["task"], item["declaration"], given)
    return items


def write_renamed(folder: Path, items: list[Item], name: str) -> Path:
    """A dataset in which the town Borum has another name."""
    rows = rename([describe_row(row) for row in list_rows()], "Borum", name)
    declared = rename([describe_declaration(each) for each in DECLARED.values()], "Borum", name)
    return write_dataset(folder / "dataset", items, rows, declared)


@pytest.mark.parametrize("name", ["{Borum}", "None of Borum", "Borum {null", "None {of} <b>Borum</b>"])
def test_values_may_look_like_slots(tmp_path: Path, name: str) -> None:
    items = rename_town(name)
    assert sum(name in item["question"] for item in items) > 10
    assert verify_all(write_renamed(tmp_path, items, name))[1] == {}


def test_an_open_slot_beside_such_a_value_is_found(tmp_path: Path) -> None:
    items = rename_town("{Borum}")
    wrong = next(item for item in items if "{Borum}" in item["question"])
    wrong["question"] = wrong["question"].replace("?", " in {Town}?")
    assert list(verify_all(write_renamed(tmp_path, items, "{Borum}"))[1]) == [wrong["item_id"]]


def test_the_tables_are_those_of_the_family() -> None:
    named = {ITEMS: tables.ITEMS, ROWS: tables.ROWS, DECLARATIONS: tables.DECLARATIONS, REJECTS: tables.REJECTS}
    for table, schema in named.items():
        assert [column.name for column in table.columns] == schema.names
    assert [column.name for column in ITEM_SETS.table.columns] == tables.ITEM_SETS.names
    assert [column.name for column in ACCEPTED_ANSWERS.columns] == tables.ACCEPTED_ANSWERS.names


# Errors of a generator: questions that it answers by another rule.


def has_earlier_ends(s: int, e: int, bs: int, be: int) -> bool:
    return s < bs and e < be


def may_start_together(s: int, e: int, bs: int, be: int) -> bool:
    return s <= bs < e < be


def touches(s: int, e: int, bs: int, be: int) -> bool:
    return s <= be and bs <= e


RULES: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "< for = in finished-by": (
        "relation == 'finished_by'",
        lambda patch: patch.setitem(tables.CONDITIONS, "finished_by", has_earlier_ends),
    ),
    "<= in overlaps": (
        "relation == 'overlaps'",
        lambda patch: patch.setitem(tables.CONDITIONS, "overlaps", may_start_together),
    ),
    "open end as today": (
        "b_end is not None and b_end.year == 2024",
        lambda patch: patch.setattr(tables, "FOREVER", dt.date(2024, 6, 30).toordinal()),
    ),
    "a handover day joined twice": (
        "relation == 'joined'",
        lambda patch: patch.setattr(tables, "judge_joined", touches),
    ),
}


def find_changed(condition: str) -> dict[int, Item]:
    """The items that the rules of the moment answer in another way than the sound ones, by id."""
    right = {item["question"]: item for item in list_items()}
    names = {field.name for field in fields(Question)}
    code = compile(condition, "condition", "eval")
    questions = (q for q in list_questions(list_rows()) if eval(code, {}, {name: getattr(q, name) for name in names}))
    changed = {}
    for text, item in answer_all(questions).items():
        sound = right.get(text)
        if sound is not None and sound["answer"] != item["answer"]:
            changed[sound["item_id"]] = {**item, "item_id": sound["item_id"], "context": sound["context"]}
    return changed


@cache
def follow_rules() -> dict[str, dict[int, Item]]:
    """The items that each wrong rule answers in another way, by the rule."""
    changed = {}
    list_items()  # by the sound rules, before one is replaced
    for rule, (condition, plant) in RULES.items():
        with pytest.MonkeyPatch.context() as patch:
            plant(patch)
            changed[rule] = find_changed(condition)
    return changed


def replace_items(changed: Mapping[int, Item]) -> list[Item]:
    return [changed.get(item["item_id"], item) for item in list_items()]


BROKEN_KEY, DAYS, TWICE = 9001, 9002, 9003


def add_items() -> list[Item]:
    """Items that a sound generator would not ask."""
    aldby, cliffe = ({"Town": town, "Office": "Mayor"} for town in ("Aldby", "Cliffe"))
    first, end = dt.date(1990, 1, 1), dt.date(1991, 9, 2)
    of_broken_key = Question("reasoning", "mayors", cliffe, ("Person",), "started_by", "day", first, end)
    times = (end - dt.timedelta(days=120), end)
    of_120_days = Question("reasoning", "mayors", aldby, ("Person",), "meets", "day", *times, offset=4)
    broken, days = answer_all([of_broken_key, of_120_days]).values()
    assert broken["answer"] == ["Hal Juhl"]
    again = next(item for item in list_items() if item["task"] == "sets" and item["relation"] == "after")
    twice = {**again, "item_id": TWICE}
    return [
        {**broken, "item_id": BROKEN_KEY},
        {**days, "item_id": DAYS},
        *({**twice, "question": again["question"].replace("who", word)} for word in ("who once", "who there")),
    ]


@pytest.mark.parametrize("rule", RULES)
def test_items_of_a_wrong_rule_are_wrong(planted: dict[int, frozenset[str]], rule: str) -> None:
    changed = follow_rules()[rule]
    assert changed
    assert all("answer" in planted.get(item, ()) for item in changed)


def test_a_broken_key_must_not_be_asked(planted: dict[int, frozenset[str]]) -> None:
    assert planted[BROKEN_KEY] == {"key"}


def test_a_broken_key_that_is_kept_for_sets_may_be_asked_for_them_alone(tmp_path: Path) -> None:
    kept = {**tables.MAYORS, "tfds": [{**tables.MAYORS["tfds"][0], "broken": "sets"}]}
    declared = [tables.describe_declaration({**tables.DECLARED, "mayors": kept}[name]) for name in tables.DECLARED]
    broken, *_ = add_items()
    as_set = {
        **broken,
        "item_id": 1,
        "task": "sets",
        "question": "who, of all, was it in Cliffe as a mayor in 1990-01-01?",
    }
    wrong = verify_all(write_dataset(tmp_path / "dataset", [broken, as_set], declared=declared))[1]
    assert wrong[BROKEN_KEY] == {"key"}
    assert "key" not in wrong[1]
    assert "columns" not in wrong[1]


def test_four_months_are_not_120_days(planted: dict[int, frozenset[str]]) -> None:
    assert planted[DAYS] == {"offset"}


def test_an_item_is_there_once(planted: dict[int, frozenset[str]]) -> None:
    assert planted[TWICE] == {"id", "answer"}


def test_what_nothing_can_meet_must_not_be_asked(tmp_path: Path) -> None:
    """No month lies between two that follow each other, and no prize is given before a day and after it."""
    sound = {item["question"] for item in list_items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "is_possible", lambda question: True)
        impossible = [item for text, item in answer_all(list_questions(list_rows())).items() if text not in sound]
    items = [{**item, "item_id": 5001 + number} for number, item in enumerate(impossible)]
    assert {("leases", "during"), ("prizes", "contains")} <= {(i["declaration"], i["relation"]) for i in items}
    assert not any(item["answer"] for item in items)
    wrong = verify_all(write_dataset(tmp_path / "dataset", [*list_items(), *items]))[1]
    assert {item for item, names in wrong.items() if names == {"interval"}} == {item["item_id"] for item in items}
    assert set(wrong) == {item["item_id"] for item in items}


# Errors in columns.


def set_to(**values: Any) -> Change:
    return lambda item: item.update(values)


def drop_answer(item: Item) -> None:
    lost = item["answer"].pop()
    item["references"] = [each for each in item["references"] if each["answer"] != lost]
    item["cardinality"] = "unique" if len(item["answer"]) == 1 else "multiple"


def swap_references(item: Item) -> None:
    first, second = item["references"][:2]
    first["date"], second["date"] = second["date"], first["date"]


def change_text(old: str, new: str) -> Change:
    def change(item: Item) -> None:
        assert old in item["question"], item["question"]
        item["question"] = item["question"].replace(old, new, 1)

    return change


def answer_nothing(item: Item) -> None:
    item.update(answer=[], cardinality="none", references=[], evidence=[])


def shift_end(item: Item) -> None:
    item["b_end"] += dt.timedelta(days=1)


def add_row_that_answers(item: Item) -> None:
    item["context"].append(item["context"][0])


def change_place(part: str, column: str, place: int, value: Any) -> Change:
    def change(item: Item) -> None:
        item[part][place][column] = value

    return change


ERRORS: dict[str, tuple[str, str, Change]] = {
    # name: condition of the item, the check that finds it, the change
    "one of several answers lost": ("cardinality == 'multiple' and relation == 'during'", "answer", drop_answer),
    "a none with an answer": ("cardinality == 'unique' and relation == 'equals'", "answer", answer_nothing),
    "references swapped": ("relation == 'contains' and answer", "references", swap_references),
    "a context row left out": ("relation == 'after' and answer", "context", lambda item: item["context"].pop(0)),
    "at least k without those of more": (
        "counted == 1 and is_at_least",
        "answer",
        lambda item: item["answer"].remove("Ann Berg"),
    ),
    "exactly k stated as at least": (
        "counted == 2 and not is_at_least",
        "question",
        change_text("exactly", "at least"),
    ),
    "at least k stated as k": ("counted == 2 and is_at_least", "counted", set_to(is_at_least=None)),
    "another k in the text": ("counted == 3 and not is_at_least", "question", change_text("3 times", "4 times")),
    "another k in the text, where a date of it has the number": (
        "declaration == 'medals' and counted == 1 and is_at_least",
        "question",
        change_text("1 time", "2 time"),
    ),
    "a stint counted that began too early": (
        "declaration == 'wardens' and counted == 3 and not is_at_least",
        "answer",
        lambda item: item.update(answer=["Ida Lie", "Una Vik"], cardinality="multiple"),
    ),
    "a continued stint counted as new": (
        "declaration == 'wardens' and counted == 2 and not is_at_least",
        "answer",
        lambda item: item.update(answer=["Ida Lie", "Una Vik"], cardinality="multiple"),
    ),
    "a row counted that is of the very day": (
        "declaration == 'medals' and counted == 2 and not is_at_least",
        "answer",
        lambda item: item.update(answer=["Per Moe", "Rut Nes"], cardinality="multiple"),
    ),
    "evidence that began too early": (
        "declaration == 'wardens' and counted == 1 and is_at_least",
        "evidence",
        lambda item: item["evidence"].insert(0, item["evidence"][0] - 1),
    ),
    "no last day in the text of what came after": (
        "relation == 'after' and cardinality == 'multiple'",
        "question",
        change_text(", up to 30 June 2024", ""),
    ),
    "another last day in the text of what came after": (
        "relation == 'after' and cardinality == 'unique'",
        "question",
        change_text("up to 30 June 2024", "up to 30 June 2023"),
    ),
    "no day in the text after which they began": (
        "declaration == 'wardens' and counted == 2 and is_at_least",
        "question",
        change_text("that began after 1 January 1990, ", ""),
    ),
    "another day in the text after which they began": (
        "declaration == 'medals' and counted == 2 and is_at_least",
        "question",
        change_text("1 January 1990", "1 January 1991"),
    ),
    "ended in the text for began": (
        "declaration == 'wardens' and counted == 1 and not is_at_least",
        "question",
        change_text("began after", "ended after"),
    ),
    "before in the text for after": (
        "declaration == 'medals' and counted == 1 and not is_at_least",
        "question",
        change_text("after", "before"),
    ),
    "before in the text for after a date": (
        "relation == 'during' and granularity == 'month' and answer",
        "question",
        change_text("that began after", "that began before"),
    ),
    "after in the text for before a date": (
        "relation == 'starts' and granularity == 'year' and answer",
        "question",
        change_text("ended before", "ended after"),
    ),
    "before in the text for in a month": (
        "relation == 'equals' and granularity == 'month'",
        "question",
        change_text("began in", "began before"),
    ),
    "an offset after a date in the text for before it": (
        "relation == 'meets' and offset_months and granularity == 'day' and answer",
        "question",
        change_text("before", "after"),
    ),
    "ended in the text for began of a row": (
        "relation == 'contains' and granularity == 'day' and not event",
        "question",
        change_text("that began", "that ended"),
    ),
    "the end in the text left to the start": (
        "relation == 'equals' and granularity == 'day' and not event",
        "question",
        change_text("and ended", "and began"),
    ),
    "the event's end in the text for its start": (
        "relation == 'met_by' and event",
        "question",
        change_text("fair ended", "fair began"),
    ),
    "after an event in the text for before it": (
        "relation == 'contains' and event",
        "question",
        change_text("that began before", "that began after"),
    ),
    "a date changed in the text": (
        "relation == 'overlaps' and granularity == 'day'",
        "question",
        change_text(" 198", " 197"),
    ),
    "a day of the text left out": (
        "relation == 'starts' and granularity == 'day' and '1 March 1984' in question",
        "question",
        change_text("1 March 1984", "March 1984"),
    ),
    "120 days in the text": (
        "offset_months == 12 and relation == 'meets'",
        "question",
        change_text("1 years", "365 days"),
    ),
    "another offset in the text": ("offset_months == 24", "question", change_text("2 years", "3 years")),
    "the key left out of the text": (
        "task == 'reasoning' and 'Borum' in question and relation == 'before'",
        "question",
        change_text("Borum", "there"),
    ),
    "another question word": (
        "task == 'reasoning' and 'mayor' in question and relation == 'met_by'",
        "question",
        change_text("who", "what"),
    ),
    "the event left out of the text": (
        "task == 'implicit' and relation == 'after'",
        "question",
        change_text("fair", "feast"),
    ),
    "an open slot": ("relation == 'finishes'", "question", change_text("?", " {Town}?")),
    "cardinality": ("relation == 'before' and cardinality == 'unique'", "cardinality", set_to(cardinality="multiple")),
    "a near miss that is none": (
        "relation == 'during' and not answer and not is_near_miss",
        "near_miss",
        set_to(is_near_miss=True),
    ),
    "a near miss not named": ("relation == 'starts' and is_near_miss", "near_miss", set_to(is_near_miss=False)),
    "another relation": ("relation == 'contains' and answer and not event", "answer", set_to(relation="during")),
    "a relation of another task": ("task == 'alignment' and answer", "relation", set_to(relation="before")),
    "the task of sets": ("task == 'reasoning' and answer and granularity == 'year'", "columns", set_to(task="sets")),
    "short where all counts": ("relation == 'meets' and answer", "relation", set_to(is_short=True)),
    "a column that is not there": ("relation == 'met_by' and answer", "columns", set_to(asked=["Persons"])),
    "a given column that is not there": (
        "relation == 'started_by' and answer and declaration == 'laws'",
        "columns",
        change_place("given", "column", 0, "Place"),
    ),
    "another granularity": (
        "granularity == 'year' and relation == 'overlaps' and declaration == 'laws'",
        "granularity",
        set_to(granularity="day"),
    ),
    "b backwards": ("relation == 'contains' and granularity == 'month'", "interval", set_to(b_end=dt.date(1900, 1, 1))),
    "b without an end": ("relation == 'equals' and not answer", "interval", set_to(b_end=None)),
    "b within a unit": (
        "granularity == 'month' and relation == 'overlapped_by'",
        "interval",
        lambda item: item.update(b_start=item["b_start"] + dt.timedelta(days=2)),
    ),
    "the offset": ("offset_months == 6", "offset", set_to(offset_months=7)),
    "an offset of another relation": ("relation == 'equals' and answer", "offset", set_to(offset_months=2)),
    "as_of": ("relation == 'finished_by' and declaration == 'mayors'", "as_of", set_to(as_of=dt.date(2020, 1, 1))),
    "nothing after b up to as_of": (
        "relation == 'after' and granularity == 'day' and as_of and not event",
        "as_of",
        lambda item: item.update(b_end=item["as_of"]),
    ),
    "b after as_of": ("declaration == 'laws' and relation == 'contains'", "as_of", set_to(b_end=dt.date(2030, 1, 1))),
    "another event": ("event == 'the Borum 1988 fair'", "event", set_to(event="the Aldby 1999 fair")),
    "the times of another event": ("event == 'the Aldby 1982 fair' and relation == 'before'", "event", shift_end),
    "an event of none": ("task == 'sets' and relation == 'before'", "event", set_to(event="the Aldby 1982 fair")),
    "another hop": ("len(hops) == 2", "hops", change_place("hops", "value", 1, "Cliffe")),
    "no hop": ("len(hops) == 1", "event", set_to(hops=[])),
    "counted of another task": (
        "relation == 'starts' and answer and granularity == 'year'",
        "counted",
        set_to(counted=2),
    ),
    "no counted": ("counted == 3 and is_at_least", "counted", set_to(counted=None)),
    "a reference's role": (
        "relation == 'before' and cardinality == 'multiple'",
        "references",
        change_place("references", "role", 0, "start"),
    ),
    "a reference's answer": (
        "relation == 'during' and cardinality == 'unique'",
        "references",
        change_place("references", "answer", 0, "Nobody"),
    ),
    "a stated date not stated": (
        "relation == 'equals' and answer and granularity == 'day'",
        "references",
        change_place("references", "is_stated", 0, False),
    ),
    "a reference left out": (
        "relation == 'contains' and granularity == 'year' and answer",
        "references",
        lambda item: item["references"].pop(),
    ),
    "evidence": ("relation == 'overlapped_by' and answer", "evidence", set_to(evidence=[1001])),
    "a row of the context twice": ("relation == 'finishes' and answer", "context", add_row_that_answers),
    "a changed row of the context": (
        "relation == 'after' and granularity == 'month'",
        "context",
        lambda item: item.update(context=[text.replace("19", "20") for text in item["context"]]),
    ),
    "wording": ("relation == 'before' and granularity == 'year'", "wording", set_to(wording=3)),
    "split": ("declaration == 'leases' and relation == 'before'", "split", set_to(split="none")),
    "another statement": (
        "relation == 'overlaps' and cardinality == 'unique'",
        "sql",
        lambda item: item.update(sql=item["sql"].replace("<", ">")),
    ),
    "another day in the statement, which yields the same": (
        "relation == 'before' and not answer and task == 'reasoning' and not event",
        "sql",
        lambda item: item.update(sql=item["sql"].replace(str(item["b_start"]), "1901-01-01")),
    ),
    "no day in the statement after which they began": (
        "declaration == 'wardens' and counted == 3 and is_at_least",
        "sql",
        lambda item: item.update(sql=item["sql"].replace(" AND r.earliest_start > DATE '1990-01-01'", "")),
    ),
    "a statement that yields nothing": ("relation == 'meets' and answer", "sql", set_to(sql="SELECT 1 WHERE false")),
    "declaration": ("declaration == 'prizes' and relation == 'during'", "declaration", set_to(declaration="price")),
}
"""Which sound item is changed, how, and which check finds it."""


@cache
def plant_errors() -> tuple[dict[str, int], dict[int, Item]]:
    """Change one item for each error: their ids by the error's name, and the changed items by id."""
    ids = dict[str, int]()
    changed = {number: item for items in follow_rules().values() for number, item in items.items()}
    for name, (condition, _, change) in ERRORS.items():
        item = next(
            i for i in list_items() if i["item_id"] not in changed and eval(condition, {"len": len}, dict(EMPTY, **i))
        )
        ids[name] = item["item_id"]
        changed[item["item_id"]] = copy.deepcopy(item)
        change(changed[item["item_id"]])
        assert changed[item["item_id"]] != item, name
    return ids, changed


ITEM_COLUMNS = tuple(column.name for column in ITEMS.columns)
EMPTY = dict.fromkeys(ITEM_COLUMNS)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> dict[int, frozenset[str]]:
    items = [*replace_items(plant_errors()[1]), *add_items()]
    _, wrong = verify_all(write_dataset(tmp_path_factory.mktemp("planted") / "dataset", items, runs_sql=True))
    return wrong


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_is_found_by_its_check(planted: dict[int, frozenset[str]], error: str) -> None:
    ids, _ = plant_errors()
    assert ERRORS[error][1] in planted.get(ids[error], ())


def test_no_other_item_is_wrong(planted: dict[int, frozenset[str]]) -> None:
    known = {*plant_errors()[1], BROKEN_KEY, DAYS, TWICE}
    assert {item: names for item, names in planted.items() if item not in known} == {}


def test_every_column_has_a_planted_error() -> None:
    sound = {item["item_id"]: item for item in list_items()}
    ids, changed = plant_errors()
    pairs = [(sound[item], changed[item]) for item in ids.values()]
    columns = {column for before, after in pairs for column in ITEM_COLUMNS if before.get(column) != after.get(column)}
    assert columns | {"item_id"} == set(ITEM_COLUMNS)
