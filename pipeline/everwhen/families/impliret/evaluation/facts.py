"""The facts that documents imply, read by rules: each with what a question would ask by, and the answer to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from everwhen.families.impliret.config import Category
from everwhen.families.impliret.evaluation.questions import Key, fold_country, read_question
from everwhen.families.impliret.parsing.arithmetic import read_purchase
from everwhen.families.impliret.parsing.temporal import read_deed, read_plan
from everwhen.families.impliret.parsing.wknow import read_visit
from everwhen.families.impliret.words_temporal import map_activities

LANDMARKS = "SELECT DISTINCT landmark_name, country_name FROM tuples WHERE landmark_name IS NOT NULL"
"""Which landmark is in which country: knowledge of the world, that no document tells."""

UNKNOWN = "unknown"

Countries = Mapping[str, str]
"""The country of each landmark, folded, by the name of the landmark."""


class Fact(NamedTuple):
    """A fact of a document.

    Attributes:
        key: What a question asks by that it answers.
        answer: The answer, empty where the rules cannot tell.
    """

    key: Key
    answer: str


def read_facts(text: str, category: Category, countries: Countries) -> Iterator[Fact]:
    """Read the facts of a category in a post or a chat."""
    if category == "arithmetic":
        return _read_prices(text)
    return _read_days(text) if category == "temporal" else _read_countries(text, countries)


def _read_prices(text: str) -> Iterator[Fact]:
    if purchase := read_purchase(text, is_strict=False):
        yield Fact(("arithmetic", str(purchase.price)), f"{purchase.brand} {purchase.model or purchase.item}")


def _read_days(text: str) -> Iterator[Fact]:
    """Read days, in a chat with the hours within; the hours on its edges are not asked for."""
    if deed := read_deed(text):
        yield from (Fact(("temporal", str(day)), deed.speaker) for day in deed.dates)
    elif plan := read_plan(text):
        answer = _find_activity(plan.utterance)
        within = range(plan.start_hour + 1, plan.start_hour + plan.hours)
        yield from (Fact(("temporal", str(day), str(hour)), answer) for day in plan.dates for hour in within)


def _read_countries(text: str, countries: Countries) -> Iterator[Fact]:
    lines = text.strip().splitlines()
    named = [line for line in lines if _may_name(line, countries)]
    # Two lines are a chat. The others need not be read, which takes long.
    shown = "\n".join((*named, lines[-1]) if len(lines) > 1 else named)
    if named and (visit := read_visit(shown, countries, is_strict=False)):
        yield Fact(("wknow", countries[visit.landmark]), visit.purpose or visit.speaker)


def fold_countries(pairs: Iterable[tuple[Any, ...]]) -> dict[str, str]:
    """Fold the names of countries, of pairs of landmark and country; both are null where a tuple has neither."""
    return {landmark: fold_country(country) for landmark, country in pairs if landmark}


class FactReader:
    """Answers questions from documents, each of which it reads once."""

    def __init__(self, countries: Countries) -> None:
        """Take the countries of landmarks."""
        self._read = cache(lambda text, category: tuple(read_facts(text, category, countries)))

    def write_answer(self, question: str, texts: Sequence[str], *, is_first: bool) -> str:
        """Answer a question from the documents that imply it, or from the first, whether it does or not."""
        asked = read_question(question)
        for text in texts[:1] if is_first else texts:
            for fact in self._read(text, asked.category):
                if is_first or fact.key == asked.key:
                    return fact.answer
        return UNKNOWN


def _may_name(text: str, landmarks: Iterable[str]) -> bool:
    """Tell whether a text may name a landmark, without its first letter, which may be another."""
    plain = text.replace("’", "'")
    return any(name[1:].replace("’", "'") in plain for name in landmarks)


def _find_activity(utterance: str) -> str:
    """Find which activity an utterance names, in any tense; the longest counts."""
    forms = {form: base for base, words in map_activities().items() for form in (base, words.past, words.gerund)}
    named = [form for form in forms if re.search(rf"\b{re.escape(form)}\b", utterance, re.IGNORECASE)]
    return forms[max(named, key=len)] if named else ""
