from __future__ import annotations

import bz2
import gzip
import hashlib
import json
from collections import Counter

import pytest
from pyspark.sql import Observation
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.core.failures import translate_failures
from everwhen.facts.dump import read_dump
from everwhen.tables.facts import DUMP_ROWS
from everwhen.wikidata.columns import SCHEMA

pytestmark = pytest.mark.spark

ALL = [column.name for column in DUMP_ROWS.columns if column.name not in ("file", "place", "line_hash")]


def plain(number: int) -> dict[str, object]:
    return {"type": "item", "id": f"Q{number}", "labels": {"en": {"value": hashlib.sha256(b"%d" % number).hexdigest()}}}


def test_arrow_schema_is_that_of_the_table(spark):
    from pyspark.sql.pandas.types import from_arrow_schema

    assert [f.name for f in from_arrow_schema(SCHEMA)] == [c.name for c in DUMP_ROWS.columns]
    assert [f.dataType.simpleString() for f in from_arrow_schema(SCHEMA)] == [
        f.dataType.simpleString() for f in DUMP_ROWS.schema
    ]


def test_every_line_ends_in_one_row(spark, dump):
    lines = [b"[", b'{"type":"item","id":"Q1"},', b"", b'{"type":"item","id":"Q2"', b"\xff\xfe", b'{"id":"P3"}', b"]\r"]
    names = ("dump.json", "dump.json.gz", "dump.json.bz2", "an odd [name] {1}*.json")
    paths = [dump(*lines, name=name) for name in names]
    observed = Observation()
    rows = read_dump(spark, paths, [], observed).select("file", "place", "kind").collect()
    assert observed.get == {"lines": len(names) * len(lines)}
    kinds = ("skipped", "entity", "skipped", "reject", "reject", "skipped", "skipped")
    assert sorted(map(tuple, rows)) == [
        (path, f"line {n}", kind) for path in sorted(paths) for n, kind in enumerate(kinds, 1)
    ]


def test_several_files_are_counted_apart(spark, dump, tmp_path):
    dump(plain(1), plain(2), name="a.json")
    dump(plain(3), name="b.json.gz")
    rows = read_dump(spark, [f"{tmp_path}/*.json*"], []).select("item", "file", "place").collect()
    assert sorted((row.item, row.file.rsplit("/", 1)[1], row.place) for row in rows) == [
        (1, "a.json", "line 1"),
        (2, "a.json", "line 2"),
        (3, "b.json.gz", "line 1"),
    ]


def test_a_file_named_twice_is_read_once(spark, dump, tmp_path):
    path = dump(plain(1))
    assert read_dump(spark, [path, f"file:{path}", f"{tmp_path}/*.json", str(tmp_path)], []).count() == 1


@pytest.fixture
def small_splits(spark):
    """Splits of half a megabyte."""
    before = spark.conf.get("spark.sql.files.maxPartitionBytes")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "524288")
    yield
    spark.conf.set("spark.sql.files.maxPartitionBytes", before)


@pytest.mark.full
@pytest.mark.parametrize("name", ["dump.json", "dump.json.bz2"])
def test_splits_lose_and_repeat_nothing(spark, dump, small_splits, name):
    """A bz2 block holds 900 kB of text: 36,000 lines of hashes make several."""
    numbers = range(1, 36_001)
    path = dump(b"[", *map(plain, numbers), b"]", name=name)
    rows = read_dump(spark, [path], []).localCheckpoint()
    assert rows.rdd.getNumPartitions() > 2
    counts = rows.agg(F.count("item"), F.count_distinct("item"), F.max("item"), F.count_distinct("place"), F.count("*"))
    assert tuple(counts.first()) == (36_000, 36_000, 36_000, 36_002, 36_002)
    first_split = rows.where(F.col("place").startswith("line "))
    later = rows.where(F.col("place").rlike(r"^split at byte [1-9]\d*, line \d+$"))
    assert first_split.where("place = 'line 1' and kind = 'skipped'").count() == 1
    assert later.count() == 36_002 - first_split.count() > 0


@pytest.mark.full
def test_real_bz2_gives_the_same_rows_in_any_number_of_splits(spark, shared_data, request):
    path = str(shared_data / "wikidata" / "dump-2014-old-format.json.bz2")

    def content() -> tuple[int, int, int]:
        rows = read_dump(spark, [path], [])
        counts = rows.agg(
            F.count("*"),
            F.sum(F.xxhash64(*ALL).cast("decimal(38,0)")),
            F.count_distinct(F.regexp_extract("place", r"^split at byte (\d+)", 1)),
        )
        return tuple(counts.first())

    complete = content()
    request.getfixturevalue("small_splits")
    split = content()
    assert split[:2] == complete[:2]
    assert (complete[2], split[2]) == (1, 4)
    assert complete[0] == 1707 + 11712


@pytest.mark.full
def test_three_generations_at_once(spark, shared_data):
    names = ["dump-2014-old-format.json.bz2", "dump-49-items.json.bz2", "rich-items-100.json.bz2"]
    observed = Observation()
    rows = read_dump(spark, [str(shared_data / "wikidata" / name) for name in names], ["external-id"], observed)
    counts = Counter()
    for row in (
        rows.groupBy("level", "kind").agg(F.sum("units").alias("units"), F.sum("statements").alias("held")).collect()
    ):
        counts[row.level, row.kind] = row.units
        counts["held"] += row.held or 0
    assert observed.get["lines"] == sum(counts["line", kind] for kind in ("entity", "reject", "skipped", "redirect"))
    assert counts["line", "entity"] == 400 + 49 + 100
    assert counts["held"] == sum(counts["statement", kind] for kind in ("statement", "reject", "skipped"))


@pytest.mark.parametrize("path", ["{tmp}/none.json", "{tmp}/*.json", "{tmp}"])
def test_a_path_without_a_file_is_named(spark, tmp_path, path):
    path = path.format(tmp=tmp_path)
    with pytest.raises(InputError) as error:
        read_dump(spark, [path], [])
    assert str(error.value) == f"{path}: no such dump file"


def test_no_path_at_all(spark):
    with pytest.raises(InputError, match="no dump file is named"):
        read_dump(spark, [], [])


def test_a_line_cut_off_at_the_end_of_a_file_is_rejected(spark, tmp_path):
    text = b'[\n{"type":"item","id":"Q1"},\n{"type":"item","id":"Q2","labels":{"en":{"val'
    pack = {"dump.json": bytes, "dump.json.gz": gzip.compress, "dump.json.bz2": bz2.compress}
    for name, compress in pack.items():
        (tmp_path / name).write_bytes(compress(text))
    rows = read_dump(spark, [str(tmp_path / name) for name in pack], []).collect()
    assert sorted((row.file, row.place, row.kind, row.reason) for row in rows) == [
        (str(tmp_path / name), *line)
        for name in sorted(pack)
        for line in (
            ("line 1", "skipped", "array bracket or blank line"),
            ("line 2", "entity", None),
            ("line 3", "reject", "not JSON: unexpected end of data"),
        )
    ]


def squeezed(name: str, text: bytes) -> bytes:
    """Compressed so that there are many blocks to be cut."""
    return bz2.compress(text, 1) if name.endswith("bz2") else gzip.compress(text)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        pytest.param("cut.json.bz2", lambda data: data[: len(data) // 2], id="bz2-cut-in-a-block"),
        pytest.param(
            "bent.json.bz2", lambda data: data[:150_000] + b"\0" * 8 + data[150_008:], id="bz2-bent-in-a-block"
        ),
        pytest.param("cut.json.gz", lambda data: data[: len(data) // 2], id="gz-cut"),
        pytest.param("more.json.gz", lambda data: data + b"<html>Moved</html>", id="gz-with-garbage-behind"),
        pytest.param("page.json.gz", lambda data: b"<html>Moved</html>", id="gz-that-is-none"),
    ],
)
def test_a_file_that_does_not_unpack_to_its_end_is_named(spark, tmp_path, name, damage):
    text = b"".join(json.dumps(plain(n)).encode() + b"\n" for n in range(1, 8_001))
    path = tmp_path / name
    path.write_bytes(damage(squeezed(name, text)))
    with pytest.raises(InputError) as reported, translate_failures(str(tmp_path / "out"), "scratch"):
        DUMP_ROWS.write(read_dump(spark, [str(path)], []), str(tmp_path / "out"))
    assert str(reported.value).startswith(f"{path}: cannot be read to its end: ")
    assert "\n" not in str(reported.value)
    assert DUMP_ROWS.read_manifest(spark, str(tmp_path / "out")) is None


def test_lines_of_fifty_megabytes_and_ten_thousand_statements(spark, dump):
    statements = [
        {
            "id": f"Q2${n}",
            "rank": "normal",
            "mainsnak": {"snaktype": "somevalue", "property": "P1", "datatype": "string"},
        }
        for n in range(10_000)
    ]
    path = dump(
        plain(1),
        {**plain(2), "claims": {"P1": statements}},
        {**plain(3), "aliases": {"en": [{"value": "a" * 50_000_000}]}},
        b'{"type":"item","id":"Q4","x":"' + b"a" * 50_000_000,
        plain(5),
        name="dump.json.gz",
    )
    rows = read_dump(spark, [path], [])
    found = rows.groupBy("place", "kind").agg(F.count("*").alias("n"), F.max(F.length("sample")).alias("length"))
    assert sorted((row.place, row.kind, row.n, row.length) for row in found.collect()) == [
        ("line 1", "entity", 1, None),
        ("line 2", "entity", 1, None),
        ("line 2", "statement", 10_000, None),
        ("line 3", "entity", 1, None),
        ("line 4", "reject", 1, 200),
        ("line 5", "entity", 1, None),
    ]
