"""Bindings of comparisons, made in a Python worker: a task enumerates the pairs or triples of its chunks of seats.

Spark has decided the blocks, their members and how many of each are compared; a worker looks up by number what a
broadcast has in full. No pair is shuffled or handed from the JVM, and which task binds what is decided by the draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from everwhen.core.hashing import LARGEST, START, Hashes, chain
from everwhen.families.complextempqa.arrays import Ints, Mask, number_within
from everwhen.families.complextempqa.blocks import DATED, Block, Places
from everwhen.families.complextempqa.budget import Chunk, Draw
from everwhen.families.complextempqa.frames import Frame, FramesOf
from everwhen.families.complextempqa.numbering import NAMED
from everwhen.families.complextempqa.template import DIRECTIONS, Template

PAIRS_AT_ONCE = 1 << 17
"""Pairs that are enumerated at a time: their arrays stay in the processor's cache, more or less."""

Bound = dict[str, Ints]
"""Comparisons as they are bound, an array each: question_id, frame (its number), a, b and c (the subjects in the order
of the question, by their numbers; no c in pairs), told_a, told_b and told_c (the descriptions that stand for them, -1
where they are named; where none is described, not there), answer (of a choice the place of the subject, else 1 for yes
and 0 for no), and years_told (whether names tell which time comes first)."""


class Forms:
    """The descriptions of each seat: in each of its places a form's hash, the description's number, and its year."""

    def __init__(self, forms: pa.ListArray) -> None:
        """Take them from the column of the seats."""
        sizes = np.diff(forms.offsets.to_numpy())
        widest = int(sizes.max(initial=0))
        row = np.repeat(np.arange(len(sizes)), sizes)
        at = number_within(sizes)
        flat = forms.flatten()
        self.count = sizes
        self.hash, self.number, self.year = (
            self._filled(flat.field(name).to_numpy(), row, at, (len(sizes), widest))
            for name in ("form", "number", "year")
        )

    @staticmethod
    def _filled(values: Ints, row: Places, at: Places, shape: tuple[int, int]) -> Ints:
        found = np.zeros(shape, dtype=values.dtype)
        found[row, at] = values
        return found


@dataclass
class Binder:
    """Binds comparisons by number.

    Attributes:
        templates: The templates of comparisons, by id.
        frames: The frames, by number.
        frames_of: Which frames each draw has.
        blocks: The blocks, by number.
        seats: The seats (`Seats.rows`).
        salts: By key, what salts who is named first and in which direction is asked, a bigint.
    """

    templates: Mapping[str, Template]
    frames: Sequence[Frame]
    frames_of: FramesOf
    blocks: Sequence[Block]
    seats: pa.Table
    salts: Mapping[str, int]
    _bits: dict[int, tuple[Hashes, Hashes]] = field(default_factory=dict)

    @cached_property
    def _seat(self) -> dict[str, npt.NDArray[np.int64]]:
        names = ("entity", "thing", "year", "series")
        return {name: self.seats[name].to_numpy().astype(np.int64) for name in names}

    @cached_property
    def _forms(self) -> Forms:
        return Forms(self.seats["forms"].combine_chunks())

    @cached_property
    def _hashed(self) -> Hashes:
        return np.array([frame.hashed for frame in self.frames], dtype=np.int64).view(np.uint64)

    def bind(self, chunks: Sequence[Chunk]) -> Bound:
        """Bind all that is drawn from some chunks: pairs, or triples."""
        parts = [part for chunk in chunks for part in self._parts(chunk)]
        found = {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}
        for told in [name for name in found if name.startswith("told_")]:
            if found[told].max(initial=-1) < 0:
                del found[told]
        return found

    def _parts(self, chunk: Chunk) -> Iterator[Bound]:
        """Bind a chunk in parts of about PAIRS_AT_ONCE."""
        draw, block = chunk.draw, self.blocks[chunk.draw.block]
        partners = block.find_partners(draw.turn)
        steps = draw.steps + (block.rank < draw.more)
        counts = np.minimum(partners.available, steps)[chunk.start : chunk.end + 1]
        ends = np.cumsum(counts)
        start = 0
        while start < len(counts):
            before = int(ends[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + PAIRS_AT_ONCE, side="right")))
            some = counts[start:end]
            x = chunk.start + np.repeat(np.arange(start, end), some)
            step = number_within(some)
            y = partners.take(x, step)
            if draw.size == 2:
                yield self._bound(draw, block, [x, y])
            else:
                has = step < partners.available[y]
                x, y, step = x[has], y[has], step[has]
                yield self._bound(draw, block, [x, y, partners.take(y, step)])
            start = end

    def _bound(self, draw: Draw, block: Block, places: list[Places]) -> Bound:
        """Put subjects, given in the order of their values, in the order of the question; derive ids and answers."""
        entities = [self._seat["entity"][block.offset + at] for at in places]
        in_order = np.sort(np.stack(entities), axis=0)
        together: Hashes = np.full(len(places[0]), START, dtype=np.uint64)
        for entity in in_order:
            together = chain(together, entity)
        if draw.size == 2:
            mine = self._belongs(block, places, together)
            places, entities = [at[mine] for at in places], [entity[mine] for entity in entities]
            together = together[mine]
        toss = chain(together, self.salts[block.key])
        # Of each subject in the order of the question, its place in the order of values.
        order = self._order(toss, entities)
        template = self.templates[draw.template]
        numbers = np.array(self.frames_of[draw.template, draw.block, draw.unnamed], dtype=np.int32)
        direction = ((toss >> np.uint64(1)) % np.uint64(len(numbers))).astype(np.int64)
        upwards = np.array([self.frames[n].polarity == DIRECTIONS[block.by][0] for n in numbers])[direction]
        seats = [np.choose(at, places) + block.offset for at in order]
        entities = [self._seat["entity"][seat] for seat in seats]
        told, forms, years = self._described(template, draw, toss, seats, entities)
        found: Bound = {
            "question_id": self._ids(numbers[direction], entities, forms),
            "frame": numbers[direction],
            "answer": _answers(template, order, upwards),
            "years_told": self._are_told(block, seats, told, years).astype(np.int8),
        }
        found |= {side: self._seat["thing"][seat].astype(np.int32) for side, seat in zip("abc", seats, strict=False)}
        found |= {f"told_{side}": at for side, at in zip("abc", told, strict=False)}
        if draw.unnamed:
            some = np.max(told, axis=0) >= 0
            found = {name: values[some] for name, values in found.items()}
        return found

    def _belongs(self, block: Block, places: Sequence[Places], together: Hashes) -> Mask:
        """Whether a pair belongs to this block: a hash picks one of the blocks in which its two subjects meet."""
        shared, before = self._keys(block)
        x, y = (shared[at] for at in places)
        both = x & y
        size = np.bitwise_count(both).sum(axis=1, dtype=np.uint64)
        mine = np.bitwise_count(both & before).sum(axis=1, dtype=np.uint64)
        belongs: Mask = together % size == mine
        return belongs

    def _keys(self, block: Block) -> tuple[Hashes, Hashes]:
        """By what each subject of a block is compared, as bits; and the bits of what stands before the block's own."""
        if block.number in self._bits:
            return self._bits[block.number]
        keys = self.seats["keys"].slice(block.offset, block.seats).combine_chunks()
        numbers, at = np.unique(keys.flatten().to_numpy(), return_inverse=True)
        words = -(-len(numbers) // 64)
        bits = np.zeros((block.seats, words), dtype=np.uint64)
        row = np.repeat(np.arange(block.seats), np.diff(keys.offsets.to_numpy()))
        np.bitwise_or.at(bits, (row, at >> 6), np.uint64(1) << (at & 63).astype(np.uint64))
        own = int(np.searchsorted(numbers, self.seats["own"][block.offset].as_py()))
        before = np.zeros(words, dtype=np.uint64)
        for number in range(own):
            before[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
        self._bits[block.number] = bits, before
        return bits, before

    def _order(self, toss: Hashes, entities: Sequence[Places]) -> list[Places]:
        """Of the first, second (and third) subject of the question, its place in the order of values.

        A hash of the subjects decides, whichever has the greater value, so that yes and no are in balance.
        """
        if len(entities) == 2:
            first = ((toss & np.uint64(1)) == (entities[0] < entities[1])).astype(np.int64)
            return [first, 1 - first]
        each = np.stack([chain(toss, entity) for entity in entities])
        return list(np.argsort(each, axis=0, kind="stable"))

    def _described(
        self, template: Template, draw: Draw, toss: Hashes, seats: Sequence[Places], entities: Sequence[Places]
    ) -> tuple[list[Ints], list[Places], list[Places]]:
        """Choose the description that stands for each subject of an unnamed question, by hash.

        Where times are compared only the first subject that has one is described: descriptions that tell years would
        tell which came first.

        Returns:
            For each subject the description's number, -1 where it is named; its form's hash, or NAMED; and the year
            that the name or the description mentions.
        """
        told: list[Ints] = [np.full(len(toss), -1, dtype=np.int32) for _ in seats]
        forms: list[Places] = [np.full(len(toss), NAMED, dtype=np.int64) for _ in seats]
        years = [self._seat["year"][seat] for seat in seats]
        if not (draw.unnamed and self._forms.count.any()):
            return told, forms, years
        free = np.ones(len(toss), dtype=bool)
        for side, (seat, entity) in enumerate(zip(seats, entities, strict=True)):
            has = (self._forms.count[seat] > 0) & free
            rows = np.flatnonzero(has)
            known = self._forms.hash[seat[rows]].astype(np.int64)
            hashes = chain(chain(toss[rows], entity[rows])[:, None], known)
            there = np.arange(known.shape[1]) < self._forms.count[seat[rows]][:, None]
            chosen = np.argmin(np.where(there, hashes, np.uint64(np.iinfo(np.uint64).max)), axis=1)
            at = seat[rows], chosen
            told[side][rows], forms[side][rows] = self._forms.number[at], self._forms.hash[at]
            years[side] = years[side].copy()
            years[side][rows] = self._forms.year[at]
            if template.type.asks_about_time:
                free &= ~has
        return told, forms, years

    def _ids(self, frame: Ints, entities: Sequence[Places], forms: Sequence[Places]) -> Places:
        """The ids of questions (`complextempqa/numbering.py`)."""
        hashes = self._hashed[frame]
        for entity, form in zip(entities, forms, strict=True):
            hashes = chain(chain(hashes, entity), form)
        offices = [(n, self.frames[n].office) for n in np.unique(frame).tolist()]
        for number, office in offices:
            if office is not None:
                mine = frame == number
                hashes[mine] = chain(chain(hashes[mine], office[0]), NAMED)
        ids: Places = (hashes & np.uint64(LARGEST)).astype(np.int64)
        return ids

    def _are_told(self, block: Block, seats: Sequence[Places], told: Sequence[Ints], years: Sequence[Places]) -> Mask:
        """Whether names and descriptions tell which time comes first: by years, or by numbers in a series."""
        if block.by not in DATED:
            return np.zeros(len(seats[0]), dtype=bool)
        all_told = np.min(years, axis=0) > 0
        differ = np.max(years, axis=0) != np.min(years, axis=0)
        found: Mask = all_told & differ
        # A described subject is not told by its name.
        series = [np.where(at < 0, self._seat["series"][seat], 0) for seat, at in zip(seats, told, strict=True)]
        for one, other in combinations(series, 2):
            found |= (one != 0) & (one == other)
        return found


def _answers(template: Template, order: Sequence[Places], upwards: Mask) -> Ints:
    """The answers: the outermost subject in the direction asked for, or whether the first is further in it."""
    if template.answer.comparison == "first":
        further: Ints = ((order[0] > order[1]) == upwards).astype(np.int8)
        return further
    places = np.stack(order)
    outermost: Ints = np.where(upwards, places.argmax(axis=0), places.argmin(axis=0)).astype(np.int8)
    return outermost
