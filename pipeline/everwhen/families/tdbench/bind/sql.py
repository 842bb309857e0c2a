"""The query of an item as text: plain SQL on the table `rows`, for DuckDB and for Spark.

Its conditions hold surely: a coarse date counts by its last day where it must be early, by its first where it must be
late. A question with a row that may fit is not asked, so that the rows which fit surely are those which may fit.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.families.tdbench.answers import SEPARATOR
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


def count_in_units(bound: str, granularity: Column) -> Column:
    """Write a bound of a row in the unit of the question."""
    return F.when(granularity == "day", F.lit(bound)).otherwise(
        F.concat(F.lit("date_trunc('"), granularity, F.lit(f"', {bound})"))
    )


def name_key(declaration: Column, given: Column) -> Column:
    """Write the conditions that a row belongs to the declaration and has the given values."""
    values = F.transform(given, lambda each: F.concat(select_field(each.column), F.lit(" = "), quote_text(each.value)))
    return F.array_join(
        F.concat(F.array(F.concat(F.lit("r.declaration = "), quote_text(declaration))), values), " AND "
    )


def compare_endpoint(endpoint: str, sign: Column, at: Column, granularity: Column) -> Column:
    """Write how the start or the end of a row compares with an instant; null where the sign is a dot."""
    earliest, latest = (count_in_units(f"r.{bound}_{endpoint}", granularity) for bound in ("earliest", "latest"))
    earlier, later = (F.concat(bound, F.lit(" "), sign, F.lit(" "), at) for bound in (latest, earliest))
    if endpoint == "end":
        later = F.concat(F.lit("(r.earliest_end IS NULL OR "), later, F.lit(")"))
    return (
        F.when(sign.isin("<", "<="), earlier)
        .when(sign.isin(">", ">="), later)
        .when(sign == "=", F.concat(earliest, F.lit(" = "), at, F.lit(" AND "), latest, F.lit(" = "), at))
    )


def compare_interval(conditions: Column, b_start: Column, b_end: Column, granularity: Column) -> Column:
    """Write the conditions that a question puts on the times of a row."""
    at = {"b_start": b_start, "b_end": b_end}
    return F.concat_ws(
        " AND ",
        *(
            compare_endpoint(endpoint, F.substring(conditions, number, 1), at[other], granularity)
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
