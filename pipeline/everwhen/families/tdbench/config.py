"""This family's section of the configuration: `families.tdbench`."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_serializer

from everwhen.core.config import Config, Section, read_section

NAME = "tdbench"
"""The section's key."""


class TDBenchSettings(Section):
    """Which tables are asked, and how much."""

    declarations: list[str] = []
    """Declarations of the tables: files, or names of those that everwhen brings; empty: all that it brings."""
    items: int = Field(default=3_000, ge=1)
    """Items of reasoning that are wanted of each declaration; each other task has a third of it at most. Where the rows
    give no more, there are fewer."""
    wordings: int = Field(default=1, ge=1, le=3)
    """Items of one binding, each in a wording of its own; the paper has three."""
    short: bool = False
    """Whether started-by and finished-by are also asked by the shared endpoint alone, as the paper does."""

    @field_serializer("declarations", when_used="json")
    def _name_files(self, declarations: list[str]) -> list[str]:
        """Name the files alone: their folder does not change the rows, and manifests have their fingerprints."""
        return [Path(declaration).name for declaration in declarations]


def read_settings(config: Config) -> TDBenchSettings:
    """Read this family's section; its defaults where the configuration has none.

    Raises:
        pydantic.ValidationError: The configuration was made in code, of plain values, and one of them does not fit.
    """
    return read_section(config, NAME, TDBenchSettings)
