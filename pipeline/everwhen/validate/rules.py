"""What a template says of its rows, as far as they can be checked without binding them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


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
