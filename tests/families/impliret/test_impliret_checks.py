"""Errors planted in sound pools, one at a time: the checks find each of them, by name."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from everwhen.families.impliret.config import NAME
from everwhen.validate.explain import explain
from everwhen.validate.family_run import FamilyRun
from everwhen.validate.shared_checks import NAMES
from impliret_dataset import (
    CAPITAL,
    CHECKS,
    MUSEUM,
    SETS,
    SIZES,
    TOWN,
    Row,
    Tables,
    build_pool,
    derive,
    verify_pools,
    write_dataset,
)
from tiny_dataset import build_statement

Plant = Callable[[Tables], None]

PLANTED: list[tuple[Plant, str, str]] = []
"""Each error with the kind of the pool that it is planted in, and the check that finds it."""

DAYS_AGO = re.compile(r"(?i)\b(?:exactly )?(?:a week|\w+ days) ago\b")
PERCENT = re.compile(r"(?i)\b[\w-]+(?:%| percent\b)")


def plants(kind: str, check: str) -> Callable[[Plant], Plant]:
    """Note an error, and what finds it."""

    def note(plant: Plant) -> Plant:
        PLANTED.append((plant, kind, check))
        return plant

    return note


def find(tables: Tables, **wanted: object) -> tuple[int, Row]:
    """Find the first tuple with some values, and its number."""
    return next(
        (number, row)
        for number, row in enumerate(tables.tuples)
        if all(row[name] == value for name, value in wanted.items())
    )


def find_percent(tables: Tables, direction: str) -> tuple[int, Row]:
    """Find a tuple whose price is so many percent lower or higher."""
    return next(
        (number, row)
        for number, row in enumerate(tables.tuples)
        if row["direction"] == direction and row["factor"] is None
    )


def find_days(tables: Tables, are_consecutive: bool) -> tuple[int, Row]:
    """Find an activity on three days that are, or are not, one after another."""
    return next(
        (number, row)
        for number, row in enumerate(tables.tuples)
        if len(row["offsets"]) == 3 and (row["offsets"][2] - row["offsets"][0] == 2) == are_consecutive
    )


def price_anew(tables: Tables, number: int, **changes: object) -> None:
    """Change what a price follows from, and all that follows."""
    row = tables.tuples[number]
    row |= changes
    derive(row)
    tables.compose(number)


# Prices.


@plants("arithmetic_multi", "price")
def add_ten_to_a_price(tables: Tables) -> None:
    tables.tuples[0]["price"] += 10
    tables.compose(0)


@plants("arithmetic_uni", "price")
def swap_a_direction(tables: Tables) -> None:
    _, row = find_percent(tables, "lower")
    row["direction"] = "higher"


@plants("arithmetic_multi", "price")
def take_the_percent_of_the_wrong_price(tables: Tables) -> None:
    _, row = find_percent(tables, "lower")
    row["percent"] = round(100 * (row["base_price"] - row["price"]) / row["price"])


@plants("arithmetic_multi", "told")
def say_more_where_it_is_less(tables: Tables) -> None:
    number, row = find_percent(tables, "lower")
    row["direction"] = "higher"
    tables.compose(number)
    row["direction"] = "lower"


@plants("arithmetic_uni", "told")
def say_another_percent(tables: Tables) -> None:
    number, _ = find_percent(tables, "higher")
    tables.retell(number, PERCENT.sub("3 percent", tables.documents[number]["text"]))


@plants("arithmetic_multi", "told")
def tell_the_price_of_the_other_model(tables: Tables) -> None:
    number, row = find_percent(tables, "lower")
    swap_words(tables, number, str(row["model"]), str(row["other_model"]))


@plants("arithmetic_uni", "told")
def buy_from_the_other_brand(tables: Tables) -> None:
    swap_words(tables, 0, tables.tuples[0]["brand"], tables.tuples[0]["other_brand"])


def swap_words(tables: Tables, number: int, one: str, other: str) -> None:
    """Swap two words of a document."""
    text = tables.documents[number]["text"]
    tables.retell(number, text.replace(one, "\0").replace(other, one).replace("\0", other))


@plants("arithmetic_multi", "ratio")
def sell_for_three_times_the_price(tables: Tables) -> None:
    price_anew(tables, 0, base_price=100, percent=None, factor=Decimal("3.00"), direction="higher")


@plants("arithmetic_uni", "ratio")
def tell_a_double_price_by_percent(tables: Tables) -> None:
    price_anew(tables, 0, base_price=100, percent=100, factor=None, direction="higher")


@plants("arithmetic_uni", "tens")
def charge_a_price_that_is_no_ten(tables: Tables) -> None:
    price_anew(tables, 0, base_price=300, percent=15, factor=None, direction="lower")


@plants("arithmetic_multi", "slots")
def price_two_in_one_slot(tables: Tables) -> None:
    prices = sorted((row["price"], number) for number, row in enumerate(tables.tuples[: SIZES["arithmetic_multi"]]))
    price_anew(tables, prices[-1][1], base_price=100, percent=20, factor=None, direction="higher")


@plants("arithmetic_multi", "directions")
def let_all_prices_be_higher(tables: Tables) -> None:
    for number, row in enumerate(tables.tuples):
        if row["direction"] == "lower":
            row["base_price"], row["price"] = row["price"], row["base_price"]
            row["direction"] = "higher"
            row["model"], row["other_model"] = row["other_model"], row["model"]
            tables.compose(number)


@plants("arithmetic_multi", "models")
def let_the_earlier_model_be_dearer(tables: Tables) -> None:
    row = tables.tuples[0]
    row["model"], row["other_model"] = row["other_model"], row["model"]
    tables.compose(0)


@plants("arithmetic_multi", "models")
def name_a_model_of_another_decade(tables: Tables) -> None:
    number, row = find(tables, direction="lower")
    row["model"] = 2009
    tables.compose(number)


# Days.


@plants("temporal_multi", "dates")
def count_past_a_leap_day(tables: Tables) -> None:
    row = tables.tuples[0]
    row |= {"message_date": dt.date(2024, 3, 2), "offsets": [-2]}
    row["dates"] = [dt.date(2024, 2, 28)]  # without 29 February
    row["asked_date"] = row["dates"][0]
    tables.compose(0)


@plants("temporal_multi", "told")
def say_three_days_and_mean_two(tables: Tables) -> None:
    text = tables.documents[0]["text"]
    assert DAYS_AGO.search(text), text
    said = "three" if tables.tuples[0]["offsets"] == [-2] else "two"
    tables.retell(0, DAYS_AGO.sub(f"{said} days ago", text))


@plants("temporal_multi", "told")
def say_the_deed_in_other_words(tables: Tables) -> None:
    tell_in_other_words(tables)
    tables.documents[0]["verbalised_by"] = "grammar"


@plants("temporal_multi", "thread")
def post_a_day_after_the_next_deed(tables: Tables) -> None:
    row = tables.tuples[1]
    row["message_date"] += dt.timedelta(1)
    row["offsets"] = [row["offsets"][0] - 1]
    tables.compose(1)


@plants("temporal_multi", "thread")
def work_into_the_last_days_of_a_year(tables: Tables) -> None:
    size = SIZES["temporal_multi"]
    last = max(row["asked_date"] for row in tables.tuples[:size])
    for number, row in enumerate(tables.tuples[:size]):
        for name in ("message_date", "asked_date"):
            row[name] += dt.date(last.year, 12, 20) - last
        row["dates"] = [row["asked_date"]]
        tables.compose(number)


@plants("temporal_uni", "schedule")
def have_a_run_of_three_days_apart(tables: Tables) -> None:
    _, row = find_days(tables, are_consecutive=True)
    move(row, 2, 1)


@plants("temporal_uni", "schedule")
def leave_out_a_day(tables: Tables) -> None:
    number, row = find_days(tables, are_consecutive=False)
    del row["offsets"][[row["asked_date"] == day for day in row["dates"]].index(False)]
    row["dates"] = [row["message_date"] + dt.timedelta(days) for days in row["offsets"]]
    tables.compose(number)


def move(row: Row, place: int, days: int) -> None:
    """Move a day of an activity."""
    row["offsets"][place] += days
    row["dates"][place] += dt.timedelta(days)


@plants("temporal_uni", "hours")
def let_two_slots_overlap(tables: Tables) -> None:
    rows = sorted(tables.tuples[:30], key=lambda row: (row["dates"][0], row["start_hour"]))
    one, other = next(pair for pair in pairwise(rows) if pair[0]["dates"][0] == pair[1]["dates"][0])
    other["start_hour"] = one["start_hour"] + one["hours"] - 1


@plants("temporal_uni", "hours")
def work_for_five_hours(tables: Tables) -> None:
    _, row = find(tables, hours=4)
    row["hours"] = 5


@plants("temporal_uni", "asked")
def ask_for_an_hour_on_the_edge_of_a_slot(tables: Tables) -> None:
    row = tables.tuples[0]
    row["asked_hour"] = row["start_hour"]
    tables.compose(0)


@plants("temporal_uni", "asked")
def ask_for_the_first_day_of_a_run(tables: Tables) -> None:
    number, row = find_days(tables, are_consecutive=True)
    row["asked_date"] = row["dates"][0]
    tables.compose(number)


@plants("temporal_uni", "message")
def tell_at_an_hour_that_nobody_asks_for(tables: Tables) -> None:
    row = tables.tuples[0]
    row["message_hour"] = 7 if row["message_hour"] != 7 else 18
    tables.compose(0)


@plants("temporal_uni", "message")
def tell_on_a_day_of_the_activity(tables: Tables) -> None:
    one = tables.tuples[0]
    other = next(row for row in tables.tuples[:30] if row["message_date"] in one["dates"])
    for name in ("message_date", "message_hour"):
        one[name], other[name] = other[name], one[name]
    for row in (one, other):
        row["offsets"] = [(day - row["message_date"]).days for day in row["dates"]]


@plants("temporal_multi", "message")
def post_in_the_evening(tables: Tables) -> None:
    tables.tuples[0]["message_hour"] = 19
    tables.compose(0)


@plants("temporal_uni", "segments")
def put_two_sets_into_the_same_weeks(tables: Tables) -> None:
    size = SIZES["temporal_uni"]
    starts = [min(min(row["dates"]) for row in tables.tuples[part : part + size]) for part in (0, size)]
    for number in range(size, 2 * size):
        row = tables.tuples[number]
        row["dates"] = [day - (starts[1] - starts[0]) for day in row["dates"]]
        for name in ("message_date", "asked_date"):
            row[name] -= starts[1] - starts[0]
    tables.compose(*range(size, 2 * size))


# Landmarks.


def find_statement(tables: Tables, subject: int, property_: int) -> Row:
    """Find a statement."""
    return next(row for row in tables.statements if (row["subject"], row["property"]) == (subject, property_))


@plants("wknow_multi", "country")
def let_a_landmark_have_two_countries(tables: Tables) -> None:
    museum, other = tables.tuples[0]["landmark"], tables.tuples[1]["country"]
    tables.statements.append(build_statement(museum, 17, other, name="z"))


@plants("wknow_uni", "answer")
def count_a_country_of_a_lower_rank(tables: Tables) -> None:
    museum, other = tables.tuples[0]["landmark"], tables.tuples[2]["country"]
    tables.statements.append(build_statement(museum, 17, other, name="z", rank="preferred"))


@plants("wknow_uni", "country")
def call_a_landmark_otherwise(tables: Tables) -> None:
    tables.labels[tables.tuples[0]["landmark"]] += " of Old"


@plants("wknow_multi", "country")
def share_the_name_of_a_landmark(tables: Tables) -> None:
    tables.labels[tables.tuples[0]["landmark"] + 5] = tables.tuples[0]["landmark_name"].upper()


@plants("wknow_multi", "country")
def take_a_city_for_a_state(tables: Tables) -> None:
    find_statement(tables, tables.tuples[0]["country"], 31)["value_item"] = 515


@plants("wknow_multi", "hint")
def name_the_town_after_the_landmark(tables: Tables) -> None:
    row = tables.tuples[0]
    tables.labels[row["country"] + TOWN] = row["landmark_name"].split()[0]


@plants("wknow_uni", "hint")
def name_the_landmark_after_the_people(tables: Tables) -> None:
    row = tables.tuples[0]
    find_statement(tables, row["country"], 1549)["value_text"] = row["landmark_name"].split()[0]


@plants("wknow_uni", "hint")
def name_the_capital_after_the_landmark(tables: Tables) -> None:
    row = tables.tuples[0]
    tables.labels[row["country"] + CAPITAL] = "New " + row["landmark_name"].split()[0]


@plants("wknow_multi", "evidence")
def cite_another_statement(tables: Tables) -> None:
    row = tables.tuples[0]
    row["statement_ids"] = [row["statement_ids"][0], f"Q{row['landmark']}$P131-a"]


@plants("wknow_multi", "unique")
def visit_two_landmarks_of_a_country(tables: Tables) -> None:
    one, other = tables.tuples[:2]
    other |= {name: one[name] for name in ("landmark", "landmark_name", "country", "country_name", "statement_ids")}
    tables.compose(1)


@plants("wknow_multi", "told")
def name_another_landmark_of_the_set(tables: Tables) -> None:
    one, other = tables.tuples[:2]
    tables.replace(0, one["landmark_name"], other["landmark_name"])


@plants("wknow_multi", "told")
def name_two_landmarks(tables: Tables) -> None:
    one, other = tables.tuples[:2]
    tables.replace(0, one["landmark_name"], f"{one['landmark_name']} near the {other['landmark_name']}")


# Sets.


@plants("arithmetic_multi", "topic")
def open_two_threads_about_one_topic(tables: Tables) -> None:
    tables.share("topic")
    tables.share("item")
    tables.compose(*range(len(tables.tuples)))


@plants("temporal_multi", "topic")
def speak_of_two_topics_in_a_thread(tables: Tables) -> None:
    tables.tuples[0]["topic"] = "another"


@plants("wknow_uni", "speaker")
def let_a_speaker_have_the_chats_of_two_sets(tables: Tables) -> None:
    tables.share("speaker")
    tables.compose(*range(len(tables.tuples)))


@plants("arithmetic_uni", "speaker")
def chat_with_the_speaker_of_another_set(tables: Tables) -> None:
    tables.tuples[0]["other_speaker"] = tables.tuples[-1]["speaker"]
    tables.compose(0)


@plants("temporal_multi", "unique")
def let_somebody_post_twice(tables: Tables) -> None:
    tables.tuples[0]["speaker"] = tables.tuples[1]["speaker"]
    tables.compose(0)


@plants("arithmetic_uni", "unique")
def refuse_the_brand_that_another_chat_buys(tables: Tables) -> None:
    tables.tuples[0]["other_brand"] = tables.tuples[1]["brand"]
    tables.compose(0)


@plants("arithmetic_multi", "unique")
def tell_a_price_twice(tables: Tables) -> None:
    one, other = tables.tuples[:2]
    other |= {name: one[name] for name in ("base_price", "percent", "factor", "direction")}
    price_anew(tables, 1)


@plants("temporal_uni", "unique")
def do_something_twice(tables: Tables) -> None:
    tables.tuples[0]["activity"] = tables.tuples[1]["activity"]
    tables.compose(0)


@plants("wknow_uni", "unique")
def visit_twice_for_one_purpose(tables: Tables) -> None:
    tables.tuples[0]["purpose"] = tables.tuples[1]["purpose"]
    tables.compose(0)


# Texts.


@plants("wknow_uni", "shape")
def chat_in_nine_utterances(tables: Tables) -> None:
    tables.retell(0, "\n".join(tables.documents[0]["text"].split("\n")[:-1]))


@plants("temporal_multi", "shape")
def post_six_sentences(tables: Tables) -> None:
    tables.retell(0, tables.documents[0]["text"] + " That is all.")


@plants("temporal_multi", "shape")
def post_under_another_name(tables: Tables) -> None:
    tables.replace(0, f", {tables.tuples[0]['speaker']}: ", ", Somebody: ")


@plants("arithmetic_multi", "shape")
def date_a_post_otherwise(tables: Tables) -> None:
    day = tables.tuples[0]["message_date"]
    tables.replace(0, f"{day}", f"{day + dt.timedelta(1)}")


@plants("temporal_uni", "shape")
def let_the_time_of_a_chat_fall(tables: Tables) -> None:
    lines = tables.documents[0]["text"].split("\n")
    lines[3] = lines[3][:11] + "00:00" + lines[3][16:]
    tables.retell(0, "\n".join(lines))


@plants("temporal_uni", "shape")
def speak_out_of_turn(tables: Tables) -> None:
    lines = tables.documents[0]["text"].split("\n")
    names = [line[18:].partition(": ")[0] for line in lines]
    lines[9] = lines[9].replace(f", {names[9]}: ", f", {names[8]}: ")
    tables.retell(0, "\n".join(lines))


@plants("arithmetic_uni", "shape")
def tell_in_two_utterances(tables: Tables) -> None:
    lines = tables.documents[0]["text"].split("\n")
    lines[9] += f" And I paid ${tables.tuples[0]['base_price']} for it."
    tables.retell(0, "\n".join(lines))


@plants("temporal_uni", "told")
def begin_an_hour_later_than_told(tables: Tables) -> None:
    tables.tuples[0]["start_hour"] -= 1


@plants("temporal_uni", "told")
def do_something_else_than_told(tables: Tables) -> None:
    one, other = tables.tuples[:2]
    texts = [document["text"] for document in tables.documents[:2]]
    one["activity"], other["activity"] = other["activity"], one["activity"]
    tables.compose(0, 1)
    for number, text in enumerate(texts):
        tables.retell(number, text)


@plants("arithmetic_multi", "told")
def name_the_brand_of_another_post(tables: Tables) -> None:
    tables.replace(0, ": ", f": {tables.tuples[-1]['brand']} fans, ")


@plants("arithmetic_uni", "told")
def let_a_model_turn_more_into_less(tables: Tables) -> None:
    number, _ = find_percent(tables, "higher")
    text = tables.documents[number]["text"]
    tables.documents[number]["verbalised_by"] = "some-model"
    tables.retell(number, PERCENT.sub(lambda found: f"{found[0]} less, not", text))


@plants("arithmetic_multi", "leak")
def leak_a_price_in_words(tables: Tables) -> None:
    price_anew(tables, 0, base_price=2000, percent=20, factor=None, direction="lower")
    tables.replace(0, ": ", ": It came to sixteen hundred in all. ")


@plants("arithmetic_uni", "leak")
def leak_a_price_in_digits(tables: Tables) -> None:
    price = tables.tuples[0]["price"]
    lines = tables.documents[0]["text"].split("\n")
    tables.retell(0, "\n".join([*lines[:-1], f"{lines[-1]} I mean {price}.00."]))


@plants("temporal_multi", "leak")
def leak_a_date_in_words(tables: Tables) -> None:
    tables.tuples[0]["asked_date"] = tables.tuples[0]["dates"][0]
    tables.replace(0, ": ", f": It was the sixth of {tables.tuples[0]['asked_date']:%B} then. ")


@plants("temporal_uni", "leak")
def leak_a_date_in_the_header(tables: Tables) -> None:
    row = tables.tuples[0]
    row["message_date"] = row["dates"][0]
    row["offsets"] = [(day - row["message_date"]).days for day in row["dates"]]


@plants("wknow_multi", "leak")
def leak_a_country_by_its_people(tables: Tables) -> None:
    tables.replace(0, ": ", f": I like {tables.tuples[0]['country_name']}n tea. ")


@plants("wknow_uni", "leak")
def leak_a_country_by_its_name(tables: Tables) -> None:
    tables.retell(0, tables.documents[0]["text"] + f" Yes, in {tables.tuples[0]['country_name']}.")


# Queries, and columns that follow from others.


@plants("arithmetic_multi", "answer")
def answer_with_the_other_model(tables: Tables) -> None:
    row = tables.tuples[0]
    tables.queries[0]["answer"] = [f"{row['brand']} {row['other_model']}"]


@plants("temporal_uni", "answer")
def answer_with_another_activity(tables: Tables) -> None:
    tables.queries[0]["answer"] = [tables.tuples[1]["activity"]]


@plants("temporal_multi", "question")
def ask_for_the_day_of_the_message(tables: Tables) -> None:
    row = tables.tuples[0]
    text = tables.queries[0]["text"]
    day, message = (f"{each:%B} {each.day}, {each.year}" for each in (row["asked_date"], row["message_date"]))
    tables.queries[0]["text"] = text.replace(day, message)


@plants("arithmetic_uni", "question")
def ask_in_other_words(tables: Tables) -> None:
    tables.queries[0]["text"] = tables.queries[0]["text"].replace("What did", "What has")


@plants("temporal_multi", "relevant")
def move_the_qrels_by_one(tables: Tables) -> None:
    documents = [row["doc_id"] for row in tables.qrels]
    for number, row in enumerate(tables.qrels):
        row["doc_id"] = documents[number - 1]


@plants("arithmetic_multi", "relevant")
def let_two_documents_fit(tables: Tables) -> None:
    tell_a_price_twice(tables)


@plants("wknow_uni", "relevant")
def grade_a_document_with_two(tables: Tables) -> None:
    tables.qrels[0]["grade"] = 2


@plants("temporal_multi", "lure")
def deny_a_lure(tables: Tables) -> None:
    query = next(query for query in tables.queries if query["has_lure"])
    query["has_lure"] = False


@plants("arithmetic_uni", "lure")
def claim_a_lure_where_no_date_is_asked_for(tables: Tables) -> None:
    tables.queries[0]["has_lure"] = True


@plants("wknow_uni", "words")
def count_words_wrong(tables: Tables) -> None:
    tables.documents[0]["words"] += 1


@plants("wknow_multi", "opening")
def open_a_thread_twice(tables: Tables) -> None:
    tables.documents[0]["opening"] = "Who else?"


@plants("arithmetic_uni", "opening")
def open_a_chat(tables: Tables) -> None:
    tables.documents[0]["opening"] = "Who else?"


@plants("temporal_multi", "columns")
def give_a_post_an_activity(tables: Tables) -> None:
    tables.tuples[0]["activity"] = "sleep"


@plants("wknow_uni", "columns")
def put_a_document_into_another_set(tables: Tables) -> None:
    tables.documents[0]["set_id"] = tables.tuples[-1]["set_id"]


@plants("temporal_multi", "counts")
def number_two_places_alike(tables: Tables) -> None:
    tables.tuples[0]["place"] = 1


@plants("wknow_multi", "id")
def hash_a_set_otherwise(tables: Tables) -> None:
    size = SIZES["wknow_multi"]
    for rows in (tables.tuples, tables.queries, tables.documents):
        for row in rows[:size]:
            row["set_id"] += 1


@plants("wknow_multi", "id")
def hash_a_document_otherwise(tables: Tables) -> None:
    for rows in (tables.tuples, tables.qrels, tables.documents):
        rows[0]["doc_id"] += 1


@plants("wknow_multi", "id")
def hash_a_query_otherwise(tables: Tables) -> None:
    for rows in (tables.tuples, tables.qrels, tables.queries):
        rows[0]["query_id"] += 1


@plants("temporal_multi", "split")
def put_a_query_into_another_split(tables: Tables) -> None:
    query = tables.queries[0]
    query["split"] = "test" if query["split"] == "train" else "train"


def tell_in_other_words(tables: Tables) -> None:
    """Let a model tell the first post of a thread without words for its deed."""
    head = tables.documents[0]["text"].partition(": ")[0]
    days = -tables.tuples[0]["offsets"][0]
    tables.retell(0, f"{head}: Well. I did that {days} days ago. It was fun. I would do it again. So there!")
    tables.documents[0]["verbalised_by"] = "some-model"


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, int]]:
    """What is found in a sound pool of each kind, in one of a model, and in one for each error."""
    pools = [build_pool(kind) for kind in SIZES] + [build_pool("temporal_multi", 2)]
    tell_in_other_words(pools[-1])
    for copy, (plant, kind, _) in enumerate(PLANTED, 3):
        pools.append(build_pool(kind, copy))
        plant(pools[-1])
    return verify_pools(tmp_path_factory.mktemp("planted") / "dataset", pools)


def test_sound_pools_pass(wrong: list[dict[str, int]]) -> None:
    assert wrong[: len(SIZES)] == [{}] * len(SIZES)


def test_a_model_may_tell_a_deed_in_other_words(wrong: list[dict[str, int]]) -> None:
    assert wrong[len(SIZES)] == {}


@pytest.mark.parametrize("number", range(len(PLANTED)), ids=[plant.__name__ for plant, _, _ in PLANTED])
def test_a_planted_error_is_found(number: int, wrong: list[dict[str, int]]) -> None:
    assert PLANTED[number][2] in wrong[len(SIZES) + 1 + number]


def test_every_check_finds_an_error(wrong: list[dict[str, int]]) -> None:
    names = {*json.loads((CHECKS / "checks.json").read_text())["names"], NAMES["ids"]}
    assert names == {name for found in wrong for name in found}


def test_a_missing_document_is_found_where_there_are_no_landmarks(tmp_path: Path) -> None:
    pools = [build_pool(kind) for kind in ("arithmetic_uni", "temporal_multi")]
    del pools[1].documents[0]
    found = verify_pools(tmp_path / "dataset", pools)
    assert found[1]["counts"] >= 1
    assert found[0].keys() <= {"counts"}


def test_a_query_is_explained(tmp_path: Path) -> None:
    tables = build_pool("wknow_uni")
    explanation = explain(write_dataset(tmp_path / "dataset", [tables]), tables.queries[0]["query_id"], NAME)
    assert explanation.derived == [[tables.tuples[0]["purpose"]]]
    assert [fact.statement_id for fact in explanation.facts] == [f"Q{tables.tuples[0]['country'] + MUSEUM}$P17-a"]


@pytest.mark.parametrize("kind", SIZES)
def test_what_a_document_implies_is_explained(tmp_path: Path, kind: str) -> None:
    tables = build_pool(kind)
    folder = write_dataset(tmp_path / "dataset", [tables])
    row = tables.tuples[0]
    shown = explain(folder, row["query_id"], NAME).metadata
    assert None not in shown.values()
    assert "None" not in shown.values()
    if row["price"] is not None:
        ratio = f"{row['percent']} percent" if row["factor"] is None else f"the factor {row['factor']}"
        assert shown["price told"] == f"${row['base_price']:,}"
        assert shown["price implied"] == f"{row['direction']} by {ratio}: ${row['price']:,}"
    elif row["dates"] is not None:
        days, side = abs(row["offsets"][0]), "before" if row["offsets"][0] < 0 else "after"
        first = f"{days} day{'s' if days > 1 else ''} {side} the message: {row['dates'][0]}"
        assert shown["message"] == str(row["message_date"])
        assert shown["dates implied"].split("; ")[0] == first
        assert len(shown["dates implied"].split("; ")) == len(row["dates"])
    else:
        assert shown["landmark"] == f"{row['landmark_name']} (Q{row['landmark']})"
        assert shown["country implied"] == f"{row['country_name']} (Q{row['country']})"


def test_only_landmarks_rest_on_statements(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "dataset", [build_pool(kind) for kind in ("arithmetic_uni", "wknow_uni")])
    manifest = json.loads((folder / "manifest.json").read_text())
    found = FamilyRun(folder, NAME, manifest).count_shared_statements("split", 100)
    of_landmarks = SETS * SIZES["wknow_uni"]
    assert (found["looked_at"], found["items"]) == (SETS * SIZES["arithmetic_uni"] + of_landmarks, of_landmarks)
