from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.config import PULLED, Config
from everwhen.core.errors import InputError
from everwhen.sources.pull import find_skip_reason, pull, require_recent, to_key, with_pulled

ALL = list(PULLED)


def config(**more: Any) -> Config:
    return Config(version="t", snapshot="t", **more)


@pytest.mark.parametrize("what", ALL)
def test_sources_of_a_build_are_pulled(what: str) -> None:
    key = to_key(what)
    assert find_skip_reason(config(pull={"sources": ALL}), what) == ""
    assert find_skip_reason(config(), what) == f"pull.sources does not name {what}"
    named = config(pull={"sources": ALL}, sources={key: ["a"]})
    assert find_skip_reason(named, what) == f"sources.{key} names its files"
    assert "the embedded sample" in find_skip_reason(config(pull={"sources": ALL}, sources={"sample": True}), what)


URL = "https://example.org/a.json.bz2"
THREE = {"sources": ["year-pages", "pageviews", "dump"], "dump_url": URL}
YEAR = {"window": {"start": "1999-01-01", "end": "1999-12-31"}}
FINISHED = {
    "year_pages": ["1999"],
    "entity_lists": ["films"],
    "pageviews": ["2023-06-01 to 2023-06-30, user"],
    "dump": [URL],
}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A raw folder with one file of each source, what a killed pull has left, and manifests."""
    there = [
        *("year_pages/1999.wikitext", "year_pages/redirects.jsonl", "year_pages/.2000.wikitext.part"),
        *("entity_lists/films.jsonl", "entity_lists/persons.jsonl", "entity_lists/.books.part"),
        *("pageviews/pageviews.jsonl", "pageviews/.pageviews.part"),
        *("dump/a.json.bz2", "dump/.b.json.bz2.part", "dump/.b.json.bz2.about"),
    ]
    for name in there:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for folder, parts in FINISHED.items():
        (tmp_path / folder / "pull.json").write_text(json.dumps({"items": [], "finished": parts}))
    return tmp_path


def test_a_build_reads_what_was_pulled_and_nothing_half_pulled(raw: Path) -> None:
    found = with_pulled(config(pull=THREE, **YEAR), raw).sources
    assert found.model_dump() == {
        "sample": False,
        "dump": [str(raw / "dump" / "a.json.bz2")],
        "year_pages": [str(raw / "year_pages" / "1999.wikitext")],
        "pageviews": [str(raw / "pageviews" / "pageviews.jsonl")],
        "entity_lists": [],
    }
    (raw / "dump" / "a.json.bz2").unlink()
    only_dump = {"sources": ["dump"], "dump_url": URL}
    with pytest.raises(InputError, match=r"dump: nothing was pulled; run `everwhen pull dump` first"):
        with_pulled(config(pull=only_dump), raw)
    assert with_pulled(config(pull=only_dump, sources={"dump": ["x"]}), raw).sources.dump == ["x"]


def test_a_month_s_file_of_views_is_read(raw: Path) -> None:
    (raw / "pageviews" / "pageviews.jsonl").rename(raw / "pageviews" / "pageviews-202306-user.bz2")
    (raw / "pageviews" / ".pageviews-202306-spider.bz2.part").touch()
    found = with_pulled(config(pull={"sources": ["pageviews"]}), raw).sources
    assert found.pageviews == [str(raw / "pageviews" / "pageviews-202306-user.bz2")]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"window": {"start": "1999-01-01", "end": "2000-12-31"}}, "year_pages: the pull of 2000 has not ended"),
        (
            YEAR | {"views": {"start": "2023-05-01", "end": "2023-05-31"}},
            "pageviews: the pull of 2023-05-01 to 2023-05-31, user has not ended; run `everwhen pull pageviews` first",
        ),
        (
            YEAR | {"pull": {**THREE, "dump_url": "https://example.org/b.json.bz2"}},
            "dump: the pull of https://.*/b.json",
        ),
    ],
)
def test_what_was_pulled_for_another_configuration_is_refused(raw: Path, more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_pulled(config(**{"pull": THREE, **more}), raw)


def test_a_pull_that_was_broken_off_is_no_source(raw: Path) -> None:
    (raw / "year_pages" / "pull.json").write_text('{"items": []}')
    with pytest.raises(InputError, match="year_pages: nothing was pulled; run `everwhen pull year-pages` first"):
        with_pulled(config(pull=THREE, **YEAR), raw)


def test_lists_that_are_not_pulled_are_taken_from_the_dump(raw: Path) -> None:
    lists = {"lists": ["films", "persons"]}
    one = config(pull={"sources": ["entity-lists"]}, world=lists)
    assert with_pulled(one, raw).sources.entity_lists == [str(raw / "entity_lists" / "films.jsonl")]
    named = config(pull={"sources": ["entity-lists"], "lists": ["persons"]}, world=lists)
    with pytest.raises(InputError, match="entity_lists: the pull of persons has not ended"):
        with_pulled(named, raw)


def test_a_snapshot_without_a_date_is_refused(raw: Path) -> None:
    undated = config(pull={"sources": ["dump"]})
    with pytest.raises(InputError, match=r"snapshot: t: the dump is pulled by its date; `everwhen pull snapshot`"):
        with_pulled(undated, raw)


@pytest.mark.parametrize("raw", ["s3a://bucket/raw", "hdfs:///raw"])
def test_pulls_go_to_a_folder(raw: str) -> None:
    with pytest.raises(InputError, match=r"--raw: .* a local folder or a mount"):
        pull(config(), "dump", Path(raw))


TODAY = dt.date(2026, 11, 26)


def build_dated(snapshot: str) -> Config:
    return Config(version="t", snapshot=snapshot, pull=THREE, **YEAR)


@pytest.mark.parametrize("what", ["year-pages", "entity-lists"])
def test_what_is_of_today_is_not_fetched_for_a_date_that_is_past(tmp_path: Path, what: str) -> None:
    require_recent(build_dated("2026-10-12"), what, tmp_path, 45, TODAY)
    with pytest.raises(InputError, match=rf"2026-10-11: is 46 days ago, and the servers have {what} of today alone"):
        require_recent(build_dated("2026-10-11"), what, tmp_path, 45, TODAY)


@pytest.mark.parametrize("what", ["dump", "pageviews"])
def test_what_has_a_date_is_fetched_at_any_time(tmp_path: Path, what: str) -> None:
    require_recent(build_dated("2020-01-01"), what, tmp_path, 0, TODAY)


def test_what_was_fetched_in_time_is_no_longer_refused(raw: Path) -> None:
    require_recent(build_dated("2020-01-01"), "year-pages", raw, 0, TODAY)


def test_a_snapshot_without_a_date_has_no_age(tmp_path: Path) -> None:
    require_recent(config(pull=THREE), "year-pages", tmp_path, 0, TODAY)
