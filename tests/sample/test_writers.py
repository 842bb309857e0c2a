from __future__ import annotations

import bz2
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.config import Sources
from everwhen.sample.dump import list_broken_lines, serialize_item, time_value
from everwhen.sample.load import sample_world
from everwhen.sample.rdf import _to_gregorian, render_turtle
from everwhen.sample.world import Item, SampleWorld, Snak, Statement
from everwhen.sample.writers import render_sample
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.time import StatedTime, read_time
from everwhen.wikitext.year_page import parse_year_page


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_bytes_each_time(sample_paths: Sources, tmp_path: Path) -> None:
    render_sample(tmp_path)
    assert digests(tmp_path) == digests(Path(sample_paths.dump[0]).parents[1])


def test_dump_has_every_item_and_every_broken_line(sample_paths: Sources) -> None:
    [path] = sample_paths.dump
    lines = bz2.decompress(Path(path).read_bytes()).decode().splitlines()
    assert (lines[0], lines[-1]) == ("[", "]")
    bodies = [line.removesuffix(",") for line in lines[1:-1]]
    assert all(line.endswith(",") for line in lines[1:-2])
    assert not lines[-2].endswith(",")
    broken = list_broken_lines()
    assert [body for body in bodies if body in broken] == broken
    items = [json.loads(body) for body in bodies if body not in broken]
    assert [item["id"] for item in items] == [f"Q{number}" for number in sample_world().items]
    ids = [claim["id"] for item in items for claims in item["claims"].values() for claim in claims]
    assert len(ids) == len(set(ids))


def test_the_first_broken_line_is_cut() -> None:
    cut, *_ = list_broken_lines()
    with pytest.raises(json.JSONDecodeError):
        json.loads(cut)


def test_preferred_dates_of_the_sandbox_items_cannot_be_read() -> None:
    outranked = set()
    for line in list_broken_lines()[1:]:
        for name, claims in json.loads(line).get("claims", {}).items():
            times = {claim["rank"]: claim["mainsnak"]["datavalue"]["value"] for claim in claims}
            if "preferred" in times:
                parse(times["normal"])
                with pytest.raises(Malformed) as error:
                    parse(times["preferred"])
                outranked.add((name, str(error.value)))
    assert outranked == {
        ("P569", "year BCE"),
        ("P569", "precision 11 without a day"),
        ("P570", "year BCE"),
        ("P570", "calendar is neither Gregorian (Q1985727) nor Julian (Q1985786)"),
    }


def parse(value: dict[str, Any]) -> StatedTime:
    return read_time(
        *(value["time"], value["precision"], value["calendarmodel"], value["before"], value["after"]),
    )


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1343 before 3 after 2", "1340-01-01", "1345-12-31"),
        ("1990-05 before 1", "1990-04-01", "1990-05-31"),
        ("1900-02-29 julian after 1", "1900-03-13", "1900-03-14"),
    ],
)
def test_a_time_says_how_far_off_it_may_be(text: str, first: str, last: str) -> None:
    time = parse(time_value(Snak(569, "time", "value", text)))
    assert (time.first.isoformat(), time.last.isoformat()) == (first, last)


def test_a_statement_is_written_as_wikidata_writes_it() -> None:
    term = Statement(
        Snak(39, "item", "value", "Q11696"),
        "preferred",
        (Snak(580, "time", "value", "1993-01"), Snak(582, "time", "somevalue", "")),
    )
    height = Statement(Snak(2044, "quantity", "value", "8848.86 Q11573"), "normal", ())
    written = serialize_item(Item(1, "a", None, "A", 5, (term, height), ("b",), 2))
    assert list(written["sitelinks"]) == ["enwiki", "dewiki", "frwiki"]
    assert written["aliases"] == {"en": [{"language": "en", "value": "b"}]}
    [claim] = written["claims"]["P39"]
    assert claim["mainsnak"] == {
        "snaktype": "value",
        "property": "P39",
        "datavalue": {
            "value": {"entity-type": "item", "numeric-id": 11696, "id": "Q11696"},
            "type": "wikibase-entityid",
        },
        "datatype": "wikibase-item",
    }
    assert re.fullmatch(r"Q1\$[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}", claim["id"])
    start = claim["qualifiers"]["P580"][0]["datavalue"]["value"]
    assert (start["time"], start["precision"]) == ("+1993-01-00T00:00:00Z", 10)
    assert claim["qualifiers"]["P582"][0]["snaktype"] == "somevalue"
    assert claim["qualifiers-order"] == ["P580", "P582"]
    amount = written["claims"]["P2044"][0]["mainsnak"]["datavalue"]["value"]
    assert amount == {"amount": "+8848.86", "unit": "http://www.wikidata.org/entity/Q11573"}
    assert written["sitelinks"]["enwiki"]["title"] == "A"


def test_a_text_of_one_language_is_written_as_wikidata_writes_it() -> None:
    demonym = Statement(Snak(1549, "monolingualtext", "value", "French"), "normal", ())
    france = Item(142, "France", None, None, None, (demonym,))
    [claim] = serialize_item(france)["claims"]["P1549"]
    assert claim["mainsnak"] == {
        "snaktype": "value",
        "property": "P1549",
        "datavalue": {"value": {"text": "French", "language": "en"}, "type": "monolingualtext"},
        "datatype": "monolingualtext",
    }
    assert 'wd:Q142 wdt:P1549 "French"@en .' in list(render_turtle(SampleWorld({142: france}, {}, (), {})))


def test_every_dated_bullet_of_the_pages_is_read(sample_paths: Sources) -> None:
    reasons = []
    for path in sample_paths.year_pages:
        bullets = parse_year_page(int(Path(path).stem), Path(path).read_text(encoding="utf-8"))
        reasons += [bullet.reason for bullet in bullets]
    assert reasons.count(None) > 200
    assert "no such day" in reasons
    assert "no date" in reasons


def test_pages_nest_what_happens_on_one_day() -> None:
    texts = [s for s in sample_world().sentences if (s.year, s.date) == (1990, "August 2")]
    assert len(texts) > 1


def test_views_add_up_to_the_month(sample_paths: Sources) -> None:
    views: dict[str, int] = {}
    for path in sample_paths.pageviews:
        for line in bz2.decompress(Path(path).read_bytes()).decode().splitlines():
            fields = line.split(" ")
            if fields[0] == "en.wikipedia" and len(fields) == 6:
                assert sum(int(n) for n in re.findall(r"[A-X]([0-9]+)", fields[5])) == int(fields[4])
                views[fields[1]] = views.get(fields[1], 0) + int(fields[4])
    for item in sample_world().items.values():
        if item.title and item.views:
            assert views[item.title.replace(" ", "_")] == item.views


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("1582-10-04 julian", "1582-10-14"),
        ("1700-02-28 julian", "1700-03-10"),
        ("1700-02-29 julian", "1700-03-11"),
        ("1700-03-01 julian", "1700-03-12"),
        ("1917-10-25 julian", "1917-11-07"),
        ("1143-10-05 julian", "1143-10-12"),
        ("1997-12-19", "1997-12-19"),
        ("1997", "1997-01-01"),
    ],
)
def test_days_in_rdf_are_gregorian(day: str, expected: str) -> None:
    assert _to_gregorian(Snak(1, "time", "value", day)).isoformat() == expected
