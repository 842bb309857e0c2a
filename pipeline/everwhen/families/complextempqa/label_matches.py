"""Whether a question names what it describes: asked of each name and text once, and not of each row.

A question is made of names, descriptions, and the words around them. What is described is named in it if its label, in
whole words, is part of one of the names and descriptions (`LabelMatches`), or of the words around them, or if it begins
in the one and ends in the other (`may_be_around`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from everwhen.families.complextempqa.arrays import Ints, Mask
from everwhen.language.lint import tokenize


class LabelMatches:
    """Which texts hold which labels, in whole words."""

    def __init__(self, labels: Sequence[str], texts: Sequence[str]) -> None:
        """Find them.

        Args:
            labels: The labels, by number; an empty one is in no text.
            texts: The texts, by number.
        """
        words = [tokenize(text) for text in texts]
        split = [set(text.split()) for text in words]
        number_of = Counter(word for each in split for word in each)
        # Few texts have the rarest word of a label: these alone are looked at.
        by_word: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for number, label in enumerate(labels):
            label_text = tokenize(label)
            own = label_text.split()
            if own:
                by_word[min(own, key=lambda word: (number_of[word], word))].append((number, label_text))
        self._texts = len(texts)
        found = [
            number * self._texts + position
            for position, each in enumerate(split)
            for word in each & by_word.keys()
            for number, label_text in by_word[word]
            if label_text in words[position]
        ]
        self._found = np.array(sorted(found), dtype=np.int64)

    def match(self, labels: Ints, texts: Ints) -> Mask:
        """Return whether each text holds the label beside it, both by number."""
        if not len(self._found):
            return np.zeros(len(labels), dtype=bool)
        asked = labels.astype(np.int64) * self._texts + texts
        at = np.minimum(np.searchsorted(self._found, asked), len(self._found) - 1)
        is_match: Mask = self._found[at] == asked
        return is_match


def may_be_around(labels: Sequence[str], around: Iterable[Sequence[str]]) -> Mask:
    """Return which labels may be, wholly or in part, among the words around names.

    Where there are no words between two names, a label may begin in the one and end in the other; this is not looked
    at here.

    Args:
        labels: The labels, by number.
        around: Of each context and wording, the texts before, between and after its names.
    """
    inside: set[tuple[str, ...]] = set()
    ends: set[tuple[str, ...]] = set()
    begins: set[tuple[str, ...]] = set()
    between: set[tuple[str, ...]] = set()
    for pieces in {tuple(pieces) for pieces in around}:
        split = [tuple(tokenize(piece).split()) for piece in pieces]
        for position, words in enumerate(split):
            cuts = range(len(words) + 1)
            inside |= {words[i:j] for i in cuts for j in cuts if i < j}
            if position < len(split) - 1:
                ends |= {words[i:] for i in cuts if words[i:]}
            if position:
                begins |= {words[:j] for j in cuts if j}
            if words and 0 < position < len(split) - 1:
                between.add(words)
    found = np.zeros(len(labels), dtype=bool)
    for number, label in enumerate(labels):
        words = tuple(tokenize(label).split())
        cuts = range(1, len(words))
        found[number] = words in inside or any(
            words[:i] in ends or words[i:] in begins or any(words[i:j] in between for j in range(i, len(words)))
            for i in cuts
        )
    return found
