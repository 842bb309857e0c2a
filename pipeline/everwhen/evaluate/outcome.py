"""What becomes of a response."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The typed outcome of a response.

    `coarse` is a time or an amount that is right as far as it goes: 1971 of 1971-03-04, 1.2 million of 1,234,567.
    `none_given` is a response without an answer: empty, refused or unsure. `cut_off` is one that did not end.
    """

    RIGHT = "right"
    COARSE = "coarse"
    WRONG = "wrong"
    NONE_GIVEN = "none_given"
    CUT_OFF = "cut_off"
