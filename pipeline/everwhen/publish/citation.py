"""How a dataset is cited, and the day that it is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.core.snapshot import find_snapshot_day
from everwhen.families.family_build import FamilyBuild


def date_dataset(manifest: Mapping[str, Any]) -> str:
    """Date a dataset: the day of its snapshot, or the last day of its window if the snapshot is not named by a day.

    A dataset is of that day, whenever it was built: the same snapshot gives the same bytes.

    Args:
        manifest: The dataset's manifest.

    Returns:
        A day, as YYYY-MM-DD.
    """
    return str(find_snapshot_day(manifest["snapshot"]) or manifest["window"]["end"])


def cite_dataset(manifest: Mapping[str, Any], families: Sequence[FamilyBuild]) -> str:
    """Cite a dataset, and the papers that define its benchmarks, in BibTeX.

    Args:
        manifest: The dataset's manifest.
        families: Its families.
    """
    own = f"""@misc{{everwhen,
  title = {{everwhen {manifest["version"]}}},
  author = {{{{The everwhen maintainers}}}},
  year = {{{date_dataset(manifest)[:4]}}},
  note = {{Snapshot {manifest["snapshot"]}, built with everwhen {manifest["everwhen"]}}}
}}"""
    return "\n\n".join([own, *(family.citation for family in families if family.citation)])
