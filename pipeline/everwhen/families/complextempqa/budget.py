"""How many pairs and triples of each block are asked, so that each template makes the rows that are wanted.

A block has all that can be compared with each other: subjects of one split that have a value of the same key (record
linkage: blocking). In a block subjects stand in the order of their values. Each meets the next ones whose values are
surely greater: the first at step 1, the second at step 2, and so on. So no pair comes twice, like values are compared
before unlike ones, and a larger budget only adds pairs. A triple is two such steps of the same width.

The templates that draw from a block take turns: of m templates each has every m-th step of each subject, beginning
at a step that a hash of the subject decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from math import ceil, comb

import numpy as np
import numpy.typing as npt

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.config import Settings
from everwhen.families.complextempqa.template import Template

BLOCKED = ("pair", "trio")
"""The relations that draw from blocks: pairs and triples of things, by kind (event or
item) and by what they are compared (time, times, amounts, hop times, hop amounts)."""

DATED = ("time", "times")
"""What things are compared by where a year in a name tells the answer: their own times."""

WIDEST = 1e6
"""More others than any seat is asked with."""


@dataclass(frozen=True)
class Block:
    """What can be compared with each other.

    Attributes:
        number: Its number, from 0.
        kind: event or item.
        by: What templates ask for: time, times, amounts, hop times or hop amounts.
        key: Id of the attribute or hop chain, or "time" for an event's own time.
        list: The entity list; empty where things of several lists are compared.
        alike: What things of the list share beside: a group of lists, an item id, or nothing.
        split: train, validation or test.
        offset: Number of its first seat, among the seats of all blocks.
        seats: How many things it has.
        described: How many of them have a description that does not tell what is compared.
        partners: Of each seat, how many others it can be paired with, each pair counted at its lesser; ascending.
        triples: Of each seat, how many triples begin with it; ascending.
        described_by_year: How many things have a description that mentions a year.
        years: For each year that names mention, how many of the names do.
        own: The share of its pairs that are asked in it: things that meet in several are compared in one.
    """

    number: int
    kind: str
    by: str
    key: str
    list: str
    alike: str
    split: str
    offset: int
    seats: int
    described: int
    partners: npt.NDArray[np.int64]
    triples: npt.NDArray[np.int64]
    described_by_year: int = 0
    years: tuple[int, ...] = ()
    own: float = 1.0

    def partners_of(self, size: int) -> npt.NDArray[np.int64]:
        """Of each seat, how many pairs (size 2) or triples (size 3) it begins; ascending."""
        return self.partners if size == 2 else self.triples

    def told(self, size: int) -> float:
        """The share of pairs, or of triples, of which at least one thing has a description."""
        n, without, share = self.seats, self.seats - self.described, 1.0
        for place in range(size):
            share *= max(0, without - place) / max(1, n - place)
        return 1 - share

    def dated(self, size: int, *, unnamed: bool = False) -> float:
        """The share of pairs, or of triples, whose times all names tell, and not the same year.

        Of unnamed ones the first thing that has a description is described. Its year is that of hardly another name.
        """
        if self.by not in DATED:
            return 0.0
        names = sum(self.years)
        if unnamed:
            mentioned = self.described_by_year / self.described if self.described else 0.0
            return float(mentioned * (names / self.seats) ** (size - 1))
        return (comb(names, size) - sum(comb(n, size) for n in self.years)) / max(1, comb(self.seats, size))


@dataclass(frozen=True)
class Draw:
    """What is drawn from one block for one template.

    Attributes:
        template: Its id.
        block: Number of the block.
        unnamed: Whether things are described and not named.
        size: 2 for pairs, 3 for triples.
        turn: Whose turn it is, from 0: which of each thing's steps it takes.
        turns: How many take turns.
        steps: How many steps of each seat are taken.
        more: How many seats, the first in the order of a hash, take one step more.
        rows: How many rows are expected.
    """

    template: str
    block: int
    unnamed: bool
    size: int
    turn: int
    turns: int
    steps: int
    more: int
    rows: float


def draws(blocks: Sequence[Block], templates: Sequence[Template], config: Settings) -> list[Draw]:
    """What is drawn from each block for each template of comparisons.

    A budget is met by one width for all its templates and blocks: how many steps each thing takes, so that everything
    is asked about equally often. A block that is too small gives all it has, and the others more.

    A pair, or a triple, is drawn once: each template has its own turns in a block, for named and for unnamed rows.

    Args:
        blocks: The blocks.
        templates: The templates; those that do not draw from blocks are passed over.
        config: Budgets, and the width without a budget.

    Raises:
        InputError: Two budgets name the same template.
    """
    on = {t.id: (t.params["kind"], t.params["by"], 2 if t.relation == "pair" else 3) for t in blocked(templates)}
    wanted = [one for one in _wanted(sorted(on), config) if one[0] != 0]
    claims: dict[tuple[int, int], list[tuple[str, bool]]] = defaultdict(list)
    for block in blocks:
        for name, unnamed in sorted((name, unnamed) for _, unnamed, names in wanted for name in names):
            kind, by, size = on[name]
            if (kind, by) == (block.kind, block.by) and (block.described or not unnamed):
                claims[block.number, size].append((name, unnamed))
    found: list[Draw] = []
    for rows, unnamed, names in wanted:
        parts = [
            Part(block, size, name, turn, len(all_))
            for block in blocks
            for size in (2, 3)
            for all_ in [claims.get((block.number, size), ())]
            for turn, (name, of_unnamed) in enumerate(all_)
            if of_unnamed == unnamed and name in names
        ]
        drawn = partial(_drawn, parts, unnamed)
        width = float(config.pairs_per_entity) if rows is None else _solved(drawn, rows)
        found += [draw for draw in drawn(width) if draw.steps or draw.more]
    return sorted(found, key=lambda d: (d.template, d.unnamed, d.block))


def own_share(sets: Sequence[tuple[Sequence[int], int]]) -> float:
    """The share of a block's pairs that are asked in it, where a hash picks one of the blocks in which two things meet.

    Args:
        sets: What the things of the block are compared by, as numbers, and how many things each set has.
    """
    n = np.array([things for _, things in sets], dtype=np.float64)
    numbers = sorted({number for keys, _ in sets for number in keys})
    has = np.array([[number in keys for number in numbers] for keys, _ in sets], dtype=np.float64)
    every = n.sum() * (n.sum() - 1)
    if not every:
        return 1.0
    pairs = np.outer(n, n) - np.diag(n)
    return float((pairs / (has @ has.T)).sum() / every)


def blocked(templates: Sequence[Template]) -> list[Template]:
    """The templates whose relation draws from blocks."""
    return [t for t in templates if t.relation in BLOCKED]


def require_budgets(config: Settings, templates: Sequence[Template]) -> None:
    """Refuse budgets that say nothing, or two things at once.

    Args:
        config: The budgets.
        templates: All templates that there are, chosen or not.

    Raises:
        InputError: A pattern fits no template, two budgets name the same one, or one names templates of comparisons,
            whose rows are drawn, beside others, whose rows are chosen.
    """
    names = [t.id for t in templates]
    for pattern in (pattern for budget in config.budgets for pattern in budget.templates):
        if not any(fnmatchcase(name, pattern) for name in names):
            raise InputError(f"families.complextempqa.budgets: no template {pattern}")
    of, drawn = budget_of(config, names), {t.id for t in blocked(templates)}
    for number in range(len(config.budgets)):
        mine = [name for name in names if of.get(name) == number]
        one, other = (next((name for name in mine if (name in drawn) == blocks), None) for blocks in (True, False))
        if one and other:
            raise InputError(
                f"families.complextempqa.budgets: {one} is drawn from blocks and {other} is not:"
                " give each a budget of its own"
            )


def budget_of(config: Settings, templates: Sequence[str]) -> Mapping[str, int]:
    """The number of the budget that counts for each template; one without a budget has none.

    Raises:
        InputError: Two budgets name the same template.
    """
    found: dict[str, int] = {}
    for number, budget in enumerate(config.budgets):
        names = [t for t in templates if any(fnmatchcase(t, pattern) for pattern in budget.templates)]
        for name in names:
            if name in found:
                raise InputError(f"families.complextempqa.budgets: {name} stands in two of them")
            found[name] = number
    return found


def _wanted(names: Sequence[str], config: Settings) -> Iterator[tuple[int | None, bool, list[str]]]:
    """Rows wanted (None: no budget), whether unnamed, and the templates that make them together."""
    of = budget_of(config, names)
    for number, budget in enumerate(config.budgets):
        mine = [name for name in names if of.get(name) == number]
        if mine:
            yield budget.rows, False, mine
            yield budget.unnamed, True, mine
    rest = [name for name in names if name not in of]
    for unnamed in (False, True):
        yield None, unnamed, rest


@dataclass(frozen=True)
class Part:
    """What a template may draw from one block.

    Attributes:
        block: The block.
        size: 2 for pairs, 3 for triples.
        template: The template's id.
        turn: Whose turn it is.
        turns: How many take turns.
    """

    block: Block
    size: int
    template: str
    turn: int
    turns: int


def _drawn(parts: Sequence[Part], unnamed: bool, width: float) -> list[Draw]:
    """What a width means for the parts of some blocks."""
    return [_draw(part, unnamed, width) for part in parts]


def _draw(part: Part, unnamed: bool, width: float) -> Draw:
    """What a width means for one part."""
    block, size = part.block, part.size
    partners = block.partners_of(size)
    own = block.own if size == 2 else 1.0
    most = ceil(int(partners[-1]) / part.turns) if len(partners) else 0
    cells = min(int(block.seats * width / own), block.seats * most) if own else 0
    steps, more = divmod(cells, block.seats)
    rows = float(np.minimum(partners / part.turns, cells / block.seats).sum())
    rows *= own * (block.told(size) if unnamed else 1.0) * (1 - block.dated(size, unnamed=unnamed))
    return Draw(part.template, block.number, unnamed, size, part.turn, part.turns, steps, more, rows)


def _solved(drawn: Callable[[float], list[Draw]], wanted: int) -> float:
    """The least width that gives the rows that are wanted, or the widest there is."""
    low, high = 0.0, WIDEST
    for _ in range(60):
        width = (low + high) / 2
        if sum(draw.rows for draw in drawn(width)) < wanted:
            low = width
        else:
            high = width
    return high


@dataclass(frozen=True)
class Chunk:
    """Seats of one block that one task draws from, for one template.

    Attributes:
        task: Number of the task, which writes one file.
        draw: What is drawn.
        start: The first seat.
        end: The last seat.
    """

    task: int
    draw: Draw
    start: int
    end: int


def chunks(found: Sequence[Draw], blocks: Sequence[Block], rows_per_file: int, *, size: int) -> list[Chunk]:
    """Share the draws out to tasks of about as many rows as a file shall have, each of one split.

    Args:
        found: The draws.
        blocks: The blocks.
        rows_per_file: Rows of a full file.
        size: 2 for pairs, 3 for triples.
    """
    shared: list[Chunk] = []
    task, room, last = -1, 0.0, ""
    for draw in sorted(found, key=lambda d: (blocks[d.block].split, d.template, d.unnamed, d.block)):
        block = blocks[draw.block]
        if draw.size != size:
            continue
        if block.split != last:
            task, room, last = task + 1, float(rows_per_file), block.split
        seat, each = 0, draw.steps + draw.more / block.seats
        while seat < block.seats:
            if room < each:
                task, room = task + 1, float(rows_per_file)
            end = min(block.seats, seat + max(1, int(room / each)))
            shared.append(Chunk(task, draw, seat, end - 1))
            room -= (end - seat) * each
            seat = end
    return shared
