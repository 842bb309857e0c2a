"""The values of a column, found in a text by whole tokens: in any case, with or without accents, by any name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import NamedTuple

from everwhen.evaluate.answers.claims import RECENT
from everwhen.evaluate.answers.names import PARTICLES, RUN, SUFFIXES, fold, is_form_of, repeat_surnames
from everwhen.evaluate.answers.words import ARTICLES, BEFORE_YEAR, CONNECTING, DENYING, TELLING, TITLES

WORD = re.compile(r"\w+|&|\ue000[0-9a-f]+\ue001")
ODD = re.compile(
    r"[^\w\s&'\u2019-]|^\W*\w{1,2}\W*$|^\W*(?:the|an?)\b|\b(?:nobody|none|no|not|never|unknown|unsure)\b",
    re.IGNORECASE,
)
"""In a value that reading in words may lose: 1. FC Köln, M*A*S*H, The The, Nobody Inc. Numbers alone are none."""
LETTER = re.compile(r"[^\W\d_]")
OFFICES = TITLES | frozenset("chancellor premier pm governor general senator minister leader justice professor".split())  # noqa: SIM905
"""Words in capitals that may be in front of a surname."""

OPENING = CONNECTING | TELLING | DENYING | BEFORE_YEAR | frozenset("because after before when while only both".split())  # noqa: SIM905
"""Words in capitals that begin a sentence, and are no forenames."""

MIN_SURNAME_LENGTH = 3
"""Letters of a surname that may be a value's name alone, and of a forename that is cut: Leo for Leonardo."""

SHORT = 2
"""Letters of an alias that is a word of English in small letters: US is no us."""

MANY_WORDS = 50_000
"""Words whose folded forms are kept: tables and responses have the same ones over and over."""

MAX_WORDS = 5
"""Words of a person's name whose last may be the surname."""

BEGINS = ("\n", ": ", "*", "- ", "• ", ". ")
ENDS = re.compile(r"\.?\**[ \t]*(?:\n|$|\()")
"""Around a value of one or two letters: it is all of an answer, or of a line."""

FRONT = re.compile(r"(?<= )[^\W\d_a-z][\w'\u2019]+(?= d[aeio]s? )|^[^\W\d_a-z]\w+(?= [^\W\d_a-z]\w+-[a-z]+$)")
"""A surname in front of the last word: Salinas de Gortari, Bong Joon-ho."""
FORENAMES = re.compile(r"(?:[^\W\d_a-z][\w'-]+ )+$")
BEGIN = re.compile(r"(?<![^\W_])\S")
"""Where a value may begin: behind no letter and no digit."""

SPLIT = 3
"""How many more tokens than in the table a name may be written in: Taewoo is Tae-woo, and the other way."""


Matched = tuple[int, str]
"""A name that begins at a token: how many tokens it has, and the value."""

Surnames = dict[str, tuple[str, frozenset[str]]]
People = Mapping[str, list[tuple[str, tuple[str, ...]]]]


class Token(NamedTuple):
    """A word of a text: its folded form, and where it is."""

    form: str
    start: int
    end: int


class FoundValue(NamedTuple):
    """A value in a text.

    Attributes:
        value: The value.
        start, end: Where it is.
        is_denied: Whether its sentence denies it.
        is_aside: Whether it is named beside another only, as predecessor or successor.
        has_other_role: Whether it has another role than is asked, so that it counts only if it is right.
    """

    value: str
    start: int
    end: int
    is_denied: bool = False
    is_aside: bool = False
    has_other_role: bool = False


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The names of the values of a column.

    Attributes:
        values: The values.
        forms: By folded name, without spaces, the value; names of several values are left out.
        surnames: By folded surname, the value that alone has it, with the tokens of its names; without these where it
            is not the last word, as in Salinas de Gortari or Bong Joon-ho, and no other name may be beside it.
        people: By folded word, the people that have it in their names, with the tokens of these.
        longest: Tokens of the longest name.
        names: By value, its further names.
        spellings: By folded word, the further names that have no other word but articles.
        odd: By their first two characters, values that are found by their exact text, the longest first.
    """

    values: frozenset[str]
    forms: Mapping[str, str]
    surnames: Surnames
    people: People
    longest: int
    names: Mapping[str, Iterable[str]]
    spellings: Mapping[str, frozenset[str]]
    odd: Mapping[str, tuple[str, ...]]

    def mark(self, text: str) -> str:
        """Put a mark, which `find` knows, in place of each odd value that a text has letter by letter.

        One of one or two letters counts only where it is all of an answer.
        """
        text = repeat_surnames(text, lambda name: _join(name) in self.forms)
        marked, start = [], 0
        for begins in BEGIN.finditer(text) if self.odd else ():
            place = begins.start()
            near = (*self.odd.get(text[place : place + SHORT], ()), *self.odd.get(text[place], ()))
            value = next((each for each in near if _has_whole(text, each, place)), None)
            if value is not None and place >= start:
                marked += [text[start:place], _mark(value)]
                start = place + len(value)
        return "".join([*marked, text[start:]])

    def find(self, text: str, hidden: Collection[tuple[int, int]] = ()) -> list[FoundValue]:
        """Find values in a text, at each place the longest name.

        Args:
            text: The text.
            hidden: Where dates are: a name is not all within one, so May is a month there.
        """
        found = self._find_all(text)
        return [value for value in found if not _is_hidden(text, value.start, value.end, hidden)] if hidden else found

    @lru_cache(maxsize=RECENT)  # noqa: B019 - a few texts keep few lexicons, which a gold keeps anyway
    def _find_all(self, text: str) -> list[FoundValue]:
        """Find values in a text, dates among them; the list is not to be changed."""
        tokens, has_capitals = split_tokens(text), any(map(str.isupper, text))
        found, place = [], 0
        while place < len(tokens):
            matched = self._match(tokens, place, text, has_capitals=has_capitals)
            matched = matched or self._match_form(tokens, place, text)
            matched = matched or self._match_surname(tokens, place, text, has_capitals=has_capitals)
            size, value = matched or (1, None)
            start, end = tokens[place].start, tokens[place + size - 1].end
            if value is not None:
                found.append(FoundValue(value, start, end))
            place += size
        return found

    def find_in_pieces(self, text: str) -> list[str]:
        """Find values with a number whose words are all in a text: Seoul 1988 in "the 1988 Games in Seoul"."""
        words = _list_forms([text])
        return [value for value, forms in self._numbered if forms <= words]

    @cached_property
    def _numbered(self) -> list[tuple[str, frozenset[str]]]:
        split = ((value, _list_forms([value])) for value in sorted(self.values))
        return [(value, forms) for value, forms in split if len(forms) > 1 and any(f.isdigit() for f in forms)]

    def normalize(self, value: str) -> str:
        """Return the one value of all whose names fold to the same: Kohler for Köhler, where both are there."""
        return self.forms.get(_join(value), value)

    def list_equal(self, value: str) -> set[str]:
        """List the values that the names of a value belong to: itself, and those that mean the same."""
        return {self.normalize(name) for name in (value, *self.names.get(value, ()))}

    def _match(self, tokens: list[Token], place: int, text: str, *, has_capitals: bool) -> Matched | None:
        """Match the longest name that begins at a token."""
        joined, best = "", None
        for size, token in enumerate(tokens[place : place + self.longest + SPLIT], 1):
            joined += token.form
            is_name = joined in self.forms
            if is_name and size == 1 and joined in self.spellings:
                word = text[token.start : token.end]
                is_name = any(_is_spelled(word, name, has_capitals=has_capitals) for name in self.spellings[joined])
            if is_name:
                best = (size, self.forms[joined])
        return best

    def _match_form(self, tokens: list[Token], place: int, text: str) -> Matched | None:
        """Match another form of one person's name, which is all of a run of capitals."""
        run = RUN.match(text, tokens[place].start) if self.people else None
        if run is None or not self._may_follow(tokens, place, text, frozenset()):
            return None
        forms = [token.form for token in tokens[place : place + len(run[0])] if token.end <= run.end()]
        name = _strip_suffixes(forms)
        values = {value for value, whole in self.people.get(name[-1], ()) if is_form_of(name, whole)}
        return (len(forms), values.pop()) if len(values) == 1 else None

    def _match_surname(self, tokens: list[Token], place: int, text: str, *, has_capitals: bool) -> Matched | None:
        """Match a surname: in capitals, and behind no forename of somebody else; D'Alema is one word of two tokens."""
        begin = tokens[place].start
        if has_capitals and not text[begin].isupper():
            return None
        word = _take_word(tokens[place : place + SPLIT], text)
        for size in range(len(word), 0, -1):
            value, named = self.surnames.get("".join(token.form for token in word[:size]), (None, frozenset()))
            is_lone = bool(named) or RUN.match(text, begin) is None
            if value and is_lone and self._may_follow(tokens, place, text, named):
                return size, value
        return None

    def _may_follow(self, tokens: list[Token], place: int, text: str, named: frozenset[str]) -> bool:
        """Whether the word in front of a name may be there: it is no forename but one of those that are named."""
        if place == 0:
            return True
        before = tokens[place - 1]
        is_apart = text[before.end : tokens[place].start].strip() != ""
        if is_apart or not _may_be_forename(before, text) or _is_own_forename(before.form, named):
            return True
        forenames = FORENAMES.search(text[: tokens[place].start])
        return forenames is not None and {word[0] for word in forenames[0].lower().split()} <= named


def _take_word(tokens: Sequence[Token], text: str) -> list[Token]:
    """Take those of the tokens that are in one word with the first."""
    end = text.find(" ", tokens[0].start)
    return [token for token in tokens if end < 0 or token.end <= end]


def _may_be_forename(word: Token, text: str) -> bool:
    """Whether a word has the capital of a name, and neither that of an office nor that of a sentence."""
    begins = word.start == 0 or text[: word.start].rstrip().endswith(".")
    is_name = text[word.start].isupper() and not (begins and word.form in OPENING)
    return is_name and word.form not in OFFICES


def _is_own_forename(form: str, named: frozenset[str]) -> bool:
    """Whether a word is one of those in a person's names, or begins one."""
    may_be_cut = len(form) >= MIN_SURNAME_LENGTH
    return form in named or (may_be_cut and any(token.startswith(form) for token in named))


def _is_spelled(word: str, name: str, *, has_capitals: bool) -> bool:
    """Whether a word of a text is a name of one word: US in its capitals, States of "The States" with one."""
    if name.isupper() and len(name) <= SHORT:
        return word == name
    return WORD.fullmatch(name) is not None or word[:1].isupper() or not has_capitals


def _is_hidden(text: str, start: int, end: int, hidden: Collection[tuple[int, int]]) -> bool:
    """Whether a name is within a date. A number that is all of one, as the year 2018, may be a value all the same."""
    around = [(a, b) for a, b in hidden if a <= start and end <= b]
    return bool(around) and not (text[start:end].isdigit() and (start, end) in around)


@lru_cache(maxsize=RECENT)
def split_tokens(text: str) -> list[Token]:
    """Split a text into folded words with their places, without articles; the list is not to be changed."""
    tokens = (Token(_fold_word(word[0]), *word.span()) for word in WORD.finditer(text))
    return [token for token in tokens if token.form not in ARTICLES]


@lru_cache(maxsize=MANY_WORDS)
def _fold_word(word: str) -> str:
    return word if word.startswith("\ue000") else "".join(fold(word))


def _mark(value: str) -> str:
    """The mark of a value, between characters that no text has."""
    return f"\ue000{sha256(value.encode()).hexdigest()[:16]}\ue001"


def _has_whole(text: str, value: str, place: int) -> bool:
    """Whether a text has a value at a place, and not as a part of another word."""
    end = place + len(value)
    if not text.startswith(value, place):
        return False
    if len(value) <= SHORT:
        return (place == 0 or text[:place].endswith(BEGINS)) and ENDS.match(text, end) is not None
    return not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum())


def _index_odd_values(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Index the odd values by their first two characters, the longest first."""
    odd: dict[str, list[str]] = defaultdict(list)
    for value in sorted(names, key=lambda value: (-len(value), value)):
        if ODD.search(value) and LETTER.search(value):
            odd[value[:SHORT]].append(value)
    return {start: tuple(values) for start, values in odd.items()}


def build_lexicon(names: Mapping[str, Iterable[str]], *, are_people: bool | None = None) -> Lexicon:
    """Build the lexicon of a column.

    Args:
        names: By value, its further names.
        are_people: Whether the values are people, who are called by a surname that is unique; None where that is
            unknown, and capitals decide.
    """
    forms, spellings, longest = _index_names(names)
    own = {_join(value): value for value in sorted(names, reverse=True)}  # the first of those with the same name
    # The name of a value is its own, even where it is also an alias of another.
    single = {form: min(values) for form, values in forms.items() if len(values) == 1} | own
    single.pop("", None)
    odd = _index_odd_values(names)
    single |= {_mark(value): value for values in odd.values() for value in values}
    people = {} if are_people is False else _index_people(names)
    surnames = _list_surnames(names, forms, people, are_people=are_people)
    people = people if are_people else {}  # York City is no form of New York City
    spelled = {form: frozenset(words) for form, words in spellings.items() if form not in own}
    return Lexicon(frozenset(names), single, surnames, people, max(longest, 1), names, spelled, odd)


def _index_names(names: Mapping[str, Iterable[str]]) -> tuple[dict[str, set[str]], dict[str, set[str]], int]:
    """Index values by their folded names, and names of one word by it; with the tokens of the longest name."""
    forms: dict[str, set[str]] = defaultdict(set)
    spellings: dict[str, set[str]] = defaultdict(set)
    longest = 0
    for value, others in names.items():
        for name in (value, *others):
            forms[_join(name)].add(value)
            tokens = split_tokens(name)
            longest = max(longest, len(tokens))
            if len(tokens) == 1:
                spellings[tokens[0].form].add(name)
    return forms, spellings, longest


@lru_cache(maxsize=100_000)
def _join(name: str) -> str:
    return "".join(token.form for token in split_tokens(name))


def _index_people(names: Iterable[str]) -> People:
    """Index the values that read as names of people by their words."""
    people: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for value in names:
        words = _split_name(value)
        if 2 <= len(words) <= MAX_WORDS and _are_of_person(words):
            tokens = tuple(token.form for word in words for token in split_tokens(word))
            for token in {*tokens, _join(words[-1])}:
                people[token].append((value, tokens))
    return people


def _split_name(name: str) -> list[str]:
    """Split a name into its words, without a suffix as Jr."""
    return [word for word in name.split() if "".join(fold(word)) not in SUFFIXES]


def _strip_suffixes(forms: Sequence[str]) -> list[str]:
    """Strip the folded words of a name of suffixes at its end, but not of all words."""
    stripped = list(forms)
    while stripped[-1] in SUFFIXES and len(stripped) > 1:
        stripped.pop()
    return stripped


def _are_of_person(words: Sequence[str]) -> bool:
    """Whether words are written as those of a person's name."""
    return all(word[0].isupper() or word in PARTICLES for word in words) and words[-1][-1].isalpha()


def _list_surnames(
    names: Mapping[str, Iterable[str]], forms: Mapping[str, set[str]], people: People, *, are_people: bool | None
) -> Surnames:
    """List the surnames that one value has alone, and that are no name of another."""
    bearers = {value for bearing in people.values() for value, _ in bearing}
    surnames = _find_front_surnames(bearers, people) if are_people else {}
    for surname, value in _find_last_surnames(bearers).items():
        surnames[surname] = (value, _list_forms((value, *names[value])))
    return {
        surname: (value, named)
        for surname, (value, named) in surnames.items()
        if len(surname) >= MIN_SURNAME_LENGTH and surname.isalpha() and forms.get(surname, {value}) <= {value}
    }


def _list_forms(names: Iterable[str]) -> frozenset[str]:
    """List the folded words of names."""
    return frozenset(token.form for name in names for token in split_tokens(name))


def _find_front_surnames(bearers: Iterable[str], people: People) -> Surnames:
    """Find the surnames in front of the last word that no name of another person has."""
    fronts = {_join(front[0]): value for value in bearers if (front := FRONT.search(value))}
    return {surname: (value, frozenset()) for surname, value in fronts.items() if len(people.get(surname, ())) == 1}


def _find_last_surnames(bearers: Iterable[str]) -> dict[str, str]:
    """Find the last words that one person alone has, each with the person."""
    by_surname: dict[str, list[str]] = defaultdict(list)
    for value in bearers:
        by_surname[_join(_split_name(value)[-1])].append(value)
    return {surname: values[0] for surname, values in by_surname.items() if len(values) == 1}
