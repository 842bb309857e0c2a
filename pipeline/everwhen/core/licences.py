"""How licences are named: of facts, of tables, and of what nobody may pass on."""

from __future__ import annotations

from collections.abc import Iterable

PUBLIC_DOMAIN = "CC0-1.0"
"""The licence of what comes from Wikidata, and of a family that names none."""

PRIVATE = "private"
"""What readers are shown in place of a licence where there is none."""


def join_licences(licences: Iterable[str | None]) -> str:
    """Name several licences in one text; None is private.

    >>> join_licences(["CC-BY-4.0", None, "CC-BY-4.0"])
    'CC-BY-4.0 and private'
    """
    return " and ".join(sorted({licence or PRIVATE for licence in licences}))
