"""The report of a build: what was counted, rejected and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame

from everwhen.validate.suites import SuiteResult
from everwhen.validate.verification import Verification

MARKUP = re.compile(r"[\\`*\[\]<>|~&]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would take for more than text, an underscore within a word excepted."""


def list_record_counts(record_counts: Mapping[str, DataFrame]) -> list[dict[str, Any]]:
    """List the record counts of all stages in a fixed order.

    Args:
        record_counts: Table `record_counts` by stage.
    """
    rows = []
    for stage, df in record_counts.items():
        order = sorted(df.collect(), key=lambda r: (r["record_type"], r["status"], -r["records"], r["reason"]))
        rows += [{"stage": stage, **row.asDict()} for row in order]
    return rows


def build_report(
    manifest: Mapping[str, Any],
    books: Sequence[Mapping[str, Any]],
    suites: Sequence[SuiteResult],
    verified: Verification,
    sizes: Mapping[str, int],
    examples: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The report as data; no times and no paths, so that the same build gives the same report.

    Args:
        manifest: The dataset's manifest.
        books: The rows of `list_record_counts`.
        suites: What came of the expectation suites.
        verified: What came of the independent check.
        sizes: Bytes of the questions by column.
        examples: Some questions to read.
    """
    return {
        "version": manifest["version"],
        "snapshot": manifest["snapshot"],
        "rows": manifest["rows"],
        "rows_by_type": manifest["rows_by_type"],
        "rows_by_template": manifest["rows_by_template"],
        "bytes_by_column": dict(sizes),
        "to_read": [dict(row) for row in examples],
        "record_counts": [dict(row) for row in books],
        "suites": [{"suite": s.suite, "table": s.table, "expectations": s.checked, "met": s.passed} for s in suites],
        "answers": {
            "rows": verified.rows,
            "checked": verified.checked,
            "wrong": verified.wrong,
            "by_check": dict(verified.by_check),
        },
    }


def checks_passed(report: Mapping[str, Any]) -> str:
    """One line: expectations met and answers confirmed."""
    met = sum(s["met"] for s in report["suites"])
    expectations = sum(s["expectations"] for s in report["suites"])
    answers = report["answers"]
    confirmed = answers["checked"] - answers["wrong"]
    return f"{met} of {expectations} expectations met, {confirmed:,} of {answers['rows']:,} answers derived again"


def report_text(report: Mapping[str, Any]) -> str:
    """The report in Markdown."""
    lines = [f"# everwhen {report['version']}: report", ""]
    lines += [f"Snapshot {report['snapshot']}; {report['rows']:,} questions; {checks_passed(report)}.", ""]
    lines += ["## Questions", "", "| type | questions |", "| --- | ---: |"]
    lines += [f"| {name} | {count:,} |" for name, count in report["rows_by_type"].items()]
    lines += ["", "| template | questions |", "| --- | ---: |"]
    lines += [f"| {name} | {count:,} |" for name, count in report["rows_by_template"].items()]
    lines += ["", "## To read", "", "| type | question | answer |", "| --- | --- | --- |"]
    lines += [f"| {r['type']} | {_cell(r['question'])} | {_cell(', '.join(r['answer']))} |" for r in report["to_read"]]
    lines += ["", "## Size", "", "| column | bytes | bytes a row |", "| --- | ---: | ---: |"]
    sizes = report["bytes_by_column"]
    for name, size in [*sizes.items(), ("all", sum(sizes.values()))]:
        lines.append(f"| {name} | {size:,} | {size / max(report['rows'], 1):.2f} |")
    lines += ["", "## Record counts", "", "| stage | record type | status | reason | records | for example |"]
    lines += ["| --- | --- | --- | --- | ---: | --- |"]
    for row in report["record_counts"]:
        example = _cell("; ".join(row["examples"][:3]))
        place = f"{row['stage']} | {row['record_type']} | {row['status']}"
        lines.append(f"| {place} | {_cell(row['reason'])} | {row['records']:,} | {example} |")
    lines += ["", "## Expectations", "", "| suite | table | expectations | met |", "| --- | --- | ---: | ---: |"]
    lines += [f"| {s['suite']} | {s['table']} | {s['expectations']} | {s['met']} |" for s in report["suites"]]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text that stays in its cell of a Markdown table, and reads there as it is: it is no markup."""
    flat = " ".join(text.split())
    return MARKUP.sub(r"\\\g<0>", flat if len(flat) <= 160 else flat[:159] + "…")
