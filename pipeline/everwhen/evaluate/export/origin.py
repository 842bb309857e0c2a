"""Where an export comes from: what each one carries so that its rows can be recognised and traced."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from everwhen.core.files import write_atomically
from everwhen.core.licences import PUBLIC_DOMAIN, join_licences
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.export.folder import EXPORT

CANARY = "91d74d12-fe5c-46f9-b79f-fcb121bc2665"
"""The same in every export, so that those who make training data can leave out what contains it."""

NOTICE = f"This is test data. It should not be in training data. everwhen canary GUID {CANARY}"
"""How exports say so (BIG-bench, Srivastava et al. 2022, has the same device)."""


@dataclass(frozen=True)
class Origin:
    """What an export was made from.

    Attributes:
        family: The family.
        dataset: The version of the dataset.
        snapshot: The snapshot of its sources.
        content_hash: The dataset's SHA-256, `content_hash` of its manifest.
        templates_hash: The hash of the templates that it was built with.
        item_set: The item set that was exported; None for no set.
        split: The split that was exported; None for all.
        items: How many items there are in the export.
        licences: The licence of each table that it has items of; None of a private one. Empty where all is in the
            public domain.
        left_out: How many items were left out, by private table.
        settings: Of tasks for harnesses, with which context items are asked.
        remarks: What they lack, and which others a context leaves out.
    """

    family: str
    dataset: str
    snapshot: str
    content_hash: str
    templates_hash: str
    item_set: str | None
    split: str | None
    items: int
    licences: Mapping[str, str | None]
    left_out: Mapping[str, int]
    settings: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()

    @property
    def licence(self) -> str:
        """The licences in one text."""
        return join_licences(self.licences.values()) if self.licences else PUBLIC_DOMAIN

    @property
    def version(self) -> str:
        """The version of tasks: of the same dataset and templates it is the same."""
        return f"{self.dataset}+{self.content_hash[:12]}.{self.templates_hash[:12]}"

    def as_metadata(self) -> dict[str, Any]:
        """What tasks of harnesses say of the dataset, beside their version."""
        return {"content_hash": self.content_hash, "licence": self.licence, "licences": dict(self.licences)}

    def write(self, folder: Path) -> None:
        """Write `export.json` into the folder of the export."""
        described = {"version": self.version, "licence": self.licence, "canary": CANARY, "notice": NOTICE}
        text = json.dumps({**asdict(self), **described}, indent=1, ensure_ascii=False)
        write_atomically(folder / EXPORT, f"{text}\n")


def describe_origin(manifest: Mapping[str, Any], family: str, selection: Selection, **counted: Any) -> Origin:
    """Describe what an export is made from: by the manifest, the selection, and the other attributes of `Origin`."""
    snapshot, content_hash, templates_hash = (
        str(manifest.get(key)) for key in ("snapshot", "content_hash", "templates_hash")
    )
    return Origin(
        *(family, str(manifest.get("version")), snapshot, content_hash, templates_hash),
        *(selection.item_set, selection.split),
        **counted,
    )
