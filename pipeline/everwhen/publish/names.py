"""What the tables of a dataset are called by its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from everwhen.core.table import Table
from everwhen.families.base import Family
from everwhen.publish.evidence import PUBLISHED_FACTS

SPLITS = ("train", "validation", "test")


def list_tables(families: Sequence[Family]) -> dict[str, Table]:
    """List the tables of a dataset by their folder in it: those of the families, then the facts."""
    own = {f"{family.name}/{table.name}": table for family in families for table in family.published}
    return {**own, **PUBLISHED_FACTS}


def name_readers(families: Sequence[Family]) -> Mapping[str, str]:
    """Name each table as `datasets` and Croissant do, by its folder: items as their family, facts as they are."""
    names = {}
    for family in families:
        for table in family.published:
            is_items = table.name == family.items.table.name
            names[f"{family.name}/{table.name}"] = family.name if is_items else f"{family.name}-{table.name}"
    return names | {folder: folder.rpartition("/")[2] for folder in PUBLISHED_FACTS}
