"""This family's section of the configuration: `families.complextempqa`."""

from __future__ import annotations

from pydantic import Field

from everwhen.catalog.models import CompleteDeclaration
from everwhen.core.config import Config, Section, read_section

NAME = "complextempqa"
"""The section's key."""


class Budget(Section):
    """How many rows some templates make together."""

    templates: list[str] = Field(min_length=1)
    """Ids of the templates, `*` allowed: of comparisons, or of others."""
    rows: int = Field(ge=0)
    """Rows in which everything is named."""
    unnamed: int = Field(default=0, ge=0)
    """Rows in which something is described and not named."""


class ComplexTempQASettings(Section):
    """Which questions are made, and how many."""

    templates: list[str] = []
    """Ids of the templates in use, `*` allowed at the end; empty: all."""
    pairs_per_entity: int = Field(default=4, ge=1)
    """Without a budget: with how many others each template compares each subject."""
    compare_alike: bool = True
    """Whether only subjects that share something and are near each other are compared: films of one director, events
    in one country (`alike_by` in `templates/entities/`), times of the same 20 years, amounts between the same powers of
    two. Without it there are far more pairs."""
    budgets: list[Budget] = []
    """Rows wanted, each entry with `templates`, `rows` (everything named) and `unnamed` (something described). A
    template is in one budget at most. Templates without one make all rows, comparisons as `pairs_per_entity` says."""
    rows_per_file: int = Field(default=4_000_000, ge=1000)
    """Rows of a full parquet file: about 120 MB."""
    round_years: int = Field(default=10, ge=1)
    """Periods of counts other than decades begin and end with a year that this divides."""
    windows_per_answer: int = Field(default=4, ge=1)
    """In how many periods with the same answer each template counts each subject."""
    complete: list[CompleteDeclaration] = []
    """What the facts of this build hold completely, beside `templates/complete.yaml`: `start`, `end` (years),
    `members`, `source`, and one of `list`, `position`, `award`, `films_by`, `films_with`, `books_by`."""
    open_counts: bool = False
    """Whether templates also count what is not declared complete; such rows say `known facts`."""


def read_settings(config: Config) -> ComplexTempQASettings:
    """Read this family's section; its defaults where the configuration has none.

    Raises:
        pydantic.ValidationError: The configuration was made in code, of plain values, and one of them does not fit.
    """
    return read_section(config, NAME, ComplexTempQASettings)
