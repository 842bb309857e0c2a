from __future__ import annotations

import bz2
import gzip
import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Sources
from everwhen.core.errors import InputError
from everwhen.sources.register import EDGE, compute_fingerprint, register

pytestmark = pytest.mark.spark


def test_fingerprints_by_path(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a.json", "b [1].json", "1990.wikitext"):
        (tmp_path / name).write_text(name)
    found = register(spark, Sources(dump=[str(tmp_path / "*.json")], year_pages=[str(tmp_path / "1990.wikitext")]))
    assert sorted(found) == [str(tmp_path / name) for name in ("1990.wikitext", "a.json", "b [1].json")]
    assert len(set(found.values())) == 3


def test_a_fingerprint_sees_size_and_both_ends(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    complete = bytearray(3 * EDGE)
    seen = []
    for change in (None, 0, EDGE - 1, 2 * EDGE, 3 * EDGE - 1):
        data = bytearray(complete)
        if change is not None:
            data[change] = 1
        path.write_bytes(data)
        seen.append(compute_fingerprint(spark, str(path)))
    path.write_bytes(complete + b"\0")
    seen.append(compute_fingerprint(spark, str(path)))
    assert len(set(seen)) == len(seen)
    path.write_bytes(complete)
    assert compute_fingerprint(spark, str(path)) == seen[0]


def test_a_small_file_has_one_too(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "one").write_bytes(b"1")
    assert compute_fingerprint(spark, str(tmp_path / "empty")) != compute_fingerprint(spark, str(tmp_path / "one"))


COMPLETE = bz2.compress(b"".join(b"%d\n" % n for n in range(40_000)), 1)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        pytest.param("a.json.bz2", COMPLETE[:-1], "does not end as a bzip2 file does", id="bz2-without-its-last-byte"),
        pytest.param("a.json.bz2", COMPLETE[:-12], "does not end as a bzip2 file does", id="bz2-cut-after-a-block"),
        pytest.param(
            "a.json.bz2", COMPLETE + b"<html>", "does not end as a bzip2 file does", id="bz2-with-garbage-behind"
        ),
        pytest.param("a.json.bz2", b"<html>Moved</html>", "not a bzip2 file", id="bz2-that-is-none"),
        pytest.param("a.json.bz2", b"", "not a bzip2 file", id="bz2-without-a-byte"),
        pytest.param("a.json.gz", b"<html>Moved</html>", "not a gzip file", id="gz-that-is-none"),
    ],
)
def test_a_file_that_is_not_compressed_to_its_end(
    spark: SparkSession, tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=rf"^sources\.dump: {tmp_path}/{name}: {message}.*; fetch it again$"):
        register(spark, Sources(dump=[str(tmp_path / name)]))


def test_files_that_are_compressed_to_their_ends(spark: SparkSession, tmp_path: Path) -> None:
    lengths = range(200)  # the bits that fill the last byte hang on the text
    for length in lengths:
        (tmp_path / f"{length}.json.bz2").write_bytes(bz2.compress(random.Random(length).randbytes(length)))
    (tmp_path / "many.json.bz2").write_bytes(COMPLETE * 3)
    (tmp_path / "some.json.gz").write_bytes(gzip.compress(b"text"))
    assert len(register(spark, Sources(dump=[str(tmp_path)]))) == len(lengths) + 2


def test_a_missing_file_is_named_with_its_key(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sources\.year_pages: .*nowhere"):
        register(spark, Sources(year_pages=[str(tmp_path / "nowhere*.wikitext")]))
