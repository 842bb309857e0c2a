"""The query of an item as text: plain SQL on the table `rows`, for DuckDB and for Spark.

Its conditions hold surely: a coarse date counts by its last day where it must be early, by its first where it must be
late. A question with a row that may fit is not asked, so that the rows which fit surely are those which may fit.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.relations import ENDPOINTS

NARROWED = {
    "latest_start": ("least(r.latest_start, r.latest_end%s)", " - INTERVAL 1 DAY"),
    "earliest_end": ("greatest(r.earliest_end, r.earliest_start%s)", " + INTERVAL 1 DAY"),
}
"""Bounds of a row that does not end before it starts, where that narrows what its dates say; with what to add where
ends are inclusive."""


def write_query() -> Column:
    """Write the query of each item."""
    has_event, relation = F.col("event").isNotNull(), F.col("relation")
    event_end = _count(F.lit("e.earliest_end"), F.col("is_event_inclusive"))
    b_start = F.when(has_event, _count(F.lit("e.earliest_start"))).otherwise(quote_day(F.col("b_start")))
    b_end = F.when(has_event, event_end).otherwise(quote_day(F.col("b_end")))
    compared = (
        compare_endpoint(endpoint, F.substring("conditions", place, 1), b_start if other == "b_start" else b_end)
        for place, (endpoint, other) in enumerate(ENDPOINTS, 1)
    )
    is_all_open = F.forall("matches", lambda m: m["is_open"])
    last = _fill("(r.earliest_end IS NULL OR r.earliest_end > %s)", quote_day(F.col("as_of")))
    times = (
        F.when((relation == "current") & is_all_open, "r.latest_end IS NULL")
        .when(relation == "current", last)
        .when(relation == "joined", _write_holding())
        .otherwise(F.concat_ws(" AND ", *compared))
    )
    key = name_key(F.col("own"))
    rows = select_rows(_fill("%s AND %s", key, times), F.when(has_event, _name_event()).otherwise("rows r"))
    return F.when(relation == "counted", _count_values(key)).otherwise(rows)


def select_rows(conditions: Column, tables: Column | None = None) -> Column:
    """Write the query that selects the different answers of the rows that fit, sorted."""
    source = F.lit("rows r") if tables is None else tables
    return _fill("SELECT DISTINCT %s AS answer FROM %s WHERE %s ORDER BY answer", _select_answer(), source, conditions)


def name_key(given: Column) -> Column:
    """Write the conditions that a row belongs to the declaration and has the given values."""
    values = F.transform(given, lambda each: _fill("%s = %s", _read_field("r", each["column"]), _quote(each["value"])))
    named = F.array(_fill("r.declaration = %s", _quote(F.col("declaration"))))
    return F.array_join(F.concat(named, values), " AND ")


def compare_endpoint(endpoint: str, sign: Column, at: Column) -> Column:
    """Write how the start or the end of a row compares with an instant; null where the sign is a dot."""
    is_inclusive = F.col("is_inclusive") if endpoint == "end" else None
    earliest, latest = (_count(_name_bound(f"{bound}_{endpoint}"), is_inclusive) for bound in ("earliest", "latest"))
    earlier, later = (_fill("%s %s %s", bound, sign, at) for bound in (latest, earliest))
    if endpoint == "end":
        later = _fill("(r.earliest_end IS NULL OR %s)", later)
    return (
        F.when(sign.isin("<", "<="), earlier)
        .when(sign.isin(">", ">="), later)
        .when(sign == "=", _fill("%s = %s AND %s = %s", earliest, at, latest, at))
    )


def quote_day(day: Column) -> Column:
    """Write a date as a literal."""
    return _fill("DATE '%s'", F.date_format(day, "yyyy-MM-dd"))


def _quote(text: Column) -> Column:
    """Write a text as a literal that DuckDB and Spark read as the same.

    Spark reads a backslash as an escape, and a dollar with a brace as a variable.
    """
    for found, written in (("'", "''"), ("\\", "' || chr(92) || '"), ("${", "$' || '{")):
        text = F.replace(text, F.lit(found), F.lit(written))
    return _fill("'%s'", text)


def _fill(form: str, *parts: Column) -> Column:
    """Fill a text with parts, each in place of `%s`; null where a part is."""
    first, *texts = form.split("%s")
    filled = [piece for part, text in zip(parts, texts, strict=True) for piece in (part, F.lit(text))]
    return F.concat(F.lit(first), *filled)


def _read_field(table: str, column: Column) -> Column:
    """Write the value of a column in a row."""
    return _fill(f"{table}.fields[%s]", _quote(column))


def _select_answer() -> Column:
    """Write the values of the asked columns as one text."""
    return F.array_join(F.transform("asked", lambda name: _read_field("r", name)), f" || '{SEPARATOR}' || ")


def _name_bound(bound: str) -> Column:
    """Write a bound of a row."""
    if bound not in NARROWED:
        return F.lit(f"r.{bound}")
    form, step = NARROWED[bound]
    narrowed = _fill(form, F.when(F.col("is_inclusive"), step).otherwise(""))
    return F.when(F.col("is_narrowed"), narrowed).otherwise(f"r.{bound}")


def _count(bound: Column, is_inclusive: Column | None = None) -> Column:
    """Write a bound in the unit of the question; of an inclusive end the unit after the last one."""
    unit = F.col("granularity")
    counted = F.when(unit == "day", bound).otherwise(_fill("date_trunc('%s', %s)", unit, bound))
    if is_inclusive is None:
        return counted
    last = _fill("%s + INTERVAL 1 %s", _count(_fill("%s - INTERVAL 1 DAY", bound)), F.upper(unit))
    return F.when(is_inclusive & (unit != "day"), last).otherwise(counted)


def _name_event() -> Column:
    """Write the table of the rows that name the event: a join, whose conditions fix its row."""
    named = F.array(_fill("e.declaration = %s", _quote(F.col("other"))))
    values = F.transform(
        "event_columns", lambda name: _fill("%s = %s", _read_field("e", name), _quote(F.col("event.fields")[name]))
    )
    shared = F.when(F.col("relation") == "joined", F.transform("by", _equate)).otherwise(F.array())
    return _fill("rows r JOIN rows e ON %s", F.array_join(F.concat(named, values, shared), " AND "))


def _equate(pair: Column) -> Column:
    """Write that a column of the asked table has the event's value, or the one that means the same."""
    theirs, value = _read_field("e", pair["theirs"]), F.col("event.fields")[pair["theirs"]]
    same = F.try_element_at("same", value)
    renamed = _fill("CASE %s WHEN %s THEN %s ELSE %s END", theirs, _quote(value), _quote(same), theirs)
    return _fill("%s = %s", _read_field("r", pair["ours"]), F.coalesce(renamed, theirs))


def _write_holding() -> Column:
    """Write that a row holds during the event, from its start to its end."""
    return _fill(
        "%s <= %s AND (r.earliest_end IS NULL OR %s >= %s)",
        _count(_name_bound("latest_start")),
        _count(F.lit("e.earliest_start")),
        _count(_name_bound("earliest_end"), F.col("is_inclusive")),
        _count(F.lit("e.latest_end"), F.col("is_event_inclusive")),
    )


def _count_values(where: Column) -> Column:
    """Write the query that selects the values with a number of rows, or of stints.

    A stint begins with a row that starts after all earlier rows of its value have ended. Of a table that is complete
    from a day on, those count that begin after it; earlier rows say which rows are the first of a stint.
    """
    answer, since, nothing = _select_answer(), quote_day(F.col("since")), F.lit("")
    sign = F.when(F.col("is_at_least"), ">=").otherwise("=")
    having = _fill("%s %s ORDER BY answer", sign, F.col("counted").cast("string"))
    is_late = F.coalesce(_fill(" AND r.earliest_start > %s", since), nothing)
    is_early = F.coalesce(_fill(" WHEN r.earliest_start <= %s THEN 0", since), nothing)
    rows = _fill(
        "SELECT %s AS answer FROM rows r WHERE %s%s GROUP BY %s HAVING count(*) %s",
        *(answer, where, is_late, answer, having),
    )
    end = _fill("coalesce(%s, DATE '9999-12-31')", _name_bound("earliest_end"))
    is_first = _fill(
        "CASE WHEN %s <= max(%s) OVER (PARTITION BY %s ORDER BY r.earliest_start, r.row_id"
        " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) THEN 0%s ELSE 1 END",
        *(_count(_name_bound("latest_start")), _count(end, F.col("is_inclusive")), answer, is_early),
    )
    stints = _fill(
        "SELECT answer FROM (SELECT %s AS answer, %s AS is_first FROM rows r WHERE %s) AS stints"
        " GROUP BY answer HAVING sum(is_first) %s",
        *(answer, is_first, where, having),
    )
    return F.when(F.col("counted_as") == "rows", rows).otherwise(stints)
