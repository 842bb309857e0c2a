"""Why a statement is not mentioned, and why a candidate is not asked (`everwhen.core.reasons`)."""

from __future__ import annotations

from everwhen.core.reasons import FamilyReason


class FactReason(FamilyReason):
    """The reasons why a statement of the properties in use is no fact that a text mentions."""

    UNDATED = "no time is stated", "The statement has neither start, end nor point in time."
    NO_VALUE = "the value is unknown, absent or hedged", "Nobody could say what the sentence would name."
    NO_NAME = "subject or value has no unambiguous name", "Another entity has the same label, or there is none."
    COARSE = "a time is coarser than a year", "Decades and centuries leave open what is asked."
    JULIAN = "a time is stated in the Julian calendar", "Its days have other names in a text than in an answer."
    SAME_CLAUSE = (
        "another statement of the subject reads alike",
        "To be a member of a body is said of the office of its members, and of membership.",
    )
    SAME = "subject and value are one", "A fact that links nothing has no other side."
    DUPLICATE = "the same fact is stated again", "Subject, property, value and times are those of another statement."
    NO_PROSE = "no sentence mentions it", "The property has no sentences for these times, or a name fits none."


class TextReason(FamilyReason):
    """The reason why a text stays as it is."""

    NOT_REWRITTEN = "no rewriting is accepted", "The model gave none, or one that lacks a fact or says something new."


class CandidateReason(FamilyReason):
    """The reasons why a candidate is not asked."""

    IN_QUESTION = "the answer stands in the question", "A name of the answer is part of the question's text."
    UNANSWERED = "too many without an answer", "That there is none would be a good guess."
    FEW_OPTIONS = "too few options", "Too few other names surely are no answer."
