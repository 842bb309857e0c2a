from __future__ import annotations

import bz2
import datetime as dt
import gzip
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Sources, Views
from everwhen.core.errors import InputError
from everwhen.core.reasons import RejectReason
from everwhen.facts.pageviews import read_pageviews
from everwhen.facts.stage import Parsed
from everwhen.sample.load import sample_world

pytestmark = pytest.mark.spark
JUNE = Views(start=dt.date(2023, 6, 1), end=dt.date(2023, 6, 30))


def views(read: Parsed) -> dict[str, int]:
    return {row.title: row.views for row in read.rows.collect()}


def record_counts_(read: Parsed) -> dict[str, int]:
    rows = read.record_counts.collect()
    counts = {row.reason or row.status: row.records for row in rows}
    assert counts["input"] == sum(row.records for row in rows if row.status != "input")
    return counts


@pytest.mark.full
def test_sample_views(spark: SparkSession, sample_paths: Sources) -> None:
    read = read_pageviews(spark, sample_paths.pageviews, JUNE)
    expected = {item.title: item.views for item in sample_world().items.values() if item.title and item.views}
    assert views(read) == expected
    assert record_counts_(read)["another project"] == 1
    [reject] = read.rejects.collect()
    assert (reject.record_type, reject.reason, reject.sample) == (
        "view line",
        RejectReason.BAD_VIEW_LINE,
        "en.wikipedia Broken_line",
    )
    assert reject.file.endswith("pageviews-20230603-user.bz2")


def test_lines_of_all_kinds(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "pageviews-20230601-user.bz2").write_bytes(
        bz2.compress(
            "en.wikipedia AC/DC 1 desktop 2 K1W1\n"
            "en.wikipedia AC/DC 1 mobile-web 3 K3\n"
            "en.wikipedia élan_vital null desktop 4 A4\n"
            "de.wikipedia AC/DC 1 desktop 9 A9\n"
            "en.wikipedia.m AC/DC 1 desktop 9 A9\n"
            "en.wikipedia Two words 1 desktop 9 A9\n"
            "en.wikipedia AC/DC 1 desktop many A9\n"
            "en.wikipedia AC/DC 1 desktop -9 A9\n"
            "en.wikipedia  1 desktop 9 A9\n"
            "nonsense\n"
            "\n".encode()
        )
    )
    (tmp_path / "pageviews-20230630-user.gz").write_bytes(gzip.compress(b"en.wikipedia AC/DC 1 desktop 5 A5\n"))
    (tmp_path / "pageviews-20230701-user").write_text("en.wikipedia AC/DC 1 desktop 100 A100\n")
    (tmp_path / "pageviews-20230602-spider").write_text("en.wikipedia AC/DC 1 desktop 1000 A1000\n")
    (tmp_path / "pageviews-202306-automated").write_text("en.wikipedia AC/DC 1 desktop 10000 A10000\n")
    (tmp_path / "pageviews.jsonl").write_text(
        '{"title": "AC/DC", "views": 7}\n{"title": "Zebra", "views": 0}\n{"title": "Zebra", "views": 0}\n'
        '{"title": "Yak", "views": -1}\n{"title": "Yak"}\n{"views": 3}\n{"title": "Ya\n'
    )
    (tmp_path / "pull.json").write_text("{}")
    read = read_pageviews(spark, [str(tmp_path)], JUNE)
    assert views(read) == {"AC/DC": 10, "Élan vital": 4, "Zebra": 0}
    assert record_counts_(read) == {
        "input": 21,
        "kept": 5,
        "another project": 2,
        RejectReason.BAD_VIEW_LINE: 6,
        "outside the period": 1,
        "another agent": 2,
        RejectReason.BAD_PULLED_LINE: 4,
        "title occurs before": 1,
        "title stands in a pageview_complete file": 1,
    } | {"input": 22}
    assert read.rejects.count() == 10
    everybody = read_pageviews(spark, [str(tmp_path)], JUNE.model_copy(update={"agent": "all-agents"}))
    assert views(everybody)["AC/DC"] == 11_010


def test_real_lines(spark: SparkSession, shared_data: Path) -> None:
    period = Views(start=dt.date(2023, 3, 20), end=dt.date(2023, 3, 22))
    read = read_pageviews(spark, [str(shared_data / "pageviews" / "*.bz2")], period)
    assert views(read) == {"Obergesteln": 4, "Obergesteln railway station": 2}
    assert record_counts_(read) == {"input": 35, "kept": 4, "another project": 30, "outside the period": 1}


@pytest.mark.parametrize("name", ["views.bz2", "pageviews-20231301-user.bz2", "pageviews-20230601-robot"])
def test_a_name_that_says_no_day(spark: SparkSession, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(InputError, match=name):
        read_pageviews(spark, [str(tmp_path / name)], JUNE)


def test_bytes_that_are_no_text(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "pageviews-20230601-user").write_bytes(
        b"en.wikipedia A\xff\xfeC 1 desktop 2 K1W1\n"
        b"en.wikipedia A\0C 1 desktop 3 K3\n"
        b"de.wikipedia \xc3 1 desktop 9 A9\n"
        b"\xf0\x9f\n" + b"en.wikipedia " + b"a" * 1_000_000 + b"\n"
    )
    (tmp_path / "pageviews.jsonl").write_bytes(b'{"title": "B\xffD", "views": 7}\n{"title": "\0", "views": 7}\n')
    read = read_pageviews(spark, [str(tmp_path)], JUNE)
    assert views(read) == {"A\0C": 3}
    assert record_counts_(read) == {
        "input": 7,
        "kept": 1,
        "another project": 1,
        RejectReason.BAD_VIEW_LINE: 3,
        RejectReason.BAD_PULLED_LINE: 2,
    }
    samples = {row.sample for row in read.rejects.collect()}
    assert {"en.wikipedia A\ufffd\ufffdC 1 desktop 2 K1W1", "\ufffd", "en.wikipedia " + "a" * 187} < samples
    assert '{"title": "B\ufffdD", "views": 7}' in samples
    assert all(
        row.examples == [text.encode().decode() for text in row.examples] for row in read.record_counts.collect()
    )
    read.rejects.unionByName(read.rejects).toArrow().validate(full=True)  # Arrow refuses what is no UTF-8
