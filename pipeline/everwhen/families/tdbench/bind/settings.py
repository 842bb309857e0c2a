"""How many items are bound, and by which choices."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.core.config import Config

MAX_ANSWERS = 7
"""Answers of one question; nobody would list more."""


@dataclass(frozen=True)
class BindSettings:
    """What the binding of items depends on, beside rows and declarations.

    Attributes:
        config: The seed of every choice, and the shares of the splits.
        size: Items of reasoning that are wanted of each declaration; each other task has a third of it at most.
        draws: Intervals that are drawn for each row and relation so that the relation holds.
        rows_per_key: Rows of one key for which intervals are drawn; a hash chooses them.
        events_per_key: Events that are compared with one key; a hash chooses them.
        is_short: Whether started_by and finished_by are also asked by the shared endpoint alone.
    """

    config: Config
    size: int
    draws: int = 2
    rows_per_key: int = 40
    events_per_key: int = 12
    is_short: bool = False
