"""The language lint of many questions, in Arrow and numpy: what is asked of each name once, and not of each question.

A question is made of names, descriptions and the words around them. What may be wrong with a name, by itself or beside
little words, is known once (`NameTable`); of all other questions, none is read (`SlotContexts`).

A question must not name what it describes. It does if the label of what is described, in whole words, is part of one of
the names and descriptions (`LabelMatches`), or of the words around them, or if it begins in the one and ends in the
other (`may_be_around`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.arrays import Ints, Mask, number_texts
from everwhen.language.lint import COMPARES, LITTLE_WORDS, find_lint_error, is_answer_leaked, tokenize

LITTLE_WORD_PATTERN = "|".join(LITTLE_WORDS)
HINTS = "|".join(
    (
        r"(?i)[\s\pZ]{2}|^[\s\pZ]|[\s\pZ]$| [?!,;:.)]|[?!]$|\(([\s\pZ]|\)|$)|\ban?\b|yes|no|^[^\pL0-9]",
        *(rf"\b{word}[\s\pZ]+{word}\b" for word in LITTLE_WORDS),
        COMPARES.pattern,
    )
)
"""What in a name `may_fail` must look at more closely; a regular expression as Arrow takes them."""

EDGES = rf"(?i)^[\s\pZ]*({LITTLE_WORD_PATTERN})\b|\b({LITTLE_WORD_PATTERN})[\s\pZ]*$"
"""What in a text `find_edge_words` must look at; a regular expression as Arrow takes them."""


def may_fail(name: str, *, last: bool) -> bool:
    """Whether this name may be the reason why a question is rejected.

    Of the other names no question is examined: a hundred million questions have a hundred thousand names. For the words
    beside a name see `find_edge_words`.

    >>> may_fail("Citizen Kane", last=True), may_fail("Help!", last=True), may_fail("Help!", last=False)
    (False, True, False)

    Args:
        name: The name.
        last: Whether it is the last of the question, so that a question mark may follow.
    """
    capital = f"{name[:1].upper()}{name[1:]}"
    return (
        any(
            find_lint_error(text, (), choice=True, comparison=False)
            for text in (f"{capital}, x?", f"X {name} x?", *([f"X {name}?"] if last else []))
        )
        # Whether "a" is right at the end of a name depends on the next word.
        or re.search(r"\ban?$", name) is not None
        or COMPARES.search(name) is not None
        or is_answer_leaked(name, ("yes", "no"))
    )


LITTLE = "|".join(f"({word})" for word in LITTLE_WORDS)
"""The little words, each as a group: its number is the word's position."""

BEGINS = re.compile(rf"(?i)\s*(?:{LITTLE})(?![\w'’-])")
ENDS = re.compile(rf"(?i)(?<![\w'’-])(?:{LITTLE})\s*$")


def find_lint_errors(
    questions: pa.Array, answers: pa.Array, rows: Ints, *, choice: bool, comparison: bool
) -> dict[int, str]:
    """What is wrong with some rows of one template, by row (`everwhen.language.lint.find_lint_error`)."""
    errors = {
        row: find_lint_error(questions[row].as_py(), answers[row].as_py() or (), choice=choice, comparison=comparison)
        for row in rows.tolist()
    }
    return {row: reason for row, reason in errors.items() if reason is not None}


def find_leaked_names(questions: pa.Array, labels: pa.Array) -> list[int]:
    """Find the rows whose question contains the name of the subject that it describes.

    The name of a described film may occur in that of another one: "Mirror" in "Black Mirror". Whole words are compared.

    Args:
        questions: The questions; null where there are no words for one.
        labels: The name of the subject that each of them describes; null where none is described.
    """
    both = pc.and_(questions.is_valid(), labels.is_valid())
    rows = np.flatnonzero(both.to_numpy(zero_copy_only=False))
    names = labels.take(pa.array(rows)).dictionary_encode()
    words = [tokenize(name) for name in names.dictionary.to_pylist()]
    # Few questions contain the longest word of the name: only these are split into words.
    longest = [max(name.split(), key=len, default=None) for name in words]
    asked = zip(rows.tolist(), questions.take(pa.array(rows)).to_pylist(), names.indices.to_pylist(), strict=True)
    return [
        row
        for row, question, name in asked
        if (word := longest[name]) is not None and word in question.lower() and words[name] in tokenize(question)
    ]


def find_edge_words(text: str) -> tuple[int, int]:
    """Find the little words that a text begins and ends with, as positions in LITTLE_WORDS from 1; 0: no such word.

    Where one text ends with the word that the next begins with, the word is doubled.

    >>> begins, ends = find_edge_words("The Man Who Fell to")
    >>> LITTLE_WORDS[begins - 1], LITTLE_WORDS[ends - 1]
    ('the', 'to')

    """
    first, last = BEGINS.match(text), ENDS.search(text)
    return (first.lastindex or 0) if first else 0, (last.lastindex or 0) if last else 0


@dataclass(frozen=True)
class Mentions:
    """What rows of one wording name.

    Attributes:
        texts: Of each slot, the number of each row's name or description.
        adjoining: Whether there may be no words between two names.
    """

    texts: Sequence[Ints]
    adjoining: bool


@dataclass(frozen=True)
class NameTable:
    """Names and descriptions, each text once and by number, and what may be wrong with each (`everwhen.language.lint`).

    Attributes:
        texts: The texts.
        numbers: By form, the number of each subject's name in it, then that of each description.
        suspect: Whether each may be the reason why a question is rejected.
        suspect_last: Likewise, where it is the last name of the question.
        edges: The little words at the beginning and the end of each.
    """

    texts: pa.Array
    numbers: Mapping[str, Ints]
    suspect: Mask
    suspect_last: Mask
    edges: npt.NDArray[np.int8]
    _between: dict[tuple[int, int, bool], Mask | None] = field(default_factory=dict)

    @classmethod
    def examine(cls, forms: Mapping[str, pa.ChunkedArray], descriptions: pa.ChunkedArray) -> NameTable:
        """Examine names and descriptions.

        Args:
            forms: By form, the names of the subjects; most have the same in all forms.
            descriptions: The descriptions.
        """
        texts, (*own, described) = number_texts([*forms.values(), descriptions])
        suspect, suspect_last = (np.zeros(len(texts), dtype=bool) for _ in range(2))
        for number in np.flatnonzero(pc.match_substring_regex(texts, HINTS)).tolist():
            text = texts[number].as_py()
            suspect[number], suspect_last[number] = (may_fail(text, last=last) for last in (False, True))
        edges = np.zeros((len(texts), 2), dtype=np.int8)
        for number in np.flatnonzero(pc.match_substring_regex(texts, EDGES)).tolist():
            edges[number] = find_edge_words(texts[number].as_py())
        numbers = {form: np.concatenate((names, described)) for form, names in zip(forms, own, strict=True)}
        return cls(texts, numbers, suspect, suspect_last, edges)

    def find_doubtful(self, before: int, after: int, *, last: bool) -> Mask | None:
        """Which texts are suspect, or double the little word before or after them (0: none); None where no text is."""
        key = (before, after, last)
        if key not in self._between:
            found = self.suspect_last if last else self.suspect
            for word, own in zip((before, after), self.edges.T, strict=True):
                found = found | (own == word) if word else found
            self._between[key] = found if found.any() else None
        return self._between[key]


class SlotContexts:
    """The texts before, between and after the names of rows."""

    def __init__(self, around: Sequence[tuple[bool, Sequence[tuple[int, int, bool]]]], at: Ints) -> None:
        """Take the texts around the names of some contexts, and the context of each row."""
        self.at = at
        self._faulty = np.array([faulty for faulty, _ in around])
        self._around = np.array([texts for _, texts in around], dtype=np.int8)
        self.adjoin = bool(self._around[:, 1:-1, 2].any())

    def find_doubtful(self, names: NameTable, named: Sequence[Ints]) -> Ints:
        """The rows that the lint must look at.

        What is wrong with a name, and what is wrong with it beside words that all contexts have there, is asked of each
        name and not of each row.

        Args:
            names: The names.
            named: Of each slot, in the order of the wording, the number of each row's name.
        """
        found: Mask = self._faulty[self.at] if self._faulty.any() else np.zeros(len(self.at), dtype=bool)
        for number, at in enumerate(named):
            words = []
            for edge, column in enumerate((self._around[:, number, 1], self._around[:, number + 1, 0])):
                same = bool((column == column[0]).all())
                words.append(int(column[0]) if same else 0)
                if not same:
                    own = names.edges[:, edge][at]
                    found |= (own > 0) & (own == column[self.at])
            each = names.find_doubtful(*words, last=number == len(named) - 1)
            if each is not None:
                found |= each[at]
            blank = self._around[:, number, 2]
            if number and blank.any():
                last, first = names.edges[:, 1][named[number - 1]], names.edges[:, 0][at]
                found |= (last > 0) & (last == first) & (blank[self.at] > 0)
        return np.flatnonzero(found)


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
        number_of = Counter(chain.from_iterable(split))
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
    words = _WordsAround(around)
    return np.array([words.may_hold(tuple(tokenize(label).split())) for label in labels], dtype=bool)


class _WordsAround:
    """Words that follow each other in the texts before, between and after names."""

    def __init__(self, around: Iterable[Sequence[str]]) -> None:
        """Collect those that a label may be, or may share with the names beside them."""
        self._inside: set[tuple[str, ...]] = set()
        self._before_name: set[tuple[str, ...]] = set()
        self._after_name: set[tuple[str, ...]] = set()
        self._between_names: set[tuple[str, ...]] = set()
        for pieces in {tuple(pieces) for pieces in around}:
            texts = [tuple(tokenize(piece).split()) for piece in pieces]
            self._inside |= {words[i:j] for words in texts for i, j in combinations(range(len(words) + 1), 2)}
            self._before_name |= {words[i:] for words in texts[:-1] for i in range(len(words))}
            self._after_name |= {words[: i + 1] for words in texts[1:] for i in range(len(words))}
            self._between_names |= set(texts[1:-1])

    def may_hold(self, label: tuple[str, ...]) -> bool:
        """Whether a label may be among these words, or begin or end in a name beside them."""
        cuts = range(1, len(label))
        return (
            label in self._inside
            or any(label[:i] in self._before_name or label[i:] in self._after_name for i in cuts)
            or any(label[i:j] in self._between_names for i, j in combinations(cuts, 2))
        )
