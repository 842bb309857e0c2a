"""The result of the independent check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from everwhen.core.errors import ValidationFailed


@dataclass(frozen=True)
class Mismatch:
    """An item of which the facts give something else.

    Attributes:
        item_id: Its id.
        group: What it was made from, such as its template.
        check: The name of the check.
        text: The item, to read.
        actual: What the item says.
        expected: What the facts give; of answers a list of all that are derived: none, one, or several.
    """

    item_id: int | str
    group: str
    check: str
    text: str
    actual: Any
    expected: Any

    def __str__(self) -> str:
        """One line."""
        expected = self.expected
        if self.check == "answer":
            expected = " or ".join(map(str, expected)) or "nothing"
        return f"{self.group} {self.item_id}: {self.text} {self.check} {self.actual}; the facts give {expected}"


@dataclass(frozen=True)
class FamilyVerification:
    """The result for the items of one family.

    Attributes:
        rows: Items of the family.
        selected: Items to check: all, but for a limit or a choice of groups.
        checked: Items whose group's check was run.
        wrong: Items that are wrong in one way or several.
        by_check: Items that are wrong, by check.
        groups: By group: rows (checked) and wrong.
        examples: The first wrong items of each group and check.
        checks: The digest of the checks that were run.
        release: The release of everwhen that has these checks; None where no known release has them.
    """

    rows: int
    selected: int
    checked: int
    wrong: int
    by_check: Mapping[str, int]
    groups: Mapping[str, Mapping[str, int]]
    examples: tuple[Mismatch, ...]
    checks: str
    release: str | None

    def as_json(self) -> dict[str, Any]:
        """All of it as data; ids are texts, since JSON's numbers have 53 bits for many readers."""
        examples = [{**asdict(example), "item_id": str(example.item_id)} for example in self.examples]
        return {**asdict(self), "examples": examples}

    def explain_failure(self, family: str) -> list[str]:
        """Say what is wrong, in lines; no line where nothing is."""
        if self.wrong == 0 and self.checked == self.selected:
            return []
        names = ", ".join(f"{name} {n}" for name, n in self.by_check.items() if n)
        unchecked = self.selected - self.checked
        head = f"check of {family}: {self.wrong} of {self.checked} wrong ({names}), {unchecked} not checked"
        return [head, *(f"  {example}" for example in self.examples)]


@dataclass(frozen=True)
class Verification:
    """The result for a dataset.

    Attributes:
        dataset: Its folder.
        families: The result of each family that was checked.
        seconds: How long it took.
        changed_files: Files that are missing or differ from those that were published, by the manifest's sha256.
    """

    dataset: str
    families: Mapping[str, FamilyVerification]
    seconds: float
    changed_files: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Items of all families."""
        return sum(family.rows for family in self.families.values())

    @property
    def checked(self) -> int:
        """Items that were checked."""
        return sum(family.checked for family in self.families.values())

    @property
    def wrong(self) -> int:
        """Items that are wrong."""
        return sum(family.wrong for family in self.families.values())

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong, nothing was left out, and the files are those that were published."""
        return not self.changed_files and not self._explain_failures()

    def as_json(self) -> dict[str, Any]:
        """All of it as data; rows, checked and wrong are sums over the families."""
        return {
            "dataset": self.dataset,
            "passed": self.passed,
            "rows": self.rows,
            "checked": self.checked,
            "wrong": self.wrong,
            "changed_files": list(self.changed_files),
            "seconds": self.seconds,
            "families": {name: family.as_json() for name, family in self.families.items()},
        }

    def summarize(self) -> str:
        """One line for people, and one for each family whose checks no known release has."""
        right = f"{self.checked - self.wrong:,} of {self.checked:,} right"
        left_out = f", {self.rows - self.checked:,} not chosen" if self.checked < self.rows else ""
        changed = f", missing, changed or not in the manifest: {', '.join(self.changed_files)}"
        lines = [f"{right}{left_out}{changed if self.changed_files else ''}"]
        for name, family in self.families.items():
            if family.release is None:
                lines.append(f"the checks of {name} are those of no known release: they may be lax")
        return "\n".join(lines)

    def raise_on_failure(self) -> None:
        """Let no wrong item pass.

        Raises:
            ValidationFailed: An item is wrong or was not checked, or a file has changed; the message shows them.
        """
        lines = self._explain_failures()
        if self.changed_files:
            lines.insert(0, f"changed since they were published: {', '.join(self.changed_files)}")
        if lines:
            raise ValidationFailed("\n".join(lines))

    def _explain_failures(self) -> list[str]:
        return [line for name, family in self.families.items() for line in family.explain_failure(name)]
