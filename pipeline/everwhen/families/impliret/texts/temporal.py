"""What posts and chats say of days and hours, and the queries and answers about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count, pairwise
from typing import Any

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.grammar import Grammar, capitalize_sentences
from everwhen.families.impliret.texts.numbers import write_number
from everwhen.families.impliret.words_temporal import load_temporal_words, map_activities, map_deeds
from everwhen.temporal.phrases import write_amount, write_date

Row = Mapping[str, Any]
"""A row of the table `tuples`."""

SLOTS = {
    "posts": ("past", "doing", "when", "in_words"),
    "chats": (
        *("base", "past", "gerund", "start", "length"),
        *("when", "in_words", "days", "days_in_words", "in_a_row"),
        *("past_days", "past_days_in_words", "future_days"),
    ),
    "followups": (),
}
"""What is filled in, by the rules."""

WEEK = 7
FOLLOWUPS = 6
"""Utterances of the main speaker after the statement: a chat has room for four."""
PHRASE = 4
"""Words that no two follow-ups share."""


def write_statement(row: Row, rng: KeyedRandom) -> list[str]:
    """Write the sentence of a post that says how many days ago the deed was done."""
    deed, (offset,) = map_deeds()[row["topic"]], row["offsets"]
    is_week = offset == -WEEK and rng.decide(1 / 3, "week")
    slots = {
        "past": deed.past,
        "doing": deed.doing,
        "when": "exactly a week ago" if is_week else _write_day(offset, in_words=rng.decide(0.5, "day in words")),
        "in_words": "exactly a week ago" if is_week else _write_day(offset, in_words=True),
    }
    return [capitalize_sentences(_load_grammar("posts").write("statement", rng, slots, "statement"))]


def write_utterance(row: Row, rng: KeyedRandom) -> str:
    """Write the utterance of a chat that says on which days, from which hour and how long an activity is done."""
    activity, offsets = map_activities()[row["activity"]], row["offsets"]
    past, future = [days for days in offsets if days < 0], [days for days in offsets if days > 0]
    in_words = rng.decide(0.5, "days in words")
    slots = {
        "base": activity.base,
        "past": activity.past,
        "gerund": activity.gerund,
        "start": _write_hour(row["start_hour"], rng),
        "length": _write_length(row["hours"], rng),
        "when": _write_day(offsets[0], in_words=in_words),
        "in_words": _write_day(offsets[0], in_words=True),
        "days": _list_days(offsets, rng, in_words=in_words),
        "days_in_words": _list_days(offsets, rng, in_words=True),
        "past_days": _list_days(past, rng, in_words=in_words),
        "past_days_in_words": _list_days(past, rng, in_words=True),
        "future_days": _list_days(future, rng, in_words=in_words),
        "in_a_row": f"{write_number(len(offsets)) if in_words else len(offsets)} days in a row",
    }
    return capitalize_sentences(_load_grammar("chats").write(name_relation(row), rng, slots, "statement"))


def write_followups(row: Row, rng: KeyedRandom) -> list[str]:
    """Write what the main speaker says later in a chat; no two utterances share a phrase."""
    grammar, written, known = _load_grammar("followups"), list[str](), set[tuple[str, ...]]()
    tense = _name_tense(row["offsets"])
    for attempt in count():
        symbol = rng.pick((tense, "both"), f"followup {attempt}")
        text = capitalize_sentences(grammar.write(symbol, rng, {}, f"followup {attempt}"))
        words = text.lower().split()
        phrases = list(zip(*(words[start:] for start in range(PHRASE)), strict=False))
        if len(set(phrases)) == len(phrases) and known.isdisjoint(phrases):
            written.append(text)
            known.update(phrases)
        if len(written) == FOLLOWUPS:
            break
    return written


def write_query(row: Row) -> str:
    """Write what is asked about a tuple."""
    day = write_date(row["asked_date"], month_first=True)
    if row["style"] == "multi":
        return f"Who was {row['deed']} on {day}?"
    return f"What was {row['speaker']} scheduled to do at {row['asked_hour']}:00 on {day}?"


def name_relation(row: Row) -> str:
    """Name how the days of a chat's activity lie: the rule that tells of it, such as past_day or future_run."""
    offsets: Sequence[int] = row["offsets"]
    if len(offsets) == 1:
        return f"{_name_tense(offsets)}_day"
    if all(later - earlier == 1 for earlier, later in pairwise(offsets)):
        return f"{_name_tense(offsets)}_run"
    return "mixed_days" if _name_tense(offsets) == "both" else f"{_name_tense(offsets)}_days"


def _name_tense(offsets: Sequence[int]) -> str:
    if max(offsets) < 0:
        return "past"
    return "future" if min(offsets) > 0 else "both"


@cache
def _load_grammar(rules: str) -> Grammar:
    return Grammar(getattr(load_temporal_words(), rules), SLOTS[rules])


def _write_day(offset: int, *, in_words: bool) -> str:
    """Write a day by its distance from the message."""
    if abs(offset) == 1:
        return "tomorrow" if offset > 0 else "yesterday"
    amount = f"{write_number(abs(offset)) if in_words else abs(offset)} days"
    return f"in {amount}" if offset > 0 else f"{amount} ago"


def _list_days(offsets: Sequence[int], rng: KeyedRandom, *, in_words: bool) -> str:
    """List days, all past or all future, in a sentence; empty where there is none."""
    days = [_write_day(offset, in_words=in_words) for offset in offsets]
    if len(days) < 2:
        return "".join(days)
    joint = rng.pick((" and ", " and then ", " and again "), "joint of days")
    return ", ".join(days[:-1]) + joint + days[-1]


def _write_hour(hour: int, rng: KeyedRandom) -> str:
    """Write an hour of a day from 7 to 19: "9 in the morning", "two in the afternoon", "14:00", "2 pm", "noon"."""
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    of_twelve = (hour - 1) % 12 + 1
    in_parts = [f"{of_twelve} in the {part}", f"{write_number(of_twelve)} in the {part}"]
    if hour == 12:
        return rng.pick(("noon", "12:00"), "hour")
    return rng.pick((*in_parts, f"{hour}:00", f"{of_twelve} {'am' if hour < 12 else 'pm'}"), "hour")


def _write_length(hours: int, rng: KeyedRandom) -> str:
    return write_amount(hours, "hour", in_words=rng.decide(0.6, "length in words"))
