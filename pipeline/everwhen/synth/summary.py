"""The summary of a synthetic world: what a pipeline must count, and how much there is of what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from everwhen.core.config import Config
from everwhen.synth.plan import WorldPlan
from everwhen.synth.truth import SCHEMAS, write_table

WORLD_RECORDS = frozenset({"link", "event candidate", "item candidate"})
"""Record types of the stage world; all others are of the stage facts."""

BYTES = "bytes of JSON"

Row = Mapping[str, Any]


def write_counts(out: Path, written: Iterable[Row]) -> None:
    """Write the tables `record_counts` and `faults`."""
    record_counts: Counter[tuple[str, str, str, str]] = Counter()
    errors: Counter[tuple[str, str, str]] = Counter()
    for row in written:
        record_type, status, reason = row["record_type"], row["status"], row["reason"]
        if record_type != BYTES:
            record_counts["world" if record_type in WORLD_RECORDS else "facts", record_type, status, reason] += row[
                "records"
            ]
        if status == "rejected" and record_type not in WORLD_RECORDS:
            errors[row["file"], record_type, reason] += row["records"]
    for name, counted in (("record_counts", record_counts), ("faults", errors)):
        rows = [(*key, records) for key, records in sorted(counted.items())]
        write_table(out / "truth" / f"{name}.parquet", name, rows)


def summarize_world(plan: WorldPlan, out: Path, config: Config, written: Iterable[Row]) -> dict[str, Any]:
    """Return the content of `truth.json`."""
    truth = out / "truth"
    entities = pq.read_table(truth / "entities.parquet", columns=["kind", "list", "reason"]).to_pylist()
    return {
        "seed": plan.seed,
        "window": [plan.start.isoformat(), plan.end.isoformat()],
        "synth": config.synth.model_dump(mode="json"),
        "entities": len(entities),
        "kinds": dict(Counter(row["kind"] for row in entities)),
        "asked": dict(Counter(row["list"] for row in entities if row["list"] and row["reason"] is None)),
        "rows": {
            name: pq.read_table(truth / f"{name}.parquet", columns=[SCHEMAS[name].names[0]]).num_rows
            for name in SCHEMAS
        },
        "json_bytes": sum(row["records"] for row in written if row["record_type"] == BYTES),
    }
