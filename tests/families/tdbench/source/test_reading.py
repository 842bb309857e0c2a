"""Records of declared tables: the times they state, and why one is no row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from unicodedata import normalize

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source import times
from everwhen.families.tdbench.source.load import load_declaration
from everwhen.families.tdbench.source.open_table import open_table
from everwhen.families.tdbench.source.reasons import RowReason

Declare = Callable[..., Declaration]
HEADER = "Key,Value,Start,End\n"
SPAN = "start: Start, end: End, as_of: 2025-01-02"


def read(declaration: Declaration, columns: str = "stated_start, stated_end") -> list[tuple[Any, ...]]:
    with open_table(declaration) as table:
        return table.db.execute(f"SELECT {columns} FROM rows ORDER BY line").fetchall()


def reject(declaration: Declaration) -> list[tuple[int, str]]:
    with open_table(declaration) as table:
        return table.db.execute("SELECT line, reason FROM rejects ORDER BY line").fetchall()


@pytest.mark.parametrize(
    ("text", "stated", "bounds"),
    [
        ("2010", "2010", (date(2010, 1, 1), date(2010, 12, 31))),
        ("2010-05", "2010-05", (date(2010, 5, 1), date(2010, 5, 31))),
        ("2010-05-31", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ('"May 31, 2010"', "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("31 May 2010", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("2010-05-31 00:00:00", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("2010-05-31T13:45:00.5+02:00", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("2010-5-1", "2010-05-01", (date(2010, 5, 1), date(2010, 5, 1))),
        ("2010-5", "2010-05", (date(2010, 5, 1), date(2010, 5, 31))),
        ("2010/05/31", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("2010/5/31 9:30 PM", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("20100531", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("20100531.0", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("31-May-2010", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("31-MAY-2010 13:45:00", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("31/May/2010", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("2010-May-31", "2010-05-31", (date(2010, 5, 31), date(2010, 5, 31))),
        ("May-2010", "2010-05", (date(2010, 5, 1), date(2010, 5, 31))),
        ("2010.0", "2010", (date(2010, 1, 1), date(2010, 12, 31))),
        ("  2010 ", "2010", (date(2010, 1, 1), date(2010, 12, 31))),
    ],
)
def test_a_date_has_the_precision_of_its_form(
    declare: Declare, text: str, stated: str, bounds: tuple[date, date]
) -> None:
    declaration = declare(f"{HEADER}k,v,{text},\n", SPAN)
    assert read(declaration, "stated_start, earliest_start, latest_start") == [(stated, *bounds)]


UNREADABLE = {
    times.DAY_OR_MONTH_FIRST: ("31/05/2010", "31.05.2010", "5-6-2012"),
    times.NO_SUCH_DAY: ("2010-13", "2010-02-30", "20101301", "30 February 2010", "31-Jun-2010", "2010-02-30 10:00"),
    times.NO_CENTURY: ("31-May-10", "31/12/15", "1.2.99"),
    times.NO_DIGIT: ("soon", "-infinity"),
    times.NO_KNOWN_FORM: (
        *("10", "2010-05-31 25 o'clock", "0000", "May-10", "2010/11", "201005", "2010-05/31", "2010-05 12:00"),
        *("40329", "1.5", "31/05-2010", "2010-05-31 24:60", "2010-05-31T", "٢٠١٠", "circa 1950"),
    ),
}


@pytest.mark.parametrize(("problem", "text"), [(why, text) for why, texts in UNREADABLE.items() for text in texts])
def test_a_date_that_is_not_certain_is_rejected(declare: Declare, problem: str, text: str) -> None:
    declaration = declare(f"{HEADER}k,v,2001,\nk,v,{text},\n", SPAN)
    assert reject(declaration) == [(3, f"unreadable date {text} in Start: {problem}")]


def test_a_text_of_a_format_is_no_day_where_formats_disagree_or_there_is_none() -> None:
    formats = ["%d/%m/%Y", "%m/%d/%Y"]
    assert times.find_problem("05/06/2012", formats) == times.FORMATS_DISAGREE
    assert times.find_problem("31/31/2012", formats) == times.NO_SUCH_DAY


def test_a_name_in_composed_and_decomposed_letters_is_one_value(declare: Declare) -> None:
    declaration = declare(f"{HEADER}Ra\u00fal,v,2001,2002\nRau\u0301l,v,2001,2002\n", SPAN)
    assert reject(declaration) == [(3, RowReason.DUPLICATE)]


def test_a_record_without_values_is_no_record(declare: Declare) -> None:
    for blanks in (",,,", " , ,\t,\u00a0", ",,", '"","",,'):
        with open_table(declare(f"{HEADER}k,v,2001,2002\n{blanks}\nk,w,2002,2003\n", SPAN)) as table:
            assert (table.input_count, table.count("SELECT max(line) FROM rows")) == (2, 4)


def test_a_rejected_record_is_shown_as_its_file_has_it(declare: Declare) -> None:
    lines = ['k;"a;2001;2002', "k;a;2001;2002;surplus", 'k;"a, b";never;', "k;a;2001;2003"]
    declaration = declare("\n".join(["sep=;", "Key;Value;Start;End", *lines]) + "\n", SPAN)
    with open_table(declaration) as table:
        assert [text for (text,) in table.db.execute("SELECT text FROM rejects").fetchall()] == lines[:3]


@pytest.mark.parametrize(
    ("formats", "stated", "rejected"),
    [
        ("['%d/%m/%Y']", [(2, "2010-05-04"), (3, "2010-05-31"), (6, "2010-06")], [4, 5]),
        ("['%m/%d/%Y']", [(2, "2010-04-05"), (4, "2010-05-31"), (6, "2010-06")], [3, 5]),
        ("['%d/%m/%Y', '%m/%d/%Y']", [(3, "2010-05-31"), (4, "2010-05-31"), (6, "2010-06")], [2, 5]),
        ("['%Y-%d-%m', '%d. %B %Y %H:%M']", [(5, "2010-05-31"), (6, "2010-06")], [2, 3, 4]),
    ],
)
def test_a_day_or_a_month_is_first_by_a_format_alone(
    declare: Declare, formats: str, stated: list[tuple[int, str]], rejected: list[int]
) -> None:
    starts = ["04/05/2010", "31/5/2010", "05/31/2010", "31. May 2010 9:30", "2010-06"]
    csv = HEADER + "".join(f"k{number},v,{start},\n" for number, start in enumerate(starts))
    declaration = declare(csv, f"{SPAN}, formats: {formats}")
    assert read(declaration, "line, stated_start") == stated
    assert [line for line, _ in reject(declaration)] == rejected


def test_a_fixed_precision_cuts_finer_dates_and_rejects_coarser_ones(declare: Declare) -> None:
    declaration = declare(f"{HEADER}k,v,2010-05-31,2011-06\nk,v,2012,\n", f"{SPAN}, precision: month")
    assert read(declaration) == [("2010-05", "2011-06")]
    assert reject(declaration) == [(3, "coarser than the declared precision: 2012 in Start")]


@pytest.mark.parametrize(
    ("padded", "stated"),
    [("year", ["2010", "2010-05-01", "2010-05-31"]), ("month", ["2010-01", "2010-05", "2010-05-31"])],
)
def test_a_padded_date_is_as_coarse_as_declared(declare: Declare, padded: str, stated: list[str]) -> None:
    csv = f"{HEADER}a,v,2010-01-01,\nb,v,2010-05-01,\nc,v,2010-05-31,\n"
    assert [row[0] for row in read(declare(csv, f"{SPAN}, padded: {padded}"))] == stated


def test_a_column_says_how_precise_a_time_is(declare: Declare) -> None:
    csv = "Key,Value,Start,P\na,v,2010-05-31,year\nb,v,2010-05-31,10\nc,v,2010-05-31,11.0\nd,v,2010-05-31,decade\n"
    declaration = declare(csv, "start: Start, precision: {column: P}")
    assert [row[0] for row in read(declaration)] == ["2010", "2010-05", "2010-05-31"]
    assert declaration.columns == ("Key", "Value")
    assert reject(declaration) == [(5, "unknown precision decade")]


def test_an_inclusive_end_passes_on_a_day_after_any_of_its_days(declare: Declare) -> None:
    csv = f"{HEADER}a,v,2001,2010\nb,v,2001,2010-12\nc,v,2001,2010-05-31\n"
    declaration = declare(csv, f"{SPAN}, ends: inclusive")
    assert read(declaration, "stated_end, earliest_end, latest_end") == [
        ("2010", date(2010, 1, 2), date(2011, 1, 1)),
        ("2010-12", date(2010, 12, 2), date(2011, 1, 1)),
        ("2010-05-31", date(2010, 6, 1), date(2010, 6, 1)),
    ]


def test_a_point_ends_when_it_starts(declare: Declare) -> None:
    declaration = declare("Key,Value,Start\nk,v,2010-05\n", "start: Start")
    assert read(declaration, "stated_start, stated_end, earliest_end, latest_end, end_precision") == [
        ("2010-05", "2010-05", date(2010, 5, 1), date(2010, 5, 31), 10)
    ]


@pytest.mark.parametrize(
    "end",
    ["", "9999-12-31", "Present", "NOW", "ongoing", "current", " infinity ", "-", "N/A", "NA", "NaT", "null", "None"],
)
def test_an_end_that_is_not_known_to_have_been_is_open(declare: Declare, end: str) -> None:
    assert read(declare(f"{HEADER}k,v,2010,{end}\n", SPAN), "stated_end, latest_end, end_precision") == [(None,) * 3]


@pytest.mark.parametrize(
    ("end", "bounds"),
    [("2025-01-03", (date(2025, 1, 3), date(2025, 1, 3))), ("2026", (date(2026, 1, 1), date(2026, 12, 31)))],
)
def test_a_planned_end_stays_the_end_that_it_is(declare: Declare, end: str, bounds: tuple[date, date]) -> None:
    declaration = declare(f"{HEADER}k,v,2010,{end}\n", SPAN)
    assert read(declaration, "stated_end, earliest_end, latest_end") == [(end, *bounds)]


@pytest.mark.parametrize(("end", "reasons"), [("-", ["unknown end"]), ("n/a", ["unknown end"]), ("present", [])])
def test_an_open_end_is_known_where_an_empty_one_is_not(declare: Declare, end: str, reasons: list[str]) -> None:
    declaration = declare(f"{HEADER}k,v,2001,2010\nk,v,2010,{end}\n", f"{SPAN}, empty_end: unknown")
    assert [reason for _, reason in reject(declaration)] == reasons
    assert read(declaration) == [("2001", "2010"), *([("2010", None)] if not reasons else [])]


def test_a_declaration_adds_words_for_ends(declare: Declare) -> None:
    words = "open_words: [In  Office, 2999-12-31, 9000], empty_words: ['?']"
    ends = ["in office", "2999-12-31", "31 Dec 2999", "9000", "?", "unknown"]
    csv = HEADER + "".join(f"k,v{number},2010,{end}\n" for number, end in enumerate(ends))
    declaration = declare(csv, f"{SPAN}, empty_end: unknown, {words}")
    assert read(declaration) == [("2010", None)] * 4
    assert reject(declaration) == [(6, "unknown end"), (7, f"unreadable end unknown in End: {times.NO_DIGIT}")]


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("-infinity", f"unreadable date -infinity in Start: {times.NO_DIGIT}"),
        ("infinity", f"unreadable date infinity in Start: {times.OPEN_WORD}"),
        ("present", f"unreadable date present in Start: {times.OPEN_WORD}"),
        ("NA", RowReason.NO_START),
        ("-", RowReason.NO_START),
    ],
)
def test_a_word_is_no_start(declare: Declare, start: str, reason: str) -> None:
    assert reject(declare(f"{HEADER}k,v,2001,\nk,v,{start},\n", SPAN)) == [(3, reason)]


def test_no_start_before_all_days_is_an_end(declare: Declare) -> None:
    reason = f"unreadable end -infinity in End: {times.NO_DIGIT}"
    assert reject(declare(f"{HEADER}k,v,2001,\nk,v,2001,-infinity\n", SPAN)) == [(3, reason)]


def test_open_dates_of_databases_are_open(declare: Declare, tmp_path: Path) -> None:
    declare(f"{HEADER}k,v,2010,\n", SPAN)
    with duckdb.connect(str(tmp_path / "t.duckdb")) as db:
        db.execute(
            """CREATE TABLE t AS SELECT * FROM (VALUES ('k', 'a', DATE '2001-05-31', TIMESTAMP 'infinity'),
            ('k', 'b', DATE '-infinity', TIMESTAMP '2003-01-01 12:30:00')) AS t("Key", "Value", "Start", "End")"""
        )
    path = tmp_path / "t.yaml"
    path.write_text(path.read_text().replace("{file: t.csv}", "{database: t.duckdb, table: t}"))
    declaration = load_declaration(path)
    assert read(declaration) == [("2001-05-31", None)]
    assert reject(declaration) == [(2, f"unreadable date -infinity in Start: {times.NO_DIGIT}")]


def test_an_end_in_the_unit_of_as_of_is_kept_as_stated(declare: Declare) -> None:
    assert read(declare(f"{HEADER}k,v,2010,2025\n", SPAN)) == [("2010", "2025")]


def test_an_unknown_end_leaves_the_row_out(declare: Declare) -> None:
    declaration = declare(f"{HEADER}k,v,2010,\nk,v,2001,2010\n", "start: Start, end: End, empty_end: unknown")
    assert reject(declaration) == [(2, "unknown end")]


def test_a_rejected_record_keeps_the_values_that_were_read(declare: Declare) -> None:
    csv = f"{HEADER}k,a,2001,2010\nk,b,2010,\nm,a,2001,2010\nm,a,2001,2010\nm,b,2026,\nn,a,never,\n,b,2001,2002\n"
    csv += 'k,a,b,1,2\nk,"c\x01",2001,2002\n'
    with open_table(declare(csv, f"{SPAN}, empty_end: unknown")) as table:
        found = table.db.execute("SELECT line, reason, fields FROM rejects").fetchall()
        assert table.count("SELECT count(*) FROM rows") == 2
    assert found == [
        (3, "unknown end", {"Key": "k", "Value": "b"}),
        (5, "duplicate row", {"Key": "m", "Value": "a"}),
        (6, "starts after the last day known", {"Key": "m", "Value": "b"}),
        (7, f"unreadable date never in Start: {times.NO_DIGIT}", {"Key": "n", "Value": "a"}),
        (8, "no value in Key", {"Value": "b"}),
        (9, "5 values, where the header has 4", {}),
        (10, "control character in Value", {"Key": "k"}),
    ]


def test_an_end_can_be_the_next_start_of_the_key(declare: Declare) -> None:
    csv = f"{HEADER}k,c,2012-03,\nk,a,2001,\nother,x,2005,2007\nk,b,2010-05-31,\n"
    declaration = declare(csv, f"{SPAN}, empty_end: next")
    assert read(declaration) == [("2012-03", None), ("2001", "2010-05-31"), ("2005", "2007"), ("2010-05-31", "2012-03")]


def test_the_last_row_of_a_key_has_an_unknown_end_without_as_of(declare: Declare) -> None:
    declaration = declare(f"{HEADER}k,a,2001,\nk,b,2010,\n", "start: Start, end: End, empty_end: next")
    assert reject(declaration) == [(3, "unknown end")]


def test_of_inclusive_ends_the_unit_before_the_next_start_is_the_last(declare: Declare) -> None:
    csv = f"{HEADER}k,a,2001-01-01,\nk,b,2010-05-01,2011-01-31\n"
    declaration = declare(csv, f"{SPAN}, empty_end: next, ends: inclusive")
    assert read(declaration, "stated_end, earliest_end")[0] == ("2010-04-30", date(2010, 5, 1))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("k,v,,", RowReason.NO_START),
        ("k,,2010,", "no value in Value"),
        ("k,  ,2010,", "no value in Value"),
        ('k,"a\tb",2010,', "control character in Value"),
        ('k,"a\nb",2010,', "a value with a line break, up to line 4"),
        ('k,"a" b,2010,', RowReason.TEXT_AFTER_QUOTE),
        ('k,"a,2010,', RowReason.OPEN_QUOTE),
        ('k,v,"20\x0010",', "control character in a time"),
        ("k,a | b,2010,", "` | ` in Value"),
        ("k,v,2010,2009", RowReason.END_BEFORE_START),
        ("k,v,2010-05-31,2010-05-30", RowReason.END_BEFORE_START),
        ("k,v,2026,", RowReason.AFTER_AS_OF),
        ("k,v,2010,later", f"unreadable end later in End: {times.NO_DIGIT}"),
        ("k,v,2010", "3 values, where the header has 4"),
        ("k,v,2010,2011,2012", "5 values, where the header has 4"),
        ("first,v,2001,2002", RowReason.DUPLICATE),
    ],
)
def test_a_record_that_is_no_row_has_its_line_and_reason(declare: Declare, row: str, reason: str) -> None:
    declaration = declare(f"{HEADER}first,v,2001,2002\n{row}\n", SPAN)
    assert reject(declaration) == [(3, reason)]


def test_a_text_that_is_no_utf_8_is_rejected(declare: Declare) -> None:
    declaration = declare(f"{HEADER}first,v,2001,2002\n", SPAN)
    file = declaration.path.with_suffix(".csv")
    file.write_bytes(file.read_bytes() + b"k,\xff\xfe,2010,\n")
    assert reject(declaration) == [(3, "not UTF-8 in Value")]


def test_lines_are_counted_through_line_breaks_in_values_and_empty_lines(declare: Declare) -> None:
    declaration = declare(f'{HEADER}a,"x\n\ny",2001,\n\nb,v,2002,\nc,v,never,\n', SPAN)
    assert [line for line, _ in reject(declaration)] == [2, 7]
    assert read(declaration, "line") == [(6,)]


@pytest.mark.parametrize("odd", ["", '"x\ny",v,2001,\n', "\n", "k,v\n", 'k, "v" ,2001,\n', "k,\ufffd,2001,\n"])
def test_a_file_with_an_odd_line_gives_the_rows_of_one_without(declare: Declare, odd: str) -> None:
    body = 'k,"a, ""b""",2001-01-01,\nk,NULL,2002,\nk,#c \\ d,2003,\n'
    columns = "fields, stated_start"
    assert read(declare(HEADER + body + odd, SPAN), columns)[:3] == read(declare(HEADER + body, SPAN), columns)
    assert read(declare(HEADER + body, SPAN), "line, fields['Value']") == [
        (2, 'a, "b"'),
        (3, "NULL"),
        (4, "#c \\ d"),
    ]


def test_an_end_in_the_unit_of_the_start_is_no_fault(declare: Declare) -> None:
    assert read(declare(f"{HEADER}k,v,2010,2010-03\nk,w,2010-05-31,2010\n", SPAN)) == [
        ("2010", "2010-03"),
        ("2010-05-31", "2010"),
    ]


HOSTILE = (
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)
    .map(lambda text: text.strip("\xa0 "))
    .filter(lambda text: text and " | " not in text and "\ufffd" not in text)
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(HOSTILE, min_size=20, max_size=40, unique=True))
def test_quotes_braces_sql_and_html_are_data(declare: Declare, texts: list[str]) -> None:
    lines = ['k,"' + text.replace('"', '""') + '",2010,2011\n' for text in texts]
    expected = [(normalize("NFC", text),) for text in texts]
    assert read(declare(HEADER + "".join(lines), SPAN), "fields['Value']") == expected


def test_a_column_may_have_any_name(declare: Declare) -> None:
    csv = 'a\'b;--,"x""y {z}",Start\nk,v,2010\n'
    declaration = declare(csv, "start: Start", """tfds: [{given: ["a'b;--"], determines: ['x"y {z}']}]""")
    assert read(declaration, "fields") == [({"a'b;--": "k", 'x"y {z}': "v"},)]


def test_an_empty_value_of_a_column_that_is_not_used_is_left_out(declare: Declare) -> None:
    declaration = declare("Key,Value,Note,Start\nk,v,,2010\n", "start: Start")
    assert read(declaration, "fields") == [({"Key": "k", "Value": "v"},)]


def test_parquet_and_a_database_give_the_rows_of_csv(declare: Declare, tmp_path: Path) -> None:
    expected = read(declare(f"{HEADER}7,v,2010-05-31,2012-01-01\n8,w,2011-01-01,\n", SPAN))
    columns = {
        "Key": [7, 8],
        "Value": ["v", "w"],
        "Start": [date(2010, 5, 31), date(2011, 1, 1)],
        "End": [date(2012, 1, 1), None],
    }
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as db:
        db.execute(f"CREATE TABLE rows AS SELECT * FROM '{tmp_path}/t.parquet'")
    text = (tmp_path / "t.yaml").read_text()
    sources = ("{file: t.parquet}", "{database: t.duckdb, table: rows}", "{database: t.duckdb, query: FROM rows}")
    for source in sources:
        path = tmp_path / "other.yaml"
        path.write_text(text.replace("{file: t.csv}", source))
        assert read(load_declaration(path)) == expected


def test_a_column_of_parquet_may_have_decomposed_letters(declare: Declare, tmp_path: Path) -> None:
    columns = {"Ke\u0301y": ["k"], "Value": ["v"], "Start": ["2001"], "End": ["2002"]}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    path = declare("K\u00e9y,Value,Start,End\n", SPAN, "tfds: [{given: [K\u00e9y], determines: [Value]}]").path
    for name in ("K\u00e9y", "Ke\u0301y"):
        path.write_text(path.read_text().replace("t.csv", "t.parquet").replace("K\u00e9y", name))
        assert read(load_declaration(path), "fields") == [({"K\u00e9y": "k", "Value": "v"},)]


@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        ("t.duckdb", "{file: t.duckdb}", "t.duckdb: a database of DuckDB; name it by database, not by file"),
        ("t.csv", "{database: t.csv, table: t}", "t.csv: not a database of DuckDB; name other files by file"),
    ],
)
def test_a_file_is_named_by_what_it_is(declare: Declare, tmp_path: Path, name: str, source: str, message: str) -> None:
    declare(f"{HEADER}k,v,2001,2002\n", SPAN)
    duckdb.connect(str(tmp_path / "t.duckdb")).close()
    path = tmp_path / "t.yaml"
    path.write_text(path.read_text().replace("{file: t.csv}", source))
    with pytest.raises(InputError, match=message):
        load_declaration(path)


def test_a_time_with_a_zone_is_of_its_day_in_utc(
    declare: Declare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    starts = pa.array([datetime(2010, 5, 31, tzinfo=UTC)], pa.timestamp("us", tz="UTC"))
    pq.write_table(pa.table({"Key": ["k"], "Value": ["v"], "Start": starts}), tmp_path / "t.parquet")
    declare("Key,Value,Start\n", "start: Start")
    path = tmp_path / "t.yaml"
    path.write_text(path.read_text().replace("{file: t.csv}", "{file: t.parquet}"))
    assert read(load_declaration(path), "earliest_start") == [(date(2010, 5, 31),)]


def test_open_ends_need_as_of(declare: Declare) -> None:
    declaration = declare(f"{HEADER}k,v,2001,2002\nk,v,2010,\n", "start: Start, end: End")
    with pytest.raises(InputError, match=r"t.yaml:3: time: as_of is missing: 1 rows have no end, such as line 3"):
        read(declaration)


@pytest.mark.parametrize(("rows", "why"), [("", "the table is empty"), ("k,v,never,\n", "all 1 are rejected; line 2")])
def test_a_table_has_rows(declare: Declare, rows: str, why: str) -> None:
    with pytest.raises(InputError, match=f"t.yaml:2: from: no rows: {why}"):
        read(declare(HEADER + rows, SPAN))


def test_swapped_starts_and_ends_are_named(declare: Declare) -> None:
    csv = f"{HEADER}k,a,2003,2001\nk,b,2005,2003\nk,c,2007,2007\nk,d,,2007\n"
    with pytest.raises(
        InputError, match=r"t.yaml:3: time: 2 of 3 records end before they start, such as line 2; start"
    ):
        read(declare(csv, SPAN))


def test_records_are_rows_and_rejects(declare: Declare) -> None:
    with open_table(declare(f"{HEADER}k,v,2001,\nk,v,never,\nk,v,2001,\n", SPAN)) as table:
        counts = [table.count(f"SELECT count(*) FROM {name}") for name in ("rows", "rejects")]
    assert (counts, table.input_count) == ([1, 2], 3)
