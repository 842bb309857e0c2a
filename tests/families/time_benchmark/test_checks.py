"""Errors planted in a sound text and its questions, one at a time: the checks find each of them, by name."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from everwhen.families.time_benchmark.build import read_checks
from time_texts import (
    ADA,
    BO,
    CLUB,
    CY,
    MIDVALE,
    NORTHGATE,
    SOUTHAM,
    WESTFORD,
    Tables,
    build_tables,
    identify,
    state,
    verify_texts,
)
from tiny_dataset import build_statement

Plant = Callable[[Tables], None]

PLANTED: list[tuple[Plant, str, str]] = []
"""Each error with the task of an item that becomes wrong, and the check that says so."""


def plants(task: str, check: str) -> Callable[[Plant], Plant]:
    """Note an error, and what finds it."""

    def note(plant: Plant) -> Plant:
        PLANTED.append((plant, task, check))
        return plant

    return note


# Gold answers.


@plants("duration_compare", "answer")
def swap_gold_and_distractor(tables: Tables) -> None:
    item = tables.items["duration_compare"]
    item |= {"answer": [item["options"][1]], "option_kinds": ["other", "right"]}


@plants("order_compare", "answer")
def say_that_both_were_on_one_day(tables: Tables) -> None:
    item = tables.items["order_compare"]
    item["options"].append("Both on the same day")
    item |= {"answer": [item["options"][2]], "option_kinds": ["other", "other", "right"]}


@plants("extract", "answer")
def call_a_told_time_a_distractor(tables: Tables) -> None:
    item = tables.items["extract"]
    item |= {"answer": ["1990"], "evidence": ["Q1$P54-a"]}
    item["option_kinds"] = ["shifted", "right", "shifted", "shifted", "none"]


@plants("extract", "answer")
def take_for_a_distractor_what_shares_days_with_a_told_time(tables: Tables) -> None:
    item = tables.items["extract"]
    item["options"][0] = "March 1997"
    identify(item)


@plants("localization", "answer")
def move_a_localization_by_a_year(tables: Tables) -> None:
    tables.items["localization"]["answer"] = ["From 1994 to 1997"]


@plants("computation", "answer")
def make_a_duration_a_day_longer(tables: Tables) -> None:
    tables.items["computation"]["answer"] = ["9 years, 1 month and 28 days"]


@plants("computation", "answer")
def make_a_duration_a_year_longer(tables: Tables) -> None:
    tables.items["computation"]["answer"] = ["10 years 1 month 27 days"]


@plants("computation", "accepted")
def count_a_day_too_many(tables: Tables) -> None:
    (texts,) = tables.items["computation"]["accepted"]
    texts[1] = f"{int(texts[1].split()[0]) + 1} days"


@plants("explicit_reasoning", "answer")
def leave_out_an_answer(tables: Tables) -> None:
    tables.items["explicit_reasoning"] |= {"answer": ["Northgate F.C."], "evidence": ["Q1$P54-a"]}


@plants("order_reasoning", "answer")
def take_the_third_for_the_second(tables: Tables) -> None:
    tables.items["order_reasoning"]["answer"] = ["Westford Town"]


@plants("relative_reasoning", "answer")
def take_the_first_before_for_the_last(tables: Tables) -> None:
    tables.items["relative_reasoning"]["answer"] = ["Northgate F.C."]


@plants("relative_reasoning", "answer")
def say_that_there_is_no_answer_where_there_is_one(tables: Tables) -> None:
    tables.items["relative_reasoning"] |= {"answer": ["There is no answer"], "is_refusal": True}


@plants("co_temporality", "answer")
def say_that_nobody_was_there_at_the_time(tables: Tables) -> None:
    facts = ["Q1$P54-c", "Q2$P54-a", "Q2$P54-b", "Q2$P54-c"]
    tables.items["co_temporality"] |= {"answer": ["There is no answer"], "is_refusal": True, "evidence": facts}


@plants("timeline", "answer")
def swap_neighbours_of_a_timeline(tables: Tables) -> None:
    tables.items["timeline"]["answer"] = ["(5)(2)(4)(8)(1)(6)(7)(3)"]


@plants("counterfactual", "answer")
def keep_the_moved_fact_among_the_answers(tables: Tables) -> None:
    tables.items["counterfactual"]["answer"] = ["Northgate F.C.", "Southam United"]


# Choices between names.


@plants("order_reasoning", "answer")
def take_what_another_timeline_has_for_the_answer(tables: Tables) -> None:
    item = tables.items["order_reasoning choice"]
    item |= {"answer": ["Eastbury Rovers"], "option_kinds": ["right", "other_timeline", "wrong_time", "unmentioned"]}


@plants("order_reasoning", "options")
def misjudge_what_an_option_is(tables: Tables) -> None:
    kinds = ["unmentioned", "right", "wrong_time", "unmentioned"]
    tables.items["order_reasoning choice"]["option_kinds"] = kinds


@plants("order_reasoning", "options")
def offer_what_the_right_name_is_a_part_of(tables: Tables) -> None:
    tables.statements.append(build_statement(WESTFORD, 361, CLUB, name="a"))
    tables.statements.append(build_statement(CLUB, 279, MIDVALE, name="a"))


@plants("explicit_reasoning", "options")
def offer_a_part_of_the_right_name(tables: Tables) -> None:
    tables.statements.append(build_statement(MIDVALE, 131, NORTHGATE, name="a"))


@plants("order_reasoning", "options")
def offer_a_name_that_contains_the_right_one(tables: Tables) -> None:
    tables.labels[MIDVALE] = "New Westford Town"
    for item in tables.items.values():
        item["options"] = [option.replace("Midvale City", "New Westford Town") for option in item["options"]]


@plants("order_reasoning", "options")
def offer_another_timeline_at_another_time(tables: Tables) -> None:
    item = tables.items["order_reasoning choice"]
    item["parameters"]["k"], item["question"] = "1", item["question"].replace("third", "first")
    item |= {"answer": ["Northgate F.C."], "option_kinds": ["other_timeline", "wrong_time", "right", "unmentioned"]}
    identify(item)


@plants("relative_reasoning", "answer")
def date_a_choice_otherwise(tables: Tables) -> None:
    item = tables.items["relative_reasoning choice"]
    item["parameters"]["date"], item["question"] = "1992-03-09", item["question"].replace("1998", "1992")
    identify(item)


@plants("explicit_reasoning", "scope")
def speak_of_those_named_where_all_are(tables: Tables) -> None:
    restrict(tables)


def restrict(tables: Tables) -> None:
    """Ask of those named in the text."""
    item = tables.items["explicit_reasoning"]
    item["parameters"]["scope"] = "text"
    item["question"] = "Of those named in the text, which" + item["question"].removeprefix("Which")
    identify(item)


# What is asked.


@plants("explicit_reasoning", "mentioned_years")
def begin_a_window_in_a_told_year(tables: Tables) -> None:
    item = tables.items["explicit_reasoning"]
    item["parameters"]["first"] = "1992"
    item["question"] = item["question"].replace("1991", "1992")
    identify(item)


@plants("explicit_reasoning", "undecided")
def end_a_window_in_the_year_in_which_a_term_begins(tables: Tables) -> None:
    item = tables.items["explicit_reasoning"]
    item["parameters"] |= {"first": "1999", "last": "1999"}
    item["question"] = item["question"].replace("from 1991 to 1998", "in 1999")
    item |= {"answer": ["Westford Town"], "evidence": ["Q1$P54-c"]}
    tables.find_statement("Q1$P54-c")["start_time"] = state(ADA, WESTFORD, "x", start="1999-12-03")["start_time"]
    tables.find_statement("Q1$P54-b")["end_time"] = None  # Southam since 1994, and until nobody knows when
    identify(item)


@plants("counterfactual", "premise")
def suppose_what_the_facts_say(tables: Tables) -> None:
    item = tables.items["counterfactual"]
    item["parameters"] |= {"moved_first": "1994", "moved_last": "1996"}
    item["question"] = item["question"].replace("from 2007 to 2009", "from 1994 to 1996")


@plants("counterfactual", "premise")
def move_a_fact_into_the_years_that_are_asked(tables: Tables) -> None:
    item = tables.items["counterfactual"]
    item["parameters"] |= {"moved_first": "1998", "moved_last": "1998"}
    item["question"] = item["question"].replace("from 2007 to 2009", "in 1998")


@plants("counterfactual", "parameters")
def misjudge_what_a_premise_changes(tables: Tables) -> None:
    tables.items["counterfactual"]["parameters"]["effect"] = "same"


@plants("explicit_reasoning", "question")
def name_other_years_than_those_that_are_meant(tables: Tables) -> None:
    item = tables.items["explicit_reasoning"]
    item["question"] = item["question"].replace("1998", "1993")


@plants("order_reasoning", "question")
def say_first_and_mean_the_second(tables: Tables) -> None:
    item = tables.items["order_reasoning"]
    item["question"] = item["question"].replace("second", "first")


@plants("co_temporality", "question")
def ask_from_the_other_side(tables: Tables) -> None:
    tables.items["co_temporality"]["question"] = "Who played for Bo Reed while Ada Stone played for Westford Town?"


@plants("localization", "question")
def swap_subject_and_value_of_a_question(tables: Tables) -> None:
    tables.items["localization"]["question"] = "When did Southam United play for Ada Stone?"


@plants("timeline", "question")
def speak_of_the_end_where_the_begin_is_meant(tables: Tables) -> None:
    item = tables.items["timeline"]
    item["question"] = item["question"].replace("(1) Bo Reed began to play", "(1) Bo Reed stopped playing")


@plants("order_compare", "question")
def name_another_event_in_an_option(tables: Tables) -> None:
    item = tables.items["order_compare"]
    item["options"][0] = "Bo Reed stopped playing for Eastbury Rovers"


@plants("localization", "undecided")
def ask_when_a_fact_was_that_was_twice(tables: Tables) -> None:
    tables.statements.append(state(ADA, SOUTHAM, "z", start="2010", end="2011"))


@plants("computation", "undecided")
def date_a_marriage_otherwise_on_its_other_side(tables: Tables) -> None:
    tables.find_statement("Q2$P26-c")["end_time"] = state(BO, ADA, "x", end="1999")["end_time"]


@plants("order_reasoning", "whole")
def leave_a_statement_of_a_timeline_without_a_time(tables: Tables) -> None:
    tables.statements.append(state(ADA, 15, "z"))


@plants("explicit_reasoning", "evidence")
def leave_a_statement_of_a_timeline_untold(tables: Tables) -> None:
    tables.statements.append(state(ADA, 15, "z", start="1970", end="1971"))


@plants("explicit_reasoning", "answer")
def count_a_deprecated_statement(tables: Tables) -> None:
    tables.find_statement("Q1$P54-b")["rank"] = "deprecated"


@plants("order_reasoning", "evidence")
def cite_a_deprecated_statement(tables: Tables) -> None:
    item = tables.items["order_reasoning"]
    item["evidence"] = sorted([*item["evidence"], "Q1$P54-d"])


@plants("order_reasoning", "given_away")
def name_the_answer_in_the_question(tables: Tables) -> None:
    tables.items["order_reasoning"]["answer"] = ["Ada Stone"]


# Texts.


@plants("localization", "mentions")
def change_a_year_in_the_text(tables: Tables) -> None:
    tables.retell("Q1$P54-b", "1996", "1997")


@plants("localization", "from_text")
def change_a_year_that_the_answer_has(tables: Tables) -> None:
    tables.retell("Q1$P54-b", "1996", "1997")


@plants("extract", "mentions")
def drop_a_sentence(tables: Tables) -> None:
    text = tables.contexts[0]["text"]
    tables.contexts[0]["text"] = text.replace(" Eli Hart played for Westford Town until 1980.", "")


@plants("extract", "mentions")
def add_a_true_sentence_that_no_row_tells(tables: Tables) -> None:
    tables.statements.append(state(CY, NORTHGATE, "z", start="1998", end="2000"))
    tables.contexts[0]["text"] += " Cy Marsh played for Northgate F.C. from 1998 to 2000."


@plants("extract", "mentions")
def add_a_false_time_inside_a_sentence(tables: Tables) -> None:
    tables.retell("Q1$P54-b", "in 1994 and", "in 1994, again in 1995 and")


@plants("extract", "mentions")
def swap_subject_and_value_of_a_sentence(tables: Tables) -> None:
    tables.retell("Q1$P54-c", "Ada Stone played for Westford Town", "Westford Town played for Ada Stone")


@plants("extract", "mentions")
def lose_the_day_of_a_date(tables: Tables) -> None:
    tables.retell("Q2$P26-b", "On July 1, 2004", "In July 2004")


@plants("extract", "mentions")
def tell_a_deprecated_statement(tables: Tables) -> None:
    row = tables.mentioned[3] | {"statement_id": "Q1$P54-d"}
    tables.mentioned.insert(4, row | {"sentence": "Ada Stone played for Midvale City from 1985 to 1986."})
    tables.join()


@plants("extract", "mentions")
def tell_a_statement_twice(tables: Tables) -> None:
    tables.mentioned.insert(4, dict(tables.mentioned[3]))
    tables.join()


@plants("extract", "mentions")
def count_the_facts_of_a_text_wrong(tables: Tables) -> None:
    tables.contexts[0]["facts"] += 1


@plants("extract", "mentions")
def put_words_between_sentences(tables: Tables) -> None:
    tables.mentioned[4]["start"] += 3


@plants("extract", "mentions")
def tell_a_story_of_whom_the_root_has_no_link_with(tables: Tables) -> None:
    tables.mentioned[-1] |= {"story": 3, "entity": CY}
    tables.contexts[0]["entities"].append(CY)
    tables.join()


@plants("extract", "names")
def call_two_entities_the_same(tables: Tables) -> None:
    tables.labels[CY] = "the Dee Park"


@plants("extract", "rewriting")
def leave_a_fact_out_of_a_rewriting(tables: Tables) -> None:
    rewrite(tables, " Eli Hart played for Westford Town until 1980.", "")


@plants("extract", "rewriting")
def write_a_year_anew(tables: Tables) -> None:
    rewrite(tables, "until 1980", "until 1981")


@plants("extract", "rewriting")
def add_a_name_to_a_rewriting(tables: Tables) -> None:
    rewrite(tables, "until 1980", "until 1980, as Gus did")


@plants("extract", "rewriting")
def part_a_name_from_its_time(tables: Tables) -> None:
    rewrite(tables, "Eli Hart played for Westford Town until", "Eli Hart played for Westford Town. He left in")


def rewrite(tables: Tables, old: str, new: str) -> None:
    """Give the text a rewriting that says the same in one paragraph, but for some words."""
    context = tables.contexts[0]
    assert old in context["text"]
    context["rewriting"] = "However, " + context["text"].replace("\n\n", " ").replace(old, new)


# Columns.


@plants("extract", "words")
def count_words_wrong(tables: Tables) -> None:
    tables.items["extract"]["words"] += 1


@plants("extract", "split")
def move_an_item_to_another_split(tables: Tables) -> None:
    tables.items["extract"]["split"] = "test" if tables.contexts[0]["split"] == "train" else "train"


@plants("extract", "id")
def give_an_item_another_id(tables: Tables) -> None:
    tables.items["extract"]["item_id"] += 1


@plants("extract", "form")
def give_an_item_another_level(tables: Tables) -> None:
    tables.items["extract"]["level"] = 2


@plants("extract", "options")
def offer_an_option_twice(tables: Tables) -> None:
    item = tables.items["extract"]
    item["options"][3] = item["options"][0]
    identify(item)


@plants("co_temporality", "refusal")
def mark_an_answer_as_none(tables: Tables) -> None:
    tables.items["co_temporality"]["is_refusal"] = True


def ask_what_has_no_answer(tables: Tables) -> None:
    item = tables.items["co_temporality"]
    item["question"] = "Which teams did Bo Reed play for while Ada Stone played for Northgate F.C.?"
    item["parameters"]["anchor"] = "Q1$P54-a"
    facts = ["Q1$P54-a", "Q2$P54-a", "Q2$P54-b", "Q2$P54-c"]
    item |= {"answer": ["There is no answer"], "is_refusal": True, "evidence": facts}
    identify(item)


@plants("timeline", "stories")
def sort_facts_of_one_story(tables: Tables) -> None:
    for row in tables.mentioned:
        row |= {"story": 0, "entity": ADA if "P54" in row["statement_id"] else BO}
    tables.join()


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, set[str]]]:
    """What is found in a sound text, and in one for each error."""
    texts = [build_tables() for _ in (None, *PLANTED)]
    for tables, (plant, _, _) in zip(texts[1:], PLANTED, strict=True):
        plant(tables)
    return verify_texts(tmp_path_factory.mktemp("planted") / "dataset", texts)


def test_a_sound_text_and_its_questions_pass(found: list[dict[str, set[str]]]) -> None:
    assert found[0] == {}


@pytest.mark.parametrize("number", range(len(PLANTED)), ids=[plant.__name__ for plant, _, _ in PLANTED])
def test_a_planted_error_is_found(number: int, found: list[dict[str, set[str]]]) -> None:
    _, task, check = PLANTED[number]
    assert check in found[number + 1][task], found[number + 1]


def test_every_check_finds_an_error(found: list[dict[str, set[str]]]) -> None:
    names = set(json.loads(read_checks()["checks.json"])["names"]) - {
        "balance",
        "item_sets",
    }  # tests/validate plants errors in item sets
    assert names <= {name for errors in found for checks in errors.values() for name in checks}


def test_questions_without_an_answer_are_a_fifth_at_most(tmp_path: Path) -> None:
    tables = build_tables()
    ask_what_has_no_answer(tables)
    assert verify_texts(tmp_path / "dataset", [tables]) == [{"co_temporality": {"balance"}}]
    others = [build_tables() for _ in range(4)]
    assert verify_texts(tmp_path / "more", [tables, *others]) == [{}] * 5


# Questions of other kinds.


def ask_otherwise(task: str, question: str, answer: list[str], evidence: list[str], **changes: Any) -> Tables:
    """Build a text of which one question alone is asked, in other words."""
    tables = build_tables()
    item = tables.items[task] | {"question": question, "answer": answer, "accepted": [[] for _ in answer]}
    item |= {"evidence": sorted(evidence)} | changes
    item["is_refusal"] = answer == ["There is no answer"]
    item["option_kinds"] = ["right" if option in answer else "other" for option in item["options"]]
    tables.items = {task: identify(item)}
    return tables


ADA_FACTS = ["Q1$P54-a", "Q1$P54-b", "Q1$P54-c"]
ADA_TEAMS = {"entity": "Q1", "property": "P54", "side": "subject"}
LAST = "What was the last team that Ada Stone joined"


def ask_in_years(years: str, answer: str) -> Tables:
    """Ask what was last in so many years before a fact."""
    number = {"two": "2", "three": "3", "five": "5"}[years]
    return ask_otherwise(
        "relative_reasoning",
        f"{LAST} in the {years} years before Bo Reed began to play for Eastbury Rovers?",
        [answer],
        [*ADA_FACTS, "Q2$P54-b"],
        parameters=ADA_TEAMS | {"anchor": "Q2$P54-b", "direction": "before", "span": number},
    )


def test_questions_of_other_kinds_are_derived_again(tmp_path: Path) -> None:
    spans = [
        "The time from when Ada Stone began to play for Northgate F.C. to when Ada Stone stopped playing for Southam"
        " United",
        "The time from when Bo Reed began to play for Eastbury Rovers to when Ada Stone began to play for Westford"
        " Town",
    ]
    order = {"one": "begin Q2$P54-b", "two": "end Q1$P54-a", "asked": "whether"}
    limited = build_tables()
    limited.items = {"explicit_reasoning": limited.items["explicit_reasoning"]}
    limited.statements.append(state(ADA, MIDVALE, "z", start="1970", end="1971"))
    restrict(limited)
    texts = [
        ask_otherwise(
            "order_compare",
            "Is it true that Bo Reed began to play for Eastbury Rovers before Ada Stone stopped playing for Northgate"
            " F.C.?",
            ["No"],
            ["Q1$P54-a", "Q2$P54-b"],
            parameters=order,
            options=["Yes", "No"],
        ),
        ask_otherwise(
            "duration_compare",
            "Which of these was longer?",
            [spans[0]],
            ["Q1$P54-a", "Q1$P54-b", "Q2$P54-b", "Q1$P54-c"],
            parameters={"one": "begin Q1$P54-a end Q1$P54-b", "two": "begin Q2$P54-b begin Q1$P54-c", "asked": "span"},
            options=spans,
        ),
        ask_in_years("five", "Southam United"),
        ask_otherwise(
            "relative_reasoning",
            "What was the first team that Ada Stone joined after March 9, 1998?",
            ["Westford Town"],
            ADA_FACTS,
            parameters=ADA_TEAMS | {"date": "1998-03-09", "direction": "after"},
        ),
        limited,
    ]
    others = [ask_in_years("five", "Southam United") for _ in range(2)]
    assert verify_texts(tmp_path / "dataset", [*texts, *others]) == [{}] * 7


def test_players_of_a_team_are_asked_of_those_that_the_text_names(tmp_path: Path) -> None:
    team = {"entity": f"Q{WESTFORD}", "property": "P54", "side": "value", "first": "2002", "last": "2002"}
    texts = [
        ask_otherwise("explicit_reasoning", question, ["Ada Stone"], ["Q1$P54-c"], parameters=team)
        for question in (
            "Of those named in the text, who played for Westford Town at any time in 2002?",
            "Who played for Westford Town at any time in 2002?",
        )
    ]
    assert verify_texts(tmp_path / "dataset", texts) == [{}, {"explicit_reasoning": {"question"}}]


def test_a_moved_marriage_may_be_stated_of_the_other_spouse(tmp_path: Path) -> None:
    bo = {"entity": "Q2", "property": "P26", "side": "subject", "moved": "Q1$P26-a", "effect": "same"}
    question = (
        "If {} from 1981 to 1986 and at no other time, who would Bo Reed have been married to at any time from 2002 to"
        " 2007?"
    )
    premises = "Bo Reed had been married to Ada Stone", "Ada Stone had been married to Bo Reed"
    texts = [
        ask_otherwise(
            "counterfactual",
            question.format(premise),
            ["Fay Lund"],
            ["Q1$P26-a", "Q2$P26-b"],
            parameters=bo | {"first": "2002", "last": "2007", "moved_first": "1981", "moved_last": "1986"},
        )
        for premise in premises
    ]
    assert verify_texts(tmp_path / "dataset", texts) == [{}, {"counterfactual": {"question"}}]


def test_a_third_option_is_wrong_twice_as_often_as_right(tmp_path: Path) -> None:
    texts = [build_tables() for _ in range(2)]
    item = texts[0].items["order_compare"]
    item["options"].append("Both on the same day")
    item["option_kinds"].append("other")
    assert verify_texts(tmp_path / "dataset", texts) == [{"order_compare": {"balance"}}, {}]


def test_an_option_of_another_class_is_found(tmp_path: Path) -> None:
    tables = build_tables()
    tables.statements.remove(tables.find_statement("Q15$P31-class"))
    (wrong,) = verify_texts(tmp_path / "dataset", [tables])
    choices = ("explicit_reasoning", "order_reasoning", "relative_reasoning", "co_temporality", "counterfactual")
    assert wrong == {choice: {"options"} for choice in choices}


def test_a_rewriting_may_join_facts_and_begin_with_other_words(tmp_path: Path) -> None:
    tables = build_tables()
    rewrite(tables, ". Eli Hart played for", ", and Eli Hart for")
    assert verify_texts(tmp_path / "dataset", [tables]) == [{}]


def test_years_that_leave_an_answer_open_are_found(tmp_path: Path) -> None:
    texts = [ask_in_years("two", "There is no answer"), ask_in_years("three", "Southam United")]
    texts += [ask_in_years("five", "Southam United") for _ in range(3)]
    none, open_, *others = verify_texts(tmp_path / "dataset", texts)
    assert (none, others) == ({}, [{}] * 3)
    assert "answer" in open_["relative_reasoning"]


def test_that_there_is_no_answer_is_right_in_half_of_the_choices_that_offer_it(tmp_path: Path) -> None:
    texts = [build_tables() for _ in range(3)]
    for tables in texts:
        item = tables.items["explicit_reasoning choice"]
        item["options"][2], item["option_kinds"][2] = "There is no answer", "none"
    assert verify_texts(tmp_path / "dataset", texts) == [{"explicit_reasoning": {"balance"}}] * 3
    assert verify_texts(tmp_path / "less", texts[:2]) == [{}] * 2


# Times of other kinds, which are mentioned and asked alike.


def retime(sentence: str, answer: str, **times: str) -> Tables:
    """Give the one fact that is asked when it was other times, and the text its sentence."""
    tables = build_tables()
    tables.items = {"localization": tables.items["localization"] | {"answer": [answer]}}
    tables.find_statement("Q1$P54-b").update(
        {
            name: value
            for name, value in state(ADA, SOUTHAM, "b", **times).items()
            if name.endswith(("_time", "_in_time"))
        }
    )
    tables.find_told("Q1$P54-b")["sentence"] = sentence
    tables.join()
    return tables


def make_julian(tables: Tables) -> Tables:
    """Make the start of the fact a day of the Julian calendar, ten days behind."""
    start = tables.find_statement("Q1$P54-b")["start_time"]
    day = start["first_day"] + dt.timedelta(days=10)
    start |= {"calendar": "julian", "first_day": day, "last_day": day}
    return tables


def test_times_of_all_kinds_are_told_and_asked_as_they_are_stated(tmp_path: Path) -> None:
    ada = "Ada Stone played for Southam United"
    texts = [
        retime(f"{ada} on March 5, 1994.", "March 5, 1994", at="1994-03-05"),
        retime(f"{ada} in March 1994.", "March 1994", at="1994-03"),
        retime(f"{ada} until March 1994.", "Until March 1994", end="1994-03"),
        retime("Ada Stone began to play for Southam United in AD 843.", "Since AD 843", start="0843"),
        retime(
            "Ada Stone joined Southam United as a player in 1994 and left the same year.",
            "1994",
            start="1994",
            end="1994",
        ),
        make_julian(
            retime(
                "On March 5, 1623 (Julian calendar), Ada Stone began to play for Southam United.",
                "Since March 5, 1623 (Julian calendar)",
                start="1623-03-05",
            )
        ),
        make_julian(
            retime(
                "On March 5, 1623 (Julian calendar), Ada Stone began to play for Southam United.",
                "Since March 15, 1623",
                start="1623-03-05",
            )
        ),
        retime(f"{ada} on March 5, 1994.", "Since March 5, 1994", at="1994-03-05"),
    ]
    wrong = {"localization": {"answer", "from_text"}}
    assert verify_texts(tmp_path / "dataset", texts) == [{}] * 6 + [wrong] * 2


def test_an_office_and_a_membership_that_read_alike_are_not_asked_about(tmp_path: Path) -> None:
    texts = [build_tables(), build_tables()]
    for tables, office in zip(texts, ("member of Northgate", "member of Southam United"), strict=True):
        question = "When was Ada Stone a member of Southam United?"
        tables.items = {"localization": tables.items["localization"] | {"question": question}}
        tables.find_statement("Q1$P54-b")["property"] = 463
        tables.find_told("Q1$P54-b")["sentence"] = "Ada Stone was a member of Southam United from 1994 to 1996."
        tables.find_statement("Q1$P54-a")["property"] = 39
        tables.labels[NORTHGATE] = office
        tables.find_told("Q1$P54-a")["sentence"] = f"From 1990 to 1992, Ada Stone served as a {office}."
        tables.find_told("Q2$P54-c")["sentence"] = f"Bo Reed served as a {office} from 2005 to 2008."
        tables.find_statement("Q2$P54-c")["property"] = 39
        tables.join()
    apart, alike = verify_texts(tmp_path / "dataset", texts)
    assert apart == {}
    assert "question" in alike["localization"]
