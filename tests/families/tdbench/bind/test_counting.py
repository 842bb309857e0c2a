"""What began after the day from which a table is complete, counted: by hand, on small tables with coarse dates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Config
from everwhen.families.tdbench.bind.items import bind_items
from everwhen.families.tdbench.bind.steps import BindSettings
from everwhen.families.tdbench.rows import read_tables
from everwhen.families.tdbench.scopes import derive_scopes
from everwhen.families.tdbench.source.load import load_declarations

pytestmark = pytest.mark.spark

KEEPERS = """Post,Keeper,Start,End
Harbour,Ann Roe,1990-01-01,1995-01-01
Harbour,Bea Sol,1995-01-01,2001-06-01
Harbour,Ann Roe,2001-06-01,2004-01-01
Harbour,Bea Sol,2004-01-01,2006-01-01
Harbour,Bea Sol,2006-01-01,2008-01-01
Harbour,Cy Tam,2008-01-01,2010-01-01
Harbour,Ann Roe,2010-01-01,
Mill,Dee Ude,1998-01-01,2002-01-01
Mill,Dee Ude,2002-01-01,2005-01-01
Mill,Eli Vos,2005-01-01,2007-01-01
Mill,Flo Wex,2000-01-01,2000-06-01
Ferry,Gil Yao,2001-03,2003-05
Ferry,Gil Yao,2003-05,2004-01
Ferry,Hal Zed,1999-12,2000-02
Lock,Ida Abe,2000,2003
Weir,Jo Bly,2000-01,2003-01
Quay,Jo Bly,2000-01-20,2003-01-01
Lift,Kim Cox,2005,2010
Lift,Kim Cox,2005-03-01,2005-04-01
Crane,Lou Dun,1990,1994
Crane,Lou Dun,1994,1996
Crane,Lou Dun,2003-01-01,2004-01-01
Dam,Max Eck,1998-01-01,2001-02-01
Dam,Max Eck,2001-05-01,2002-01-01
Dam,P1,2002-01-01,2003-01-01
Dam,P2,2003-01-01,2004-01-01
Dam,P3,2004-01-01,2005-01-01
Dam,P4,2005-01-01,2006-01-01
Dam,P5,2006-01-01,2007-01-01
Dam,P6,2007-01-01,2008-01-01
Dam,P7,2008-01-01,2009-01-01
"""
MEDALS = """Medal,Winner,Date
Star,Lee Day,1999-05-01
Star,Lee Day,2000-01-01
Star,Lee Day,2003-05-01
Star,Max Eng,2003-05-01
Star,Max Eng,2004
"""
TABLES = {
    "keepers": (KEEPERS, "start: Start, end: End", "counts: [{given: [Post], asked: Keeper, of: stints}]"),
    "medals": (MEDALS, "start: Date", "counts: [{given: [Medal], asked: Winner, of: rows}]"),
}
COUNTED = {
    "Harbour": {(1, False): ["Bea Sol", "Cy Tam"], (2, False): ["Ann Roe"], (2, True): ["Ann Roe"], (3, False): []},
    # Dee Ude continues a stint that began earlier; Flo Wex began on the very day.
    "Mill": {(1, False): ["Eli Vos"], (2, False): []},
    "Ferry": {(1, False): ["Gil Yao"], (2, False): []},
    "Quay": {(1, False): ["Jo Bly"], (2, False): []},
    "Lift": {(1, False): ["Kim Cox"], (2, False): []},
    # Whether rows touch that began earlier does not matter.
    "Crane": {(1, False): ["Lou Dun"], (2, False): []},
    # Eight began after the day. By years Max Eck did not leave, so that seven would be left.
    "Dam": {(2, False): []},
    "Star": {(1, False): ["Lee Day"], (2, False): ["Max Eng"], (2, True): ["Max Eng"], (3, False): []},
}
UNITS = {"Ferry": "month", "Lift": "year"}
"""The finest unit in which the stints of a key are certain, where that is not the day."""


def bind(spark: SparkSession, folder: Path, since: str) -> list[dict[str, Any]]:
    for name, (csv, columns, counts) in TABLES.items():
        (folder / f"{name}.csv").write_text(csv)
        time = f"time: {{{columns}, as_of: 2025-01-02, since: {since}}}"
        (folder / f"{name}.yaml").write_text(f"table: {name}\nfrom: {{file: {name}.csv}}\n{time}\n{counts}\n")
    declarations = load_declarations([folder / f"{name}.yaml" for name in TABLES])
    scopes, source = derive_scopes(declarations), read_tables(spark, declarations)
    source.rows.write.parquet(str(folder / "rows"))
    settings = BindSettings(Config(version="1", snapshot="tests"), size=400)
    rows = spark.read.parquet(str(folder / "rows"))
    bound = bind_items(rows, scopes, declarations, source.unasked, settings)
    return [row.asDict(recursive=True) for row in bound.items.collect()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("counted")


@pytest.fixture(scope="module")
def items(spark: SparkSession, folder: Path) -> list[dict[str, Any]]:
    return bind(spark, folder, "2000-01-01")


def list_answers(items: list[dict[str, Any]]) -> dict[str, dict[tuple[int, bool], list[str]]]:
    found: dict[str, dict[tuple[int, bool], list[str]]] = {}
    for item in items:
        found.setdefault(item["given"][0]["value"], {})[item["counted"], item["is_at_least"]] = item["answer"]
    return found


def test_what_began_after_the_day_is_counted(items: list[dict[str, Any]]) -> None:
    assert list_answers(items) == COUNTED


def test_a_key_is_asked_in_the_finest_unit_that_decides_it(items: list[dict[str, Any]]) -> None:
    found = {item["given"][0]["value"]: item["granularity"] for item in items}
    assert found == {key: UNITS.get(key, "day") for key in COUNTED}


def test_evidence_is_the_rows_of_counted_stints(items: list[dict[str, Any]], folder: Path) -> None:
    with duckdb.connect() as db:
        select = "SELECT row_id, fields['Post'], fields['Keeper'], stated_start FROM read_parquet(?)"
        rows = db.execute(select, [f"{folder}/rows/*.parquet"]).fetchall()
    by_key = {(post, keeper, start): row_id for row_id, post, keeper, start in rows}
    harbour = {(i["counted"], i["is_at_least"]): i for i in items if i["given"][0]["value"] == "Harbour"}
    once = [("Bea Sol", "2004-01-01"), ("Bea Sol", "2006-01-01"), ("Cy Tam", "2008-01-01")]
    twice = [("Ann Roe", "2001-06-01"), ("Ann Roe", "2010-01-01")]
    assert harbour[1, False]["evidence"] == sorted(by_key["Harbour", *each] for each in once)
    assert harbour[2, True]["evidence"] == sorted(by_key["Harbour", *each] for each in twice)


def test_queries_yield_the_answers(spark: SparkSession, items: list[dict[str, Any]], folder: Path) -> None:
    with duckdb.connect() as db:
        db.execute(f"CREATE VIEW rows AS FROM '{folder}/rows/*.parquet'")
        assert [[v for (v,) in db.execute(item["sql"]).fetchall()] for item in items] == [i["answer"] for i in items]
    spark.read.parquet(str(folder / "rows")).createOrReplaceTempView("rows")
    one_of_each = {item["declaration"]: item for item in items if item["counted"] == 2 and item["is_at_least"]}
    assert len(one_of_each) == 2
    for item in one_of_each.values():
        assert [row.answer for row in spark.sql(item["sql"]).collect()] == item["answer"]


@pytest.mark.full
def test_the_day_is_a_part_of_the_id(spark: SparkSession, items: list[dict[str, Any]], tmp_path: Path) -> None:
    later = bind(spark, tmp_path, "2001-01-01")
    assert list_answers(later)["Harbour"] == COUNTED["Harbour"]
    assert {item["item_id"] for item in later} & {item["item_id"] for item in items} == set()
