"""The page of the report shows every result, escapes what it shows, and fetches nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from markdown_it import MarkdownIt

from everwhen.publish.report import (
    explain_absence,
    render_page,
    render_report,
    render_scores,
    render_worst,
    summarize_shortcuts,
)
from everwhen.validate.suites import Expectation, Failure, SuiteResult
from hostile_world import SOUND


class Cells(HTMLParser):
    """The cells of all tables of a page, and the names of its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.elements: set[str] = set()
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1] += data


def describe_report(**changes: Any) -> dict[str, Any]:
    """A report of a family of one row."""
    family = {"title": "Toy", "rows": 1, "counts": {"split": {"train": 1}}, "bytes_by_column": {"question": 7}}
    family |= {"checked": 1, "wrong": 0, "shortcuts": None, "shared_statements": None, "budgets": [], "samples": []}
    family |= {"show": ["type", "question", "answer"], **changes}
    window = {"start": "1987-01-01", "end": "2023-12-31"}
    report = {"version": "v", "snapshot": "s", "window": window, "rows": 1, "families": {"toy": family}, "suites": []}
    return report | {"record_counts": [], "verification": {"rows": 1, "checked": 1, "wrong": 0}}


@pytest.mark.parametrize("text", [*SOUND, "a\\", "\\|", "snake_case _x_ __y__", "~~x~~ ![y](z)", "a\n\n| b |\n# c"])
def test_texts_of_the_data_are_escaped(text: str) -> None:
    family = {
        "budgets": [{"budget": text, "asked": 9_000, "made": 8_999}],
        "samples": [{"type": "1a", "question": text, "answer": [text, "x"]}],
    }
    book = {"stage": "facts", "record_type": "line", "status": "rejected", "reason": f"bad: {text}", "records": 1}
    report = describe_report(**family) | {"record_counts": [{**book, "examples": [text]}]}
    page = Cells(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(render_report(report)))
    flat = " ".join(text.split())
    shown, reason = (t if len(t) <= 160 else t[:159] + "…" for t in (flat, f"bad: {flat}"))
    assert page.cells[-10:-4] == ["facts", "line", "rejected", reason, "1", shown]
    budget = page.cells.index("9,000")
    assert page.cells[budget - 1 : budget + 2] == [shown, "9,000", "8,999"]
    asked = page.cells.index("1a")
    assert page.cells[asked : asked + 2] == ["1a", shown]
    assert page.elements == {
        "a",
        "li",
        "ul",
        "h1",
        "h2",
        "h3",
        "p",
        "code",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }


@pytest.mark.parametrize(("supported", "sentences"), [(7, 1), (5, 2)])
def test_rows_that_rest_on_no_statement_are_told(supported: int, sentences: int) -> None:
    shared = {"statements": 3, "items": supported, "looked_at": 7, "shared": 1}
    found = [
        f"3 statements support {supported} rows; 1 of them support rows of several splits.",
        "The others of the 7 rows that were looked at rest on no statement.",
    ]
    page = render_report(describe_report(shared_statements=shared))
    assert [line for line in page.splitlines() if "statement" in line] == found[:sentences]


def test_a_family_without_items_says_what_was_rejected_most() -> None:
    rejected = {"end before start": 3, "no start": 3, "unknown end": 12_000, "duplicate row": 1, "no value": 2}
    records = [("row", "rejected", reason, number) for reason, number in rejected.items()]
    records += [("row", "input", "", 12_010), ("row", "kept", "", 1), ("candidate", "input", "", 4)]
    records += [("candidate", "kept", "", 4), ("question", "input", "", 0)]
    names = ("record_type", "status", "reason", "records")
    counts = [{"stage": "toy", **dict(zip(names, record, strict=True))} for record in records]
    other = {"stage": "facts", "record_type": "line", "status": "input", "reason": "", "records": 7}
    assert explain_absence({"record_counts": [other, *counts]}, "toy") == (
        "no items; row: 12,010 read, 12,009 rejected (unknown end: 12,000, end before start: 3, no start: 3, …);"
        " candidate: 4 read, none rejected; question: none"
    )
    assert explain_absence({"record_counts": [other]}, "toy") == "no items; its stage counted no records"


def score(template: str, shortcut: str, above: bool = True) -> dict[str, Any]:
    counts = {"rows": 1000, "decided": 500, "hits": 450, "accuracy": 0.9, "score": 0.7, "chance": 0.5}
    return {
        "template_id": template,
        "shortcut": shortcut,
        **counts,
        "standard_error": 0.0112,
        "is_above_chance": above,
    }


WORST = [score("a", "class"), score("b", "always no"), score("c", "class")]
MEASURED = {
    "templates": 7,
    "unmeasured": [],
    "above_chance": WORST,
    "scores": [*WORST, score("d", "class", above=False)],
    "left_out": {"size of the country": "no population"},
}


@pytest.mark.parametrize(
    ("above", "line"),
    [
        (WORST, "of 7 templates, 3 are answered above chance by a shortcut: class (2), always no (1)"),
        ([], "of 7 templates, 0 are answered above chance by a shortcut"),
    ],
)
def test_summary_counts_templates_by_their_worst_shortcut(above: list[dict[str, Any]], line: str) -> None:
    measured = {**MEASURED, "above_chance": above}
    assert summarize_shortcuts(measured) == line
    assert render_worst(measured).startswith(f"O{line[1:]}.")


def test_summary_does_not_count_as_passed_what_is_unmeasured() -> None:
    few = "2 have too few rows to be measured; of the other 5, 0 are answered above chance by a shortcut"
    measured = {**MEASURED, "above_chance": [], "unmeasured": ["e", "f"]}
    assert summarize_shortcuts(measured) == f"of 7 templates, {few}"


def test_card_has_the_worst_and_report_has_all_and_what_is_left_out() -> None:
    assert render_worst(MEASURED).splitlines()[2:5] == [
        "| template | shortcut | rows | decided | accuracy | score | chance | standard error |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| `a` | class | 1,000 | 500 | 0.900 | 0.700 | 0.500 | 0.011 |",
    ]
    lines = render_scores(MEASURED).splitlines()
    assert lines[2] == "Left out is size of the country: no population."
    assert lines[-2:] == [
        "| `c` | class | 1,000 | 500 | 0.900 | 0.700 \\* | 0.500 | 0.011 |",
        "| `d` | class | 1,000 | 500 | 0.900 | 0.700 | 0.500 | 0.011 |",
    ]


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
