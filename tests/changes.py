"""Changes of a question: of its text, and of every other column of its row."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from changed_rows import Row, Sample

Change = Callable[[random.Random, Row, Sample], Any]
"""A change of one column: what its value becomes."""


def change_token(chance: random.Random, row: Row, sample: Sample) -> str:
    words = row["question"].split()
    words[chance.randrange(len(words))] = chance.choice(sample.tokens)
    return " ".join(words)


def drop_token(chance: random.Random, row: Row, sample: Sample) -> str:
    words = row["question"].split()
    del words[chance.randrange(len(words))]
    return " ".join(words)


def double_token(chance: random.Random, row: Row, sample: Sample) -> str:
    words = row["question"].split()
    place = chance.randrange(len(words))
    return " ".join([*words[: place + 1], *words[place:]])


def swap_tokens(chance: random.Random, row: Row, sample: Sample) -> str:
    words = row["question"].split()
    one, other = chance.sample(range(len(words)), 2)
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


def change_letter(chance: random.Random, row: Row, sample: Sample) -> str:
    text = row["question"]
    place = chance.randrange(len(text))
    return text[:place] + chance.choice("aeiouAEIOU ,.'") + text[place + 1 :]


def take_the_text_of_another(chance: random.Random, row: Row, sample: Sample) -> str:
    return str(sample.choose_other(chance, row, "question"))


def take_the_name_of_another(chance: random.Random, row: Row, sample: Sample) -> str:
    """A name in the text is replaced by that of a subject of another question of the template."""
    there = [label for item in row["question_entity"] if (label := sample.labels.get(item)) in row["question"]]
    others = {sample.labels.get(item) for r in sample.by_template[row["template_id"]] for item in r["question_entity"]}
    named = sorted(name for name in others if name and name not in there)
    if not there or not named:
        return take_the_text_of_another(chance, row, sample)
    return str(row["question"].replace(chance.choice(there), chance.choice(named)))


def exchange_names(chance: random.Random, row: Row, sample: Sample) -> str:
    """Both subjects of a comparison change places in the text, if it names both."""
    names = [sample.labels.get(item, "") for item in row["question_entity"][:2]]
    if len(names) < 2 or not all(name and name in row["question"] for name in names):
        return str(row["question"])
    parts = row["question"].split(names[0])
    return names[1].join(part.replace(names[1], names[0]) for part in parts)


def swap_names(chance: random.Random, row: Row, sample: Sample) -> str:
    """Names change places, or two tokens where the text does not name both."""
    swapped = exchange_names(chance, row, sample)
    return swap_tokens(chance, row, sample) if swapped == row["question"] else swapped


def shift_day(bound: str, chance: random.Random, row: Row, sample: Sample) -> Mapping[str, Any]:
    day = row["timeframe"][bound]
    moved = dt.date(2000, 1, 1) if day is None else day + dt.timedelta(days=chance.choice((-365, -1, 1, 366)))
    return {**row["timeframe"], bound: moved}


def add_one(column: str, chance: random.Random, row: Row, sample: Sample) -> int:
    return int(row[column] or 0) + 1


def choose_other(column: str, values: tuple[Any, ...], chance: random.Random, row: Row, sample: Sample) -> Any:
    return chance.choice([value for value in values if value != row[column]])


def replace_one(column: str, chance: random.Random, row: Row, sample: Sample) -> list[Any]:
    """One item of a list is another, or there is one where there was none."""
    values = list(row[column])
    if not values:
        return [17]
    values[chance.randrange(len(values))] += 1
    return values


def reverse_texts(chance: random.Random, row: Row, sample: Sample) -> list[str]:
    """The parts of an answer the other way round, where their order counts: of entities it does not."""
    answer: list[str] = row["answer"]
    return answer if row["answer_entity"] else answer[::-1]


def take_other(column: str, chance: random.Random, row: Row, sample: Sample) -> Any:
    return sample.choose_other(chance, row, column)


TEXTS: Mapping[str, Change] = {
    "a token changed": change_token,
    "a token dropped": drop_token,
    "a token doubled": double_token,
    "two tokens swapped": swap_tokens,
    "a letter changed": change_letter,
    "the text of another question": take_the_text_of_another,
    "the name of another subject": take_the_name_of_another,
    "two names swapped": swap_names,
}
SPLITS = ("train", "validation", "test")
TYPES = tuple(f"{family}{subject}{time}" for family in "123" for subject in "ab" for time in ("", "c"))
FIELDS: Mapping[str, Mapping[str, Change]] = {
    "question_id": {"the next id": partial(add_one, "question_id")},
    "answer": {
        "the answer of another question": partial(take_other, "answer"),
        "no answer": lambda *_: [],
        "the answer maybe": lambda *_: ["maybe"],
        "the parts in reverse order": reverse_texts,
    },
    "type": {"another type": partial(choose_other, "type", TYPES)},
    "question_entity": {
        "another entity asked about": partial(replace_one, "question_entity"),
        "the entities of another question": partial(take_other, "question_entity"),
        "the entities in reverse order": lambda chance, row, sample: row["question_entity"][::-1],
    },
    "answer_entity": {
        "another entity in the answer": partial(replace_one, "answer_entity"),
        "no entity in the answer": lambda *_: [],
    },
    "question_country_entity": {"another country asked about": partial(replace_one, "question_country_entity")},
    "answer_country_entity": {"another country in the answer": partial(replace_one, "answer_country_entity")},
    "hops": {
        "another property in the path": partial(replace_one, "hops"),
        "a path without its first property": lambda chance, row, sample: row["hops"][1:],
    },
    "descriptions": {
        "a described entity": lambda chance, row, sample: [{"entity": row["question_entity"][0], "key": "deaths"}],
        "a description fewer": lambda chance, row, sample: row["descriptions"][1:],
        "the descriptions in reverse order": lambda chance, row, sample: row["descriptions"][::-1],
        "a description twice": lambda chance, row, sample: [*row["descriptions"], *row["descriptions"][:1]],
    },
    "rating": {"the other rating": partial(choose_other, "rating", (0, 1))},
    "is_unnamed": {"named for unnamed, or unnamed for named": lambda chance, row, sample: not row["is_unnamed"]},
    "timeframe": {"another first day": partial(shift_day, "start"), "another last day": partial(shift_day, "end")},
    "template_id": {
        "another template": lambda chance, row, sample: chance.choice(sample.select_version(row["template_version"]))
    },
    "wording": {
        "the next wording": partial(add_one, "wording"),
        "another wording": partial(choose_other, "wording", (0, 1, 2)),
    },
    "polarity": {
        "another direction": partial(choose_other, "polarity", ("greater", "lesser", "earlier", "later", None))
    },
    "property": {"another property": partial(add_one, "property")},
    "threshold": {"a threshold greater by 1": lambda chance, row, sample: Decimal(row["threshold"] or 0) + 1},
    "counted_over": {
        "another range of the count": partial(choose_other, "counted_over", ("complete", "known facts", None))
    },
    "calendar": {"the other calendar": partial(choose_other, "calendar", ("gregorian", "julian", None))},
    "topic": {"another topic": partial(choose_other, "topic", ("medtop:01000000", "medtop:11000000"))},
    "split": {"another split": partial(choose_other, "split", SPLITS)},
    "year": {"the next year": partial(add_one, "year")},
    "head_entity": {"another head": partial(add_one, "head_entity")},
}
"""How the fields are changed: each change of a column by its name."""
VERSIONS: Mapping[str, Change] = {"the next version, which no check is for": partial(add_one, "template_version")}
"""How the version of a template is changed: verify does not begin with another, so that it is a test of its own."""
CHANGES: Mapping[str, Mapping[str, Change]] = {"question": TEXTS, "template_version": VERSIONS, **FIELDS}
"""By column, its changes: the page of checks has their names."""
