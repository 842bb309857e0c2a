"""Files of declared tables: what is read, and what is refused by its name."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.families.tdbench.config import NAME
from everwhen.families.tdbench.preflight import list_files
from everwhen.families.tdbench.source.load import load_declaration
from everwhen.families.tdbench.source.open_table import open_table

TABLE = "Key,Value,Start\nk,José,2001\n"


def declare(folder: Path, source: str) -> Path:
    path = folder / "t.yaml"
    path.write_text(
        f"table: t\nfrom: {{{source}}}\ntime: {{start: Start}}\ntfds: [{{given: [Key], determines: [Value]}}]\n"
    )
    return path


def read(folder: Path, source: str) -> tuple[list[Any], list[Any]]:
    """Read rows and rejects."""
    with open_table(load_declaration(declare(folder, source))) as table:
        rows = table.db.execute("SELECT line, fields['Key'], fields['Value'], stated_start FROM rows ORDER BY line")
        return rows.fetchall(), table.db.execute("SELECT line, reason FROM rejects ORDER BY line").fetchall()


@pytest.mark.parametrize(
    ("name", "pack"), [("t.csv.gz", gzip.compress), ("t.csv.bz2", bz2.compress), ("t", lzma.compress)]
)
def test_a_packed_file_is_read(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / name).write_bytes(pack(TABLE.encode()))
    assert read(tmp_path, f"file: {name}") == ([(2, "k", "José", "2001")], [])


def test_a_packed_file_of_tabs_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress(TABLE.replace(",", "\t").encode()))
    assert read(tmp_path, "file: t.tsv.gz")[0] == [(2, "k", "José", "2001")]


def test_the_line_in_which_excel_names_the_delimiter_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("\ufeffsep=;\r\n" + TABLE.replace(",", ";").replace("\n", "\r\n"))
    assert read(tmp_path, "file: t.csv") == ([(3, "k", "José", "2001")], [])
    with pytest.raises(InputError, match=r"t.csv:1: says sep=;, and from.delimiter says ,"):
        read(tmp_path, 'file: t.csv, delimiter: ","')


def test_empty_lines_before_the_header_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"\n,,\n\n{TABLE}")
    assert read(tmp_path, "file: t.csv") == ([(5, "k", "José", "2001")], [])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PAR1", "a parquet file; let its name end in .parquet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a workbook; save its sheet as CSV in UTF-8"),
        (TABLE.encode("utf-16"), "text in UTF-16; save the file as UTF-8"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-9], "packed, and damaged or cut off"),
        (gzip.compress(b"PAR1", mtime=0), "packed, and a parquet file"),
        (b"K\xe9y,Value,Start\n", "t.csv:1: is not text in UTF-8; save the file as UTF-8"),
        (b"", "has no header; its first line names the columns"),
        (b"\n,,\n", "has no header"),
        (b'"Key,Value,Start\nk,v,2001\n', "t.csv:1: the header has a quotation mark that is opened and not closed"),
        (
            b"Key;Value;Start\n",
            "t.csv:1: the header is one column; if a semicolon separates values, set from.delimiter",
        ),
    ],
)
def test_what_is_no_csv_in_utf_8_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read(tmp_path, "file: t.csv")


@pytest.mark.parametrize(
    ("member", "message"), [("xl/workbook.xml", "a workbook; save its sheet"), ("t.csv", "a ZIP archive; unpack it")]
)
def test_an_archive_is_named_by_what_it_is(tmp_path: Path, member: str, message: str) -> None:
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as archive:
        archive.writestr(member, TABLE)
    with pytest.raises(InputError, match=rf"t\.xlsx: {message}"):
        read(tmp_path, "file: t.xlsx")


def write_parts(folder: Path, names: list[str]) -> None:
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        table = pa.table({"Key": [f"k{number}"], "Value": ["v"], "Start": ["2001"]})
        pq.write_table(table.drop_columns(["Key"]) if "Key=" in name else table, folder / name)


def test_a_folder_of_parquet_is_read(tmp_path: Path) -> None:
    write_parts(tmp_path / "t.parquet", ["part-0.parquet", "part-1.parquet", "_temporary/part-2.parquet"])
    (tmp_path / "t.parquet" / "_SUCCESS").touch()
    assert read(tmp_path, "file: t.parquet") == ([(1, "k0", "v", "2001"), (2, "k1", "v", "2001")], [])
    config = Config(version="t", snapshot="s", families={NAME: {"declarations": [str(tmp_path / "t.yaml")]}})
    assert [Path(file).name for file in list_files(config)] == ["t.yaml", "part-0.parquet", "part-1.parquet"]


def test_partitions_of_a_folder_are_columns(tmp_path: Path) -> None:
    write_parts(tmp_path / "t", ["Key=007/part.parquet", "Key=8/part.parquet"])
    assert read(tmp_path, "file: t")[0] == [(1, "007", "v", "2001"), (2, "8", "v", "2001")]


def test_a_folder_without_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").mkdir()
    with pytest.raises(InputError, match=r"t\.parquet: a folder without parquet files; name a file"):
        read(tmp_path, "file: t.parquet")


BYTES = {
    "Key": pa.array([b"k", b"k", None], pa.binary()),
    "Value": pa.array(["José".encode(), b"Jos\xe9", b"v"], pa.binary()),
    "Start": pa.array([b"2001", b"2002", b"2003"], pa.binary()),
}


@pytest.mark.parametrize("source", ["file: t.parquet", "database: t.duckdb, table: t"])
def test_bytes_are_text_in_utf_8_or_rejected(tmp_path: Path, source: str) -> None:
    pq.write_table(pa.table(BYTES), tmp_path / "t.parquet")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as db:
        db.execute(f"CREATE TABLE t AS FROM '{tmp_path}/t.parquet'")
    rows, rejects = read(tmp_path, source)
    assert rows == [(1, "k", "José", "2001")]
    assert rejects == [(2, "not UTF-8 in Value"), (3, "no value in Key")]


@pytest.mark.parametrize(
    ("column", "name"),
    [
        (pa.array([["Ann", "Bo"]]), "a list"),
        (pa.array([["Ann", "Bo"]], pa.list_(pa.string(), 2)), "a list"),
        (pa.array([{"first": "Ann"}]), "a struct"),
        (pa.array([[("first", "Ann")]], pa.map_(pa.string(), pa.string())), "a map"),
    ],
)
def test_a_column_of_several_values_is_refused_by_its_name(tmp_path: Path, column: pa.Array, name: str) -> None:
    pq.write_table(pa.table({"Key": ["k"], "Value": column, "Start": ["2001"]}), tmp_path / "t.parquet")
    with pytest.raises(
        InputError, match=f"the column Value has {name} in each row; a text, number or date is expected"
    ):
        read(tmp_path, "file: t.parquet")
