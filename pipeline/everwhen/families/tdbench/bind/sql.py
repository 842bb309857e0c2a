"""The query of an item as text: plain SQL on the table `rows`, for DuckDB and for Spark.

Its conditions hold surely: a coarse date counts by its last day where it must be early, by its first where it must be
late. A question with a row that may fit is not asked, so that the rows which fit surely are those which may fit.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.relations import ENDPOINTS


def quote_text(text: Column) -> Column:
    """Write a text as a literal that DuckDB and Spark read as the same.

    Spark reads a backslash as an escape, and a dollar with a brace as a variable.
    """
    doubled = F.replace(text, F.lit("'"), F.lit("''"))
    plain = F.replace(doubled, F.lit("\\"), F.lit("' || chr(92) || '"))
    return F.concat(F.lit("'"), F.replace(plain, F.lit("${"), F.lit("$' || '{")), F.lit("'"))


def quote_day(day: Column) -> Column:
    """Write a date as a literal."""
    return F.concat(F.lit("DATE '"), F.date_format(day, "yyyy-MM-dd"), F.lit("'"))


def select_field(column: Column, table: str = "r") -> Column:
    """Write the value of a column in a row."""
    return F.concat(F.lit(f"{table}.fields["), quote_text(column), F.lit("]"))


def select_answer(asked: Column) -> Column:
    """Write the values of the asked columns as one text."""
    return F.array_join(F.transform(asked, lambda name: select_field(name)), f" || '{SEPARATOR}' || ")


def name_bound(name: str, is_inclusive: Column, is_narrowed: Column) -> Column:
    """Write a bound of a row; where rows are narrowed, as far as a row does not end before it starts."""
    narrowed = {"latest_start": ("least", "r.latest_end", "-"), "earliest_end": ("greatest", "r.earliest_start", "+")}
    if name not in narrowed:
        return F.lit(f"r.{name}")
    choice, other, lag = narrowed[name]
    passed = F.when(is_inclusive, F.lit(f"{other} {lag} INTERVAL 1 DAY")).otherwise(F.lit(other))
    both = F.concat(F.lit(f"{choice}(r.{name}, "), passed, F.lit(")"))
    return F.when(is_narrowed, both).otherwise(F.lit(f"r.{name}"))


def count_in_units(bound: str | Column, granularity: Column) -> Column:
    """Write a bound of a row in the unit of the question."""
    text = F.lit(bound) if isinstance(bound, str) else bound
    return F.when(granularity == "day", text).otherwise(
        F.concat(F.lit("date_trunc('"), granularity, F.lit("', "), text, F.lit(")"))
    )


def count_end_in_units(bound: str | Column, granularity: Column, is_inclusive: Column) -> Column:
    """Write a bound of a row's end in the unit of the question; of an inclusive end the unit after the last one."""
    text = F.lit(bound) if isinstance(bound, str) else bound
    last = F.concat(count_in_units(F.concat(text, F.lit(" - INTERVAL 1 DAY")), granularity), F.lit(" + INTERVAL 1 "))
    is_last = is_inclusive & (granularity != "day")
    return F.when(is_last, F.concat(last, F.upper(granularity))).otherwise(count_in_units(bound, granularity))


def name_key(declaration: Column, given: Column) -> Column:
    """Write the conditions that a row belongs to the declaration and has the given values."""
    values = F.transform(given, lambda each: F.concat(select_field(each.column), F.lit(" = "), quote_text(each.value)))
    return F.array_join(
        F.concat(F.array(F.concat(F.lit("r.declaration = "), quote_text(declaration))), values), " AND "
    )


def compare_endpoint(
    endpoint: str, sign: Column, at: Column, granularity: Column, is_inclusive: Column, is_narrowed: Column
) -> Column:
    """Write how the start or the end of a row compares with an instant; null where the sign is a dot."""
    is_last = is_inclusive if endpoint == "end" else F.lit(False)
    bounds = (name_bound(f"{bound}_{endpoint}", is_inclusive, is_narrowed) for bound in ("earliest", "latest"))
    earliest, latest = (count_end_in_units(bound, granularity, is_last) for bound in bounds)
    earlier, later = (F.concat(bound, F.lit(" "), sign, F.lit(" "), at) for bound in (latest, earliest))
    if endpoint == "end":
        later = F.concat(F.lit("(r.earliest_end IS NULL OR "), later, F.lit(")"))
    return (
        F.when(sign.isin("<", "<="), earlier)
        .when(sign.isin(">", ">="), later)
        .when(sign == "=", F.concat(earliest, F.lit(" = "), at, F.lit(" AND "), latest, F.lit(" = "), at))
    )


def compare_interval(
    conditions: Column, b_start: Column, b_end: Column, granularity: Column, is_inclusive: Column, is_narrowed: Column
) -> Column:
    """Write the conditions that a question puts on the times of a row."""
    at = {"b_start": b_start, "b_end": b_end}
    return F.concat_ws(
        " AND ",
        *(
            compare_endpoint(
                endpoint, F.substring(conditions, number, 1), at[other], granularity, is_inclusive, is_narrowed
            )
            for number, (endpoint, other) in enumerate(ENDPOINTS, 1)
        ),
    )


def select_rows(answer: Column, conditions: Column, tables: Column | str = "rows r") -> Column:
    """Write the query that selects the different answers of the rows that fit, sorted."""
    source = F.lit(tables) if isinstance(tables, str) else tables
    return F.concat(
        F.lit("SELECT DISTINCT "), answer, F.lit(" AS answer FROM "), source, F.lit(" WHERE "), conditions,
        F.lit(" ORDER BY answer"),
    )  # fmt: skip
