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
    if reason := _find_reason(line):
        return Bullet(number, line.number, reason, None, None, line.content.replace(GAP, "")[:200], ()), None
    marked, links = extract_text(line.content)
    gaps, text, links = _extract_gaps(marked, links)

    def reject(reason: str, head: Head | None = None) -> tuple[Bullet, Head | None]:
        sample = text if text and reason != RejectReason.UNREAD_TEMPLATE else line.source
        return Bullet(number, line.number, reason, None, None, sample[:200], ()), head

    try:
        own = _parse_own_head(text, links, year)
    except NoDateError as error:
        return reject(str(error))
    head = own or inherited
    if _is_before_text(gaps, own, text) if own else IN_PLACE_OF_DATE.match(marked):
        return reject(RejectReason.UNREAD_TEMPLATE)
    start = own.end if own else 0
    rest = _clean_spacing(text[start:])
    if not rest:
        if head and line.has_children:
            return reject(RejectReason.HEADING_BULLET, head)
        return reject(RejectReason.UNREAD_TEMPLATE if gaps else RejectReason.NO_TEXT, head)
    if head is None:
        return reject(RejectReason.UNREAD_TEMPLATE if 0 in gaps else RejectReason.NO_DATE)
    titles = dict.fromkeys(
        link.title for link in links if link.title and link.end > start and not DATE_TITLE.fullmatch(link.title)
    )
    return Bullet(number, line.number, None, head.first_day, head.last_day, rest, tuple(titles)), head


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


def _extract_gaps(marked: str, links: Sequence[Link]) -> tuple[list[int], str, list[Link]]:
    """Extract where templates were removed: their places in the text, the text without them, and its links."""
    places = [place for place, character in enumerate(marked) if character == GAP]
    text = marked.replace(GAP, "")
    lead = len(text) - len(text.lstrip())

    def move(place: int) -> int:
        return place - bisect_left(places, place) - lead

    return (
        [max(move(place), 0) for place in places],
        text.strip(),
        [Link(move(link.start), move(link.end), link.title) for link in links],
    )


def _is_before_text(gaps: Sequence[int], head: Head, text: str) -> bool:
    """Say whether a template was within a date, or between the date and what separates it from the text."""
    behind = text[head.date_end :]
    return any(gap <= head.date_end + len(behind) - len(behind.lstrip()) for gap in gaps)


def _parse_own_head(text: str, links: Sequence[Link], year: int) -> Head | None:
    """Parse the date at the bullet's head; None without one, or where the date is part of a longer link."""
    linked_to = 0
    for link in links:
        if not link.title or not DATE_TITLE.fullmatch(link.title):
            break
        linked_to = link.end
    head = read_head(text, year, linked_to)
    if head and any(link.start < head.end < link.end for link in links):
        return None
    return head


def _clean_spacing(text: str) -> str:
    """Leave one space between words, none before punctuation, and no empty brackets."""
    text = re.sub(r"\(\s*[,;]?\s*\)", "", " ".join(text.split()))
    return re.sub(r"\s+([.,;:!?)])", r"\1", " ".join(text.split())).lstrip(" :;,–—-").strip()
