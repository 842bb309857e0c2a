"""The result of the independent check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from everwhen.core.errors import ValidationFailed
from everwhen.validate.counts import WrongKey, describe_wrong_keys
from everwhen.validate.files import FileComparison, count_noun, name_some
from everwhen.validate.manifest import MANIFEST

MOST_EXAMPLES = 20
"""Wrong items that a result shows, of all families together."""


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

    def as_json(self, examples: Sequence[Mismatch]) -> dict[str, Any]:
        """All of it as data, with some examples; ids are texts, since JSON's numbers have 53 bits for many readers."""
        shown = [{**asdict(example), "item_id": str(example.item_id)} for example in examples]
        return {**asdict(self), "examples": shown}

    def explain_failure(self, family: str, examples: Sequence[Mismatch]) -> list[str]:
        """Say what is wrong, in lines, with some examples; no line where nothing is."""
        if self.wrong == 0 and self.checked == self.selected:
            return []
        names = ", ".join(f"{name} {n}" for name, n in self.by_check.items() if n)
        unchecked = self.selected - self.checked
        head = f"check of {family}: {self.wrong} of {self.checked} wrong ({names}), {unchecked} not checked"
        return [head, *(f"  {example}" for example in examples)]


@dataclass(frozen=True)
class Verification:
    """The result for a dataset.

    Attributes:
        dataset: Its folder.
        families: The result of each family that was checked.
        seconds: How long it took.
        files: How the files differ from those that the manifest lists.
        wrong_keys: Keys of the manifest that contradict the files.
    """

    dataset: str
    families: Mapping[str, FamilyVerification]
    seconds: float
    files: FileComparison
    wrong_keys: tuple[WrongKey, ...]

    @property
    def changed_files(self) -> tuple[str, ...]:
        """Files with other bytes than were published."""
        return self.files.changed

    @property
    def missing_files(self) -> tuple[str, ...]:
        """Files that the manifest lists, and that are not there."""
        return self.files.missing

    @property
    def extra_files(self) -> tuple[str, ...]:
        """Files that the manifest does not list."""
        return self.files.extra

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
        return not self._describe_differences() and not self._explain_failures()

    def as_json(self) -> dict[str, Any]:
        """All of it as data; rows, checked and wrong are sums over the families."""
        examples = self._choose_examples()
        return {
            "dataset": self.dataset,
            "passed": self.passed,
            "has_known_checks": not self.warn_of_unknown_checks(),
            "rows": self.rows,
            "checked": self.checked,
            "wrong": self.wrong,
            "missing_files": list(self.missing_files),
            "changed_files": list(self.changed_files),
            "extra_files": list(self.extra_files),
            "wrong_keys": [asdict(key) for key in self.wrong_keys],
            "seconds": self.seconds,
            "families": {name: family.as_json(examples[name]) for name, family in self.families.items()},
        }

    def summarize(self) -> str:
        """Summarize the result in one line."""
        right = f"{self.checked - self.wrong:,} of {self.checked:,} right"
        left_out = [f"{self.rows - self.checked:,} not chosen"] if self.checked < self.rows else []
        keys = [key.key for key in self.wrong_keys]
        wrong_keys = [f"{count_noun(len(keys), 'wrong key')} in {MANIFEST}: {name_some(keys)}"] if keys else []
        return "; ".join([", ".join([right, *left_out]), *self.files.describe(), *wrong_keys])

    def warn_of_unknown_checks(self) -> list[str]:
        """Say which families have checks that no known release has, a line each."""
        return [
            f"the checks of {name} are those of no known release: they may be lax"
            for name, family in self.families.items()
            if family.release is None
        ]

    def raise_on_failure(self) -> None:
        """Raise unless everything passed.

        Raises:
            ValidationFailed: An item is wrong or was not checked, or files are not those of the manifest; the message
                shows them.
        """
        if lines := [*self._describe_differences(), *self._explain_failures()]:
            raise ValidationFailed("\n".join(lines))

    def _describe_differences(self) -> list[str]:
        """Say how files and manifest differ."""
        return [*self.files.describe(), *describe_wrong_keys(self.wrong_keys)]

    def _explain_failures(self) -> list[str]:
        examples = self._choose_examples()
        return [line for name, each in self.families.items() for line in each.explain_failure(name, examples[name])]

    def _choose_examples(self) -> dict[str, list[Mismatch]]:
        """Choose the examples to show, by family: one of each check, as long as there is room, then others.

        Those of one check are of different groups, as far as there are.
        """
        ranked, of_check = [], Counter[tuple[str, str]]()
        for family, found in self.families.items():
            of_group = Counter[tuple[str, str]]()
            turns = []
            for number, example in enumerate(found.examples):
                turns.append((of_group[example.check, example.group], number, example))
                of_group[example.check, example.group] += 1
            for _, number, example in sorted(turns, key=lambda turn: turn[:2]):
                ranked.append((of_check[family, example.check], family, number, example))
                of_check[family, example.check] += 1
        chosen = sorted(sorted(ranked, key=lambda each: each[0])[:MOST_EXAMPLES], key=lambda each: each[2])
        return {name: [example for _, family, _, example in chosen if family == name] for name in self.families}
