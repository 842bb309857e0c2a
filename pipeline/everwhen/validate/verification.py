"""The result of `verify`: what the checks found in the items and files of a dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from everwhen.core.errors import ValidationFailed
from everwhen.validate.counts import WrongKey
from everwhen.validate.files import FileComparison, count_and_name
from everwhen.validate.manifest import MANIFEST
from everwhen.validate.totals import WrongTotal

MAX_EXAMPLES = 20
"""The most wrong items that a result shows, over all families."""


def describe_wrong(keys: Sequence[object], totals: Sequence[WrongTotal]) -> list[str]:
    """Say how many keys of the manifest and totals are wrong, and show the first; no text where none is."""
    return [*count_and_name(keys, "wrong key", f" in {MANIFEST}"), *count_and_name(totals, "wrong total")]


@dataclass(frozen=True)
class Mismatch:
    """An item with a value that differs from the value derived from the facts.

    Attributes:
        item_id: The id of the item.
        group: The group of the item, such as its template.
        check: The name of the check.
        text: The text of the item, such as its question.
        actual: The value of the item.
        expected: The value derived from the facts. For an answer it is the list of all derived answers.
    """

    item_id: int | str
    group: str
    check: str
    text: str
    actual: Any
    expected: Any

    def __str__(self) -> str:
        """Describe the mismatch in one line."""
        expected = self.expected
        if self.check == "answer":
            expected = " or ".join(map(str, expected)) or "nothing"
        return f"{self.group} {self.item_id}: {self.text} {self.check} {self.actual}; the facts give {expected}"


@dataclass(frozen=True)
class FamilyVerification:
    """The result for the items of one family.

    Attributes:
        rows: Items of the family.
        checked: Items that were checked: all, unless a limit or selected groups leave some out.
        wrong: Items that at least one check finds wrong.
        by_check: Wrong items by check; an item may be wrong by several.
        groups: Numbers by group: `rows`, the checked items, and `wrong`.
        examples: The first wrong items of each group and check.
        checks: The digest of the checks that were run.
        release: The release of everwhen with these checks; None if no known release has them.
    """

    rows: int
    checked: int
    wrong: int
    by_check: Mapping[str, int]
    groups: Mapping[str, Mapping[str, int]]
    examples: tuple[Mismatch, ...]
    checks: str
    release: str | None

    def as_json(self, examples: Sequence[Mismatch]) -> dict[str, Any]:
        """Convert to JSON, with some examples. Ids become texts: many parsers read only 53 bits of a number."""
        shown = [{**asdict(example), "item_id": str(example.item_id)} for example in examples]
        return {**asdict(self), "examples": shown}

    def explain_failure(self, family: str, examples: Sequence[Mismatch]) -> list[str]:
        """List the lines that explain a failure, with some examples; no lines if the family passed."""
        if self.wrong == 0:
            return []
        names = ", ".join(f"{name} {n}" for name, n in self.by_check.items() if n)
        head = f"check of {family}: {self.wrong} of {self.checked} wrong ({names})"
        return [head, *(f"  {example}" for example in examples)]


@dataclass(frozen=True)
class Verification:
    """The result for a dataset.

    Attributes:
        dataset: The folder of the dataset.
        families: The result of each checked family, by name.
        seconds: The duration.
        files: The differences between the files and the manifest's list.
        wrong_keys: Keys of the manifest that contradict the files.
        wrong_totals: Parts of tables that lost rows, or have others than were made.
    """

    dataset: str
    families: Mapping[str, FamilyVerification]
    seconds: float
    files: FileComparison
    wrong_keys: tuple[WrongKey, ...]
    wrong_totals: tuple[WrongTotal, ...] = ()

    @property
    def changed_files(self) -> tuple[str, ...]:
        """Files whose bytes differ from those that were published."""
        return self.files.changed

    @property
    def missing_files(self) -> tuple[str, ...]:
        """Files that the manifest lists, but that do not exist."""
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
        """Whether all checked items are right, and files and rows are those that were published."""
        return not self._describe_differences() and not self._explain_failures()

    def as_json(self) -> dict[str, Any]:
        """Convert to JSON; rows, checked and wrong are sums over the families."""
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
            "wrong_totals": [asdict(total) for total in self.wrong_totals],
            "seconds": self.seconds,
            "families": {name: family.as_json(examples[name]) for name, family in self.families.items()},
        }

    def summarize(self) -> str:
        """Summarize the result in one line."""
        right = f"{self.checked - self.wrong:,} of {self.checked:,} right"
        left_out = [f"{self.rows - self.checked:,} not chosen"] if self.checked < self.rows else []
        others = [*self.files.describe(), *describe_wrong([key.key for key in self.wrong_keys], self.wrong_totals)]
        return "; ".join([", ".join([right, *left_out]), *others])

    def warn_of_unknown_checks(self) -> list[str]:
        """Warn of families whose checks no known release has, a line each."""
        return [
            f"the checks of {name} are those of no known release: they may be lax"
            for name, family in self.families.items()
            if family.release is None
        ]

    def raise_on_failure(self) -> None:
        """Raise an error unless the verification passed.

        Raises:
            ValidationFailed: An item is wrong, or the files differ from the manifest. The message
                lists examples.
        """
        if lines := [*self._describe_differences(), *self._explain_failures()]:
            raise ValidationFailed("\n".join(lines))

    def _describe_differences(self) -> list[str]:
        """List the differences between files, manifest and totals, a line each."""
        return [*self.files.describe(), *describe_wrong(self.wrong_keys, self.wrong_totals)]

    def _explain_failures(self) -> list[str]:
        examples = self._choose_examples()
        return [line for name, each in self.families.items() for line in each.explain_failure(name, examples[name])]

    def _choose_examples(self) -> dict[str, list[Mismatch]]:
        """Choose at most `MAX_EXAMPLES` examples, by family.

        Each check gets one example before any gets a second. The examples of one check are of different groups, if
        possible.
        """
        ranked, number_of_check = [], Counter[tuple[str, str]]()
        for family, found in self.families.items():
            number_of_group = Counter[tuple[str, str]]()
            in_turn = []
            for number, example in enumerate(found.examples):
                in_turn.append((number_of_group[example.check, example.group], number, example))
                number_of_group[example.check, example.group] += 1
            for _, number, example in sorted(in_turn, key=lambda turn: turn[:2]):
                ranked.append((number_of_check[family, example.check], family, number, example))
                number_of_check[family, example.check] += 1
        chosen = sorted(sorted(ranked, key=lambda each: each[0])[:MAX_EXAMPLES], key=lambda each: each[2])
        return {name: [example for _, family, _, example in chosen if family == name] for name in self.families}
