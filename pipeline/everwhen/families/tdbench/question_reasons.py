"""Why TDBench rejects a question whose text is written; `everwhen.core.reasons` has the reasons of all families."""

from __future__ import annotations

from everwhen.core.reasons import QUESTIONS, Reason


class QuestionReason(Reason):
    """The reasons that concern questions of one text."""

    AMBIGUOUS = (
        "other questions of this text have other answers",
        QUESTIONS,
        "Values that differ in the table have the same words, so that nobody can tell which is meant.",
    )
    REPEATED = "asked already", QUESTIONS, "Another question has the same text and the same answer."
