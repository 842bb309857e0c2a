"""What is broken in the dump: the pipeline's own reader, without Spark, says what was planned."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from everwhen.core.reasons import RejectReason
from everwhen.sample.dump import serialize_item
from everwhen.sample.world import Item
from everwhen.synth.broken_input import (
    DumpLines,
    as_json,
    list_broken_claims,
    list_broken_lines,
    render_entity_lines,
)
from everwhen.synth.plan import WorldPlan
from everwhen.synth.stage import dump_part, format_part
from everwhen.synth.statements import state_item
from everwhen.synth.truth import Entity
from everwhen.wikidata.entity import EntityReader

ACROSS_LINES = {
    *(RejectReason.OLDER_REVISION, RejectReason.REDIRECTED, RejectReason.REPEATED_REDIRECT),
    *(RejectReason.SPLIT_ITEM_REDIRECT, RejectReason.CIRCULAR_REDIRECT),
}
"""Reasons that take more than one line to be seen; the reader keeps such a line."""


def read(lines: list[bytes]) -> Counter[tuple[str, str]]:
    """Records by level and reason (empty: kept) as the reader finds them."""
    reader = EntityReader({"external-id"}, {})
    for number, line in enumerate(lines):
        reader.read(line, "file", f"line {number}", 0)
    batch = reader.batch
    found: Counter[tuple[str, str]] = Counter()
    for other in batch.others:
        found[other[2], other[4]] += other[3]
    found["line", ""] = len(batch.entities) + len(batch.redirects)
    found["statement", ""] = sum(len(rows) for rows in batch.statements)
    return +found


def planned(found: DumpLines) -> Counter[tuple[str, str]]:
    counted: Counter[tuple[str, str]] = Counter()
    for (record_type, status, reason), records in found.counts.records.items():
        if status != "input" and record_type in ("line", "statement"):
            counted[record_type, "" if reason in ACROSS_LINES else reason] += records
    return counted


ITEM = Item(1_000_000_007, "Iron River", None, None, None, (state_item(31, 5), state_item(27, 6)))
LINE_ERRORS = list_broken_lines(ITEM, serialize_item(ITEM))
CLAIMS = list_broken_claims(ITEM.id, serialize_item(ITEM))


@pytest.mark.parametrize("name", LINE_ERRORS)
def test_a_broken_line_is_rejected_as_planned(name: str) -> None:
    found = LINE_ERRORS[name]
    assert len(found.lines) >= 1
    assert read(found.lines) == planned(found)


@pytest.mark.parametrize(("claim", "reason"), CLAIMS, ids=[reason for _, reason in CLAIMS])
def test_a_broken_statement_is_rejected_as_planned(claim: dict[str, Any], reason: str) -> None:
    written = serialize_item(ITEM)
    written["claims"].setdefault(claim["mainsnak"]["property"], []).append(claim)
    found = read([as_json(written)])
    assert found == {("line", ""): 1, ("statement", ""): 2, ("statement", reason): 1}


def test_the_reader_counts_the_records_of_a_complete_dump(plan: WorldPlan) -> None:
    found, ledger = dump_part(plan, range(plan.total))
    text = format_part(found.lines)
    assert read(text.split(b"\n")[:-1]) == planned(found)
    assert planned(found)[("line", "array bracket or blank line")] >= 2
    assert len(ledger.rows["entities"]) > 1_000
    assert len({reason for record_type, reason in planned(found) if record_type == "line"}) > 10


def test_an_older_revision_is_older(plan: WorldPlan, made: list[tuple[int, Entity]]) -> None:
    by_id: dict[str, list[int]] = {}
    for index, entity in made:
        for line in render_entity_lines(plan, entity, index).lines:
            if line.startswith(b'{"type":"item"') and b"lastrevid" in line[-40:]:
                try:
                    value = json.loads(line)
                except ValueError:
                    continue
                if "id" in value and isinstance(value["lastrevid"], int):
                    by_id.setdefault(value["id"], []).append(value["lastrevid"])
    twice = [revisions for revisions in by_id.values() if len(revisions) > 1]
    assert twice
    assert all(newest > older for newest, older in twice)


def test_part_is_an_array() -> None:
    assert format_part([b"{}", b"[]"]) == b"[\n{},\n[]\n]\n"
