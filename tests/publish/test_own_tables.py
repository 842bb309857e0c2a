"""A family whose items are derived from its own tables: its datasets have no facts, and need no world."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import mlcroissant
import pyarrow.parquet as pq
import pytest
import yaml
from pyspark.sql import SparkSession
from rich.console import Console

import everwhen
from everwhen.core.build import Build
from everwhen.core.config import Config, Section
from everwhen.core.errors import ValidationFailed
from everwhen.core.table import Column, Table
from everwhen.families.base import Family
from everwhen.families.family_build import FamilyBuild, Items
from everwhen.publish.dataset import run_dataset
from everwhen.tables.record_counts import record_counts
from everwhen.validate.explain import explain
from everwhen.validate.shared_checks import add_shared_checks
from everwhen.validate.verify import verify

pytestmark = pytest.mark.spark

NAME = "terms"
ITEMS = Table(
    name="items",
    stage=NAME,
    meaning="A question on a table.",
    columns=(
        Column("item_id", "bigint", "number of the question"),
        Column("task", "string", "what is asked"),
        Column("question", "string", "the question"),
        Column("answer", "array<string>", "the values that answer"),
        Column("given", "array<struct<column:string,value:string>>", "what the question names"),
        Column("sql", "string", "the query that answers"),
        Column("split", "string", "train or test"),
    ),
)
ROWS = Table(
    name="rows",
    stage=NAME,
    meaning="A row of a table.",
    columns=(
        Column("source", "string", "name of the table"),
        Column("fields", "map<string,string>", "its columns"),
    ),
)
COUNTS = record_counts(NAME)
PLAN = {
    "family": NAME,
    "reads_facts": False,
    "items": {"table": "items", "id": "item_id", "group": "task", "text": "question"},
    "names": ["answer", "sql"],
    "derivations": {"holder": {"file": "holder.sql", "rule": "The row of this country."}},
    "checks": [{"name": "sql", "file": "sql.sql", "queried_tables": ["rows"]}],
    "show": "show.sql",
}
CHECKS = {
    "checks.json": json.dumps(PLAN),
    "holder.sql": """SELECT q.item_id, [r.fields['Name']] AS answer, []::VARCHAR[] AS facts
        FROM q JOIN rows r ON r.fields['Country'] = q.given[1].value""",
    "sql.sql": """SELECT item_id, task AS "group", 'sql' AS name, sql, answer AS expected FROM items""",
    "show.sql": "SELECT g.column AS name, g.value FROM (SELECT unnest(given) AS g FROM item)",
}
SUITE = {
    "columns": {"has_text": "len(question) > 0"},
    "expectations": [
        {
            "type": "expect_column_values_to_be_in_set",
            "kwargs": {"column": "has_text", "value_set": [True]},
            "meta": {"why": "a question has a text"},
        }
    ],
}


def build_row(number: int, country: str, name: str, split: str, **changes: Any) -> dict[str, Any]:
    sql = f"SELECT r.fields['Name'] AS answer FROM rows r WHERE r.fields['Country'] = '{country}'"
    return {
        "item_id": number,
        "task": "holder",
        "question": f"Who leads {country}?",
        "answer": [name],
        "given": [(("Country", country))],
        "sql": sql,
        "split": split,
        **changes,
    }


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> FamilyBuild:
    folder = tmp_path_factory.mktemp("family")
    suites = folder / "suites"
    suites.mkdir()
    (suites / "items.json").write_text(json.dumps({"name": "items", "id": "item_id", **SUITE}))
    has_name = {"columns": {"has_text": "fields['Name'] IS NOT NULL"}}
    (suites / "rows.json").write_text(json.dumps({"name": "rows", "id": "source", **SUITE, **has_name}))
    card = folder / "section.md.j2"
    card.write_text("## {{ family.title }}\n\n{{ columns.rows }}\n")
    build = FamilyBuild(
        family=Family(NAME, "Terms", Section, lambda: build),
        run=lambda build: None,
        tables=(ITEMS, ROWS, COUNTS),
        published=(ITEMS, ROWS),
        items=Items(ITEMS, "item_id", show=("task", "question", "answer"), counts=("task", "split"), split="split"),
        evidence=None,
        checks=lambda: CHECKS,
        suites=suites,
        card=card,
        divided={"rows": "source"},
        licences=lambda dataset: {"mine": None, "yours": "CC-BY-4.0"},
    )
    return build


def stage(spark: SparkSession, root: Path, *items: dict[str, Any]) -> Build:
    """A build of two rows and some items, without a world."""
    rows = [("mine", {"Country": "Chad", "Name": "Ann"}), ("yours", {"Name": "Bo", "Country": "Peru"})]
    counts = [("row", "input", "", 2, []), ("row", "kept", "", 2, [])]
    values = [tuple(item[column.name] for column in ITEMS.columns) for item in items]
    for table, rows_of in ((ITEMS, values), (ROWS, rows), (COUNTS, counts)):
        table.write(spark.createDataFrame(rows_of, table.schema), str(root))
    console = Console(file=io.StringIO(), width=200)
    config = Config(version="v1", snapshot="2025-01-01")
    return Build(spark, config, str(root), {"mine.csv": "sha256:1"}, console, has_world=False)


SOUND = (build_row(1, "Chad", "Ann", "train"), build_row(2, "Peru", "Bo", "test"))


@pytest.fixture(scope="module")
def published(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, family: FamilyBuild) -> Path:
    root = tmp_path_factory.mktemp("published") / "build"
    run_dataset(stage(spark, root, *SOUND), [family])
    return root / "dataset" / "v1"


def test_a_dataset_without_facts_is_published_and_proven(published: Path) -> None:
    found = verify(published)
    assert (found.passed, found.checked, found.families[NAME].by_check) == (True, 2, {"answer": 0, "sql": 0, "id": 0})
    files = sorted(path.relative_to(published).as_posix() for path in published.rglob("*.*") if path.name[0] != ".")
    assert files == sorted(
        [
            "README.md",
            "checks/README.md",
            *(f"checks/{NAME}/{name}" for name in add_shared_checks(CHECKS)),
            "croissant.json",
            "manifest.json",
            "report.json",
            "report.md",
            "report/index.html",
            "totals.json",
            f"{NAME}/items/test-00000-of-00001.parquet",
            f"{NAME}/items/train-00000-of-00001.parquet",
            f"{NAME}/rows/mine-00000-of-00001.parquet",
            f"{NAME}/rows/yours-00000-of-00001.parquet",
        ]
    )
    explained = explain(published, 2)
    assert (explained.agrees, explained.metadata) == (True, {"Country": "Peru"})
    dataset = everwhen.load(published)
    assert dataset.items(NAME, split="test").select("item_id").fetchall() == [(2,)]
    assert dataset.table(f"{NAME}/rows").filter("fields['Name'] = 'Bo'").select("source").fetchall() == [("yours",)]


def test_what_names_no_licence_is_private(published: Path) -> None:
    manifest = json.loads((published / "manifest.json").read_text())
    assert manifest["families"][NAME]["licences"] == {"mine": None, "yours": "CC-BY-4.0"}
    card = (published / "README.md").read_text()
    header = yaml.safe_load(card.split("---\n")[1])
    assert (header["license"], header["license_name"]) == ("other", "CC-BY-4.0 and private")
    assert header["tags"] == ["temporal"]
    assert "**Private: do not pass this folder on.**" in card
    assert "| mine | not known: private |" in card
    assert "Wikidata" not in card
    assert "1987" not in card + (published / "report.md").read_text() + (published / "report/index.html").read_text()


def test_croissant_reads_maps_and_lists_of_structs(published: Path) -> None:
    described = json.loads((published / "croissant.json").read_text())
    assert described["license"] == ["CC-BY-4.0", "private"]
    read = mlcroissant.Dataset(published / "croissant.json")
    field, given = f"{NAME}-rows/fields", f"{NAME}/given"
    rows = {row[f"{NAME}-rows/source"]: row[field] for row in read.records(f"{NAME}-rows")}
    assert rows[b"yours"] == [
        {f"{field}/key": b"Country", f"{field}/value": b"Peru"},
        {f"{field}/key": b"Name", f"{field}/value": b"Bo"},
    ]
    (item,) = [row for row in read.records(NAME) if row[f"{NAME}/item_id"] == 1]
    assert item[given] == [{f"{given}/column": b"Country", f"{given}/value": b"Chad"}]


def test_the_files_follow_from_the_rows_alone(
    spark: SparkSession, tmp_path: Path, family: FamilyBuild, published: Path
) -> None:
    build = stage(spark, tmp_path / "again", *reversed(SOUND))
    run_dataset(build, [family])
    again = tmp_path / "again" / "dataset" / "v1"
    for path in sorted(published.rglob("*.parquet")):
        assert path.read_bytes() == (again / path.relative_to(published)).read_bytes()
    assert pq.read_table(again / NAME / "rows").num_rows == 2


def test_a_query_that_answers_otherwise_stops_the_publication(
    spark: SparkSession, tmp_path: Path, family: Family
) -> None:
    wrong = build_row(1, "Chad", "Ann", "train", sql=SOUND[1]["sql"])
    with pytest.raises(ValidationFailed, match=r"check of terms: 1 of 1 wrong \(sql 1\)"):
        run_dataset(stage(spark, tmp_path / "build", wrong), [family])
    assert not (tmp_path / "build" / "dataset" / "v1" / "manifest.json").exists()
