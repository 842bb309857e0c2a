"""A year page's wikitext to its bullets: each dated, or with the reason why it is not kept."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from everwhen.core.reasons import RejectReason
from everwhen.wikitext.dates import MONTH, Head, NoDateError, read_head
from everwhen.wikitext.markup import Link, extract_text, strip_markup

MAX_PAGE = 4_000_000
"""Characters of the longest page that is read; the longest year pages have some 400,000."""
MAX_BULLET = 10_000
MAX_LINKS = 300
"""Of a bullet: the time of parsing brackets that are never closed grows with the square of their number."""
OUT_OF_SCOPE = frozenset({RejectReason.OUTSIDE_EVENTS, RejectReason.HEADING_BULLET})
"""Reasons that mean no malformed input: such bullets are counted and get no row in `rejects`."""

HEADING = re.compile(r"(={1,6})\s*(.+?)\s*\1\s*")
BULLET = re.compile(r"[ \t]*([*#][*#:;]*)[ \t]*(.*)")
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
        reason: Why it is not kept; None for a kept one.
        first_day: First day; None where it is not kept.
        last_day: Last day; None where it is not kept.
        text: Plain text without the date, or the head of the line where it is not kept.
        titles: Articles that it links to, in order, dates left out.
    """

    number: int
    reason: str | None
    first_day: dt.date | None
    last_day: dt.date | None
    text: str
    titles: tuple[str, ...]


@dataclass(frozen=True)
class _Line:
    """A list line: how deep it is nested, its content, and whether the events section holds it."""

    depth: int
    content: str
    in_events: bool
    has_children: bool
    section: int


def parse_year_page(year: int, wikitext: str) -> list[Bullet]:
    """Parse all bullets of a year page, in its order.

    A bullet without a date takes that of the nearest bullet above it in the nesting.

    Raises:
        PageError: The page is too long, or has no section Events.
    """
    if len(wikitext) > MAX_PAGE:
        raise PageError(RejectReason.TEXT_TOO_LONG.with_detail(limit=f"{MAX_PAGE:,}"))
    lines, has_events = _list_lines(strip_markup(wikitext))
    if not has_events:
        raise PageError(RejectReason.NO_EVENTS_SECTION)
    bullets = []
    above: list[tuple[_Line, Head | None]] = []
    for number, line in enumerate(lines, 1):
        while above and (above[-1][0].depth >= line.depth or above[-1][0].section != line.section):
            above.pop()
        inherited = next((head for _, head in reversed(above) if head), None)
        bullet, head = _read_bullet(year, number, line, inherited)
        bullets.append(bullet)
        above.append((line, head))
    return bullets


def count_bullets(wikitext: str) -> int:
    """Count the list lines of a page: `parse_year_page` must account for each."""
    return len(re.findall(r"^[ \t]*[*#]", strip_markup(wikitext), re.MULTILINE))


def _list_lines(stripped: str) -> tuple[list[_Line], bool]:
    """List the list lines of a page, and say whether it has a section Events."""
    found: list[_Line] = []
    in_events = has_events = False
    section = 0
    for text in stripped.split("\n"):
        if text.startswith("=") and (heading := HEADING.fullmatch(text.strip()[:500])):
            section += 1
            if len(heading.group(1)) <= 2:
                in_events = heading.group(2).strip("' ").casefold() == "events"
                has_events = has_events or in_events
        elif bullet := BULLET.fullmatch(text):
            depth = len(bullet.group(1))
            if found and found[-1].depth < depth and found[-1].section == section:
                found[-1] = _Line(found[-1].depth, found[-1].content, found[-1].in_events, True, section)
            found.append(_Line(depth, bullet.group(2), in_events, False, section))
    return found, has_events


def _read_bullet(year: int, number: int, line: _Line, inherited: Head | None) -> tuple[Bullet, Head | None]:
    """Read a bullet, and the date that those below it inherit."""
    if not line.in_events:
        return _reject_bullet(number, RejectReason.OUTSIDE_EVENTS, line.content), None
    if len(line.content) > MAX_BULLET:
        return _reject_bullet(
            number, RejectReason.TEXT_TOO_LONG.with_detail(limit=f"{MAX_BULLET:,}"), line.content
        ), None
    if line.content.count("[[") > MAX_LINKS:
        return _reject_bullet(number, RejectReason.TOO_MANY_LINKS.with_detail(limit=MAX_LINKS), line.content), None
    if "\0" in line.content:  # the parser would take it for the end
        return _reject_bullet(number, RejectReason.NUL_CHARACTER, line.content), None
    text, links = extract_text(line.content)
    lead = len(text) - len(text.lstrip())
    text = text[lead:].rstrip()
    links = [Link(link.start - lead, link.end - lead, link.title) for link in links]
    try:
        own = _parse_own_head(text, links, year)
    except NoDateError as error:
        return _reject_bullet(number, str(error), text), None
    head = own or inherited
    if head is None:
        return _reject_bullet(number, RejectReason.NO_DATE, text), None
    start = own.end if own else 0
    rest = _clean_spacing(text[start:])
    if not rest:
        return _reject_bullet(
            number, RejectReason.HEADING_BULLET if line.has_children else RejectReason.NO_TEXT, text
        ), head
    titles = dict.fromkeys(
        link.title for link in links if link.title and link.end > start and not DATE_TITLE.fullmatch(link.title)
    )
    return Bullet(number, None, head.first_day, head.last_day, rest, tuple(titles)), head


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


def _reject_bullet(number: int, reason: str, text: str) -> Bullet:
    return Bullet(number, reason, None, None, text[:200], ())
