"""The measures of TimE: F1 of tokens, F1 of options, and the order of a timeline (sections 4.1 and C.2)."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import combinations

from everwhen.evaluate.option_measures import measure_options

MARKS = str.maketrans(dict.fromkeys(string.punctuation, " "))


def tokenize(text: str) -> list[str]:
    """Split a text into tokens: lower case, marks of ASCII are spaces (TimE, section C.2).

    >>> tokenize("Since May, 1998.")
    ['since', 'may', '1998']
    """
    return text.lower().translate(MARKS).split()


def measure_tokens(text: str, gold: str) -> float:
    """Measure F1 of the tokens of a text, from 0 to 1 (TimE, section C.2); 0 where one of both has none.

    A token that repeats counts as often as both have it.

    >>> measure_tokens("from May 1998 to May 2001", "From May 1998 to 2001")
    0.9090909090909091
    """
    given, right = Counter(tokenize(text)), Counter(tokenize(gold))
    count = given.total() + right.total()
    return 2 * (given & right).total() / count if count else 0.0


def measure_answer(text: str, parts: Sequence[str], accepted: Sequence[Sequence[str]]) -> float:
    """Measure F1 of tokens against an answer of parts, which are joined; the best of all that is right counts.

    Of each part the text counts that is nearest to the response by itself; or all count as they are published.
    """
    nearest = [
        max((part, *also), key=lambda each: measure_tokens(text, each))
        for part, also in zip(parts, accepted, strict=True)
    ]
    return max(measure_tokens(text, " ".join(parts)), measure_tokens(text, " ".join(nearest)))


def measure_choice(chosen: Set[str], right: Set[str]) -> float:
    """Measure F1 of chosen options, from 0 to 1; 0 where any of them is wrong, as the release of TimE has it.

    >>> measure_choice({"A", "B"}, {"A", "B", "C"}), measure_choice({"A", "B", "D"}, {"A", "B", "C"})
    (0.8, 0.0)
    """
    return measure_options(chosen, right).f1 if chosen <= right else 0.0


def measure_order(order: Iterable[int], right: Sequence[int]) -> float:
    """Measure Kendall's tau of an order, from -1 to 1: pairs as in the right order less pairs reversed, of all pairs.

    A pair with an event that is missing counts as neither; of an event that repeats the first place counts.

    >>> measure_order((2, 1, 3), (1, 2, 3)), measure_order((3,), (1, 2, 3)), measure_order((3, 2, 1), (1, 2, 3))
    (0.3333333333333333, 0.0, -1.0)
    """
    places: dict[int, int] = {}
    for place, event in enumerate(order):
        places.setdefault(event, place)
    pairs = list(combinations(right, 2))
    known = [places[a] < places[b] for a, b in pairs if a in places and b in places]
    return (2 * sum(known) - len(known)) / len(pairs) if pairs else 1.0
