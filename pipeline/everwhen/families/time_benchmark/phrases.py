"""How facts are asked about: clauses and questions of `templates/time_benchmark`, and their slots filled in columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import Field
from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.core.models import StrictModel, load_template
from everwhen.families.time_benchmark.config import NAME
from everwhen.language.wording import split_wording
from everwhen.language.wording_spark import join_pieces

Clause = Literal["begin", "end", "hold", "had", "when"]
Opening = Literal["which", "would", "nth"]


class SidePhrases(StrictModel):
    """Questions about an entity on one side of its facts, with the slot {entity}; `nth` has another slot, {nth}."""

    which: str
    would: str
    nth: str


class PropertyPhrases(StrictModel):
    """Clauses about a fact, with the slots {s} and {v}, and questions from either side of it.

    Attributes:
        begin, end, hold: What happened, or was so, in the past tense.
        had: `hold` in the past perfect.
        when: The question when it was so.
        subject: Questions about the subject.
        value: Questions about the value; None of a symmetric property, whose subject and value are one side.
    """

    begin: str
    end: str
    hold: str
    had: str
    when: str
    subject: SidePhrases
    value: SidePhrases | None = None


class Phrases(StrictModel):
    """All of `templates/time_benchmark/properties.yaml`."""

    id: str
    version: int
    properties: Mapping[int, PropertyPhrases] = Field(min_length=1)


@cache
def load_phrases() -> Mapping[int, PropertyPhrases]:
    """Load the phrases by property.

    Raises:
        InputError: The file is wrong.
    """
    return load_template(Phrases, NAME, "properties.yaml").properties


def write_clause(clause: Clause, property_: Column, subject: Column, value: Column) -> Column:
    """Write a clause about a fact."""
    wordings = {str(number): getattr(each, clause) for number, each in load_phrases().items()}
    return _fill(wordings, property_.cast("string"), {"s": subject, "v": value})


def write_question(question: Opening, property_: Column, side: Column, slots: Mapping[str, Column]) -> Column:
    """Write the beginning of a question about an entity on a side of its facts."""
    sides = {
        f"{number} {name}": phrases
        for number, each in load_phrases().items()
        for name, phrases in (("subject", each.subject), ("value", each.value))
        if phrases
    }
    wordings = {key: getattr(phrases, question) for key, phrases in sides.items()}
    return _fill(wordings, F.concat_ws(" ", property_, side), slots)


def _fill(wordings: Mapping[str, str], key: Column, slots: Mapping[str, Column]) -> Column:
    """Fill the slots of the wording of each row's key."""
    # One literal: as many calls as there are pieces would take longer than the query.
    split = json.dumps({name: split_wording(wording) for name, wording in wordings.items()})
    pieces = F.from_json(F.lit(split), "map<string,array<string>>")

    def fill(name: Column) -> Column:
        found: Column = F.lit(None)
        for slot, text in slots.items():
            found = F.when(name == slot, text).otherwise(found)
        return found

    return join_pieces(F.element_at(pieces, key), fill)
