"""The report of a build: what was counted, rejected and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pyspark.sql import DataFrame

from everwhen.core.reasons import RejectReason
from everwhen.families.family_build import BudgetRows
from everwhen.publish.manifest import has_facts
from everwhen.publish.markdown import TEMPLATES, render_template
from everwhen.publish.shortcuts import render_scores, render_worst
from everwhen.validate.suites import SuiteResult
from everwhen.validate.verification import Verification

SHOWN_EXAMPLES = 5
"""Rejected records that the card shows."""

SHOWN_REASONS = 3
"""Reasons that a line names, those of most records."""


@dataclass(frozen=True)
class FamilyFigures:
    """What the report shows of one family.

    Attributes:
        title: Its name.
        show: The columns that an item is read by.
        groups: What the values of the first of them mean.
        bytes_by_column: Bytes of the items by column.
        samples: Some items to read.
        shortcuts: What shortcuts score on its questions; None where nothing is measured.
        shared: How many statements items are derived from, and how many of them in several splits
            (`FamilyRun.count_shared_statements`); None where there are no splits.
        budgets: The rows that its budgets ask for, and those that were made.
    """

    title: str
    show: tuple[str, ...]
    groups: Mapping[str, str]
    bytes_by_column: Mapping[str, int]
    samples: Sequence[Mapping[str, Any]]
    shortcuts: Mapping[str, Any] | None = None
    shared: Mapping[str, int] | None = None
    budgets: Sequence[BudgetRows] = ()


def list_record_counts(counts: Mapping[str, DataFrame]) -> list[dict[str, Any]]:
    """List the record counts of all stages, in a fixed order.

    Args:
        counts: Table `record_counts` by stage.
    """
    rows = []
    for stage, df in counts.items():
        order = sorted(df.collect(), key=lambda r: (r["record_type"], r["status"], -r["records"], r["reason"]))
        rows += [{"stage": stage, **row.asDict()} for row in order]
    return rows


def build_report(
    manifest: Mapping[str, Any],
    figures: Mapping[str, FamilyFigures],
    records: Sequence[Mapping[str, Any]],
    suites: Sequence[SuiteResult],
    verified: Verification,
) -> dict[str, Any]:
    """Build the report as data; no times and no paths, so that the same build gives the same report.

    Args:
        manifest: The dataset's manifest.
        figures: What is shown of each family, by name.
        records: The rows of `list_record_counts`.
        suites: The results of the expectation suites.
        verified: The result of the independent check.
    """
    return {
        "version": manifest["version"],
        "snapshot": manifest["snapshot"],
        "window": dict(manifest["window"]) if has_facts(manifest) else None,
        "rows": manifest["rows"],
        "families": {
            name: {
                "title": family.title,
                "rows": manifest["families"][name]["rows"],
                "counts": manifest["families"][name]["counts"],
                "budgets": [asdict(one) for one in family.budgets],
                "bytes_by_column": dict(family.bytes_by_column),
                "show": list(family.show),
                "groups": dict(family.groups),
                "samples": [dict(row) for row in family.samples],
                "checked": verified.families[name].checked,
                "wrong": verified.families[name].wrong,
                "by_check": dict(verified.families[name].by_check),
                "shortcuts": family.shortcuts,
                "shared_statements": None if family.shared is None else dict(family.shared),
            }
            for name, family in figures.items()
        },
        "record_counts": [dict(row) for row in records],
        "suites": [{"suite": s.suite, "table": s.table, "expectations": s.checked, "met": s.passed} for s in suites],
        "verification": {"rows": verified.rows, "checked": verified.checked, "wrong": verified.wrong},
    }


def summarize_checks(report: Mapping[str, Any]) -> str:
    """Summarize in a line: expectations met and items derived again."""
    met = sum(s["met"] for s in report["suites"])
    expectations = sum(s["expectations"] for s in report["suites"])
    verification = report["verification"]
    right = verification["checked"] - verification["wrong"]
    return f"{met} of {expectations} expectations met, {right:,} of {verification['rows']:,} answers derived again"


def explain_absence(report: Mapping[str, Any], name: str) -> str:
    """Explain in a line why a family has no items: what its stage read, and what it rejected for which reasons.

    Args:
        report: The content of `report.json`.
        name: The family.
    """
    counts = [row for row in report["record_counts"] if row["stage"] == name]
    parts = [
        _summarize_records(record_type, [row for row in counts if row["record_type"] == record_type])
        for record_type in dict.fromkeys(row["record_type"] for row in counts)
    ]
    return f"no items; {'; '.join(parts) or 'its stage counted no records'}"


def _summarize_records(record_type: str, counts: Sequence[Mapping[str, Any]]) -> str:
    """Summarize the record counts of one type: how many were read, and what rejected most of them."""
    read = sum(row["records"] for row in counts if row["status"] == "input")
    if not read:
        return f"{record_type}: none"
    rejected = {row["reason"]: row["records"] for row in counts if row["status"] == "rejected"}
    if not rejected:
        return f"{record_type}: {read:,} read, none rejected"
    first = sorted(rejected.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_REASONS]
    reasons = ", ".join(f"{reason}: {records:,}" for reason, records in first)
    more = ", …" if len(rejected) > SHOWN_REASONS else ""
    return f"{record_type}: {read:,} read, {sum(rejected.values()):,} rejected ({reasons}{more})"


def describe_unrecognised(report: Mapping[str, Any]) -> list[str]:
    """Describe in a line for each family what it does not ask, since the scorer does not recognise the answer."""
    found = [row for row in report["record_counts"] if row["reason"] == RejectReason.UNRECOGNISED_ANSWER]
    return [
        f"{report['families'][row['stage']]['title']}: {row['records']:,} of the type {row['record_type']}, such as"
        f" {'; '.join(row['examples'][:SHOWN_EXAMPLES])}"
        for row in found
    ]


def list_absences(report: Mapping[str, Any]) -> dict[str, str]:
    """List the families that have no items, each with why."""
    return {name: explain_absence(report, name) for name, family in report["families"].items() if not family["rows"]}


def render_report(report: Mapping[str, Any]) -> str:
    """Render the report in Markdown."""
    measured = {name: family["shortcuts"] for name, family in report["families"].items() if family["shortcuts"]}
    return render_template(
        TEMPLATES / "report.md.j2",
        report=report,
        checks=summarize_checks(report),
        worst={name: render_worst(scores) for name, scores in measured.items()},
        shortcuts={name: render_scores(scores) for name, scores in measured.items()},
        absent=list_absences(report),
    )
