"""Why something is not used (`everwhen.core.reasons`)."""

from __future__ import annotations

from everwhen.core.reasons import FamilyReason


class LandmarkReason(FamilyReason):
    """The reasons why a landmark is not used, in the order in which they are looked for."""

    NO_COUNTRY = "not exactly one country", "Its best statements name no country, several, or one that is not certain."
    NO_STATE = "its country is no sovereign state", "Whoever is there is in another country, too, or in a former one."
    NO_NAME = "it or its country has no name of its own", "Another item has the same label, or there is none."
    UNFIT = "its name does not fit a sentence", "The name has marks or letters that no sentence would have."
    GENERIC = "its name is generic", "The name has words for kinds, directions, colours and numbers alone."
    UNPOPULAR = "it is not looked up often", "Views are below one standard deviation, or there is no article."
    TELLING = "its name tells where it is", "A word of the name stands in a name of its country, capital, or address."
    GUESSABLE = "letters of its name tell its country", "Labels of the country have much of the name in common."


class TextReason(FamilyReason):
    """The reason why a document stays as the grammar wrote it."""

    NOT_REWRITTEN = "no rewriting is accepted", "The model gave none, or one that says less, more or another thing."
