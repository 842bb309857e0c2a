"""Errors that a published file may have, each planted in rows of the sample, and the checks that must find them."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from typing import Any

from changed_rows import Row, Sample
from changes import FIELDS, TYPES, Change, exchange_names, take_other
from everwhen.wikidata.properties import Property

ROWS = 8
"""How many rows of each error, where there are so many."""


@dataclass(frozen=True)
class FileError:
    """An error in files.

    Attributes:
        name: What is wrong.
        templates: The rows that it is planted in, by a pattern of their templates.
        changes: The columns that it changes; a row in which a value would stay as it is does not fit.
        checks: The checks of which each must find it.
    """

    name: str
    templates: str
    changes: Mapping[str, Change]
    checks: tuple[str, ...]

    def plant(self, chance: random.Random, row: Row, sample: Sample) -> Row | None:
        """Change a row; nothing where it does not fit."""
        if not fnmatchcase(row["template_id"], self.templates):
            return None
        values = {column: change(chance, row, sample) for column, change in self.changes.items()}
        return None if any(row[column] == value for column, value in values.items()) else {**row, **values}


def move_answer(chance: random.Random, row: Row, sample: Sample) -> list[str]:
    """An answer that is a day becomes the day after."""
    if len(row["answer"]) != 1 or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", row["answer"][0]):
        return list(row["answer"])
    return [(dt.date.fromisoformat(row["answer"][0]) + dt.timedelta(days=1)).isoformat()]


def move_last_day(chance: random.Random, row: Row, sample: Sample) -> dict[str, Any]:
    """The last day becomes the day after, where it is known."""
    day = row["timeframe"]["end"]
    return {**row["timeframe"], "end": day and day + dt.timedelta(days=1)}


def replace_answer_entities(chance: random.Random, row: Row, sample: Sample) -> list[int]:
    """The entities of the answer become those of another one, where other questions have each of them as an answer.

    Else what is accepted of an entity would be of no answer, which is shown at another question.
    """
    entities: list[int] = row["answer_entity"]
    is_elsewhere = bool(entities) and all(sample.answered[entity] > ROWS for entity in entities)
    return take_other("answer_entity", chance, row, sample) if is_elsewhere else entities


def replace_type(chance: random.Random, row: Row, sample: Sample) -> str:
    """A type becomes another one of the same kind of question."""
    return chance.choice([name for name in TYPES if name != row["type"] and name[0] == row["type"][0]])


def replace_words(chance: random.Random, row: Row, sample: Sample, *, words: Mapping[str, str]) -> str:
    """Words of the text become others."""
    return re.sub(rf"\b({'|'.join(words)})\b", lambda found: words[found[1]], row["question"])


def replace_name(chance: random.Random, row: Row, sample: Sample, *, place: int = 0) -> str:
    """The name in a place becomes the one that another question of the template has there."""
    names = {sample.labels[other["question_entity"][place]] for other in sample.by_template[row["template_id"]]}
    name = sample.labels[row["question_entity"][place]]
    return str(row["question"]).replace(name, chance.choice(sorted(names - {name}) or [name]))


def replace_office(chance: random.Random, row: Row, sample: Sample) -> str:
    """The office becomes that of another question of the template."""
    is_of_office = row["property"] == Property.POSITION_HELD
    return replace_name(chance, row, sample, place=-1) if is_of_office else str(row["question"])


def move_window(chance: random.Random, row: Row, sample: Sample) -> str:
    """The last year in the text becomes that of ten years before."""
    return re.sub(r"\d{4}(?=\D*$)", lambda year: str(int(year[0]) - 10), row["question"])


def double_threshold(chance: random.Random, row: Row, sample: Sample) -> str:
    """The threshold in the text becomes twice as much."""
    return row["question"].replace(f"more than {row['threshold']:,.0f} ", f"more than {2 * row['threshold']:,.0f} ")


def misspell(chance: random.Random, row: Row, sample: Sample) -> str:
    """In the first word in lower case that has four letters or more the second letter and the third change places."""
    return re.sub(r"\b([a-z])([a-z])([a-z])(?=[a-z])", r"\1\3\2", row["question"], count=1)


def change_field(column: str) -> dict[str, Change]:
    """The first change of a column that mutants have."""
    return {column: next(iter(FIELDS[column].values()))}


ERRORS = (
    FileError("an answer off by a day", "attribute.*", {"answer": move_answer}, ("answer",)),
    FileError(
        "another entity in the answer", "attribute.*", {"answer_entity": replace_answer_entities}, ("answer_entities",)
    ),
    FileError("the other rating", "attribute.*", change_field("rating"), ("rating",)),
    FileError("a last day off by a day", "attribute.*", {"timeframe": move_last_day}, ("timeframe",)),
    FileError(
        "other countries",
        "attribute.*",
        change_field("question_country_entity") | change_field("answer_country_entity"),
        ("question_countries", "answer_countries"),
    ),
    FileError("named for unnamed, or unnamed for named", "attribute.event.*", change_field("is_unnamed"), ("unnamed",)),
    FileError("another threshold", "counting.event.above", change_field("threshold"), ("threshold",)),
    FileError("another property", "attribute.*", {"property": partial(take_other, "property")}, ("id",)),
    FileError(
        "before for after in the text",
        "comparison.*.before_after",
        {"question": partial(replace_words, words={"before": "after", "after": "before"})},
        ("text",),
    ),
    FileError("other years of a window in the text", "counting.entity.*", {"question": move_window}, ("text",)),
    FileError("names swapped in the text", "comparison.*", {"question": exchange_names}, ("text",)),
    FileError("another person in the text", "attribute.entity.born", {"question": replace_name}, ("text",)),
    FileError("another office in the text", "attribute.*", {"question": replace_office}, ("text",)),
    FileError(
        "married for born in the text",
        "attribute.entity.born",
        {"question": partial(replace_words, words={"born": "married"})},
        ("text",),
    ),
    FileError("another threshold in the text", "counting.event.above", {"question": double_threshold}, ("text",)),
    FileError("a misspelt word in the text", "attribute.*", {"question": misspell}, ("text",)),
    FileError("another wording", "attribute.*", {"wording": partial(take_other, "wording")}, ("wording",)),
    FileError("another type", "attribute.*", {"type": replace_type}, ("type",)),
    FileError("another topic", "attribute.*", change_field("topic"), ("topic",)),
    FileError("another split", "attribute.*", change_field("split"), ("split",)),
    FileError("another year", "attribute.*", change_field("year"), ("year",)),
    FileError(
        "another head",
        "comparison.*",
        {"head_entity": lambda chance, row, sample: row["question_entity"][-1]},
        ("head",),
    ),
)
"""The kinds of errors; the page of checks lists them."""


def plant_errors(sample: Sample) -> dict[str, dict[int, Row]]:
    """Choose rows for each error by turns, so that errors which fit the same few rows have as many each.

    Returns:
        By name of the error, the changed rows by their places in the sample; no row has two errors.
    """
    chance = random.Random("errors in files")
    order = sample.order_positions(chance, first=2 * ROWS)
    taken: set[int] = set()

    def find_rows(error: FileError) -> Iterator[tuple[int, Row]]:
        for place in order:
            if place not in taken and (row := error.plant(chance, sample.rows[place], sample)):
                taken.add(place)
                yield place, row

    found = {error.name: find_rows(error) for error in ERRORS}
    planted: dict[str, dict[int, Row]] = {name: {} for name in found}
    for _ in range(ROWS):
        for name, rows in found.items():
            planted[name].update(islice(rows, 1))
    return planted
