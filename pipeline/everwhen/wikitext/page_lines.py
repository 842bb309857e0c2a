"""The wikitext of a year page to entries and to lines that state nothing: each line of the page is one or the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from everwhen.core.reasons import RejectReason
from everwhen.wikitext.dates import DATE_ALONE, MONTH
from everwhen.wikitext.markup import BREAK, JOIN, LINE_END, SPACE, add_outermost, find_marker, join_lines, strip_markup
from everwhen.wikitext.templates import GAP

LIST_LINE = re.compile(r"[ \t]*([*#:;]+)[ \t]*(.*)", re.DOTALL)
HEADING = re.compile(r"(={1,6})\s*(.+?)\s*\1\s*")
MAX_HEADING = 500
"""Characters of the longest heading: the time of matching grows with the square of a line's length."""
HTML_TABLE = re.compile(r"<(/?)(table|caption|tr|td|th)\b([^<>]*)>", re.IGNORECASE)
TABLE_MARKUP = {"table": "{|", "caption": "|+", "tr": "|-", "td": "|", "th": "!"}
ITEM_MARKERS = {"li": "*", "dt": ";", "dd": ":"}
HTML_LIST = re.compile(r"<(/?)(ul|ol|dl|li|dt|dd)\b[^<>]*>", re.IGNORECASE)
CONTINUED = re.compile(r"\n(?=[ \t]*[^\s=*#:;|!{])")
"""The end of a line within an item of an HTML list, where the next line begins nothing else."""
IMAGE = re.compile(r"\[\[\s*(?:file|image)\s*:", re.IGNORECASE)
BRACKETS = re.compile(r"\[\[|\]\]")
MAX_IMAGE = 5_000
"""Characters of the longest image with its caption: what is longer is one that was never closed."""
SILENT = re.compile(r"\[\[\s*category\s*:[^\]]{0,500}\]\]|<[^<>]*>|__[A-Z]+__", re.IGNORECASE)
"""What a line may have that no reader sees as text."""
DATED_BREAK = re.compile(rf"<[bB][rR]\s*/?>\s*(?='*(?:\[\[)?(?:(?:{MONTH}) [0-9]|[0-9]{{1,2}} (?:{MONTH})\b))")
"""A line break within an entry before what begins with a date."""
TABLE_START = re.compile(r":*[ \t]*\{\|")
ATTRIBUTES = re.compile(r"[^\[\]|]*\|(?!\|)")
"""What precedes the content of a table's cell."""
ROWSPAN = re.compile(r"rowspan\s*=\s*[\"']?\s*([0-9]{1,3})", re.IGNORECASE)
LINK_MARKUP = re.compile(r"\[\[(?:[^\[\]|]*\|)?|\]\]|'{2,}")
MAX_LIST_DEPTH = 20
"""How deep lists are told apart: tags that are never closed would deepen them without end."""


@dataclass(frozen=True)
class PageLine:
    """An entry of a page, or lines of it that state nothing.

    Attributes:
        number: Where it begins: the line of the page, from 1.
        lines: How many lines of the page it takes; 0 where another entry begins in the same line.
        reason: Why it is no entry; None for an entry.
        content: The entry's wikitext, stripped of what is no text.
        source: The page's line, where a template that is not read was in it; else empty.
        depth: How deep it is nested: 0 of paragraphs and rows of tables, from 1 of list items, between the two where
            others of their kind are above it.
        in_events: Whether the events section has it.
        section: What it is in: dates above it count within the same only.
        has_children: Whether deeper entries follow.
    """

    number: int
    lines: int
    reason: str | None
    content: str = ""
    source: str = ""
    depth: float = 0
    in_events: bool = False
    section: int = 0
    has_children: bool = False


def split_page(wikitext: str) -> tuple[list[PageLine], bool]:
    """Split a page into its entries and the lines that state nothing, and say whether it has a section Events.

    An entry is an item of a list, be it of wikitext, of HTML or in a template; in the events section also a paragraph
    or a row of a table.
    """
    splitter = _Splitter(wikitext.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    stripped = HTML_TABLE.sub(_write_table_markup, _remove_images(strip_markup(wikitext)))
    stripped = _flatten_html_lists(stripped)
    number, end, waiting = 1, "\n", 0
    parts = LINE_END.split(stripped)
    for text, after in zip(parts[::2], [*parts[1::2], ""], strict=True):
        lines = waiting + text.count(JOIN) + (end == "\n")
        waiting = 0
        content = text.replace(JOIN, " ")
        if after == BREAK and not content.strip(SPACE):
            waiting = lines  # what begins a line of the page alone belongs to the entry after it
        else:
            splitter.add(PageLine(number, lines, None, content))
        number += text.count(JOIN) + (after == "\n")
        end = after
    splitter.close_row()
    return _mark_parents(splitter.found), splitter.has_events


def count_lines(lines: Sequence[PageLine]) -> Counter[str | None]:
    """Count the lines of a page by why they are no entry; None: they are one."""
    counts: Counter[str | None] = Counter()
    for line in lines:
        counts[line.reason] += line.lines
    return counts


@dataclass
class _Splitter:
    """Takes the lines of a page in order, and knows in which section and table it is."""

    source: Sequence[str]
    found: list[PageLine] = field(default_factory=list)
    in_events: bool = False
    has_events: bool = False
    section: int = 0
    tables: int = 0
    covered: int = 0
    """How many rows of the table the first cell of an earlier one still covers."""
    is_row_begun: bool = False
    cells: list[PageLine] = field(default_factory=list)
    """The cells of the row that is open."""
    is_header: bool = True

    def add(self, line: PageLine) -> None:
        """Add a line: its content decides what it is."""
        text = line.content.strip(SPACE + GAP)
        if not self._add_layout(line, text):
            self._add_content(line, text)

    def _add_layout(self, line: PageLine, text: str) -> bool:
        """Add a heading, or what begins or ends a table or one of its rows; False for any other line."""
        if text.startswith("=") and (heading := HEADING.fullmatch(text[:MAX_HEADING])):
            self._leave_table()
            if len(heading[1]) <= 2:
                self.in_events = heading[2].strip("' ").casefold() == "events"
                self.has_events = self.has_events or self.in_events
            self._skip(line, RejectReason.HEADING)
            return True
        ends = text.startswith("|}")
        if ends or TABLE_START.match(text):
            self._leave_table()
            self.tables = int(not ends)
        elif text.startswith(("|-", "|+")):
            self.close_row()
            if text.startswith("|-"):
                self._begin_row()
        else:
            return False
        self._skip(line, RejectReason.ONLY_LAYOUT)
        return True

    def _add_content(self, line: PageLine, text: str) -> None:
        """Add the cells of a row, an item of a list, a paragraph or a line of no text."""
        if text.startswith("|") or (self.tables and text.startswith("!")):
            self._add_cells(line, text)
        elif found := LIST_LINE.fullmatch(line.content):
            self.close_row()
            depth = len(found[1]) - (0.5 if found[1].endswith(";") else 0)
            self._add_entry(replace(line, content=found[2], depth=depth))
        elif not _has_text(line.content):
            self._skip(line, self._describe_empty(line))
        elif self.cells:
            self.cells[-1] = _join(self.cells[-1], line)
        else:
            self._add_entry(line)

    def close_row(self) -> None:
        """Add the row whose cells have been read; more cells of the same row come below it."""
        if not self.cells:
            return
        cells = [cell.content for cell in self.cells]
        row = replace(self.cells[0], lines=sum(cell.lines for cell in self.cells), content=_join_cells(cells))
        is_header, self.cells, self.is_header = self.is_header, [], True
        if not _has_text(row.content):
            self._skip(row, RejectReason.ONLY_LAYOUT)
        elif is_header:
            self._skip(row, RejectReason.HEADING)
        else:
            self._add_entry(row)

    def _begin_row(self) -> None:
        if self.is_row_begun and self.covered:
            self.covered -= 1
        if not self.covered:
            self.section += 1
        self.is_row_begun = False

    def _leave_table(self) -> None:
        self.close_row()
        self.section += 1
        self.tables = self.covered = 0
        self.is_row_begun = False

    def _add_cells(self, line: PageLine, text: str) -> None:
        """Add the cells of one line to the row that is open; a second part of a row is nested in the first."""
        marker, rest, depth = text[0], text[1:], self._find_depth()
        self.is_header = self.is_header and marker == "!"
        for position, cell in enumerate(re.split(r"\|\||!!" if marker == "!" else r"\|\|", rest)):
            attributes = ATTRIBUTES.match(cell)
            if attributes and not self.is_row_begun and (spanned := ROWSPAN.search(attributes[0])):
                self.covered = int(spanned[1])
            self.is_row_begun = True
            content = cell[attributes.end() :] if attributes else cell
            lines = 0 if position else line.lines
            self.cells.append(replace(line, lines=lines, content=content.strip(SPACE), depth=depth))

    def _find_depth(self) -> float:
        """How deep a cell is: as the row that is open, below the part of the row that is closed, or a row's own."""
        if self.cells:
            return self.cells[0].depth
        if self.is_row_begun:
            return 0.5
        return 0.25 if self.covered else 0

    def _add_entry(self, line: PageLine) -> None:
        """Add an entry, and what its line breaks divide; outside the events only items of lists are entries."""
        if line.depth < 1 and not self.in_events:
            self._skip(line, RejectReason.OUTSIDE_EVENTS)
            return
        source = self.source[line.number - 1].strip()[:200] if GAP in line.content else ""
        entry = replace(line, source=source, in_events=self.in_events, section=self.section)
        for position, content in enumerate(DATED_BREAK.split(line.content)):
            self.found.append(replace(entry, content=content, lines=0 if position else line.lines))

    def _skip(self, line: PageLine, reason: str) -> None:
        if line.lines:
            self.found.append(replace(line, reason=reason, in_events=self.in_events, section=self.section))

    def _describe_empty(self, line: PageLine) -> str:
        is_blank = not any(text.strip() for text in self.source[line.number - 1 : line.number - 1 + line.lines])
        return RejectReason.BLANK_PAGE_LINE if is_blank else RejectReason.ONLY_LAYOUT


def _has_text(content: str) -> bool:
    return any(character.isalnum() or character == GAP for character in SILENT.sub("", content))


def _join(line: PageLine, more: PageLine) -> PageLine:
    return replace(line, content=f"{line.content} {more.content}", lines=line.lines + more.lines)


def _join_cells(cells: Sequence[str]) -> str:
    """Join the cells of a row to what a bullet would say: its dates first, then the rest."""
    dates = [cell for cell in cells if _is_date(cell)]
    rest = " ".join(cell for cell in cells if not _is_date(cell))
    return f"{', '.join(dates)}: {rest}" if dates else rest


def _is_date(cell: str) -> bool:
    text = LINK_MARKUP.sub("", cell[:200]).replace("&nbsp;", " ").strip()
    return DATE_ALONE.fullmatch(text) is not None


def _mark_parents(lines: Sequence[PageLine]) -> list[PageLine]:
    """Mark the entries below which deeper ones follow at once."""
    marked = list(lines)
    entries = [position for position, line in enumerate(lines) if line.reason is None]
    for position, next_ in pairwise(entries):
        line, below = lines[position], lines[next_]
        if line.depth < below.depth and line.section == below.section:
            marked[position] = replace(line, has_children=True)
    return marked


def _remove_images(stripped: str) -> str:
    """Remove images with their captions, which may have links and several lines."""
    images: list[tuple[int, int]] = []
    opened: list[int] = []
    for bracket in BRACKETS.finditer(stripped):
        if bracket[0] == "[[":
            opened.append(bracket.start())
        elif opened:
            start = opened.pop()
            if bracket.end() - start <= MAX_IMAGE and IMAGE.match(stripped, start):
                add_outermost(images, start, bracket.end())
    parts, position = [], 0
    for start, end in images:
        parts += [stripped[position:start], join_lines(stripped[start:end])]
        position = end
    return "".join([*parts, stripped[position:]])


def _write_table_markup(tag: re.Match[str]) -> str:
    """Write a tag of an HTML table as wikitext does."""
    name = tag[2].lower()
    if tag[1]:
        return f"{BREAK}|}}{BREAK}" if name == "table" else ""
    attributes = tag[3].strip(" /")
    return BREAK + TABLE_MARKUP[name] + (f" {attributes} |" if attributes and name in ("td", "th") else " ")


def _flatten_html_lists(stripped: str) -> str:
    """Write the items of HTML's lists as lines of wikitext, below the marker of the line that has the list."""
    parts: list[str] = []
    position = depth = 0
    marker, in_item = "", False
    for tag in HTML_LIST.finditer(stripped):
        parts.append(_join_item(stripped[position : tag.start()], in_item))
        position = tag.end()
        closes, name = tag[1] == "/", tag[2].lower()
        if not depth and not closes:
            marker = find_marker(stripped, tag.start())
        in_item = not closes and name in ITEM_MARKERS
        if in_item:
            nested = "*" * max(depth - 1, 0)
            parts.append(f"{BREAK}{marker}{nested}{ITEM_MARKERS[name]} ")
            continue
        if name not in ITEM_MARKERS:
            depth = max(depth - 1, 0) if closes else min(depth + 1, MAX_LIST_DEPTH)
        parts.append(BREAK)
    parts.append(_join_item(stripped[position:], in_item and depth > 0))
    return "".join(parts)


def _join_item(text: str, in_item: bool) -> str:
    """Join the lines of an item of a list."""
    return CONTINUED.sub(JOIN, text) if in_item else text
