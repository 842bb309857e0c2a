from __future__ import annotations

from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from everwhen.publish.report import explain_absence, render_report
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


@pytest.mark.parametrize("text", [*SOUND, "a\\", "\\|", "snake_case _x_ __y__", "~~x~~ ![y](z)", "a\n\n| b |\n# c"])
def test_texts_of_the_data_are_escaped(text: str) -> None:
    book = {"stage": "facts", "record_type": "line", "status": "rejected", "reason": f"bad: {text}", "records": 1}
    verification = {"rows": 1, "checked": 1, "wrong": 0}
    family = {"title": "Toy", "rows": 1, "counts": {"split": {"train": 1}}, "bytes_by_column": {"question": 7}}
    family |= {
        "checked": 1,
        "wrong": 0,
        "shortcuts": None,
        "shared_statements": None,
        "budgets": [{"budget": text, "asked": 9_000, "made": 8_999}],
        "show": ["type", "question", "answer"],
    }
    family |= {"samples": [{"type": "1a", "question": text, "answer": [text, "x"]}]}
    window = {"start": "1987-01-01", "end": "2023-12-31"}
    report = {"version": "v", "snapshot": "s", "window": window, "rows": 1, "families": {"toy": family}, "suites": []}
    report |= {"record_counts": [{**book, "examples": [text]}], "verification": verification}
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
