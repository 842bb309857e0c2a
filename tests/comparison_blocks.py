"""Templates of comparisons, and what is bound and made of them: for the tests of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa

from everwhen.families.complextempqa.arrays import Ints, wrap_lists
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.blocks import Block, Turn
from everwhen.families.complextempqa.budget import Draw, divide_into_tasks, plan_quotas
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.frames import Frame
from everwhen.families.complextempqa.render import ComparisonRenderer
from everwhen.families.complextempqa.seats import Seats, arrange_members
from everwhen.families.complextempqa.stage import prepare_comparisons, prepare_forecasts
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.families.complextempqa.template import BLOCKED, Template
from everwhen.families.complextempqa.write import take_rows
from schemas import convert_schema

SCHEMA = convert_schema(QUESTIONS)


def template(name: str, relation: str = "pair", kind: str = "item", by: str = "amounts", **changes: Any) -> Template:
    """A template of comparisons that asks for the outermost one, in both directions."""
    sides = "ab" if relation == "pair" else "abc"
    time = by not in ("amounts", "hop amounts")
    upwards = "later" if time else "greater"
    every = ", ".join(f"{{{side}}}" for side in sides)
    said = {
        "id": name,
        "version": 1,
        "type": "2bc" if time else "2b",
        "relation": relation,
        "params": {"kind": kind, "by": by},
        "slots": {side: {"entity": f"{side}.entity"} for side in sides}
        | {"way": {"text": f"IF(polarity = '{upwards}', 'I', 'II')"}},
        "questions": {0: f"Of {every} {{way}}?", 1: f"Which, {{way}}, {every}?", 2: f"Now {{way}}: {every}?"},
        "answer": {"comparison": "outermost"},
        "choice": True,
        "property": "va.property",
        "hops": "va.hops",
        "rule": "x",
        "check": "SELECT 1",
        "example": {},
    }
    return Template.model_validate(said | changes)


@dataclass
class Asked:
    """What is bound for some templates, and what rows are made of it.

    Attributes:
        seats: The seats.
        draws: What is drawn.
        frames: The frames.
        bound: Comparisons, one dict a row: question_id, frame, answer, years_told, a, b and c as numbers (-1: none),
            told_a, told_b and told_c (-1: named), the template's id, and the subjects as entities.
        make: Makes the rows.
    """

    seats: Seats
    draws: list[Draw]
    frames: list[Frame]
    bound: list[dict[str, Any]]
    make: ComparisonRenderer

    def arrays(self, size: int = 2) -> dict[str, Ints]:
        """Pairs or triples as arrays, as a task has them, in the order of a file."""
        types = {"question_id": np.int64, "answer": np.int8, "years_told": np.int8}
        rows = [row for row in self.bound if not row["years_told"] and (row["c"] >= 0) == (size == 3)]
        names = ["question_id", "frame", "answer", "years_told"]
        names += [f"{told}{x}" for told in ("", "told_") for x in "abc"]
        found = {name: np.array([row[name] for row in rows], dtype=types.get(name, np.int32)) for name in names}
        if size == 2:
            del found["c"], found["told_c"]
        found = take_rows(found, self.make.order(found))
        found["wording"] = self.make.number_wordings(found)
        return take_rows(found, self.make.order_group(found))

    def rows(self, size: int = 2) -> list[dict[str, Any]]:
        """The rows that are made of pairs or triples."""
        made, faults = self.make.render_rows(self.arrays(size), SCHEMA)
        assert faults == {}
        return made.cast(SCHEMA).to_pylist()


def ask(
    world: World,
    templates: Sequence[Template],
    found: Sequence[Draw] | None = None,
    rows_per_file: int = 1000,
    seats: Seats | None = None,
    *,
    all_pairs: bool = False,
) -> Asked:
    """Bind templates in a world's blocks.

    Args:
        world: The world.
        templates: The templates.
        found: What is drawn; by default what the world's configuration says.
        rows_per_file: Rows of a full file.
        seats: The world's seats, where they are known.
        all_pairs: Whether each template draws all pairs of its blocks, named and unnamed; else each is asked once, in
            one block.
    """
    seats = seats or arrange_members(world, templates)
    if all_pairs:
        place = seats.rows.schema.get_field_index("keys")
        alone = wrap_lists(seats.rows["own"].combine_chunks(), 1)
        seats = replace(seats, rows=seats.rows.set_column(place, "keys", alone))
        found = every(seats, templates)
    forecasts, config = prepare_forecasts(seats), read_settings(world.config)
    taken = plan_quotas(seats.blocks, templates, config, forecasts) if found is None else list(found)
    binder, make = prepare_comparisons(world, seats, taken, templates)
    frames, entities = list(binder.frames), make.things["entity"].to_pylist()
    bound = []
    for size in (2, 3):
        for task in divide_into_tasks(taken, seats.blocks, rows_per_file, size=size):
            arrays = binder.bind(task)
            none = dict.fromkeys(("c", "told_a", "told_b", "told_c"), -1)
            for number in range(len(arrays["frame"]) if arrays else 0):
                row = none | {name: values[number].item() for name, values in arrays.items()}
                named = {f"entity_{side}": entities[row[side]] for side in "abc" if row[side] >= 0}
                bound.append(row | named | {"template": make.templates[frames[row["frame"]].template].id})
    return Asked(seats, taken, frames, bound, make)


def block_of(low: Sequence[int], high: Sequence[int] | None = None, number: int = 0, **fields: Any) -> Block:
    """The block of things whose values lie from low to high, without a margin between them."""
    values, highs = np.array(low), np.array(low if high is None else high)
    hashes = np.array([hashed(value, thing) for thing, value in enumerate(low)], dtype=np.int64)
    order = np.lexsort((hashes, values))
    said = {"kind": "item", "by": "amounts", "key": "k", "list": "films", "alike": "", "split": "train", "offset": 0}
    arrays = {
        "first": np.searchsorted(values[order], highs[order], side="right"),
        "tied": np.searchsorted(values[order], values[order]),
        "order": hashes[order],
    }
    return Block(**said | {"number": number} | arrays | fields)


def hashed(value: int, thing: int) -> int:
    return int.from_bytes(sha256(f"{value} {thing}".encode()).digest()[:7])


def place(blocks: Sequence[Block]) -> list[Block]:
    """Blocks whose seats lie one behind the other."""
    ends = np.cumsum([0, *(block.seats for block in blocks)]).tolist()
    return [replace(block, offset=offset) for block, offset in zip(blocks, ends, strict=False)]


def seats_of(blocks: Sequence[Block], **columns: Sequence[Any]) -> pa.Table:
    """The seats of blocks, whose first subjects have a description; of the given columns the values.

    Unless a column says otherwise, names tell no year, and no two subjects meet in two blocks.
    """
    n = sum(block.seats for block in blocks)
    said: dict[str, Sequence[Any]] = {
        "entity": range(1, n + 1),
        "year": [0] * n,
        "series": [0] * n,
        "own": [1] * n,
        "keys": [[1]] * n,
        "forms": [
            [{"form": 5, "number": seat, "year": 0}] if seat < block.described else []
            for block in blocks
            for seat in range(block.seats)
        ],
    }
    form = pa.struct({"form": pa.int64(), "number": pa.int32(), "year": pa.int32()})
    lists = {"keys": pa.list_(pa.int32()), "forms": pa.list_(form)}
    return pa.table({name: pa.array(list(v), lists.get(name, pa.int64())) for name, v in (said | columns).items()})


def every(seats: Seats, templates: Sequence[Template]) -> list[Draw]:
    """All pairs and triples of the templates' blocks, named and unnamed."""
    return [
        Draw(made.id, block.number, unnamed, BLOCKED[made.relation], Turn(0, 1), block.seats, 0, 0.0)
        for made in templates
        for block in seats.blocks
        if (block.kind, block.by) == (made.params["kind"], made.params["by"])
        for unnamed in (False, True)
    ]


def enumerated(draw: Draw, block: Block) -> list[tuple[int, ...]]:
    """The places that a draw brings together in a block, found one by one."""
    first, tied, order = (values.tolist() for values in (block.first, block.tied, block.order))
    rank = {place: number for number, place in enumerate(sorted(range(block.seats), key=lambda at: order[at]))}

    def partners(x: int) -> list[int]:
        """Whom a subject meets, in this order."""
        behind = [y for y in range(first[x], block.seats) if (order[x] + order[y]) % draw.turn.of == draw.turn.number]
        nearest = [y for y in behind if tied[y] == tied[first[x]]]
        later = [y for y in nearest if rank[y] >= rank[x]]
        return later + [y for y in nearest if y not in later] + [y for y in behind if y not in nearest]

    found: list[tuple[int, ...]] = []
    for x in range(block.seats):
        steps = draw.steps + (rank[x] < draw.more)
        for step, y in enumerate(partners(x)[:steps]):
            if draw.size == 2:
                found.append((x, y))
            elif step < len(partners(y)):
                found.append((x, y, partners(y)[step]))
    return found
