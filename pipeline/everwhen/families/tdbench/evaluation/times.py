"""Dates in a response with the role in which each is given: as a start, as an end, or without a word that says so."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from everwhen.evaluate.answers.mentions import DASHED, MONTH, Mention, are_joined, scan_times

UNITS = ("year", "month", "day")
"""Granularities, the coarsest first."""

STILL = "still"
"""The date of an open end in references."""


class Role(StrEnum):
    """What a date is given as.

    `none` is a date without a cue. `other` is no start and no end: "as of", "before", a date that is denied. `still` is
    the word that says that something lasts.
    """

    START = "start"
    END = "end"
    NONE = "none"
    OTHER = "other"
    STILL = "still"


class Given(NamedTuple):
    """A time that a text gives.

    Attributes:
        start, end: Where it is in the text.
        first, last: Its days; of a still both are None.
        role: As what it is given.
        is_since: Whether "since" alone makes it a start, which also says that it lasts.
    """

    start: int
    end: int
    first: date | None
    last: date | None
    role: Role
    is_since: bool = False


_THE = r"(?: (?:the|about|around|approximately|early|late|mid|on|in|at|date|is|was|of|least))*[ :(]*$"
_VERBS_OF_START = (
    r"start(?:s|ed|ing)?|beg(?:in|ins|an|un|inning)|commenc\w+|(?:took|takes|taking|assum(?:ed|es|ing)|entered|enters)"
    r"(?: up)?(?: the)? (?:office|over|power|throne|position|post|role)|bec(?:ame|ome|omes|oming)|appoint\w*"
    r"|inaugurat\w*|sworn in|elected|acceded|accession|ascend\w*|crowned|installed|came (?:in)?to (?:force|office"
    r"|power)|took effect|in force|effective|joined|introduced|enacted|adopted|inscribed|proclaimed|released"
    r"|legali[sz]ed|founded|established|launched|opened|premiered|won|received|awarded"
)
_VERBS_OF_END = (
    r"end(?:s|ed|ing)?|left|leaves|leaving|resign\w*|stepp?(?:ed|s|ing)? down|died|death|abdicat\w*|retir\w+|conclud\w+"
    r"|finish\w*|expir\w+|remov\w+|oust\w+|impeach\w*|ceas\w+|terminat\w+|abolish\w*|repeal\w*|revok\w+|closed|vacat\w+"
    r"|stopp?\w*|lasted|deposed|dissolved"
)
CUES = (
    (Role.END, re.compile(r"\b(?:until|till) $")),
    (
        Role.OTHER,
        re.compile(
            r"(?:\b(?:as of|as at|currently|today|now|not|never|nor|before|after|prior to|later than|earlier than"
            rf"|beyond|within)|n't){_THE}"
        ),
    ),
    (Role.OTHER, re.compile(r"(?:\bnot|n't|\bnever)(?: [a-z]+){0,3} $")),
    (Role.START, re.compile(rf"\b(?:since|from){_THE}")),
    (Role.END, re.compile(rf"\b(?:until|till|through|up to|to){_THE}")),
)
"""Words directly in front of a date, the first that fits counts."""

SINCE = re.compile(rf"\bsince{_THE}")
VERB = re.compile(rf"\b(?:(?P<start>{_VERBS_OF_START})|(?P<end>{_VERBS_OF_END}))\b")
BEHIND = re.compile(r"\s*\((?:[a-z]+ )?(?P<role>start|end)(?:ed|ing| date)?\)")
"""The role in parentheses behind a date."""

TITLE_END = re.compile(r"(?<=\w )[A-Z][a-z]+(?=[,.;)]|$)")
"""The last word of a title, where it looks like a verb: Howards End."""
MONTH_BEFORE = re.compile(rf"(?P<month>\b{MONTH})\s?(?:[-–]|to|until|till|through|and)\s?$")
"""The first month of January to March 2018."""

LASTS = re.compile(
    r"\b(?:still|present|incumbent|current|currently|ongoing|today|to date|now|remains|continues|open|in office"
    r"|(?:has|did|does) not (?:yet )?end(?:ed)?|hasn't ended|no end)\b"
)
NO_LONGER = re.compile(r"\b(?:(?:no longer|not|n't|no more|former|formerly)(?: \w+)?|as of) $")


def find_times(text: str) -> list[Given]:
    """Find the times of a sentence, each with its role, and the words that say that something lasts.

    Args:
        text: A sentence with single spaces.
    """
    plain = text.replace("İ", "I").lower()  # it would be two characters; places must be those of the text
    plain = DASHED.sub(r"\1 \2 \3", plain)
    mentions = _complete(plain, scan_times(plain))
    for word in TITLE_END.finditer(text):
        if VERB.fullmatch(word[0].lower()):
            plain = f"{plain[: word.start()]}{'-' * len(word[0])}{plain[word.end() :]}"
    found = [_give(plain, mentions, place) for place in range(len(mentions)) if mentions[place].first is not None]
    found += [
        Given(*match.span(), None, None, Role.STILL)
        for match in LASTS.finditer(plain)
        if not NO_LONGER.search(plain[: match.start()])
    ]
    return sorted(found, key=lambda each: each[:2])


def fits(given: Given, stated: str, unit: str) -> bool:
    """Tell whether a time is a stated date, as exactly as the coarser of a unit and the statement asks.

    Args:
        given: The time.
        stated: An ISO date of a year, a month or a day.
        unit: One of `UNITS`.
    """
    length = (4, 7, 10)[min(UNITS.index(unit), stated.count("-"))]
    if given.first is None or given.last is None:
        return False
    return given.first.isoformat()[:length] == given.last.isoformat()[:length] == stated[:length]


def _complete(plain: str, mentions: list[Mention]) -> list[Mention]:
    """Give the first date of a range the year of the second, and split a run of days into its ends."""
    found: list[Mention] = []
    for mention in mentions:
        if mention.first is None:
            found.append(mention)
            continue
        if found and found[-1].first is None and _are_joined(plain, found[-1], mention):
            found[-1] = _add_year(plain, found[-1], mention.first.year)
        else:
            begin = found[-1].end if found else 0
            found += _find_month_before(plain, begin, mention.start, mention.first.year)
        found += _split_run(mention)
    return found


def _add_year(plain: str, mention: Mention, year: int) -> Mention:
    """Give a date without a year one, if it is a date with it."""
    again = scan_times(plain[mention.start : mention.end], year)
    return again[0]._replace(start=mention.start, end=mention.end) if again else mention


def _find_month_before(plain: str, begin: int, end: int, year: int) -> list[Mention]:
    """Find the month of a year that is joined with a date, if it is in front of it and behind the date before."""
    before = MONTH_BEFORE.search(plain[:end])
    if before is None or before.start() < begin:
        return []
    text = f"{before['month'].rstrip('.')} {year:04d}"
    return [each._replace(start=before.start(), end=before.end("month")) for each in scan_times(text)]


def _split_run(mention: Mention) -> list[Mention]:
    """Split a run of days of a month; a decade or a century is no date."""
    if not mention.is_range or mention.first is None or mention.last is None:
        return [mention]
    if (mention.last - mention.first).days > 31:
        return []
    middle = (mention.start + mention.end) // 2
    first = Mention(mention.start, middle, mention.first, mention.first)
    return [first, Mention(middle, mention.end, mention.last, mention.last)]


def _are_joined(plain: str, first: Mention, second: Mention) -> bool:
    """Whether two dates are the ends of a range, which a slash may join here."""
    return plain[first.end : second.start].strip() == "/" or are_joined(plain, first, second)


def _give(plain: str, mentions: list[Mention], place: int) -> Given:
    """Find the role of one of the dates."""
    mention = mentions[place]
    before = plain[mentions[place - 1].end if place else 0 : mention.start]
    behind = plain[mention.end : mentions[place + 1].start if place + 1 < len(mentions) else len(plain)]
    marked = BEHIND.match(behind)
    if marked:
        role = Role(marked["role"])
    elif place and _are_joined(plain, mentions[place - 1], mention):
        role = Role.END
    elif place + 1 < len(mentions) and _are_joined(plain, mention, mentions[place + 1]):
        role = Role.START
    else:
        role = _read_cue(before, _cut_clause(behind) if place + 1 < len(mentions) else behind, is_first=place == 0)
    is_since = role is Role.START and bool(SINCE.search(before))
    return Given(mention.start, mention.end, mention.first, mention.last, role, is_since)


def _cut_clause(text: str) -> str:
    """Cut what is said between two dates: what follows a comma or an "and" belongs to the second."""
    return re.split(r"[,;]| and ", text, maxsplit=1)[0]


def _read_cue(before: str, behind: str, *, is_first: bool) -> Role:
    """Read the role from the words directly in front of a date, else from the last verb there, else from one behind."""
    for role, cue in CUES:
        if cue.search(before):
            return role
    verbs = [*VERB.finditer(before)] or [*VERB.finditer(behind)][: 1 if is_first else 0]
    return Role(verbs[-1].lastgroup or "") if verbs else Role.NONE
