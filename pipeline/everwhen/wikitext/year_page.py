"""A year page's wikitext to its bullets: each dated, or with the reason why it is not kept.

A bullet is an entry of the page: an item of a list, and among the events a paragraph or a row of a table, too.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from everwhen.core.reasons import RejectReason
from everwhen.wikitext.dates import DASH, MONTH, Head, NoDateError, read_head
from everwhen.wikitext.markup import Link, extract_text
from everwhen.wikitext.page_lines import PageLine, split_page
from everwhen.wikitext.templates import GAP

MAX_PAGE = 4_000_000
"""Characters of the longest page that is read; the longest year pages have some 400,000."""
MAX_BULLET = 10_000
"""Characters of the longest entry that is read; a real one has some hundreds."""
MAX_SAMPLE = 200
"""Characters that are kept of what is rejected."""
MAX_LINKS = 300
"""Of a bullet: the time of parsing brackets that are never closed grows with the square of their number."""
OUT_OF_SCOPE = frozenset(
    {RejectReason.OUTSIDE_EVENTS, RejectReason.HEADING_BULLET, RejectReason.HEADING, RejectReason.BLANK_PAGE_LINE}
    | {RejectReason.ONLY_LAYOUT}
)
"""Reasons that mean no malformed input: such bullets and lines are counted and get no row in `rejects`."""

IN_PLACE_OF_DATE = re.compile(rf"\s*{GAP}[\s{GAP}]*(?:{DASH}|:|$)")
"""A template that is not read where a date would be."""
DATE_TITLE = re.compile(
    rf"(?:{MONTH})(?: [0-9]{{1,2}})?(?:,? [0-9]{{4}})?|[0-9]{{1,2}} (?:{MONTH})"
    r"|[0-9]{1,4}(?: BC| AD)?|AD [0-9]+|[0-9]{2,4}s"
)


class PageError(ValueError):
    """A page that cannot be read as a year page; the message is the reason for its reject."""


@dataclass(frozen=True)
class Bullet:
    """A bullet of a page.

    Attributes:
        number: Number of the bullet in the page, from 1.
        line: The line of the page in which it begins, from 1.
        reason: Why it is not kept; None for a kept one.
        first_day: First day; None where it is not kept.
        last_day: Last day; None where it is not kept.
        text: Plain text without the date, or the head of the line where it is not kept.
        titles: Articles that it links to, in order, dates left out.
    """

    number: int
    line: int
    reason: str | None
    first_day: dt.date | None
    last_day: dt.date | None
    text: str
    titles: tuple[str, ...]


def parse_year_page(year: int, wikitext: str) -> list[Bullet]:
    """Parse all bullets of a year page, in its order.

    Raises:
        PageError: The page is too long, or has no section Events.
    """
    return parse_bullets(year, read_lines(wikitext))


def read_lines(wikitext: str) -> list[PageLine]:
    """Read the entries of a year page and its other lines.

    Raises:
        PageError: The page is too long, or has no section Events.
    """
    if len(wikitext) > MAX_PAGE:
        raise PageError(RejectReason.TEXT_TOO_LONG.with_detail(limit=f"{MAX_PAGE:,}"))
    lines, has_events = split_page(wikitext)
    if not has_events:
        raise PageError(RejectReason.NO_EVENTS_SECTION)
    return lines


def parse_bullets(year: int, lines: Sequence[PageLine]) -> list[Bullet]:
    """Parse the entries of a year page: a bullet each.

    A bullet without a date takes that of the nearest bullet above it in the nesting.
    """
    bullets = []
    above: list[tuple[PageLine, Head | None]] = []
    for number, line in enumerate((line for line in lines if line.reason is None), 1):
        while above and (above[-1][0].depth >= line.depth or above[-1][0].section != line.section):
            above.pop()
        inherited = next((head for _, head in reversed(above) if head), None)
        bullet, head = _read_bullet(year, number, line, inherited)
        bullets.append(bullet)
        above.append((line, head))
    return bullets


def _read_bullet(year: int, number: int, line: PageLine, inherited: Head | None) -> tuple[Bullet, Head | None]:
    """Read a bullet, and the date that those below it inherit."""

    def reject(reason: str, sample: str) -> Bullet:
        return Bullet(number, line.number, reason, None, None, sample[:MAX_SAMPLE], ())

    if reason := _find_reason(line):
        return reject(reason, line.content.replace(GAP, "")), None
    entry = _read_entry(line.content)
    try:
        own = _parse_own_head(entry, year)
    except NoDateError as error:
        return reject(str(error), entry.choose_sample(str(error), line)), None
    head, start = own or inherited, own.end if own else 0
    text = _clean_spacing(entry.text[start:])
    if head is None or not text:
        reason = _explain_no_event(entry, line, head, text)
        return reject(reason, entry.choose_sample(reason, line)), head
    titles = _list_titles(entry.links, start)
    return Bullet(number, line.number, None, head.first_day, head.last_day, text, titles), head


def _explain_no_event(entry: _Entry, line: PageLine, head: Head | None, text: str) -> str:
    """Explain why an entry without a date, or without a text beside it, states no event."""
    if not text and head and line.has_children:
        return RejectReason.HEADING_BULLET
    if not text:
        return RejectReason.UNREAD_TEMPLATE if entry.gaps else RejectReason.NO_TEXT
    return RejectReason.UNREAD_TEMPLATE if 0 in entry.gaps else RejectReason.NO_DATE


def _list_titles(links: Sequence[Link], start: int) -> tuple[str, ...]:
    """List the articles that links behind a position lead to, each once, dates left out."""
    titles = [link.title for link in links if link.title and link.end > start]
    return tuple(dict.fromkeys(title for title in titles if not DATE_TITLE.fullmatch(title)))


def _find_reason(line: PageLine) -> str | None:
    """Find why a bullet is not even parsed."""
    if not line.in_events:
        return RejectReason.OUTSIDE_EVENTS
    if len(line.content) > MAX_BULLET:
        return RejectReason.TEXT_TOO_LONG.with_detail(limit=f"{MAX_BULLET:,}")
    if line.content.count("[[") > MAX_LINKS:
        return RejectReason.TOO_MANY_LINKS.with_detail(limit=MAX_LINKS)
    if "\0" in line.content:  # the parser would take it for the end
        return RejectReason.NUL_CHARACTER
    return None


@dataclass(frozen=True)
class _Entry:
    """The text of an entry as marked with `GAP`, the text without the marks, where they were in it, and its links."""

    marked: str
    text: str
    gaps: list[int]
    links: list[Link]

    def choose_sample(self, reason: str, line: PageLine) -> str:
        """Choose what shows why the entry is rejected: its text, or the line with the template that is not read."""
        return self.text if self.text and reason != RejectReason.UNREAD_TEMPLATE else line.source


def _read_entry(content: str) -> _Entry:
    marked, links = extract_text(content)
    places = [place for place, character in enumerate(marked) if character == GAP]
    text = marked.replace(GAP, "")
    lead = len(text) - len(text.lstrip())

    def move(place: int) -> int:
        return place - bisect_left(places, place) - lead

    moved = [Link(move(link.start), move(link.end), link.title) for link in links]
    return _Entry(marked, text.strip(), [max(move(place), 0) for place in places], moved)


def _parse_own_head(entry: _Entry, year: int) -> Head | None:
    """Parse the date at the bullet's head; None without one, or where the date is part of a longer link.

    Raises:
        NoDateError: The head names no days, or a template that is not read is in its place, within it, or between it
            and what separates it from the text.
    """
    linked_to = 0
    for link in entry.links:
        if not link.title or not DATE_TITLE.fullmatch(link.title):
            break
        linked_to = link.end
    head = read_head(entry.text, year, linked_to)
    if head and any(link.start < head.end < link.end for link in entry.links):
        head = None
    if _is_broken_by_gap(entry, head):
        raise NoDateError(RejectReason.UNREAD_TEMPLATE)
    return head


def _is_broken_by_gap(entry: _Entry, head: Head | None) -> bool:
    if head is None:
        return IN_PLACE_OF_DATE.match(entry.marked) is not None
    behind = entry.text[head.date_end :]
    text_start = head.date_end + len(behind) - len(behind.lstrip())
    return any(gap <= text_start for gap in entry.gaps)


def _clean_spacing(text: str) -> str:
    """Leave one space between words, none before punctuation, and no empty brackets."""
    text = re.sub(r"\(\s*[,;]?\s*\)", "", " ".join(text.split()))
    return re.sub(r"\s+([.,;:!?)])", r"\1", " ".join(text.split())).lstrip(" :;,–—-").strip()
