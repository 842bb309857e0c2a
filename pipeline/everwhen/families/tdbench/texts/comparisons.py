"""What a relation says of a row's start and end, as comparisons; `times` beside it has the words.

Source: TDBench, Table 10; the signs are those of `everwhen.temporal.allen`, where finished-by has equal ends (Table 10
misprints them).
"""

from __future__ import annotations

from typing import NamedTuple

from everwhen.families.tdbench.relations import ENDPOINTS, Endpoint, Parameter
from everwhen.temporal.allen import SIGNS, Relation

SHORT_RELATIONS = (Relation.STARTED_BY, Relation.FINISHED_BY)
"""The relations that the paper asks by the shared endpoint alone."""


class EndpointComparison(NamedTuple):
    """An endpoint of the row, compared with one of the question's interval b."""

    endpoint: Endpoint
    sign: str
    parameter: Parameter


def list_comparisons(
    relation: Relation, *, is_short: bool = False, is_point: bool = False
) -> tuple[EndpointComparison, ...]:
    """List the comparisons that say a relation in full, those of the start first.

    Where intervals meet, the shared instant says it all; so does the instant of a point that starts or finishes b.

    >>> [tuple(each) for each in list_comparisons(Relation.OVERLAPS)]
    [('start', '<', 'b_start'), ('end', '>', 'b_start'), ('end', '<', 'b_end')]
    >>> [tuple(each) for each in list_comparisons(Relation.MEETS)]
    [('end', '=', 'b_start')]

    Args:
        relation: How the row relates to b.
        is_short: Whether the shared endpoint alone is compared, as the paper does for started-by and finished-by.
        is_point: Whether the row is a point.
    """
    found = tuple(
        EndpointComparison("point" if is_point else endpoint, sign, parameter)
        for sign, (endpoint, parameter) in zip(SIGNS[relation], ENDPOINTS, strict=True)
        if sign != "."
    )
    if is_short or is_point or relation in (Relation.MEETS, Relation.MET_BY):
        return tuple(each for each in found if each.sign == "=") or found
    return found
