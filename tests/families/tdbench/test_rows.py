"""Rows of declared tables in Spark, and the rows of our world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.table import Table
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.rows import read_tables
from everwhen.families.tdbench.source.load import load_declaration
from everwhen.families.tdbench.source.world import date_declarations, list_complete
from everwhen.families.tdbench.source.world_aliases import collect_aliases
from everwhen.tables.facts import ENTITIES
from everwhen.tables.world import NAMES, POSITION_TERMS, SUBJECTS, TEMPORAL_FACTS

Declare = Callable[..., Declaration]
JANE, JOHN, OFFICE, LAND, PRIZE, GAMES, NAMELESS = range(1, 8)
NAMES_OF = {
    JANE: "Jane",
    JOHN: "John",
    OFFICE: "President of the Land",
    LAND: "the Land",
    PRIZE: "the Prize",
    GAMES: "Games",
}
ALIASES_OF = {
    JANE: ["Jane I", "J", "JANE", "\t"],
    JOHN: ["John I", "j", "Jane"],
    LAND: ["Country of Jane", "Jane I"],
    PRIZE: ["The Medal"],
}
DAYS = {"start": date(2001, 3, 4), "end": date(2005, 6, 7)}
DEFAULTS: Mapping[str, Any] = {
    "string": "",
    "bigint": 0,
    "int": 0,
    "tinyint": 11,
    "boolean": False,
    "array<bigint>": [],
    "array<string>": [],
}


def config(snapshot: str) -> Config:
    return Config(version="t", snapshot=snapshot, window={"start": "2000-01-01", "end": "2023-12-31"})


def fact(statement: str, kind: str, **changed: Any) -> dict[str, Any]:
    """A statement that Jane was president, from 2001-03-04 to 2005-06-07 as far as its kind goes."""
    dated = {"closed": ("start", "end"), "begun": ("start",), "ended": ("end",), "point": ("start", "end")}[kind]
    times = {f"{bound}_{which}": DAYS[which] for which in dated for bound in ("earliest", "latest")}
    precisions = {f"{which}_precision": 11 for which in dated}
    ids = {"statement_id": statement, "subject_id": JANE, "value_id": OFFICE, "property": 39, "kind": kind}
    return {**ids, **times, **precisions, **changed}


FACTS = [
    fact("a", "closed"),
    fact("b", "begun", subject_id=JOHN),
    fact("c", "begun", end_snak="somevalue"),
    fact("d", "begun", subject_id=JOHN, end_snak="novalue", earliest_start=date(2010, 1, 1), start_precision=9),
    fact("e", "ended"),
    fact("f", "closed", value_id=NAMELESS),
    fact("g", "point"),
    fact("h", "point", property=166, value_id=PRIZE),
    fact("i", "closed", property=166, value_id=PRIZE),
    fact("j", "closed", start_precision=8),
    fact("k", "closed", reason="several starts"),
]
SPORTS = [
    {"item_id": GAMES, "countries": [LAND]},
    {"item_id": 9, "countries": [LAND, 8]},
]


def write(build: Build, table: Table, rows: list[dict[str, Any]]) -> None:
    """Write rows to a table of a build; columns that are required and not given have a value of their type."""
    filled = [
        tuple(row.get(column.name, None if column.nullable else DEFAULTS.get(column.type)) for column in table.columns)
        for row in rows
    ]
    table.write(build.spark.createDataFrame(filled, table.ddl), build.root, build.inputs)


@pytest.fixture(scope="module")
def build(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A build whose world has a few statements and two events."""
    made = Build(spark, config("2024-05-06"), str(tmp_path_factory.mktemp("world")))
    times = {f"{bound}_{which}": DAYS[which] for which in DAYS for bound in ("earliest", "latest")}
    write(made, TEMPORAL_FACTS, FACTS)
    write(made, NAMES, [{"entity": entity, "name": name} for entity, name in NAMES_OF.items()])
    write(made, ENTITIES, [{"item": item, "aliases": aliases} for item, aliases in ALIASES_OF.items()])
    write(made, POSITION_TERMS, [{"statement_id": "a", "jurisdiction_id": LAND, **{k: v for k, v in times.items()}}])
    write(made, SUBJECTS, [{"list": "olympic_games", "name": "Games", **times, **sport} for sport in SPORTS])
    return made


def declare_world(folder: Path, source: str, time: str = "{start: Start, end: End}", name: str = "w") -> Declaration:
    (folder / f"{name}.yaml").write_text(
        f"table: {name}\nfrom: {{{source}}}\ntime: {time}\ntfds: [{{given: [Value], determines: [Subject]}}]\n"
    )
    return load_declaration(folder / f"{name}.yaml")


@pytest.mark.spark
def test_a_world_without_rows_is_read(build: Build, tmp_path: Path) -> None:
    source = read_tables(build.spark, [declare_world(tmp_path, "world: 54", name="teams")], build)
    assert (source.rows.count(), source.rejects.count(), source.input_counts) == (0, 0, {"teams": 0})
    assert collect_aliases(source.rows, source.declarations, build).count() == 0


@pytest.mark.spark
def test_statements_and_events_of_our_world_are_rows(build: Build, tmp_path: Path) -> None:
    offices = declare_world(tmp_path, "world: 39, jurisdiction: Country, role: Role", name="offices")
    prizes = declare_world(tmp_path, "world: 166", "{start: Start}", "prizes")
    games = declare_world(tmp_path, "events: olympic_games", name="games")
    source = read_tables(build.spark, [offices, prizes, games], build)
    rows = {
        (row.declaration, row.fields["Subject"], row.stated_start, row.stated_end): row.fields
        for row in source.rows.collect()
    }
    full = {"Subject": "Jane", "Value": "President of the Land", "Country": "the Land", "Role": "President"}
    assert rows == {
        ("offices", "Jane", "2001-03-04", "2005-06-07"): full,
        ("offices", "John", "2001-03-04", None): {"Subject": "John", "Value": "President of the Land"},
        ("offices", "John", "2010", None): {"Subject": "John", "Value": "President of the Land"},
        ("prizes", "Jane", "2001-03-04", "2001-03-04"): {"Subject": "Jane", "Value": "the Prize"},
        ("games", "Games", "2001-03-04", "2005-06-07"): {"Subject": "Games", "Value": "the Land"},
    }
    rejects = {(row.declaration, row.line): row.reason for row in source.rejects.collect()}
    other = "a time of another kind than the declaration's"
    assert rejects == {
        ("offices", 3): "unknown end",
        ("offices", 5): "no start",
        ("offices", 6): "no name of its own",
        ("offices", 7): other,
        ("offices", 8): "time of no use: time coarser than a year",
        ("offices", 9): "time of no use: several starts",
        ("prizes", 2): other,
        ("games", 2): "no single country",
    }
    assert source.input_counts == {"offices": 9, "prizes": 2, "games": 2}
    assert {each.time.as_of for each in source.declarations} == {date(2024, 5, 6)}
    aliases = collect_aliases(source.rows, source.declarations, build)
    assert {tuple(row) for row in aliases.collect()} == {
        ("Jane", "offices/Subject", "Jane I"),
        ("John", "offices/Subject", "John I"),
        ("the Land", "offices/Country", "Country of Jane"),
        ("the Land", "offices/Country", "Jane I"),
        ("Jane", "prizes/Subject", "Jane I"),
        ("Jane", "prizes/Subject", "J"),
        ("the Prize", "prizes/Value", "The Medal"),
        ("the Land", "games/Value", "Country of Jane"),
        ("the Land", "games/Value", "Jane I"),
    }


@pytest.mark.spark
def test_terms_that_hand_over_to_each_other_are_one_row(
    spark: SparkSession, build: Build, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    made = Build(spark, config("2024-05-06"), str(tmp_path_factory.mktemp("terms")))
    years = [date(year, 3, 4) for year in (2001, 2005, 2009, 2013, 2017)]

    def last(statement: str, start: int, end: int | None, **changed: Any) -> dict[str, Any]:
        times = {"start": years[start], "end": None if end is None else years[end]}
        bounds = {f"{bound}_{which}": day for which, day in times.items() for bound in ("earliest", "latest")}
        return fact(statement, "begun" if end is None else "closed", **bounds, **changed)

    terms = [
        last("c", 1, 2),
        last("b", 0, 1),
        last("a", 2, 3),
        last("d", 4, None),  # after a break
        last("e", 3, 4, subject_id=JOHN),
        last("f", 4, None, subject_id=JOHN),
        last("g", 2, 3, subject_id=JOHN, start_precision=9, end_precision=9),  # nobody knows whether it is a break
    ]
    write(made, TEMPORAL_FACTS, terms)
    write(made, POSITION_TERMS, [])
    for table in (NAMES, ENTITIES):
        write(made, table, [row.asDict() for row in build.read(table).collect()])
    source = read_tables(spark, [declare_world(tmp_path, "world: 39")], made)
    rows = {(row.fields["Subject"], row.stated_start, row.stated_end) for row in source.rows.collect()}
    assert rows == {
        ("Jane", "2001-03-04", "2013-03-04"),
        ("Jane", "2017-03-04", None),
        ("John", "2009", "2013"),
        ("John", "2013-03-04", None),
    }
    assert {(row.line, row.reason) for row in source.rejects.collect()} == {
        (1, "continues another row"),
        (3, "continues another row"),
        (6, "continues another row"),
    }
    assert source.input_counts == {"w": 7}


@pytest.mark.parametrize(
    ("time", "complete"),
    [
        ("{start: Start, end: End, since: 2000-01-01, as_of: 2023-12-31}", True),
        ("{start: Start, end: End, since: 1200-01-01, as_of: 2023-12-31}", False),
        ("{start: Start, end: End, since: 2000-01-01, as_of: 2123-12-31}", False),
    ],
)
def test_only_what_is_complete_as_long_as_is_asked_is_read(tmp_path: Path, time: str, *, complete: bool) -> None:
    declaration = declare_world(tmp_path, "world: 39, complete: true", time)
    if complete:
        assert 11696 in list_complete(declaration)
    else:
        with pytest.raises(InputError, match=r"w.yaml:2: from.complete: templates/complete.yaml has nothing that is"):
            list_complete(declaration)


def test_awards_of_other_years_than_they_were_given_in_are_not_asked(tmp_path: Path) -> None:
    """The Nobel Prize in Literature of 2018 was given in 2019."""
    award, literature = "world: 166, complete: true", 37922
    until = {year: f"{{start: Start, since: 1990-01-01, as_of: {year}-12-31}}" for year in (2017, 2022)}
    found = {year: literature in list_complete(declare_world(tmp_path, award, time)) for year, time in until.items()}
    assert found == {2017: True, 2022: False}


@pytest.mark.spark
def test_row_ids_hang_on_what_a_row_says_alone(spark: SparkSession, declare: Declare) -> None:
    rest = "tfds: [{given: [Key], determines: [Value]}]"
    one = declare("Key,Value,Start\nk,a,2001\nk,b,2002\n", "start: Start", rest)
    first = {row.row_id: row.fields["Value"] for row in read_tables(spark, [one]).rows.collect()}
    other = declare("Start,Value,Key\n2002,b,k\n2001,a,k\n2003,c,k\n", "start: Start", rest)
    second = {row.row_id: row.fields["Value"] for row in read_tables(spark, [other]).rows.collect()}
    assert len(first) == 2
    assert first.items() <= second.items()


def test_our_world_is_read_in_a_build_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"w.yaml:2: from.world: our world is read in a build alone"):
        date_declarations([declare_world(tmp_path, "world: 39")], None)
