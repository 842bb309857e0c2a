"""Bindings of comparisons, made in a Python worker: a task enumerates the pairs or triples of its chunks of members.

Spark has decided the blocks, their members and how many of each are compared; a worker looks up by number what a
broadcast has in full. No pair is shuffled or handed from the JVM, and which task binds what is decided by the quotas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from everwhen.core.arrays import Ints, Mask, find_distinct, number_within
from everwhen.core.hash_chains import Hashes
from everwhen.families.complextempqa.compare.blocks import Block, Positions
from everwhen.families.complextempqa.compare.contexts import Context, ContextNumbers
from everwhen.families.complextempqa.compare.quotas import Chunk, Quota
from everwhen.families.complextempqa.compare.subjects import Chosen, Subjects
from everwhen.families.complextempqa.numbering import NAMED, add_subjects, end_ids
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS, DIRECTIONS, SUBJECT_DESCRIPTIONS, Template

PAIRS_AT_ONCE = 1 << 17
"""Pairs that are enumerated at a time: their arrays stay in the processor's cache, more or less."""

Bound = dict[str, Ints]
"""Comparisons as they are bound, an array each: question_id, context (its number), COMPARED_SUBJECTS (by their numbers;
pairs have no third), SUBJECT_DESCRIPTIONS (the descriptions that replace their names, -1 where they are named; absent
where none is described), answer (of a choice the position of the subject, else 1 for yes and 0 for no), and
reveals_order (whether names show which time comes first)."""


@dataclass
class Binder:
    """Binds comparisons by number.

    Attributes:
        templates: The templates of comparisons, by id.
        contexts: The contexts, by number.
        context_numbers: Which contexts each quota has.
        subjects: The subjects of all blocks.
        subject_numbers: Of each member, the number of its subject.
    """

    templates: Mapping[str, Template]
    contexts: Sequence[Context]
    context_numbers: ContextNumbers
    subjects: Subjects
    subject_numbers: Ints

    @cached_property
    def _hashed(self) -> Hashes:
        return np.array([context.hashed for context in self.contexts], dtype=np.int64).view(np.uint64)

    def bind(self, chunks: Sequence[Chunk]) -> Bound:
        """Bind all that is drawn from some chunks: pairs, or triples."""
        parts = [part for chunk in chunks for part in self._bind_parts(chunk)]
        found = {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}
        for column in [name for name in SUBJECT_DESCRIPTIONS.values() if name in found]:
            if found[column].max(initial=-1) < 0:
                del found[column]
        return found

    def _bind_parts(self, chunk: Chunk) -> Iterator[Bound]:
        """Bind a chunk in parts of about PAIRS_AT_ONCE."""
        quota, block = chunk.quota, self.subjects.blocks[chunk.quota.block]
        partners = block.find_partners(quota.turn)
        steps = quota.steps + (block.rank < quota.more)
        counts = np.minimum(partners.available, steps)[chunk.start : chunk.end + 1]
        ends = np.cumsum(counts)
        start = 0
        while start < len(counts):
            before = int(ends[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + PAIRS_AT_ONCE, side="right")))
            some = counts[start:end]
            x = chunk.start + np.repeat(np.arange(start, end), some)
            step = number_within(some)
            yield self._bind_sets(quota, block, partners.find_sets(quota.size, x, step)[0])
            start = end

    def _bind_sets(self, quota: Quota, block: Block, positions: Sequence[Positions]) -> Bound:
        """Put subjects, given in the order of their values, in the order of the question; derive ids and answers."""
        chosen = self.subjects.choose(block, positions, unnamed=quota.unnamed)
        numbers = np.array(self.context_numbers[quota.template, quota.block, quota.unnamed], dtype=np.int32)
        direction = ((chosen.toss >> np.uint64(1)) % np.uint64(len(numbers))).astype(np.int64)
        upwards = np.array([self.contexts[n].polarity == DIRECTIONS[block.by][0] for n in numbers])[direction]
        found: Bound = {
            "question_id": self._compute_ids(numbers[direction], chosen),
            "context": numbers[direction],
            "answer": _derive_answers(self.templates[quota.template], chosen.order, upwards),
            "reveals_order": chosen.reveals_order.astype(np.int8),
        }
        found |= {
            side: self.subject_numbers[members]
            for side, members in zip(COMPARED_SUBJECTS, chosen.members, strict=False)
        }
        return found | dict(zip(SUBJECT_DESCRIPTIONS.values(), chosen.descriptions, strict=False))

    def _compute_ids(self, context: Ints, chosen: Chosen) -> Positions:
        """The ids of questions, each in its context."""
        hashes = add_subjects(self._hashed[context], chosen.entities, chosen.description_hashes)
        for number in find_distinct(context)[0].tolist():
            office = self.contexts[number].office
            if office is not None:
                mine = context == number
                hashes[mine] = add_subjects(hashes[mine], [np.int64(office[0])], [np.int64(NAMED)])
        return end_ids(hashes)


def _derive_answers(template: Template, order: Sequence[Positions], upwards: Mask) -> Ints:
    """The answers: the outermost subject in the direction asked for, or whether the first is further in it."""
    if template.answer.comparison == "first":
        further: Ints = ((order[0] > order[1]) == upwards).astype(np.int8)
        return further
    positions = np.stack(order)
    outermost: Ints = np.where(upwards, positions.argmax(axis=0), positions.argmin(axis=0)).astype(np.int8)
    return outermost
