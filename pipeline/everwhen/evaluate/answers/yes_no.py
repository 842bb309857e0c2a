"""Yes or no in a response, with what may follow it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from everwhen.evaluate.answers.claims import ASIDE, Claim
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.stance import DENIED_BEHIND
from everwhen.evaluate.answers.words import ARTICLES, AUXILIARY, DENYING, MONTHS, NEGATING
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome

WORDS = {
    **dict.fromkeys(("yes", "yeah", "yep", "yup", "true", "correct", "affirmative", "sí", "sim", "oui", "ja"), "yes"),
    **dict.fromkeys(("no", "nope", "nah", "false", "incorrect", "negative", "não", "non", "nein"), "no"),
}
LEADING = frozenset(("yes", "yeah", "yep", "yup", "no", "nope", "nah"))
"""Those that answer also as the first of several words."""

SURE = {
    **dict.fromkeys(("absolutely", "certainly", "definitely", "indeed", "of course", "exactly"), "yes"),
    **dict.fromkeys(("there's no doubt about it", "there is no doubt about it", "no doubt about it"), "yes"),
    **dict.fromkeys(("it's the other way round", "it's the other way around", "it is the other way round"), "no"),
    **dict.fromkeys(("the other way round", "the other way around", "on the contrary", "quite the opposite"), "no"),
    **dict.fromkeys(("absolutely not", "certainly not", "definitely not", "of course not", "not at all"), "no"),
}
"""Words that answer where they are the first piece."""

_GROUPS = (
    ("before earlier older preceded precedes predates", "after later younger newer followed postdates"),
    ("larger bigger greater", "smaller"),
    ("taller higher", "shorter lower"),
    ("longer", "shorter"),
    ("more", "fewer less"),
    ("faster", "slower"),
)
RELATIONS: dict[str, set[tuple[int, int]]] = defaultdict(set)
for group, pair in enumerate(_GROUPS):
    for sign, words in zip((1, -1), pair, strict=True):
        for word in words.split():
            RELATIONS[word].add((group, sign))
"""Comparisons: what each is about, and its direction."""
OPEN = re.compile(
    r"\b(?:whether|if|unless|or|could|might|may|would|said|claim\w*|believed?|thought|question|compar\w+)\b|\?"
)
"""In a sentence that compares nothing yet, or leaves it open."""

CONTRAST = re.compile(r"(?P<head>[^,]+), (?:and )?not (?:in )?(?P<denied>[^,.]+)[.!]?", re.IGNORECASE)
MAX_CONTRAST_TOKENS = 4
"""Tokens that may be in place of what is denied."""

DIVIDES = re.compile(r"[.,;:!?/\n–]+|\s-\s|\band\b|\bor\b|\bthen\b")
LEADS = re.compile(
    r"(?:(?:(?:(?:the|my) (?:correct |right |final )?answer|it|that|this)(?: (?:is|was|must be|would be)|'s)"
    r"|i (?:think|believe|would say)|definitely|certainly|clearly|probably|so|well|\(?[a-d][.)]|[^\w\s(]+)\s+)+",
)
BASE_FORMS = {"took": "take", "came": "come", "saw": "see", "drew": "draw", "killed": "kill"}


def judge_yes_no(claim: Claim, item: GoldItem) -> Outcome:
    """Judge whether a claim says yes or no: by its first word, else as a sentence that repeats the question.

    Both are wrong, wherever the second is alone between commas or full stops.
    """
    respect = IN_OTHER_RESPECT.match(claim.text)
    if respect and {*fold(respect["respect"])}.isdisjoint(fold(item.question)):
        return Outcome.WRONG
    answer_words = {word for rival in claim.rivals for word in _find_words(rival)[1]}
    answer_words.update(*_find_words(claim.text))
    if not answer_words:
        answer_words = _read_sentence(claim.text, item)
    return Outcome.RIGHT if answer_words == {item.answer[0].lower()} else Outcome.WRONG


def says_yes_or_no(claim: Claim) -> bool:
    """Tell whether a claim has a yes or a no that answers."""
    return any(_find_words(claim.text))


SHORT = re.compile(
    r"(?:indeed,? )?(?:it|he|she|they) (?:did|does|was|is|were|has|had)(?P<no> not|n't)?(?=[,.;:!]|$)", re.IGNORECASE
)
"""An answer that repeats the verb alone: it did."""
IN_OTHER_RESPECT = re.compile(
    r"(?:by|in terms of|going by) (?!my|all|this)(?P<respect>[^,]+), (?:yes|no)\b", re.IGNORECASE
)
"""A yes or no to another question: by population, yes."""
NOT_UNTIL = re.compile(r"(?:\bnot|n't) (?P<verb>\w+ )?until\b", re.IGNORECASE)
"""A negation that denies nothing: he was not born until after her."""
NAME = re.compile(r"\b(?:[^\W\d_a-z][\w'-]*|\d+)")
IN = re.compile(r"\bin (?:the )?(?P<place>[^\W\d_a-z][\w' -]*)$")


def _find_words(text: str) -> tuple[list[str], list[str]]:
    """Find yes and no where they are the first word, and where they are alone between commas or full stops."""
    lower = text.lower().strip()
    split = [*map(str.strip, DIVIDES.split(lower))]
    pieces = [LEADS.sub("", piece) for piece in filter(None, split)]
    alone = [WORDS[piece] for piece in pieces if piece in WORDS]
    if sure := _find_sure(split[0], lower):
        return [], [*alone, sure]
    if short := SHORT.match(lower):
        alone.append("no" if short["no"] else "yes")
    first, _, rest = " ".join(pieces[:1]).partition(" ")
    if DENIED_BEHIND.match(rest):  # yes is wrong
        return [], []
    return [WORDS[word] for word in LEADING.intersection([first])], alone


def _find_sure(piece: str, lower: str) -> str | None:
    """Find what words in front answer, such as certainly; what denies anything behind them leaves a yes open."""
    sure = SURE.get(piece)
    return sure if sure == "no" or DENYING.isdisjoint(fold(lower[len(piece) :])) else None


def _read_sentence(text: str, item: GoldItem) -> set[str]:
    """Read a sentence that repeats the question with or without a negation; what adds or turns words says nothing."""
    text = NOT_UNTIL.sub(r"\g<verb>", text)
    contrast = CONTRAST.fullmatch(text)
    if contrast:
        return _read_contrast(contrast, item)
    head, _, tail = text.partition(": ")
    tokens = fold(head if DENYING.isdisjoint(fold(tail)) else text)
    content, asked = _list_content(tokens, AUXILIARY | NEGATING), _list_content(fold(item.question), AUXILIARY)
    if content != asked:
        if compared := _read_comparison(ASIDE.sub("", text), item):
            return compared
        if content or AUXILIARY.isdisjoint(tokens):
            return set()
    return {"yes" if NEGATING.isdisjoint(tokens) else "no"}


def _list_content(tokens: Sequence[str], besides: frozenset[str]) -> list[str]:
    """List the words of a sentence that say what happens, verbs in their base forms."""
    return [BASE_FORMS.get(token, token) for token in tokens if token not in besides]


def _read_contrast(contrast: re.Match[str], item: GoldItem) -> set[str]:
    """Read "took place in Mali, not Ethiopia" to a question that ends with what is denied."""
    tokens, denied = fold(contrast["head"]), [*fold(contrast["denied"])]
    content, asked = _list_content(tokens, AUXILIARY), _list_content(fold(item.question), AUXILIARY)
    shared = asked[: -len(denied)]
    if asked != [*shared, *denied] or not (NEGATING | DENYING).isdisjoint(tokens):
        return set()
    if len(shared) > 1 and content[: len(shared)] == shared:
        instead = content[len(shared) :]
    else:
        place = IN.search(contrast["head"])
        instead = [*fold(place["place"])] if place else []
    is_other = 0 < len(instead) <= MAX_CONTRAST_TOKENS and {*denied}.isdisjoint(instead)
    return {"no"} if is_other else set()


def _read_comparison(text: str, item: GoldItem) -> set[str]:
    """Read a comparison of the two of the question, in either order: B came later than A."""
    asked, given = _split_comparison(item.question), _split_comparison(text)
    if asked is None or given is None or OPEN.search(text.lower()):
        return set()
    a, b = asked.left - asked.right, asked.right - asked.left
    groups = dict(asked.signs)
    signs = {sign * groups[group] for group, sign in given.signs if group in groups}
    others = (given.left | given.right) - (asked.left | asked.right)
    is_same, is_turned = bool(given.left & a | given.right & b), bool(given.left & b | given.right & a)
    if len(signs) != 1 or is_same & is_turned or not all(map(str.isdigit, others)):
        return set()
    return {"no" if (signs == {-1}) ^ is_turned ^ (not NEGATING.isdisjoint(fold(text))) else "yes"}


class ComparedSubjects(NamedTuple):
    """A sentence around its one comparison: the words with capitals and numbers on its left and right."""

    signs: set[tuple[int, int]]
    left: set[str]
    right: set[str]


def _split_comparison(text: str) -> ComparedSubjects | None:
    """Split a sentence at its comparison; None where it has none or several."""
    found = [
        word for word in re.finditer(r"\w+", text) if word[0] in RELATIONS or text.strip(" .!").lower() in RELATIONS
    ]
    if len(found) != 1:
        return None
    sides = text[: found[0].start()], re.split(r"[,;:\u2013]", text[found[0].end() :], maxsplit=1)[0]
    named = [{t for word in NAME.findall(side) for t in fold(word)} - ARTICLES - AUXILIARY - MONTHS for side in sides]
    return ComparedSubjects(RELATIONS[found[0][0].lower()], *named)
