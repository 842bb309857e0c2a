"""The one error of the Wikibase readers."""


class Malformed(ValueError):  # noqa: N818 - it says what the input is
    """Input that the Wikibase data model, or a column of days, does not hold.

    The message is the reason that the rejected row carries: it names the rule, not the value, so that counts by
    reason stay short. The row's sample has the value.
    """
