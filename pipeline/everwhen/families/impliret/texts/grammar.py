"""A grammar of phrases: rules whose alternatives have slots for other rules, and for what the caller fills in.

Choices are named after the rules that lead to them, so the order in which phrases are written does not matter. A draft
writes the phrases of one document, and takes another alternative of a rule each time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.language.wording import split_wording

SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[^\W\d_]")
"""The letter that begins a sentence."""


class Grammar:
    """Rules: a symbol and its alternatives. A slot in braces stands for a symbol, or for a text of the caller.

    Raises:
        InputError: A rule has no alternative, names a symbol that is unknown, or leads back to itself.
    """

    def __init__(self, rules: Mapping[str, Sequence[str]], slots: Collection[str] = ()) -> None:
        """Take the rules, and the names of the slots that the caller fills."""
        self._slots = frozenset(slots)
        self._rules = {symbol: [split_wording(each) for each in found] for symbol, found in rules.items()}
        self._check_alternatives()
        self._check_cycles()

    def count(self, symbol: str) -> int:
        """Count the alternatives of a symbol."""
        return len(self._rules[symbol])

    def write(self, symbol: str, rng: KeyedRandom, slots: Mapping[str, str], what: str) -> str:
        """Write an alternative of a symbol; `what` names the choice."""
        return self._write_pieces(rng.pick(self._rules[symbol], f"{what}/{symbol}"), rng, slots, f"{what}/{symbol}")

    def find_pieces(self, symbol: str, nth: int) -> Sequence[str]:
        """Find the pieces of an alternative of a symbol: texts and names of slots in turn."""
        found = self._rules[symbol]
        return found[nth % len(found)]

    def _write_pieces(self, pieces: Sequence[str], rng: KeyedRandom, slots: Mapping[str, str], what: str) -> str:
        written = list(pieces)
        for place in range(1, len(pieces), 2):
            name = pieces[place]
            filled = slots.get(name)
            # The place is part of the name: a symbol that stands in a phrase again is chosen anew.
            written[place] = self.write(name, rng, slots, f"{what} {place}") if filled is None else filled
        return "".join(written)

    def _check_alternatives(self) -> None:
        for symbol, alternatives in self._rules.items():
            if not alternatives:
                raise InputError(f"rule {symbol}: an alternative is missing")
            for pieces in alternatives:
                for name in pieces[1::2]:
                    if name not in self._rules and name not in self._slots:
                        raise InputError(f"rule {symbol}: unknown symbol {name}")
                if any(brace in text for text in pieces[::2] for brace in "{}"):
                    raise InputError(f"rule {symbol}: a brace that encloses no symbol, in {pieces[0]!r}")

    def _check_cycles(self) -> None:
        parts = {
            symbol: {name for pieces in alternatives for name in pieces[1::2]} & self._rules.keys() - self._slots
            for symbol, alternatives in self._rules.items()
        }
        while ends := [symbol for symbol, names in parts.items() if not names & parts.keys()]:
            for symbol in ends:
                del parts[symbol]
        if parts:
            raise InputError(f"rule {min(parts)}: leads back to itself")


class Draft:
    """What writes the phrases of one document: a rule gives another alternative each time, while it has more."""

    def __init__(self, rng: KeyedRandom) -> None:
        """Take the random numbers of the document."""
        self._rng = rng
        self._uses: dict[str, int] = {}

    def write(self, grammar: Grammar, symbol: str, slots: Mapping[str, str], nth: int | None = None) -> str:
        """Write an alternative of a symbol: number `nth`, else the one after that of the symbol's last use."""
        if nth is None:
            used = self._uses.get(symbol)
            nth = self._rng.sample_below(grammar.count(symbol), symbol) if used is None else used + 1
            self._uses[symbol] = nth
        written = list(grammar.find_pieces(symbol, nth))
        for place in range(1, len(written), 2):
            filled = slots.get(written[place])
            written[place] = self.write(grammar, written[place], slots) if filled is None else filled
        return "".join(written)


def capitalize_sentences(text: str) -> str:
    """Begin each sentence with a capital.

    >>> capitalize_sentences("so it goes. what a pity! é is a letter.")
    'So it goes. What a pity! É is a letter.'
    """
    return SENTENCE_START.sub(lambda letter: letter[0].upper(), text)


def place_in_set(rng_set: KeyedRandom, what: str, place: int, size: int) -> int:
    """Choose one of `size` numbers for the document at a place of its set, another for each of `size` places.

    `rng_set` holds the random numbers of the set, so that the numbers lie differently in each set.
    """
    start, step = rng_set.sample_below(size, f"{what} offset"), rng_set.sample_step(size, f"{what} step")
    return (start + step * place) % size
