"""Which sentence of a final answer is the answer, and which others are answers, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import NamedTuple

from everwhen.evaluate.answers.words import EXPLAINING

ENDS = re.compile(r"[.!?;]+[\"')\]]*\s+|\s*\n+\s*")
"""Where a sentence may end."""

ABBREVIATED = re.compile(
    r"(?:^|[\s.(])(?:(?<!\d\s)[a-z]|mr|mrs|ms|dr|st|jr|sr|mt|ft|no|vs|ca|approx|inc|ltd|co"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.$",
    flags=re.IGNORECASE,
)
"""What a full stop does not end a sentence behind: initials and abbreviations."""

LATEX = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm)\{([^{}]*)\}")
MARKDOWN = re.compile(r"[*`#]+|\\[()\[\]]|(?<!\w)_+|_+(?!\w)|^\s*(?:[-•]\s+|>\s*)", flags=re.MULTILINE)
NESTED = 3
"""How deep commands of LaTeX are unpacked."""

LATIN = re.compile(r"\b([ie])\.\s?([eg])\.", re.IGNORECASE)
FORMULA = re.compile(r"\${1,2}([^$\n]+)\${1,2}")
CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u00ab\u00bb", '"'),
        **dict.fromkeys("\u00a0\u2009\u202f\u2007", " "),
        **dict.fromkeys("\u2014\u2012\u2015", "\u2013"),
        "\u2212": "-",
        "\u2011": "-",
        "\u200b": "",
    }
)

RECENT = 64
"""Texts that are cleaned once: an answer is judged in several steps."""

ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")

INTRODUCES = re.compile(
    r"(?:sure|certainly|okay|ok|great question|good question|let's see|let me think"
    r"|let's think step by step)[.!,;]*|.*:",
    flags=re.IGNORECASE,
)
"""A sentence that only introduces the next."""

_LEADS = (
    r"in (?:conclusion|summary|short|brief|a nutshell|the end)|to (?:sum up|summari[sz]e|conclude)|overall|all in all"
    r"|ultimately"
)
CONCLUDES = re.compile(
    rf"(?:so|{_LEADS}|in total|altogether|make (?:that|it)|consequently"
    r"|(?:that|this|which) (?:makes|means|leaves|comes to)"
    r"|(?:[\w']+ ){0,4}?(?:therefore|thus|hence))(?!\w)"
    r"|[^.;]*, so (?:just |only |it's |the answer is )?[\w,]+\W*$",
    re.IGNORECASE,
)
"""How a sentence begins that concludes."""
CONCLUSION = re.compile(r", (?:so|therefore|thus|hence|which means|meaning|which makes|making)(?: that)?,? ")
"""What begins the conclusion within a sentence."""

LEADS = re.compile(rf"\A(?:{_LEADS}),? ", re.IGNORECASE)
"""How it begins that says nothing."""
CORRECTS = re.compile(
    r"(?:wait|actually|no|correction|sorry|or|the number of those|alternatively|however|instead|rather|hmm|oops"
    r"|scratch that|i mean)\b",
    flags=re.IGNORECASE,
)
"""How a sentence begins that takes the answer back, or says that it is the number of others."""

NAMES_AGAIN = re.compile(
    r"(?:it|this|that|the (?:correct |right |final )?answer) (?:is|was) (?:actually |really )?(?P<word>[\w'-]+)",
    flags=re.IGNORECASE,
)
"""How a sentence begins that may give another answer."""

SAYING = re.compile(
    r"\b(?:is|was|were|are|has|had|have|he|she|it|they|his|her|its|their|who|which|that|this|in|on|at|of|by|to|for|from"
    r"|because|since|as|with|both|followed|did|does|be|been|after|before|during"
    r"|holds|stands|seats|measures|covers|came|opened|ended|began|lasted|took|left)\b",
    flags=re.IGNORECASE,
)
"""A word of a sentence that explains; without any it is a bare answer."""

DESCRIBES = re.compile(
    r"The (?!other|second|next)[a-z]+ (?:won|made|took|became|began|sold|ran|grossed|came|received|earned|starred)\b"
)
"""How a sentence begins that says more of what is asked about: The film won three Oscars."""


class Claim(NamedTuple):
    """The answer in a final answer.

    Attributes:
        text: The sentence that gives the answer.
        rivals: Other sentences that give an answer: bare ones, and corrections.
    """

    text: str
    rivals: tuple[str, ...] = ()


@lru_cache(maxsize=RECENT)
def clean(text: str) -> str:
    """Remove marks of Markdown and LaTeX, and replace typographic characters by plain ones."""
    if "\\" in text:
        for _ in range(NESTED):
            text = LATEX.sub(r"\1", text)
    if "." in text:
        text = LATIN.sub(r"\1\2", text)
    if "$" in text:
        text = FORMULA.sub(r"\1", text)
    return MARKDOWN.sub("", text.translate(CHARACTERS)).strip().strip("\"'").strip()


def read_claim(text: str, *, concludes: bool = True, has_value: Callable[[str], bool] = bool) -> Claim:
    """Find the sentence of a cleaned text that gives the answer: its conclusion, else its first.

    Args:
        text: The text.
        concludes: Whether a conclusion counts more than the first sentence.
        has_value: Whether a sentence has a value that may be the answer; those in front of the first only lead to it.
    """
    if "\n" not in text and not re.search(r"[.!?;]\s", text):
        return Claim(LEADS.sub("", text))
    sentences = _drop_front(filter(None, split_sentences(text)), INTRODUCES.fullmatch)
    if concludes:
        sentences = _drop_front(find_conclusion(sentences), re.compile("[Nn]ot ").match)
    if any(map(has_value, sentences)):
        sentences = _drop_front(sentences, lambda sentence: not has_value(sentence))
    first, *others = sentences or [text]
    first = LEADS.sub("", first)
    return Claim(first, tuple(sentence for sentence in others if _is_rival(sentence) or _repeats(first, sentence)))


def find_conclusion(sentences: Sequence[str], concludes: Callable[[str], object] = CONCLUDES.match) -> Sequence[str]:
    """Find the conclusion: the sentences from the last on that concludes, else all."""
    places = [place for place, sentence in enumerate(sentences) if concludes(sentence)]
    return sentences[places[-1] :] if places else sentences


def _drop_front(sentences: Iterable[str], is_dropped: Callable[[str], object]) -> Sequence[str]:
    """Drop sentences in front, but not the last."""
    *others, last = [*sentences] or [""]
    return [*dropwhile(is_dropped, others), last]


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences, at line ends and behind full stops that end no abbreviation; not in parentheses."""
    sentences, start = [], 0
    for end in ENDS.finditer(text):
        is_line = "\n" in end.group()
        if not is_line and text.count("(", start, end.start()) > text.count(")", start, end.end()):
            continue
        is_stop = not is_line and end.group().rstrip() == "."
        if is_stop and ABBREVIATED.search(text, max(start, end.start() - 8), end.start() + 1):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    return [*sentences, text[start:].strip()]


def _repeats(first: str, other: str) -> bool:
    """Whether a sentence says the same as another of something else: He died on 19 May. He died on 20 May."""
    a, b = (re.findall(r"\w+", sentence) for sentence in (first, other))
    differing = [pair for pair in zip(a, b, strict=False) if pair[0] != pair[1]]
    is_same = len(a) == len(b) > len(differing) + 1
    return is_same and bool(differing) and not any(word.islower() for pair in differing for word in pair)


def _is_rival(sentence: str) -> bool:
    """Whether a further sentence gives an answer: it corrects, names one again, or says nothing else."""
    again = NAMES_AGAIN.match(sentence)
    if again:
        word = again["word"].lower()
        return word not in EXPLAINING and not word.endswith(("ed", "ing"))
    return bool(CORRECTS.match(sentence)) or not (SAYING.search(sentence) or DESCRIBES.match(sentence))
