"""The queries of items that name an event, or count: joins, and groups of rows, in plain SQL."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.families.tdbench.bind.sql import (
    count_end_in_units,
    count_in_units,
    name_bound,
    quote_day,
    quote_text,
    select_answer,
    select_field,
)

_LAST_DAY = "DATE '9999-12-31'"


def _name(bound: str) -> Column:
    """Write a bound of a row of the asked table."""
    return name_bound(bound, F.col("is_inclusive"), F.col("is_narrowed"))


def name_event() -> Column:
    """Write the table of the rows that name the event: a join, whose conditions fix its row."""
    values = F.transform(
        F.col("event_columns"),
        lambda name: F.concat(select_field(name, "e"), F.lit(" = "), quote_text(F.col("event.fields")[name])),
    )
    shared = F.when(F.col("relation") == "joined", F.transform(F.col("by"), _equate)).otherwise(F.array())
    named = F.array(F.concat(F.lit("e.declaration = "), quote_text(F.col("other"))))
    return F.concat(F.lit("rows r JOIN rows e ON "), F.array_join(F.concat(named, values, shared), " AND "))


def _equate(pair: Column) -> Column:
    """Write that a column of the asked table has the event's value, or the one that means the same."""
    theirs = select_field(pair.theirs, "e")
    value = F.col("event.fields")[pair.theirs]
    same = F.try_element_at(F.col("same"), value)
    renamed = F.concat(
        *(F.lit("CASE "), theirs, F.lit(" WHEN "), quote_text(value), F.lit(" THEN "), quote_text(same)),
        *(F.lit(" ELSE "), theirs, F.lit(" END")),
    )
    return F.concat(select_field(pair.ours), F.lit(" = "), F.when(same.isNotNull(), renamed).otherwise(theirs))


def write_holding() -> Column:
    """Write that a row holds during the event, from its start to its end."""
    granularity = F.col("granularity")
    row_start, event_start = (
        count_in_units(bound, granularity) for bound in (_name("latest_start"), "e.earliest_start")
    )
    row_end = count_end_in_units(_name("earliest_end"), granularity, F.col("is_inclusive"))
    event_end = count_end_in_units("e.latest_end", granularity, F.col("is_event_inclusive"))
    return F.concat(
        *(row_start, F.lit(" <= "), event_start, F.lit(" AND (r.earliest_end IS NULL OR "), row_end),
        *(F.lit(" >= "), event_end, F.lit(")")),
    )


def count_values(where: Column) -> Column:
    """Write the query that selects the values with a number of rows, or of stints.

    A stint begins with a row that starts after all earlier rows of its value have ended. Of a table that is complete
    from a day on, those count that begin after it; earlier rows say which rows are the first of a stint.
    """
    answer = select_answer(F.col("asked"))
    having = F.concat(
        F.when(F.col("is_at_least"), F.lit(" >= ")).otherwise(F.lit(" = ")),
        F.col("counted").cast("string"),
        F.lit(" ORDER BY answer"),
    )
    since = quote_day(F.col("since"))
    is_late = F.coalesce(F.concat(F.lit(" AND r.earliest_start > "), since), F.lit(""))
    is_early = F.coalesce(F.concat(F.lit(" WHEN r.earliest_start <= "), since, F.lit(" THEN 0")), F.lit(""))
    rows = F.concat(
        *(F.lit("SELECT "), answer, F.lit(" AS answer FROM rows r WHERE "), where, is_late),
        *(F.lit(" GROUP BY "), answer, F.lit(" HAVING count(*)"), having),
    )
    granularity = F.col("granularity")
    start = count_in_units(_name("latest_start"), granularity)
    last = F.concat(F.lit("coalesce("), _name("earliest_end"), F.lit(f", {_LAST_DAY})"))
    end = count_end_in_units(last, granularity, F.col("is_inclusive"))
    earlier = "ORDER BY r.earliest_start, r.row_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
    stints = F.concat(
        *(F.lit("SELECT answer FROM (SELECT "), answer, F.lit(" AS answer, CASE WHEN "), start, F.lit(" <= max(")),
        *(end, F.lit(") OVER (PARTITION BY "), answer, F.lit(f" {earlier}) THEN 0"), is_early),
        F.lit(" ELSE 1 END AS is_first"),
        *(F.lit(" FROM rows r WHERE "), where, F.lit(") AS stints GROUP BY answer HAVING sum(is_first)"), having),
    )
    return F.when(F.col("counted_as") == "rows", rows).otherwise(stints)
