"""The report of a build: what was counted, rejected and checked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pyspark.sql import DataFrame

from everwhen.core.reasons import RejectReason
from everwhen.families.family_build import BudgetRows
from everwhen.publish.manifest import has_facts
from everwhen.publish.markdown import TEMPLATES, render_table, render_template
from everwhen.validate.suites import Failure, SuiteResult
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
        shared_statements: How many statements items are derived from, and how many of them in several splits
            (`FamilyRun.count_shared_statements`); None where there are no splits.
        budgets: The rows that its budgets ask for, and those that were made.
    """

    title: str
    show: tuple[str, ...]
    groups: Mapping[str, str]
    bytes_by_column: Mapping[str, int]
    samples: Sequence[Mapping[str, Any]]
    shortcuts: Mapping[str, Any] | None = None
    shared_statements: Mapping[str, int] | None = None
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
                **vars(family),
                **{key: manifest["families"][name][key] for key in ("rows", "counts")},
                "budgets": [asdict(one) for one in family.budgets],
                "groups": dict(family.groups),
                **{key: getattr(verified.families[name], key) for key in ("checked", "wrong")},
                "by_check": dict(verified.families[name].by_check),
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


HEAD = ("template", "shortcut", "rows", "decided", "accuracy", "score", "chance", "standard error")


def summarize_shortcuts(measured: Mapping[str, Any]) -> str:
    """Summarize in a line: how many templates are unmeasured, how many answered above chance, and by which worst.

    Args:
        measured: What `everwhen.evaluate.shortcuts.measure_shortcuts` returns.
    """
    worst = Counter(score["shortcut"] for score in measured["above_chance"])
    names = ", ".join(f"{name} ({templates})" for name, templates in sorted(worst.items(), key=lambda w: (-w[1], w[0])))
    templates, few = measured["templates"], len(measured["unmeasured"])
    rest = f"{few} have too few rows to be measured; of the other {templates - few}, " if few else ""
    line = f"of {templates} templates, {rest}{worst.total()} are answered above chance by a shortcut"
    return f"{line}: {names}" if names else line


def render_worst(measured: Mapping[str, Any]) -> str:
    """Render the summary, and the worst shortcut of each template that has one above chance."""
    summary = f"{summarize_shortcuts(measured).capitalize()}."
    return f"{summary}\n\n{_render(measured['above_chance'])}" if measured["above_chance"] else summary


def render_scores(measured: Mapping[str, Any]) -> str:
    """Render the summary, what is left out, and all scores, those above chance marked with an asterisk."""
    parts = [f"{summarize_shortcuts(measured).capitalize()}. An asterisk marks a score above chance."]
    parts += [f"Left out is {name}: {reason}." for name, reason in sorted(measured["left_out"].items())]
    return "\n\n".join([*parts, _render(measured["scores"], mark=r" \*")])


def _render(scores: Iterable[Mapping[str, Any]], mark: str = "") -> str:
    """Render scores as a Markdown table; `mark` follows those above chance."""
    rows = [
        (
            f"`{s['template_id']}`",
            s["shortcut"],
            f"{s['rows']:,}",
            f"{s['decided']:,}",
            f"{s['accuracy']:.3f}",
            f"{s['score']:.3f}" + (mark if s["is_above_chance"] else ""),
            f"{s['chance']:.3f}",
            f"{s['standard_error']:.3f}",
        )
        for s in scores
    ]
    return render_table(rows, HEAD, right=range(2, len(HEAD)))


PAGE = "report/index.html"
"""Its path in a dataset."""


def render_page(report: Mapping[str, Any], suites: Sequence[SuiteResult]) -> str:
    """Render the page; the same results give the same bytes.

    Args:
        report: The content of `report.json`; if a suite stopped the build, version and snapshot alone.
        suites: The results of the suites.
    """
    return render_template(
        TEMPLATES / "page.html.j2",
        report=report,
        suites=[_list_results(suite) for suite in suites],
        met=sum(suite.passed for suite in suites),
        expectations=sum(suite.checked for suite in suites),
        absent=list_absences(report) if "families" in report else {},
    )


def _list_results(suite: SuiteResult) -> dict[str, Any]:
    """List the expectations of a suite with status and reason, and with the rows that do not meet them."""
    failures = {failure.expectation: failure for failure in suite.failures}
    return {
        "table": suite.table,
        "suite": suite.suite,
        "met": suite.passed,
        "expectations": suite.checked,
        "results": [
            {"expectation": str(e), "why": e.meta.why, "found": _describe_failure(failures.get(str(e)))}
            for e in suite.expectations
        ],
    }


def _describe_failure(failure: Failure | None) -> dict[str, Any] | None:
    """Describe what was found in place of what was expected; None if the expectation is met."""
    if failure is None:
        return None
    summary = f"found {failure.observed}" if failure.rows_wrong is None else f"{failure.rows_wrong:,} rows"
    return {"summary": summary, "rows": [json.dumps(row, ensure_ascii=False, default=str) for row in failure.rows]}
