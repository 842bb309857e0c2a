"""The published sample with changed rows, and which checks find them wrong."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.core.files import compute_sha256
from everwhen.publish.markdown import render_table
from everwhen.validate import wrong_items
from everwhen.validate.manifest import hash_tables, sum_files
from everwhen.validate.verification import Verification
from everwhen.validate.verify import verify

FAMILY = "complextempqa"
TABLE = f"{FAMILY}/questions"
SHOW_ALL = "CREATE TABLE shown AS SELECT * FROM wrong"
"""Every wrong row, where verify itself shows three of a kind."""

Row = dict[str, Any]


class Sample:
    """The rows of the sample in the order of its files, and what changes are made of."""

    def __init__(self, dataset: Path) -> None:
        self.rows: list[Row] = [row for path in list_files(dataset) for row in pq.read_table(path).to_pylist()]
        self.by_template: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            self.by_template[row["template_id"]].append(row)
        self.answered = Counter(entity for row in self.rows for entity in row["answer_entity"])
        self.tokens = sorted({token for row in self.rows for token in row["question"].split()})
        labels = pq.read_table(dataset / "facts" / "entities", columns=["item", "label"]).to_pylist()
        self.labels = {row["item"]: row["label"] for row in labels}

    def order_positions(self, chance: random.Random, first: int) -> list[int]:
        """The places of the rows by chance, those of the first so many of each template before all others."""
        order = chance.sample(range(len(self.rows)), len(self.rows))
        seen: Counter[str] = Counter()
        early, late = [], []
        for position in order:
            template = self.rows[position]["template_id"]
            seen[template] += 1
            (early if seen[template] <= first else late).append(position)
        return [*early, *late]

    def select_version(self, version: int) -> list[str]:
        """The templates of a version: verify refuses rows of another one."""
        return sorted(name for name, rows in self.by_template.items() if rows[0]["template_version"] == version)

    def choose_other(self, chance: random.Random, row: Row, column: str) -> Any:
        """The value that another question has in a column, of the same template if there is another one."""
        same = [r[column] for r in self.by_template[row["template_id"]] if r[column] != row[column]]
        return chance.choice(same or [r[column] for r in self.rows if r[column] != row[column]])


@dataclass(frozen=True)
class Outcome:
    """What became of a changed row: how it was changed, the checks that find it wrong, and whether those suffice."""

    change: str
    template: str
    question: str
    checks: frozenset[str]
    is_caught: bool


def list_files(dataset: Path) -> list[Path]:
    """List the files of the questions."""
    return sorted((dataset / TABLE).glob("*.parquet"))


def write_changed(dataset: Path, folder: Path, rows: Iterable[Row]) -> Path:
    """Write the dataset with other rows in its questions' files, and a manifest that fits them."""
    shutil.copytree(dataset, folder, copy_function=os.link)
    rows = list(rows)
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    entries = {file["name"]: file for file in manifest["tables"][TABLE]["files"]}
    rest = iter(rows)
    for path in list_files(dataset):
        sound = pq.ParquetFile(path)
        changed = _unlink(folder / TABLE / path.name)
        pq.write_table(pa.Table.from_pylist([*islice(rest, sound.metadata.num_rows)], sound.schema_arrow), changed)
        entries[path.name] |= {"sha256": compute_sha256(changed), "bytes": changed.stat().st_size}
    table, counts = manifest["tables"][TABLE], manifest["families"][FAMILY]["counts"]
    table |= sum_files(table["files"])
    counts |= {column: Counter(str(row[column]) for row in rows) for column in counts}
    manifest["content_hash"] = hash_tables(manifest["tables"])
    _unlink(folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def _unlink(path: Path) -> Path:
    """Part a path from the file that it is linked to, which would be written."""
    path.unlink()
    return path


def verify_all(dataset: Path) -> tuple[Verification, dict[int, frozenset[str]]]:
    """Verify a dataset; the result, and by id of each wrong row the checks that find it wrong."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wrong_items, "EXAMPLES_OF_EACH", SHOW_ALL)
        found = verify(dataset)
    checks: dict[int, set[str]] = defaultdict(set)
    for example in found.families[FAMILY].examples:
        checks[int(example.item_id)].add(example.check)
    return found, {item: frozenset(names) for item, names in checks.items()}


def render_outcomes(outcomes: Sequence[Outcome], head: str, name_of: Callable[[Outcome], str]) -> str:
    """Render as Markdown how many changed rows are caught, by what `name_of` gives, and by how many each check."""
    named: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        named[name_of(outcome)].append(outcome)
    rows = []
    for name, some in {**named, "all": outcomes}.items():
        caught = sum(outcome.is_caught for outcome in some)
        checks = Counter(check for outcome in some for check in outcome.checks)
        names = ", ".join(f"{check} {n}" for check, n in sorted(checks.items(), key=lambda item: (-item[1], item[0])))
        rows.append((name, len(some), caught, len(some) - caught, names))
    return render_table(rows, (head, "planted", "caught", "survived", "wrong by check"), right=(1, 2, 3))
