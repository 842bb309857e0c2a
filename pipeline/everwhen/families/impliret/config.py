"""This family's section of the configuration: `families.impliret`."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from pydantic import Field

from everwhen.core.config import Config, Section, read_section
from everwhen.evaluate.ask.rewriting_settings import RewritingSettings

NAME = "impliret"
"""The section's key."""

Category = Literal["arithmetic", "temporal", "wknow"]
Style = Literal["multi", "uni"]

SCHEDULE = 30
"""The tuples of a set of temporal chats: the activities of a schedule of four weeks."""


class Prices(Section):
    """From and to which price the things of a pool cost, in dollars."""

    lowest: int = Field(default=50, ge=10, multiple_of=10)
    """The lowest price."""
    highest: int = Field(ge=20, le=9990, multiple_of=10)
    """The highest price."""


class ImpliretSettings(Section):
    """Which pools are made, how large they are, and in which years their days lie."""

    categories: list[Category] | None = Field(default=None, min_length=1)
    """What has to be inferred: a price (arithmetic), a date (temporal), or the country of a landmark (wknow). By
    default all; then wknow is left out where the facts have too few landmarks."""
    styles: list[Style] = Field(default=["multi", "uni"], min_length=1)
    """multi: the posts of forum threads, by many people; uni: chats of one person with others."""
    copies: int = Field(default=1, ge=1)
    """Pools of each category and style; the second has the suffix _2."""
    sets: int = Field(default=50, ge=1)
    """Sets of tuples of a pool. The documents of a set are the near negatives of its queries. The paper has 50."""
    tuples: int = Field(default=30, ge=2)
    """Tuples of a set, each a document and a query. The paper has 30, as temporal chats must have."""
    first_year: int = Field(default=2021, ge=1900, le=2100)
    """The first year of the messages."""
    last_year: int = Field(default=2024, ge=1900, le=2100)
    """The last year of the messages."""
    multi_prices: Prices = Prices(highest=2050)
    """The prices of threads."""
    uni_prices: Prices = Prices(highest=3050)
    """The prices of chats."""
    rewriting: RewritingSettings | None = None
    """Who writes the documents anew; by default nobody."""


class Pool(NamedTuple):
    """Documents that are searched together, and the queries that search them.

    Attributes:
        name: Such as temporal_multi, or temporal_multi_2.
        category: What has to be inferred.
        style: multi or uni.
    """

    name: str
    category: Category
    style: Style


def list_pools(settings: ImpliretSettings) -> list[Pool]:
    """List the pools that are made."""
    return [
        Pool(f"{category}_{style}" + (f"_{copy}" if copy > 1 else ""), category, style)
        for copy in range(1, settings.copies + 1)
        for category in dict.fromkeys(settings.categories or get_args(Category))
        for style in dict.fromkeys(settings.styles)
    ]


def read_settings(config: Config) -> ImpliretSettings:
    """Read this family's section; its defaults where the configuration has none."""
    return read_section(config, NAME, ImpliretSettings)
