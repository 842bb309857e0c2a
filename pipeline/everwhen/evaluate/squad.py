"""The measures of ComplexTempQA (section 6): those of SQuAD's script on tokens, and containment of the answer.

The paper names precision, recall and F1 of tokens, exact match and "answer string containment", and refers to SQuAD's
script. docs/concepts/scores.md lists what it leaves open.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

PUNCTUATION = str.maketrans("", "", string.punctuation)
ARTICLES = re.compile(r"\b(?:a|an|the)\b")
SEPARATORS = re.compile(r"\s*[\n;|]\s*")


class Measures(NamedTuple):
    """The measures of one text against one answer, from 0 to 1.

    Attributes:
        precision: Share of the text's tokens that are in the answer.
        recall: Share of the answer's tokens that are in the text.
        f1: Harmonic mean of the two.
        exact_match: 1 where both are the same after normalisation.
        containment: 1 where the text contains the answer after normalisation.
    """

    precision: float
    recall: float
    f1: float
    exact_match: float
    containment: float


ZERO = Measures(0.0, 0.0, 0.0, 0.0, 0.0)
ALL_EQUAL = Measures(1.0, 1.0, 1.0, 1.0, 1.0)


def normalize(text: str) -> str:
    """Normalise as SQuAD's script does: lower case, without ASCII punctuation and articles, single spaces."""
    return " ".join(ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split())


def measure(text: str, parts: Sequence[str], *, is_ordered: bool = False) -> Measures:
    """Measure a response or its final answer against an answer; of several parts the worst counts, measure by measure.

    A text that is divided at line ends, semicolons or bars into as many pieces as the answer has parts is compared
    piece by piece: in order where order counts, else each part with the piece that is best for it. Any other text is
    compared with each part as a whole.
    """
    if len(parts) == 1:
        return _compare(text, parts[0])
    pieces = SEPARATORS.split(text.strip())
    if len(pieces) != len(parts):
        found = [_compare(text, part) for part in parts]
    elif is_ordered:
        found = [_compare(piece, part) for piece, part in zip(pieces, parts, strict=True)]
    else:
        found = [max((_compare(piece, part) for piece in pieces), key=lambda m: (m.f1, m)) for part in parts]
    return Measures(*map(min, zip(*found, strict=True)))


def _compare(text: str, answer: str) -> Measures:
    given, gold = normalize(text), normalize(answer)
    if given == gold:  # most responses, of which nothing need be counted
        return ALL_EQUAL
    given_tokens, gold_tokens = given.split(), gold.split()
    if not given_tokens or not gold_tokens:
        return ZERO
    shared = sum((Counter(given_tokens) & Counter(gold_tokens)).values())
    precision, recall = shared / len(given_tokens), shared / len(gold_tokens)
    f1 = 2 * shared / (len(given_tokens) + len(gold_tokens))
    return Measures(precision, recall, f1, float(given == gold), float(gold in given))
