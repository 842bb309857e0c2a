"""The conditions that a relation puts on a row, as data: one table of them for all questions.

The signs are those of `everwhen.temporal.allen.SIGNS`; this module only leaves out what follows from the others where
both intervals are proper (TDBench, Table 10).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from everwhen.temporal.allen import SIGNS, Relation, Signs

POINT_RELATIONS = (Relation.BEFORE, Relation.STARTS, Relation.DURING, Relation.FINISHES, Relation.AFTER)
"""The relations that a point can have to a proper interval (Vilain 1982)."""

Endpoint = Literal["start", "end", "point"]
Parameter = Literal["b_start", "b_end"]

ENDPOINTS: tuple[tuple[Endpoint, Parameter], ...] = (
    ("start", "b_start"),
    ("start", "b_end"),
    ("end", "b_start"),
    ("end", "b_end"),
)
"""Which endpoint of a row each of the four signs compares with which of b, in the order of `Signs`."""

REFERENCES = {
    Relation.BEFORE: ("end",),
    Relation.MEETS: ("end",),
    Relation.FINISHED_BY: ("end",),
    Relation.AFTER: ("start",),
    Relation.MET_BY: ("start",),
    Relation.STARTED_BY: ("start",),
}
"""The time references f(q) of relations that have one; the others have start and end (TDBench, Table 10)."""


class AskedRelation(NamedTuple):
    """A relation as a question asks for it.

    Attributes:
        relation: Its name.
        is_short: Whether only the shared endpoint is asked for.
        signs: All comparisons that are true of a row with this relation.
        conditions: Those that the question states; a dot where it states none.
        references: The endpoints that a response must date.
        is_for_points: Whether a point can have the relation.
    """

    relation: str
    is_short: bool
    signs: str
    conditions: str
    references: tuple[str, ...]
    is_for_points: bool


def list_relations(*, is_short: bool) -> tuple[AskedRelation, ...]:
    """List the thirteen relations; with `is_short`, also the two that can be asked by their shared endpoint alone."""
    asked = [_describe(relation, SIGNS[relation], is_short=False) for relation in Relation]
    if is_short:
        asked += [
            _describe(relation, Signs(*(sign if sign == "=" else "." for sign in SIGNS[relation])), is_short=True)
            for relation in (Relation.STARTED_BY, Relation.FINISHED_BY)
        ]
    return tuple(asked)


def _describe(relation: Relation, conditions: Signs, *, is_short: bool) -> AskedRelation:
    """State a relation; where an end touches a start, no proper interval needs the other comparisons."""
    touches = "=" in (conditions.start_end, conditions.end_start)
    stated = [sign if sign == "=" or not touches else "." for sign in conditions]
    return AskedRelation(
        relation=relation.value,
        is_short=is_short,
        signs="".join(SIGNS[relation]),
        conditions="".join(stated),
        references=REFERENCES.get(relation, ("start", "end")),
        is_for_points=relation in POINT_RELATIONS,
    )
