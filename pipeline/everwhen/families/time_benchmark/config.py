"""This family's section of the configuration: `families.time_benchmark`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from everwhen.core.config import Config, Section, read_section
from everwhen.evaluate.ask.rewriting_settings import RewritingSettings

NAME = "time_benchmark"
"""The section's key."""


class TimeSettings(Section):
    """Which texts are composed, and how long they are."""

    graphs: int = Field(default=1300, ge=1)
    """Texts at most, each about a root and what its facts link it with. The paper has 1,300."""
    links: int = Field(default=3, ge=2, le=3)
    """Entities that a root is linked with, at most; a root has two at least."""
    forms: Literal["paper", "both"] = "paper"
    """Forms of level 2, co-temporality and counterfactual: free form as in the paper, or single choice, too."""
    rewriting: RewritingSettings | None = None
    """Who writes the texts anew; by default nobody."""
    words: int = Field(default=800, ge=200, le=95_000)
    """Words of a text, about: beyond the stories of root and links, those of further entities are mentioned."""


def read_settings(config: Config) -> TimeSettings:
    """Read this family's section; its defaults where the configuration has none."""
    return read_section(config, NAME, TimeSettings)
