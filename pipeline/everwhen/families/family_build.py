"""What builds a family, with Spark: its stage, its tables, its checks, and what publishing needs to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import DataFrame
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.table import Table
from everwhen.families.base import Family
from everwhen.tables.item_sets import ItemSets


@dataclass(frozen=True)
class Items:
    """The table of a family's items.

    Attributes:
        table: Which of the family's published tables it is.
        id: The column that identifies an item.
        show: The columns to read an item by, such as type, question and answer; the first groups the items in
            summaries.
        groups: What the values of the first column of `show` mean, in words; empty where they speak for themselves.
        counts: Columns whose values are counted, for manifest, report and card.
        prefer: SQL condition of the items that people are shown first.
        split: The column with the split, one of `counts`, with which the names of files begin; None where there are no
            splits.
        sets: The item sets, whose table is published; None where there are none. In a dataset each set has files of
            its own, whose names begin with that of the set.
    """

    table: Table
    id: str
    show: Sequence[str]
    groups: Mapping[str, str] = field(default_factory=dict)
    counts: Sequence[str] = ()
    prefer: str = "true"
    split: str | None = None
    sets: ItemSets | None = None

    def __post_init__(self) -> None:
        """Refuse a split that is not counted: the card lists the splits that there are."""
        if self.split is not None and self.split not in self.counts:
            raise ValueError(f"counts: the column of the split is missing: {self.split}")


@dataclass(frozen=True)
class Evidence:
    """The statements that a family's items are derived from.

    Attributes:
        subjects: Column subject (bigint): the items whose statements are published.
        properties: The properties of these statements.
    """

    subjects: DataFrame
    properties: Sequence[int]


@dataclass(frozen=True)
class CollectionTables:
    """The published tables of a collection, as retrievers read it.

    Attributes:
        documents: Columns doc_id, text, and title where documents have one.
        queries: Columns query_id, text, those of other wordings, and those that scores are averaged by.
        qrels: Columns query_id, doc_id, grade (relevant from 1), and reason where the table says why.
    """

    documents: Table
    queries: Table
    qrels: Table

    def __post_init__(self) -> None:
        """Refuse tables without the columns that readers need."""
        needed = {"documents": ("doc_id", "text"), "queries": ("query_id", "text")}
        for part, names in {**needed, "qrels": ("query_id", "doc_id", "grade")}.items():
            missing = set(names) - {column.name for column in getattr(self, part).columns}
            if missing:
                raise ValueError(f"{part}: no column {min(missing)}")


@dataclass(frozen=True)
class BudgetRows:
    """What a budget asks for, and what became of it.

    Attributes:
        budget: What it is for: templates, and whether subjects are named.
        asked: The rows that the configuration asks for.
        made: The rows that there are, or will be.
    """

    budget: str
    asked: int
    made: int


@dataclass(frozen=True)
class FamilyBuild:
    """The half of a family that builds.

    Attributes:
        family: The other half.
        run: The stage: reads tables of the world, writes `tables`.
        tables: All tables that the stage writes; their `stage` is the family's name.
        published: The tables that a dataset contains, below the folder of the family.
        items: Where the items are, and how to read one.
        evidence: Collects the statements that the items are derived from; None where they are derived from its own
            published tables alone. Then its plan of checks says `"reads_facts": false`.
        checks: Renders the files of `checks/<name>/` by path: SQL that derives each item again, and `checks.json`, the
            plan (`everwhen.validate.plan.CheckPlan`).
        suites: The folder of expectation suites, one JSON file for each published table.
        card: The Jinja template of its section of the card, with its licence.
        citation: BibTeX of the paper that defines the benchmark; empty where there is none.
        plan: Prints what the stage would write, without writing it; None where there is no forecast.
        budgets: Compares the rows that were made with those that the configuration asks for; None where it asks for
            none.
        divided: By the name of a published table that Spark writes, a column each of whose values has files of its own;
            their names begin with it. Items are divided by split, and sets of items by set, without being named here.
        licences: Reads from a dataset folder the licence of each source by its name, an SPDX identifier; None as a
            licence means that it must not be passed on. None where all is in the public domain, as Wikidata is.
        collections: The collections that it publishes, by name; their tables are among `published`.
        notes: Reads from a dataset folder what its section of the card has to say beside counts, as lines; None where
            there is nothing to say.
    """

    family: Family
    run: Callable[[Build], None]
    tables: Sequence[Table]
    published: Sequence[Table]
    items: Items
    evidence: Callable[[Build], Evidence] | None
    checks: Callable[[], Mapping[str, str]]
    suites: Path
    card: Path
    citation: str = ""
    plan: Callable[[Build, Console], None] | None = None
    budgets: Callable[[Build], Sequence[BudgetRows]] | None = None
    divided: Mapping[str, str] = field(default_factory=dict)
    licences: Callable[[Path], Mapping[str, str | None]] | None = None
    collections: Mapping[str, CollectionTables] = field(default_factory=dict)
    notes: Callable[[Path], Sequence[str]] | None = None

    @property
    def name(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def title(self) -> str:
        """The family's name as the card prints it."""
        return self.family.title


def read_files(folder: Path) -> dict[str, str]:
    """Read the text files of a folder, by path: the checks of a family that need no rendering.

    What Python has compiled is passed over: an update may leave the compiled file of a module that is gone.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
