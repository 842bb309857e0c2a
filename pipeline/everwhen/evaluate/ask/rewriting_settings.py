"""The settings of a model that writes texts of a build anew."""

from __future__ import annotations

from pydantic import Field

from everwhen.core.config import Section


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
