"""On the same facts a SPARQL endpoint and the subclass closure over the dump name the same members of every list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import functions as F

from everwhen.catalog.load import load_entity_lists
from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.facts.entity_lists import read_entity_lists
from everwhen.sample.dump import SANDBOX, SANDBOX_3
from everwhen.sources.entity_lists import pull_entity_lists
from everwhen.tables.facts import ENTITIES, STATEMENTS, SUBCLASSES
from everwhen.tables.world import MEMBERS
from everwhen.world.members import list_members

pytestmark = [pytest.mark.full, pytest.mark.spark]


def test_members_by_sparql_are_the_members_by_closure(
    sample_build: Build, sparql_endpoint: str, tmp_path: Path
) -> None:
    every = [entry.id for entry in load_entity_lists()]
    pull = {"contact": "tests@example.org", "sparql_endpoint": sparql_endpoint, "sparql_page": 100, "lists": every}
    pull_entity_lists(Config(version="t", snapshot="t", pull=pull), tmp_path)
    by_sparql = {
        path.stem: {json.loads(line)["item"] for line in path.read_text().splitlines()}
        for path in tmp_path.glob("*.jsonl")
    }
    closure = sample_build.read(MEMBERS).groupBy("list").agg(F.collect_set("entity").alias("entities"))
    # The dump alone has the persons whose dates cannot be read: RDF has no form for such a date.
    by_closure = {row["list"]: set(row["entities"]) - {SANDBOX, SANDBOX_3} for row in closure.collect()}
    assert set(by_sparql) == set(every)
    assert len(by_closure) > 10
    for name, items in by_sparql.items():
        assert items == by_closure.get(name, set()), name


def test_a_pulled_list_takes_the_place_of_the_closure(sample_build: Build, tmp_path: Path) -> None:
    film = sample_build.read(ENTITIES).where("label = 'Inception'").first()
    assert film is not None
    (tmp_path / "films.jsonl").write_text(json.dumps({"item": film["item"]}) + "\n")
    pulled = read_entity_lists(sample_build.spark, [str(tmp_path / "films.jsonl")], {"films", "books"})
    chosen = [entry for entry in load_entity_lists() if entry.id in {"films", "books"}]
    members = list_members(sample_build.read(STATEMENTS), sample_build.read(SUBCLASSES), pulled.rows, chosen).collect()
    assert [row["entity"] for row in members if row["list"] == "films"] == [film["item"]]
    assert sum(row["list"] == "books" for row in members) > 10
