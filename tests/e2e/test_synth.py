"""A synthetic world through the pipeline: what comes of it is what was planted."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.table import Table
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.plan import print_plan
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.tables.facts import REJECTS, STATEMENTS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import ATTRIBUTES, AWARDS, NAMES, POSITION_TERMS, SUBJECTS, TEMPORAL_FACTS
from shared_builds import SyntheticBuild

pytestmark = [pytest.mark.full, pytest.mark.spark]

TIMES = ("first_day", "start_last", "last_day", "start_precision", "precision")
BOUNDS = ("earliest_start", "latest_start", "latest_end", "start_precision", "precision")
Row = dict[str, Any]


@dataclass(frozen=True)
class Through:
    """A build of a synthetic world, and the folder of the world's truth."""

    build: Build
    truth: Path

    def planted(self, name: str) -> list[Row]:
        found: list[Row] = pq.read_table(self.truth / f"{name}.parquet").to_pylist()
        return found

    def made(self, table: Table) -> list[Row]:
        return [row.asDict(recursive=True) for row in self.build.read(table).collect()]


@pytest.fixture(scope="module")
def through(synthetic_build: SyntheticBuild) -> Through:
    return Through(synthetic_build.build, synthetic_build.truth)


@pytest.mark.parametrize("stage", ["facts", "world"])
def test_the_record_counts_are_those_that_were_planned(through: Through, stage: str) -> None:
    planned = {
        (row["record_type"], row["status"], row["reason"]): row["records"]
        for row in through.planted("record_counts")
        if row["stage"] == stage
    }
    types = {record_type for record_type, _, _ in planned}
    found = {
        (row["record_type"], row["status"], row["reason"]): row["records"]
        for row in through.made(record_counts(stage))
        if row["record_type"] in types
    }
    assert found == planned
    assert len(planned) > 20


def test_malformed_input_is_kept_with_its_reason(through: Through) -> None:
    """Rejects are the malformed part of what the books reject; what is out of scope is only counted."""
    found: dict[tuple[str, str], int] = {}
    for row in through.made(REJECTS):
        key = row["record_type"], row["reason"]
        found[key] = found.get(key, 0) + 1
    planned: dict[tuple[str, str], int] = {}
    for row in through.planted("faults"):
        key = row["record_type"], row["reason"]
        planned[key] = planned.get(key, 0) + row["records"]
    assert found.items() <= planned.items()
    left = {reason for _, reason in planned.keys() - found.keys()}
    assert left <= {
        *("array bracket or blank line", "out of scope: property", "out of scope: lexeme"),
        *("out of scope: datatype external-id", "older revision of the same entity"),
        *("entity is redirected by another line", "gives the date of the bullets below it"),
        *("not in the events section", "no event links to it", "another project", "another agent"),
        *("outside the period", "redirect occurs before", "a blank line", "a heading", "only layout"),
    }


def test_a_name_fits_one_entity_only_by_what_was_planned(through: Through) -> None:
    planned = {row["item"]: row["method"] for row in through.planted("entities") if row["method"]}
    found = {row["entity"]: row["method"] for row in through.made(NAMES)}
    assert found == planned
    ambiguous = {row["item"]: row["method"] for row in through.planted("ambiguous")}
    assert {"class", "year", None} <= set(ambiguous.values())
    assert {item: found.get(item) for item in ambiguous} == ambiguous


def times(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (row["list"], *(row[name] for name in TIMES))


def bounds(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (row["list"], *(row[name] for name in BOUNDS))


def test_dated_events_are_those_of_the_window(through: Through) -> None:
    planned = [row for row in through.planted("entities") if row["event"] and row["list"] and not row["reason"]]
    found = [row for row in through.made(SUBJECTS) if row["kind"] == "event"]
    assert {row["item_id"]: bounds(row) for row in found} == {row["item"]: times(row) for row in planned}
    linked = {row["item_id"] for row in found if row["source"] != "list"}
    assert linked == {row["item"] for row in planned if row["linked"]}
    assert {row["earliest_start"].year for row in found} == set(range(1987, 2024))
    assert dt.date(1987, 1, 1) <= min(row["earliest_start"] for row in found)


def test_items_are_those_with_a_name_and_enough_views(through: Through) -> None:
    planned = [row for row in through.planted("entities") if not row["event"] and row["list"] and not row["reason"]]
    found = [row for row in through.made(SUBJECTS) if row["kind"] == "item"]
    assert {row["item_id"]: bounds(row) for row in found} == {row["item"]: times(row) for row in planned}


def test_values_are_converted_and_chosen_as_planned(through: Through) -> None:
    planned = through.planted("values")
    planned_attributes = {row["attribute"] for row in planned}
    found = {
        (row["entity"], row["attribute"]): (row["amount"], row["value_item"])
        for row in through.made(ATTRIBUTES)
        if row["attribute"] in planned_attributes
    }
    kept = {(row["item"], row["attribute"]): (row["amount"], row["value_item"]) for row in planned if not row["reason"]}
    assert found == kept
    assert {row["reason"] for row in planned} >= {"several values", "value unknown"}


def test_terms_of_office_are_as_planned(through: Through) -> None:
    asked = {row["item"] for row in through.planted("entities") if row["list"] and not row["reason"]}
    terms = through.planted("terms")
    positions = {row["position"] for row in terms if row["holder"] in asked}
    planned = sorted(
        (row["position"], row["first_day"], row["holder"], row["last_day"] or dt.date.max)
        for row in terms
        if row["position"] in positions and not row["reason"]
    )
    found = sorted(
        (row["position_id"], row["earliest_start"], row["holder_id"], row["latest_end"] or dt.date.max)
        for row in through.made(POSITION_TERMS)
    )
    assert found == planned
    incomplete = {row["position"] for row in terms if row["reason"]}
    complete = {row["position_id"]: row["is_complete"] for row in through.made(POSITION_TERMS)}
    assert complete == {position: position not in incomplete for position in complete}
    assert {row["reason"] for row in terms if row["position"] in positions} - {None}


def test_terms_are_rejected_for_the_planned_reasons(through: Through) -> None:
    """Of the positions that somebody holds who is asked about."""
    asked = {row["item"] for row in through.planted("entities") if row["list"] and not row["reason"]}
    terms = through.planted("terms")
    positions = {row["position"] for row in terms if row["holder"] in asked}
    planned = Counter(row["reason"] for row in terms if row["position"] in positions and row["reason"])
    found = {
        row["reason"]: row["records"]
        for row in through.made(record_counts("world"))
        if row["record_type"] == "term" and row["status"] == "rejected"
    }
    assert found == planned


def test_what_is_doubtful_is_planted(through: Through) -> None:
    """In the small world, too: the comparisons of this module are of something."""
    statements = through.made(STATEMENTS)
    assert {row["snak"] for row in statements} == {"value", "somevalue", "novalue", "hedged", "unreadable"}
    hedges = {hedge for row in statements for hedge in row["hedges"] or ()}
    assert hedges >= {1310, 1319, 1326, 1480, 5102, 8554, 8555}
    assert {row["calendar"] for row in statements} == {"gregorian", "julian", None}
    assert any(row["before"] for row in statements)
    assert any(row["after"] for row in statements)


def test_awards_are_as_planned(through: Through) -> None:
    def key(row: Row) -> tuple[Any, ...]:
        never = dt.date.max
        return row["award"], row["first_day"] or never, row["recipient"], row["last_day"] or never

    assert sorted(map(key, through.made(AWARDS))) == sorted(map(key, through.planted("awards")))


def test_temporal_facts_are_as_planned(through: Through) -> None:
    """Those of careers and populations: of every property, with each kind of time and the reason of those without."""
    columns = ("value_item", "amount", "kind", "earliest_start", "latest_start", "start_precision")
    columns += ("earliest_end", "latest_end", "end_precision", "reason")
    planned = through.planted("temporal_facts")
    properties = {row["property"] for row in planned}
    assert properties == {26, 54, 69, 102, 108, 463, 1082}
    made = [row | {"subject": row["subject_id"], "value_item": row["value_id"]} for row in through.made(TEMPORAL_FACTS)]
    found = [row for row in made if row["property"] in properties]

    def count(rows: list[Row]) -> Counter[tuple[Any, ...]]:
        return Counter(tuple(row[name] for name in ("subject", "property", *columns)) for row in rows)

    assert count(found) == count(planned)
    assert {row["kind"] for row in planned} == {"closed", "begun", "ended", "point", None}


def count_made(through: Through) -> Counter[tuple[str, bool]]:
    """The questions by template, and by whether they describe somebody."""
    return Counter((row["template_id"], row["is_unnamed"]) for row in through.made(QUESTIONS))


def test_a_plan_prints_the_rows_that_a_build_makes_of_every_template(through: Through) -> None:
    """Within one per cent, without the rows that the lint rejects: here one in sixteen of those about directors."""
    text = io.StringIO()
    print_plan(through.build, Console(file=text, width=200))
    of_templates, _ = text.getvalue().split("asked about most")
    printed = re.findall(r"([\w.]+) +│ +([\d,]+) +│ +([\d,]+) ", of_templates)
    *lines, (last, *_) = [(name, *(int(rows.replace(",", "")) for rows in both)) for name, *both in printed]
    expected = {(name, False): named for name, named, _ in lines} | {
        (name, True): unnamed for name, _, unnamed in lines
    }
    made = count_made(through)
    assert last == "all"
    assert set(made) <= set(expected)
    assert {key: (rows, made[key]) for key, rows in expected.items() if abs(rows - made[key]) > 0.01 * made[key]} == {}
    assert f"{sum(expected.values()):,} rows, about" in text.getvalue()


def test_the_report_has_the_rows_asked_and_made_of_every_budget(through: Through) -> None:
    dataset = Path(through.build.root) / "dataset" / "synthetic"
    made = count_made(through)
    expected = [
        {
            "budget": f"{', '.join(budget.templates)}: {'unnamed' if is_unnamed else 'named'}",
            "asked": asked,
            "made": sum(
                rows
                for (template, described), rows in made.items()
                if described == is_unnamed and any(fnmatchcase(template, pattern) for pattern in budget.templates)
            ),
        }
        for budget in read_settings(through.build.config).budgets
        for is_unnamed, asked in ((False, budget.rows), (True, budget.unnamed))
        if asked
    ]
    report = json.loads((dataset / "report.json").read_text())
    assert report["families"]["complextempqa"]["budgets"] == expected
    text = (dataset / "report.md").read_text()
    assert all(f"{one['asked']:,} | {one['made']:,} |" in text for one in expected)
    assert sum(one["made"] for one in expected) == sum(made.values())
