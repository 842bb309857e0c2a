"""The precisions of a Wikibase time value.

Source: the data model of Wikibase, `time`, `precision`
(https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
"""

from __future__ import annotations

from enum import IntEnum


class Precision(IntEnum):
    """How exactly a Wikibase time is stated; a greater number is finer.

    A member is its number: it compares, hashes, prints and formats as that number does, also within SQL text.

    >>> Precision.YEAR == 9, Precision.DAY > Precision.YEAR, f"precision >= {Precision.MONTH}"
    (True, True, 'precision >= 10')
    """

    BILLION_YEARS = 0
    HUNDRED_MILLION_YEARS = 1
    TEN_MILLION_YEARS = 2
    MILLION_YEARS = 3
    HUNDRED_THOUSAND_YEARS = 4
    TEN_THOUSAND_YEARS = 5
    MILLENNIUM = 6
    CENTURY = 7
    DECADE = 8
    YEAR = 9
    MONTH = 10
    DAY = 11
    HOUR = 12
    MINUTE = 13
    SECOND = 14
