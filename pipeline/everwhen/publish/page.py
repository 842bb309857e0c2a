"""The page of the report: the results of all suites and checks, in one HTML file that opens without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from everwhen.publish.markdown import TEMPLATES
from everwhen.publish.report import list_absences
from everwhen.validate.suites import Failure, SuiteResult

PAGE = "report/index.html"
"""Its path in a dataset."""


def render_page(report: Mapping[str, Any], suites: Sequence[SuiteResult]) -> str:
    """Render the page; the same results give the same bytes.

    Args:
        report: The content of `report.json`; if a suite stopped the build, version and snapshot alone.
        suites: The results of the suites.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    environment.filters["thousands"] = "{:,}".format
    return environment.get_template("page.html.j2").render(
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
