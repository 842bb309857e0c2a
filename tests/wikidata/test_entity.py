from __future__ import annotations

import bz2
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pytest

from everwhen.wikidata.columns import DATING, SCHEMA
from everwhen.wikidata.entity import EntityReader

GREGORIAN = "http://www.wikidata.org/entity/Q1985727"
METRE = (11573, Decimal(1))


def read_table(*lines: bytes | dict[str, Any], skip: tuple[str, ...] = ("external-id",)) -> pa.Table:
    reader = EntityReader(skip, {11573: METRE})
    for number, line in enumerate(lines, 1):
        text = line if isinstance(line, bytes) else orjson.dumps(line)
        reader.read(text, "dump.json", f"line {number}", number)
    return pa.Table.from_batches(reader.batch.record_batches(), schema=SCHEMA)


def read(*lines: bytes | dict[str, Any], skip: tuple[str, ...] = ("external-id",)) -> list[dict[str, Any]]:
    """The rows of some lines, without the columns that are null."""
    rows = read_table(*lines, skip=skip).to_pylist()
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def only(rows: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The one row of a kind."""
    (row,) = (row for row in rows if row["kind"] == kind)
    return row


def item(*claims: dict[str, Any], **fields: Any) -> dict[str, Any]:
    by_property: dict[str, list[Any]] = {}
    for claim in claims:
        by_property.setdefault(claim["mainsnak"]["property"], []).append(claim)
    return {"type": "item", "id": "Q42", "labels": {}, "descriptions": {}, "claims": by_property} | fields


def claim(kind: str, value: Any, datatype: str | None = None, identity: str = "Q42$A", **fields: Any) -> dict[str, Any]:
    snak = {"snaktype": "value", "property": "P1", "datavalue": {"type": kind, "value": value}}
    if datatype:
        snak["datatype"] = datatype
    return {"mainsnak": snak, "type": "statement", "id": identity, "rank": "normal"} | fields


def time(text: str, precision: int = 11) -> dict[str, Any]:
    return {"time": text, "timezone": 0, "before": 0, "after": 0, "precision": precision, "calendarmodel": GREGORIAN}


def dated(text: str, precision: int = 11) -> dict[str, Any]:
    value = {"type": "time", "value": time(text, precision)}
    return {"snaktype": "value", "property": "P580", "datavalue": value}


def test_entity_columns():
    rows = read(
        item(
            claim("string", "a"),
            labels={"en": {"language": "en", "value": "Douglas Adams"}},
            aliases={"en": [{"language": "en", "value": "DNA"}, {"language": "en", "value": "Douglas Noel Adams"}]},
            descriptions={"en": {"language": "en", "value": "writer"}},
            sitelinks={"enwiki": {"site": "enwiki", "title": "Douglas Adams", "badges": []}},
            lastrevid=7,
        )
    )
    assert only(rows, "entity") == {
        "kind": "entity",
        "level": "line",
        "units": 1,
        "file": "dump.json",
        "place": "line 1",
        "item": 42,
        "revision": 7,
        "label": "Douglas Adams",
        "aliases": ["DNA", "Douglas Noel Adams"],
        "description": "writer",
        "title": "Douglas Adams",
        "sitelinks": 1,
        "statements": 1,
        "line_hash": 1,
    }


def test_label_for_all_languages_replaces_a_missing_english_one():
    labels = {"mul": {"value": "Ada"}, "de": {"value": "Ada (de)"}}
    assert only(read(item(labels=labels)), "entity")["label"] == "Ada"
    assert only(read(item(labels=labels | {"en": {"value": "Ada (en)"}})), "entity")["label"] == "Ada (en)"


def test_aliases_for_all_languages_follow_the_english_ones():
    aliases = {"mul": [{"value": "Lovelace"}, {"value": "Ada L."}], "de": [{"value": "Gräfin"}]}
    assert only(read(item(aliases=aliases)), "entity")["aliases"] == ["Lovelace", "Ada L."]
    english = {"en": [{"value": "Countess"}, {"value": "Ada L."}, {"value": "Countess"}]}
    assert only(read(item(aliases=aliases | english)), "entity")["aliases"] == ["Countess", "Ada L.", "Lovelace"]
    assert only(read(item(aliases={"de": [{"value": "Gräfin"}]})), "entity")["aliases"] == []


def test_aliases_of_a_wrong_shape_reject_their_line():
    for aliases in (
        {"en": [{"value": 7}]},
        {"en": [{"value": None}]},
        {"mul": [{"value": []}]},
        {"en": [], "mul": [{"value": 7}]},
    ):
        assert only(read(item(aliases=aliases)), "reject")["reason"].endswith(" is not text")
    for aliases in ({"en": [{}]}, {"en": ["DNA"]}, {"en": "DNA"}, {"en": 7}, ["DNA"], "en", 7):
        assert [row["kind"] for row in read(item(aliases=aliases))] == ["reject"]


def test_empty_mappings_may_be_lists():
    texts = {"labels": [], "descriptions": [], "aliases": []}
    row = only(read({"id": "Q1", "type": "item", "claims": [], "sitelinks": []} | texts), "entity")
    assert (row["item"], row["revision"], row["statements"], row["aliases"]) == (1, -1, 0, [])


def test_sitelinks_of_all_wikis_count():
    links = {"dewiki": {"title": "A"}, "commonswiki": {"title": "B"}}
    row = only(read(item(sitelinks=links)), "entity")
    assert (row.get("title"), row["sitelinks"]) == (None, 2)
    for none in ({}, [], None):
        assert "sitelinks" not in only(read(item(sitelinks=none)), "entity")


def test_type_may_be_missing():
    assert [row["kind"] for row in read({"id": "Q1"}, {"id": "P1"})] == ["entity", "skipped"]


VALUES = [
    pytest.param(
        claim("wikibase-entityid", {"entity-type": "item", "numeric-id": 5, "id": "Q5"}, "wikibase-item"),
        {"datatype": "wikibase-item", "value_item": 5},
        id="item",
    ),
    pytest.param(
        claim("wikibase-entityid", {"entity-type": "item", "numeric-id": 5}),
        {"datatype": "wikibase-item", "value_item": 5},
        id="item-2014",
    ),
    pytest.param(
        claim("wikibase-entityid", {"entity-type": "item", "id": "Q5"}, "wikibase-item"),
        {"datatype": "wikibase-item", "value_item": 5},
        id="item-without-numeric-id",
    ),
    pytest.param(
        claim("wikibase-entityid", {"entity-type": "property", "numeric-id": 31}),
        {"datatype": "wikibase-property", "value_text": "P31"},
        id="property-2014",
    ),
    pytest.param(
        claim("wikibase-entityid", {"entity-type": "form", "id": "L42-F1"}, "wikibase-form"),
        {"datatype": "wikibase-form", "value_text": "L42-F1"},
        id="form",
    ),
    pytest.param(claim("string", "x y"), {"datatype": "string", "value_text": "x y"}, id="string"),
    pytest.param(
        claim("globecoordinate", {"longitude": -0.5, "latitude": 51}),
        {"datatype": "globe-coordinate", "value_text": '{"latitude":51,"longitude":-0.5}'},
        id="coordinate-as-json",
    ),
    pytest.param(
        claim("monolingualtext", {"text": "French", "language": "en"}, "monolingualtext"),
        {"datatype": "monolingualtext", "value_text": '{"language":"en","text":"French"}'},
        id="text-of-one-language-as-json",
    ),
    pytest.param(
        claim("hologram", {"b": [1], "a": None}, "hologram"),
        {"datatype": "hologram", "value_text": '{"a":null,"b":[1]}'},
        id="unknown-type-as-json",
    ),
    pytest.param(
        claim("time", time("+00000001952-03-11T00:00:00Z"), "time"),
        {
            "datatype": "time",
            "value_text": "+00000001952-03-11T00:00:00Z",
            "first_day": date(1952, 3, 11),
            "last_day": date(1952, 3, 11),
            "precision": 11,
            "calendar": "gregorian",
        },
        id="time",
    ),
    pytest.param(
        claim("time", {k: v for k, v in time("+2001-00-00T00:00:00Z", 9).items() if k not in ("before", "after")}),
        {
            "datatype": "time",
            "value_text": "+2001-00-00T00:00:00Z",
            "first_day": date(2001, 1, 1),
            "last_day": date(2001, 12, 31),
            "precision": 9,
            "calendar": "gregorian",
        },
        id="time-without-before-and-after",
    ),
    pytest.param(
        claim("quantity", {"amount": "+1.50", "unit": "http://www.wikidata.org/entity/Q11573"}, "quantity"),
        {"datatype": "quantity", "value_text": "+1.50", "amount": Decimal("1.500000000"), "unit": 11573},
        id="quantity",
    ),
    pytest.param(
        claim("quantity", {"amount": "-" + "9" * 29 + "." + "9" * 9 + "000", "unit": "1"}, "quantity"),
        {
            "datatype": "quantity",
            "value_text": "-" + "9" * 29 + "." + "9" * 9 + "000",
            "amount": Decimal("-" + "9" * 29 + "." + "9" * 9),
            "unit": 0,
        },
        id="quantity-that-fills-the-column",
    ),
    pytest.param(
        claim("quantity", {"amount": "+3", "unit": "http://www.wikidata.org/entity/Q577"}, "quantity"),
        {"datatype": "quantity", "value_text": "+3", "unit": 577},
        id="quantity-of-unknown-unit",
    ),
]


@pytest.mark.parametrize(("statement", "expected"), VALUES)
def test_statement_columns(statement, expected):
    assert (
        only(read(item(statement)), "statement")
        == {
            "kind": "statement",
            "level": "statement",
            "units": 1,
            "file": "dump.json",
            "place": "line 1",
            "item": 42,
            "revision": -1,
            "statement_id": "Q42$A",
            "property": 1,
            "rank": "normal",
            "snak": "value",
        }
        | expected
    )


@pytest.mark.parametrize("kind", ["somevalue", "novalue"])
def test_snaks_without_a_value(kind):
    row = only(
        read(item({"mainsnak": {"snaktype": kind, "property": "P1"}, "id": "q42$A", "rank": "preferred"})), "statement"
    )
    assert (row["snak"], row["rank"], row["datatype"], row["statement_id"]) == (kind, "preferred", "unknown", "q42$A")


def test_dating_qualifiers():
    qualifiers = {
        "P580": [dated("+1999-00-00T00:00:00Z", 9)],
        "P582": [{"snaktype": "somevalue", "property": "P582"}],
        "P585": [dated("+1999-01-01T00:00:00Z"), dated("+2000-01-01T00:00:00Z")],
        "P17": [{"snaktype": "value", "property": "P17"}],
    }
    row = only(read(item(claim("string", "x", qualifiers=qualifiers))), "statement")
    nothing = dict.fromkeys(("text", "first_day", "last_day", "precision", "calendar"))
    assert row["start_time"] == {
        "snak": "value",
        "text": "+1999-00-00T00:00:00Z",
        "first_day": date(1999, 1, 1),
        "last_day": date(1999, 12, 31),
        "precision": 9,
        "calendar": "gregorian",
    }
    assert row["end_time"] == {"snak": "somevalue"} | nothing
    assert row["point_in_time"] == {"snak": "several"} | nothing


def qualified(name: str, value: Any) -> dict[str, Any]:
    return {name: [{"snaktype": "value", "property": name, "datavalue": value}]}


def an_item(number: int) -> dict[str, Any]:
    value = {"entity-type": "item", "numeric-id": number, "id": f"Q{number}"}
    return {"type": "wikibase-entityid", "value": value}


HEDGES = [
    pytest.param(qualified("P1480", an_item(5727902)), 1480, id="circa"),
    pytest.param(qualified("P5102", an_item(18912752)), 5102, id="disputed"),
    pytest.param(qualified("P1310", an_item(1)), 1310, id="disputed-by"),
    pytest.param({"P1319": [dated("+1951-00-00T00:00:00Z", 9)]}, 1319, id="earliest-date"),
    pytest.param({"P1326": [dated("+1953-00-00T00:00:00Z", 9)]}, 1326, id="latest-date"),
    pytest.param({"P8554": [{"snaktype": "somevalue", "property": "P8554"}]}, 8554, id="earliest-end"),
    pytest.param({"P8555": [dated("+1953-00-00T00:00:00Z", 9)]}, 8555, id="latest-start"),
    pytest.param(qualified("P3831", an_item(4676846)), 3831, id="acting"),
]


@pytest.mark.parametrize(("qualifiers", "hedge"), HEDGES)
def test_a_hedged_time_is_on_no_certain_day(qualifiers, hedge):
    row = only(read(item(claim("time", time("+1952-03-11T00:00:00Z"), "time", qualifiers=qualifiers))), "statement")
    assert (row["snak"], row["hedges"], row["value_text"]) == ("hedged", [hedge], "+1952-03-11T00:00:00Z")
    assert "first_day" not in row


@pytest.mark.parametrize(("qualifiers", "hedge"), HEDGES)
def test_a_hedged_item_stays_a_value_that_may_be(qualifiers, hedge):
    row = only(read(item(claim("wikibase-entityid", an_item(5)["value"], qualifiers=qualifiers))), "statement")
    assert (row["snak"], row["hedges"], row["value_item"]) == ("hedged", [hedge], 5)


def test_another_role_than_acting_hedges_nothing():
    row = only(read(item(claim("string", "x", qualifiers=qualified("P3831", an_item(41176))))), "statement")
    assert (row["snak"], row.get("hedges")) == ("value", None)


def test_a_time_that_says_how_far_off_it_may_be_is_hedged_and_wider():
    wide = time("+1952-00-00T00:00:00Z", 9) | {"before": 1, "after": 2}
    row = only(read(item(claim("time", wide, "time"))), "statement")
    assert (row["snak"], row["first_day"], row["last_day"]) == ("hedged", date(1951, 1, 1), date(1954, 12, 31))
    assert (row["before"], row["after"]) == (1, 2)


def test_a_qualifier_that_says_how_far_off_it_may_be_gives_no_days():
    start = dated("+1952-00-00T00:00:00Z", 9)
    start["datavalue"]["value"]["after"] = 1
    row = only(read(item(claim("string", "x", qualifiers={"P580": [start]}))), "statement")
    assert (row["snak"], row["start_time"]["snak"], row["start_time"]["first_day"]) == ("value", "hedged", None)


def test_a_julian_time_says_so():
    julian = time("+1616-04-23T00:00:00Z") | {"calendarmodel": "http://www.wikidata.org/entity/Q1985786"}
    row = only(read(item(claim("time", julian, "time"))), "statement")
    assert (row["first_day"], row["calendar"], row["value_text"]) == (
        *(date(1616, 5, 3), "julian"),
        "+1616-04-23T00:00:00Z",
    )


def test_a_rejected_statement_keeps_what_can_be_read():
    bce = {"P580": [dated("-0044-00-00T00:00:00Z", 9)]}
    row = only(read(item(claim("wikibase-entityid", an_item(5)["value"], qualifiers=bce, rank="normal"))), "reject")
    assert (row["statement_id"], row["property"], row["rank"], row["snak"]) == ("Q42$A", 1, "normal", "unreadable")
    assert row["value_item"] == 5


@pytest.mark.parametrize(
    ("change", "identity", "rank"),
    [
        pytest.param({"id": None, "rank": "deprecated"}, "Q42$unreadable-P1-1", "deprecated", id="no-id"),
        pytest.param({"id": "Q4$A"}, "Q42$unreadable-P1-1", "normal", id="id-of-another"),
        pytest.param({"rank": "best"}, "Q42$A", "preferred", id="no-such-rank"),
        pytest.param({"mainsnak": 7, "rank": []}, "Q42$A", "preferred", id="nothing-fits"),
    ],
)
def test_a_rejected_statement_has_an_id_of_its_own_and_the_rank_that_matters(change, identity, rank):
    lines = item() | {"claims": {"P1": [claim("string", "x") | change]}}
    row = only(read(lines), "reject")
    assert (row["statement_id"], row["rank"], row["snak"]) == (identity, rank, "unreadable")


def numbered(*texts: str) -> dict[str, Any]:
    return {"P1545": [{"snaktype": "value", "datavalue": {"type": "string", "value": text}} for text in texts]}


@pytest.mark.parametrize(
    ("qualifiers", "ordinal"),
    [
        pytest.param(numbered("12"), 12, id="number"),
        pytest.param(numbered("1") | {"P580": [dated("+1999-00-00T00:00:00Z", 9)]}, 1, id="with-a-start"),
        pytest.param({"P580": [dated("+1999-00-00T00:00:00Z", 9)]}, None, id="none"),
        pytest.param(numbered("1", "2"), None, id="several"),
        pytest.param(numbered("0"), None, id="zero"),
        pytest.param(numbered("12b"), None, id="letter"),
        pytest.param(numbered("٣"), None, id="other-digits"),
        pytest.param(numbered("9999999999"), None, id="beyond"),
        pytest.param({"P1545": [{"snaktype": "somevalue"}]}, None, id="unknown"),
        pytest.param({"P1545": "x"}, None, id="no-list"),
    ],
)
def test_series_ordinal(qualifiers, ordinal):
    assert only(read(item(claim("string", "x", qualifiers=qualifiers))), "statement").get("ordinal") == ordinal


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"id": None}, "a field has the wrong type", id="id-null"),
        pytest.param({"id": "Q4$A"}, "statement id does not begin with the id of its entity", id="id-of-another"),
        pytest.param({"rank": "best"}, "rank is not preferred, normal or deprecated", id="rank"),
        pytest.param({"mainsnak": []}, "a field has the wrong type", id="mainsnak-list"),
        pytest.param(
            {"mainsnak": {"snaktype": "maybe"}}, "snak type is not value, somevalue or novalue", id="snak-type"
        ),
        pytest.param({"mainsnak": {"snaktype": "novalue", "datatype": 5}}, "datatype is not text", id="datatype"),
        pytest.param({"mainsnak": {"snaktype": "value"}}, "missing field datavalue", id="no-datavalue"),
        pytest.param(
            {"qualifiers": {"P580": [dated("-0044-00-00T00:00:00Z", 9)]}},
            "qualifier P580: year BCE",
            id="qualifier-bce",
        ),
        pytest.param(
            {"qualifiers": {"P582": [dated("+2001-13-01T00:00:00Z")]}},
            "qualifier P582: month 13 does not exist",
            id="qualifier-month-13",
        ),
        pytest.param(
            {"qualifiers": {"P585": [{"snaktype": "value", "datavalue": {"type": "string", "value": "1999"}}]}},
            "qualifier P585: value is not a time",
            id="qualifier-string",
        ),
        pytest.param(
            {"qualifiers": {"P585": []}}, "qualifier P585: a field is missing or has the wrong type", id="no-snak"
        ),
    ],
)
def test_one_bad_statement_is_rejected_and_the_others_stay(change, reason):
    good = claim("string", "good", identity="Q42$GOOD")
    bad = claim("string", "bad", identity="Q42$BAD") | change
    rows = read(item() | {"claims": {"P1": [bad, good]}})
    assert only(rows, "statement")["statement_id"] == "Q42$GOOD"
    assert only(rows, "entity")["statements"] == 2
    reject = only(rows, "reject")
    assert (reject["level"], reject["units"], reject["reason"], reject["place"]) == ("statement", 1, reason, "line 1")


@pytest.mark.parametrize("name", ["id", "rank", "mainsnak"])
def test_a_statement_that_lacks_a_field_is_rejected_by_name(name):
    statement = claim("string", "x")
    del statement[name]
    reject = only(read(item() | {"claims": {"P1": [statement]}}), "reject")
    assert reject["reason"] == f"missing field {name}"


@pytest.mark.parametrize("name", ["Q1", "P", "P-1", "P0", "P2147483648", "P１"])
def test_property_ids_are_checked(name):
    reject = only(read(item() | {"claims": {name: [claim("string", "x")]}}), "reject")
    assert reject["reason"] == "property id is not P and a number"


def test_a_repeated_statement_id_is_rejected():
    rows = read(item(claim("string", "first"), claim("string", "second")))
    assert only(rows, "statement")["value_text"] == "first"
    assert only(rows, "reject")["reason"] == "statement id occurs twice in the entity"


def test_skipped_datatypes_are_counted_by_line():
    ids = [claim("string", str(n), "external-id", identity=f"Q42${n}") for n in range(3)]
    skipped = only(read(item(*ids, claim("string", "x"))), "skipped")
    assert (skipped["level"], skipped["units"]) == ("statement", 3)
    assert (skipped["reason"], skipped["sample"]) == ("out of scope: datatype external-id", "Q42$0")
    assert len(read(item(*ids, claim("string", "x")), skip=())) == 5


@pytest.mark.parametrize(
    ("line", "reason", "sample"),
    [
        pytest.param({"type": "property", "id": "P31"}, "out of scope: property", "P31", id="property"),
        pytest.param({"type": "lexeme", "id": "L42"}, "out of scope: lexeme", "L42", id="lexeme"),
        pytest.param({"type": "mediainfo", "id": "M42"}, "out of scope: mediainfo", "M42", id="media-info"),
        pytest.param({"entity": "L1", "redirect": "L2"}, "out of scope: redirect of a lexeme", "L1", id="lexemes"),
        pytest.param(b"", "array bracket or blank line", "", id="empty"),
        pytest.param(b" \t\r", "array bracket or blank line", "", id="blank"),
        pytest.param(b"[", "array bracket or blank line", "[", id="opening"),
        pytest.param(b"],\r", "array bracket or blank line", "],", id="closing"),
    ],
)
def test_lines_out_of_scope_are_skipped(line, reason, sample):
    (row,) = read(line)
    assert (row["kind"], row["level"], row["units"]) == ("skipped", "line", 1)
    assert (row["reason"], row["sample"]) == (reason, sample)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b'{"type":"item","id":"Q1"', "not JSON: unexpected end of data", id="cut-off"),
        pytest.param(b'{"id":"Q1","x":"' + b"a" * 20_000_000, "not JSON: ", id="20-MB-cut-off"),
        pytest.param(b'{"id":"Q1","x":"' + b"a" * 100_000_000, "longer than 100,000,000 bytes", id="100-MB"),
        pytest.param(b'{"id":"Q1","x":"\xff\xfe"}', "not UTF-8", id="utf-8"),
        pytest.param(b'{"id":"Q1","x":"\xed\xa0\x80"}', "not UTF-8", id="utf-8-surrogate"),
        pytest.param(b'{"id":"Q1","x":"\\ud800"}', "not JSON: ", id="lone-surrogate"),
        pytest.param(b'{"id":"Q1","x":"\0"}', "NUL character", id="nul"),
        pytest.param(b'{"id":"Q1","x":"a\\u0000b"}', "NUL character", id="nul-escaped"),
        pytest.param(b"\0\0\0", "NUL character", id="nul-only"),
        pytest.param(b"{" * 100_000, "not JSON: ", id="deep"),
        pytest.param(b'{"id":"Q1"},{"id":"Q2"}', "not JSON: ", id="two-entities"),
        pytest.param(b"42", "line is not a JSON object", id="number"),
        pytest.param({"type": "item"}, "missing field id", id="no-id"),
        pytest.param({"type": "item", "id": "P1"}, "not an item id", id="id-of-a-property"),
        pytest.param({"type": "item", "id": "Q0"}, "not an item id", id="Q0"),
        pytest.param({"type": "item", "id": "Q9223372036854775808"}, "not an item id", id="beyond-63-bits"),
        pytest.param({"type": "item", "id": 1}, "id and type do not name an entity", id="id-number"),
        pytest.param({"id": "X1"}, "id and type do not name an entity", id="unknown-prefix"),
        pytest.param({"id": "X1", "type": "a\nb"}, "id and type do not name an entity", id="unknown-type"),
        pytest.param({"id": "Q1", "missing": ""}, "entity is marked as missing", id="missing"),
        pytest.param({"id": "Q1", "claims": [1]}, "claims are not lists by property", id="claims-list"),
        pytest.param({"id": "Q1", "claims": {"P1": {}}}, "claims are not lists by property", id="claims-dict"),
        pytest.param({"id": "Q1", "labels": {"en": {"value": 1}}}, "value of en is not text", id="label"),
        pytest.param({"id": "Q1", "labels": {"en": {}}}, "missing field value", id="label-empty"),
        pytest.param({"id": "Q1", "labels": {"en": "x"}}, "a field has the wrong type", id="label-flat"),
        pytest.param({"id": "Q1", "lastrevid": "7"}, "lastrevid is not a revision", id="revision"),
        pytest.param({"id": "Q1", "lastrevid": 2**63}, "lastrevid is not a revision", id="revision-64-bits"),
        pytest.param({"entity": "Q1", "redirect": "X"}, "not an item id", id="redirect-to-nowhere"),
    ],
)
def test_broken_lines_are_rejected_with_a_reason(line, reason):
    good = {"type": "item", "id": "Q2"}
    rows = read(line, good)
    reject = only(rows, "reject")
    assert reject["reason"].startswith(reason)
    assert (reject["level"], reject["units"], reject["place"]) == ("line", 1, "line 1")
    assert len(reject["sample"]) <= 200
    assert only(rows, "entity")["item"] == 2


def test_an_escaped_backslash_before_u0000_is_no_nul():
    assert only(read(b'{"id":"Q1","labels":{"en":{"value":"\\\\u0000"}}}'), "entity")["label"] == "\\u0000"


@pytest.mark.parametrize("line", [b'{"id":"Q1"},', b'[{"id":"Q1"},\r', b'{"id":"Q1"}]', b'\xef\xbb\xbf{"id":"Q1"}'])
def test_delimiters_around_an_entity(line):
    assert only(read(line), "entity")["item"] == 1


def test_redirect():
    row = only(read({"entity": "Q1", "redirect": "Q2"}), "redirect")
    assert (row["level"], row["item"], row["target"]) == ("line", 1, 2)


@pytest.mark.parametrize(
    ("name", "entities", "skipped"),
    [
        pytest.param("dump-2014-old-format.json.bz2", 400, 1307, id="2014"),
        pytest.param("dump-49-items.json.bz2", 49, 1, id="2019"),
        pytest.param("rich-items-100.json.bz2", 100, 2, id="2021"),
    ],
)
def test_real_dumps_are_read_completely(shared_data, name, entities, skipped):
    lines = bz2.decompress((shared_data / "wikidata" / name).read_bytes()).split(b"\n")
    if not lines[-1]:
        lines.pop()
    columns = ["kind", "level", "units", "statements", "reason"]
    rows = read_table(*lines).select(columns).to_pylist()
    lines_by_kind = [row["kind"] for row in rows if row["level"] == "line"]
    assert len(lines_by_kind) == len(lines)
    assert (lines_by_kind.count("entity"), lines_by_kind.count("skipped")) == (entities, skipped)
    found = sum(row["statements"] for row in rows if row["kind"] == "entity")
    assert sum(row["units"] for row in rows if row["level"] == "statement") == found
    known = ("year BCE", "coarser than a", "does not exist", "days before the year 1", "more than 9 decimals")
    assert all(any(k in row["reason"] for k in known) for row in rows if row["kind"] == "reject")


def entity_data(shared_data: Path, name: str) -> list[dict[str, Any]]:
    """The rows of an answer of Special:EntityData or wbgetentities: JSON over many lines, each entity a dump line."""
    return read(*orjson.loads((shared_data / "wikidata" / name).read_bytes())["entities"].values())


def test_entity_data_of_a_lexeme_is_out_of_scope(shared_data):
    (row,) = entity_data(shared_data, "entity-L42.json")
    assert (row["kind"], row["reason"]) == ("skipped", "out of scope: lexeme")


def test_entity_data_with_coarse_precisions(shared_data):
    reasons = sorted(row["reason"] for row in entity_data(shared_data, "entity-Q1.json") if row["kind"] == "reject")
    assert reasons == [
        "precision 3 is coarser than a millennium",
        "qualifier P585: precision 1 is coarser than a millennium",
        "qualifier P585: precision 3 is coarser than a millennium",
    ]


def test_entity_data_with_julian_dates(shared_data):
    rows = entity_data(shared_data, "entity-Q8413.json")
    deaths = {(row["value_text"], row["first_day"]) for row in rows if row.get("property") == 570}
    assert ("+0337-05-22T00:00:00Z", date(337, 5, 23)) in deaths


def test_entity_data_with_qualifiers_that_give_no_days(shared_data):
    rows = entity_data(shared_data, "entity-Q182397.json")
    snaks = [row[name]["snak"] for row in rows for name in DATING if name in row]
    assert sorted(set(snaks)) == ["several", "somevalue", "value"]


def test_answer_with_a_missing_entity(shared_data):
    rows = entity_data(shared_data, "wbgetentities-response.json")
    assert only(rows, "reject")["reason"] == "entity is marked as missing"
    assert {row["item"]: row["revision"] > 0 for row in rows if row["kind"] == "entity"} == {123: True, 456: True}
