"""Names in a response: which is given, whatever its case, accents, articles and punctuation, and in other forms."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, takewhile

from everwhen.evaluate.answers.claims import ASIDE, CONCLUDES, Claim
from everwhen.evaluate.answers.stance import is_aside, is_denied
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
    r"|with)|over|while|whereas|followed by|precede[sd](?! by)|predate[sd]|vs|versus)\b",
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
    r"\s[@=] (?=\d)|,? with (?=(?:(?:around|about|some|roughly|nearly|over|only) )?\d)"
    r"|\s?:\s|\s[-\u2013]\s|,? because\b"
)
ASKS_FIRST = re.compile(r"\b(?:first|earlier|earliest|older|oldest)\b", re.IGNORECASE)
ASKS_LAST = re.compile(r"\b(?:last|later|latest|younger|youngest|newer|newest|recent|recently)\b", re.IGNORECASE)
TOOK_OVER_FROM = frozenset(("succeeded", "replaced", "followed"))
CAME_BEFORE = frozenset(("preceded",))
ASKS_NEXT = re.compile(r"\b(?:after|succeeded|replaced|followed)\b", re.IGNORECASE)
JOINT = re.compile(r"\b(?P<first>[^\W\d_]\S*)(?P<rest> (?:and|&) [^\W\d_]\S* (?P<surname>[^\W\d_][\w'-]+))")
"""Two people with one surname."""

KEPT = {CONTRASTS: frozenset[str](), APPOSITION: DENYING | HEDGING, COMPARES: DENYING, EXPLAINS: DENYING}
"""By what a sentence continues with behind a name, the words of which it then has none where it is cut."""
STANDING = CONNECTING | TELLING | TITLES | MONTHS | ARTICLES
"""Words that may stand beside a name."""

YEAR = re.compile(r"1\d{3}|20\d\d")

_CAPITAL = r"(?:[^\W\da-z_]|\d)[\w'-]*\.?"
PART = re.compile(rf"{_CAPITAL}(?:(?: (?:of|the|de|van|von|la))* {_CAPITAL})*(?<!\.)")
"""Words in capitals and numbers side by side: a name, or a part of one."""
WITHIN_PLACE = re.compile(r"\b(?:in|at|from|near) $")
SUBJECTS = frozenset(("so", "therefore", "thus", "name", "one", "person", "man", "woman", "final", "my"))
GIVING = re.compile(
    r"(?:^|[.;:!?,\u2013] )(?P<subject>(?:[\w'-]+ ){0,7}[\w-]+)(?: was| is|'s)(?: indeed| actually)? $", re.IGNORECASE
)
"""In front of a name that is given: it was, the president at that time was."""
GIVING_TO = re.compile(r"\b(?:went|goes|belong(?:s|ed)) to $", re.IGNORECASE)
LISTING = re.compile(r"^.{12,}: $")
ASKED_BY = {
    "won": {"won", "winner"},
    "founded": {"founded", "founder", "established"},
    "directed": {"directed", "director"},
    "written": {"wrote", "author", "written"},
    "headquartered": {"headquartered", "headquarters", "based"},
}
"""What a question asks by, by how an answer says it."""
DONE_BY = re.compile(
    r"\b(?P<act>won|founded|directed|written)\b[^.;:,()\d]*(?:\d{4}[^.;:,()\d]*)?\bby $", re.IGNORECASE
)
TAKES_PLACE = re.compile(
    r"^(?!.*\b(?i:his|her|their|whose) ).*\b(?P<act>born|died|based|headquartered|buried)\b"
    r"(?: [a-z]+){0,2} in (?:the city of )?$"
)
MAY_FOLLOW = re.compile(
    r"[\"')]*(?:[.!]|\s*\(|,? (?!and [^\W\da-z_]|or\b|and/or\b|not\b|then [^\W\da-z_]|rather\b)[a-z]|\s?[\u2013;])"
    r"(?!.*\b(?:actually|wait|correction|rather|sorry|no,)\b)"
)
"""What a sentence may go on with behind the name: no other name, and nothing that takes it back."""
SECOND_USE = re.compile(r", with an? ")
ENDS_AS_GIVEN = re.compile(
    r"[\"')]*(?: it is)?(?: \([^()]*\)|,? (?:aged|for) [^.;:!?,]*|, (?:with|who)\b[^.;:!?]*)*[.!\"'\s]*"
)
SEASONS = frozenset(("summer", "winter"))
MIN_LENGTH = 3
"""Letters of a word that may be an option's name alone."""

PARTICLES = frozenset("de da do dos das di del van von der den bin ibn al el la le y of".split())  # noqa: SIM905
SUFFIXES = frozenset("jr sr ii iii iv v vi".split())  # noqa: SIM905
_WORD = r"(?:[^\W\d_a-z]\.(?: ?[^\W\d_a-z]\.)*|[^\W\d_a-z][\w'\u2019-]*)"
RUN = re.compile(rf"{_WORD}(?: (?:(?:{'|'.join(sorted(PARTICLES))}) )*{_WORD})+")
"""Words in capitals side by side, with particles between them."""

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
    tokens: list[str] = []
    joins = False
    for token in TOKEN.findall(drop_accents(text.casefold().translate(LETTERS))):
        is_initial = len(token) == 1 and token.isalpha() and token not in ("a", "i")
        if is_initial and joins:
            tokens[-1] += token
        else:
            tokens.append(token)
        joins = is_initial
    named = tuple(token for token in tokens if token not in ARTICLES)
    return named or tuple(tokens)


def drop_accents(text: str) -> str:
    """Drop the accents of letters."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def gives_name(claim: Claim, item: GoldItem, accepted: Sequence[Sequence[str]], others: Iterable[str]) -> bool:
    """Tell whether a claim gives every part of an answer, and no other.

    A sentence gives a name if what it has beside is made of words of the question, connecting words, titles and dates.

    Args:
        claim: The claim of a final answer.
        item: The item; its question and options.
        accepted: For each part the texts that are right.
        others: Texts that are other answers.
    """
    right = [[*map(fold, texts)] for texts in accepted]
    forms = {fold(form) for text in others for form in (text, ASIDE.sub("", text))}
    wrong = forms - {*chain.from_iterable(right)} - {()}
    is_name = len(right) == 1 and fold(claim.text) in right[0]
    spoken = (claim.text, ASIDE.sub("", claim.text))
    return (is_name or any(_sentence_gives(form, item, right, wrong) for form in spoken)) and all(
        fold(rival) in right[0] or _sentence_gives(ASIDE.sub("", rival), item, right, wrong) for rival in claim.rivals
    )


def write_options_in_full(text: str, options: Sequence[str]) -> str:
    """Write an option in full where a text has a part of its name that no other has: a surname, Trianon, Euro 2000.

    >>> options = ["Sam Mendes", "Steve McQueen (born 1969)"]
    >>> write_options_in_full("Mendes, before McQueen and Jo Mendes", options)
    'Sam Mendes, before Steve McQueen and Jo Mendes'
    """
    plain = [ASIDE.sub("", option) for option in options]
    split = [frozenset(fold(option)) for option in plain]
    counts = Counter(chain.from_iterable(split))

    def write(found: re.Match[str]) -> str:
        words = found[0].split(" ")
        front = [*takewhile(lambda word: {*fold(word)} <= STANDING, words)]
        tokens = fold(" ".join(words[len(front) :]))
        place = _find_owner(tokens, split, counts)
        behind = fold(text[found.end() :].partition(" ")[2].partition(" ")[0])
        if place is None or WITHIN_PLACE.search(text[: found.start()]) or split[place].intersection(behind):
            return found[0]
        return " ".join([*front, plain[place]])

    return PART.sub(write, text)


def _find_owner(tokens: Tokens, split: Sequence[frozenset[str]], counts: Counter[str]) -> int | None:
    """Find the one option that has all tokens, one of which names nothing else."""
    if not any(counts[token] == 1 and _is_name(token) for token in tokens):
        return None
    fitting = [place for place, own in enumerate(split) if own.issuperset(tokens)]
    return fitting[0] if len(fitting) == 1 else None


def _is_name(token: str) -> bool:
    return len(token) >= MIN_LENGTH and token.isalpha() and token not in STANDING | SEASONS


def repeat_surnames(text: str, is_name: Callable[[str], bool]) -> str:
    """Repeat a surname that two people share and a text has once: Joel and Ethan Coen."""

    def repeat(joint: re.Match[str]) -> str:
        name = f"{joint['first']} {joint['surname']}"
        return f"{name}{joint['rest']}" if is_name(name) else joint[0]

    return JOINT.sub(repeat, text)


def gives_in_prose(sentence: str, item: GoldItem, accepted: Sequence[str], *, is_first: bool = False) -> bool:
    """Tell whether a sentence gives a name by the words in front of it, whatever else it says.

    The first one may begin with the name, if nothing is an answer beside it.

    >>> item = GoldItem(1, "Who directed Casino?", ("Ann Abel",), ((),), "name")
    >>> texts = ("Not Bohr: it was Ann Abel.", "In 1995 it was directed by Ann Abel, with Bohr.", "He met Ann Abel.")
    >>> [gives_in_prose(text, item, item.answer) for text in texts]
    [True, True, False]
    """
    names = "|".join(map(re.escape, sorted(filter(None, accepted), key=len, reverse=True)))
    return any(
        _is_given(found, item, is_first=is_first) for found in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", sentence)
    )


def _is_given(found: re.Match[str], item: GoldItem, *, is_first: bool) -> bool:
    """Tell whether a sentence gives the name that is found in it."""
    sentence = found.string
    if is_denied(sentence, *found.span()) or is_aside(sentence, *found.span()):
        return False
    before, tail = sentence[: found.start()], sentence[found.end() :]
    if ENDS_AS_GIVEN.fullmatch(tail):
        is_all = is_first and not before and not SECOND_USE.match(tail) and DENYING.isdisjoint(fold(tail))
        return is_all or tail.startswith(" it is") or _is_introduced(before, item, is_last=True)
    return MAY_FOLLOW.match(tail) is not None and _is_introduced(before, item, is_last=False)


def _is_introduced(before: str, item: GoldItem, *, is_last: bool) -> bool:
    """Tell whether words in front of a name introduce it as the answer."""
    asked, tokens = {*fold(item.question)}, fold(before)
    if is_last and GIVING_TO.search(before):
        return any(len(token) >= MIN_LENGTH and token not in STANDING for token in asked.intersection(tokens))
    if is_last and LISTING.search(before):
        return CONCLUDES.match(before) is not None or {*tokens} <= SUBJECTS | STANDING | asked
    if subject := GIVING.search(before):
        return {*fold(subject["subject"])} <= SUBJECTS | STANDING | asked
    return _says_what_is_asked(before, asked)


def _says_what_is_asked(before: str, asked: set[str]) -> bool:
    """Tell whether words in front of a name say that it did what is asked, or that this happened there."""
    act = DONE_BY.search(before) or (TAKES_PLACE.search(before) if "where" in asked else None)
    return act is not None and bool(ASKED_BY.get(act["act"].lower(), {act["act"].lower()}) & asked)


def _sentence_gives(text: str, item: GoldItem, right: list[list[Tokens]], wrong: set[Tokens]) -> bool:
    """Tell whether a sentence gives every part and no other answer."""
    names = {*chain.from_iterable(right)}
    text = repeat_surnames(text, lambda name: fold(name) in names)
    tokens, found = _find_names(_cut(text, item, right), right, wrong)
    parts = [part for _, _, part in found]
    if {*parts} != {*range(len(right))} or (item.is_ordered and parts != sorted(parts)):
        return False
    if _is_subject(tokens, found, item):
        return True
    turning = TOOK_OVER_FROM if ASKS_NEXT.search(item.question) else CAME_BEFORE
    is_turned = not turning.isdisjoint(tokens[start - 1] for start, _, _ in found if start)
    return not is_turned and _may_surround(tokens, found, item)


def _may_surround(tokens: Tokens, found: list[tuple[int, int, int]], item: GoldItem) -> bool:
    """Tell whether the words around names make a sentence that names nothing else."""
    asked = set(fold(item.question))
    if not item.options:  # an option's own, as Twain's, is no word of the question
        asked |= {f"{token}s" for token in asked}
    around = _list_around(tokens, found, item)
    if not all(_may_stand(place, tokens, asked) for place in around):
        return False
    words = {tokens[place] for place in around}
    verbs = words.intersection(re.findall(r"\b[a-z]+", item.question))
    return len(verbs) > 1 or not words.isdisjoint(JOINING) or words <= TITLES


def _list_around(tokens: Tokens, found: list[tuple[int, int, int]], item: GoldItem) -> list[int]:
    """List the places of the words around names; without options, the year of an event is none of them."""
    covered = {*chain.from_iterable(range(start, end) for start, end, _ in found)}
    around = sorted({*range(len(tokens))} - covered)
    if item.options:
        return around
    return [p for p in around if not p or p + 1 in covered or not YEAR.fullmatch(tokens[p])]


def _is_subject(tokens: Tokens, found: list[tuple[int, int, int]], item: GoldItem) -> bool:
    """Tell whether a sentence begins with its one name, and says of it what is asked: Kravchuk won it in 1991."""
    start, end, _ = found[0]
    if len(found) > 1 or start or item.options or end == len(tokens):
        return False
    is_asked = tokens[end] in TELLING and tokens[end] in fold(item.question)
    return is_asked and not (DENYING | HEDGING | CORRECTING).intersection(tokens[end:])


def _cut(text: str, item: GoldItem, right: list[list[Tokens]]) -> str:
    """Cut a sentence behind the name where it continues with a contrast, a comparison of options, or an apposition."""
    subject = SUBJECT.match(text)
    if subject and {*fold(subject["subject"])} <= {*fold(item.question)}:
        text = f"{subject['subject']} {text[subject.end() :]}"
    for pattern in (CONTRASTS, APPOSITION, *([COMPARES] if item.options else []), EXPLAINS):
        for found in pattern.finditer(text):
            if _may_end(found, item, right):
                text = text[: found.start()]
                break
    return text


def _may_end(found: re.Match[str], item: GoldItem, right: list[list[Tokens]]) -> bool:
    """Tell whether a sentence may end at a place: all is named before, and what follows denies or names nothing."""
    head, tail = found.string[: found.start()], found.string[found.start() :]
    options, behind = [*map(fold, item.options)], fold(tail)
    if KEPT[found.re].intersection(behind) or _is_turned(found.group(), item):
        return False
    if found.re is APPOSITION and has_in_front(behind, options):
        return False
    others = [option for option in options if [option] not in right]
    if found.re is EXPLAINS and _find(fold(COMPARES.split(tail)[0]), others):
        return False
    return all(_find(fold(head), texts) for texts in right)


def _is_turned(comparison: str, item: GoldItem) -> bool:
    """Tell whether a comparison of options gives the second: the first is asked, and one came after the other."""
    if ASKS_FIRST.search(item.question):
        return comparison.lower().endswith("after")
    return bool(ASKS_LAST.search(item.question)) and comparison.lower().endswith(
        ("before", "followed by", "precedes", "preceded", "predates", "predated")
    )


def has_in_front(tokens: Tokens, names: Iterable[Tokens]) -> bool:
    """Tell whether a sequence of tokens begins with one of the names."""
    return any(name and tokens[: len(name)] == name for name in names)


def _find(tokens: Tokens, names: Sequence[Tokens]) -> bool:
    """Tell whether one of the names is in a sequence of tokens."""
    return any(tokens[i : i + len(name)] == name for name in names if name for i in range(len(tokens) - len(name) + 1))


def _find_names(text: str, right: list[list[Tokens]], wrong: set[Tokens]) -> tuple[Tokens, list[tuple[int, int, int]]]:
    """Find names in a text, at each place the longest: start, end, and its part, -1 of other answers."""
    tokens = fold(text)
    parts = dict.fromkeys(wrong, -1)
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


def _may_stand(place: int, tokens: Tokens, asked: set[str]) -> bool:
    """Tell whether a token may stand beside a name: it neither denies it nor names anything else."""
    token, before = tokens[place], tokens[max(place - 2, 0) : place]
    if token in DENYING or token in asked or token in STANDING:
        return token not in DENYING
    is_year = len(before) > 1 and before[0] in MONTHS and before[1].isdigit()
    is_date = is_year or not (BEFORE_YEAR.isdisjoint(before[-1:]) and MONTHS.isdisjoint(tokens[place + 1 : place + 2]))
    return token.isdigit() and is_date


def is_form_of(given: Sequence[str], name: Sequence[str]) -> bool:
    """Tell whether folded words are a form of a person's name.

    >>> [is_form_of(each.split(), "ann lee cruz".split()) for each in ("ann l cruz", "ann bea lee cruz", "ann d cruz")]
    [True, True, False]
    >>> [is_form_of(each.split(), "ann cruz da silva".split()) for each in ("cruz da silva", "ann cruz", "ann da")]
    [True, True, False]
    """
    if min(len(given), len(name)) < 2:
        return False
    if _are_forenames(given[0], name[0]) and given[-1] == name[-1]:
        shorter, longer = sorted((given[1:-1], name[1:-1]), key=len)
        rest = iter(longer)
        return all(any(_is_same(word, other) for other in rest) for word in shorter)
    size, words = len(given), tuple(given)
    if len(name) > 2 and words[:-1] == tuple(name):  # José María Aznar López
        return True
    if words == tuple(name[:size]):
        return name[size] in PARTICLES
    return len(words[0]) > 1 and words == tuple(name[-size:])


def _are_forenames(a: str, b: str) -> bool:
    """Tell whether two forenames are the same, or one is the other's beginning: Jeff and Jeffrey."""
    return _is_same(a, b) or (min(len(a), len(b)) >= MIN_LENGTH and (a.startswith(b) or b.startswith(a)))


def _is_same(a: str, b: str) -> bool:
    return a == b or (min(len(a), len(b)) == 1 and a[0] == b[0])
