"""Records read to rows: times, rejects and duplicates, by `sql/rows.sql`."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.queries import write_query
from everwhen.families.tdbench.source.reasons import MAX_SHOWN_LENGTH, MAX_VALUE_LENGTH, RowReason
from everwhen.families.tdbench.source.times import load_readings
from everwhen.temporal.precision import Precision

PRECISIONS = {"day": Precision.DAY, "month": Precision.MONTH, "year": Precision.YEAR}

UNKNOWN = "unknown"
"""What a source may say of an end that it does not date, beside `OPEN`."""


def read_records(db: duckdb.DuckDBPyConnection, declaration: Declaration, header: Sequence[str]) -> None:
    """Read the table `records` to the tables `rows` and `rejects`.

    Args:
        db: Has the table `records`; gets `rows`, with line and the columns of ROWS but row_id, and `rejects`, with
            line, reason, text and fields: the values of the record that are known.
        declaration: What the columns mean.
        header: The columns of the records, in order.
    """
    places, time = {name: f"c{number}" for number, name in enumerate(header)}, declaration.time
    start, end = places[time.start], "NULL::VARCHAR" if time.end is None else places[time.end]
    load_readings(db, [start] if time.end is None else [start, end], time)
    query = write_query(
        "source/rows",
        declaration=declaration,
        time=time,
        places=places,
        start=start,
        end=end,
        values={name: f"v{place}" for place, name in enumerate(declaration.columns)},
        used=declaration.used_columns,
        key=declaration.tfds[0].given if declaration.tfds else (),
        precisions=PRECISIONS,
        reason=RowReason,
        separator=SEPARATOR,
        max_length=MAX_VALUE_LENGTH,
        max_shown=MAX_SHOWN_LENGTH,
    )
    db.execute(query)
