"""What comes of the independent check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from everwhen.core.errors import ValidationFailed

CHECKS = (
    *("answer", "answer_entities", "rating", "question_countries", "answer_countries"),
    *("timeframe", "hops", "threshold", "unnamed"),
)
"""What is checked of every row."""


@dataclass(frozen=True)
class WrongRow:
    """A row of which the facts give something else."""

    question_id: int
    template: str
    check: str
    """Which of CHECKS."""
    question: str
    says: Any
    """What the row says."""
    gives: Any
    """What the facts give; of answers a list of all that are derived: none, one, or several."""

    def __str__(self) -> str:
        """One line."""
        given = self.gives
        if self.check == "answer":
            given = " or ".join(map(str, given)) or "nothing"
        return f"{self.template} {self.question_id}: {self.question} {self.check} {self.says}; the facts give {given}"


@dataclass(frozen=True)
class Verification:
    """What came of the check."""

    dataset: str
    rows: int
    """Rows of the dataset."""
    asked: int
    """Rows that were to be checked: all, but for a limit or a choice of templates."""
    checked: int
    """Rows whose template's check was run."""
    wrong: int
    """Rows that are wrong in one way or several."""
    by_check: Mapping[str, int]
    """Rows that are wrong, by each of CHECKS."""
    templates: Mapping[str, Mapping[str, int]]
    """By template: rows (checked) and wrong."""
    seconds: float
    first: tuple[WrongRow, ...]
    """The first wrong rows of each template and check."""
    changed_files: tuple[str, ...] = ()
    """Files that are missing, or others than those that were published, by the manifest's sha256."""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong, nothing was left out, and the files are those that were published."""
        return self.wrong == 0 and self.checked == self.asked and not self.changed_files

    def as_json(self) -> dict[str, Any]:
        """All of it as data."""
        return {**asdict(self), "first": [asdict(row) for row in self.first]}

    def require(self) -> None:
        """Let no wrong row pass.

        Raises:
            ValidationFailed: A row is wrong or was not checked, or a file has changed; the message shows them.
        """
        if not self.passed:
            kinds = ", ".join(f"{name} {n}" for name, n in self.by_check.items() if n)
            lines = [f"check: {self.wrong} of {self.checked} wrong ({kinds}), {self.asked - self.checked} not checked"]
            if self.changed_files:
                lines.append(f"  changed since they were published: {', '.join(self.changed_files)}")
            raise ValidationFailed("\n".join(lines + [f"  {row}" for row in self.first]))
