"""The checks that ship with a dataset: their plan, their files, and the release that has them."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from everwhen.core.errors import InputError
from everwhen.core.models import StrictModel, validate_model
from everwhen.validate.manifest import read_json

CHECKS = "checks"
"""The folder of the checks in a dataset."""

SHARED = ("catalog.sql", "facts.sql")
"""SQL that the checks of all families read, in order: declarations of templates/, and views of the facts."""

KNOWN = Path(__file__).with_name("known_checks.json")
"""By release of everwhen and by family, the digest of the checks."""

WORD = re.compile(r"\w+")

MATERIALIZED = (
    *("single_amounts", "single_times", "single_items", "first_times", "memberships", "listed", "class_members"),
    *("event_times", "spans", "published", "lifetimes", "entity_countries", "all_countries", "awards", "terms"),
)
"""Views of facts.sql that are worth deriving once where many checks read them, in order of definition."""


Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
"""The name of a family, table, column or view: plain, since it becomes part of SQL and of paths."""


class ItemColumns(StrictModel):
    """Where a family's items are, and which of their columns the runner reads."""

    table: Name
    id: Name
    group: Name
    """The column that names what an item was made from, such as its template."""
    version: Name | None = None
    """The column with the version of that."""
    text: Name
    """The column to show for an item."""
    answer: Name = "answer"
    """The column, VARCHAR[], that derivations are compared with."""


class Derivation(StrictModel):
    """How the answers of one group of items are derived again."""

    version: int = 1
    file: str
    """SQL over `q`, the items of the group: item_id or the id's own name, answer VARCHAR[], facts VARCHAR[]."""
    is_ordered: bool = False
    """Whether the order of an answer's parts counts."""
    text: str | None = None
    """SQL over `q` that renders the texts of the items again: the id's own name, actual VARCHAR, expected VARCHAR, one
    row an item; it may read what the checks have created. None: no text is checked."""
    slots: str | None = None
    """SQL over `q` that gives the meanings of the slots of a text, a row each: slot, text and meaning VARCHAR."""
    rule: str = ""
    """How the answer follows from the facts, in one sentence."""


class Explained(StrictModel):
    """A check that `explain` runs for the one item, and the SQL whose rows it prints."""

    where: str
    """SQL condition over `item`: whether the check applies to it."""
    show: str
    """SQL over `item` and what the check creates: name and value VARCHAR, facts VARCHAR[] (statement ids)."""


class Check(StrictModel):
    """A check of all items: a file whose last SELECT yields the wrong ones."""

    name: str
    file: str
    explained: Explained | None = None
    streams_items: bool = False
    """Whether DuckDB must stream the items, whatever it guesses of their number."""
    queried_tables: list[Name] = []
    """Where there are any, the last SELECT yields queries to run, which read these tables alone: item_id, group and
    name, sql VARCHAR, and expected VARCHAR[], the sorted answers that the item has."""


class ItemSetPlan(StrictModel):
    """The item sets of a family, as their check derives them again."""

    strata: list[str] = Field(min_length=1)
    """What sets are balanced over, the outermost first: SQL over the items, each VARCHAR."""
    sizes: dict[str, int]
    """How many items each set has."""
    caps: dict[str, dict[str, int]] = {}
    """Of a set, the most items of a value of the outermost stratum."""


class CheckPlan(StrictModel):
    """All checks of one family, `checks/<family>/checks.json`."""

    family: Name
    items: ItemColumns
    reads_facts: bool = True
    """Whether the checks read tables of `facts/`, and the SQL that all families share; else the family's own alone."""
    setup: list[str] = []
    """Files that create what the checks read."""
    materialized: list[Name] = []
    """Views of the setup that are worth deriving once."""
    names: list[str] = Field(min_length=1)
    """Every name that a mismatch may have."""
    derivations: dict[str, Derivation]
    checks: list[Check] = []
    show: str
    """SQL over `item`, the one item: name VARCHAR, value VARCHAR, what explain prints of it."""
    unique_texts: bool = False
    """Whether the shared check `unique` compares the texts of items, too."""
    id_numbers: str | None = None
    """SQL over `sampled`, items with the least ids, that creates `id_numbers`: the id's own name, that of the group,
    numbers HUGEINT[]. The shared check `ids` hashes the numbers. None: ids are no hashes."""
    split_keys: str | None = None
    """SQL that creates `split_keys`: the id's own name, key VARCHAR. The shared check `splits` hashes the keys."""
    kept_together: str | None = None
    """SQL that creates `kept_together`: the id's own name, split, key. The shared check `kept_together` finds keys with
    items in several splits."""
    item_sets: ItemSetPlan | None = None
    """What the shared check `item_sets` derives again; None where there are no sets."""


class FamilyChecks:
    """The checks of one family in a dataset folder."""

    def __init__(self, dataset: str | Path, family: str) -> None:
        """Load the plan.

        Raises:
            InputError: The dataset has no checks of the family, or its plan is damaged or another family's.
        """
        self.folder = Path(dataset) / CHECKS / family
        path = self.folder / "checks.json"
        try:
            data = read_json(path)
        except FileNotFoundError:
            raise InputError(f"{dataset}: no checks of family {family} (no {path})") from None
        self.plan = validate_model(CheckPlan, data, path)
        if self.plan.family != family:
            raise InputError(f"{path}: damaged: family: {self.plan.family} instead of {family}")

    def locate(self, name: str) -> str:
        """Locate one of the files in the dataset, for messages."""
        return f"{CHECKS}/{self.plan.family}/{name}"

    def read(self, name: str) -> str:
        """Read one of the files.

        Raises:
            InputError: It is missing, or its name leads out of the folder.
        """
        # By its name: a file of a downloaded dataset may be a link to where the downloads are kept.
        if Path(name).is_absolute() or os.path.normpath(name).startswith(os.pardir):
            raise InputError(f"{self.locate('checks.json')}: {name}: a check must be in the folder of its family")
        return _read_text(self.folder / name)

    def read_shared(self, name: str) -> str:
        """Read one of the files that all families share.

        Raises:
            InputError: It is missing.
        """
        return _read_text(self.folder.parent / name)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def materialize(sql: str, texts: Collection[str], names: Collection[str] = MATERIALIZED) -> str:
    """Turn views that some texts read into tables, so that they are derived once.

    Args:
        sql: The definitions of the views, in order.
        texts: What reads them.
        names: The views that are worth it, in order of definition; those that `sql` does not define are left out.
    """
    definitions = dict(re.findall(r"CREATE VIEW (\w+) AS(.*?);\n", sql, flags=re.DOTALL))
    names = [name for name in names if name in definitions]
    words = {word for text in texts for word in WORD.findall(text)}
    read = {name for name in names if name in words}
    for name in reversed(names):
        if name in read:
            read |= set(names).intersection(WORD.findall(definitions[name]))
    for name in read:
        sql = sql.replace(f"CREATE VIEW {name} AS", f"CREATE TABLE {name} AS")
    return sql


def digest_checks(files: Mapping[str, bytes], family: str) -> str:
    """Compute the digest of a family's checks, and of the SQL that is shared by those that read facts.

    Args:
        files: Content by path below `checks/`.
        family: Its name.
    """
    digest = hashlib.sha256()
    shared = SHARED if _reads_facts(files.get(f"{family}/checks.json", b"{}")) else ()
    for name in sorted(files):
        if name in shared or name.startswith(f"{family}/"):
            digest.update(f"{name}\n{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()


def _reads_facts(plan: bytes) -> bool:
    """Tell whether the checks of a plan read facts; a damaged plan is reported by who loads it."""
    try:
        data = json.loads(plan)
    except ValueError:
        return True
    return not isinstance(data, Mapping) or data.get("reads_facts") is not False


def read_check_files(dataset: str | Path, names: Collection[str]) -> dict[str, bytes]:
    """Read files below `checks/` of a dataset, by path; those that are missing are left out."""
    folder = Path(dataset) / CHECKS
    return {name: (folder / name).read_bytes() for name in sorted(names) if (folder / name).is_file()}


@cache
def load_known_checks() -> dict[str, dict[str, str]]:
    """Load the digests of the checks of known releases: by release, by family."""
    return dict(json.loads(KNOWN.read_text(encoding="utf-8")))


def find_release(family: str, digest: str) -> str | None:
    """Find the release of everwhen that has these checks; None where no known release has them."""
    return next((release for release, known in load_known_checks().items() if known.get(family) == digest), None)
