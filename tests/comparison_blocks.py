"""Templates of comparisons, and what is bound and made of them: for the tests of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa

from everwhen.core.arrays import Ints, wrap_lists
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.compare.block_members import BlockMembers, arrange_members
from everwhen.families.complextempqa.compare.blocks import Block, Turn
from everwhen.families.complextempqa.compare.contexts import Context
from everwhen.families.complextempqa.compare.quotas import Quota, divide_into_tasks, plan_quotas
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.render.comparisons import ComparisonRenderer
from everwhen.families.complextempqa.render.write import take_rows
from everwhen.families.complextempqa.stage import prepare_comparisons, prepare_forecasts
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, COMPARED_SUBJECTS, SUBJECT_DESCRIPTIONS, Template
from schemas import convert_schema

SCHEMA = convert_schema(QUESTIONS)


def build_template(
    name: str, relation: str = "pair", kind: str = "item", by: str = "amounts", **changes: Any
) -> Template:
    """A template of comparisons that asks for the outermost one, in both directions."""
    subjects = dict(zip("ab" if relation == "pair" else "abc", COMPARED_SUBJECTS, strict=False))
    time = by not in ("amounts", "hop amounts")
    upwards = "later" if time else "greater"
    every = ", ".join(f"{{{side}}}" for side in subjects)
    defaults = {
        "id": name,
        "version": 1,
        "type": "2bc" if time else "2b",
        "relation": relation,
        "params": {"kind": kind, "by": by},
        "slots": {side: {"entity": f"{subject}.entity"} for side, subject in subjects.items()}
        | {"way": {"text": f"IF(polarity = '{upwards}', 'I', 'II')"}},
        "questions": {0: f"Of {every} {{way}}?", 1: f"Which, {{way}}, {every}?", 2: f"Now {{way}}: {every}?"},
        "answer": {"comparison": "outermost"},
        "choice": True,
        "property": "value.property",
        "hops": "value.hops",
        "rule": "x",
        "check": "SELECT 1",
        "example": {},
    }
    return Template.model_validate(defaults | changes)


@dataclass
class Asked:
    """What is bound for some templates, and what rows are made of it.

    Attributes:
        members: The members of blocks.
        quotas: What is drawn.
        contexts: The contexts.
        bound: Comparisons, one dict a row: question_id, context, answer, reveals_order, COMPARED_SUBJECTS as numbers
            (-1: none), SUBJECT_DESCRIPTIONS (-1: named), the template's id, and the subjects as entities.
        make: Makes the rows.
    """

    members: BlockMembers
    quotas: list[Quota]
    contexts: list[Context]
    bound: list[dict[str, Any]]
    make: ComparisonRenderer

    def build_arrays(self, size: int = 2) -> dict[str, Ints]:
        """Pairs or triples as arrays, as a task has them, in the order of a file."""
        types = {"question_id": np.int64, "answer": np.int8, "reveals_order": np.int8}
        rows = [row for row in self.bound if not row["reveals_order"] and (row["third_subject"] >= 0) == (size == 3)]
        names = ["question_id", "context", "answer", "reveals_order"]
        names += [*COMPARED_SUBJECTS, *SUBJECT_DESCRIPTIONS.values()]
        found = {name: np.array([row[name] for row in rows], dtype=types.get(name, np.int32)) for name in names}
        if size == 2:
            del found["third_subject"], found["third_description"]
        found = take_rows(found, self.make.order_rows(found))
        found["wording"] = self.make.choose_wordings(found)
        return take_rows(found, self.make.order_group(found))

    def build_rows(self, size: int = 2) -> list[dict[str, Any]]:
        """The rows that are made of pairs or triples."""
        arrays = self.build_arrays(size)
        texts, errors = self.make.render_texts(arrays)
        assert errors == {}
        return self.make.build_rows(arrays, texts, SCHEMA).cast(SCHEMA).to_pylist()


def ask(
    world: WorldTables,
    templates: Sequence[Template],
    found: Sequence[Quota] | None = None,
    rows_per_file: int = 1000,
    members: BlockMembers | None = None,
    *,
    all_pairs: bool = False,
) -> Asked:
    """Bind templates in a world's blocks.

    Args:
        world: The world.
        templates: The templates.
        found: What is drawn; by default what the world's configuration says.
        rows_per_file: Rows of a full file.
        members: The members of the world's blocks, where they are known.
        all_pairs: Whether each template draws all pairs of its blocks, named and unnamed; else each is asked once, in
            one block.
    """
    members = members or arrange_members(world, templates)
    if all_pairs:
        position = members.rows.schema.get_field_index("keys")
        alone = wrap_lists(members.rows["own"].combine_chunks(), 1)
        members = replace(members, rows=members.rows.set_column(position, "keys", alone))
        found = plan_all_pairs(members, templates)
    forecasts, config = prepare_forecasts(members), read_settings(world.config)
    taken = plan_quotas(members.blocks, templates, config, forecasts) if found is None else list(found)
    binder, make = prepare_comparisons(world, members, taken, templates)
    contexts, entities = list(binder.contexts), make.subjects["entity"].to_pylist()
    bound = []
    for size in (2, 3):
        for task in divide_into_tasks(taken, members.blocks, rows_per_file, size=size):
            arrays = binder.bind(task)
            none = dict.fromkeys(("third_subject", *SUBJECT_DESCRIPTIONS.values()), -1)
            for number in range(len(arrays["context"]) if arrays else 0):
                row = none | {name: values[number].item() for name, values in arrays.items()}
                named = {f"entity_{side}": entities[row[side]] for side in COMPARED_SUBJECTS if row[side] >= 0}
                bound.append(row | named | {"template": make.templates[contexts[row["context"]].template].id})
    return Asked(members, taken, contexts, bound, make)


def build_block(low: Sequence[int], high: Sequence[int] | None = None, number: int = 0, **fields: Any) -> Block:
    """The block of subjects whose values lie from low to high, without a margin between them."""
    values, highs = np.array(low), np.array(low if high is None else high)
    hashes = np.array([hash_pair(value, subject) for subject, value in enumerate(low)], dtype=np.int64)
    order = np.lexsort((hashes, values))
    defaults = {
        "kind": "item",
        "by": "amounts",
        "key": "k",
        "list": "films",
        "grouping": "",
        "split": "train",
        "offset": 0,
    }
    arrays = {
        "first": np.searchsorted(values[order], highs[order], side="right"),
        "tied": np.searchsorted(values[order], values[order]),
        "order": hashes[order],
    }
    return Block(**defaults | {"number": number} | arrays | fields)


def hash_pair(value: int, subject: int) -> int:
    return int.from_bytes(sha256(f"{value} {subject}".encode()).digest()[:7])


def place_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Blocks whose members lie one behind the other."""
    ends = np.cumsum([0, *(block.size for block in blocks)]).tolist()
    return [replace(block, offset=offset) for block, offset in zip(blocks, ends, strict=False)]


def build_members(blocks: Sequence[Block], **columns: Sequence[Any]) -> pa.Table:
    """The members of blocks, whose first subjects have a description; of the given columns the values.

    Unless a column says otherwise, names tell no year, and no two subjects meet in two blocks.
    """
    n = sum(block.size for block in blocks)
    defaults: dict[str, Sequence[Any]] = {
        "entity": range(1, n + 1),
        "year": [0] * n,
        "series": [0] * n,
        "own": [1] * n,
        "keys": [[1]] * n,
        "forms": [
            [{"form": 5, "number": member, "year": 0}] if member < block.described else []
            for block in blocks
            for member in range(block.size)
        ],
    }
    form = pa.struct({"form": pa.int64(), "number": pa.int32(), "year": pa.int32()})
    lists = {"keys": pa.list_(pa.int32()), "forms": pa.list_(form)}
    return pa.table({name: pa.array(list(v), lists.get(name, pa.int64())) for name, v in (defaults | columns).items()})


def plan_all_pairs(members: BlockMembers, templates: Sequence[Template]) -> list[Quota]:
    """All pairs and triples of the templates' blocks, named and unnamed."""
    return [
        Quota(made.id, block.number, unnamed, BLOCK_RELATIONS[made.relation], Turn(0, 1), block.size, 0, 0.0)
        for made in templates
        for block in members.blocks
        if (block.kind, block.by) == (made.params["kind"], made.params["by"])
        for unnamed in (False, True)
    ]


def enumerate_sets(quota: Quota, block: Block) -> list[tuple[int, ...]]:
    """The places that a draw brings together in a block, found one by one."""
    first, tied, order = (values.tolist() for values in (block.first, block.tied, block.order))
    rank = {position: number for number, position in enumerate(sorted(range(block.size), key=lambda at: order[at]))}

    def list_partners(x: int) -> list[int]:
        """Whom a subject meets, in this order."""
        behind = [y for y in range(first[x], block.size) if (order[x] + order[y]) % quota.turn.of == quota.turn.number]
        nearest = [y for y in behind if tied[y] == tied[first[x]]]
        later = [y for y in nearest if rank[y] >= rank[x]]
        return later + [y for y in nearest if y not in later] + [y for y in behind if y not in nearest]

    found: list[tuple[int, ...]] = []
    for x in range(block.size):
        steps = quota.steps + (rank[x] < quota.more)
        for step, y in enumerate(list_partners(x)[:steps]):
            if quota.size == 2:
                found.append((x, y))
            elif step < len(list_partners(y)):
                found.append((x, y, list_partners(y)[step]))
    return found
