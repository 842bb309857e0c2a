"""The family's section of the configuration: `families.dialogue_pool`."""

from __future__ import annotations

from everwhen.core.config import Section

NAME = "dialogue_pool"


class Settings(Section):
    """Where the pool is."""

    file: str
    """JSON Lines with id, question, answer and pos_document, packed or not."""
