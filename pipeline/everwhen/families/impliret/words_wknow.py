"""What the landmarks and texts of world knowledge are made of (`templates/impliret/wknow.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import Field

from everwhen.core.models import StrictModel, load_template
from everwhen.families.impliret.config import NAME

Rules = Mapping[str, list[str]]


class States(StrictModel):
    """Which items are sovereign states.

    Attributes:
        root: The class whose members are, as item id without Q.
        also: Further ones.
    """

    root: int
    also: list[int]


class WknowTopic(StrictModel):
    """What a thread is about.

    Attributes:
        id: Its id.
        past: What was done, in the past tense, without a subject.
        opening: The post that opens the thread.
        details: What people remark on, in lower case.
    """

    id: str = Field(pattern="^[a-z_]+$")
    past: str
    opening: str
    details: list[str] = Field(min_length=12)


class WknowWords(StrictModel):
    """All of `templates/impliret/wknow.yaml`.

    Attributes:
        classes: Roots of classes of landmarks, by the word for them.
        states: Which items are sovereign states.
        small_words: Words that tell nothing of a place.
        generic_words: Words for kinds, directions, colours, numbers and subjects.
        articles: Regular expressions (Java's) of names that take "the".
        topics: What threads are about.
        purposes: What visits are for, of chats.
        posts: Rules of the sentence with landmark and deed.
        chats: Rules of the utterance with landmark and purpose.
        followups: Rules of what the main speaker says later in a chat.
    """

    id: str
    version: int
    classes: Mapping[str, list[int]] = Field(min_length=1)
    states: States
    small_words: list[str]
    generic_words: list[str]
    articles: list[str] = Field(min_length=1)
    topics: list[WknowTopic] = Field(min_length=1)
    purposes: list[str] = Field(min_length=1)
    posts: Rules
    chats: Rules
    followups: Rules


@cache
def load_wknow_words() -> WknowWords:
    """Load the words of world knowledge.

    Raises:
        InputError: The file is wrong.
    """
    return load_template(WknowWords, NAME, "wknow.yaml")


@cache
def map_deeds() -> Mapping[str, str]:
    """Index what was done by topic."""
    return {topic.id: topic.past for topic in load_wknow_words().topics}
