"""Numbers with their nouns, for messages."""


def count_noun(number: int, noun: str) -> str:
    """Write a number of something.

    >>> count_noun(1, "file"), count_noun(2000, "file")
    ('1 file', '2,000 files')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
