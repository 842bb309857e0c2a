"""The licences of what a dataset contains, and which of it must not be passed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from everwhen.core.licences import PUBLIC_DOMAIN, join_licences


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
