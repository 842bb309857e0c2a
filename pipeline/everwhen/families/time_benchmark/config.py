"""This family's section of the configuration: `families.time_benchmark`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from everwhen.core.config import Config, Section, read_section

NAME = "time_benchmark"
"""The section's key."""


class RewritingSettings(Section):
    """A model that writes texts anew. The journal has its answers: a build with the same one makes the same texts."""

    base_url: str
    """Address of an OpenAI-compatible API, such as http://localhost:8000/v1."""
    model: str
    """The model's name, as the endpoint knows it."""
    journal: str
    """The file of its answers; what it has is not asked again."""
    parameters: dict[str, int | float | str] = Field(default_factory=dict)
    """Further fields of each request, such as temperature."""
    key_variable: str | None = None
    """The environment variable with the endpoint's key; by default EVERWHEN_API_KEY, if it is set."""
    threads: int = Field(default=4, ge=1)
    """Texts that are asked for at the same time."""


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
