"""People in other forms of their names: with middle names or initials, without them, or by a part of a surname."""

from __future__ import annotations

import re
from collections.abc import Sequence

PARTICLES = frozenset("de da do dos das di del van von der den bin ibn al el la le y of".split())  # noqa: SIM905
SUFFIXES = frozenset("jr sr ii iii iv v vi".split())  # noqa: SIM905

_WORD = r"(?:[^\W\d_a-z]\.(?: ?[^\W\d_a-z]\.)*|[^\W\d_a-z][\w'\u2019-]*)"
RUN = re.compile(rf"{_WORD}(?: (?:(?:{'|'.join(sorted(PARTICLES))}) )*{_WORD})+")
"""Words in capitals side by side, with particles between them."""


def is_form_of(given: Sequence[str], name: Sequence[str]) -> bool:
    """Tell whether folded words are a form of a person's name.

    >>> [is_form_of(each.split(), "ann lee cruz".split()) for each in ("ann l cruz", "ann bea lee cruz", "ann d cruz")]
    [True, True, False]
    >>> [is_form_of(each.split(), "ann cruz da silva".split()) for each in ("cruz da silva", "ann cruz", "ann da")]
    [True, True, False]
    """
    if min(len(given), len(name)) < 2:
        return False
    if given[0] == name[0] and given[-1] == name[-1]:
        shorter, longer = sorted((given[1:-1], name[1:-1]), key=len)
        rest = iter(longer)
        return all(any(_is_same(word, other) for other in rest) for word in shorter)
    size, words = len(given), tuple(given)
    is_cut = size < len(name) and name[size] in PARTICLES and words == tuple(name[:size])
    return is_cut or (len(words[0]) > 1 and size < len(name) and words == tuple(name[-size:]))


def _is_same(a: str, b: str) -> bool:
    return a == b or (min(len(a), len(b)) == 1 and a[0] == b[0])
