"""Complete kept candidates to items: references, query, evidence, hops, context."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.joined_sql import count_values, name_event, write_holding
from everwhen.families.tdbench.bind.references import write_references, write_stated_dates
from everwhen.families.tdbench.bind.sql import (
    compare_interval,
    count_end_in_units,
    count_in_units,
    name_key,
    quote_day,
    select_answer,
    select_rows,
)
from everwhen.families.tdbench.relations import ENDPOINTS

_CONDITIONS = ", ".join(
    f"named_struct('endpoint', '{endpoint}', 'sign', substring(conditions, {number}, 1), 'day', {other})"
    for number, (endpoint, other) in enumerate(ENDPOINTS, 1)
)
_FOUND_ON_THE_WAY = (
    f"transform(columns_on_the_way, names -> struct(array_join(names, '{SEPARATOR}') AS column,"
    f" array_join(transform(names, name -> event.fields[name]), '{SEPARATOR}') AS value))"
)
"""What a response must find before it can answer: values of the event's row, of one dependency after the other."""

_IS_ALL_OPEN = "forall(matches, m -> m.is_open)"
_HAS_NOT_ENDED = "exists(matches, m -> m.is_open OR coalesce(m.end > string(as_of), false))"
"""Whether an answering row is open, or has an end that is stated and after the last day of which the table knows."""


def fill_items(kept: DataFrame, contexts: DataFrame) -> DataFrame:
    """Derive the remaining columns of items.

    Args:
        kept: Candidates that are asked, with matches.
        contexts: As returned by `everwhen.families.tdbench.bind.context.collect_contexts`.
    """
    in_context = kept.join(contexts, ["scope_id", "key"], "left")
    in_context = derive_columns(in_context, stated_dates=write_stated_dates())
    return (
        in_context.withColumns(
            {
                "references": F.expr(write_references()),
                "sql": _write_query(),
                "evidence": F.expr("sort_array(array_compact(array_append(matches.row_id, event.row_id)))"),
                "has_open": F.expr(_HAS_NOT_ENDED),
                "event_fields": F.expr("event.fields"),
                "hops": F.expr(f"if(task = 'multi_hop', {_FOUND_ON_THE_WAY}, array())"),
            }
        )
        .withColumn("conditions", F.expr(f"filter(array({_CONDITIONS}), each -> each.sign <> '.')"))
        .withColumn("event", F.expr("event.name"))
        .drop("matches", "roles", "is_for_points", "key", "key_columns", "early_reason", "counted_as")
        .drop("other", "by", "same", "event_columns", "columns_on_the_way", "own")
        .drop("start_column", "end_column", "stated_dates", "is_narrowed", "is_event_inclusive")
    )


def _write_query() -> Column:
    """Write the query of each item."""
    is_joined, granularity = F.col("task") == "multi_hop", F.col("granularity")
    has_event = F.col("event").isNotNull()
    key = name_key(F.col("declaration"), F.col("own"))
    is_inclusive, is_event_inclusive = F.col("is_inclusive"), F.col("is_event_inclusive")
    event_start = count_in_units("e.earliest_start", granularity)
    event_end = count_end_in_units("e.earliest_end", granularity, is_event_inclusive)
    b_start = F.when(has_event, event_start).otherwise(quote_day(F.col("b_start")))
    b_end = F.when(has_event, event_end).otherwise(quote_day(F.col("b_end")))
    last = F.concat(F.lit("(r.earliest_end IS NULL OR r.earliest_end > "), quote_day(F.col("as_of")), F.lit(")"))
    times = (
        F.when(
            F.col("relation") == "current", F.when(F.expr(_IS_ALL_OPEN), F.lit("r.latest_end IS NULL")).otherwise(last)
        )
        .when(is_joined, write_holding())
        .otherwise(
            compare_interval(F.col("conditions"), b_start, b_end, granularity, is_inclusive, F.col("is_narrowed"))
        )
    )
    tables = F.when(has_event, name_event()).otherwise(F.lit("rows r"))
    rows = select_rows(select_answer(F.col("asked")), F.concat(key, F.lit(" AND "), times), tables)
    return F.when(F.col("task") == "counting", count_values(key)).otherwise(rows)
