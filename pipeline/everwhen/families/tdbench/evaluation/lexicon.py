"""The values of a column, found in a text by whole tokens: in any case, with or without accents, by any name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import NamedTuple

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


@dataclass(frozen=True)
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
    surnames: Mapping[str, tuple[str, frozenset[str]]]
    people: Mapping[str, list[tuple[str, tuple[str, ...]]]]
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
        tokens = split_tokens(text)
        has_capitals = any(c.isupper() for c in text)
        found, place = [], 0
        while place < len(tokens):
            size, value = self._match(tokens, place, text, has_capitals=has_capitals)
            if value is None:
                size, value = self._match_form(tokens, place, text)
            if value is None:
                size, value = self._match_surname(tokens, place, text, has_capitals=has_capitals)
            start, end = tokens[place].start, tokens[place + size - 1].end
            if value is not None and not _is_hidden(text, start, end, hidden):
                found.append(FoundValue(value, start, end))
            place += size
        return found

    def find_in_pieces(self, text: str) -> list[str]:
        """Find values with a number whose words are all in a text: Seoul 1988 in "the 1988 Games in Seoul"."""
        words = {token.form for token in split_tokens(text)}
        return [value for value, forms in self._numbered if forms <= words]

    @cached_property
    def _numbered(self) -> list[tuple[str, frozenset[str]]]:
        split = ((value, frozenset(token.form for token in split_tokens(value))) for value in sorted(self.values))
        return [(value, forms) for value, forms in split if len(forms) > 1 and any(f.isdigit() for f in forms)]

    def normalize(self, value: str) -> str:
        """Return the one value of all whose names fold to the same: Kohler for Köhler, where both are there."""
        return self.forms.get(_join(value), value)

    def list_equal(self, value: str) -> set[str]:
        """List the values that the names of a value belong to: itself, and those that mean the same."""
        return {self.normalize(name) for name in (value, *self.names.get(value, ()))}

    def _match(self, tokens: list[Token], place: int, text: str, *, has_capitals: bool) -> tuple[int, str | None]:
        """Match the longest name that begins at a token: its tokens, and the value."""
        joined = ""
        best: tuple[int, str | None] = (1, None)
        for size, token in enumerate(tokens[place : place + self.longest + SPLIT], 1):
            joined += token.form
            is_name = joined in self.forms
            if is_name and size == 1 and joined in self.spellings:
                word = text[token.start : token.end]
                is_name = any(_is_spelled(word, name, has_capitals=has_capitals) for name in self.spellings[joined])
            if is_name:
                best = (size, self.forms[joined])
        return best

    def _match_form(self, tokens: list[Token], place: int, text: str) -> tuple[int, str | None]:
        """Match another form of one person's name, which is all of a run of capitals."""
        run = RUN.match(text, tokens[place].start) if self.people else None
        if run is None or not self._may_follow(tokens, place, text, frozenset()):
            return 1, None
        forms = [token.form for token in tokens[place : place + len(run[0])] if token.end <= run.end()]
        size = len(forms)
        while forms[-1] in SUFFIXES and len(forms) > 1:
            forms.pop()
        values = {value for value, name in self.people.get(forms[-1], ()) if is_form_of(forms, name)}
        return (size, values.pop()) if len(values) == 1 else (1, None)

    def _match_surname(
        self, tokens: list[Token], place: int, text: str, *, has_capitals: bool
    ) -> tuple[int, str | None]:
        """Match a surname: in capitals, and behind no forename of somebody else; D'Alema is one word of two tokens."""
        end = text.find(" ", tokens[place].start)
        word = [token for token in tokens[place : place + SPLIT] if end < 0 or token.end <= end]
        for size in range(len(word), 0, -1):
            surname = "".join(token.form for token in word[:size])
            is_capital = text[word[0].start].isupper() or not has_capitals
            value, named = self.surnames.get(surname, (None, frozenset()))
            is_lone = bool(named) or RUN.match(text, word[0].start) is None
            if value and is_capital and is_lone and self._may_follow(tokens, place, text, named):
                return size, value
        return 1, None

    def _may_follow(self, tokens: list[Token], place: int, text: str, named: frozenset[str]) -> bool:
        """Whether the word in front of a name may be there: it is no forename but one of those that are named."""
        if place == 0:
            return True
        before = tokens[place - 1]
        is_beside = not text[before.end : tokens[place].start].strip()
        begins = before.start == 0 or text[: before.start].rstrip().endswith(".")
        is_name = text[before.start].isupper() and not (begins and before.form in OPENING)
        is_own = before.form in named or (
            len(before.form) >= MIN_SURNAME_LENGTH and any(token.startswith(before.form) for token in named)
        )
        if not (is_beside and is_name) or before.form in OFFICES or is_own:
            return True
        forenames = FORENAMES.search(text[: tokens[place].start])
        return forenames is not None and {word[0] for word in forenames[0].lower().split()} <= named


def _is_spelled(word: str, name: str, *, has_capitals: bool) -> bool:
    """Whether a word of a text is a name of one word: US in its capitals, States of "The States" with one."""
    if name.isupper() and len(name) <= SHORT:
        return word == name
    return WORD.fullmatch(name) is not None or word[:1].isupper() or not has_capitals


def _is_hidden(text: str, start: int, end: int, hidden: Collection[tuple[int, int]]) -> bool:
    """Whether a name is within a date. A number that is all of one, as the year 2018, may be a value all the same."""
    around = [(a, b) for a, b in hidden if a <= start and end <= b]
    return bool(around) and not (text[start:end].isdigit() and (start, end) in around)


def split_tokens(text: str) -> list[Token]:
    """Split a text into folded words with their places, without articles."""
    return [token for token in _iter_tokens(text) if token.form not in ARTICLES]


def _iter_tokens(text: str) -> Iterator[Token]:
    for word in WORD.finditer(text):
        yield Token(word[0] if word[0].startswith("\ue000") else "".join(fold(word[0])), *word.span())


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
    forms: dict[str, set[str]] = defaultdict(set)
    own: dict[str, str] = {}
    spellings: dict[str, set[str]] = defaultdict(set)
    longest = 0
    for value, others in sorted(names.items()):
        own.setdefault(_join(value), value)
        for name in (value, *others):
            forms[_join(name)].add(value)
            tokens = split_tokens(name)
            longest = max(longest, len(tokens))
            if len(tokens) == 1:
                spellings[tokens[0].form].add(name)
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


@lru_cache(maxsize=100_000)
def _join(name: str) -> str:
    return "".join(token.form for token in split_tokens(name))


def _index_people(names: Iterable[str]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Index the values that read as names of people by their words."""
    people: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for value in names:
        words = [word for word in value.split() if "".join(fold(word)) not in SUFFIXES]
        is_person = all(word[0].isupper() or word in PARTICLES for word in words)
        if is_person and 2 <= len(words) <= MAX_WORDS and words[-1][-1].isalpha():
            tokens = tuple(token.form for word in words for token in split_tokens(word))
            for token in {*tokens, _join(words[-1])}:
                people[token].append((value, tokens))
    return people


def _list_surnames(
    names: Mapping[str, Iterable[str]],
    forms: Mapping[str, set[str]],
    people: Mapping[str, list[tuple[str, tuple[str, ...]]]],
    *,
    are_people: bool | None,
) -> dict[str, tuple[str, frozenset[str]]]:
    """List the surnames that one value has alone, and that are no name of another."""
    surnames: dict[str, tuple[str, frozenset[str]]] = {}
    bearers: dict[str, set[str]] = defaultdict(set)
    for value in {value for bearing in people.values() for value, _ in bearing}:
        words = [word for word in value.split() if "".join(fold(word)) not in SUFFIXES]
        bearers[_join(words[-1])].add(value)
        front = FRONT.search(value)
        if front and are_people and len(people[surname := _join(front[0])]) == 1:
            surnames[surname] = (value, frozenset())
    surnames |= {
        surname: (value, frozenset(token.form for name in (value, *names[value]) for token in split_tokens(name)))
        for surname, values in bearers.items()
        for value in values
        if len(values) == 1
    }
    return {
        surname: (value, named)
        for surname, (value, named) in surnames.items()
        if len(surname) >= MIN_SURNAME_LENGTH and surname.isalpha() and forms.get(surname, {value}) <= {value}
    }
