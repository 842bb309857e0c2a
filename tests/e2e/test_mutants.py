"""Changed rows of the published sample: a text that is changed is wrong, whatever it means, and so is any field."""

from __future__ import annotations

import datetime as dt
import os
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.checks import DERIVED_BY
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.validate import family_run
from everwhen.validate.verify import verify

pytestmark = [pytest.mark.full, pytest.mark.spark]

MUTANTS = 3_000
"""How many rows of the sample are changed, each in one way."""

FAMILY = "complextempqa"
SHOW_ALL = "CREATE TABLE shown AS SELECT * FROM wrong"
"""Every wrong row, where verify itself shows three of a kind."""

Row = dict[str, Any]
Change = Callable[[random.Random, Row, "Sample"], Any]


class Sample:
    """The rows of the sample, and what changes are made of."""

    def __init__(self, dataset: Path) -> None:
        self.table = pq.read_table(dataset / FAMILY / "questions")
        self.rows: list[Row] = self.table.to_pylist()
        self.by_template: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            self.by_template[row["template_id"]].append(row)
        self.tokens = sorted({token for row in self.rows for token in row["question"].split()})
        labels = pq.read_table(dataset / "facts" / "entities", columns=["item", "label"]).to_pylist()
        self.labels = {row["item"]: row["label"] for row in labels}

    def choose_places(self, chance: random.Random) -> list[int]:
        """Choose the rows that are changed: eight of each template, as far as it has them, and others."""
        order = chance.sample(range(len(self.rows)), len(self.rows))
        seen: Counter[str] = Counter()
        first, rest = [], []
        for place in order:
            template = self.rows[place]["template_id"]
            seen[template] += 1
            (first if seen[template] <= 8 else rest).append(place)
        return [*first, *rest][:MUTANTS]

    def of_version(self, version: int) -> list[str]:
        """The templates of a version: verify refuses rows of another one."""
        return sorted(name for name, rows in self.by_template.items() if rows[0]["template_version"] == version)

    def other(self, chance: random.Random, row: Row, column: str) -> Any:
        """The value that another question has in a column, of the same template if there is another one."""
        same = [r[column] for r in self.by_template[row["template_id"]] if r[column] != row[column]]
        return chance.choice(same or [r[column] for r in self.rows if r[column] != row[column]])


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
    return str(sample.other(chance, row, "question"))


def take_the_name_of_another(chance: random.Random, row: Row, sample: Sample) -> str:
    """A name in the text is replaced by that of a subject of another question of the template."""
    there = [label for item in row["question_entity"] if (label := sample.labels.get(item)) in row["question"]]
    others = {sample.labels.get(item) for r in sample.by_template[row["template_id"]] for item in r["question_entity"]}
    named = sorted(name for name in others if name and name not in there)
    if not there or not named:
        return take_the_text_of_another(chance, row, sample)
    return str(row["question"].replace(chance.choice(there), chance.choice(named)))


def swap_names(chance: random.Random, row: Row, sample: Sample) -> str:
    """Both subjects of a comparison change places in the text."""
    names = [sample.labels.get(item, "") for item in row["question_entity"][:2]]
    if len(names) < 2 or not all(name and name in row["question"] for name in names):
        return swap_tokens(chance, row, sample)
    parts = row["question"].split(names[0])
    return names[1].join(part.replace(names[1], names[0]) for part in parts)


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


TEXTS: Mapping[str, Change] = {
    "a token changed": change_token,
    "a token dropped": drop_token,
    "a token doubled": double_token,
    "two tokens swapped": swap_tokens,
    "a letter changed": change_letter,
    "another text": take_the_text_of_another,
    "another name": take_the_name_of_another,
    "two names swapped": swap_names,
}
SPLITS = ("train", "validation", "test")
TYPES = tuple(f"{family}{subject}{time}" for family in "123" for subject in "ab" for time in ("", "c"))
FIELDS: Mapping[str, tuple[Change, ...]] = {
    "question_id": (partial(add_one, "question_id"),),
    "answer": (lambda chance, row, sample: sample.other(chance, row, "answer"), lambda *_: [], lambda *_: ["maybe"]),
    "type": (partial(choose_other, "type", TYPES),),
    "question_entity": (
        partial(replace_one, "question_entity"),
        lambda chance, row, sample: sample.other(chance, row, "question_entity"),
        lambda chance, row, sample: row["question_entity"][::-1],
    ),
    "answer_entity": (partial(replace_one, "answer_entity"),),
    "question_country_entity": (partial(replace_one, "question_country_entity"),),
    "answer_country_entity": (partial(replace_one, "answer_country_entity"),),
    "hops": (partial(replace_one, "hops"), lambda chance, row, sample: row["hops"][1:]),
    "descriptions": (
        lambda chance, row, sample: [{"entity": row["question_entity"][0], "key": "deaths"}],
        lambda chance, row, sample: row["descriptions"][1:],
    ),
    "rating": (partial(choose_other, "rating", (0, 1)),),
    "is_unnamed": (lambda chance, row, sample: not row["is_unnamed"],),
    "timeframe": (partial(shift_day, "start"), partial(shift_day, "end")),
    "template_id": (lambda chance, row, sample: chance.choice(sample.of_version(row["template_version"])),),
    "wording": (partial(add_one, "wording"), partial(choose_other, "wording", (0, 1, 2))),
    "polarity": (partial(choose_other, "polarity", ("greater", "lesser", "earlier", "later", None)),),
    "property": (partial(add_one, "property"),),
    "threshold": (lambda chance, row, sample: Decimal(row["threshold"] or 0) + 1,),
    "counted_over": (partial(choose_other, "counted_over", ("complete", "known facts", None)),),
    "topic": (partial(choose_other, "topic", ("medtop:01000000", "medtop:11000000")),),
    "split": (partial(choose_other, "split", SPLITS),),
    "year": (partial(add_one, "year"),),
    "head_entity": (partial(add_one, "head_entity"),),
}
"""How each field is changed. The version of a template is a test of its own: verify does not begin with another."""


@pytest.fixture(scope="module")
def dataset(sample_build: Build) -> Path:
    return Path(sample_build.root) / "dataset" / sample_build.config.version


def write_changed(dataset: Path, folder: Path, table: pa.Table) -> Path:
    """The dataset with other questions, its other files as they are."""
    shutil.copytree(dataset, folder, copy_function=os.link, ignore=shutil.ignore_patterns("questions"))
    (folder / FAMILY / "questions").mkdir()
    pq.write_table(table, folder / FAMILY / "questions" / "train-00000-of-00001.parquet")
    return folder


def test_no_mutant_survives(dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample, chance = Sample(dataset), random.Random("mutants")
    rows, changed = [dict(row) for row in sample.rows], {}
    kinds: list[tuple[str, str, Change]] = [("question", name, change) for name, change in TEXTS.items()] * 3
    kinds += [(column, f"another {column}", change) for column, changes in FIELDS.items() for change in changes]
    for number, place in enumerate(sample.choose_places(chance)):
        column, name, change = kinds[number % len(kinds)]
        value = change(chance, rows[place], sample)
        if value != rows[place][column]:
            rows[place] = {**rows[place], column: value}
            changed[rows[place]["question_id"]] = (column, name, rows[place])
    assert len(changed) > 0.85 * MUTANTS
    assert {row["template_id"] for _, _, row in changed.values()} >= set(sample.by_template)
    monkeypatch.setattr(family_run, "EXAMPLES_OF_EACH", SHOW_ALL)
    table = pa.Table.from_pylist(rows, sample.table.schema)
    found = verify(write_changed(dataset, tmp_path / "changed", table)).families[FAMILY]
    checks: dict[int, set[str]] = defaultdict(set)
    for example in found.examples:
        checks[int(example.item_id)].add(example.check)
    survived = Counter(
        (name, row["template_id"], row["question"])
        for item, (column, name, row) in changed.items()
        if not checks[item] & set(DERIVED_BY[column])
    )
    assert not survived, survived.most_common(10)


def test_another_version_is_refused(dataset: Path, tmp_path: Path) -> None:
    table = Sample(dataset).table
    place = table.schema.get_field_index("template_version")
    versions = table["template_version"].to_pylist()
    versions[7] += 1
    table = table.set_column(place, table.schema.field(place), pa.array(versions, pa.int32()))
    with pytest.raises(InputError, match="the items are of version"):
        verify(write_changed(dataset, tmp_path / "changed", table))


def test_every_column_has_a_check_and_a_mutant() -> None:
    columns = {column.name for column in QUESTIONS.columns}
    assert set(DERIVED_BY) == columns
    assert {*FIELDS, "question", "template_version"} == columns
