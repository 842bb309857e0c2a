"""The dataset card: README.md with the header that the Hugging Face Hub reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from everwhen.core.table import Table
from everwhen.families.complextempqa.tables.questions import QUESTIONS

SIZES = (10**3, 10**4, 10**5, 10**6, 10**7, 10**8, 10**9)

SPLITS = ("train", "validation", "test")

TYPES = {
    "1": "attribute",
    "2": "comparison",
    "3": "counting",
}


def dataset_card(manifest: Mapping[str, Any], facts: Mapping[str, Table]) -> str:
    """The text of README.md.

    Args:
        manifest: The dataset's manifest.
        facts: The tables shipped in `facts/`, by their folder.
    """
    header = yaml.safe_dump(_header(manifest, facts), sort_keys=False, allow_unicode=True)
    parts = [
        f"---\n{header}---\n",
        f"# everwhen {manifest['version']}\n",
        f"{manifest['rows']:,} temporal questions with answers, made from Wikidata and Wikipedia (snapshot "
        f"{manifest['snapshot']}). Every answer can be derived again from the statements in `facts/`.\n",
        "Counting questions count what the facts of this snapshot hold; where those are a sample of the world, "
        "so are the counts. Names and descriptions are those of one event or item alone among these facts.\n",
        "## Questions by type\n",
        _table(("type", "questions"), [(type_name(k), f"{v:,}") for k, v in manifest["rows_by_type"].items()]),
        "## Splits\n",
        "By hash of the asked entities.\n",
        _table(("split", "questions"), [(k, f"{v:,}") for k, v in manifest["rows_by_split"].items()]),
        "## Columns\n",
        _columns(QUESTIONS),
        "## Facts\n",
        *(f"### `{folder}`\n\n{table.meaning}\n\n{_columns(table)}" for folder, table in facts.items()),
        "## Licence\n",
        "Facts, labels and ids come from Wikidata, in the public domain (CC0 1.0); the questions are under the same "
        "terms.\n",
    ]
    return "\n".join(parts)


def _header(manifest: Mapping[str, Any], facts: Mapping[str, Table]) -> dict[str, Any]:
    """Configurations and licence as the Hub expects them."""
    splits = [
        {"split": split, "path": f"questions/{split}-*.parquet"}
        for split in SPLITS
        if split in manifest["rows_by_split"]
    ]
    configs: list[dict[str, Any]] = [{"config_name": "questions", "data_files": splits, "default": True}]
    configs += [{"config_name": folder.rsplit("/", 1)[-1], "data_files": f"{folder}/*.parquet"} for folder in facts]
    return {
        "license": "cc0-1.0",
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": ["temporal", "wikidata", "wikipedia"],
        "pretty_name": f"everwhen {manifest['version']}",
        "size_categories": [_size(manifest["rows"])],
        "configs": configs,
    }


def _size(rows: int) -> str:
    """The Hub's name for a number of rows."""
    names = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B")
    return next((name for name, limit in zip(names, SIZES, strict=True) if rows < limit), "n>1B")


def type_name(code: str) -> str:
    """A type's code with its words."""
    words = [TYPES.get(code[0], "?"), "event" if "a" in code else "entity"]
    return f"{code} ({', '.join(words)}{', time' if code.endswith('c') else ''})"


def _columns(table: Table) -> str:
    """The columns of a table with their meaning."""
    rows = [(f"`{c.name}`", f"`{c.type}`", c.meaning + ("; may be null" if c.nullable else "")) for c in table.columns]
    return _table(("column", "type", "meaning"), rows)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"
