"""Lists in a final answer: of what a number counts, and in the order that a question asks about."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from everwhen.evaluate.answers.claims import ASIDE, CONCLUDES, Claim, clean, read_claim
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.numbers import find_amounts
from everwhen.evaluate.answers.words import CONNECTING
from everwhen.evaluate.items import GoldItem

ENTRY = re.compile(r"\s*(?:\(?(?P<number>\d{1,2})[.)]|[-*•])\s+(?P<text>\S.*)")
INTRODUCES_LIST = re.compile(r"(?:.*:|\d+)?", re.DOTALL)
FIRST = re.compile(r"\b(?:first|earliest|earlier)\b", re.IGNORECASE)
ORDERED = re.compile(r"\b(?:in (?:chronological )?order|ordered|ranked|chronologically)\b", re.IGNORECASE)
BEHIND_NAME = re.compile(r"(?:\s\u2013|:)\s.*")
TURNED = re.compile(
    r"\b(?:reverse|alphabetical|last|latest|recent|newest|youngest|descending|not|except)\b", re.IGNORECASE
)
"""What an introduction says of a list that does not begin with the first."""


_BEHIND = r"[,:(=|\u2013\u2192-]\s*"
TICKED = re.compile(rf"[\u2705\u2713\u2714\u2611]|{_BEHIND}(?:yes|qualifies)\W*$", re.IGNORECASE)
CROSSED = re.compile(
    rf"[\u274c\u2717\u2718\u2716]|{_BEHIND}(?:no|does not qualify|not eligible|excluded)\W*$", re.IGNORECASE
)
"""A line of a list whose entries are judged."""

LABELLED = re.compile(r"^\W*(?:\d{1,2}[.)]\s+)?(?P<label>[^\W\d_][^\d:\n]{1,40}?)\W*:\W*\s\S")
FURTHER = frozenset(
    "or also another other second alternative option candidate correction correct actual real true".split()  # noqa: SIM905
)
"""Words of labels behind which there may be another answer."""
PLAIN = CONNECTING | frozenset(("name", "person", "result"))
ASKS = {"when": "date year day time", "where": "place city country", "die": "death"}
HEAD = re.compile(r" (?:of|in|on|at|for|from|that|starring|to|by)\b")
STEM = 5
"""Letters by which words of labels are compared: launched, launch."""

OF_THESE = re.compile(r"\bof (?:them|these|those)\b", re.IGNORECASE)


def drop_crossed(text: str) -> str:
    """Drop lines that a text crosses out, where it ticks others.

    >>> drop_crossed("1992: Albertville - no\\n1996: Atlanta - yes")
    '1996: Atlanta - yes'
    """
    lines = text.split("\n")
    if len(lines) == 1 or not any(map(TICKED.search, lines)):
        return text
    return "\n".join(line for line in lines if not CROSSED.search(line))


def drop_other_facts(text: str, question: str) -> str:
    """Drop lines with another label than the question asks for, where a line has that.

    >>> drop_other_facts("Best Director: Ann Abel\\nBest Actor: Bea Bohr", "Who was best director in 2001?")
    'Best Director: Ann Abel'
    """
    asked = _stem(question)
    lines = text.split("\n")
    labels = [_stem(found["label"]) if (found := LABELLED.match(line)) else None for line in lines]
    best = _choose_labels([(label, line) for label, line in zip(labels, lines, strict=True) if label], asked, question)
    if not best:
        return text
    return "\n".join(
        line for line, label in zip(lines, labels, strict=True) if not label or label in best or label & FURTHER
    )


def _choose_labels(labelled: list[tuple[set[str], str]], asked: set[str], question: str) -> list[set[str]]:
    """Choose the labels that a question asks for: those that say most of it."""
    fitting = [pair for pair in labelled if pair[0] <= asked]
    # A value that the question has says nothing where others do not: "film: Casino" beside the director.
    known = {*fold(question)}
    fitting = [pair for pair in fitting if not {*fold(pair[1].partition(":")[2])} <= known] or fitting
    return [label for label, _ in fitting if not any(label < other for other, _ in fitting)]


def is_fact(sentence: str, question: str) -> bool:
    """Tell whether a sentence is a label and a value, of something else than the question asks for."""
    found = LABELLED.match(sentence)
    label = _stem(found["label"]) if found else set()
    return bool(label) and label.isdisjoint(FURTHER | _stem(HEAD.split(question)[0]))


def _stem(text: str) -> set[str]:
    """List the words of a label or question that say something, without their ends."""
    words = [word for token in fold(text) for word in (token, *ASKS.get(token, "").split())]
    return {word if word in FURTHER else word[:STEM] for word in words if word not in PLAIN}


class Listing(NamedTuple):
    """A list with the text around it.

    Attributes:
        head: The text in front of it, without its colon.
        entries: Its entries.
        tail: The text behind it.
        is_numbered: Whether the entries are numbered.
    """

    head: str
    entries: tuple[str, ...]
    tail: str
    is_numbered: bool


def read_listing(text: str) -> Listing | None:
    """Read a text that has one list, numbered from 1 or with bullets; None if it has none or several."""
    lines = [*filter(str.strip, text.split("\n"))]
    found = {place: match for place, line in enumerate(lines) if (match := ENTRY.fullmatch(line))}
    if not found or len(lines) == 1:
        return None
    first, last, count = min(found), max(found), len(found)
    numbers, texts = zip(*(match.group("number", "text") for match in found.values()), strict=True)
    is_numbered = numbers == (*map(str, range(1, count + 1)),)
    if last - first + 1 != count or not (is_numbered or not any(numbers)):
        return None
    head = clean("\n".join(lines[:first]))
    if not INTRODUCES_LIST.fullmatch(head):
        return None
    return Listing(head.rstrip(":"), tuple(map(clean, texts)), clean("\n".join(lines[last + 1 :])), is_numbered)


def read_count(text: str, item: GoldItem) -> Claim | None:
    """Read the count beside a list: the one number in front of it, else behind it.

    The list must be as long, or its numbers must add up to the count.

    Args:
        text: A final answer, with its marks of Markdown.
        item: What is asked.

    Returns:
        The claim, empty where the list and the number disagree; None where the text has no count with a list.
    """
    if item.answer_type != "number" or item.unit is not None:
        return None
    listing = read_listing(text)
    if listing is None or any(map(CONCLUDES.match, listing.tail.split("\n"))):
        return None
    head = {*find_amounts(listing.head, item)}.difference(find_amounts(item.question, item))
    spoken = f"{listing.head}.\n{listing.tail}" if head else listing.tail
    counts = [*head] or find_amounts(read_claim(spoken).text, item)
    if not counts:
        return None
    agrees = len(counts) == 1 and _is_count(counts[0].value, listing, item)
    return read_claim(spoken.strip()) if agrees else Claim("")


def _is_count(number: Fraction, listing: Listing, item: GoldItem) -> bool:
    """Tell whether a number is how long a list is, what its numbers add up to, or how many of its entries count."""
    parts = [amount.value for entry in listing.entries for amount in find_amounts(ASIDE.sub("", entry), item)]
    is_sum = len(parts) == len(listing.entries) and number == sum(parts)
    return is_sum or number == len(listing.entries) or OF_THESE.search(listing.tail) is not None


def read_ranking(text: str, item: GoldItem) -> Claim | None:
    """Read the first of a numbered list of all options, for a question of which is first.

    Args:
        text: A final answer, with its marks of Markdown.
        item: What is asked.

    Returns:
        The claim; None where the text is no such list, or has a text behind the list.
    """
    if not item.options or not FIRST.search(item.question):
        return None
    listing = read_listing(text)
    if listing is None or not listing.is_numbered or listing.tail or TURNED.search(listing.head):
        return None
    names = _list_names(listing)
    return Claim(names[0]) if sorted(map(fold, names)) == sorted(map(fold, item.options)) else None


def _list_names(listing: Listing) -> list[str]:
    """List the entries; in a list that says that it is in order, without the date behind each."""
    names = [ASIDE.sub("", entry) for entry in listing.entries]
    return [BEHIND_NAME.sub("", name) for name in names] if ORDERED.search(listing.head) else names
