from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from everwhen.core.errors import InputError
from everwhen.core.reasons import RejectReason
from everwhen.facts.entity_lists import read_entity_lists

pytestmark = pytest.mark.spark


def test_members_rejects_and_record_counts(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "films.jsonl").write_text('{"item": 5}\n{"item": 6}\n{"item": 5}\n{"item": "Q7"}\n{"item": 0}\n{"it')
    (tmp_path / "books.jsonl").write_text('{"item": 5}\n')
    (tmp_path / "wars.jsonl").write_text("")
    (tmp_path / "pull.json").write_text("{}")
    read = read_entity_lists(spark, [str(tmp_path)], {"films", "books", "wars"})
    assert {(r.list, r.item) for r in read.rows.collect()} == {("films", 5), ("films", 6), ("books", 5)}
    assert {(r.record_type, r.reason, r.sample) for r in read.rejects.collect()} == {
        ("list row", RejectReason.BAD_LIST_ROW, '{"item": "Q7"}'),
        ("list row", RejectReason.BAD_LIST_ROW, '{"item": 0}'),
        ("list row", RejectReason.BAD_LIST_ROW, '{"it'),
    }
    counts = {row.reason or row.status: row.records for row in read.record_counts.collect()}
    assert counts == {"input": 7, "kept": 3, "member occurs before": 1, RejectReason.BAD_LIST_ROW: 3}


def test_a_file_named_after_no_list(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "flims.jsonl").write_text("")
    with pytest.raises(InputError, match="no entity list of this name; known are films"):
        read_entity_lists(spark, [str(tmp_path)], {"films"})


def test_bytes_that_are_no_text(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "films.jsonl").write_bytes(b'{"item": 5, "label": "\xff"}\n\0\n{"item": 6}\n')
    read = read_entity_lists(spark, [str(tmp_path)], {"films"})
    assert [(r.list, r.item) for r in read.rows.collect()] == [("films", 6)]
    assert {row.sample for row in read.rejects.collect()} == {'{"item": 5, "label": "\ufffd"}', "\0"}
    read.record_counts.toArrow().validate(full=True)
