"""The columns of a question that follow from what it asks and from its template: each is derived here alone.

Arrow and numpy, no Spark: workers call it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.arrays import Ints, Mask, find_distinct, take_by_number
from everwhen.families.complextempqa.question_type import Category
from everwhen.families.complextempqa.template import Template


def find_years(start: pa.Array) -> pa.Array:
    """Return the years of days."""
    return pc.year(start).cast(pa.int32())


def derive_rows(
    asked: Mapping[str, pa.Array], templates: Sequence[Template], template: Ints, popular: Mask, schema: pa.Schema
) -> pa.Table:
    """Derive rows of the table `questions` from what is asked: add the columns that follow from it.

    Args:
        asked: All columns but those that follow from these and from the templates.
        templates: Templates, by place.
        template: The place of each question's template.
        popular: Whether all that each asks about is popular.
        schema: Of the table `questions`.
    """
    used, position = find_distinct(template)
    mine = [templates[number] for number in used.tolist()]
    counts = np.array([t.type.category is Category.COUNTING for t in mine])[position]
    described, paths = (pc.list_value_length(asked[name]).to_numpy() > 0 for name in ("descriptions", "hops"))
    columns = {
        **asked,
        "type": take_by_number([t.type for t in mine], pa.string(), position),
        "rating": pa.array((counts | paths | described | ~popular).astype(np.int8)),
        "is_unnamed": pa.array(described),
        "template_id": take_by_number([t.id for t in mine], pa.string(), position),
        "template_version": take_by_number([t.version for t in mine], pa.int32(), position),
        "year": find_years(asked["timeframe"].field("start")),
    }
    return pa.table([columns[name] for name in schema.names], names=schema.names)
