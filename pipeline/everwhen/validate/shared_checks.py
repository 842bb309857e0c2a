"""The checks that families share, for which their plans ask: what is unique, hashed ids and splits, item sets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from everwhen.core.models import validate_model
from everwhen.core.sql import render_literal
from everwhen.validate.plan import CheckPlan

SQL = Path(__file__).with_name("sql")

PLAN = "checks.json"

ASKING = ("unique_texts", "id_numbers", "split_keys", "kept_together", "item_sets")
"""The keys of a plan that ask for shared checks; the plan of a dataset names these checks instead."""

NAMES = {"unique": "id", "ids": "id", "splits": "split", "kept_together": "split", "item_sets": "item_sets"}
"""The name of what each shared check finds."""


def add_shared_checks(files: Mapping[str, str]) -> dict[str, str]:
    """Add to the files of a family's checks those that its plan asks for, and name them in the plan.

    Args:
        files: The texts by path below `checks/<family>/`, among them the plan.
    """
    data = json.loads(files[PLAN])
    plan = validate_model(CheckPlan, data, PLAN)
    shared = {f"{name}.sql": sql for name, sql in _render(plan, files)}
    data["setup"] = ["hashes.sql", *plan.setup]
    data["checks"] = [*data.get("checks", ()), *({"name": file[:-4], "file": file} for file in shared)]
    found = (NAMES[file.removesuffix(".sql")] for file in shared)
    data["names"] = list(dict.fromkeys((*plan.names, *found)))
    parts = [data.pop(key, None) for key in ASKING]
    kept = {path: text for path, text in files.items() if path not in parts}
    text = json.dumps(data, indent=1, ensure_ascii=False)
    return {**kept, **shared, "hashes.sql": _read("hashes"), PLAN: text + "\n"}


def _render(plan: CheckPlan, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Render the checks by name."""
    items = plan.items
    names = {"id": items.id, "group": items.group, "text": items.text, "answer": items.answer}
    parts = ["unique", *(["unique_texts"] if plan.unique_texts else [])]
    parts += ["unique_statements"] if plan.reads_facts else []
    yield "unique", "".join(_fill(part, names) for part in parts)
    if plan.id_numbers:
        yield "ids", _fill("sampled", names) + files[plan.id_numbers] + "\n" + _fill("ids", names)
    if plan.split_keys:
        yield "splits", files[plan.split_keys] + "\n" + _fill("splits", names)
    if plan.kept_together:
        yield "kept_together", files[plan.kept_together] + "\n" + _fill("kept_together", names)
    if sets := plan.item_sets:
        sizes = list(sets.sizes.values())
        names |= {"names": render_literal(list(sets.sizes)), "sizes": render_literal(sizes), "most": str(max(sizes))}
        names |= {"strata": ", ".join(sets.strata), "depth": str(len(sets.strata)), "caps": _fill_caps(sets.caps)}
        yield "item_sets", _fill("item_sets", names)


def _fill_caps(caps: Mapping[str, Mapping[str, int]]) -> str:
    rows = [(name, value, str(cap)) for name, each in caps.items() for value, cap in each.items()]
    # A row of no set stands for none.
    return ", ".join(
        f"({render_literal(name)}, {render_literal(value)}, {cap})" for name, value, cap in rows or [("", "", "0")]
    )


def _fill(name: str, values: Mapping[str, str]) -> str:
    return Template(_read(name)).safe_substitute(values)


def _read(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")
