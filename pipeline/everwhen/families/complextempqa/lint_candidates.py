"""Which comparisons the lint must look at: what may be wrong with names, and beside them, is known once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.families.complextempqa.arrays import Ints, Mask, number_texts
from everwhen.families.complextempqa.question_type import Category
from everwhen.families.complextempqa.template import Template
from everwhen.language.lint import EDGES, HINTS, find_edge_words, find_lint_error, may_fail


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


def find_lint_errors(questions: pa.Array, answers: pa.Array, template: Template, rows: Ints) -> dict[int, str]:
    """What is wrong with some rows of one template, by row."""
    comparison = template.type.category is Category.COMPARISON
    errors = {
        int(row): find_lint_error(
            questions[int(row)].as_py(),
            answers[int(row)].as_py() or (),
            choice=template.choice,
            comparison=comparison,
        )
        for row in rows
    }
    return {row: reason for row, reason in errors.items() if reason is not None}
