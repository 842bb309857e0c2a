"""Answers to requests, by the windows and the judgement of `everwhen.families.tdbench.bind`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.config_errors import suggest_name
from everwhen.families.tdbench.bind.askings import tabulate_askings
from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.judge import judge_candidates
from everwhen.families.tdbench.bind.keys import group_keys, list_scoped_rows
from everwhen.families.tdbench.bind.positions import UNBOUNDED, count_day
from everwhen.families.tdbench.bind.references import write_references
from everwhen.families.tdbench.bind.sql import compare_endpoint, name_key, quote_day, select_answer, select_rows
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.reasons import BindReason
from everwhen.families.tdbench.requests.model import Request
from everwhen.families.tdbench.rows import SourceTable, read_tables
from everwhen.families.tdbench.scopes import Scope
from everwhen.temporal.interval import Unit

REQUESTS = (
    "number int, scope_id string, key array<string>, granularity string, relation string, roles array<string>,"
    " is_for_points boolean, "
    " comparisons array<struct<endpoint:string,sign:string,stated:date,day:date>>, stated_dates array<string>"
)
"""Columns of the table of requests; `day` of an inclusive end is that of the unit after the stated one."""

Columns = tuple[tuple[str, ...], tuple[str, ...]]
"""The columns that a request gives, and those that it asks for."""

MAX_COMPARED = 10_000
"""Values that are compared with one that no row has: more take seconds."""


def find_answers(
    spark: SparkSession, declaration: Declaration, requests: Sequence[Request]
) -> Iterator[dict[str, Any]]:
    """Answer requests, in their order.

    Args:
        spark: The session.
        declaration: The declaration; its rows are not of our world.
        requests: The requests.

    Yields:
        Of each request its id with answer, references, evidence and sql; or with `not_asked`, the reason.

    Raises:
        InputError: The table cannot be read.
    """
    scopes = _list_scopes(declaration, requests)
    tests = list(_list_broken_tests(declaration, scopes.values()))
    source = read_tables(spark, [declaration], scopes=[*scopes.values(), *tests])
    judged = judge_requests(source, declaration, requests, scopes)
    found = {row["number"]: row.asDict(recursive=True) for row in judged.collect()}
    unknown = {number for number, row in found.items() if row["reason"] == BindReason.NO_KEY}
    hints = _suggest_values(source.rows, [request for number, request in enumerate(requests) if number in unknown])
    for number, request in enumerate(requests):
        row = found[number]
        if number in unknown:
            row["reason"] += "".join(hints.get(pair, "") for pair in request.given.items())
        elif row["reason"] == BindReason.INCOMPLETE:
            row["reason"] += f"; {row['record']}"
        of_id = {} if request.id is None else {"id": request.id}
        if row["reason"] is None:
            yield of_id | {name: row[name] for name in ("answer", "references", "evidence", "sql")}
        else:
            yield of_id | {"not_asked": row["reason"]}


def _suggest_values(rows: DataFrame, requests: Sequence[Request]) -> dict[tuple[str, str], str]:
    """Name, for given values that no row has, that of the table which may have been meant, as the end of a sentence."""
    pairs = {pair for request in requests for pair in request.given.items()}
    if not pairs:
        return {}
    known: dict[str, list[str]] = {column: [] for column, _ in pairs}
    fields = rows.select(F.explode("fields").alias("column", "value")).where(F.col("column").isin(list(known)))
    for column, value in fields.distinct().orderBy("column", "value").toLocalIterator():
        known[column].append(value)
    hints = {}
    for column, value in pairs:
        if value not in known[column]:
            same = [each for each in known[column] if each.casefold() == value.casefold()]
            hint = suggest_name(value, known[column][:MAX_COMPARED]) if not same else f"; did you mean {same[0]}?"
            hints[column, value] = f"; none has {value} as {column}{hint}"
    return hints


def judge_requests(
    source: SourceTable, declaration: Declaration, requests: Sequence[Request], scopes: Mapping[Columns, Scope]
) -> DataFrame:
    """Judge requests, as candidates of a build are judged.

    Args:
        source: The table, read for these scopes.
        declaration: The declaration.
        requests: The requests.
        scopes: Their scopes, by given and asked columns.

    Returns:
        Columns number, reason, record (the rejected one, of a key that may lack it), answer, references, evidence and
        sql; a row for each request.
    """
    rows = source.rows
    askings = tabulate_askings(rows.sparkSession, list(scopes.values()), [declaration])
    units = F.array(*(F.lit(unit.value) for unit in Unit))
    scoped = list_scoped_rows(rows, askings.withColumn("granularities", units))
    no_keys = rows.sparkSession.createDataFrame([], "scope_id string, key array<string>")
    keys = group_keys(scoped, no_keys).select("scope_id", "key", "granularity", "members", "last", "since")
    unasked = source.unasked.groupBy("scope_id", "key").agg(
        *(F.expr(f"bool_or(reason = '{reason}') AS is_{reason}") for reason in ("broken", "ambiguous")),
        F.min("record").alias("record"),
    )
    known = scoped.select("scope_id", "key").distinct().withColumn("is_known", F.lit(True))
    asked = _tabulate(rows, declaration, requests, scopes)
    candidates = (
        asked.join(keys, ["scope_id", "key", "granularity"], "left")
        .join(unasked, ["scope_id", "key"], "left")
        .join(known, ["scope_id", "key"], "left")
    )
    windowed = derive_columns(
        candidates,
        early_reason=_write_early_reason(),
        members="coalesce(members, array())",
        is_points=str(declaration.time.end is None),
        is_inclusive=str(declaration.time.is_inclusive),
        conditions="'....'",
        b_start="int(NULL)",
        b_end="int(NULL)",
        **_write_windows(),
    )
    return _complete(judge_candidates(windowed), askings)


def _write_early_reason() -> str:
    """Write why a request is not asked, whatever the rows of its key say, or null."""
    # What ended before a date may be earlier than all that the table knows.
    is_earlier = (
        "exists(comparisons, c -> c.stated < since) OR (since IS NOT NULL AND forall(comparisons, c -> c.sign = '<'))"
    )
    is_later = f"exists(comparisons, c -> {count_day('c.stated')} > last)"
    return (
        f"CASE WHEN record IS NOT NULL THEN '{BindReason.INCOMPLETE}'"
        f" WHEN is_known IS NULL THEN '{BindReason.NO_KEY}' WHEN is_broken THEN '{BindReason.BROKEN}'"
        f" WHEN is_ambiguous THEN '{BindReason.READS_THE_SAME}'"
        f" WHEN {is_earlier} THEN '{BindReason.BEFORE_SINCE}' WHEN {is_later} THEN '{BindReason.AFTER_AS_OF}' END"
    )


def _list_scopes(declaration: Declaration, requests: Sequence[Request]) -> dict[Columns, Scope]:
    """List the scopes of requests by given and asked columns."""
    wanted = dict.fromkeys((tuple(request.given), request.asked) for request in requests)
    return {
        (given, asked): Scope(f"{declaration.name}/request/{number}", declaration.name, "set", given, asked)
        for number, (given, asked) in enumerate(wanted, 1)
    }


def _list_broken_tests(declaration: Declaration, scopes: Iterable[Scope]) -> Iterator[Scope]:
    """List by which dependencies the keys of scopes may be broken: those of their columns, which a build would not ask.

    A dependency whose broken keys are kept for sets is none: a request may have a set of answers.
    """
    for scope in scopes:
        for tfd in declaration.tfds:
            if set(tfd.given) == set(scope.given) and tfd.broken != "sets":
                yield from (replace(scope, kind="tfd", asked=(column,)) for column in tfd.determines)


def _tabulate(
    rows: DataFrame,
    declaration: Declaration,
    requests: Sequence[Request],
    scopes: Mapping[Columns, Scope],
) -> DataFrame:
    """Put requests into a table with the columns `REQUESTS`."""
    table = []
    for number, request in enumerate(requests):
        relation = request.asked_relation
        comparisons = list(request.list_comparisons())
        endpoints = list(dict.fromkeys(endpoint for endpoint, _, _ in comparisons))
        follows = declaration.time.is_inclusive and relation is None
        days = [
            (endpoint, sign, stated.day, stated.following if follows and endpoint == "end" else stated.day)
            for endpoint, sign, stated in comparisons
        ]
        table.append(
            (
                *(number, scopes[tuple(request.given), request.asked].scope_id, list(request.given.values())),
                *(request.unit, relation.relation if relation else "conditions"),
                *(list(relation.references) if relation else endpoints, relation is None or relation.is_for_points),
                *(days, [stated.text for _, _, stated in comparisons]),
            )
        )
    return rows.sparkSession.createDataFrame(table, REQUESTS)


def _write_windows() -> dict[str, str]:
    """Write the window of the comparisons (Spark SQL)."""
    windows = {}
    for endpoint in ("start", "end"):
        for side, strict, step, bound in (("low", ">", "+ 1", "array_max"), ("high", "<", "- 1", "array_min")):
            has_bound = f"c.endpoint = '{endpoint}' AND c.sign IN ('{strict}', '{strict}=', '=')"
            position = f"{count_day('c.day')} + if(c.sign = '{strict}', 0 {step}, 0)"
            other = -UNBOUNDED if side == "low" else UNBOUNDED
            windows[f"{endpoint[0]}_{side}"] = (
                f"coalesce({bound}(transform(filter(comparisons, c -> {has_bound}), c -> {position})), {other})"
            )
    return windows


def _complete(judged: DataFrame, askings: DataFrame) -> DataFrame:
    """Add references, evidence and query."""
    named = judged.join(
        F.broadcast(askings.select("scope_id", "declaration", "given", "asked", "is_inclusive")), "scope_id"
    )
    given = F.arrays_zip(F.col("given").alias("column"), F.col("key").alias("value"))
    granularity = F.col("granularity")

    def compare(each: Column) -> Column:
        day = quote_day(each.day)
        start, end = (
            compare_endpoint(endpoint, each.sign, day, granularity, F.col("is_inclusive"), F.col("is_narrowed"))
            for endpoint in ("start", "end")
        )
        return F.when(each.endpoint == "start", start).otherwise(end)

    times = F.array_join(F.transform("comparisons", compare), " AND ")
    where = F.concat(name_key(F.col("declaration"), given), F.lit(" AND "), times)
    return named.select(
        *("number", "reason", "record", "answer"),
        F.expr(write_references()).alias("references"),
        F.expr("sort_array(matches.row_id)").alias("evidence"),
        select_rows(select_answer(F.col("asked")), where).alias("sql"),
    )
