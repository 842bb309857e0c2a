from __future__ import annotations

import datetime as dt

import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Window
from everwhen.tables.facts import ENTITIES, REDIRECTS, YEAR_PAGE_EVENTS
from everwhen.tables.world import MEMBERS
from everwhen.world.events import derive_event_candidates, judge_links, resolve_links
from table_rows import Row, build_table, build_times, parse_day

pytestmark = pytest.mark.spark


def test_links_lead_to_events_of_the_bullet_s_date_or_say_why_not(spark: SparkSession) -> None:
    titles = ["Event", "Old name", "Rock", "Nowhere", "Dated otherwise", "Next day", "Year", "Undated", "Claimed twice"]
    bullet = {"year": 1991, "bullet": 3, "first_day": parse_day("1991-05-26"), "last_day": parse_day("1991-05-26")}
    bullets = [bullet | {"titles": titles}, bullet | {"bullet": 4, "titles": []}]
    articles = {1: "Event", 2: "New name", 3: "Rock", 5: "Dated otherwise", 6: "Next day", 7: "Year", 8: "Undated"}
    entities = [{"item": n, "title": title} for n, title in articles.items()]
    entities += [{"item": n, "title": "Claimed twice"} for n in (9, 10)] + [{"item": 11}]
    redirects = [("title", "Old name", "New name"), ("item", "Rock", "Event"), ("title", "Nowhere", "No article")]
    occurrences: list[Row] = [
        {"entity": 1} | build_times("1991-05-26"),
        {"entity": 2} | build_times("1991-05-01", "1991-05-26"),
        {"entity": 5} | build_times("1990-05-26"),
        {"entity": 6} | build_times("1991-05-27"),
        {"entity": 7} | build_times("1991"),
        {"entity": 8, "reason": "no time stated"},
    ]
    links = resolve_links(
        build_table(spark, YEAR_PAGE_EVENTS, bullets),
        build_table(spark, ENTITIES, entities),
        spark.createDataFrame(redirects, REDIRECTS.ddl),
    )
    judged = judge_links(links, build_table(spark, MEMBERS, occurrences)).collect()
    assert {row.title: (row.entity, row.reason) for row in judged} == {
        "Event": (1, None),
        "Old name": (2, None),
        "Rock": (3, "not an occurrence"),
        "Nowhere": (None, "no item for the article"),
        "Dated otherwise": (5, "date disagrees with the bullet's"),
        "Next day": (6, "date disagrees with the bullet's"),
        "Year": (7, None),
        "Undated": (8, "no time stated"),
        "Claimed twice": (None, "no item for the article"),
    }
    assert len(judged) == len(titles)
    assert {(row.year, row.bullet) for row in judged} == {(1991, 3)}


WINDOW = Window(start=dt.date(1987, 1, 1), end=dt.date(2023, 12, 31))
SOUND: Row = {"linked": False, "from_page": False, "named": True, "place_reason": None}
CASES: dict[str, tuple[Row, str | None]] = {
    "first day": (build_times("1987-01-01"), None),
    "day before": (build_times("1986-12-31"), "outside the window"),
    "last day": (build_times("2023-12-31"), None),
    "day after": (build_times("2024-01-01"), "outside the window"),
    "ends on the first day": (build_times("1980", "1987-01-01"), None),
    "ends before": (build_times("1980", "1986-12-31"), "outside the window"),
    "begins on the last day": (build_times("2023-12-31", "2025"), None),
    "goes all through": (build_times("1986", "2024"), "outside the window"),
    "a decade": (build_times("1990s"), "time coarser than a year"),
    "no time": ({"reason": "several starts"}, "several starts"),
    "linked": (build_times("1990") | {"linked": True, "from_page": True}, None),
    "in a list and linked": (build_times("1990") | {"from_page": True}, None),
    "no link": (build_times("1990") | {"linked": True}, "no year page links to it"),
    "no name": (build_times("1990") | {"named": False}, "no unambiguous name"),
    "no place": (build_times("1990") | {"place_reason": "few views"}, "few views"),
}


def test_which_events_can_be_asked_about(spark: SparkSession) -> None:
    names = list(CASES)
    members, primary, linked = [], [], []
    for entity, (case, _) in enumerate(CASES.values()):
        facts = {key: case.get(key, value) for key, value in SOUND.items()}
        members.append(
            {"list": "wars", "entity": entity, "countries": [7]} | {k: v for k, v in case.items() if k not in SOUND}
        )
        primary.append((entity, "wars", facts["linked"], facts["named"], facts["place_reason"]))
        linked += [(entity,), (entity,)] if facts["from_page"] else []
    members.append({"list": "battles", "entity": 0} | build_times("1990"))
    found = derive_event_candidates(
        build_table(spark, MEMBERS, members),
        spark.createDataFrame(linked, "entity bigint"),
        spark.createDataFrame(
            primary, "entity bigint, list string, linked boolean, named boolean, place_reason string"
        ),
        WINDOW,
    ).collect()
    assert len(found) == len(CASES)
    assert {names[row.entity]: row.reason for row in found} == {name: reason for name, (_, reason) in CASES.items()}
    sources = {names[row.entity]: row.source for row in found}
    assert sources["linked"] == "year page"
    assert sources["in a list and linked"] == "year page and list"
    assert sources["first day"] == "list"
