"""Names in a response: which is given as the answer, whatever its case, accents, articles or punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from everwhen.evaluate.answers.claims import ASIDE, Claim
from everwhen.evaluate.answers.words import (
    ARTICLES,
    BEFORE_YEAR,
    CONNECTING,
    CORRECTING,
    DENYING,
    HEDGING,
    JOINING,
    MONTHS,
    TELLING,
    TITLES,
)
from everwhen.evaluate.items import GoldItem

LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "&": " and ", ".": ""}
    | dict.fromkeys("'\u2018\u2019\u02bc\u00b4", "")
)
TOKEN = re.compile(r"[^\W_]+")

CONTRASTS = re.compile(
    r"(?:[,;]|\s[-–]|\band)\s*not\b|\b(?:rather than|instead of|as opposed to|unlike)\b", re.IGNORECASE
)
COMPARES = re.compile(
    r"(?:,?\s*\b(?:well|just|shortly|long|much|far|slightly|years)\s+)?\b(?:before|after|than|compared (?:to"
    r"|with)|over|while|whereas|followed by|vs|versus)\b",
    re.IGNORECASE,
)
APPOSITION = re.compile(
    r",\s*(?:(?:an?|the|who|which|whose|born|also|formerly|now|having|serving|since|as|beating|defeating)\s"
    r"|(?-i:(?!and|then|while|with|followed|before|after)[a-z]))",
    re.IGNORECASE,
)
SUBJECT = re.compile(
    r"^(?P<subject>(?!(?:In|On|At|By|From|As|During|After|Before)\b)[^,]+), (?:the|an?|who|which|whose|then"
    r"|now|founded|released)\b[^,]*, (?=[a-z])"
)
"""What is said of the subject of a sentence before the sentence goes on."""
EXPLAINS = re.compile(
    r",? with (?=(?:(?:around|about|some|roughly|nearly|over|only) )?\d)|\s?:\s|\s[-\u2013]\s|,? because\b"
)
ASKS_FIRST = re.compile(r"\b(?:first|earlier|earliest|older|oldest)\b", re.IGNORECASE)
ASKS_LAST = re.compile(r"\b(?:last|later|latest|younger|youngest|newer|newest|recent|recently)\b", re.IGNORECASE)
TOOK_OVER_FROM = frozenset(("succeeded", "replaced", "followed"))
CAME_BEFORE = frozenset(("preceded",))
ASKS_NEXT = re.compile(r"\b(?:after|succeeded|replaced|followed)\b", re.IGNORECASE)
JOINT = re.compile(r"\b(?P<first>[^\W\d_]\S*)(?P<rest> (?:and|&) [^\W\d_]\S* (?P<surname>[^\W\d_][\w'-]+))")
"""Two people with one surname."""

YEAR = re.compile(r"1\d{3}|20\d\d")

SHORT = 200
"""Characters of texts that are folded once: names, options and questions come again."""

Tokens = tuple[str, ...]


def fold(text: str) -> Tokens:
    """Fold a text to the tokens by which names are compared: without case, accents, punctuation and articles.

    Initials are joined, so that "J. K. Simmons" is "JK Simmons".

    >>> fold("The Wał\\u0119sas"), fold("J. K. Simmons"), fold("The The")
    (('walesas',), ('jk', 'simmons'), ('the', 'the'))
    """
    return _fold_short(text) if len(text) <= SHORT else _fold(text)


@lru_cache(maxsize=100_000)
def _fold_short(text: str) -> Tokens:
    return _fold(text)


def _fold(text: str) -> Tokens:
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(LETTERS))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    tokens: list[str] = []
    joins = False
    for token in TOKEN.findall(plain):
        is_initial = len(token) == 1 and token.isalpha() and token not in ("a", "i")
        if is_initial and joins:
            tokens[-1] += token
        else:
            tokens.append(token)
        joins = is_initial
    named = tuple(token for token in tokens if token not in ARTICLES)
    return named or tuple(tokens)


def gives_name(claim: Claim, item: GoldItem, accepted: Sequence[Sequence[str]], others: Iterable[str]) -> bool:
    """Tell whether a claim gives every part of an answer, and no other.

    A sentence gives a name if what it has beside is made of words of the question, connecting words, titles and dates.

    Args:
        claim: The claim of a final answer.
        item: The item; its question and options.
        accepted: For each part the texts that are right.
        others: Texts that are other answers.
    """
    right = [[fold(text) for text in texts] for texts in accepted]
    wrong = (
        {fold(form) for text in others for form in (text, ASIDE.sub("", text))}
        - {tokens for texts in right for tokens in texts}
        - {()}
    )
    is_name = len(right) == 1 and fold(claim.text) in right[0]
    forms = (claim.text, ASIDE.sub("", claim.text))
    return (is_name or any(_sentence_gives(form, item, right, wrong) for form in forms)) and all(
        fold(rival) in right[0] or _sentence_gives(ASIDE.sub("", rival), item, right, wrong) for rival in claim.rivals
    )


def repeat_surnames(text: str, is_name: Callable[[str], bool]) -> str:
    """Repeat a surname that two people share and a text has once: Joel and Ethan Coen."""

    def repeat(joint: re.Match[str]) -> str:
        name = f"{joint['first']} {joint['surname']}"
        return f"{name}{joint['rest']}" if is_name(name) else joint[0]

    return JOINT.sub(repeat, text)


def _sentence_gives(text: str, item: GoldItem, right: list[list[Tokens]], wrong: set[Tokens]) -> bool:
    """Tell whether a sentence gives every part and no other answer."""
    if len(right) > 1:
        text = repeat_surnames(text, lambda name: any(fold(name) in names for names in right))
    tokens, found = _find_names(_cut(text, item, right), right, wrong)
    parts = [part for _, _, part in found if part is not None]
    if len(parts) < len(found) or set(parts) != set(range(len(right))):
        return False
    if item.is_ordered and parts != sorted(parts):
        return False
    covered = {place for start, end, _ in found for place in range(start, end)}
    around = [(place, token) for place, token in enumerate(tokens) if place not in covered]
    asked = set(fold(item.question))
    if not item.options:  # an option's own, as Twain's, is no word of the question
        asked |= {f"{token}s" for token in asked}
    if _is_subject(tokens, found, item):
        return True
    starts = {start for start, _, _ in found}
    if not item.options:  # the year of an event, which the question leaves out
        around = [(p, token) for p, token in around if not (YEAR.fullmatch(token) and p + 1 not in starts and p)]
    if any(token in DENYING or not _may_stand(place, token, tokens, asked) for place, token in around):
        return False
    turning = TOOK_OVER_FROM if ASKS_NEXT.search(item.question) else CAME_BEFORE
    if any(start and tokens[start - 1] in turning for start in starts):
        return False
    words = [token for _, token in around]
    verbs = {*re.findall(r"\b[a-z]+", item.question)}.intersection(words)
    is_sentence = any(word in JOINING for word in words) or len(verbs) > 1
    return is_sentence or all(word in TITLES for word in words)


def _is_subject(tokens: Tokens, found: list[tuple[int, int, int | None]], item: GoldItem) -> bool:
    """Tell whether a sentence begins with its one name, and says of it what is asked: Kravchuk won it in 1991."""
    start, end, _ = found[0]
    if len(found) > 1 or start or item.options or end == len(tokens):
        return False
    is_asked = tokens[end] in TELLING and tokens[end] in fold(item.question)
    return is_asked and not (DENYING | HEDGING | CORRECTING).intersection(tokens[end:])


def _cut(text: str, item: GoldItem, right: list[list[Tokens]]) -> str:
    """Cut a sentence behind the name where it continues with a contrast, a comparison of options, or an apposition."""
    patterns = (CONTRASTS, APPOSITION, *([COMPARES] if item.options else []), EXPLAINS)
    options = [fold(option) for option in item.options]
    subject = SUBJECT.match(text)
    if subject and {*fold(subject["subject"])} <= {*fold(item.question)}:
        text = f"{subject['subject']} {text[subject.end() :]}"
    for pattern in patterns:
        for found in pattern.finditer(text):
            tail = fold(text[found.start() :])
            denies = pattern is not CONTRASTS and DENYING.intersection(tail)
            names_option = pattern is APPOSITION and any(tail[: len(option)] == option for option in options)
            if pattern is EXPLAINS:
                plain = fold(COMPARES.split(text[found.start() :])[0])
                names_option = any(_find(plain, [option]) for option in options if [option] not in right)
            denies = denies or (pattern is APPOSITION and HEDGING.intersection(tail))
            is_kept = denies or names_option or _is_turned(found.group(), item)
            if not is_kept and all(_find(fold(text[: found.start()]), texts) for texts in right):
                text = text[: found.start()]
                break
    return text


def _is_turned(comparison: str, item: GoldItem) -> bool:
    """Tell whether a comparison of options gives the second: the first is asked, and one came after the other."""
    if ASKS_FIRST.search(item.question):
        return comparison.lower().endswith("after")
    return bool(ASKS_LAST.search(item.question)) and comparison.lower().endswith(("before", "followed by"))


def _find(tokens: Tokens, names: Sequence[Tokens]) -> bool:
    """Tell whether one of the names is in a sequence of tokens."""
    return any(tokens[i : i + len(name)] == name for name in names if name for i in range(len(tokens) - len(name) + 1))


def _find_names(
    text: str, right: list[list[Tokens]], wrong: set[Tokens]
) -> tuple[Tokens, list[tuple[int, int, int | None]]]:
    """Find names in a text, at each place the longest: start, end, and its part, None of other answers."""
    tokens = fold(text)
    parts: dict[Tokens, int | None] = dict.fromkeys(wrong)
    parts |= {name: part for part, names in enumerate(right) for name in names if name}
    longest = max(map(len, parts), default=0)
    found, place = [], 0
    while place < len(tokens):
        sizes = range(min(longest, len(tokens) - place), 0, -1)
        size = next((n for n in sizes if tokens[place : place + n] in parts), 0)
        if size:
            found.append((place, place + size, parts[tokens[place : place + size]]))
        place += size or 1
    return tokens, found


def _may_stand(place: int, token: str, tokens: Tokens, asked: set[str]) -> bool:
    """Tell whether a token may stand beside a name: it names nothing else."""
    if token.isdigit():
        is_year = place > 1 and tokens[place - 1].isdigit() and tokens[place - 2] in MONTHS
        return token in asked or is_year or (place > 0 and tokens[place - 1] in BEFORE_YEAR) or _is_day(place, tokens)
    return token in asked or any(token in words for words in (CONNECTING, TELLING, TITLES, MONTHS, ARTICLES))


def _is_day(place: int, tokens: Tokens) -> bool:
    """Tell whether a number is the day of a month that is beside it."""
    return bool(MONTHS.intersection(tokens[max(place - 1, 0) : place + 2]))
