"""The independent check of a dataset: each item is derived again from the facts, by the checks beside it.

The checks are SQL that ships with the dataset (`checks/`), hand-written from the meaning of the items. DuckDB runs
them on a connection that reaches the tables of the dataset and nothing else. They share no code with what made the
items, and this module knows no family.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from everwhen.core.config_errors import suggest_name
from everwhen.core.errors import InputError
from everwhen.core.progress import Progress, report_nothing
from everwhen.validate.counts import find_wrong_keys
from everwhen.validate.database import Resources
from everwhen.validate.family_run import FamilyRun
from everwhen.validate.files import FileComparison, compare_files, require_readable
from everwhen.validate.manifest import load_manifest
from everwhen.validate.plan import digest_checks, read_check_files
from everwhen.validate.queries import select_families
from everwhen.validate.totals import find_wrong_totals
from everwhen.validate.verification import FamilyVerification, Verification, describe_wrong
from everwhen.validate.version import name_other_version


@dataclass(frozen=True)
class ItemSelection:
    """Which items of a dataset are derived again; by default all.

    Attributes:
        families: Names of families; none means all of the dataset.
        patterns: Ids of groups (templates), or patterns with `*`; none means all.
        limit: At most so many items of each group, those with the least ids (which are hashes).

    Raises:
        InputError: limit is below 1.
    """

    families: Sequence[str] = ()
    patterns: Sequence[str] = ()
    limit: int | None = None

    def __post_init__(self) -> None:
        """Refuse a limit that selects nothing."""
        if self.limit is not None and self.limit < 1:
            raise InputError(f"limit: a number from 1 is expected, not {self.limit}")


def verify(
    dataset: str | Path,
    selection: ItemSelection = ItemSelection(),
    *,
    manifest: Mapping[str, Any] | None = None,
    resources: Resources = Resources(),
    progress: Progress = report_nothing,
    warn: Callable[[str], object] = lambda line: None,
) -> Verification:
    """Derive the items of a dataset again, and compare.

    First the files are compared with the manifest, by digest and by its counts, and the rows of all tables with the
    totals that their stages made. An answer is wrong if its check gives
    none for it, several, or another; of several entities the order does not matter.

    Args:
        dataset: Folder of the dataset, on a local disk.
        selection: Which items are derived again.
        manifest: The manifest of a dataset that has none yet; by default it is read.
        resources: Memory and threads of DuckDB.
        progress: Called before every step.
        warn: Called with each way in which files and manifest differ, before any row is derived.

    Raises:
        InputError: There is no such dataset or family, a pattern fits no group; a file that the
            checks read is missing or unreadable; a check is no valid SQL, or does more than SELECT and CREATE.
        MachineFailed: Memory or disk does not suffice.
    """
    started = time.monotonic()
    folder = Path(dataset)
    manifest = load_manifest(folder) if manifest is None else manifest
    names = select_families(manifest, selection.families)
    differing = compare_files(folder, manifest)
    for line in differing.describe():
        warn(line)
    require_readable(folder, manifest, names, differing)
    found: dict[str, FamilyVerification] = {}
    with _name_cause(folder, manifest, names, differing):
        wrong_keys = find_wrong_keys(folder, manifest, names, differing, resources)
        wrong_totals = find_wrong_totals(folder, manifest, names, resources)
        for line in describe_wrong(wrong_keys, wrong_totals):
            warn(line)
        files = read_check_files(folder, manifest["checks"])
        runs = [FamilyRun(folder, name, manifest, resources) for name in names]
        groups = [run.count_groups() for run in runs]
    _require_fit(folder, selection.patterns, [group.name for each in groups for group in each])
    with _name_cause(folder, manifest, names, differing):
        chosen = [run.select_groups(each, selection.patterns) for run, each in zip(runs, groups, strict=True)]
        for run, all_of_it, some in zip(runs, groups, chosen, strict=True):
            digest = digest_checks(files, run.family)
            found[run.family] = run.check(all_of_it, some, selection.limit, digest, progress)
    seconds = round(time.monotonic() - started, 1)
    return Verification(str(dataset), found, seconds, differing, wrong_keys, wrong_totals)


def _require_fit(folder: Path, patterns: Sequence[str], groups: Sequence[str]) -> None:
    """Require that every pattern fits a group of some family."""
    for pattern in patterns:
        if not any(fnmatchcase(group, pattern) for group in groups):
            hint = suggest_name(pattern, groups) or f"; there are {len(groups)}, such as {', '.join(groups[:3])}"
            raise InputError(f"{folder}: no group of items fits {pattern}{hint}")


def _name_cause(
    folder: Path, manifest: Mapping[str, Any], families: Sequence[str], differing: FileComparison
) -> AbstractContextManager[None]:
    """Name what may be the cause where checks cannot be used: a changed file, else another version of everwhen."""
    if differing.changed:
        return _name_changed_file(folder, differing)
    return name_other_version(folder, manifest, families)


@contextmanager
def _name_changed_file(folder: Path, found: FileComparison) -> Iterator[None]:
    """Name the first changed file where a dataset cannot be read: DuckDB does not always say which it was."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{folder / found.changed[0]}: changed since it was published: {error}") from None
