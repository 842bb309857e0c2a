"""Sets of tuples: what a set of a pool is about, and what each of its documents says.

A set is drawn by hashes of the seed, its pool and its number: neither other sets nor the partitioning matter. What is
implied, the price or the dates, follows in columns (`everwhen.families.impliret.stage`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.config import Category, ImpliretSettings, Pool
from everwhen.families.impliret.draws.prices import MODEL_YEARS, draw_prices
from everwhen.families.impliret.draws.schedules import DAYS, draw_schedule
from everwhen.families.impliret.draws.threads import draw_thread
from everwhen.families.impliret.words import load_names
from everwhen.families.impliret.words_arithmetic import load_arithmetic_words, load_brands
from everwhen.families.impliret.words_temporal import load_temporal_words
from everwhen.families.impliret.words_wknow import load_wknow_words

POST_HOURS = (8, 17)
"""The first and the last hour of posts."""

Row = dict[str, Any]


class Topic(NamedTuple):
    """What a thread is about: its id, and the things that are bought, or the deed as a query asks it."""

    id: str
    asked: str


@dataclass(frozen=True)
class Words:
    """What tuples name.

    Attributes:
        names: First names.
        brands: Brands that are no labels of the facts.
        topics: By category the topics of threads.
        items: Things that are bought, of chats.
        activities: What is done, of chats.
        purposes: What visits are for, of chats.
    """

    names: Sequence[str]
    brands: Sequence[str]
    topics: Mapping[str, Sequence[Topic]]
    items: Sequence[str]
    activities: Sequence[str]
    purposes: Sequence[str]


def load_words() -> Words:
    """Load what tuples name.

    Raises:
        InputError: A file of `templates/impliret` is wrong.
    """
    arithmetic, temporal, wknow = load_arithmetic_words(), load_temporal_words(), load_wknow_words()
    topics = {
        "arithmetic": [Topic(each.id, each.item) for each in arithmetic.topics],
        "temporal": [Topic(each.id, each.deed.gerund) for each in temporal.topics],
        "wknow": [Topic(each.id, each.past) for each in wknow.topics],
    }
    activities = [each.base for each in temporal.activities]
    return Words(load_names(), load_brands(), topics, arithmetic.items, activities, wknow.purposes)


@dataclass(frozen=True)
class TupleSet:
    """A set of tuples.

    Attributes:
        seed: The seed of all choices.
        pool: Its pool.
        number: Which set of the pool, from 0.
        settings: How many sets and tuples there are, in which years, at which prices.
        words: What tuples name.
    """

    seed: str
    pool: Pool
    number: int
    settings: ImpliretSettings
    words: Words

    @cached_property
    def rng(self) -> KeyedRandom:
        """The random numbers of the set."""
        return KeyedRandom(self.seed, f"impliret {self.pool.name} set", self.number)

    def draw(self) -> list[Row]:
        """Draw the tuples: what the table `tuples` derives its columns from, a dict each."""
        content = _CONTENTS[self.pool.category](self)
        people = self._name_threads() if self.pool.style == "multi" else self._name_chats()
        return [
            self._date_message(place) | who | what
            for place, (who, what) in enumerate(zip(people, content, strict=True))
        ]

    def choose(self, words: Sequence[str], what: str, count: int | None = None) -> list[str]:
        """Choose different words for the tuples of the set.

        Raises:
            InputError: There are too few.
        """
        count = count or self.settings.tuples
        _require(len(words), count, what, f"{self.pool.name}: a set")
        return self.rng.shuffle(words, what)[:count]

    def choose_day(self, place: int) -> dt.date:
        """Choose the day of a message among those of the years; temporal tuples have days of their own."""
        first, last = dt.date(self.settings.first_year, 1, 1), dt.date(self.settings.last_year, 12, 31)
        return first + dt.timedelta(self.rng.sample_below((last - first).days + 1, f"day {place}"))

    def _date_message(self, place: int) -> Row:
        hour = self.rng.sample_between(*POST_HOURS, f"hour {place}")
        return {"place": place, "message_date": self.choose_day(place), "message_hour": hour}

    def _name_threads(self) -> list[Row]:
        """Name topic and people of a thread; no other set of the pool has its topic."""
        topics = self.words.topics[self.pool.category]
        _require(len(topics), self.settings.sets, f"topics of {self.pool.category}", self.pool.name)
        topic = KeyedRandom(self.seed, f"impliret {self.pool.name}", 0).shuffle(topics, "topics")[self.number]
        key = "item" if self.pool.category == "arithmetic" else "deed"
        return [
            {"topic": topic.id, key: topic.asked, "speaker": name} for name in self.choose(self.words.names, "names")
        ]

    def _name_chats(self) -> list[Row]:
        """Name the one whose chats they are, who is in no other set of the pool, and the others."""
        needed = self.settings.sets + self.settings.tuples
        _require(len(self.words.names), needed, "names", self.pool.name)
        names = KeyedRandom(self.seed, f"impliret {self.pool.name}", 0).shuffle(self.words.names, "names")
        speaker, others = names[self.number], names[self.settings.sets :]
        return [{"speaker": speaker, "other_speaker": name} for name in self.choose(others, "others")]


def _require(found: int, needed: int, what: str, where: str) -> None:
    if found < needed:
        raise InputError(f"{where}: {found:,} {what}, {needed:,} are needed; ask for fewer sets or tuples")


def _draw_purchases(drawn: TupleSet) -> Iterator[Row]:
    """Draw prices, brands, and the years of two models, or the thing and a brand that is not bought."""
    is_thread = drawn.pool.style == "multi"
    settings = drawn.settings
    limits = settings.multi_prices if is_thread else settings.uni_prices
    found = draw_prices(drawn.rng, limits.lowest, limits.highest, settings.tuples)
    brands = drawn.choose(drawn.words.brands, "brands", settings.tuples * (1 if is_thread else 2))
    items = [] if is_thread else drawn.choose(drawn.words.items, "items")
    for place, price in enumerate(drawn.rng.shuffle(found, "prices")):
        row = {**price._asdict(), "brand": brands[place]}
        if is_thread:
            other, model = sorted(_choose_models(drawn, place), reverse=price.direction == "lower")
            yield row | {"model": model, "other_model": other}
        else:
            yield row | {"item": items[place], "other_brand": brands[settings.tuples + place]}


def _choose_models(drawn: TupleSet, place: int) -> list[int]:
    """Choose the years of two models: none after the post, unless it is older than all of them."""
    known = [year for year in MODEL_YEARS if year <= drawn.choose_day(place).year]
    years = known if len(known) > 1 else list(MODEL_YEARS)
    return [years[number] for number in drawn.rng.sample_several(2, len(years), f"years {place}")]


def _draw_deeds(drawn: TupleSet) -> Iterator[Row]:
    """Draw the days of a thread, all within a year."""
    settings = drawn.settings
    year = drawn.rng.sample_between(settings.first_year, settings.last_year, "year")
    for each in draw_thread(drawn.rng, year, settings.tuples):
        yield {"message_date": each.message_date, "offsets": [each.offset], "asked_index": 0}


def _draw_activities(drawn: TupleSet) -> Iterator[Row]:
    """Draw four weeks, in a part of the years that no other set of the pool has."""
    activities = drawn.choose(drawn.words.activities, "activities")
    for activity, each in zip(activities, draw_schedule(drawn.rng, find_first_day(drawn)), strict=True):
        yield {"activity": activity, **each._asdict()}


def find_first_day(drawn: TupleSet) -> dt.date:
    """Find the first day of the four weeks of a set.

    Raises:
        InputError: The years have too few days for the sets of the pool.
    """
    settings = drawn.settings
    first, last = dt.date(settings.first_year, 1, 1), dt.date(settings.last_year, 12, 31)
    length = ((last - first).days + 1) // settings.sets
    if length < DAYS:
        raise InputError(
            f"{drawn.pool.name}: {settings.sets:,} sets of {DAYS} days do not fit into {settings.first_year} to"
            f" {settings.last_year}; ask for fewer sets or for more years"
        )
    start = drawn.number * length + drawn.rng.sample_below(length - DAYS + 1, "first day")
    return first + dt.timedelta(start)


def _draw_visits(drawn: TupleSet) -> Iterator[Row]:
    """Draw purposes; which landmarks are visited is decided among all of them."""
    if drawn.pool.style == "multi":
        return iter([{}] * drawn.settings.tuples)
    return ({"purpose": purpose} for purpose in drawn.choose(drawn.words.purposes, "purposes"))


def _draw_times(drawn: TupleSet) -> Iterator[Row]:
    return _draw_deeds(drawn) if drawn.pool.style == "multi" else _draw_activities(drawn)


_CONTENTS: Mapping[Category, Callable[[TupleSet], Iterator[Row]]] = {
    "arithmetic": _draw_purchases,
    "temporal": _draw_times,
    "wknow": _draw_visits,
}
"""What draws the content of tuples, by category."""
