"""The licences of what a dataset contains, and how the dataset is cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.core.config import find_snapshot_day
from everwhen.core.licences import PUBLIC_DOMAIN, join_licences
from everwhen.families.family_build import FamilyBuild


def list_licences(manifest: Mapping[str, Any]) -> dict[str, str | None]:
    """List the licences that the families of a dataset name, by source; None: it must not be passed on."""
    return {
        name: licence
        for family in manifest["families"].values()
        for name, licence in sorted(family.get("licences", {}).items())
    }


def find_licences(manifest: Mapping[str, Any]) -> set[str | None]:
    """Find all licences of a dataset."""
    families = manifest.get("families", {}).values()
    named = {licence for family in families for licence in family.get("licences", {}).values()}
    is_public = any("licences" not in family for family in families) or not named
    return named | ({PUBLIC_DOMAIN} if is_public else set())


def configure_licence(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Name the licence as the header of a card on the Hugging Face Hub does."""
    found = find_licences(manifest)
    if found == {PUBLIC_DOMAIN}:
        return {"license": PUBLIC_DOMAIN.lower()}
    return {"license": "other", "license_name": join_licences(found)}


def date_dataset(manifest: Mapping[str, Any]) -> str:
    """Date a dataset: the day of its snapshot, or the last day of its window if the snapshot is not named by a day.

    A dataset is of that day, whenever it was built: the same snapshot gives the same bytes.

    Returns:
        A day, as YYYY-MM-DD.
    """
    return str(find_snapshot_day(manifest["snapshot"]) or manifest["window"]["end"])


def cite_dataset(manifest: Mapping[str, Any], families: Sequence[FamilyBuild]) -> str:
    """Cite a dataset, and the papers that define its benchmarks, in BibTeX."""
    own = f"""@misc{{everwhen,
  title = {{everwhen {manifest["version"]}}},
  author = {{{{The everwhen maintainers}}}},
  year = {{{date_dataset(manifest)[:4]}}},
  note = {{Snapshot {manifest["snapshot"]}, built with everwhen {manifest["everwhen"]}}}
}}"""
    return "\n\n".join([own, *(family.citation for family in families if family.citation)])
