from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from pyspark.sql import DataFrame, Observation

from everwhen.facts.dump import read_dump
from everwhen.facts.items import collect_rejects, count_dump, find_superseded_lines, select_entities, select_statements
from everwhen.facts.redirects import follow_redirects, select_item_redirects
from everwhen.tables.facts import ENTITIES, REDIRECTS, REJECTS, STATEMENTS
from everwhen.tables.record_counts import record_counts

pytestmark = pytest.mark.spark


def item(number: int, *claims: dict[str, Any], **fields: Any) -> dict[str, Any]:
    by_property: dict[str, list[Any]] = {}
    for at, claim in enumerate(claims):
        by_property.setdefault(claim["mainsnak"]["property"], []).append({"id": f"Q{number}${at}"} | claim)
    return {"type": "item", "id": f"Q{number}", "claims": by_property} | fields


def link(target: int, **fields: Any) -> dict[str, Any]:
    value = {"entity-type": "item", "numeric-id": target}
    snak = {"snaktype": "value", "property": "P31", "datavalue": {"type": "wikibase-entityid", "value": value}}
    return {"mainsnak": snak, "rank": "normal"} | fields


def identifier(text: str) -> dict[str, Any]:
    value = {"type": "string", "value": text}
    snak = {"snaktype": "value", "property": "P2", "datatype": "external-id", "datavalue": value}
    return {"mainsnak": snak, "rank": "normal"}


def redirect(source: int, target: int) -> dict[str, Any]:
    return {"entity": f"Q{source}", "redirect": f"Q{target}"}


class Read(NamedTuple):
    entities: DataFrame
    statements: DataFrame
    redirects: DataFrame
    rejects: DataFrame
    record_counts: DataFrame

    def counts(self) -> dict[tuple[str, str, str], int]:
        return {(row.record_type, row.status, row.reason): row.records for row in self.record_counts.collect()}


def read(spark, *paths: str) -> Read:
    observed = Observation()
    rows = read_dump(spark, paths, ["external-id"], observed).localCheckpoint()
    followed = follow_redirects(rows)
    superseded = find_superseded_lines(rows, followed)
    return Read(
        select_entities(rows, superseded),
        select_statements(rows, superseded, followed),
        select_item_redirects(followed),
        collect_rejects(rows, followed),
        count_dump(rows, superseded, followed, observed.get["lines"]),
    )


def balance(counts: dict[tuple[str, str, str], int], record_type: str) -> tuple[int, int]:
    """Records in, and records kept or rejected."""
    entered = sum(n for (u, status, _), n in counts.items() if u == record_type and status == "input")
    return entered, sum(n for (u, status, _), n in counts.items() if u == record_type and status != "input")


def test_record_counts_name_every_outcome(spark, dump):
    bad = link(5) | {"rank": "best"}
    statements_of_one = (link(5), bad, identifier("a"), identifier("b"), link(6, id="Q1$0"))
    path = dump(b"[", item(1, *statements_of_one), {"id": "P1"}, {"id": "P2"}, b"{", redirect(2, 1), b"]")
    result = read(spark, path)
    tables = (ENTITIES, STATEMENTS, REDIRECTS, REJECTS, record_counts("facts"))
    assert [df.columns for df in result] == [[c.name for c in table.columns] for table in tables]
    assert result.counts() == {
        ("line", "input", ""): 7,
        ("line", "kept", ""): 2,
        ("line", "rejected", "array bracket or blank line"): 2,
        ("line", "rejected", "out of scope: property"): 2,
        ("line", "rejected", "not JSON: unexpected end of data"): 1,
        ("statement", "input", ""): 5,
        ("statement", "rejected", "statement id occurs twice in the entity"): 1,
        ("statement", "kept", ""): 1,
        ("statement", "rejected", "rank is not preferred, normal or deprecated"): 1,
        ("statement", "rejected", "out of scope: datatype external-id"): 2,
    }
    examples = {row.reason: row.examples for row in result.record_counts.collect()}
    assert examples["out of scope: property"] == ["P1", "P2"]
    assert examples["out of scope: datatype external-id"] == ["Q1$2"]
    assert examples[""] == []
    places = {(row.record_type, row.place) for row in result.rejects.collect()}
    assert places == {("line", "line 5"), ("statement", "line 2, Q1$unreadable-P31-3"), ("statement", "line 2, Q1$1")}


def test_examples_are_the_ten_least(spark, dump):
    result = read(spark, dump(*({"id": f"P{n}"} for n in range(99, 9, -1)), {"id": "P10"}))
    (row,) = result.record_counts.where("status = 'rejected'").collect()
    assert row.records == 91
    assert row.examples[:3] == ["P10", "P11", "P12"]
    assert len(row.examples) <= 10


REVISIONS = {
    "revision": (item(1, link(5), link(6), lastrevid=8), item(1, link(7), lastrevid=9)),
    "unknown revision is least": (item(2, link(5), link(6)), item(2, link(7), lastrevid=0)),
    "more statements": (item(3, link(5)), item(3, link(7), link(8))),
    "more statements of one revision": (item(4, link(5), lastrevid=3), item(4, link(7), link(8), lastrevid=3)),
}


@pytest.mark.parametrize("swap", [False, True])
def test_the_newest_revision_wins(spark, dump, swap):
    first, second = zip(*(reversed(pair) if swap else pair for pair in REVISIONS.values()), strict=True)
    result = read(spark, dump(*first, item(9, link(5)), name="a.json"), dump(*second, name="b.json"))
    kept: dict[int, set[int]] = {}
    for row in result.statements.collect():
        kept.setdefault(row.subject, set()).add(row.value_item)
    assert kept == {1: {7}, 2: {7}, 3: {7, 8}, 4: {7, 8}, 9: {5}}
    assert sorted(row.item for row in result.entities.collect()) == [1, 2, 3, 4, 9]
    counts = result.counts()
    reason = "older revision of the same entity"
    assert counts["line", "rejected", reason] == 4
    assert counts["statement", "rejected", reason] == 2 + 2 + 1 + 1
    assert balance(counts, "line") == (9, 9)
    assert balance(counts, "statement") == (13, 13)


def test_equal_duplicates_are_kept_in_any_order_of_files(spark, dump):
    """Item 2 has the same line three times."""
    one, two = item(1, link(5)), item(1, link(6))
    same = item(2, link(7))
    forth = read(spark, dump(one, same, name="a.json"), dump(two, same, same, name="b.json")).statements.collect()
    back = read(spark, dump(two, same, name="a.json"), dump(one, same, same, name="b.json")).statements.collect()
    assert sorted(row.value_item for row in forth) == sorted(row.value_item for row in back)
    assert len(forth) == 2


def test_redirects_are_followed_to_their_end(spark, dump):
    """Q1 to Q2 … to Q9; values are resolved through them."""
    chain = [redirect(n, n + 1) for n in range(1, 9)]
    result = read(spark, dump(item(9), item(20, link(1), link(8), link(30)), *chain))
    assert {(row.kind, row.source, row.target) for row in result.redirects.collect()} == {
        ("item", f"Q{n}", "Q9") for n in range(1, 9)
    }
    assert sorted(row.value_item for row in result.statements.collect()) == [9, 9, 30]


def test_a_rejected_statement_counts_unless_it_is_deprecated(spark, dump):
    def born(text: str, identity: str, **fields: Any) -> dict[str, Any]:
        calendar = "http://www.wikidata.org/entity/Q1985727"
        value = {"time": text, "precision": 11, "calendarmodel": calendar}
        snak = {"snaktype": "value", "property": "P569", "datavalue": {"type": "time", "value": value}}
        return {"mainsnak": snak, "type": "statement", "id": f"Q1${identity}", "rank": "normal"} | fields

    claims = [
        born("+1715-04-00T00:00:00Z", "a", rank="preferred"),
        born("+1720-02-03T00:00:00Z", "b"),
        born("-0044-03-15T00:00:00Z", "c", rank="deprecated"),
        born("+1720-02-03T00:00:00Z", "b"),
    ]
    result = read(spark, dump("plain.json", item(1) | {"claims": {"P569": claims}}))
    stated = {(row.statement_id, row.rank, row.snak, row.value_text) for row in result.statements.collect()}
    assert stated == {
        ("Q1$a", "preferred", "unreadable", "+1715-04-00T00:00:00Z"),
        ("Q1$b", "normal", "value", "+1720-02-03T00:00:00Z"),
        ("Q1$unreadable-P569-4", "normal", "unreadable", "+1720-02-03T00:00:00Z"),
    }
    assert balance(result.counts(), "statement") == (4, 4)
    assert result.rejects.where("record_type = 'statement'").count() == 3


def test_circles_repetitions_and_forks_are_rejected(spark, dump):
    circle = [redirect(1, 2), redirect(2, 3), redirect(3, 1), redirect(4, 1), redirect(5, 5)]
    result = read(
        spark, dump(*circle, redirect(6, 7), redirect(6, 7), redirect(8, 9), redirect(8, 7), redirect(10, 6), item(7))
    )
    assert {(row.source, row.target) for row in result.redirects.collect()} == {("Q6", "Q7"), ("Q10", "Q7")}
    counts = result.counts()
    assert {reason: n for (_, status, reason), n in counts.items() if status == "rejected"} == {
        "redirect runs in a circle": 5,
        "redirect occurs before": 1,
        "redirect of one item to several": 2,
    }
    assert balance(counts, "line") == (11, 11)
    assert result.rejects.count() == 8


def test_a_redirect_wins_over_an_entity(spark, dump):
    result = read(spark, dump(item(1, link(5), lastrevid=9), item(2), redirect(1, 2)))
    assert [row.item for row in result.entities.collect()] == [2]
    assert result.statements.count() == 0
    assert result.counts()["line", "rejected", "entity is redirected by another line"] == 1


def test_a_worker_that_loses_a_line_shows(spark, dump):
    """The lines are counted by Spark before they reach the worker."""
    observed = Observation()
    rows = read_dump(spark, [dump(item(1), item(2))], [], observed).localCheckpoint()
    lossy = rows.where("item <> 2")
    followed = follow_redirects(lossy)
    df = count_dump(lossy, find_superseded_lines(lossy, followed), followed, observed.get["lines"])
    counts = {(row.record_type, row.status, row.reason): row.records for row in df.collect()}
    assert balance(counts, "line") == (2, 1)
