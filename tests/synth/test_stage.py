"""A synthetic world on disk: the same bytes from any number of workers, and nothing that looks whole and is not."""

from __future__ import annotations

import bz2
import hashlib
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.cli.main import main
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.synth import stage
from everwhen.synth.plan import plan_world
from everwhen.synth.stage import SynthWorld, check_output_folder, write_world

SYNTH = {"scale": 0.002, "countries": 4, "broken_rate": 0.1, "ambiguous_rate": 0.1}
CONFIG = Config(version="1", snapshot="synthetic", synth=SYNTH)


def written(spark: SparkSession, out: Path, partitions: int) -> dict[str, str]:
    """Digests of all files of a world."""
    world = SynthWorld(plan_world(CONFIG), CONFIG.views, out, part=150)
    write_world(spark, world, CONFIG, Console(file=io.StringIO()), partitions)
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.suffix != ".crc")
    return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.spark
@pytest.mark.full
def test_two_and_five_partitions_write_the_same_bytes(spark: SparkSession, tmp_path: Path) -> None:
    two, five = written(spark, tmp_path / "two", 2), written(spark, tmp_path / "five", 5)
    assert two == five
    assert sum(name.startswith("dump/") for name in two) >= 5
    assert {name for name in two if not name.startswith(("dump/", "year_pages/", "pageviews/", "truth/"))} == {
        "truth.json"
    }
    lines = bz2.decompress((tmp_path / "two" / "dump" / "part-00001.json.bz2").read_bytes()).split(b"\n")
    assert (lines[0], lines[-2:]) == (b"[", [b"]", b""])
    summary = json.loads((tmp_path / "two" / "truth.json").read_text(encoding="utf-8"))
    for name, rows in summary["rows"].items():
        assert pq.read_table(tmp_path / "two" / "truth" / f"{name}.parquet").num_rows == rows


@pytest.mark.spark
def test_what_did_not_come_to_its_end_has_no_summary(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, "STEPS", {"dump": stage._write_dump, "year pages": fail})
    with pytest.raises(KeyboardInterrupt):
        written(spark, tmp_path / "out", 1)
    assert list((tmp_path / "out" / "dump").iterdir())
    assert not (tmp_path / "out" / "truth.json").exists()
    with pytest.raises(InputError, match="holds a world that was not finished"):
        check_output_folder(str(tmp_path / "out"))


def test_a_folder_below_a_file_is_refused_before_spark_starts(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be made: .*/file is no folder that may be written"):
        check_output_folder(str(tmp_path / "file" / "world"))


@pytest.mark.parametrize("out", [".", "s3://bucket/world"])
def test_where_a_world_cannot_be_written(out: str) -> None:
    with pytest.raises(InputError, match=r"^(\.: exists already|s3://bucket/world: .*)"):
        check_output_folder(out)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", ["taken"], "taken: exists already"),
        ("window: {start: 2000-01-01, end: 2000-12-31}", ["out"], "window: a synthetic world takes two years at least"),
        ("synth: {scale: 0}", ["out"], "synth.scale: a number above 0"),
        ("synth: {film: 3}", ["out"], "synth.film: unknown key; did you mean films?"),
        ("", ["out", "--scale", "30"], "synth.scale: 20.0 or less is expected, found the number 30"),
    ],
)
def test_what_cannot_be_made_is_reported_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "mine.yaml").write_text(f"version: '1'\nsnapshot: s\n{text}\n")
    assert main(["synth", "--config", "mine.yaml", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert not (tmp_path / "out").exists()
