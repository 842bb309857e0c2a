"""Why rows of a declared table are not used; `everwhen.core.reasons` has the reasons of all families."""

from __future__ import annotations

from everwhen.core.reasons import FamilyReason

MAX_VALUE_LENGTH = 1_000_000
"""Characters of a value, at most, whatever it is read from."""


MAX_SHOWN_LENGTH = 200
"""Characters that are shown of a rejected record, at most."""


class RowReason(FamilyReason):
    """The reasons of rows, in the order in which they are looked for: a row has the first that fits."""

    WRONG_LENGTH = (
        "{found} values, where the header has {expected}",
        "A line of a CSV file has more or fewer values than its header.",
    )
    OPEN_QUOTE = (
        "a quotation mark that is opened and not closed",
        "A value of a CSV file begins with a quotation mark, and no later one ends it.",
    )
    TEXT_AFTER_QUOTE = (
        "text after a closing quotation mark",
        "A value of a CSV file goes on after the quotation mark that ends it; one within a value is doubled.",
    )
    LINE_BREAK = (
        "a value with a line break, up to line {line}",
        "A quotation mark that is opened in one line of a CSV file is closed in a later one.",
    )
    TOO_LONG = "a value of more than 1,000,000 characters", "A value of a declared table is too long."
    NOT_UTF_8 = "not UTF-8 in {column}", "A value of a declared table has bytes that are no UTF-8."
    CONTROL_CHARACTER = (
        "control character in {column}",
        "A value of a declared table has a line break, a tab or another control character.",
    )
    SEPARATOR = ("` | ` in {column}", "A value of a declared table has the separator between the values of an answer.")
    EMPTY_VALUE = "no value in {column}", "A column that is asked about, or asked for, is empty in a row."
    NO_UNIQUE_NAME = "no name of its own", "An item of a statement has no unambiguous name in world."
    NO_SINGLE_COUNTRY = "no single country", "An event of world has no country, or several."
    TIME_OF_NO_USE = "time of no use: {reason}", "A statement's times are unknown, doubled or broken."
    OTHER_TIME = (
        "a time of another kind than the declaration's",
        "A statement has a point in time where the table has starts and ends, or the other way round.",
    )
    CONTINUED = (
        "continues another row",
        "A statement begins when another of the same value ends, as a second term: both are one row.",
    )
    NO_START = "no start", "A row of a declared table has no start, or a point no date."
    UNREADABLE_START = (
        "unreadable date {text} in {column}: {problem}",
        "A start is no date, or none that is certain.",
    )
    UNREADABLE_END = (
        "unreadable end {text} in {column}: {problem}",
        "An end is no date, or none that is certain.",
    )
    UNKNOWN_PRECISION = (
        "unknown precision {text}",
        "The column that says how precise a time is has neither day, month, year nor 11, 10, 9.",
    )
    TOO_COARSE = (
        "coarser than the declared precision: {text} in {column}",
        "A date is a month or a year where the declaration says that it is finer.",
    )
    UNKNOWN_END = "unknown end", "A row has no end, and the declaration does not say that it is still open."
    END_BEFORE_START = "end before start", "A row of a declared table surely ends before it starts."
    AFTER_AS_OF = "starts after the last day known", "A row surely starts after the declaration's as_of."
    DUPLICATE = "duplicate row", "A row has the values and the times of an earlier one."


WITHOUT_LOSS = (RowReason.DUPLICATE, RowReason.CONTINUED, RowReason.AFTER_AS_OF)
"""The reasons of records that no answer lacks: another row says the same, or they are of later days."""
