"""The twelve question types of ComplexTempQA, read from their codes.

Source: the paper's taxonomy (complextempqa, Section 3). A code is a digit for the category, a letter for what is asked
about, and a `c` where the question asks about time.
"""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """What a question does with the facts."""

    ATTRIBUTE = "attribute"
    COMPARISON = "comparison"
    COUNTING = "counting"


class QuestionType(StrEnum):
    """A question type; its value is the code that a row carries.

    >>> QuestionType("2bc").category, QuestionType("2bc").subject, QuestionType("2bc").asks_about_time
    (<Category.COMPARISON: 'comparison'>, 'entity', True)
    >>> QuestionType("3a").words
    'counting, event'
    """

    EVENT_ATTRIBUTE = "1a"
    EVENT_ATTRIBUTE_IN_TIME = "1ac"
    ENTITY_ATTRIBUTE = "1b"
    ENTITY_ATTRIBUTE_IN_TIME = "1bc"
    EVENT_COMPARISON = "2a"
    EVENT_COMPARISON_IN_TIME = "2ac"
    ENTITY_COMPARISON = "2b"
    ENTITY_COMPARISON_IN_TIME = "2bc"
    EVENT_COUNTING = "3a"
    EVENT_COUNTING_IN_TIME = "3ac"
    ENTITY_COUNTING = "3b"
    ENTITY_COUNTING_IN_TIME = "3bc"

    @property
    def category(self) -> Category:
        """Attribute, comparison or counting."""
        return {"1": Category.ATTRIBUTE, "2": Category.COMPARISON, "3": Category.COUNTING}[self.value[0]]

    @property
    def subject(self) -> str:
        """What is asked about: event or entity."""
        return "event" if self.value[1] == "a" else "entity"

    @property
    def asks_about_time(self) -> bool:
        """Whether the template declares that the question asks about time."""
        return self.value.endswith("c")

    @property
    def words(self) -> str:
        """The type in words, for people."""
        return ", ".join([self.category, self.subject, *(["time"] if self.asks_about_time else [])])

    @classmethod
    def select(cls, category: Category, *, only_about_time: bool = False) -> list[QuestionType]:
        """List the types of a category, or those of them that ask about time."""
        return [t for t in cls if t.category is category and (t.asks_about_time or not only_about_time)]
