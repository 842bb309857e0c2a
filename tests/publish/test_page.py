"""The page of the report shows every result, escapes what it shows, and fetches nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from everwhen.publish.page import render_page
from everwhen.validate.suites import Expectation, Failure, SuiteResult

HEADS = {"version": "1", "snapshot": "2025-01-01"}
REPORT = {
    **HEADS,
    "rows": 1000,
    "window": {"start": "1987-01-01", "end": "2023-12-31"},
    "verification": {"rows": 1000, "checked": 1000, "wrong": 0},
    "families": {"f": {"title": "F", "rows": 1000, "checked": 1000, "by_check": {"answer": 0, "text": 0}}},
    "record_counts": [
        {"stage": "facts", "record_type": "line", "status": "rejected", "reason": "not JSON: <b>", "records": 1234}
    ],
}


def expect(column: str) -> Expectation:
    """An expectation on a column."""
    values = {"column": column, "value_set": [True]}
    return Expectation.model_validate(
        {"type": "expect_column_values_to_be_in_set", "kwargs": values, "meta": {"why": f"{column} is <true>"}}
    )


def result(
    *failed: str, rows: tuple[dict[str, Any], ...] = ({"question": "<script>alert(1)</script>"},)
) -> SuiteResult:
    """The result of a suite with two expectations, some of them not met."""
    expectations = (expect("first"), expect("second"))
    failures = tuple(Failure(str(expect(c)), f"{c} is <true>", 2, None, rows) for c in failed)
    return SuiteResult("questions", "f-questions", expectations, failures)


class Reader(HTMLParser):
    """Collects the texts, ids and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag, and what it names."""
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.addresses += [value for name, value in attrs if name in {"href", "src", "srcset", "action"} and value]

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.texts.append(" ".join(data.split()))


def read(page: str) -> Reader:
    """Read a page as a browser does."""
    reader = Reader()
    reader.feed(page)
    return reader


@pytest.mark.parametrize("suites", [[result()], [result("first")]], ids=["passed", "failed"])
def test_nothing_is_fetched_and_every_link_leads_somewhere(suites: list[SuiteResult]) -> None:
    page = render_page(REPORT, suites)
    found = read(page)
    assert set(found.tags) & {"script", "img", "iframe", "object", "video"} == set()
    inside = {f"#{name}" for name in found.ids}
    files = {"data:,", "../report.md", "../report.json", "../README.md"}
    assert set(found.addresses) <= inside | files
    assert re.findall(r"https?:|//|url\(|@import", page) == []


def test_each_expectation_has_its_status_and_reason() -> None:
    texts = read(render_page(REPORT, [result("second")])).texts
    places = [texts.index(why) for why in ("first is <true>", "second is <true>")]
    assert [next(t for t in texts[place + 1 :] if t in {"passed", "failed"}) for place in places] == [
        "passed",
        "failed",
    ]
    assert "2 rows" in texts


def test_the_status_of_the_dataset_is_text() -> None:
    texts = " ".join(read(render_page(REPORT, [result()])).texts)
    assert "Snapshot 2025-01-01; 1,000 questions about 1987-01-01 to 2023-12-31." in texts
    assert "Status: passed. 2 of 2 expectations met. 1,000 of 1,000 questions derived again, 0 wrong." in texts
    wrong = {**REPORT, "verification": {"rows": 1000, "checked": 1000, "wrong": 1}}
    assert "Status: failed" in " ".join(" ".join(read(render_page(wrong, [result()])).texts).split())


def test_rows_and_reasons_are_text_and_no_markup() -> None:
    found = read(render_page(REPORT, [result("first")]))
    assert '{"question": "<script>alert(1)</script>"}' in found.texts
    assert "not JSON: <b>" in found.texts
    assert "script" not in found.tags


def test_a_build_that_a_suite_stopped_has_a_page() -> None:
    text = " ".join(read(render_page(HEADS, [result("first")])).texts)
    assert "1 of 2 expectations met. Nothing was published." in text
