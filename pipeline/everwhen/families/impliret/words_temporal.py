"""What the texts of the temporal pools are made of (`templates/impliret/temporal.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from pydantic import Field

from everwhen.core.models import StrictModel, load_template
from everwhen.families.impliret.config import NAME

Rules = Mapping[str, list[str]]


class Deed(StrictModel):
    """What is done: as a query names it, and as posts do, in the past tense and as a gerund."""

    gerund: str
    past: str
    doing: str


class TemporalTopic(StrictModel):
    """What a thread is about.

    Attributes:
        id: Its id.
        deed: What is done, the same in all posts.
        opening: The post that opens the thread.
        details: What people remark on, in lower case.
    """

    id: str = Field(pattern="^[a-z_]+$")
    deed: Deed
    opening: str
    details: list[str] = Field(min_length=12)


class ActivityWords(NamedTuple):
    """An activity: its verb, in three forms, and the rest of the phrase."""

    verb: str
    past_verb: str
    gerund_verb: str
    rest: str

    @property
    def base(self) -> str:
        """The infinitive without to."""
        return f"{self.verb} {self.rest}"

    @property
    def past(self) -> str:
        """The past tense."""
        return f"{self.past_verb} {self.rest}"

    @property
    def gerund(self) -> str:
        """The gerund."""
        return f"{self.gerund_verb} {self.rest}"


class TemporalWords(StrictModel):
    """All of `templates/impliret/temporal.yaml`.

    Attributes:
        topics: What threads are about.
        activities: What is done, of chats.
        posts: Rules of the sentence that says when a deed was done.
        chats: Rules of what an utterance says of an activity; past_day and the like, and what these use.
        followups: Rules of what the main speaker says later in a chat, by tense: past, future and both.
    """

    id: str
    version: int
    topics: list[TemporalTopic] = Field(min_length=1)
    activities: list[ActivityWords] = Field(min_length=1)
    posts: Rules
    chats: Rules
    followups: Rules


@cache
def load_temporal_words() -> TemporalWords:
    """Load the words of the temporal pools.

    Raises:
        InputError: The file is wrong.
    """
    return load_template(TemporalWords, NAME, "temporal.yaml")


@cache
def map_deeds() -> Mapping[str, Deed]:
    """Map topics to deeds."""
    return {topic.id: topic.deed for topic in load_temporal_words().topics}


@cache
def map_activities() -> Mapping[str, ActivityWords]:
    """Map infinitives to activities."""
    return {activity.base: activity for activity in load_temporal_words().activities}
