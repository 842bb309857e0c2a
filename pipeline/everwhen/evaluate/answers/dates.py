"""Times in a response: days, months, years, decades and ranges, each with the days that it leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from everwhen.evaluate.answers.claims import SAYING, Claim
from everwhen.evaluate.answers.number_words import write_years
from everwhen.evaluate.answers.stance import NEAR, is_denied
from everwhen.evaluate.gold import GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import MONTHS, read_date
from everwhen.temporal.precision import Precision

MONTH = rf"(?:{'|'.join(MONTHS).lower()}|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
YEAR = r"(?:\d{4}|ad \d{1,4}|\d{1,4} (?:ad|ce))"
TO_DAY = r"(?:st|nd|rd|th)?\s?[-–]\s?"
FORMS = (
    (
        "day_range",
        rf"(?P<from>\d{{1,2}}){TO_DAY}(?P<to>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m1>{MONTH}),? (?P<y1>\d{{4}})",
    ),
    ("range_day", rf"(?P<m2>{MONTH}) (?P<from2>\d{{1,2}}){TO_DAY}(?P<to2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{4}})"),
    (
        "words",
        rf"{DAY}(?: day)?(?: of)? {MONTH},? {YEAR}|{MONTH} {DAY}(?:, ?| )(?:of )?{YEAR}|{MONTH},? (?:of )?{YEAR}",
    ),
    ("year_first", rf"(?P<fy>\d{{4}}),? (?P<fm>{MONTH}) (?P<fd>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"),
    ("iso", r"(?P<iy>\d{4})[-/.](?P<im>\d{1,2})[-/.](?P<id>\d{1,2})(?!\d)"),
    ("iso_month", r"\d{4}-(?:0[1-9]|1[0-2])(?![\d-])"),
    ("years", r"(?P<ya>\d{4})\s?[-–/]\s?(?P<yb>\d{2})(?!\d)"),
    ("numeric", r"(?P<na>\d{1,2})[-/.](?P<nb>\d{1,2})[-/.](?P<ny>\d{4})(?!\d)"),
    ("decade", r"(?P<tens>\d{3})0'?s"),
    ("century", r"(?P<hundreds>\d{1,2})(?:st|nd|rd|th)[ -]century"),
    ("no_year", rf"{DAY}(?: of)? {MONTH}|{MONTH} {DAY}(?!\d)"),
    ("year", rf"{YEAR}(?![\d%]|[.,]\d)"),
)
"""The forms of times, in the order in which they are tried."""

MENTION = re.compile("|".join(rf"(?<![\w.])(?P<{name}>{form})" for name, form in FORMS))

WORDED = re.compile("|".join(rf"(?<![\w.])(?:{form})" for name, form in FORMS if name in ("words", "no_year")))
RUN = re.compile(
    rf"(?<![\w.])(?:{DAY} ?(?:[-–]|to|until|through|and) ?{DAY}(?: of)? {MONTH}"
    rf"|{MONTH} {DAY} ?(?:[-–]|to|until|through|and) ?{DAY}(?!\d))(?:,? \d{{4}})?"
)
"""A run of days of one month: from 4 to 15 April 2018."""

DASHED = re.compile(rf"(\d)-({MONTH})-(\d)")

LIMIT = re.compile(r"\b(?:before|after|prior to|later than|earlier than)(?: (?:in|on|the|at|year|early|late))* $")
"""In front of a time that is no answer, but a limit of one."""

ASIDE = re.compile(r"\s*\([^()]*\)")
UNDECIDED = re.compile(r"\([^()]*\b(?:or|maybe|perhaps|possibly)\b[^()]*\)", re.IGNORECASE)
"""An aside that leaves the answer open."""
JOINED = re.compile(r"\s*(?:[-–]|to|until|till|through|and|up to)\s*(?:the |in |on )?")

DOTTED_DAY = re.compile(rf"\b(\d{{1,2}})\. ?(?={MONTH})", re.IGNORECASE)
WHOLE = re.compile(r"\b(\d{4})\.0+\b")
CLOCK = re.compile(
    r"(?:,?\s*(?:at |around |t)|,\s*|\s+)"
    r"(?:\d{1,2}(?::\d{2}){1,2}(?:\.\d+)?\s?(?:[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?)"
    r"(?:\s?\(?(?:local time|utc|gmt|z|[a-z]{1,3}[sd]?t)\b(?:\s?[+-]\d{1,2}(?::?\d{2})?)?\)?)?",
    re.IGNORECASE,
)
"""A time of day behind a date."""

EARLY = re.compile(
    rf"(?P<before>^\W*|[;\n]\s*|\b(?:in|of|year|about|c\.|from|to|till|until|and|{MONTH}) |, "
    r"|(?<=\d{3})\s?[-–]\s?(?=\d{3}\b))(?P<year>\d{2,3}|(?:(?<!.)|(?<=; )|(?<=\bin )|(?<=\byear ))\d)"
    r"(?=\W*(?:$|[.;\n]\s|ad\b|ce\b)|[;\n]| (?:to|till|until|and)\b|\s?[-–]\s?\d{3}\b|(?<=\d{3})-\d\d\b)",
    re.IGNORECASE,
)
"""A year before 1000, where one is asked for: alone, behind such words, in a list or in a range."""
BEFORE_OUR_ERA = re.compile(r"\s?(?:bce?\b|b\. ?c\b)")


_VERBS = (
    ("born", r"born|births?"),
    ("died", r"die[ds]?|deaths?|passed away|killed|assassinated"),
    ("began", r"beg[aiu]n\w*|start\w*|open\w*|commenc\w+|took office|became|become"),
    ("ended", r"end(?:s|ed|ing)?|finish\w*|clos\w+|concluded|left office|leave office|resigned|stepped down|until"),
    ("made", r"found(?:ed|ing)?|establish\w*|created|formed|launched"),
    ("dissolved", r"dissol\w+|disband\w*|abolish\w*"),
    ("released", r"releas\w+|publish\w*|premier\w*"),
    ("held", r"held|took place|take place|happen\w*|occurr?\w*|signed|won|award\w*"),
)
VERBS = re.compile("|".join(rf"\b(?P<{name}>{words})\b" for name, words in _VERBS))
"""What happened at a time."""


class Mention(NamedTuple):
    """A time in a text.

    Attributes:
        start, end: Where it is in the text.
        first, last: The days that it leaves open; both None of what is no date, such as 30 February 1994.
        is_range: Whether it is a run of days or years and no day, month or year.
    """

    start: int
    end: int
    first: date | None
    last: date | None
    is_range: bool = False


def judge_date(claim: Claim, item: GoldItem) -> Outcome:
    """Judge the times of a claim against those of an answer; of several parts the worst outcome counts.

    Of one day in two calendars either is right, and so are both: 23 April 1616 [O.S.], 3 May 1616 [N.S.].

    Times that the question has do not count where there are others, nor do those that are denied; one that contains
    another does not count beside it. What is left must be one time for each part, in order where order counts.
    """
    texts = [claim.text]
    if not UNDECIDED.search(claim.text):
        texts.append(ASIDE.sub("", claim.text))
    golds = [[_read_gold(part) for part in item.answer]]
    if any(item.accepted):
        others = [_read_gold(also[0] if also else part) for part, also in zip(item.answer, item.accepted, strict=True)]
        texts = [_drop_repeated(text, item, golds[0], others) for text in texts]
        golds.append(others)
    outcome = min(
        (_judge(find_times(text, item), gold, text, is_ordered=item.is_ordered) for text in texts for gold in golds),
        key=list(Outcome).index,
    )
    for rival in claim.rivals:
        told = {found.lastgroup for found in VERBS.finditer(rival.lower())}
        asked = {found.lastgroup for found in VERBS.finditer(item.question.lower())}
        times = [] if told and asked and not told & asked else find_times(rival, item)
        if times and all(_judge(times, g, rival, is_ordered=item.is_ordered) == Outcome.WRONG for g in golds):
            return Outcome.WRONG
    return outcome


def write_plainly(text: str, item: GoldItem) -> str:
    """Write dates as the forms expect them: without time of day, years in digits, those before 1000 in four.

    >>> item = GoldItem(1, "When was the treaty signed?", ("0843-08-10",), ((),), "date")
    >>> write_plainly("10. August 843, at 9:15 pm CET", item)
    '10 August 0843'
    """
    if re.search(r"\d[:.]|\d ?[ap]\.?m\b", text, re.IGNORECASE):
        text = WHOLE.sub(r"\1", DOTTED_DAY.sub(r"\1 ", CLOCK.sub("", text)))
    plain = write_years(text)
    if any(int(part.split("-")[0]) < 1000 for part in item.answer):
        plain = EARLY.sub(lambda found: f"{found['before']}{int(found['year']):04d}", plain)
    return plain


def _drop_repeated(text: str, item: GoldItem, gold: Sequence[TimeValue], others: Sequence[TimeValue]) -> str:
    """Drop from a text the days that only repeat, in the other calendar, those that it gives, too."""
    plain = _fold(text)
    times = find_times(text, item)
    given = {(time.first, time.last) for time in times}
    repeated = {(o.first, o.last) for g, o in zip(gold, others, strict=True) if g != o and (g.first, g.last) in given}
    for time in reversed(times):
        if (time.first, time.last) in repeated:
            plain = plain[: time.start] + plain[time.end :]
    return plain


def find_times(text: str, item: GoldItem) -> list[Mention]:
    """Find the times that a text gives as an answer, in order."""
    plain = _fold(text)
    asked = [m for m in scan_times(item.question.lower(), None) if m.first]
    years = {m.first.year for m in asked if m.first and m.last and m.first.year == m.last.year}
    mentions = scan_times(plain, years.pop() if len(years) == 1 else None)
    kept = [m for m in mentions if not _is_denied(plain, m)]
    if len(item.answer) == 1:
        kept = _drop_other_events(plain, kept, item.question)
    spans = {(m.first, m.last) for m in asked}
    return [m for m in kept if (m.first, m.last) not in spans] or kept


def tells(text: str, item: GoldItem) -> bool:
    """Tell whether a sentence gives a time with a verb of the question, or a time alone."""
    asked = {found.lastgroup for found in VERBS.finditer(item.question.lower())}
    told = {found.lastgroup for found in VERBS.finditer(text.lower())}
    return bool(asked & told or not SAYING.search(text)) and bool(find_times(text, item))


def _drop_other_events(plain: str, mentions: list[Mention], question: str) -> list[Mention]:
    """Drop times of what is not asked where there are others, as that of the birth beside the death.

    Of a run from one day to another the one that is asked for is left.
    """
    asked = {found.lastgroup for found in VERBS.finditer(question.lower())}
    ends = asked & {"began", "ended"}
    if len(ends) == 1 and len(mentions) == 2 and _are_joined(mentions, plain):
        return [mentions[0 if "began" in ends else 1]]
    verbs = [(found.start(), found.lastgroup) for found in VERBS.finditer(plain)]
    first = min((start for start, name in verbs if name in asked), default=0)
    if first > mentions[-1].start if mentions else True:
        first = 0
    kept, start = [], 0
    for mention in mentions:
        before = [name for place, name in verbs if start <= place < mention.start]
        if mention.end > first and (not asked or not before or before[-1] in asked):
            kept.append(mention)
        start = mention.end
    return kept or mentions


def _is_denied(plain: str, mention: Mention) -> bool:
    """Whether a text denies a time, or gives it as a limit."""
    before = plain[max(mention.start - NEAR, 0) : mention.start]
    return LIMIT.search(before) is not None or is_denied(plain, mention.start, mention.end)


def _judge(mentions: Sequence[Mention], gold: Sequence[TimeValue], text: str, *, is_ordered: bool) -> Outcome:
    times = _drop_containing(mentions) if len(gold) == 1 else list(mentions)
    if len(gold) == 1 and len(times) == 2 and _are_joined(times, text):
        times = [Mention(times[0].start, times[1].end, times[0].first, times[1].last, is_range=True)]
    if len(times) != len(gold):
        return Outcome.WRONG
    if not is_ordered:
        times = sorted(times, key=lambda m: (m.first or date.min, m.last or date.min))
        gold = sorted(gold)
    return max((_compare(m, g) for m, g in zip(times, gold, strict=True)), key=list(Outcome).index)


def _compare(mention: Mention, gold: TimeValue) -> Outcome:
    """Right where it is the time or within it, coarse where it contains the time."""
    if mention.first is None or mention.last is None or mention.first > mention.last:
        return Outcome.WRONG
    if not mention.is_range and gold.first <= mention.first and mention.last <= gold.last:
        return Outcome.RIGHT
    return Outcome.COARSE if mention.first <= gold.first and gold.last <= mention.last else Outcome.WRONG


def _drop_containing(mentions: Sequence[Mention]) -> list[Mention]:
    """Drop times that contain another one, and repetitions."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=_count_days):
        if not any(_contains(mention, other) for other in kept):
            kept.append(mention)
    return sorted(kept)


def _contains(outer: Mention, inner: Mention) -> bool:
    if outer.first is None or outer.last is None or inner.first is None or inner.last is None:
        return False
    return outer.first <= inner.first and inner.last <= outer.last


def _count_days(mention: Mention) -> int:
    return (mention.last - mention.first).days if mention.first and mention.last else -1


def _are_joined(times: Sequence[Mention], text: str) -> bool:
    """Whether two times are the ends of a range."""
    plain = _fold(text)
    between, before = plain[times[0].end : times[1].start], plain[: times[0].start]
    if between.strip() == "and":
        return bool(re.search(r"\bbetween(?: the)? (?:years )?$", before))
    return bool(JOINED.fullmatch(between))


def _fold(text: str) -> str:
    """Fold a text to lower case and single spaces, as the forms expect it; 05-JUL-1994 is 05 jul 1994."""
    return DASHED.sub(r"\1 \2 \3", " ".join(text.lower().split()))


def blank_dates(text: str) -> str:
    """Remove dates in words from a text in lower case, which may have other numbers."""
    return WORDED.sub(" ", RUN.sub(" ", text))


def scan_times(plain: str, year: int | None = None) -> list[Mention]:
    """Find all times in a text in lower case with single spaces; `year` is that of a day without one."""
    found = []
    for match in MENTION.finditer(plain):
        start, end = match.span()
        spans = [NO_DATE] if BEFORE_OUR_ERA.match(plain, end) else _read(match, year)
        places = [(start, end)] if len(spans) == 1 else [(start, start + 4), (end - 2, end)]
        found += [Mention(*place, *span[:2], span[2]) for place, span in zip(places, spans, strict=True)]
    return found


Span = tuple[date | None, date | None, bool]
NO_DATE: Span = (None, None, False)


def _read(match: re.Match[str], year: int | None) -> list[Span]:
    """Read a mention as runs of days: two of a range of years, else one."""
    text = match.group()
    if match["words"] or match["iso_month"] or match["year"]:
        return [_span(read_date(text.replace(" day of", " of").replace(". ", " ").replace(" of ad", " ad")))]
    if match["year_first"]:
        return [_span(read_date(f"{match['fd']} {match['fm'].rstrip('.')} {match['fy']}"))]
    if match["iso"]:
        return [_day(match["iy"], match["im"], match["id"])]
    if match["numeric"]:
        return [_read_numeric(int(match["na"]), int(match["nb"]), int(match["ny"]))]
    if match["no_year"]:
        return [_span(read_date(f"{text.rstrip('.')} {year:04d}".replace(". ", " ")))] if year else [NO_DATE]
    if match["years"]:
        return [_span(read_date(y)) for y in (match["ya"], match["ya"][:2] + match["yb"])]
    return [_read_range(match)]


def _read_range(match: re.Match[str]) -> Span:
    """Read a decade, a century, or a run of days."""
    if match["decade"]:
        first = int(match["tens"]) * 10
        return (date(first, 1, 1), date(first + 9, 12, 31), True) if first else NO_DATE
    if match["century"]:
        century = int(match["hundreds"])
        return (date(century * 100 - 99, 1, 1), date(century * 100, 12, 31), True) if 0 < century < 100 else NO_DATE
    groups = ("from", "to", "m1", "y1") if match["day_range"] else ("from2", "to2", "m2", "y2")
    first_day, last_day, month, year = (match[name] for name in groups)
    start, end = (read_date(f"{day} {month.rstrip('.')} {year}") for day in (first_day, last_day))
    return (start.first, end.last, True) if start and end else NO_DATE


def _read_numeric(a: int, b: int, year: int) -> Span:
    """Read 26/01/2025; where nothing distinguishes day and month, the year alone is certain."""
    if a <= 12 and b <= 12 and a != b:
        return _span(read_date(f"{year:04d}"))
    day, month = (a, b) if a > 12 or a == b else (b, a)
    return _day(year, month, day)


def _day(year: int | str, month: int | str, day: int | str) -> Span:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return NO_DATE
    return found, found, False


def _span(time: TimeValue | None) -> Span:
    return (time.first, time.last, False) if time else NO_DATE


def _read_gold(text: str) -> TimeValue:
    """Read a published date, YYYY, YYYY-MM or YYYY-MM-DD."""
    year, *rest = (int(part) for part in text.split("-"))
    month, day = (*rest, 1, 1)[:2]
    precision = (Precision.YEAR, Precision.MONTH, Precision.DAY)[len(rest)]
    return TimeValue.from_day(date(year, month, day), precision)
