"""How what is said stands by a value: it denies it, names it beside another only, or replaces it by a later one."""

from __future__ import annotations

import re

NEAR = 120
"""How many characters before a value may deny it."""

_BESIDE = (
    r"(?:,? (?:the|a|an|is|was|were|been|be|by|of|from|to|his|her|its|currently|that|had|has|in|on|at|year|early|late"
    r"|have|president|king|queen|emperor|prime|minister|chancellor|mother|father|brother|sister|son|daughter|cousin"
    r"|late|former|abdication|death|resignation|departure|removal|reign|term|necessarily|really|actually))*"
)
_WORDS = rf"{_BESIDE},?[ (\"']*$"
"""What may be between a word and the value that it is about."""

DENIED = re.compile(
    r"(?:\bnot|\w+n't|\bcannot|\bneither|\bnor|\bnever|\brather than|\binstead of|\bunlike|\bexcept(?: for)?"
    r"|\bother than|\bno longer|\b(?:nobody|none|no[ -]one|any(?:one|body|thing)|every(?:one|body|thing)|all) but"
    r"|\b(?:rul|exclud)(?:e|es|ed|ing)(?: out)?|\beither\b[^.;]{0,80}?)"
    r"(?: (?!until|till|before|after)\w+(?:ed|en|ld|rn))?" + _WORDS,
    re.IGNORECASE,
)
"""In front of a value that is denied: not signed on."""

_WRONG = r"(?:wrong|incorrect|false|mistaken|untrue|impossible|ruled out|excluded|a (?:\w+ )?(?:mistake|error|myth))"
DENIED_BEHIND = re.compile(
    r"\s*(?:(?:is|was|are|were|did|does|had|has)(?: not|n't)|never|cannot|can't)\b"
    r"(?! (?:yet |to )?(?:end|left|leav|abdicat|resign|stepp))"
    rf"|,?\s*(?:(?:is|was|would be|are|were) (?:\w+ )?{_WRONG}|can be (?:ruled out|excluded)"
    rf"|(?:wrong|incorrect|mistaken|erroneous)ly|lost to|left empty|\((?:{_WRONG}|not)\b)"
    r"|[^.;\n]{0,120}? (?:do|does|did)(?: not|n't) (?:count|qualify|fit|match)\b",
    re.IGNORECASE,
)
"""Behind a value that is denied."""

_KIN = (
    r"(?:brother|sister|son|daughter|father|mother|wife|husband|widow|uncle|aunt|nephew|niece|cousin|grand\w+|friend"
    r"|predecessor|successor|deputy|rival|opponent|assistant|colleague|partner|team-?mate|teacher|student|pupil)s?"
)
_TENURE = (
    r"(?:term|presidency|premiership|tenure|reign|time|stint|period|mandate|rule|win|victory|name|office|government)s?"
)
BELONGS_BEHIND = re.compile(
    rf"['\u2019]s?\s+(?:\w+ ){{0,2}}?{_KIN}\b|['\u2019]s\s+(?!(?:\w+ ){{0,3}}?{_TENURE}\b)[a-z]"
    r"|\s+had (?:been|held|served)\b[^()]*\)",
)
"""Behind a value that is named for somebody else: Elizabeth's sister."""

ASIDE = re.compile(
    r"\b(?:succe(?:eded|eding|eds)|replac(?:ed|ing|es)|follow(?:ed|ing|s)|preced(?:ed|ing|es)|predecessor|successor"
    r"|after|before|took over|taking over|hand(?:ed|ing) over|defeat(?:ed|ing)|beat(?:ing)?)"
    rf"{_WORDS}|\b{_KIN} (?:of|to)(?: the)? $"
    r"|\b(?:defeat(?:ed|ing)|beat(?:ing)?|ahead of|whereas|whilst|while|unlike|compared (?:to|with))\b[^.;:\n]*$"
    r"|\b(?:his|her|their) (?:[\w-]+ ){1,5}?(?:was|is|were|are|being) $",
    re.IGNORECASE,
)
"""In front of a value that is named beside another."""

_CLAIMED = r"(?:claimed|said|believed|thought|cited|reported|stated|assumed|listed|given|quoted|supposed|held)"
_BUT = r"(?:but|however|though|yet|in (?:fact|reality|truth)|actually|the truth is)"
_RIGHT = r"(?:right|correct)"
_NO = r"(?:no(?! (?:one|body))|nope|wrong|i (?:don't|do not) think so)"
_OFTEN = r"(?:often|commonly|sometimes|widely|popularly|frequently|usually|generally|wrongly)"
_NOUN = r"(?:one|answer|date|year|name|number|person)"
_ATTRIBUTED = (
    rf"\b(?:{_OFTEN} {_CLAIMED}|(?:some|many|most)(?: people| sources)? (?:say|claim|think|believe|give)"
    rf"|first (?:guess|thought|instinct))\b.{{0,200}}?[.;,:]\s*(?:{_BUT}\W+)+"
)
_ASKED_AND_DENIED = rf"\?[\"')]*\s*{_NO}\b\W*"
_RIGHT_ONE = rf"[.;,!\u2013-]\s*(?:but |however,? )?the {_RIGHT} {_NOUN} (?:is|was)\b\W*"
_CALLED_WRONG = r"\b(?:is|was|would be) (?:wrong|incorrect|not (?:right|correct)|mistaken|false)[;,.:]\s+(?=\S)"
_TAKEN_BACK = (
    r"(?:[.;,!\u2013\u2026-]|\s\u2013)\s*(?:oh,? )?(?:wait|correction|scratch that|strike that|my mistake|sorry"
    r"|(?:on (?:second thought|reflection)|(?:count|check|look|think)ing (?:it )?again)s?"
    r"|let me correct (?:myself|that))\b(?:\W+(?:no|actually|that(?:'s| is) (?:wrong|incorrect|not right))\b)*"
    r"\W+(?:i mean(?:t)? )?"
)
_CONCLUDED = (
    r"[.;,!]\s+(?:(?:so|therefore|thus|hence),? )?(?:the|my) (?:final |correct |right |total |full )*"
    r"(?:answer|total|count|list)(?: (?:is|was|would be)| ?[:=]| comes to)(?! (?:there|clear|obvious|correct|that|based))\W*"
)
_NOT_BUT = r"\bnot (?!only|just|sure|certain)[^.;\n]{1,100}?,? but (?!also|i\b|it\b)(?:rather )?"
REPLACED = tuple(
    re.compile(text, re.IGNORECASE | re.DOTALL)
    for text in (_ATTRIBUTED, _ASKED_AND_DENIED, _RIGHT_ONE, _CALLED_WRONG, _TAKEN_BACK, _CONCLUDED, _NOT_BUT)
)
"""What replaces all that was said before it."""


def drop_replaced(text: str) -> str:
    """Drop what a text takes back and replaces; empty where it takes all back.

    >>> drop_replaced("My first guess was 1970. But the right one is 1971."), drop_replaced("1970? No, 1971")
    ('1971.', '1971')
    """
    for pattern in REPLACED:
        while found := pattern.search(text):
            text = text[found.end() :].strip()
    return text


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether a sentence denies the value at a place."""
    return DENIED.search(text[max(start - NEAR, 0) : start]) is not None or DENIED_BEHIND.match(text[end:]) is not None


def is_aside(text: str, start: int, end: int) -> bool:
    """Whether a sentence names the value at a place beside another, or for somebody else, only."""
    return ASIDE.search(text[max(start - NEAR, 0) : start]) is not None or BELONGS_BEHIND.match(text, end) is not None
