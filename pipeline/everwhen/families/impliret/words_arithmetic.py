"""What the texts of arithmetic are made of (`templates/impliret/arithmetic.yaml`, `brands.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import Field

from everwhen.core.models import StrictModel, load_template
from everwhen.families.impliret.config import NAME

Rules = Mapping[str, list[str]]


class ArithmeticTopic(StrictModel):
    """What a thread is about.

    Attributes:
        id: Its id.
        item: What is bought, in the plural.
        opening: The post that opens the thread.
        details: What people remark on, in lower case.
    """

    id: str = Field(pattern="^[a-z_]+$")
    item: str
    opening: str
    details: list[str] = Field(min_length=12)


class ArithmeticWords(StrictModel):
    """All of `templates/impliret/arithmetic.yaml`.

    Attributes:
        topics: What threads are about.
        items: What is bought in chats, in the singular.
        followups: What the buyer says later in a chat.
        posts: Rules of what a post says of prices, two sentences; percent_lower and the like, and what these use.
        chats: Rules of what an utterance says of prices.
    """

    id: str
    version: int
    topics: list[ArithmeticTopic]
    items: list[str]
    followups: list[str]
    posts: Rules
    chats: Rules


class Brands(StrictModel):
    """All of `templates/impliret/brands.yaml`."""

    id: str
    version: int
    brands: list[str]


@cache
def load_arithmetic_words() -> ArithmeticWords:
    """Load the words of arithmetic.

    Raises:
        InputError: The file is wrong.
    """
    return load_template(ArithmeticWords, NAME, "arithmetic.yaml")


@cache
def load_brands() -> list[str]:
    """Load the invented brands.

    Raises:
        InputError: The file is wrong.
    """
    return load_template(Brands, NAME, "brands.yaml").brands
