"""Judge the times in a response against those of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from everwhen.evaluate.answers.claims import ASIDE, SAYING, Claim
from everwhen.evaluate.answers.mentions import DASHED, MONTH, YEAR_ASIDE, Mention, are_joined, scan_times
from everwhen.evaluate.answers.stance import NEAR, is_denied
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.precision import Precision

LIMIT = re.compile(r"\b(?:before|after|prior to|later than|earlier than)(?: (?:in|on|the|at|year|early|late))* $")
"""In front of a time that is no answer, but a limit of one."""

PLANNED = re.compile(
    r"\b(?:meant|supposed|due|scheduled|planned|expected|intended|slated|set|originally|initially)"
    r" (?:\w+ ){0,5}?(?:to|for|on|in)\b(?:(?!\bbut\b)[^.;,])*$"
)
"""In front of a time that was planned only."""

UNDECIDED = re.compile(r"[(\[][^()\[\]]*\b(?:or|maybe|perhaps|possibly)\b", re.IGNORECASE)
"""An aside that leaves the answer open."""
_VERBS = (
    ("celebrated", r"celebrat\w+|birthday|anniversary|turned"),
    ("born", r"born|births?"),
    ("died", r"die[ds]?|deaths?|passed away|killed|assassinated"),
    ("began", r"beg[aiu]n\w*|start\w*|open\w*|commenc\w+|took office|became|become"),
    ("ended", r"end(?:s|ed|ing)?|finish\w*|clos\w+|concluded|left office|leave office|resigned|stepped down|until"),
    ("made", r"found(?:ed|ing)?|establish\w*|created|formed|launched"),
    ("dissolved", r"dissol\w+|disband\w*|abolish\w*"),
    ("released", r"releas\w+|publish\w*|premier\w*"),
    ("took_place", r"held|took place|take place|happen\w*|occurr?\w*|signed|won|award\w*"),
)
CACHED = 1000
"""Questions of which what they have is kept: an answer is judged in several steps."""
VERBS = re.compile("|".join(rf"\b(?P<{name}>{words})\b" for name, words in _VERBS))
"""What happened at a time."""


SUBORDINATE = re.compile(
    r"(?:(?!\b(?:or|others?|some|sources?|possibly|maybe|perhaps|not)\b).)*?[,(] (?:\w+ ){0,2}?(?:after"
    r"|before|following|although|though|while|whereas|when|once|since|because|whose|which|who)\b"
)
COORDINATE = re.compile(
    r"(?:(?!\b(?:or|others?|some|sources?|possibly|maybe|perhaps|not)\b)[^.;])*? and (?:\w+ ){0,3}?\w+ed\b"
)
"""Between the time of what is asked and one of what happened later: founded in 1842 and inaugurated in 1843."""
SHIFTED = re.compile(
    r"[^.;,]*?\b(?P<verb>\w+) (?:on )?(?:the (?:following|next) (?:day|month|year)|\w+ "
    r"(?:days?|weeks?|months?|years?) (?:later|after))\b"
)
"""Behind a time that is not that of the verb: he fell ill on 20 September and died the following day."""
"""Between the time of what is asked and one of what is said beside it."""

LEFT_OPEN = re.compile(
    rf"\d(?:st|nd|rd|th)?\b[^.;\d]{{0,60}}?,? or (?:in |on |the )?(?:\d{{4}}\b|\d{{1,2}}(?:st|nd|rd|th)? (?:{MONTH}))",
    re.IGNORECASE,
)
"""Two times of which either may be right: 14 or 15 September."""


def judge_date(claim: Claim, item: GoldItem) -> Outcome:
    """Judge the times of a claim against those of an answer; of several parts the worst outcome counts.

    Of one day in two calendars either is right, and so are both: 23 April 1616 [O.S.], 3 May 1616 [N.S.].

    Times that the question has do not count where there are others, nor do those that are denied; one that contains
    another does not count beside it. What is left must be one time for each part, in order where order counts.
    """
    if LEFT_OPEN.search(claim.text):
        return Outcome.WRONG
    texts = {claim.text: None}
    if not UNDECIDED.search(claim.text) and not YEAR_ASIDE.search(claim.text):
        texts[ASIDE.sub("", claim.text)] = None
    own = tuple(map(_read_gold, item.answer))
    other = tuple(_read_gold([*also, part][0]) for part, also in zip(item.answer, item.accepted, strict=True))
    golds = [*dict.fromkeys((own, other))]
    if any(_contradicts(rival, golds, item) for rival in claim.rivals):
        return Outcome.WRONG
    return min((_judge(text, golds, item) for text in texts), key=list(Outcome).index)


def _contradicts(rival: str, golds: Sequence[Sequence[TimeValue]], item: GoldItem) -> bool:
    """Tell whether a further sentence gives a wrong time, and not that of another event."""
    asked, named = _find_verbs(item.question), _find_verbs(rival)
    if asked and named and not asked & named:
        return False
    return bool(find_times(rival, item)) and _judge(rival, golds, item) is Outcome.WRONG


def find_times(text: str, item: GoldItem) -> list[Mention]:
    """Find the times that a text gives as an answer, in order."""
    plain = _fold(text)
    asked, year = _scan_question(item.question)
    mentions = scan_times(plain, year)
    kept = [m for m in mentions if not _is_denied(plain, m, _find_verbs(item.question))]
    kept = [m for m in kept if not PLANNED.search(plain[: m.start])] or kept
    given = _drop_other_events(plain, kept, item.question) if len(item.answer) == 1 else kept
    # Where only the question's own times are left, one of another event is the answer that is given.
    return next(filter(None, ([m for m in each if (m.first, m.last) not in asked] for each in (given, kept))), given)


@lru_cache(maxsize=CACHED)
def _scan_question(question: str) -> tuple[frozenset[tuple[date | None, date | None]], int | None]:
    """Find the times of a question, and the year of a day without one: that of the question, if it has one alone."""
    asked = [m for m in scan_times(question.lower(), None) if m.first]
    years = {m.first.year for m in asked if m.first and m.last and m.first.year == m.last.year}
    return frozenset((m.first, m.last) for m in asked), years.pop() if len(years) == 1 else None


@lru_cache(maxsize=CACHED)
def _find_verbs(text: str) -> frozenset[str | None]:
    """Find the names of the verbs of a text."""
    return frozenset(found.lastgroup for found in VERBS.finditer(text.lower()))


def gives_asked_time(text: str, item: GoldItem) -> bool:
    """Tell whether a sentence gives a time with a verb of the question, or a time alone."""
    asked, named = _find_verbs(item.question), _find_verbs(text)
    is_asked = asked & named if named else not SAYING.search(text)
    return bool(is_asked) and bool(find_times(text, item))


def _drop_other_events(plain: str, mentions: list[Mention], question: str) -> list[Mention]:
    """Drop times of what is not asked where there are others, as that of the birth beside the death.

    Of a run from one day to another the one that is asked for is left.
    """
    asked = _find_verbs(question)
    if len(mentions) < 2 or not asked:
        return mentions
    is_life = plain[: mentions[0].start].endswith("(")  # a name (29 September 1901 – 28 November 1954)
    ends = {"began", "ended", *(("born", "died") if is_life else ())}
    if len(mentions) == 2 and len(asked & ends) == 1 and are_joined(plain, *mentions):
        return mentions[1:] if asked & {"ended", "died"} else mentions[:1]
    return _list_asked(plain, mentions, asked) or mentions


def _list_asked(plain: str, mentions: list[Mention], asked: frozenset[str | None]) -> list[Mention]:
    """List the times behind a verb of the question, or behind none, from the first such verb on."""
    first = next((verb.start() for verb in VERBS.finditer(plain) if verb.lastgroup in asked), 0)
    first = first if first <= mentions[-1].start else 0
    kept: list[Mention] = []
    start = 0
    for mention in mentions:
        verbs = [verb.lastgroup for verb in VERBS.finditer(plain, start, mention.start)]
        is_subordinate = kept and _says_more(plain[kept[0].end : mention.start], has_verb=first < kept[0].start)
        if mention.end > first and not is_subordinate and asked.issuperset(verbs[-1:]):
            kept.append(mention)
        start = mention.end
    return kept


def _says_more(between: str, *, has_verb: bool) -> bool:
    """Tell whether what follows the time of what is asked only says more, as another verb behind the asked one does."""
    return SUBORDINATE.match(between) is not None or (has_verb and COORDINATE.match(between) is not None)


def _is_shifted(plain: str, mention: Mention, asked: frozenset[str | None]) -> bool:
    """Tell whether what is asked happened some days after a time, and only that is said."""
    found = SHIFTED.match(plain, mention.end)
    return found is not None and bool(_find_verbs(found["verb"]) & asked - _find_verbs(plain[: mention.start]))


def _is_denied(plain: str, mention: Mention, asked: frozenset[str | None]) -> bool:
    """Whether a text denies a time, or gives it as a limit, or says how much later it was."""
    if _is_shifted(plain, mention, asked):
        return True
    before = plain[max(mention.start - NEAR, 0) : mention.start]
    return LIMIT.search(before) is not None or is_denied(plain, mention.start, mention.end)


def _judge(text: str, golds: Sequence[Sequence[TimeValue]], item: GoldItem) -> Outcome:
    """Judge the times of a text: the best outcome by any calendar counts."""
    mentions = find_times(text, item)
    given = {(m.first, m.last) for m in mentions}
    same = [pair for pair in zip(golds[0], golds[-1], strict=True) if (pair[0].first, pair[0].last) in given]
    repeated = {(other.first, other.last) for own, other in same if own != other}
    mentions = [m for m in mentions if (m.first, m.last) not in repeated]
    outcomes = (_judge_times(mentions, gold, text, is_ordered=item.is_ordered) for gold in golds)
    return min(outcomes, key=list(Outcome).index)


def _judge_times(mentions: Sequence[Mention], gold: Sequence[TimeValue], text: str, *, is_ordered: bool) -> Outcome:
    times = _drop_containing(mentions) if len(gold) == 1 else list(mentions)
    if len(gold) == 1 and len(times) == 2 and are_joined(_fold(text), *times):
        times = [Mention(times[0].start, times[1].end, times[0].first, times[1].last, is_range=True)]
    times = _join_within(times, gold)
    if len(times) != len(gold):
        return Outcome.WRONG
    if not is_ordered:
        times = sorted(times, key=lambda m: (m.first or date.min, m.last or date.min))
        gold = sorted(gold)
    return max((_compare(m, g) for m, g in zip(times, gold, strict=True)), key=list(Outcome).index)


def _join_within(times: list[Mention], gold: Sequence[TimeValue]) -> list[Mention]:
    """Keep one of several days of the one year that is asked."""
    return times[:1] if len(gold) == 1 and all(_compare(m, gold[0]) is Outcome.RIGHT for m in times) else times


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
    if outer.first and outer.last and inner.first and inner.last:
        return outer.first <= inner.first and inner.last <= outer.last
    return False


def _count_days(mention: Mention) -> int:
    return (mention.last - mention.first).days if mention.first and mention.last else -1


def _fold(text: str) -> str:
    """Fold a text to lower case and single spaces, as the forms expect it; 05-JUL-1994 is 05 jul 1994."""
    return DASHED.sub(r"\1 \2 \3", " ".join(text.lower().split()))


def _read_gold(text: str) -> TimeValue:
    """Read a published date, YYYY, YYYY-MM or YYYY-MM-DD."""
    year, *rest = (int(part) for part in text.split("-"))
    month, day = (*rest, 1, 1)[:2]
    precision = (Precision.YEAR, Precision.MONTH, Precision.DAY)[len(rest)]
    return TimeValue.from_day(date(year, month, day), precision)
