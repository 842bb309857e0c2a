"""What a template says of its rows, as far as they can be checked without binding them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pipeline import catalogue
from pipeline.template import Template


@dataclass(frozen=True)
class Rule:
    """A template's part in the check.

    Attributes:
        id: The template.
        version: The version that the check was written for.
        check: SQL that yields question_id, answer and facts, one row a question.
        timeframe: Where the days come from: the asked entities' own, or the years that the text tells.
        hops: Whether its questions may pass bridges.
        rule: How the answer follows from the facts, in one sentence.
    """

    id: str
    version: int
    check: str
    timeframe: Literal["entities", "years"] = "entities"
    hops: bool = False
    rule: str = ""


def rules_of(templates: Iterable[Template]) -> dict[str, Rule]:
    """The rules of templates, by template id."""
    return {
        t.id: Rule(
            id=t.id,
            version=t.version,
            check=t.check,
            timeframe=t.timeframe,
            hops=bool(t.hops),
            rule=t.rule,
        )
        for t in templates
    }


def description_checks() -> Mapping[str, str]:
    """The check of each form of description (`templates/descriptions.yaml`), by its key."""
    return {entry.id: entry.check for entry in catalogue.descriptions()}
