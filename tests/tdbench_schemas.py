"""The published tables of TDBench, stated once for the tests that write them without Spark."""

from __future__ import annotations

import pyarrow as pa

PAIR = pa.struct([("column", pa.string()), ("value", pa.string())])
REFERENCE = pa.struct(
    [("answer", pa.string()), ("role", pa.string()), ("date", pa.string()), ("is_stated", pa.bool_())]
)
ITEMS = pa.schema(
    [
        ("item_id", pa.int64()),
        ("declaration", pa.string()),
        ("task", pa.string()),
        ("question", pa.string()),
        ("answer", pa.list_(pa.string())),
        ("cardinality", pa.string()),
        ("is_near_miss", pa.bool_()),
        ("relation", pa.string()),
        ("is_short", pa.bool_()),
        ("given", pa.list_(PAIR)),
        ("asked", pa.list_(pa.string())),
        ("granularity", pa.string()),
        ("b_start", pa.date32()),
        ("b_end", pa.date32()),
        ("offset_months", pa.int32()),
        ("as_of", pa.date32()),
        ("event", pa.string()),
        ("counted", pa.int32()),
        ("is_at_least", pa.bool_()),
        ("hops", pa.list_(PAIR)),
        ("references", pa.list_(REFERENCE)),
        ("sql", pa.string()),
        ("evidence", pa.list_(pa.int64())),
        ("context", pa.list_(pa.string())),
        ("wording", pa.int8()),
        ("split", pa.string()),
    ]
)
ROWS = pa.schema(
    [
        ("row_id", pa.int64()),
        ("declaration", pa.string()),
        ("fields", pa.map_(pa.string(), pa.string())),
        ("stated_start", pa.string()),
        ("stated_end", pa.string()),
        ("start_precision", pa.int8()),
        ("end_precision", pa.int8()),
        ("earliest_start", pa.date32()),
        ("latest_start", pa.date32()),
        ("earliest_end", pa.date32()),
        ("latest_end", pa.date32()),
    ]
)
DECLARATIONS = pa.schema(
    [
        ("declaration", pa.string()),
        ("licence", pa.string()),
        ("is_private", pa.bool_()),
        ("source", pa.string()),
        ("ends", pa.string()),
        ("as_of", pa.date32()),
        ("text", pa.string()),
    ]
)
REJECTS = pa.schema(
    [
        ("declaration", pa.string()),
        ("line", pa.int64()),
        ("reason", pa.string()),
        ("fields", pa.map_(pa.string(), pa.string())),
    ]
)
ITEM_SETS = pa.schema([("item_set", pa.string()), *ITEMS])
ACCEPTED_ANSWERS = pa.schema([(name, pa.string()) for name in ("answer", "scope", "kind", "text")])
