from __future__ import annotations

import bz2
import gzip
import io
import json
import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config, Sources
from everwhen.core.errors import InputError
from everwhen.sample.writers import render_sample
from everwhen.sources.stage import EDGE, compute_fingerprint, register, run_sources

pytestmark = pytest.mark.spark


def test_a_register_that_a_killed_build_left_empty_is_written_anew(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_text("[\n]\n")
    (tmp_path / "out" / "raw").mkdir(parents=True)
    register = tmp_path / "out" / "raw" / "sources.json"
    register.write_text("")
    config = Config(version="1", snapshot="s", sources={"dump": [str(tmp_path / "dump.json")]})
    run_sources(Build(spark, config, str(tmp_path / "out"), console=Console(file=io.StringIO())), render_sample)
    assert json.loads(register.read_text())["fingerprints"].keys() == {str(tmp_path / "dump.json")}


def ran(spark: SparkSession, root: Path, **sources: object) -> tuple[Build, str]:
    """The build after the stage, and what it said."""
    config = Config(version="t", snapshot="t", sources=Sources(**sources))
    build = Build(spark, config, str(root), console=Console(file=io.StringIO(), width=200))
    run_sources(build, render_sample)
    assert isinstance(build.console.file, io.StringIO)
    return build, build.console.file.getvalue()


def test_files_are_registered_once_and_must_stay_as_they_are(spark: SparkSession, tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text("[\n")
    first, message = ran(spark, tmp_path / "out", dump=[str(dump)])
    assert message == "  1 files\n"
    again, message = ran(spark, tmp_path / "out", dump=[str(dump)])
    assert message == "  sources: skipped, all 1 files are registered, and as they were\n"
    assert again.sources == first.sources
    moved = tmp_path / "elsewhere" / "dump.json"
    moved.parent.mkdir()
    moved.write_text("[\n")
    assert "skipped" in ran(spark, tmp_path / "out", dump=[str(moved)])[1]
    more = tmp_path / "1999.wikitext"
    more.touch()
    with pytest.raises(InputError, match="out/raw: made with different sources; take a new output folder"):
        ran(spark, tmp_path / "out", dump=[str(dump)], year_pages=[str(more)])
    dump.write_text("[\n{\n")
    with pytest.raises(InputError, match=r"out/raw: dump\.json has changed since this build began; take a new output"):
        ran(spark, tmp_path / "out", dump=[str(dump)])
    dump.unlink()
    with pytest.raises(InputError, match=r"dump\.json: no such dump file"):
        ran(spark, tmp_path / "out", dump=[str(dump)])


@pytest.mark.full
def test_the_sample_is_the_same_each_time(spark: SparkSession, tmp_path: Path) -> None:
    first, _ = ran(spark, tmp_path / "out", sample=True)
    again, message = ran(spark, tmp_path / "out", sample=True)
    assert f"sources: skipped, all {len(first.sources)} files" in message
    assert again.config.sources == first.config.sources
    dump = tmp_path / "dump.json"
    dump.write_text("[\n")
    with pytest.raises(InputError, match="made with different sources"):
        ran(spark, tmp_path / "out", dump=[str(dump)])


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
