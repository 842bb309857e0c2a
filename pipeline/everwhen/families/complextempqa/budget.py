"""How many pairs and triples of each ring are asked, so that each template makes the rows that are wanted.

A ring is all that can be compared with each other: the things of one split that have a value of the same key. On a
ring of n seats each seat meets its next ones: at step s the seat i meets i + s. No unordered pair comes twice while s
< n / 2, and no set of three, {i, i + s, i + 2s}, while 4s < n. Pairs are counted step by step, and seat by seat
within a step, so that p alone decides which the first p are: every seat meets p // n others, and the first p % n
seats one more.

Beside the ring stands the near order: each thing meets those whose value is the next surely greater one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from math import comb
from zlib import crc32

import numpy as np
import numpy.typing as npt

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.config import Settings
from everwhen.families.complextempqa.template import Template

ON_RINGS = ("pair", "trio")
"""The relations that draw from rings: pairs and triples of things, by kind (event or
item) and by what they are compared (time, times, amounts, hop times, hop amounts)."""

DATED = ("time", "times")
"""What things are compared by where a year in a name tells the answer: their own times."""

WIDEST = 1e6
"""More others than any seat is asked with."""


@dataclass(frozen=True)
class Ring:
    """What can be compared with each other.

    Attributes:
        number: Its number, from 0.
        kind: event or item.
        by: What templates ask for: time, times, amounts, hop times or hop amounts.
        key: Id of the attribute or hop chain, or "time" for an event's own time.
        list: The entity list; empty where things of all lists are compared.
        split: train, validation or test.
        offset: Number of its first seat, among the seats of all rings.
        seats: How many things sit on it.
        described: How many of them have a description that does not tell what is compared.
        later: Of each seat, how many others have a value that is surely greater; ascending.
        described_by_year: How many things have a description that mentions a year.
        years: For each year that names mention, how many of the names do.
        own: The share of its pairs that are asked on it: things that meet on several rings are compared on one of them.
    """

    number: int
    kind: str
    by: str
    key: str
    list: str
    split: str
    offset: int
    seats: int
    described: int
    later: npt.NDArray[np.int64]
    described_by_year: int = 0
    years: tuple[int, ...] = ()
    own: float = 1.0

    def most(self, size: int) -> int:
        """How many different pairs (size 2) or triples (size 3) the ring has steps for."""
        n = self.seats
        if size == 2:
            return n * (n - 1) // 2
        return n * max(1, (n - 1) // 4) if n > 3 else int(n == 3)

    def decided(self, size: int) -> float:
        """The share of pairs, or of triples, whose values can be told apart.

        Of three, the first one must differ from both others: of the three pairs that may be equal, half of the time
        the third lies before them.
        """
        pairs = self.most(2)
        equal = 1 - int(self.later.sum()) / pairs if pairs else 0.0
        return max(0.0, 1 - equal if size == 2 else 1 - 1.5 * equal)

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
    """What is drawn from one ring for one template.

    Attributes:
        template: Its id.
        ring: Number of the ring.
        unnamed: Whether things are described and not named.
        size: 2 for pairs, 3 for triples.
        first: How many of the ring's pairs, or triples, are taken.
        near: How many of the near pairs are looked at; those that a draw takes from the ring are left out.
        rows: How many rows are expected.
        skipped: How many of the ring's pairs, or triples, other draws take before.
        near_skipped: How many of the near pairs other draws look at before.
        taken: How many of the ring's pairs, or triples, all draws of this size take together.
    """

    template: str
    ring: int
    unnamed: bool
    size: int
    first: int
    near: int
    rows: float
    skipped: int = 0
    near_skipped: int = 0
    taken: int = 0


def draws(rings: Sequence[Ring], templates: Sequence[Template], config: Settings) -> list[Draw]:
    """What is drawn from each ring for each template of comparisons.

    A budget is met by one width for all its templates and rings: with how many others each thing is asked, so that
    everything is asked about equally often. A ring that is too small gives all it has, and the others more.

    A pair, or a triple, is drawn once: each template has its own share of a ring, for named and for unnamed rows.

    Args:
        rings: The rings.
        templates: The templates; those that do not compare on rings are passed over.
        config: Budgets, width without a budget, and share of the near pairs.

    Raises:
        InputError: Two budgets name the same template.
    """
    on = {t.id: (t.params["kind"], t.params["by"], 2 if t.relation == "pair" else 3) for t in ringed(templates)}
    wanted = [one for one in _wanted(sorted(on), config) if one[0] != 0]
    claims: dict[tuple[int, int], list[tuple[str, bool]]] = defaultdict(list)
    for ring in rings:
        for _, unnamed, names in wanted:
            for name in names:
                kind, by, size = on[name]
                if (kind, by) == (ring.kind, ring.by) and (ring.described or not unnamed):
                    claims[ring.number, size].append((name, unnamed))
    found: list[Draw] = []
    for rows, unnamed, names in wanted:
        parts = _parts(rings, claims, found, unnamed, names)
        drawn = partial(_drawn, parts, unnamed, config.near_share)
        width = float(config.pairs_per_entity) if rows is None else _solved(drawn, rows)
        found += [draw for draw in drawn(width) if draw.first or draw.near]
    return sorted(_apart(found), key=lambda d: (d.template, d.unnamed, d.ring))


def own_share(sets: Sequence[tuple[Sequence[int], int]]) -> float:
    """The share of a ring's pairs that are asked on it, where a hash picks one of the rings on which two things meet.

    Args:
        sets: What the things of the ring are compared by, as numbers, and how many things each set has.
    """
    n = np.array([things for _, things in sets], dtype=np.float64)
    numbers = sorted({number for keys, _ in sets for number in keys})
    has = np.array([[number in keys for number in numbers] for keys, _ in sets], dtype=np.float64)
    every = n.sum() * (n.sum() - 1)
    if not every:
        return 1.0
    pairs = np.outer(n, n) - np.diag(n)
    return float((pairs / (has @ has.T)).sum() / every)


def ringed(templates: Sequence[Template]) -> list[Template]:
    """The templates whose relation draws from rings."""
    return [t for t in templates if t.relation in ON_RINGS]


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
    of, drawn = budget_of(config, names), {t.id for t in ringed(templates)}
    for number in range(len(config.budgets)):
        mine = [name for name in names if of.get(name) == number]
        one, other = (next((name for name in mine if (name in drawn) == rings), None) for rings in (True, False))
        if one and other:
            raise InputError(
                f"families.complextempqa.budgets: {one} is drawn from rings and {other} is not:"
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
    """What templates of one budget may draw from one ring.

    Attributes:
        ring: The ring.
        size: 2 for pairs, 3 for triples.
        most: How many of the ring's pairs, or triples, each of the templates may take, by id.
        taken: How many of them earlier draws take.
        near: How many of the near pairs earlier draws look at.
    """

    ring: Ring
    size: int
    most: Mapping[str, int]
    taken: int
    near: int


def _parts(
    rings: Sequence[Ring],
    claims: Mapping[tuple[int, int], Sequence[tuple[str, bool]]],
    found: Sequence[Draw],
    unnamed: bool,
    names: Sequence[str],
) -> list[Part]:
    """What some templates may draw from each ring beside all others that draw from it, and after those found so far."""
    taken: Counter[tuple[int, int]] = Counter()
    near: Counter[tuple[int, int]] = Counter()
    for draw in found:
        taken[draw.ring, draw.size] += draw.first
        near[draw.ring, draw.size] += draw.near
    parts = []
    for ring, size in ((ring, size) for ring in rings for size in (2, 3)):
        key, all_ = (ring.number, size), claims.get((ring.number, size), ())
        each, over = divmod(ring.most(size), len(all_) or 1)
        # What is left over goes to other templates on other rings, or some would never ask of small ones.
        turn = crc32("\x1f".join((ring.kind, ring.by, ring.key, ring.list, ring.split)).encode())
        most = {
            name: each + ((place + turn) % len(all_) < over)
            for place, (name, of_unnamed) in enumerate(all_)
            if of_unnamed == unnamed and name in names
        }
        if most:
            parts.append(Part(ring, size, most, taken[key], near[key]))
    return parts


def _apart(found: Sequence[Draw]) -> list[Draw]:
    """Draws that take different pairs of their ring: each begins where the one before has ended."""
    taken: Counter[tuple[int, int]] = Counter()
    near: Counter[tuple[int, int]] = Counter()
    placed = []
    for draw in found:
        key = draw.ring, draw.size
        placed.append(replace(draw, skipped=taken[key], near_skipped=near[key]))
        taken[key] += draw.first
        near[key] += draw.near
    return [replace(draw, taken=taken[draw.ring, draw.size]) for draw in placed]


def _drawn(parts: Sequence[Part], unnamed: bool, near_share: float, width: float) -> list[Draw]:
    """What a width means for the parts of some rings."""
    return [draw for part in parts for draw in _draws(part, unnamed, width, near_share)]


def _draws(part: Part, unnamed: bool, width: float, near_share: float) -> list[Draw]:
    """What a width means for the part of one ring."""
    ring, size = part.ring, part.size
    # A set of three takes two others for each seat.
    share = near_share if size == 2 else 0.0
    own = ring.own if size == 2 else 1.0
    wanted = ring.seats * width / own if own else 0.0
    first = {name: min(most, int(wanted * (1 - share))) for name, most in part.most.items()}
    each = int(wanted * share)
    near = {name: each if first[name] < most else 0 for name, most in part.most.items()}
    looked_at = near_rows = float(sum(near.values()))
    if looked_at:
        reach = (part.near / ring.seats, (part.near + looked_at) / ring.seats)
        less, more = (float(np.minimum(ring.later, steps).sum()) for steps in reach)
        near_rows = (more - less) * max(0.0, 1 - (part.taken + sum(first.values())) / ring.most(2))
    made = []
    for name in part.most:
        rows = first[name] * ring.decided(size) + (near_rows * near[name] / looked_at if looked_at else 0.0)
        rows *= own * (ring.told(size) if unnamed else 1.0) * (1 - ring.dated(size, unnamed=unnamed))
        made.append(Draw(name, ring.number, unnamed, size, first[name], near[name], rows))
    return made


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
    """Seats of one ring that one task draws from, for one template.

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


def chunks(found: Sequence[Draw], rings: Sequence[Ring], rows_per_file: int, *, near: bool, size: int) -> list[Chunk]:
    """Share the draws out to tasks of about as many rows as a file shall have, each of one split.

    Args:
        found: The draws.
        rings: The rings.
        rows_per_file: Rows of a full file.
        near: Whether the near pairs are shared out, or those of the rings.
        size: 2 for pairs, 3 for triples.
    """
    shared: list[Chunk] = []
    task, room, last = -1, 0.0, ""
    for draw in sorted(found, key=lambda d: (rings[d.ring].split, d.template, d.unnamed, d.ring)):
        ring = rings[draw.ring]
        rows = draw.near if near else draw.first
        if draw.size != size or not rows:
            continue
        if ring.split != last:
            task, room, last = task + 1, float(rows_per_file), ring.split
        seat, each = 0, rows / ring.seats
        while seat < ring.seats:
            if room < each:
                task, room = task + 1, float(rows_per_file)
            end = min(ring.seats, seat + max(1, int(room / each)))
            shared.append(Chunk(task, draw, seat, end - 1))
            room -= (end - seat) * each
            seat = end
    return shared
