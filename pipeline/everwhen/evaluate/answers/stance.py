"""How what is said stands by a value: it denies it, names it beside another only, or replaces it by a later one."""

from __future__ import annotations

import re
from functools import lru_cache

from everwhen.evaluate.answers.claims import RECENT

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
    r"|\b(?:rul|exclud)(?:e|es|ed|ing)(?: out)?|\beither\b[^.;]{0,80}?"
    r"|\bleav(?:e|es|ing) out|\bomitt?(?:ed|ing|s)?|\bnot counting)"
    r"(?: (?!until|till|before|after)\w+(?:ed|en|ld|rn))?" + _WORDS,
    re.IGNORECASE,
)
"""In front of a value that is denied: not signed on."""

_WRONG = (
    r"(?:wrong|incorrect|false|mistaken|untrue|impossible|ruled out|excluded|left out|a (?:\w+ )?(?:mistake|error"
    r"|myth))"
)
_KIN = (
    r"(?:brother|sister|son|daughter|father|mother|wife|husband|widow|uncle|aunt|nephew|niece|cousin|grand\w+|friend"
    r"|predecessor|successor|deputy|vice|chief|minister|chancellor|rival|opponent|assistant|colleague|partner"
    r"|team-?mate|teacher|student|pupil)s?"
)
_TENURE = (
    r"(?:term|presidency|premiership|tenure|reign|time|stint|period|mandate|rule|win|victory|name|office|government)s?"
)
DENIED_BEHIND = re.compile(
    r"\s*(?:(?:is|was|are|were|did|does|had|has)(?: not|n't)|never|cannot|can't)\b"
    r"(?! (?:yet |to )?(?:end|left|leav|abdicat|resign|stepp))"
    rf"|,?\s*(?:(?:is|was|would be|are|were) (?:\w+ )?{_WRONG}|can be (?:ruled out|excluded)"
    rf"|(?:wrong|incorrect|mistaken|erroneous)ly|lost to|left empty|was out\b|\((?:{_WRONG}|not)\b)"
    rf"|(?: (?-i:[A-Z])\w+)?['\u2019]s?\s+(?:\w+ ){{0,2}}?{_KIN}\b|['\u2019]s\s+(?!(?:\w+ ){{0,3}}?{_TENURE}\b)[a-z]"
    rf"|,? (?:(?:was|is|served as|had been) )?(?:then )?(?:his|her|their) (?:\w+ ){{0,2}}?{_KIN}\b"
    r"|(?:(?!\b(?:while|whereas)\b)[^.;:\n]){0,120}? (?:(?:do|does|did)(?: not|n't) (?:count|qualify|fit|match)"
    r"|neither of (?:them|these)|rul(?:es|ed|ing) (?:him|her|it|them) out|drops? out|(?:that|this"
    r"|which) (?:is|was) (?:an? (?:mistake|error)"
    r"|wrong|incorrect|false)|(?:was|is|came|falls?) (?:\w+ )?(?:before|after|outside)(?: of)? (?:that|this"
    r"|the) (?:period"
    r"|window|range)|(?:is|are|was|were|came|comes) (?:\w+ ){0,2}?(?:excluded|left out|ruled out"
    r"|too (?:early|late)))\b",
    re.IGNORECASE,
)
"""Behind a value that is denied, or named for somebody else: Elizabeth's sister."""

ASIDE = re.compile(
    r"\b(?:succe(?:eded|eding|eds)|replac(?:ed|ing|es)|follow(?:ed|ing|s)|preced(?:ed|ing|es)"
    r"|after|before|took over|taking over|(?:present|announc|introduc|nominat|appoint)ed by)"
    rf"{_WORDS}|\b(?:predecessor|successor)(?:: | (?:was |is )?)$|\b{_KIN} (?:of|to)(?: \w+){{0,3}} $"
    rf"|(?<!was )(?<!is )\b(?:his|her|their"
    rf"|whose) (?:\w+ ){{0,2}}?{_KIN},? $"
    r"|\b(?:defeat(?:ed|ing)|beat(?:ing)?|had beaten|edged out|won over|ahead of|against|whereas|whilst|while|unlike"
    r"|compared (?:to|with)|making way for|hand(?:ed|ing) (?:\w+ ){0,2}?to|tribute to|thanked|in favou?r of"
    r")\b[^.;:\n]*$"
    r"|\bunder $|\b(?:received|accepted)\b[^.;:\n]* from $|\bbetween (?-i:[A-Z])(?:(?!\b(?:came|was"
    r"|is)\b)[^.;:,\d\n])*$"
    r"|(?:\bremoved|^(?:he|she|they)\b.* when) [^.;:,\n]*$|\b(?:his|her|their) (?:[\w-]+ ){1,5}?(?:was|is"
    r"|were|are|being) $",
    re.IGNORECASE,
)
"""In front of a value that is named beside another."""
ASIDE_BEHIND = re.compile(
    r"\s+had (?:been|held|served)\b[^()]*\)|\s+(?:(?:before|after) (?:him|her|them)|preceded (?:him|her|them)"
    r"|came (?:next|later|before|after\w*)"
    r"|(?:took over|was (?:sworn in|inaugurated))\s*[.,;)])",
    re.IGNORECASE,
)

CONTEXT = re.compile(
    r"\b(?:preceded (?:him|her)|(?:was|were|been)(?: \w+)? nominated|nominees?|(?:had|was) (?:already|both)"
    r"|too (?:early|late)"
    r"|no longer|only in|received (?:his|hers)|earlier|previous|in those days|as a producer|runner-up"
    r"|supporting|screenplay)\b|, but (?:his|her|their)\b|^\(",
    re.IGNORECASE,
)
"""In a sentence that says more, and gives no further answer."""

_CLAIMED = r"(?:claimed|said|believed|thought|cited|reported|stated|assumed|listed|given|quoted|supposed|held)"
_BUT = r"(?:but|however|though|yet|in (?:fact|reality|truth)|actually|the truth is)"
_RIGHT = r"(?:right|correct)"
_NO = r"(?:no(?! (?:one|body))|nope|wrong|i (?:don't|do not) think so)"
_OFTEN = r"(?:often|commonly|sometimes|widely|popularly|frequently|usually|generally|wrongly)"
_NOUN = r"(?:one|answer|date|year|name|number|person)"
_ATTRIBUTED = (
    rf"\b(?:{_OFTEN} (?:{_CLAIMED}|gives?|says?|claims?|cites?|names?)|(?:used to|himself|herself) (?:say|said"
    rf"|claim(?:ed)?)|to mind|(?:some|many|most|several)(?: \w+){{0,2}} (?:say|claim|think|believe|give"
    rf"|report|assume)"
    rf"(?:e?d)?|(?:one|you|people) (?:might|may|could|would) (?:think|say|assume)|first (?:guess|thought"
    rf"|instinct|sight|glance))\b"
    rf".{{0,200}}?[.;,:]\s*(?:{_BUT}\W+)+"
)
_ASKED_AND_DENIED = rf"\?[\"')]*\s*{_NO}\b\W*"
_RIGHT_ONE = rf"[.;,!\u2013-]\s*(?:but |however,? )?the {_RIGHT} {_NOUN} (?:is|was)\b\W*"
_CALLED_WRONG = r"\b(?:is|was|would be) (?:wrong|incorrect|not (?:right|correct)|mistaken|false)[;,.:]\s+(?=\S)"
_TAKEN_BACK = (
    r"(?:[.;,!\u2013\u2026-]|\s\u2013)\s*(?:oh,? )?(?:wait|hold on|correction|scratch that|strike that|my mistake|sorry"
    r"|i (?:have to|must) correct (?:myself|that)|(?:on (?:second thought|reflection)|(?:count|check|look"
    r"|think)ing (?:it )?again)s?"
    r"|let me correct (?:myself|that))\b(?:\W+(?:no|actually|that(?:'s| is) (?:wrong|incorrect|not right))\b)*"
    r"\W+(?:i mean(?:t)? )?"
)
_CONCLUDED = (
    r"[.;,!]\s+(?:(?:so|therefore|thus|hence),? )?(?:the|my) (?:final |correct |right |total |full )*"
    r"(?:answer|total|count|list)(?: (?:is|was|would be)| ?[:=]| comes to)(?! (?:there|clear|obvious|correct"
    r"|that|based))\W*"
)
_LEAVES = r",? (?:which|that|this) (?:only )?leaves (?:us with |only )?"
_NOT_BUT = r"\bnot (?!only|just|sure|certain)[^.;\n]{1,100}?,? but (?!also|i\b|it\b)(?:rather )?"
REPLACED = tuple(
    re.compile(text, re.IGNORECASE | re.DOTALL)
    for text in (_ATTRIBUTED, _ASKED_AND_DENIED, _RIGHT_ONE, _CALLED_WRONG, _TAKEN_BACK, _CONCLUDED, _LEAVES, _NOT_BUT)
)
"""What replaces all that was said before it."""
TAKEN_BACK, CONCLUDED = REPLACED[4:6]
REPLACING = re.compile(
    r"mind|often|used|self|first|guess|thought|instinct|might|may|could|would|say|claim|said|think|believ"
    r"|report|assum|cited|stated|listed|given|quoted|suppose|held|\?|right|correct|wrong"
    r"|mistak|false|wait|hold|scratch|strike|sorry|again|reflection|answer|total|count|list"
    r"|not|leaves",
    re.IGNORECASE,
)
"""Words of which a text has one that takes something back."""


@lru_cache(maxsize=RECENT)
def drop_replaced(text: str) -> str:
    """Drop what a text takes back and replaces; empty where it takes all back.

    >>> drop_replaced("My first guess was 1970. But the right one is 1971."), drop_replaced("1970? No, 1971")
    ('the right one is 1971.', '1971')
    """
    if not REPLACING.search(text):
        return text
    for pattern in REPLACED:
        while found := pattern.search(text):
            text = text[found.end() :].strip()
    return text


def take_back(text: str) -> str:
    """Drop what a text that says yes or no takes back: Yes... no, sorry. So the answer is no."""
    for pattern in (TAKEN_BACK, CONCLUDED):
        while found := pattern.search(text):
            text = text[found.end() :].strip()
    return text


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether a sentence denies the value at a place, or names it for somebody else."""
    return DENIED.search(text[max(start - NEAR, 0) : start]) is not None or _is_matched(DENIED_BEHIND, text, end)


def is_aside(text: str, start: int, end: int) -> bool:
    """Whether a sentence names the value at a place beside another only."""
    return ASIDE.search(text[max(start - NEAR, 0) : start]) is not None or _is_matched(ASIDE_BEHIND, text, end)


def _is_matched(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Whether words behind a place are those of a pattern; most values end a text."""
    return len(text) - end > 2 and pattern.match(text, end) is not None
