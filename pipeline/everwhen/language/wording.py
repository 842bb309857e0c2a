"""Wordings: sentences with slots, and the words that they are made of.

A wording is split into pieces: texts and names of slots in turn, beginning and ending with a text.
`everwhen.language.wording_spark` and `everwhen.language.wording_arrow` choose wordings and join their pieces, many at
a time.
"""

from __future__ import annotations

import re

SLOT = re.compile(r"\{([a-z_]+)\}")
"""A slot of a wording in `templates/`."""

MARK = "\x1e"
"""Encloses a slot of a wording that is put together from phrases, which may hold braces. Names that fill slots may hold
none: a table with this character is rejected."""


def split_wording(wording: str) -> list[str]:
    """Split a wording at its slots in braces.

    >>> split_wording("Who directed {film}?")
    ['Who directed ', 'film', '?']

    Returns:
        The pieces.
    """
    return SLOT.split(wording)


def split_marked(wording: str) -> list[str]:
    """Split a wording at its marked slots.

    >>> split_marked(f"Who was king of {{x}} {mark_slot('on:b_start')}?")
    ['Who was king of {x} ', 'on:b_start', '?']

    Returns:
        The pieces.
    """
    return wording.split(MARK)


def mark_slot(name: str) -> str:
    """Mark the name of a slot."""
    return f"{MARK}{name}{MARK}"


def capitalize(text: str) -> str:
    """Write the first letter as a capital.

    >>> capitalize("éva"), capitalize("7 up"), capitalize("")
    ('Éva', '7 up', '')
    """
    return text[:1].upper() + text[1:]


def add_article(noun: str) -> str:
    """Put the indefinite article before a noun.

    >>> add_article("term"), add_article("era")
    ('a term', 'an era')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"
