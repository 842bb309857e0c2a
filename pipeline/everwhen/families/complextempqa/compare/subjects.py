"""The subjects of comparisons by number: whose pair it is, who is named first, what describes whom. numpy alone.

Binding (`compare/pairs.py`) and forecasting (`compare/forecast.py`) choose the same, since both choose here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from everwhen.core.arrays import Ints, Mask, number_within
from everwhen.core.hash_chains import START, Hashes, extend_hashes
from everwhen.families.complextempqa.bind.unnamed import hash_descriptions
from everwhen.families.complextempqa.compare.blocks import Block, Positions
from everwhen.families.complextempqa.numbering import NAMED
from everwhen.families.complextempqa.template import DIRECTIONS

DATED = ("time", "times")
"""What subjects are compared by where a year in a name gives the answer away: their own times."""


class DescriptionArrays:
    """The descriptions of each member, as arrays: the hash of the key, the description's number, and its year."""

    def __init__(self, description_hashes: pa.ListArray) -> None:
        """Take them from the column of the members."""
        sizes = np.diff(description_hashes.offsets.to_numpy())
        widest = int(sizes.max(initial=0))
        row = np.repeat(np.arange(len(sizes)), sizes)
        at = number_within(sizes)
        flat = description_hashes.flatten()
        self.count = sizes
        self.hash, self.number, self.year = (
            self._fill(flat.field(name).to_numpy(), row, at, (len(sizes), widest))
            for name in ("form", "number", "year")
        )

    @staticmethod
    def _fill(values: Ints, row: Positions, at: Positions, shape: tuple[int, int]) -> Ints:
        found = np.zeros(shape, dtype=values.dtype)
        found[row, at] = values
        return found


@dataclass(frozen=True)
class Chosen:
    """Comparisons of one block, an array each.

    Attributes:
        row: Which of the given sets each one is: pairs of another block are left out, and where subjects are to be
            described, those of which none can be.
        toss: A hash of the subjects, whatever their order.
        order: Of the first, second (and third) subject of the question, its place in the order of values.
        members: The number of each subject as a member.
        entities: Their item ids.
        descriptions: The number of each subject's description, -1 where it is named.
        description_hashes: The hash of the description's key, or NAMED.
        reveals_order: Whether names and descriptions tell which time comes first: by years, or by numbers in a series.
    """

    row: Positions
    toss: Hashes
    order: list[Positions]
    members: list[Positions]
    entities: list[Positions]
    descriptions: list[Ints]
    description_hashes: list[Positions]
    reveals_order: Mask

    def take(self, at: Positions) -> Chosen:
        """Return some of them."""
        by_subject = ("order", "members", "entities", "descriptions", "description_hashes")
        taken = {name: [values[at] for values in getattr(self, name)] for name in by_subject}
        return Chosen(row=self.row[at], toss=self.toss[at], reveals_order=self.reveals_order[at], **taken)


class Subjects:
    """The subjects of all blocks.

    Attributes:
        blocks: The blocks, by number.
    """

    def __init__(self, blocks: Sequence[Block], members: pa.Table, salts: Mapping[str, int]) -> None:
        """Take them.

        Args:
            blocks: The blocks, by number.
            members: The members (`BlockMembers.rows`).
            salts: By key, what salts who is named first and in which direction is asked, a bigint.
        """
        self.blocks = blocks
        self._members = members.select(["entity", "year", "series", "own", "keys", "forms"])
        self._salts = salts
        self._bits: dict[int, tuple[Hashes, Hashes]] = {}

    @cached_property
    def _columns(self) -> dict[str, npt.NDArray[np.int64]]:
        return {name: self._members[name].to_numpy().astype(np.int64) for name in ("entity", "year", "series")}

    @cached_property
    def _descriptions(self) -> DescriptionArrays:
        return DescriptionArrays(self._members["forms"].combine_chunks())

    def choose(self, block: Block, positions: Sequence[Positions], *, unnamed: bool) -> Chosen:
        """Choose what is asked about some sets of subjects, and how.

        Args:
            block: Their block.
            positions: The positions of the first, second (and third) subject of each in the order of values.
            unnamed: Whether subjects are described.
        """
        row = np.arange(len(positions[0]))
        entities = [self._columns["entity"][block.offset + at] for at in positions]
        together: Hashes = np.full(len(row), START, dtype=np.uint64)
        for entity in _sort_each(entities):
            together = extend_hashes(together, entity)
        if len(positions) == 2:
            row = np.flatnonzero(self._is_of_block(block, positions, together))
            positions, entities = [at[row] for at in positions], [entity[row] for entity in entities]
            together = together[row]
        toss = extend_hashes(together, self._salts[block.key])
        order = self._order(toss, entities)
        members = [np.choose(at, positions) + block.offset for at in order]
        entities = [self._columns["entity"][member] for member in members]
        descriptions, description_hashes, years = self._choose_descriptions(block, unnamed, toss, members, entities)
        reveals_order = self._is_order_revealed(block, members, descriptions, years)
        found = Chosen(row, toss, order, members, entities, descriptions, description_hashes, reveals_order)
        return found.take(np.flatnonzero(np.max(descriptions, axis=0) >= 0)) if unnamed else found

    def _is_of_block(self, block: Block, positions: Sequence[Positions], together: Hashes) -> Mask:
        """Whether a pair belongs to this block: a hash picks one of the blocks in which its two subjects meet."""
        shared, before = self._pack_keys(block)
        x, y = (shared[at] for at in positions)
        both = x & y
        size = np.bitwise_count(both).sum(axis=1, dtype=np.uint64)
        mine = np.bitwise_count(both & before).sum(axis=1, dtype=np.uint64)
        belongs: Mask = together % size == mine
        return belongs

    def _pack_keys(self, block: Block) -> tuple[Hashes, Hashes]:
        """Pack the keys that each subject of a block is compared by into bits; and the keys before the block's own."""
        if block.number in self._bits:
            return self._bits[block.number]
        keys = self._members["keys"].slice(block.offset, block.size).combine_chunks()
        numbers, at = np.unique(keys.flatten().to_numpy(), return_inverse=True)
        words = -(-len(numbers) // 64)
        bits = np.zeros((block.size, words), dtype=np.uint64)
        row = np.repeat(np.arange(block.size), np.diff(keys.offsets.to_numpy()))
        np.bitwise_or.at(bits, (row, at >> 6), np.uint64(1) << (at & 63).astype(np.uint64))
        own = int(np.searchsorted(numbers, self._members["own"][block.offset].as_py()))
        before = np.zeros(words, dtype=np.uint64)
        for number in range(own):
            before[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
        self._bits[block.number] = bits, before
        return bits, before

    def _order(self, toss: Hashes, entities: Sequence[Positions]) -> list[Positions]:
        """Of the first, second (and third) subject of the question, its place in the order of values.

        A hash of the subjects decides, whichever has the greater value, so that yes and no are in balance.
        """
        if len(entities) == 2:
            first = ((toss & np.uint64(1)) == (entities[0] < entities[1])).astype(np.int64)
            return [first, 1 - first]
        each = np.stack([extend_hashes(toss, entity) for entity in entities])
        return list(np.argsort(each, axis=0, kind="stable"))

    def _choose_descriptions(
        self, block: Block, unnamed: bool, toss: Hashes, members: Sequence[Positions], entities: Sequence[Positions]
    ) -> tuple[list[Ints], list[Positions], list[Positions]]:
        """Choose the description of each subject of an unnamed question, by hash.

        Where times are compared only the first subject that has one is described: descriptions that tell years would
        tell which came first.

        Returns:
            For each subject the description's number, -1 where it is named; its form's hash, or NAMED; and the year
            that the name or the description mentions.
        """
        descriptions: list[Ints] = [np.full(len(toss), -1, dtype=np.int32) for _ in members]
        description_hashes: list[Positions] = [np.full(len(toss), NAMED, dtype=np.int64) for _ in members]
        years = [self._columns["year"][member] for member in members]
        if not (unnamed and self._descriptions.count.any()):
            return descriptions, description_hashes, years
        free = np.ones(len(toss), dtype=bool)
        for side, (member, entity) in enumerate(zip(members, entities, strict=True)):
            has = (self._descriptions.count[member] > 0) & free
            rows = np.flatnonzero(has)
            known = self._descriptions.hash[member[rows]]
            hashes = hash_descriptions(toss[rows], entity[rows], known)
            there = np.arange(known.shape[1]) < self._descriptions.count[member[rows]][:, None]
            chosen = np.argmin(np.where(there, hashes, np.uint64(np.iinfo(np.uint64).max)), axis=1)
            at = member[rows], chosen
            descriptions[side][rows], description_hashes[side][rows] = (
                self._descriptions.number[at],
                self._descriptions.hash[at],
            )
            years[side] = years[side].copy()
            years[side][rows] = self._descriptions.year[at]
            if DIRECTIONS[block.by][0] == "later":
                free &= ~has
        return descriptions, description_hashes, years

    def _is_order_revealed(
        self, block: Block, members: Sequence[Positions], descriptions: Sequence[Ints], years: Sequence[Positions]
    ) -> Mask:
        """Whether names and descriptions tell which time comes first: by years, or by numbers in a series."""
        if block.by not in DATED:
            return np.zeros(len(members[0]), dtype=bool)
        has_years = np.min(years, axis=0) > 0
        differ = np.max(years, axis=0) != np.min(years, axis=0)
        found: Mask = has_years & differ
        # The name of a described subject does not occur.
        series = [
            np.where(at < 0, self._columns["series"][member], 0)
            for member, at in zip(members, descriptions, strict=True)
        ]
        for one, other in combinations(series, 2):
            found |= (one != 0) & (one == other)
        return found


def _sort_each(entities: Sequence[Positions]) -> Sequence[Positions]:
    """Sort the subjects of each set: the least of each, the next one, and so on."""
    if len(entities) == 2:  # a twentieth of the time that sorting takes
        return np.minimum(*entities), np.maximum(*entities)
    return list(np.sort(np.stack(entities), axis=0))
