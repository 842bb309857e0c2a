"""How what is said stands by a value: it denies it, names it beside another only, or replaces it by a later one."""

from __future__ import annotations

import re
from collections.abc import Collection
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


def _compile(*forms: str) -> re.Pattern[str]:
    """Compile alternatives."""
    return re.compile("|".join(forms), re.IGNORECASE)


_DENYING = "|".join(
    (
        r"\bnot|\w+n't|\bcannot|\bneither|\bnor|\bnever|\brather than|\binstead of|\bunlike|\bexcept(?: for)?",
        r"\bother than|\bno longer|\beither\b[^.;]{0,80}?",
        r"\b(?:nobody|none|no[ -]one|any(?:one|body|thing)|every(?:one|body|thing)|all) but",
        r"\b(?:rul|exclud)(?:e|es|ed|ing)(?: out)?|\bleav(?:e|es|ing) out|\bomitt?(?:ed|ing|s)?",
    )
)
_REGARD = r"(?:count|include|list|consider|add|regard|mention|call|name|take|put|see)"
DENIED = _compile(rf"(?:{_DENYING})(?: (?!until|till|before|after)(?:{_REGARD}|\w+(?:ed|en|ld|rn)))?{_WORDS}")
"""In front of a value that is denied: not signed on."""

EXCLUDES = _compile(
    r"^\W*(?:not|none|nobody|left out|exclud|omit|ruled out|missing|disregard|ineligible|honou?rable mention"
    r"|runners?-up|(?:previous|earlier|later|former|next) |predecessor|successor)\w*\b(?:(?!XXX)[^:]){0,60}:"
)
"""At the head of a list of values that are denied: Not among them: X and Y."""

_WRONG = (
    r"(?:wrong|incorrect|false|mistaken|untrue|impossible|ruled out|excluded|left out"
    r"|an? (?:\w+ )?(?:mistake|error|myth))"
)
DENIAL = _compile(rf"(?:{_DENYING}|\b{_WRONG})\b")
"""What denies something, whatever it is."""

_KIN = (
    r"(?:brother|sister|son|daughter|father|mother|wife|husband|widow|uncle|aunt|nephew|niece|cousin|grand\w+|friend"
    r"|predecessor|successor|deputy|vice|chief|minister|chancellor|rival|opponent|assistant|colleague|partner"
    r"|team-?mate|teacher|student|pupil)s?"
)
_OWN = r"(?:his|her|their)"
_TENURE = (
    r"(?:term|presidency|premiership|tenure|reign|time|stint|period|mandate|rule|win|victory|name|office|government)s?"
)
_PASSED = (
    r"(?:(?:was|were|been) (?:\w+ )?(?:passed over|overlooked|snubbed|beaten|shut out|shortlisted|disqualified"
    r"|left out)|(?:missed|lost) out|went home|came (?:second|third)|had to settle|empty-handed)"
)
_UNFIT = "|".join(
    (
        r"(?:do|does|did)(?: not|n't) (?:count|qualify|fit|match|belong|make)|neither of (?:them|these)|drops? out",
        r"s?he(?: is| was|'s) out|(?:strike|cross|drop) (?:him|her|it|them)(?: out)?",
        r"(?:is|are|was|were)(?: \w+)?(?: not|n't) (?:\w+ )?(?:among|included|counted|listed|eligible"
        r"|part of|one of|on the)",
        r"it (?:was|is)(?: not|n't) (?:him|her|them)|(?:cannot|can't) be (?:it|counted|included|considered)",
        r"(?:is|are|was|were)(?: not|n't) to be (?:counted|included)",
        r"(?:i|we) (?:(?:do|would|did|have|will|can)(?: not|n't) (?:count|include)(?:ed)?|exclud\w+|omit\w*"
        r"|le(?:ave|ft) (?:him |her |them )?out)",
        r"rul(?:es|ed|ing) (?:him|her|it|them) out",
        r"(?:that|this|which) (?:is|was) (?:an? (?:mistake|error)|wrong|false)",
        r"(?:was|is|came|falls?) (?:\w+ )?(?:before|after|outside)(?: of)? (?:that|this|the) (?:period|window|range)"
        r"|fall?s? (?:just )?outside",
        r"(?:is|are|was|were|be|came|comes) (?:\w+ ){0,2}?(?:excluded|left out|ruled out|too (?:early|late))",
    )
)
"""What a clause says of a value that does not fit."""

DENIED_BEHIND = _compile(
    r"\s*(?:(?:is|was|are|were|did|does|had|has)(?: not|n't)|never|cannot|can't)\b"
    r"(?! (?:yet |to )?(?:end|left|leav|abdicat|resign|stepp))",
    rf",?\s*(?:(?:is|was|would be|are|were) (?:\w+ )?{_WRONG}|can be (?:ruled out|excluded)|\((?:{_WRONG}|not)\b)",
    r",?\s*(?:(?:wrong|incorrect|mistaken|erroneous)ly|lost to|left empty|was out\b)",
    r"\s+(?:aside|excepted|out)(?! of)\b",
    r"\s+(?:was|were) (?:\w+ )?nominated,? but",
    r"\s+had (?:\w+ )?(?:resigned|left|stepped down|lost|died|retired)\b|\s+would(?: not|n't) \w+",
    rf"\s+as {_OWN} (?:\w+ ){{0,2}}?{_KIN}\b",
    r"\s+(?:was|is|had been) (?:still )?(?:only |just |merely |(?:an? |the )(?:\w+ )?)(?:favou?rite|front-?runner"
    r"|runner-up|nominee|candidate|challenger|contender|acting|interim|caretaker)\b(?![^.;:\n]* (?:won|took|who))",
    rf"(?: (?-i:[A-Z])\w+)?['\u2019]s?\s+(?:\w+ ){{0,2}}?{_KIN}\b",
    rf"['\u2019]s\s+(?!(?:\w+ ){{0,3}}?{_TENURE}\b)[a-z]",
    rf",? (?:(?:was|is|served as|had been) )?(?:then )?{_OWN} (?:\w+ ){{0,2}}?{_KIN}\b",
    rf"(?: and [^.;:,\n]{{1,40}}?)? (?:{_PASSED})\b",
    r"(?:(?:,| and) (?!who)[^.;:\n]{1,80}?)? (?:all )?lost\s*(?:[.;,!]|$)",
    rf"(?:(?!\b(?:while|whereas)\b|XXX)[^.;:\n]){{0,120}}? (?:{_UNFIT})\b",
)
"""Behind a value that is denied, or named for somebody else: Elizabeth's sister."""

ASIDE = _compile(
    r"\b(?:succe(?:eded|eding|eds)|replac(?:ed|ing|es)|follow(?:ed|ing|s)|preced(?:ed|ing|es)|after|before|took over"
    rf"|(?:made|gave|gives?) way (?:for|to)|taking over|(?:present|announc|introduc|nominat|appoint)ed by){_WORDS}",
    r"\b(?:predecessor|successor)(?:: | (?:was |is )?)$|\bunder $|\b(?:after|before|following|upon) the \w+ of $",
    rf"\b{_KIN} (?:of|to)(?: \w+){{0,3}} $",
    rf"(?<!was )(?<!is )\b(?:{_OWN}|whose) (?:\w+ ){{0,2}}?{_KIN},? $",
    rf"\b{_OWN} (?:[\w-]+ ){{1,5}}?(?:was|is|were|are|being) $",
    r"\b(?:defeat(?:ed|ing)|beat(?:ing)?|had beaten|edged out|won over|ahead of|against|whereas|whilst|while"
    r"|unlike|compared (?:to|with)|(?:mak|giv)ing way (?:for|to)|hand(?:ed|ing) (?:\w+ ){0,2}?to|tribute to|thanked"
    r"|in favou?r of)"
    r"\b[^.;:)\n]*(?<!went to )$",
    r"\b(?:received|accepted)\b[^.;:\n]* from $",
    r"\bbetween (?-i:[A-Z])(?:(?!\b(?:came|was|is)\b)[^.;:,\d\n])*$",
    r"(?:\bremoved|^(?:he|she|they)\b.* when) [^.;:,\n]*$",
)
"""In front of a value that is named beside another."""

ASIDE_BEHIND = _compile(
    r"\s+had (?:been|held|served)\b[^()]*\)",
    r"\s+(?:(?:before|after) (?:him|her|them)|preceded (?:him|her|them)|came (?:next|later|before|after\w*))",
    r"\s+(?:push|oust|forc|vot|replac|succeed|follow|beat|defeat)\w* (?:him|her|them)\b",
    r"\s+(?:took over|was (?:sworn in|inaugurated))\s*[.,;)]",
)

_ROLE = (
    r"\b(?P<role>(?:deputy|vice|acting|interim|mayor|governor|chancellor|minister|speaker|king|queen|emperor|monarch"
    r"|secretary|leader|head|host|presenter|producer|writer|screenwriter|star|actor|actress|director)s?)\b"
)
IN_ROLE = _compile(rf"{_ROLE}(?: of(?: [\w'-]+){{1,3}})?(?: (?:was|is|were)(?: then)?|:|,) $")
OTHER_ROLE = _compile(
    r"\s+(?:(?:was|is|were|as|being|had been|became|served as|,)(?: (?:also|then|the|a|an|its|their|by then|only))* )"
    rf"{_ROLE}",
    r"\s+(?:(?:also|then|who|had|has) )?(?P<did>present|host|open|star|play|produc|shot|wrote|compos|direct|announc"
    r"|appoint|nominat|hand|read)(?:s|ed|red|er|ing)?\b(?! by)",
    r"(?:(?!XXX)[^.;:\n]){0,40}?\bin[ -]between(?= (?:the|his|her|them|these|those)\b|[.,;)]|$)",
    r"\s+was (?:re-?elected\b|(?:still|already)\b[^.;\n]*\bwhen\b)",
    r"(?:(?!XXX)[^;:\n])*?[,;] (?:but|yet|however),? (?:the (?:only|right|actual|one)|only one|(?:the )?\w+ went to)\b",
)
"""Around a value that has another role than is asked, or is no answer: X was the mayor; Y presented the award."""

CONTEXT = _compile(
    r"\b(?:(?:was|were|been)(?: \w+)? nominated|nominees?|(?:had|was) (?:already|both)|too (?:early|late)|no longer"
    r"|(?:won|received|resigned|left|ruled)\b[^.;]*\b(?:year|month|week|day)s? (?:before|after)"
    rf"|earlier|previous)\b|, but {_OWN}\b|^\(|^(?:{_OWN}|the (?:film|movie)) (?!names?\b)"
    r"|^(?:note|nb|for (?:context|reference)|by the way|incidentally|background)\b"
    r"(?!.*\b(?:also|too|as well|likewise|counts?|qualif|joint|shared))",
)
"""In a sentence that says more, and gives no further answer."""

_CLAIMED = r"(?:claimed|said|believed|thought|cited|reported|stated|assumed|listed|given|quoted|supposed|held)"
_BUT = r"(?:but|however|though|yet|in (?:fact|reality|truth)|actually|the truth is)"
_RIGHT = r"(?:right|correct)"
_NO = r"(?:no(?! (?:one|body))|nope|neither|none of (?:them|these|those)|wrong|i (?:don't|do not) think so)"
_OFTEN = r"(?:often|commonly|sometimes|widely|popularly|frequently|usually|generally|wrongly)"
_NOUN = r"(?:one|answer|date|year|name|number|person)"
_SAY = r"(?:say|claim|think|believe|give|report|assume|cite|name)"
_ATTRIBUTED = (
    rf"\b(?:{_OFTEN} (?:{_CLAIMED}|{_SAY}s?)|(?:used to|himself|herself) {_SAY}(?:e?d)?"
    r"|(?:himself|herself) said|to mind"
    rf"|(?:some|many|most|several)(?: \w+){{0,2}} {_SAY}(?:e?d)?|(?:one|you|people) (?:might|may|could|would) {_SAY}"
    rf"|first (?:guess|thought|instinct|sight|glance))\b.{{0,200}}?[.;,:]\s*(?:{_BUT}\W+)+"
)
_ASKED_AND_DENIED = rf"\?[\"')]*\s*{_NO}\b(?: of (?:them|these|those))?\W*"
_NONE_OF_THEM = r"[.,;\u2026]\s*(?:no, )?(?:none|neither) of (?:these|them|those)\b(?: \w+){0,3}[!.;:]\s*"
_IS_NOT_THAT = r",? but (?:that|this)(?:'s| is| was)(?: not|n't) (?:when|who|what|where|it|right|the)\b[^.;]*[.;]\s+"
_RIGHT_ONE = rf"[.;,!\u2013-]\s*(?:but |however,? )?the {_RIGHT} {_NOUN} (?:is|was)\b\W*"
_CALLED_WRONG = (
    r"(?:\b(?:is|was|would be|(?:has|have|got)(?: \w+){1,3})|'s)"
    r" (?:wrong|incorrect|not (?:right|correct)|mistaken|false)[;,.:]\s+(?=\S)"
)
_TAKEN_BACK = (
    r"(?:[.;,!\u2013\u2026-]|\s\u2013)\s*(?:oh,? |but )?(?:wait|hold on|correction|scratch that"
    r"|strike that|my mistake|sorry"
    r"|i (?:have to|must) correct (?:myself|that)|let me correct (?:myself|that)|on (?:second thoughts?|reflection)"
    r"|(?:count|check|look|think)ing (?:it )?again|(?:hmm,? )?let me re(?:count|check|calculate|consider|think))\b"
    r"(?:\W+(?:no|actually|that(?:'s| is) (?:wrong|incorrect|not right))\b)*\W+(?:i mean(?:t)? )?"
)
_CONCLUDED = (
    r"[.;,!]\s+(?:(?:so|therefore|thus|hence),? )?(?:the|my) (?:final |correct |right |total |full )*"
    r"(?:answer|total|count|list)(?: (?:is|was|would be)| ?[:=]| comes to)"
    r"(?! (?:there|clear|obvious|correct|that|based))\W*"
)
_LEAVES = r"(?:,? (?:which|that|this) (?:only )?|[.;] )leaves (?:us with |only )?"
_ONLY_REMAINS = r"[,;.]\s(?:so|therefore|thus|hence),? only (?=[^.;]{1,60}? (?:remains?|is left|qualif))"
_NOT_BUT = (
    r"\b(?:not|neither(?= .{1,80} nor )) (?!only|just|sure|certain)[^.;\n]{1,100}?,? but (?!also|i\b|it\b)(?:rather )?"
)
_IN_FACT = r"[.;,]\s*(?:but|yet|however,?|though) (?:[\w']+ ){0,3}?(?:in (?:fact|reality|truth)|actually)\b\W*"
_PLANNED = (
    r"\b(?:is|are|was|were|been) (?:\w+ )?(?:meant|supposed|due|scheduled|planned|expected|intended|slated|set)"
    r" (?:to|for|on)\b[^.;\n]{0,120}?[.;,]\s*(?:but|yet|however,?|instead,?)\s+(?!(?:was|had|did|\w+(?:ed|ft|pt|st))\b)"
)
CALLED_WRONG, TAKEN_BACK, CONCLUDED, *_OTHERS = (
    re.compile(text, re.IGNORECASE | re.DOTALL)
    for text in (
        _CALLED_WRONG,
        _TAKEN_BACK,
        _CONCLUDED,
        _ATTRIBUTED,
        _ASKED_AND_DENIED,
        _NONE_OF_THEM,
        _IS_NOT_THAT,
        _RIGHT_ONE,
        _LEAVES,
        _ONLY_REMAINS,
        _NOT_BUT,
        _IN_FACT,
        _PLANNED,
    )
)
REPLACED = (*_OTHERS[:5], CALLED_WRONG, TAKEN_BACK, CONCLUDED, *_OTHERS[5:])
"""What replaces all that was said before it."""
CORRECTED = (TAKEN_BACK, CONCLUDED)
"""What replaces a yes or a no: Yes... no, sorry. So the answer is no."""
REPLACING = re.compile(
    r"mind|often|used|self|first|guess|thought|instinct|might|may|could|would|say|claim|said|think|believ"
    r"|report|assum|cited|stated|listed|given|quoted|suppose|held|\?|right|correct|wrong"
    r"|mistak|false|wait|hold|scratch|strike|sorry|again|reflection|answer|total|count|list"
    r"|not|none|neither|only|leaves|in fact|reality|truth|actual|meant|due|sched|plann|expect|intend|slat|set",
    re.IGNORECASE,
)
"""Words of which a text has one that takes something back."""


@lru_cache(maxsize=RECENT)
def drop_replaced(text: str, patterns: tuple[re.Pattern[str], ...] = REPLACED) -> str:
    """Drop what a text takes back and replaces; empty where it takes all back.

    Args:
        text: A cleaned text.
        patterns: How it does so; fewer of a text that says yes or no (`CORRECTED`).

    >>> drop_replaced("My first guess was 1970. But the right one is 1971."), drop_replaced("1970? No, 1971")
    ('the right one is 1971.', '1971')
    """
    if not REPLACING.search(text):
        return text
    for pattern in patterns:
        while found := pattern.search(text):
            text = text[found.end() :].strip()
    return text


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether a sentence denies the value at a place, or names it for somebody else."""
    return DENIED.search(text[max(start - NEAR, 0) : start]) is not None or _is_matched(DENIED_BEHIND, text, end)


def is_aside(text: str, start: int, end: int) -> bool:
    """Whether a sentence names the value at a place beside another only."""
    return ASIDE.search(text[max(start - NEAR, 0) : start]) is not None or _is_matched(ASIDE_BEHIND, text, end)


def has_other_role(text: str, start: int, end: int, asked: Collection[str]) -> bool:
    """Whether a sentence names the value at a place in another role than one of the question's words."""
    before, behind = IN_ROLE.search(text[max(start - NEAR, 0) : start]), OTHER_ROLE.match(text, end)
    words = [before["role"]] if before else [behind["role"] or behind["did"]] if behind else []
    return bool(words) and not (words[0] and any(each.startswith(words[0].lower()[:6]) for each in asked))


def _is_matched(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Whether words behind a place are those of a pattern; most values end a text."""
    return len(text) - end > 2 and pattern.match(text, end) is not None
