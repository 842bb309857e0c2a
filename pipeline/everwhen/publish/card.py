"""The dataset card: README.md with the header that the Hugging Face Hub reads, and a section for each family."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from pyspark.sql.types import MapType

from everwhen.core.table import Table
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.credits import cite_dataset, configure_licence, list_licences
from everwhen.publish.evidence import select_facts
from everwhen.publish.markdown import TEMPLATES, render_table, render_template
from everwhen.publish.names import SPLITS, count_sets, list_sets, list_tables, name_readers
from everwhen.publish.report import describe_unrecognised, list_absences, render_worst, summarize_checks

SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "n>1B")
"""The Hub's names for numbers of rows: of up to three digits, of four, and so on."""


def render_card(
    manifest: Mapping[str, Any],
    families: Sequence[FamilyBuild],
    report: Mapping[str, Any],
    examples: Mapping[str, Mapping[str, Any]],
) -> str:
    """Render README.md.

    Args:
        examples: By family, an item with all its columns.
    """
    absent = list_absences(report)
    sections = [_render_section(family, manifest, report, examples[family.name]) for family in families]
    header = yaml.safe_dump(_build_header(manifest, families), sort_keys=False, allow_unicode=True)
    facts = {
        folder: (table.meaning, manifest["tables"][folder]["rows"], describe_columns(table))
        for folder, table in select_facts(families).items()
    }
    return render_template(
        TEMPLATES / "card.md.j2",
        header=header,
        manifest=manifest,
        families=families,
        loaded=next((family for family in families if family.name not in absent), None),
        names=name_readers(families),
        sections=sections,
        facts=facts,
        licences=list_licences(manifest),
        checks=summarize_checks(report),
        citation=cite_dataset(manifest, families),
        unrecognised=describe_unrecognised(report),
    )


def _render_section(
    family: FamilyBuild, manifest: Mapping[str, Any], report: Mapping[str, Any], example: Mapping[str, Any]
) -> str:
    """Render the section of a family: its own, or why it has no items."""
    absent, measured = list_absences(report).get(family.name), report["families"][family.name]["shortcuts"]
    return render_template(
        TEMPLATES / "absent.md.j2" if absent else family.card,
        absent=absent,
        family=family,
        entry=manifest["families"][family.name],
        manifest=manifest,
        columns={table.name: describe_columns(table) for table in family.published},
        splits=SPLITS,
        example=json.dumps(example, ensure_ascii=False, indent=1, default=str),
        sets={name: rows for folder in list_sets([family]) for name, rows in count_sets(manifest, folder).items()},
        shortcuts=None if measured is None else render_worst(measured),
    )


def describe_columns(table: Table) -> str:
    """Describe the columns of a table as a Markdown table."""
    rows = [(f"`{c.name}`", f"`{c.type}`", c.meaning + ("; may be null" if c.nullable else "")) for c in table.columns]
    return render_table(rows, ("column", "type", "meaning"))


def _build_header(manifest: Mapping[str, Any], families: Sequence[FamilyBuild]) -> dict[str, Any]:
    """Configurations and licence as the Hub expects them."""
    origin = ["wikidata", "wikipedia"] if select_facts(families) else []
    tables, configs = list_tables(families), []
    for folder, name in name_readers(families).items():
        # `datasets` reads no maps, no file without rows, and no folder in which a configuration names no file.
        has_map = any(isinstance(field.dataType, MapType) for field in tables[folder].schema.fields)
        if manifest["tables"][folder]["rows"] and not has_map:
            configs += _configure_table(manifest, families, folder, name)
    if configs:
        configs[0]["default"] = True
    return {
        **configure_licence(manifest),
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": ["temporal", *origin],
        "pretty_name": f"everwhen {manifest['version']}",
        "size_categories": [SIZES[min(max(len(str(manifest["rows"])), 3) - 3, 7)]],
        "configs": configs,
    }


def _configure_table(
    manifest: Mapping[str, Any], families: Sequence[FamilyBuild], folder: str, name: str
) -> list[dict[str, Any]]:
    """Configure a table: one configuration, or one for each of its item sets."""
    files: Any = f"{folder}/*.parquet"
    if family := list_sets(families).get(folder):
        # An item set is for testing, whatever a reader splits off.
        return [
            {
                "config_name": f"{family.name}-{item_set}",
                "data_files": [{"split": "test", "path": f"{folder}/{item_set}-*.parquet"}],
            }
            for item_set in count_sets(manifest, folder)
        ]
    for family in families:
        if family.items.split and folder == f"{family.name}/{family.items.table.name}":
            counts = manifest["families"][family.name]["counts"][family.items.split]
            files = [{"split": s, "path": f"{folder}/{s}-*.parquet"} for s in SPLITS if s in counts]
    return [{"config_name": name, "data_files": files}]
