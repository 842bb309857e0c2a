"""Entries of year pages in every shape, and that each line of a page is counted as what it is."""

from __future__ import annotations

import pytest

from everwhen.wikitext.page_lines import count_lines, split_page
from everwhen.wikitext.year_page import parse_bullets

D = "1990-05-0"
HEADING_BULLET, UNREAD = "gives the date of the bullets below it", "a template that is not read"

SHAPES = {
    "indented-bullets": (
        ":* [[May 1]] – The [[a]] begins.\n::* B\n",
        [(2, f"{D}1", "The a begins."), (3, f"{D}1", "B")],
    ),
    "definitions": (
        "; [[May 1]]\n: A\n: B\n;May 2: C\n* D\n",
        [(2, HEADING_BULLET, "May 1"), (3, f"{D}1", "A"), (4, f"{D}1", "B"), (5, f"{D}2", "C"), (6, f"{D}2", "D")],
    ),
    "numbers": ("# [[May 1]] – A\n## B\n#* C\n", [(2, f"{D}1", "A"), (3, f"{D}1", "B"), (4, f"{D}1", "C")]),
    "continued": (
        "* [[May 1]] – A\n*: B\n*: [[May 2]]: C\n",
        [(2, f"{D}1", "A"), (3, f"{D}1", "B"), (4, f"{D}2", "C")],
    ),
    "table": (
        '{| class="wikitable"\n|+ Title\n! Date !! Event\n|-\n| [[May 1]] || style="x" | The [[a|b]] begins.\n'
        "|-\n| rowspan=2 | May 2\n| C\nand more\n|-\n| D\n|-\n| E || F\n|}\n* G\n",
        [
            (6, f"{D}1", "The b begins."),
            (8, f"{D}2", "C and more"),
            (12, f"{D}2", "D"),
            (14, "no date", "E F"),
            (16, "no date", "G"),
        ],
    ),
    "table-with-the-date-in-another-column": (
        '{|\n|-\n! scope="row" | 1\n| A\n| [[May 1|1 May]]\n|-\n| B || May 1 || May 5\n|-\n| C || 5\n',
        [(4, f"{D}1", "1 A"), (8, "several dates", "May 1, May 5: B"), (10, "no date", "C 5")],
    ),
    "table-of-lists": (
        "{|\n|\n* [[May 1]] – A\n|\n* B\n|-\n| May 2\n|\n* C\n* D\n|}\n",
        [(4, f"{D}1", "A"), (6, "no date", "B"), (8, HEADING_BULLET, "May 2:"), (10, f"{D}2", "C"), (11, f"{D}2", "D")],
    ),
    "table-never-closed": (
        "{|\n| May 1 || A\n=== June ===\n* [[May 2]] – B\n",
        [(3, f"{D}1", "A"), (5, f"{D}2", "B")],
    ),
    "html-table": (
        "<table>\n<tr><th>Date</th><th>Event</th></tr>\n<tr>\n<td rowspan=2>[[May 1]]</td>\n<td>A\ngoes on</td></tr>\n"
        "<tr><td>B</td></tr>\n<tr><td>C</td><td>D</td></tr></table>\n* E\n",
        [(5, f"{D}1", "A goes on"), (8, f"{D}1", "B"), (9, "no date", "C D"), (10, "no date", "E")],
    ),
    "indented-table": (":{|\n|-\n| May 1 || A\n|}\n", [(4, f"{D}1", "A")]),
    "bullets-in-a-template": (
        "{{Plainlist|\n* [[May 1]] – A\n** B\n}}\n{{columns-list|colwidth=30em|\n* [[May 2]] – C\n}}\n* D\n",
        [(3, f"{D}1", "A"), (4, f"{D}1", "B"), (7, f"{D}2", "C"), (9, "no date", "D")],
    ),
    "bullets-in-an-unknown-template": (
        "{{Box\n| title = x\n| list =\n* [[May 1]] – A\n* B\n| z = 1\n}}\n",
        [(5, f"{D}1", "A"), (6, "no date", "B")],
    ),
    "bullets-in-a-template-of-one-line": (
        "{{Plainlist| * [[May 1]] – A * [[May 2]] – B }}\n",
        [(2, f"{D}1", "A"), (2, f"{D}2", "B")],
    ),
    "items-of-a-template": (
        "{{bulleted list\n|[[May 1]] – A [[b|c]]\n| [[May 2]] – B\ngoes on\n|May 3: C {{circa|1650}}\n}}\n",
        [(3, f"{D}1", "A c"), (4, f"{D}2", "B goes on"), (6, f"{D}3", "C c. 1650")],
    ),
    "items-below-a-bullet": (
        "* [[May 1]]: {{bulleted list|A|B}}\n* [[May 2]]\n** C {{ubl|D}}\n",
        [
            (2, HEADING_BULLET, "May 1:"),
            (2, f"{D}1", "A"),
            (2, f"{D}1", "B"),
            (3, HEADING_BULLET, "May 2"),
            (4, f"{D}2", "C"),
            (4, f"{D}2", "D"),
        ],
    ),
    "html": (
        "<ul>\n<li>[[May 1]] – A</li>\n<li>\n[[May 2]] – B\ngoes on</li>\n<li>May 3<ol><li>C<li>D</ol></li>\n</ul>\n",
        [
            (3, f"{D}1", "A"),
            (4, f"{D}2", "B goes on"),
            (7, HEADING_BULLET, "May 3"),
            (7, f"{D}3", "C"),
            (7, f"{D}3", "D"),
        ],
    ),
    "html-definitions": (
        "<dl><dt>May 1</dt><dd>A</dd><dd>B</dd></dl>\n",
        [(2, HEADING_BULLET, "May 1"), (2, f"{D}1", "A"), (2, f"{D}1", "B")],
    ),
    "paragraphs": (
        "[[May 1]] – A\n\nThe [[world]] was.\n'''May 2'''\n* B\n",
        [(2, f"{D}1", "A"), (4, "no date", "The world was."), (5, HEADING_BULLET, "May 2"), (6, f"{D}2", "B")],
    ),
    "two-dates-in-a-bullet": (
        "* [[May 1]] – A<br>[[May 2]] – B<br />more\n",
        [(2, f"{D}1", "A"), (2, f"{D}2", "B more")],
    ),
    "references-of-several-lines": (
        "* [[May 1]] – A<ref>{{Cite web\n|url=x\n|title=* y\n}}</ref> goes on.<ref name=a>\n* x\n</ref>\n"
        "* [[May 2]] – B\n",
        [(2, f"{D}1", "A goes on."), (8, f"{D}2", "B")],
    ),
    "template-of-an-event": (
        "{{Event|May 1|A}}\n* {{Event|May 1|A}}\n* May 1 – {{Event|A}}\n",
        [(2, UNREAD, "{{Event|May 1|A}}"), (3, UNREAD, "* {{Event|May 1|A}}"), (4, UNREAD, "* May 1 – {{Event|A}}")],
    ),
    "template-for-a-date-in-a-cell-or-item": (
        "{|\n|{{dts|May 1}}||A\n|}\n* [[May 1]]\n** {{ubl|{{dts|May 2}} – B}}\n",
        [
            (3, UNREAD, "|{{dts|May 1}}||A"),
            (5, HEADING_BULLET, "May 1"),
            (6, HEADING_BULLET, ""),
            (6, UNREAD, "** {{ubl|{{dts|May 2}} – B}}"),
        ],
    ),
    "frames": ("{{Hidden begin}}\n* May 1 – A\n{{hidden end}}\n{{plainlist}}\n", [(3, f"{D}1", "A")]),
    "empty": ("*\n* [[File:x.jpg|thumb|[[a]]]]\n", [(2, "no text", ""), (3, "no text", "")]),
}
"""By name, the wikitext, and of each entry its line, its day or reason, and its text."""


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_of_an_entry_is_read_or_rejected(name: str) -> None:
    wikitext, expected = SHAPES[name]
    page = f"== Events ==\n{wikitext}"
    lines, _ = split_page(page)
    bullets = parse_bullets(1990, lines)
    assert [(b.line, b.reason or str(b.first_day), b.text) for b in bullets] == expected
    assert sum(count_lines(lines).values()) == page.count("\n") + 1


def test_lines_are_counted_as_what_they_are() -> None:
    page = (
        "{{Year nav|1990}}\n'''1990''' was a year.\n\n== Events ==\n{{Main|x}}\n<!-- a\n b -->\n[[File:x.jpg|thumb|"
        "a\n[[b]]]]\n* [[May 1]] – A<ref>\n</ref>\n{|\n! Date !! Event\n|-\n|\n|}\n----\n\n"
        "== Births ==\n* [[May 2]] – B\nNobody.\n"
        "{|\n| May 3 || C\n|}\n[[Category:1990]]"
    )
    lines, has_events = split_page(page)
    assert has_events
    assert count_lines(lines) == {
        None: 3,
        "a heading": 3,
        "a blank line": 2,
        "not in the events section": 3,
        "only layout": 14,
    }
    assert [line.number for line in lines if line.reason is None] == [10, 20]


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
def test_every_line_break_counts(break_: str) -> None:
    page = break_.join(["== Events ==", "* May 1 – A<!--", "-->", "* May 2 – B"])
    lines, _ = split_page(page)
    assert [(line.number, line.lines) for line in lines] == [(1, 1), (2, 2), (4, 1)]
