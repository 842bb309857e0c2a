from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from everwhen.catalog.load import load_attributes, load_entity_lists, load_property_paths
from everwhen.catalog.models import PropertyPath
from everwhen.tables.facts import STATEMENTS
from everwhen.tables.world import ATTRIBUTES, MEMBERS, PROPERTY_PATHS
from everwhen.world.attributes import derive_attribute_candidates, follow_paths
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


KILOMETRE = 828224

Values = dict[tuple[int, str], tuple[Any, ...]]


def elevation(peak: int, amount: str, unit: int | None = METRE, **fields: Any) -> Row:
    return build_statement(peak, 2044, amount=Decimal(amount), unit=unit, **fields)


def follow(
    spark: SparkSession, rows: list[Row], heads: list[tuple[int, str, str]], chains: list[PropertyPath] | None = None
) -> Values:
    """The values by head and chain: hops, bridges, property, and what was found."""
    found = PROPERTY_PATHS.select(
        follow_paths(
            build_table(spark, STATEMENTS, rows),
            spark.createDataFrame(heads, "entity bigint, list string, kind string"),
            load_property_paths() if chains is None else chains,
        )
    ).collect()
    by_key = {
        (r.entity, r.hop): (
            r.hops,
            r.bridges,
            r.property,
            *(v for v in (r.value_item, r.amount, r.first_day, r.last_day, r.precision) if v is not None),
        )
        for r in found
    }
    assert len(by_key) == len(found)
    return by_key


def test_paths_pass_single_values_alone(spark: SparkSession) -> None:
    rows = [
        # 1 → country 20 → peak 70; the normal country beside the preferred one does not count.
        *(build_statement(1, 17, 20, rank="preferred"), build_statement(1, 17, 21)),
        # Two countries; one, stated twice; one beside an unknown one; an unknown one; one that is deprecated.
        *(build_statement(2, 17, 20), build_statement(2, 17, 21)),
        *(build_statement(3, 17, 20), build_statement(3, 17, 20)),
        *(build_statement(4, 17, 20), build_statement(4, 17, snak="somevalue")),
        build_statement(5, 17, snak="somevalue"),
        *(build_statement(6, 17, 20), build_statement(6, 17, 22, rank="deprecated")),
        # Through countries where the chain breaks.
        *(build_statement(n, 17, 10 + n) for n in range(12, 19)),
        build_statement(20, 610, 70),
        *(build_statement(22, 610, 70), build_statement(22, 610, 71)),
        *(build_statement(n, 610, 50 + n) for n in range(23, 29)),
        elevation(70, "1947.123456"),
        elevation(71, "5"),
        elevation(73, "5", SECOND),
        *(elevation(74, "5"), elevation(74, "6")),
        *(elevation(75, "5"), elevation(75, "5.0")),
        *(elevation(76, "5"), build_statement(76, 2044, unit=None)),
        build_statement(77, 2044, unit=None),
    ]
    chains = [
        PropertyPath(id="metres", kind="event", hops=[17, 610], reads=2044, value="quantity", unit=METRE),
        # The facts hold a length in metres, whatever it is asked in.
        PropertyPath(id="kilometres", kind="event", hops=[17, 610], reads=2044, value="quantity", unit=KILOMETRE),
        PropertyPath(id="peak", kind="event", hops=[17, 610], value="item"),
    ]
    heads = [(n, "wars", "event") for n in (*range(1, 7), *range(12, 20))]
    found = follow(spark, rows, heads, chains)
    path = [17, 610]
    through_20 = {
        (n, hop): (path, *rest)
        for n in (1, 3, 6)
        for hop, rest in {
            "metres": ([20, 70], 2044, Decimal("1947.123456")),
            "kilometres": ([20, 70], 2044, Decimal("1.947123456")),
            "peak": ([20], 610, 70),
        }.items()
    }
    elsewhere = {(n, "peak"): (path, [10 + n], 610, 60 + n) for n in range(13, 19)}
    five: Values = {
        (15, "metres"): (path, [25, 75], 2044, Decimal(5)),
        (15, "kilometres"): (path, [25, 75], 2044, Decimal("0.005")),
    }
    assert found == through_20 | elsewhere | five


def test_shipped_paths_lead_to_items_times_and_quantities(spark: SparkSession) -> None:
    rows = [
        # An election that 80 won, a World Cup in country 20 with capital 40.
        *(build_statement(1, 991, 80), build_statement(5, 17, 20)),
        # A club whose ground holds 8,000.
        *(
            build_statement(7, 115, 31),
            build_statement(31, 1083, amount=Decimal(8000)),
            build_statement(30, 17, 20),
            build_statement(20, 36, 40),
        ),
        # A film and a book by 80, a citizen of 20 who was born and died in 30 and married 81; a company of 80.
        *(
            build_statement(2, 57, 80),
            build_statement(3, 50, 80),
            build_statement(4, 112, 80),
            build_statement(4, 159, 30),
        ),
        *(
            build_statement(80, 569, "1852-05-14"),
            build_statement(80, 570, "1912"),
            build_statement(80, 19, 30),
            build_statement(80, 20, 30),
        ),
        *(build_statement(80, 27, 20), build_statement(80, 26, 81), build_statement(81, 569, "1860")),
    ]
    heads = [(1, "elections", "event"), (2, "films", "item"), (3, "books", "item"), (4, "companies", "item")]
    heads += [
        (5, "world_cups", "event"),
        (7, "football_clubs", "item"),
        (80, "persons", "item"),
    ]
    # The same event as a member of another list; a list that no chain is for.
    heads += [(1, "occurrences", "event"), (1, "universities", "item")]
    born, died = (
        (parse_day("1852-05-14"), parse_day("1852-05-14"), 11),
        (parse_day("1912-01-01"), parse_day("1912-12-31"), 9),
    )
    married = (parse_day("1860-01-01"), parse_day("1860-12-31"), 9)
    people = Decimal(8000)
    expected: Values = {
        (1, "election_winner_birth"): ([991, 569], [80], 569, *born),
        (1, "election_winner_birthplace"): ([991, 19], [80], 19, 30),
        (1, "election_winner_death"): ([991, 570], [80], 570, *died),
        (2, "film_director_deathplace"): ([57, 20], [80], 20, 30),
        (5, "host_capital"): ([17, 36], [20], 36, 40),
        (2, "film_director_birth"): ([57, 569], [80], 569, *born),
        (2, "film_director_death"): ([57, 570], [80], 570, *died),
        (2, "film_director_birthplace"): ([57, 19], [80], 19, 30),
        (3, "book_author_birth"): ([50, 569], [80], 569, *born),
        (3, "book_author_death"): ([50, 570], [80], 570, *died),
        (3, "book_author_birthplace"): ([50, 19], [80], 19, 30),
        (3, "book_author_birth_country"): ([50, 19, 17], [80, 30], 17, 20),
        (3, "book_author_deathplace"): ([50, 20], [80], 20, 30),
        (4, "company_founder_birth"): ([112, 569], [80], 569, *born),
        (4, "company_founder_death"): ([112, 570], [80], 570, *died),
        (4, "company_founder_birthplace"): ([112, 19], [80], 19, 30),
        (4, "company_headquarters_country"): ([159, 17], [30], 17, 20),
        (7, "club_ground_capacity"): ([115, 1083], [31], 1083, people),
        (80, "person_birth_country"): ([19, 17], [30], 17, 20),
        (80, "person_death_country"): ([20, 17], [30], 17, 20),
        (80, "person_spouse_birth"): ([26, 569], [81], 569, *married),
    }
    assert follow(spark, rows, heads) == expected
