from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST, Column, Table

pytestmark = pytest.mark.spark

NUMBERS = Table(
    name="things",
    stage="world",
    meaning="A thing.",
    columns=(
        Column("id", "bigint", "its number"),
        Column("name", "string", "what it is called", nullable=True),
        Column("parts", "array<string>", "what it is made of"),
    ),
)
ROWS: list[tuple[Any, ...]] = [(1, "one", ["a"]), (2, None, []), (3, "three", ["a", "b"])]


def build_rows(spark: SparkSession, rows: list[tuple[Any, ...]] = ROWS) -> DataFrame:
    return spark.createDataFrame(rows, NUMBERS.ddl)


def below(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and path.name[0] != ".")


@pytest.mark.parametrize("name", ["build", "josé [a]{b} *?"])
def test_what_is_written_is_read_back(spark: SparkSession, tmp_path: Path, name: str) -> None:
    root = tmp_path / name
    counted = Observation()
    rows = build_rows(spark).observe(counted, F.count_if(F.col("name").isNull()).alias("nameless"))
    manifest = NUMBERS.write(rows.select("parts", "name", "id"), str(root), {"config": "c"}, counted)
    folder = root / "world" / "things"
    assert manifest == json.loads((folder / MANIFEST).read_text())
    assert (manifest["rows"], manifest["inputs"], manifest["counted"]) == (3, {"config": "c"}, {"nameless": 1})
    assert manifest["bytes"] == sum((folder / file).stat().st_size for file in manifest["files"])
    back = NUMBERS.read(spark, str(root))
    assert [tuple(row) for row in back.orderBy("id").collect()] == ROWS
    assert back.columns == ["id", "name", "parts"]


def test_nothing_is_beside_the_files(spark: SparkSession, tmp_path: Path) -> None:
    folder = Folder(spark, str(tmp_path / "made"))
    assert folder.write_if_absent("text", "x")
    folder.copy_from(folder.join_path("text"), "copy")
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["copy", "text"]


def test_only_files_of_the_manifest_are_read(spark: SparkSession, tmp_path: Path) -> None:
    NUMBERS.write(build_rows(spark), str(tmp_path))
    folder = tmp_path / "world" / "things"
    build_rows(spark).write.parquet(str(folder / "rows-of-a-killed-run"))
    assert NUMBERS.read(spark, str(tmp_path)).count() == 3


def test_a_folder_without_a_manifest_is_no_table(spark: SparkSession, tmp_path: Path) -> None:
    build_rows(spark).write.parquet(str(tmp_path / "world" / "things" / "rows-1"))
    assert NUMBERS.read_manifest(spark, str(tmp_path)) is None
    with pytest.raises(InputError, match=r"world/things: no table things \(no manifest\.json\); run the stage world"):
        NUMBERS.read(spark, str(tmp_path))


def test_a_run_killed_while_it_writes_leaves_no_table(spark: SparkSession, tmp_path: Path) -> None:
    broken = build_rows(spark).withColumn("id", F.raise_error(F.lit("killed")).cast("bigint"))
    with pytest.raises(Exception, match="killed"):
        NUMBERS.write(broken, str(tmp_path))
    assert NUMBERS.read_manifest(spark, str(tmp_path)) is None
    assert NUMBERS.write(build_rows(spark), str(tmp_path))["rows"] == 3


def test_nulls_in_required_columns_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    rows = build_rows(spark, [(1, None, None), (None, None, []), (None, "x", [])])
    with pytest.raises(ValueError, match=r"table things: nulls in \{'id': 2, 'parts': 1\}"):
        NUMBERS.write(rows, str(tmp_path))
    assert below(tmp_path) == []


@pytest.mark.parametrize(
    ("expressions", "message"),
    [
        (["id", "parts"], "name: missing instead of string"),
        (["cast(id AS int) AS id", "name", "parts"], "id: int instead of bigint"),
    ],
)
def test_other_columns_are_refused(spark: SparkSession, tmp_path: Path, expressions: list[str], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        NUMBERS.write(build_rows(spark).selectExpr(*expressions), str(tmp_path))
    assert below(tmp_path) == []


def test_a_table_of_another_schema_is_not_read(spark: SparkSession, tmp_path: Path) -> None:
    NUMBERS.write(build_rows(spark), str(tmp_path))
    stricter = Table("things", "world", "", (*NUMBERS.columns[:1], Column("name", "string", ""), NUMBERS.columns[2]))
    with pytest.raises(InputError, match="written with another schema; build it again"):
        stricter.read(spark, str(tmp_path))


def test_the_content_hash_is_that_of_the_rows_alone(spark: SparkSession, tmp_path: Path) -> None:
    dfs = {
        "as-is": build_rows(spark).coalesce(1),
        "other-order": build_rows(spark, ROWS[::-1]).repartition(3),
        "twice": build_rows(spark, ROWS + ROWS[:1]),
        "changed": build_rows(spark, [*ROWS[:2], (3, "three", ["ab"])]),
        "swapped": build_rows(spark, [(1, "three", ["a"]), (2, None, []), (3, "one", ["a", "b"])]),
    }
    hashes = {name: NUMBERS.write(df, str(tmp_path / name))["content_hash"] for name, df in dfs.items()}
    assert hashes["as-is"] == hashes["other-order"]
    assert len(set(hashes.values())) == 4
    assert all(len(value) == 16 and int(value, 16) >= 0 for value in hashes.values())


def test_a_table_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    manifest = NUMBERS.write(build_rows(spark, []), str(tmp_path))
    assert (manifest["rows"], manifest["content_hash"]) == (0, "0" * 16)
    assert NUMBERS.read(spark, str(tmp_path)).collect() == []


def test_the_first_writer_wins(spark: SparkSession, tmp_path: Path) -> None:
    first = NUMBERS.write(build_rows(spark), str(tmp_path))
    files = below(tmp_path)
    assert NUMBERS.write(build_rows(spark, ROWS[:1]), str(tmp_path)) == first
    assert below(tmp_path) == files, "the second attempt leaves nothing"


def parts(spark: SparkSession, root: Path, attempt: str, *tasks: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Files that tasks have written themselves, and what they say of them."""
    folder = root / "world" / "things" / attempt
    folder.mkdir(parents=True, exist_ok=True)
    manifests = []
    for number, rows in enumerate(tasks):
        name = f"part-{number}-{uuid.uuid4().hex[:6]}.parquet"
        table = pa.Table.from_pylist([dict(zip(("id", "name", "parts"), row, strict=True)) for row in rows])
        pq.write_table(table, folder / name)
        data = (folder / name).read_bytes()
        manifests.append(
            {"name": name, "rows": len(rows), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        )
    return manifests


def test_files_of_tasks_become_a_table(spark: SparkSession, tmp_path: Path) -> None:
    manifests = parts(spark, tmp_path, "rows-1", ROWS[:2], ROWS[2:])
    manifest = NUMBERS.commit(spark, str(tmp_path), "rows-1", manifests[::-1], {"config": "c"}, {"rows": 3})
    assert manifest == NUMBERS.read_manifest(spark, str(tmp_path))
    assert (manifest["rows"], manifest["inputs"], manifest["counted"]) == (3, {"config": "c"}, {"rows": 3})
    assert manifest["files"] == [f"rows-1/{part['name']}" for part in manifests]
    assert manifest["parts"] == manifests
    assert manifest["bytes"] == sum((tmp_path / "world" / "things" / name).stat().st_size for name in manifest["files"])
    assert [tuple(row) for row in NUMBERS.read(spark, str(tmp_path)).orderBy("id").collect()] == ROWS


def test_files_of_tasks_that_were_tried_again_are_deleted(spark: SparkSession, tmp_path: Path) -> None:
    lost = parts(spark, tmp_path, "rows-1", ROWS[:2])
    won = parts(spark, tmp_path, "rows-1", ROWS[:2], ROWS[2:])
    manifest = NUMBERS.commit(spark, str(tmp_path), "rows-1", won)
    assert lost[0]["name"] not in str(manifest)
    files = [path for path in below(tmp_path) if path.endswith(".parquet")]
    assert files == sorted(f"world/things/rows-1/{part['name']}" for part in won)
    assert NUMBERS.read(spark, str(tmp_path)).count() == 3


@pytest.mark.parametrize("way", ["write", "commit"])
def test_files_of_killed_attempts_are_deleted(spark: SparkSession, tmp_path: Path, way: str) -> None:
    parts(spark, tmp_path, "rows-killed", ROWS[:1])
    (tmp_path / "world" / "things" / "rows-killed" / "_temporary").mkdir()
    if way == "write":
        manifest = NUMBERS.write(build_rows(spark), str(tmp_path))
    else:
        manifest = NUMBERS.commit(spark, str(tmp_path), "rows-1", parts(spark, tmp_path, "rows-1", ROWS))
    files = [path for path in below(tmp_path) if path.endswith(".parquet")]
    assert files == [f"world/things/{name}" for name in manifest["files"]]
    assert not (tmp_path / "world" / "things" / "rows-killed").exists()


def test_the_second_to_commit_loses(spark: SparkSession, tmp_path: Path) -> None:
    first = NUMBERS.commit(spark, str(tmp_path), "rows-1", parts(spark, tmp_path, "rows-1", ROWS))
    files = below(tmp_path)
    second = NUMBERS.commit(spark, str(tmp_path), "rows-2", parts(spark, tmp_path, "rows-2", ROWS[:1]))
    assert second == first
    assert below(tmp_path) == files, "the second attempt leaves nothing"
    assert NUMBERS.read(spark, str(tmp_path)).count() == 3


def test_the_content_hash_is_that_of_the_files(spark: SparkSession, tmp_path: Path) -> None:
    tasks = {"a": (ROWS[:2], ROWS[2:]), "b": (ROWS[2:], ROWS[:2]), "c": (ROWS[:2],), "d": (ROWS[:1], ROWS[1:])}
    hashes = {
        name: NUMBERS.commit(spark, str(tmp_path / name), "rows", parts(spark, tmp_path / name, "rows", *rows))
        for name, rows in tasks.items()
    }
    found = {name: manifest["content_hash"] for name, manifest in hashes.items()}
    assert found["a"] == found["b"], "whatever the files are called and in which order they are answered for"
    assert len(set(found.values())) == 3
    assert all(len(value) == 16 and int(value, 16) >= 0 for value in found.values())


def test_a_table_of_no_files(spark: SparkSession, tmp_path: Path) -> None:
    manifest = NUMBERS.commit(spark, str(tmp_path), "rows-1", [])
    assert (manifest["rows"], manifest["files"], manifest["bytes"]) == (0, [], 0)
    assert NUMBERS.read(spark, str(tmp_path)).collect() == []


def test_the_address_of_a_folder_is_the_same_for_every_process(spark: SparkSession, tmp_path: Path) -> None:
    folder = Folder(spark, "some/where")
    assert folder.address == str(Path("some/where").resolve())
    assert Folder(spark, f"file://{tmp_path}/a b").address == f"{tmp_path}/a b"


def test_a_path_without_a_scheme_is_of_the_default_file_system(spark: SparkSession, tmp_path: Path) -> None:
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    before = conf.get("fs.defaultFS")
    conf.set("fs.viewfs.mounttable.cluster.link./data", tmp_path.as_uri())
    conf.set("fs.defaultFS", "viewfs://cluster/")
    try:
        folder = Folder(spark, "/data/out")
        assert folder.write_if_absent("a", "text")
        assert folder.address == "viewfs://cluster/data/out"
    finally:
        conf.set("fs.defaultFS", before)
    assert (tmp_path / "out" / "a").read_text() == "text"


def test_a_file_is_written_only_if_absent(spark: SparkSession, tmp_path: Path) -> None:
    folder = Folder(spark, str(tmp_path / "new"))
    assert folder.read("a") is None
    assert folder.list_files() == []
    assert folder.write_if_absent("a", "größer") is True
    assert folder.write_if_absent("a", "other") is False
    assert folder.read("a") == "größer"
    assert folder.list_files() == [{"name": "a", "bytes": len("größer".encode()), "folder": False}]
    folder.open_child("below").copy_from(folder.join_path("a"), "b")
    assert (tmp_path / "new" / "below" / "b").read_text(encoding="utf-8") == "größer"
    folder.delete("below")
    assert not folder.exists("below")
    assert folder.exists("a")


def test_an_empty_file_of_a_killed_writer_counts_as_absent(spark: SparkSession, tmp_path: Path) -> None:
    manifest = tmp_path / "world" / "things" / MANIFEST
    manifest.parent.mkdir(parents=True)
    manifest.write_text("")
    assert NUMBERS.read_manifest(spark, str(tmp_path)) is None
    assert NUMBERS.write(build_rows(spark), str(tmp_path))["rows"] == 3
    assert NUMBERS.read(spark, str(tmp_path)).count() == 3
