"""Which comparisons the lint must look at: what may be wrong with names, and beside them, is known once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from everwhen.families.complextempqa.arrays import Ints, Mask
from everwhen.families.complextempqa.question_type import Category
from everwhen.families.complextempqa.template import Template
from everwhen.language.lint import find_lint_error


@dataclass(frozen=True)
class Mentions:
    """What rows of one wording name.

    Attributes:
        names: Of each slot, the form in which it names its subject, and the number of each row's name or description.
        adjoining: Whether there may be no words between two names.
    """

    names: Sequence[tuple[str, Ints]]
    adjoining: bool


@dataclass(frozen=True)
class NameTable:
    """Texts by number, whether each is suspect, and the little words at its edges (`everwhen.language.lint`)."""

    texts: pa.Array
    suspect: Mask
    edges: npt.NDArray[np.int8]
    _between: dict[tuple[int, int], Mask | None] = field(default_factory=dict)

    def find_doubtful(self, before: int, after: int) -> Mask | None:
        """Which texts are suspect, or double the little word before or after them (0: none); None where no text is."""
        if (before, after) not in self._between:
            found = self.suspect
            for word, own in zip((before, after), self.edges.T, strict=True):
                found = found | (own == word) if word else found
            self._between[before, after] = found if found.any() else None
        return self._between[before, after]


class SlotContexts:
    """The texts before, between and after the names of rows."""

    def __init__(self, around: Sequence[tuple[bool, Sequence[tuple[int, int, bool]]]], at: Ints) -> None:
        """Take the texts around the names of some contexts, and the context of each row."""
        self.at = at
        self._faulty = np.array([faulty for faulty, _ in around])
        self._around = np.array([texts for _, texts in around], dtype=np.int8)
        self.adjoin = bool(self._around[:, 1:-1, 2].any())

    def find_doubtful(self, named: Sequence[tuple[NameTable, Ints]]) -> Ints:
        """The rows that the lint must look at.

        What is wrong with a name, and what is wrong with it beside words that all contexts have there, is asked of each
        name and not of each row.

        Args:
            named: The names in the order of the wording, and which of them each row has.
        """
        found: Mask = self._faulty[self.at] if self._faulty.any() else np.zeros(len(self.at), dtype=bool)
        for number, (names, at) in enumerate(named):
            words = []
            for edge, column in enumerate((self._around[:, number, 1], self._around[:, number + 1, 0])):
                same = bool((column == column[0]).all())
                words.append(int(column[0]) if same else 0)
                if not same:
                    own = names.edges[:, edge][at]
                    found |= (own > 0) & (own == column[self.at])
            each = names.find_doubtful(*words)
            if each is not None:
                found |= each[at]
            blank = self._around[:, number, 2]
            if number and blank.any():
                before, at_before = named[number - 1]
                last, first = before.edges[:, 1][at_before], names.edges[:, 0][at]
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
