"""Why TDBench rejects a question whose text is written; `everwhen.core.reasons` has the reasons of all families."""

from __future__ import annotations

from everwhen.core.reasons import FAMILIES, Reason


class QuestionReason(Reason):
    """The reasons that concern a question's text, and questions of one text."""

    NOT_FILLED = (
        "a slot of the question has no value",
        FAMILIES,
        "A value, a date or a number that the question names cannot be written in words.",
    )
    NOT_REVERSIBLE = (
        "the stated date is not the offset away from the date that is meant",
        FAMILIES,
        "A month before 31 March there is no such day: the date that is meant could not be computed.",
    )

    AMBIGUOUS = (
        "other questions of this text have other answers",
        FAMILIES,
        "Values that differ in the table have the same words, so that nobody can tell which is meant.",
    )
    REPEATED = "asked already", FAMILIES, "Another question has the same text and the same answer."
