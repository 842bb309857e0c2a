"""Why TDBench asks no question; `everwhen.core.reasons` has the reasons of all families, `source` those of rows."""

from __future__ import annotations

from everwhen.core.reasons import FamilyReason


class BindReason(FamilyReason):
    """The reasons why a candidate, a question with its times, is not asked."""

    UNDECIDED = (
        "a date is too coarse to decide",
        "A row may or may not fit: its start or its end is stated in a larger unit than the question's.",
    )
    POINT = (
        "a row is a point",
        "A row that starts and ends in one unit meets the conditions of a relation that points do not have.",
    )
    TOO_MANY = "more than seven answers", "More values answer than anybody would list."
    DUPLICATE = "asked by another candidate", "Another row of the key led to the same question."
    OVER_SIZE = "more than the items wanted", "Other candidates for the same cell have lesser hashes."
    UNANSWERED = (
        "more than those with an answer",
        "A relation has no more questions that no row answers than others: that nothing fits would be a good guess.",
    )
    NOT_SETTLED = (
        "what holds now is not settled",
        "A row may start after the day of which the table knows, or end on it or later.",
    )
    CHANGED_HANDS = (
        "several values hold during the event",
        "The event shares days with rows of different values: the answer changed meanwhile.",
    )
    NOBODY = "no row holds during the event", "A join of the two tables has no row for this event and key."
    EVENT_SHARED = "the name fits several events", "The name of the event fits more than one row."
    STINTS_UNDECIDED = (
        "whether rows touch is undecided",
        "Dates are too coarse to say whether two rows of a value are one stint, or whether one begins after `since`.",
    )
    NOTHING_LATER = (
        "the table knows no day after the time",
        "The question asks what began after a time that ends on the last day of which the table knows.",
    )
    # Of requests, which name a key and times that no candidate has.
    NO_KEY = "no row has the given values", "No row has all values that the request gives."
    BROKEN = (
        "rows of the key contradict its dependency",
        "Rows with different values hold at the same time, where the declaration says that one does.",
    )
    INCOMPLETE = (
        "a record that may belong to the key is rejected",
        "What the record says is not known, and an answer may lack it; `rejected: row` asks such keys all the same.",
    )
    READS_THE_SAME = (
        "another key reads the same",
        "In the declared words, but for capitals and accents, a question about the key would be one about the other.",
    )
    IMPOSSIBLE = (
        "no time meets the conditions",
        "No unit is between two that follow each other: nothing starts after 2000 and before 2001, by years.",
    )
    BEFORE_SINCE = (
        "a time before the table is complete",
        "The request reaches before `since`, of which the table may not know all.",
    )
    AFTER_AS_OF = "a date after the last day of the table", "Nobody can know what is so after `as_of`."


class QuestionReason(FamilyReason):
    """The reasons that concern a question's text, and questions of one text."""

    NOT_FILLED = (
        "a slot of the question has no value",
        "A value, a date or a number that the question names cannot be written in words.",
    )
    NOT_REVERSIBLE = (
        "the stated date is not the offset away from the date that is meant",
        "A month before 31 March there is no such day: the date that is meant could not be computed.",
    )

    AMBIGUOUS = (
        "other questions of this text have other answers",
        "Values that differ in the table have the same words, so that nobody can tell which is meant.",
    )
    REPEATED = "asked already", "Another question has the same text and the same answer."
