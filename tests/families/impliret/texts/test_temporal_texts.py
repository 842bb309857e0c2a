"""What posts and chats of the temporal pools say, and the words that they are made of."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.draws.schedules import draw_schedule
from everwhen.families.impliret.draws.threads import draw_thread
from everwhen.families.impliret.parsing.temporal import read_deed, read_plan
from everwhen.families.impliret.texts.temporal import (
    SLOTS,
    name_relation,
    write_followups,
    write_query,
    write_statement,
    write_utterance,
)
from everwhen.families.impliret.words_temporal import load_temporal_words
from everwhen.language.wording import SLOT
from everwhen.temporal.phrases import MONTHS, WEEKDAYS, write_date

WORDS = load_temporal_words()
Row = dict[str, Any]

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *(
        "hundred",
        "hundreds",
        "thousand",
        "once",
        "twice",
        "first",
        "second",
        "third",
        "couple",
        "dozen",
        "half",
        "pair",
    ),
)
TIMES = (
    *("today", "tomorrow", "yesterday", "tonight", "morning", "noon", "afternoon", "evening", "night", "weekend"),
    *("day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "ago", "season"),
    *("spring", "summer", "autumn", "winter", "holiday", "birthday", "easter", "christmas"),
    *map(str.lower, (*WEEKDAYS, *MONTHS)),
)
FORBIDDEN = frozenset((*NUMBERS, *TIMES))


def list_posts() -> Iterator[Row]:
    for number in range(10):
        topic = WORDS.topics[number * 5]
        for place, post in enumerate(draw_thread(KeyedRandom("seed", "thread", number), 2021 + number % 4, 30)):
            yield {
                "style": "multi",
                "topic": topic.id,
                "deed": topic.deed.gerund,
                "speaker": "Ada",
                "message_date": post.message_date,
                "asked_date": post.date,
                "offsets": [post.offset],
                "rng": KeyedRandom("seed", f"post {number}", place),
            }


def list_chats() -> Iterator[Row]:
    for number in range(10):
        schedule = draw_schedule(KeyedRandom("seed", "chat", number), dt.date(2024, 2, 10) + dt.timedelta(300 * number))
        for place, each in enumerate(schedule):
            activity = WORDS.activities[(number * 30 + place) % len(WORDS.activities)]
            dates = tuple(each.message_date + dt.timedelta(offset) for offset in each.offsets)
            values = {**each._asdict(), "dates": dates, "asked_date": dates[each.asked_index]}
            values["rng"] = KeyedRandom("seed", f"{number}", place)
            yield {"style": "uni", "speaker": "Ada", "activity": activity.base, **values}


POSTS, CHATS = list(list_posts()), list(list_chats())
STATEMENTS = [write_statement(row, row["rng"]) for row in POSTS]
UTTERANCES = [write_utterance(row, row["rng"]) for row in CHATS]
FOLLOWUPS = [write_followups(row, row["rng"]) for row in CHATS]


def write_formats(day: dt.date) -> list[str]:
    plain = write_date(day, month_first=True)
    return [
        day.isoformat(),
        plain,
        plain.rsplit(",", 1)[0],
        write_date(day),
        f"{day:%d/%m}",
        f"{day:%m/%d}",
        f"{day:%A}",
    ]


def test_a_post_is_read_back() -> None:
    for row, (statement,) in zip(POSTS, STATEMENTS, strict=True):
        deed = read_deed(f"{row['message_date']} 09:15, Ada: What fun. {statement} I can recommend it.")
        assert deed is not None
        assert (*deed.offsets, *deed.dates, deed.mentions) == (*row["offsets"], row["asked_date"], 1), statement


def test_a_chat_is_read_back() -> None:
    for row, utterance, followups in zip(CHATS, UTTERANCES, FOLLOWUPS, strict=True):
        told = ["Hello there!", utterance, "That is good to hear.", *followups]
        lines = [
            f"{row['message_date']} 12:{number:02}, {'AB'[number % 2]}: {text}" for number, text in enumerate(told)
        ]
        plan = read_plan("\n".join(lines))
        assert plan is not None
        expected = ("B", row["dates"], row["start_hour"], row["hours"], utterance, 0)
        assert (plan.speaker, plan.dates, plan.start_hour, plan.hours, plan.utterance, plan.strays) == expected


def test_the_asked_date_stands_in_no_post() -> None:
    for row, (statement,) in zip(POSTS, STATEMENTS, strict=True):
        text = f"{row['message_date']} {statement}"
        assert not [form for form in write_formats(row["asked_date"]) if form in text]


def test_the_asked_date_stands_in_no_chat() -> None:
    for row, utterance, followups in zip(CHATS, UTTERANCES, FOLLOWUPS, strict=True):
        text = " ".join([str(row["message_date"]), utterance, *followups])
        assert not [form for form in write_formats(row["asked_date"]) if form in text]


def test_a_statement_is_one_sentence() -> None:
    assert all(re.fullmatch(r"[A-Z0-9][^.!?]+\.", statement) for (statement,) in STATEMENTS)


def test_an_utterance_has_one_to_three_sentences() -> None:
    assert all(1 <= len(re.findall(r"[.!?](?: |$)", utterance)) <= 3 for utterance in UTTERANCES)


def test_a_statement_names_its_deed_once() -> None:
    deeds = {topic.id: topic.deed for topic in WORDS.topics}
    for row, (statement,) in zip(POSTS, STATEMENTS, strict=True):
        deed = deeds[row["topic"]]
        assert len(re.findall(rf"\b(?:{deed.past}|{deed.doing})\b", statement)) == 1, statement


def test_an_utterance_names_its_activity_once() -> None:
    activities = {each.base: each for each in WORDS.activities}
    for row, utterance in zip(CHATS, UTTERANCES, strict=True):
        activity = activities[row["activity"]]
        plain = utterance[0].lower() + utterance[1:]
        found = re.findall(rf"\b(?:{activity.base}|{activity.past}|{activity.gerund})\b", plain)
        assert len(found) == 1, utterance


def test_no_utterance_tells_the_end() -> None:
    for row, utterance in zip(CHATS, UTTERANCES, strict=True):
        end = row["start_hour"] + row["hours"]
        assert not re.search(rf"\b(?:until|till|to {end}|{end}:00|{end - 12} (?:pm|in the))\b", utterance)


def test_each_relation_occurs() -> None:
    assert {name_relation(row) for row in CHATS} == {
        *("past_day", "future_day", "past_days", "future_days", "mixed_days", "past_run", "future_run")
    }


def test_numbers_are_in_digits_and_in_words() -> None:
    for texts in (UTTERANCES, [text for (text,) in STATEMENTS]):
        assert any(re.search(r"\b\d+ days\b", text) for text in texts)
        assert any(re.search(r"\b(?:two|three|four|five|six) days\b", text) for text in texts)


def test_a_week_may_be_named() -> None:
    assert any("a week ago" in statement for (statement,) in STATEMENTS)


def test_a_day_before_or_after_is_named() -> None:
    assert any("yesterday" in utterance.lower() for utterance in UTTERANCES)
    assert any("tomorrow" in utterance.lower() for utterance in UTTERANCES)


@pytest.mark.parametrize(
    ("row", "query"),
    [
        (
            {"style": "multi", "deed": "flying a kite", "speaker": "Ada", "asked_date": dt.date(2024, 10, 6)},
            "Who was flying a kite on October 6, 2024?",
        ),
        (
            {
                "style": "uni",
                "speaker": "Ada",
                "activity": "oil the loom",
                "asked_date": dt.date(2024, 10, 6),
                "asked_hour": 9,
            },
            "What was Ada scheduled to do at 9:00 on October 6, 2024?",
        ),
    ],
)
def test_queries_are_as_fixed(row: Row, query: str) -> None:
    assert write_query(row) == query


def test_followups_share_no_phrase_of_four_words() -> None:
    for followups in FOLLOWUPS:
        known: set[tuple[str, ...]] = set()
        for text in followups:
            words = text.lower().split()
            phrases = set(zip(words, words[1:], words[2:], words[3:], strict=False))
            assert known.isdisjoint(phrases)
            known |= phrases


def test_texts_are_the_same_in_any_order() -> None:
    assert [write_utterance(row, row["rng"]) for row in reversed(CHATS)] == UTTERANCES[::-1]


def test_there_are_enough_words() -> None:
    assert len(WORDS.topics) >= 55
    assert len(WORDS.activities) >= 130


def test_topics_deeds_and_activities_are_different() -> None:
    for names in (
        [topic.id for topic in WORDS.topics],
        [topic.deed.gerund for topic in WORDS.topics],
        [activity.base for activity in WORDS.activities],
        [activity.rest for activity in WORDS.activities],
    ):
        assert len(set(names)) == len(names)


def test_an_opening_has_25_to_60_words_and_asks() -> None:
    for topic in WORDS.topics:
        assert 25 <= len(topic.opening.split()) <= 60, topic.id
        assert "?" in topic.opening


def test_the_details_of_a_topic_are_different() -> None:
    assert all(len(set(topic.details)) == len(topic.details) >= 12 for topic in WORDS.topics)


def test_an_opening_names_the_deed() -> None:
    assert [topic.id for topic in WORDS.topics if topic.deed.gerund not in " ".join(topic.opening.split())] == []


def test_details_and_fillers_name_no_number_and_no_time() -> None:
    texts = [text for topic in WORDS.topics for text in (topic.opening, topic.deed.past, *topic.details)]
    texts += [activity.base for activity in WORDS.activities]
    texts += [
        SLOT.sub("", text) for rules in (WORDS.followups, WORDS.posts) for each in rules.values() for text in each
    ]
    found = {word for text in texts for word in re.findall(r"[a-z]+|\d+", text.lower())}
    assert {word for word in found if word in FORBIDDEN or word.isdigit()} == set()


@pytest.mark.parametrize("relation", ["past_day", "future_day", "past_days", "future_days", "mixed_days", "past_run"])
def test_a_relation_has_six_wordings_or_more(relation: str) -> None:
    assert len(WORDS.chats[relation]) >= 6


def test_a_wording_names_the_activity_and_its_hours_once() -> None:
    relations = {name_relation(row) for row in CHATS}
    hours = {"once", "each", "daily", *(name for name in WORDS.chats if name.endswith(("_hours", "_each")))}
    for relation in relations:
        for wording in WORDS.chats[relation]:
            slots = SLOT.findall(wording)
            assert len({"base", "past", "gerund"} & set(slots)) == 1, wording
            assert len([slot for slot in slots if slot in hours]) == 1, wording


def test_each_slot_is_used() -> None:
    used: dict[str, set[str]] = defaultdict(set)
    for name in SLOTS:
        used[name] = {slot for texts in getattr(WORDS, name).values() for text in texts for slot in SLOT.findall(text)}
    assert [slot for name, slots in SLOTS.items() for slot in slots if slot not in used[name]] == []


def test_there_are_forty_followups_or_more() -> None:
    sentences = sum(
        len(WORDS.followups[rule]) for rule in ("remark", "motive", "advice", "event", "aftermath", "outlook")
    )
    assert sentences >= 40


def test_the_forms_of_an_activity_have_one_stem() -> None:
    stemmer = pytest.importorskip("Stemmer").Stemmer("porter")
    split = [each.base for each in WORDS.activities if len(set(stemmer.stemWords(each[:3]))) > 1]
    assert split == []
