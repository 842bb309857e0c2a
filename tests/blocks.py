"""Templates of comparisons, and what is bound and made of them: for the tests of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from pyspark.sql import functions as F

from everwhen.families.complextempqa.arrays import Ints
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.budget import Draw, blocked, draws
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.frame import Frame
from everwhen.families.complextempqa.pairs import comparisons, frames
from everwhen.families.complextempqa.render import Comparisons
from everwhen.families.complextempqa.seats import Seats, take_seats
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.families.complextempqa.template import Template
from schemas import arrow_schema

SCHEMA = arrow_schema(QUESTIONS)


def template(name: str, relation: str = "pair", kind: str = "item", by: str = "amounts", **changes: Any) -> Template:
    """A template of comparisons that asks for the greater one, or the first."""
    sides = "ab" if relation == "pair" else "abc"
    time = by.endswith(("time", "times"))
    greatest = {
        side: " AND ".join(
            f"v{side}.last_day < v{other}.first_day" if time else f"v{side}.amount > v{other}.amount"
            for other in sides
            if other != side
        )
        for side in sides
    }
    cases = " ".join(f"WHEN {condition} THEN {side}.entity" for side, condition in greatest.items())
    every = ", ".join(f"{{{side}}}" for side in sides)
    said = {
        "id": name,
        "version": 1,
        "type": "2bc" if time else "2b",
        "relation": relation,
        "params": {"kind": kind, "by": by},
        "slots": {side: {"entity": f"{side}.entity"} for side in sides} | {"coin": {"text": "IF(coin = 0, 'I', 'II')"}},
        "questions": [f"Of {every} {{coin}}?", f"Which, {{coin}}, {every}?", f"Now {{coin}}: {every}?"],
        "answer": {"entity": f"CASE {cases} ELSE a.entity END"},
        "choice": True,
        "property": "va.property",
        "hops": "va.hops",
        "require": [{"keep": " OR ".join(f"({one})" for one in greatest.values()), "otherwise": "none is ahead"}],
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
        bound: Columns of PAIRS, one dict a row, with the frame, the template's id and things as entities.
        make: Makes the rows.
    """

    seats: Seats
    draws: list[Draw]
    frames: list[Frame]
    bound: list[dict[str, Any]]
    make: Comparisons

    def arrays(self, size: int = 2) -> dict[str, Ints]:
        """Pairs or triples as arrays, as a task has them, in the order of a file."""
        types = {"question_id": np.int64, "answer": np.int8, "reason": np.int8}
        rows = [row for row in self.bound if not row["reason"] and (row["c"] >= 0) == (size == 3)]
        names = ["question_id", "frame", "answer", "reason", *(f"{told}{x}" for told in ("", "told_") for x in "abc")]
        found = {name: np.array([row[name] for row in rows], dtype=types.get(name, np.int32)) for name in names}
        if size == 2:
            del found["c"], found["told_c"]
        order = self.make.order(found)
        return {name: values[order] for name, values in found.items()}

    def rows(self, size: int = 2) -> list[dict[str, Any]]:
        """The rows that are made of pairs or triples."""
        made, faults = self.make.rows(self.arrays(size), SCHEMA)
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
    seats = seats or take_seats(world, templates)
    if all_pairs:
        seats = replace(seats, rows=seats.rows.withColumn("keys", F.array("own")))
        found = every(seats, templates)
    taken = draws(seats.blocks, templates, read_settings(world.config)) if found is None else list(found)
    made, drawn = frames(world, seats, taken, templates)
    rows = comparisons(seats, taken, drawn, templates, rows_per_file)
    things, told = seats.things.toArrow(), seats.told.toArrow()
    make = Comparisons(blocked(templates), made, things, told)
    entities = things["entity"].to_pylist()
    bound = []
    for row in (row for part in rows.values() for row in part.toArrow().to_pylist()):
        named = {f"entity_{side}": entities[row[side]] for side in "abc" if row[side] >= 0}
        bound.append(row | named | {"template": make.templates[made[row["frame"]].template].id})
    return Asked(seats, taken, made, bound, make)


def every(seats: Seats, templates: Sequence[Template]) -> list[Draw]:
    """All pairs and triples of the templates' blocks, named and unnamed."""
    return [
        Draw(made.id, block.number, unnamed, 2 if made.relation == "pair" else 3, 0, 1, block.seats, 0, 0.0)
        for made in templates
        for block in seats.blocks
        if (block.kind, block.by) == (made.params["kind"], made.params["by"])
        for unnamed in (False, True)
    ]


class Seat(Protocol):
    """What of a seat says who its partners are."""

    place: int
    gap: int
    partners: int
    turn: int
    shift: int


def enumerated(draw: Draw, seats: Sequence[Seat]) -> list[tuple[int, ...]]:
    """The places that a draw brings together in a block, told one by one; the seats in the order of their places."""
    found = []
    for seat in seats:
        for number in range(draw.steps + (seat.turn < draw.more)):
            step = number * draw.turns + (draw.turn + seat.shift) % draw.turns + 1
            if step > seat.partners:
                break
            second = seats[seat.place + seat.gap + step - 1]
            third = second.place + second.gap + step - 1
            if draw.size == 2:
                found.append((seat.place, second.place))
            elif third < len(seats):
                found.append((seat.place, second.place, third))
    return found
