from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from everwhen.catalog.load import load_attributes, load_entity_lists
from everwhen.tables.attributes import ATTRIBUTES
from everwhen.tables.members import MEMBERS
from everwhen.tables.statements import STATEMENTS
from everwhen.world.attributes import derive_attribute_candidates
from table_rows import Row, build_statement, build_table, parse_day

pytestmark = pytest.mark.spark

HUMAN, SECOND, METRE, KILOGRAM = 5, 11574, 11573, 11570


def deaths(subject: int, amount: str | None, unit: int | None = 0, **fields: Any) -> Row:
    return build_statement(subject, 1120, amount=amount and Decimal(amount), unit=unit, **fields)


def test_one_value_or_the_reason_why_not(spark: SparkSession) -> None:
    unknown: Row = {"snak": "somevalue"}
    rows = [
        deaths(1, "223"),
        deaths(2, "10", HUMAN),
        deaths(3, "10", SECOND),
        *(deaths(4, "10"), deaths(4, "20")),
        *(deaths(5, "10"), deaths(5, "20", rank="preferred"), deaths(5, "30", rank="deprecated")),
        build_statement(6, 1120, **unknown),
        *(deaths(7, "10"), build_statement(7, 1120, rank="preferred", **unknown)),
        build_statement(8, 1120),
        *(deaths(9, "10"), deaths(9, "10")),
        build_statement(10, 4511, amount=Decimal("10123.456789"), unit=METRE),
        build_statement(11, 17, 30),
        build_statement(20, 2047, amount=Decimal(8520), unit=SECOND),
        *(build_statement(21, 577, "1994-07-06"), build_statement(21, 577, "1994-06-23")),
        *(build_statement(28, 577, "1994-12-23"), build_statement(28, 577, "1995-01-06")),
        *(build_statement(22, 577, "1994"), build_statement(22, 577, "1994-06-23")),
        *(build_statement(23, 57, 31), build_statement(23, 57, 32)),
        *(build_statement(24, 57, 31), build_statement(24, 57, **unknown)),
        build_statement(25, 57, **unknown),
        build_statement(26, 2047, amount=Decimal(8520), unit=KILOGRAM),
        build_statement(27, 17, 30),
        build_statement(30, 569, "1956-07"),
        *(build_statement(31, 569, "1956"), build_statement(31, 569, "1957")),
        build_statement(32, 569, "1956", snak="hedged"),
        *(build_statement(33, 569, "1956"), build_statement(33, 569, snak="unreadable", rank="preferred")),
        *(build_statement(34, 569, "1956"), build_statement(34, 569, snak="unreadable")),
        *(build_statement(35, 569, "1956"), build_statement(35, 569, "1956", calendar="julian")),
        *(build_statement(29, 57, 31), build_statement(29, 57, 32, snak="hedged")),
        *(build_statement(37, 57, 31), build_statement(37, 57, 32, snak="unreadable", rank="preferred")),
        build_statement(36, 577, "1910-07-06", calendar="julian"),
    ]
    in_lists = [("wars", n) for n in range(1, 12)] + [("battles", 1), ("earthquakes", 10)]
    in_lists += [("films", n) for n in (*range(20, 30), 36, 37)] + [("persons", n) for n in range(30, 36)]
    found = derive_attribute_candidates(
        build_table(spark, STATEMENTS, rows),
        build_table(spark, MEMBERS, [{"list": name, "entity": n} for name, n in in_lists]),
        load_entity_lists(),
        load_attributes(),
    )
    assert ATTRIBUTES.select(found).columns == [c.name for c in ATTRIBUTES.columns]
    actual = []
    for row in found.collect():
        value = row.reason or row.value_item or row.amount or (row.first_day, row.last_day, row.precision)
        actual.append((row.entity, row.attribute, value))
    expected = [
        (1, "deaths", Decimal(223)),
        (2, "deaths", Decimal(10)),
        (3, "deaths", "another unit than the attribute's"),
        (4, "deaths", "several values"),
        (5, "deaths", Decimal(20)),
        (6, "deaths", "value unknown"),
        (7, "deaths", "value unknown"),
        (8, "deaths", "no usable value"),
        (9, "deaths", Decimal(10)),
        (10, "depth", Decimal("10.123456789")),
        (11, "country", 30),
        (20, "running_time", Decimal(142)),
        (21, "release", (parse_day("1994-01-01"), parse_day("1994-12-31"), 9)),
        (22, "release", "several dates, none clearly the first"),
        (28, "release", "publication dates of several years"),
        (23, "director", "several values"),
        (23, "directed_by", 31),
        (23, "directed_by", 32),
        (24, "director", "value unknown"),
        (24, "directed_by", 31),
        (25, "director", "value unknown"),
        (25, "directed_by", "no usable value"),
        (26, "running_time", "another unit than the attribute's"),
        (30, "birth", (parse_day("1956-07-01"), parse_day("1956-07-31"), 10)),
        (31, "birth", "several values"),
        (32, "birth", "value unknown"),
        (33, "birth", "value unknown"),
        (34, "birth", "value unknown"),
        (35, "birth", "several values"),
        (29, "director", "value unknown"),
        (29, "directed_by", 31),
        (37, "director", "value unknown"),
        (37, "directed_by", "no usable value"),
        (36, "release", "publication dates of several years"),
    ]
    assert len(actual) == len(expected)
    assert set(actual) == set(expected)
