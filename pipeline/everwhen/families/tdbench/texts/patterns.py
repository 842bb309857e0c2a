"""The words that a reader of questions knows: cues of starts and ends, times with the words before them, numbers."""

from __future__ import annotations

import re

from everwhen.temporal.phrases import MONTHS, SMALL_NUMBERS
from everwhen.temporal.precision import Precision

STARTS = (
    *("began", "begins", "begin", "started", "starts", "start", "commenced", "became", "become", "took office"),
    *("took up", "took over", "assumed", "entered office", "came to office", "came into force"),
)
ENDS = (
    *("ended", "ends", "end", "finished", "left", "leave", "stopped", "stop", "ceased", "cease", "concluded"),
    *("stepped down", "resigned", "departed"),
)
LASTING = ("still", "lasted", "continued", "remained", "remain")
NOW = ("at present", "as things are now", "currently", "presently", "at the moment", "now", "current")

UNSURE = re.compile(
    r"\b(within|about|around|approximately|roughly|nearly|almost|less|fewer|at most|between|since|until|except|not"
    r"|never|last|or (?:before|after|on|in|earlier|later|more)|n't|no|first|latest|earliest|only|previous|next"
    r"|most recent|successor|predecessor|immediately|shortly|soon|just|inclusive|same|more|to|from|through|by)\b"
)
"""Words that may change what is asked."""

ASKING = {"who": r"\b(who|whose|whom|person|people|name)\b"}
FIRST_WORDS = re.compile(r"(?i)^\W*(when|where|why|how|did|was|is|are|were|do|does|has|had)\b")

MONTH = "|".join(
    sorted({*(m.lower() for m in MONTHS), *(m[:3].lower() for m in MONTHS), "sept"}, key=len, reverse=True)
)
SUFFIX = "(?:st|nd|rd|th)?"
YEAR = r"(?:ad )?\d{1,4}"
DATE = (
    rf"(?:\d{{1,2}}{SUFFIX} (?:of )?(?:{MONTH})\.?,? {YEAR}|(?:{MONTH})\.? \d{{1,2}}{SUFFIX},? {YEAR}"
    rf"|(?:{MONTH})\.?,? (?:of )?{YEAR}|\d{{4}}-\d\d(?:-\d\d)?|ad \d{{1,4}}|\d{{4}})(?!\w)"
)
NUMBER = rf"(?:\d+|{'|'.join(sorted((*SMALL_NUMBERS, 'an', 'a'), key=len, reverse=True))})"
DURATION = rf"(?:half a year|{NUMBER}(?: and a half)? (?:year|month|week|day)s?)"
SIDE = r"(?:before|prior to|earlier than|ahead of|after|later than|following|beyond)"
POINT = (
    r"(?:the (?P<unit>day|month|year) (?:on which|in which|that|when) )?<event>"
    r" (?P<point>began|started|opened|ended|finished|closed|concluded)"
)
TIME = (
    rf"(?:(?:exactly |precisely )?(?P<offset>{DURATION}) (?P<offset_side>{SIDE})"
    rf"|more than (?:one|a) (?P<beyond_unit>day|month|year) (?P<beyond_side>{SIDE})"
    rf"|no (?P<no>later|earlier) than|(?P<at_least>at least until)|(?P<as_of>as of|up to)"
    rf"|(?P<side>{SIDE}|past)|(?P<on>on|in|during)) (?:{POINT}|(?:the (?:month|year) (?:of )?)?(?P<date>{DATE}))"
)
COUNT = rf"(?P<least>exactly|at least|no fewer than) (?P<count>once|twice|{NUMBER})\b"
UNITS = {Precision.DAY: "day", Precision.MONTH: "month", Precision.YEAR: "year"}
BEFORE = ("before", "prior to", "earlier than", "ahead of")
