"""What the tables of a dataset are called by its readers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.core.table import Table
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.evidence import select_facts

SPLITS = ("train", "validation", "test")

SET_COLUMN = "item_set"
"""The column of a table of item sets that says of which set a row is."""

SET_FILE = re.compile(r"(.+)-\d{5}-of-\d{5}\.parquet")
"""A file of an item set: its name begins with that of the set."""


def list_tables(families: Sequence[FamilyBuild]) -> dict[str, Table]:
    """List the tables of a dataset by their folder in it: those of the families, then the facts."""
    own = {f"{family.name}/{table.name}": table for family in families for table in family.published}
    return {**own, **select_facts(families)}


def name_readers(families: Sequence[FamilyBuild]) -> Mapping[str, str]:
    """Name each table as `datasets` and Croissant do, by its folder: items as their family, facts as they are."""
    names = {}
    for family in families:
        for table in family.published:
            is_items = table.name == family.items.table.name
            names[f"{family.name}/{table.name}"] = family.name if is_items else f"{family.name}-{table.name}"
    return names | {folder: folder.rpartition("/")[2] for folder in select_facts(families)}


def list_sets(families: Sequence[FamilyBuild]) -> dict[str, FamilyBuild]:
    """List the tables of item sets by their folder, with the family of each."""
    return {f"{family.name}/{family.items.sets.table.name}": family for family in families if family.items.sets}


def list_divisions(families: Sequence[FamilyBuild]) -> dict[str, str]:
    """List the tables each of whose files has rows of one value of a column: by folder, the column."""
    splits = {f"{family.name}/{family.items.table.name}": family.items.split for family in families}
    own = {f"{family.name}/{name}": column for family in families for name, column in family.divided.items()}
    sets = dict.fromkeys(list_sets(families), SET_COLUMN)
    return {folder: column for folder, column in splits.items() if column} | own | sets


def count_sets(manifest: Mapping[str, Any], folder: str) -> dict[str, int]:
    """Count the rows of each item set in the folder of a table, by its name, the smallest first."""
    counts: dict[str, int] = {}
    for file in manifest["tables"][folder]["files"]:
        name = SET_FILE.fullmatch(file["name"])
        if name is not None and name[1] != "part":
            counts[name[1]] = counts.get(name[1], 0) + file["rows"]
    return dict(sorted(counts.items(), key=lambda item: (item[1], item[0])))
