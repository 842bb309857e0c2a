"""Answers to requests, by the windows and the judgement of `everwhen.families.tdbench.bind`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.config_errors import suggest_name
from everwhen.families.tdbench.bind.askings import tabulate_askings
from everwhen.families.tdbench.bind.items import group_keys
from everwhen.families.tdbench.bind.query import compare_endpoint, name_key, quote_day, select_rows
from everwhen.families.tdbench.bind.steps import run_step
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
    judged = _judge_requests(source, declaration, requests, scopes)
    found = {row["number"]: row.asDict(recursive=True) for row in judged.collect()}
    unknown = {number for number, row in found.items() if row["reason"] == BindReason.NO_KEY}
    hints = _suggest_values(source.rows, [request for number, request in enumerate(requests) if number in unknown])
    for number, request in enumerate(requests):
        row = found[number]
        if number in unknown:
            row["reason"] += "".join(hints.get(pair, "") for pair in request.given.items())
        elif row["reason"] == BindReason.INCOMPLETE:
            row["reason"] += f"; {row['record']}"
        yield _write_answer(request, row)


def _write_answer(request: Request, row: Mapping[str, Any]) -> dict[str, Any]:
    of_id = {} if request.id is None else {"id": request.id}
    if row["reason"] is not None:
        return of_id | {"not_asked": row["reason"]}
    return of_id | {name: row[name] for name in ("answer", "references", "evidence", "sql")}


def _suggest_values(rows: DataFrame, requests: Sequence[Request]) -> dict[tuple[str, str], str]:
    """Name, for given values that no row has, that of the table which may have been meant, as the end of a sentence."""
    pairs = {pair for request in requests for pair in request.given.items()}
    if not pairs:
        return {}
    known: dict[str, list[str]] = {column: [] for column, _ in pairs}
    fields = rows.select(F.explode("fields").alias("column", "value")).where(F.col("column").isin(list(known)))
    for column, value in fields.distinct().orderBy("column", "value").toLocalIterator():
        known[column].append(value)
    return {
        (column, value): f"; none has {value} as {column}{_suggest_value(value, known[column])}"
        for column, value in pairs
        if value not in known[column]
    }


def _suggest_value(value: str, known: Sequence[str]) -> str:
    same = next((each for each in known if each.casefold() == value.casefold()), None)
    return suggest_name(value, known[:MAX_COMPARED]) if same is None else f"; did you mean {same}?"


def _judge_requests(
    source: SourceTable, declaration: Declaration, requests: Sequence[Request], scopes: Mapping[Columns, Scope]
) -> DataFrame:
    """Judge requests, as candidates of a build are judged.

    Returns:
        Columns number, reason, record (the rejected one, of a key that may lack it), answer, references, evidence and
        sql; a row for each request.
    """
    spark = source.rows.sparkSession
    askings = tabulate_askings(spark, list(scopes.values()), [declaration])
    in_all_units = askings.withColumn("granularities", F.array(*(F.lit(unit.value) for unit in Unit)))
    scoped = run_step("scoped_rows", {"rows": source.rows, "askings": F.broadcast(in_all_units)})
    no_keys = spark.createDataFrame([], "scope_id string, key array<string>")
    unasked = source.unasked.groupBy("scope_id", "key").agg(
        *(F.bool_or(F.col("reason") == reason).alias(f"is_{reason}") for reason in ("broken", "ambiguous")),
        F.min("record").alias("record"),
    )
    described = [
        (number, scopes[tuple(request.given), request.asked].scope_id, *_describe(request, declaration))
        for number, request in enumerate(requests)
    ]
    candidates = run_step(
        "requested",
        {
            "requests": spark.createDataFrame(described, REQUESTS),
            "scoped": scoped,
            "keys": group_keys(scoped, no_keys),
            "unasked": unasked,
        },
        is_points=declaration.time.end is None,
        is_inclusive=declaration.time.is_inclusive,
    )
    return _complete(run_step("judged", {"candidates": candidates}), askings)


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


def _describe(request: Request, declaration: Declaration) -> tuple[Any, ...]:
    """Describe a request by the columns of `REQUESTS` behind the scope."""
    relation, comparisons = request.asked_relation, list(request.list_comparisons())
    follows = declaration.time.is_inclusive and relation is None
    days = [
        (endpoint, sign, stated.day, stated.following if follows and endpoint == "end" else stated.day)
        for endpoint, sign, stated in comparisons
    ]
    asked = ("conditions", list(dict.fromkeys(endpoint for endpoint, _, _ in comparisons)), True)
    if relation is not None:
        asked = (relation.relation, list(relation.references), relation.is_for_points)
    return (list(request.given.values()), request.unit, *asked, days, [stated.text for _, _, stated in comparisons])


def _complete(judged: DataFrame, askings: DataFrame) -> DataFrame:
    """Add references, evidence and query."""
    named = judged.join(
        F.broadcast(askings.select("scope_id", "declaration", "given", "asked", "is_inclusive")), "scope_id"
    )
    given = F.arrays_zip(F.col("given").alias("column"), F.col("key").alias("value"))

    def compare(each: Column) -> Column:
        start, end = (compare_endpoint(endpoint, each.sign, quote_day(each.day)) for endpoint in ("start", "end"))
        return F.when(each.endpoint == "start", start).otherwise(end)

    times = F.array_join(F.transform("comparisons", compare), " AND ")
    conditions = F.concat(name_key(given), F.lit(" AND "), times)
    return run_step("answered", {"judged": named.withColumn("sql", select_rows(conditions))})
