"""Synthetic tables as files: rows, declaration and truth."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from everwhen.core.errors import InputError
from everwhen.core.files import write_atomically
from everwhen.core.yaml_text import parse_yaml
from everwhen.families.tdbench.synthesis.domains import OLYMPIC
from everwhen.families.tdbench.synthesis.rows import GAMES, SyntheticTable, synthesize_rows

DECLARATIONS = Path(__file__).parent.parent / "domains"
TRUTH = "truth.json"


def write_domain(domain: str, count: int, seed: int, form: str, out: Path) -> SyntheticTable:
    """Write a domain to a folder: `<domain>.csv` or `.parquet`, `<domain>.yaml`, and `truth.json` last.

    A domain that is joined with the games has those beside it.

    Args:
        domain: Its name.
        count: How many rows.
        seed: Another seed gives other rows.
        form: csv or parquet.
        out: The folder; it must not exist.

    Returns:
        The rows of the domain.

    Raises:
        InputError: The folder exists.
    """
    if out.exists():
        raise InputError(f"{out}: exists already; take another folder")
    out.mkdir(parents=True)
    try:
        table = _write_table(domain, count, seed, form, out)
        joined = {OLYMPIC: _write_table(OLYMPIC, GAMES, seed, form, out)} if _has_join(domain) else {}
        truth = {name: _describe(name, each, seed) for name, each in {domain: table, **joined}.items()}
        write_atomically(out / TRUTH, json.dumps(truth, indent=1, ensure_ascii=False) + "\n")
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise
    return table


def _write_table(domain: str, count: int, seed: int, form: str, out: Path) -> SyntheticTable:
    """Write the rows and the declaration of a domain."""
    table = synthesize_rows(domain, count, seed)
    if form == "parquet":
        pq.write_table(table.rows, out / f"{domain}.parquet", compression="zstd")
    else:
        pacsv.write_csv(table.rows, out / f"{domain}.csv", pacsv.WriteOptions(quoting_style="needed"))
    text = (DECLARATIONS / f"{domain}.yaml").read_text(encoding="utf-8")
    write_atomically(out / f"{domain}.yaml", text.replace(f"{domain}.csv", f"{domain}.{form}"))
    return table


def _read_declaration(domain: str) -> dict[str, list[dict[str, list[str]]]]:
    content = parse_yaml((DECLARATIONS / f"{domain}.yaml").read_text(encoding="utf-8"))
    return dict(content)


def _has_join(domain: str) -> bool:
    return "joins" in _read_declaration(domain)


def _describe(domain: str, table: SyntheticTable, seed: int) -> dict[str, object]:
    """Describe the truth about a table: which dependencies hold but for the planted keys."""
    declared = _read_declaration(domain)
    return {
        "seed": seed,
        "rows": table.rows.num_rows,
        "keys": table.keys,
        "open_rows": table.open_rows,
        "tfds": declared.get("tfds", []),
        "fds": declared.get("fds", []),
        "broken_keys": len(table.broken_keys),
        "broken": [list(key) for key in table.broken_keys],
    }
