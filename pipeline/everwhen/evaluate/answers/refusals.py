"""Responses that give no answer: refused, unsure, or empty; and those that say that nothing fits, which is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from everwhen.evaluate.answers.claims import CONCLUDES, RECENT

UNKNOWN = re.compile(
    r"(?:(?:it|that|this|the answer) is |answer )?(?:currently )?(?:unknown|unclear|uncertain|unsure|indeterminate|n/?a"
    r"|not (?:known|sure|certain|available|specified|mentioned|provided|stated|given)|null|none of the above|no answer"
    r"|no idea|(?:i have )?no information(?: available)?|(?:cannot|can't|could not) be determined|pass|none|\W*)"
)
"""What says so as the whole answer."""

_SPEAKER_FAILS = (
    r"(?:(?:i|we) (?:really |honestly |just )?(?:(?:do|did|could|would|will|was|were)(?: not|n't)|cannot|can't|can not"
    r"|dont|won't|(?:am|was|were) (?:not able|unable) to|(?:was|were)n't able to)|(?:and|but|or|so|therefore) (?:cannot"
    r"|can't|could not|couldn't|won't|will not)) (?:\w+ ){0,2}?(?:know|say|tell|answer|determine|find|help|provide"
    r"|recall|remember|assist|verify|confirm|identify|access|look|have|pick|choose|commit|guess|speculate|compare|decide|settle"
    r"|judge|share|offer)|(?:i|we)(?:'ll| will| must| have to| would) (?:\w+ ){0,2}?(?:abstain|pass|decline|refrain)"
    r"|(?:escape|elude|fail)s? me|slip(?:s|ped)? my mind|(?:not|n't) (?:\w+ )?(?:strong suit|forte|specialty)"
)
_SPEAKER_IS_UNSURE = (
    r"(?:i'm|im|i am|we are) (?:(?:really |very |so |terribly )?(?:sorry|unable)"
    r"|not (?:\w+ ){0,2}?(?:sure|certain|aware|able|familiar|comfortable|confident|prepared|willing|qualified))"
    r"|as an ai|(?:just|only) an? (?:large )?(?:language model|ai|chatbot)"
)
_KNOWN = (
    r"(?:information|evidence|data|context|details?|sources?|records?|passages?|documents?|texts?|knowledge"
    r"|snippets?|excerpts?|materials?|articles?|database|dataset)"
)
_SOURCE_IS_SILENT = (
    rf"(?:(?:not|\w+n't) (?:\w+ ){{0,2}}?enough|insufficient|lacks? (?:\w+ )?) ?{_KNOWN}"
    r"|\bno (?:relevant |specific |such )?(?:information|evidence|data|context)"
    rf"|{_KNOWN} (?:\w+ ){{0,3}}?(?:(?:does|do|did)(?: not|n't)|(?:says?|contains?|gives?|mentions?|has|have)"
    rf" (?:nothing|no )|(?:is|are) silent)|none of (?:the|my|our|these|those) (?:\w+ )?{_KNOWN}"
    rf"|(?:have|find|found|see) no (?:\w+ )?(?:{_KNOWN}|answer)|(?:need|require) more {_KNOWN}"
    rf"|no (?:\w+ )?(?:{_KNOWN}|answer) (?:(?:is|are|was|were) )?(?:available|accessible|provided|given|can be|says?)"
    rf"|{_KNOWN} (?:is|are)(?: not|n't) (?:available|accessible|provided|given|known)"
    r"|(?:beyond|outside)(?: of)? (?:my|what i)|sorry,? (?:but )?no answer"
)
_IMPOSSIBLE = (
    r"(?:it is|it's|it remains) (?:not known|not clear|unknown|unclear|uncertain)"
    r"|(?:impossible|not possible|hard|difficult|unable) to (?:\w+ )?(?:determine|say|know|tell|answer|find|provide"
    r"|verify|help|assist|identify)|(?:not possible|impossible) for me"
    r"|(?:cannot|can't|could not|couldn't) (?:\w+ )?be (?:determined|answered|verified|known)|couldn't tell you"
    r"|no (?:\w+ )?way (?:to|of|for)|(?:nobody|no one|who) (?:really |actually )?knows|\bno (?:\w+ )?(?:idea|clue)"
    r"|(?:i would|i'd) (?:rather|prefer) not|beats me|refrain from|beyond me|cannot commit|too patchy|drawing a blank"
    r"|(?:i'd|would|could|might) (?:only |just )?(?:have to |be )(?:a |pure )?guess\w*"
    r"|not that i (?:know|am aware|'m aware) of|(?:not|n't) something (?:that )?i can|can't work out|more than i know"
    rf"|(?:i|we|you|one)(?:'d| would) (?:have|need|want) to (?:\w+ )?(?:look|search|check|consult|verify|research|see)"
    rf"|(?:nothing|not(?:hing)? \w+) in the (?:\w+ )?{_KNOWN}|(?:unknown|not known) to me"
    r"|could you (?:please )?(?:tell|clarify|specify)|(?:leave|leaving) (?:this|it|that)(?: one)? open"
    r"|unable to (?:work|figure) (?:this|it) out"
)
SAYS_NOTHING = re.compile(rf"(?<!\w)(?:{_SPEAKER_FAILS}|{_SPEAKER_IS_UNSURE}|{_SOURCE_IS_SILENT}|{_IMPOSSIBLE})\b")
"""What says so within a sentence."""

PIECE = re.compile(r"(?<=[.!?;\n])\s+|,?\s(?=(?:\(|\u2013 )?(?:but|though|although|and) i\b|\()", re.IGNORECASE)
DETAIL = re.compile(
    r"\b(?:exact(?:ly)?|precise(?:ly)?|specific|day|dates|month|details?|further|more|other|rest)\b", re.IGNORECASE
)
"""What a response may not know beside its answer."""

NEVERTHELESS = re.compile(
    r"^.*?\b(?:but|however|though|still|yet)\b,? (?P<answer>(?:i (?:\w+ )?(?:think|believe|guess|suspect|assume"
    r"|would (?:say|guess))|i'd (?:say|guess)|my (?:best |educated )?guess|it (?:was|is|could|might|may|must)|he |she "
    r"|they |the answer|probably|(?:most )?likely|perhaps|maybe|possibly)\b.*)$",
    flags=re.DOTALL | re.IGNORECASE,
)
"""An answer after all, behind a sentence that gave none."""

UNSURE = re.compile(r"(?:i am |i'm |answer: )?(?:unsure|uncertain|not sure)\b(?!,? but)", re.IGNORECASE)

_NOUN = r"(?!doubt|longer|other|wonder|matter|problem|worries|information|data|evidence|one else)[a-z]"
NO_ANSWER = re.compile(
    r"\bnot (?:a single|one) [a-z]|^zero [a-z]|\bno such\b|\bnot any\b|\b(?:does|did)(?: not|n't) exist\b"
    r"|\bno (?:\w+ )?(?:answers?|match(?:es)?|results?|rows?|records?|entr(?:y|ies)|values?)\b(?! (?:is|was) needed)"
    r"|\b(?:nobody|no-one|no one|none)\b(?! (?:other|else|but|except|besides|save|apart from)\b"
    r"| of (?:the|my) (?:other|rest|dates|names|sources)"
    r"|[^.;]{0,30}? (?:except|other than|besides|apart from) (?-i:[A-Z]))"
    r"|\bno (?!one |other |information)[a-z]+ (?:received|won|was|were|did|held|served|became|qualif\w+)\b"
    r"|(?:\bnot|n't) [^.;,]{0,40}\b(?:anyone|anybody)\b"
    rf"|\bthere (?:is|was|are|were|has been|have been)(?: not?|n't)(?: any)? {_NOUN}"
    r"|\b(?:set|list|answer|result)\b[^.;,]{0,60}? (?:is|was|remains|stays|would be) empty\b|\bempty (?:set|list)\b"
    rf"|(?:^|[,;:] (?:so |therefore |thus |hence )?|\b(?:so|therefore|thus|hence),? )no (?!one\b){_NOUN}",
    re.IGNORECASE,
)
"""What says that nothing fits."""

LIMITS = re.compile(
    r"\b(?:as an ai|my (?:knowledge|training)|real[- ]time|up[- ]to[- ]date|latest information|my last update)\b",
    re.IGNORECASE,
)
"""What a model says of its own knowledge, and not of the answer."""

UPDATED = re.compile(r".*?\bas of my [^,]*, (?P<answer>.+)", re.IGNORECASE)


ASKED = re.compile(
    r"\byou(?: have|'ve)? asked\b|\blet me (?:look into|think about|check|see) ?(?:it|that|this)?"
    r"(?: for you)?"
)


def is_only_question(text: str, question: str) -> bool:
    """Tell whether a text repeats the question and says nothing else.

    >>> is_only_question('You asked: "Who was it?" Let me look into that for you.', "Who was it?")
    True
    """
    rest = text.lower().replace(question.lower(), "")
    return len(rest) < len(text) and not re.search(r"\w", ASKED.sub("", rest))


@lru_cache(maxsize=RECENT)
def find_answer(text: str, *, is_number: bool = False) -> str | None:
    """Find the answer in a text that may refuse one: the text, what follows its refusal, or None.

    Args:
        text: A cleaned text.
        is_number: Whether a number is asked for: then "none" is one.

    >>> find_answer("I'm not sure, but I think it was 1971."), find_answer("I don't know."), find_answer("1971")
    ('I think it was 1971.', None, '1971')
    """
    plain = text.lower().strip(" .!\n\t\"'()[]")
    if UNKNOWN.fullmatch(plain) and (plain != "none" or not is_number):
        return None
    if not SAYS_NOTHING.search(plain):
        return text
    first, *rest = PIECE.split(text)
    kept = " ".join([first, *(piece for piece in rest if not (DETAIL.search(piece) and _says_nothing(piece)))])
    answer = NEVERTHELESS.sub(r"\g<answer>", text) if _says_nothing(kept) else kept
    return None if _says_nothing(answer) else answer


def _says_nothing(text: str) -> bool:
    """Tell whether a text says that its speaker, or a source, does not know."""
    return SAYS_NOTHING.search(text.lower()) is not None


def drop_limits(sentences: Sequence[str]) -> list[str]:
    """Drop what a response says of the limits of its knowledge, if anything else is left.

    >>> drop_limits(["I have no real-time data.", "As of my last update, it was Rau."])
    ['it was Rau.']
    """
    kept = []
    for sentence in sentences:
        updated = UPDATED.fullmatch(sentence) if "as of my" in sentence.lower() else None
        if updated:
            kept.append(updated["answer"])
        elif not LIMITS.search(sentence):
            kept.append(sentence)
    return kept or list(sentences)


def says_none(sentences: Sequence[str]) -> bool:
    """Tell whether an answer says that there is none: its first or its last sentence does, or its conclusion."""
    sentences = [sentence for sentence in sentences if not sentence.endswith("?")]
    return any(
        (place in (0, len(sentences) - 1) or CONCLUDES.match(sentence))
        and NO_ANSWER.search(sentence)
        and not _says_nothing(sentence)
        for place, sentence in enumerate(sentences)
    )


def is_unsure(sentences: Sequence[str]) -> bool:
    """Tell whether an answer gives none, and does not say that there is none."""
    text = "\n".join(sentences)
    return UNSURE.match(text) is not None or (find_answer(text) is None and not says_none(sentences))


def find_guess(text: str) -> str:
    """Find what an answer guesses behind a refusal, else the answer."""
    return find_answer(text) or text
