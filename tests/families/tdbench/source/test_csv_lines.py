"""Records of CSV files: one rule for every line, whatever other lines are like."""

from __future__ import annotations

import csv
import io

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.families.tdbench.source import csv_lines
from everwhen.families.tdbench.source.csv_lines import CsvLines, read_records
from everwhen.families.tdbench.source.reasons import MAX_VALUE_LENGTH, RowReason

Rows = list[tuple[int, list[str], str | None]]


def read(text: str, width: int = 3, delimiter: str = ",") -> Rows:
    """Read the records of a text without a header: line, values and reason."""
    lines = CsvLines(io.StringIO(text, newline=""))
    batches = [row for batch in read_records(lines, delimiter, width) for row in batch.to_pylist()]
    rows = [(row["line"], [row[f"c{place}"] for place in range(width)], row["reason"]) for row in batches]
    return sorted(rows, key=lambda row: row[0])


def test_a_line_is_judged_by_itself() -> None:
    odd = {
        "a,b,c,": "4 values, where the header has 3",
        "a,b": "2 values, where the header has 3",
        'a,"b" c,d': RowReason.TEXT_AFTER_QUOTE,
        'a,"b,c': RowReason.OPEN_QUOTE,
    }
    good = ["1,2,3", '1,"2, 2",3', '1,"2 ""x""",3', "1,2\x00,3"]
    for line, reason in odd.items():
        for end in ("\n", "\r\n", "\r"):
            for others in (good, ["", *good], [*reversed(good), ""]):
                rows = read(end.join([*others[:2], line, *others[2:]]) + end)
                assert [(number, why) for number, _, why in rows if why] == [(3, reason)]
                assert len(rows) == len(good) + 1


def test_a_stray_quotation_mark_takes_no_other_line_along() -> None:
    lines = ["a,b,c", 'a,"b,c', "a,b,d", 'a,"b, c",e', "a,b,f", 'a,"g,h']
    assert [(line, values[2], reason) for line, values, reason in read("\n".join(lines))] == [
        (1, "c", None),
        (2, "", RowReason.OPEN_QUOTE),
        (3, "d", None),
        (4, "e", None),
        (5, "f", None),
        (6, "", RowReason.OPEN_QUOTE),
    ]


def test_a_value_with_line_breaks_is_one_record() -> None:
    rows = read('a,"b\n\n""x"", y",c\n1,2,3\n')
    assert rows == [
        (1, ["a", 'b\n\n"x", y', "c"], "a value with a line break, up to line 3"),
        (4, ["1", "2", "3"], None),
    ]


@pytest.mark.parametrize("others", ["", "\n", 'a,"b",c\n'])
def test_a_long_value_has_one_limit(others: str) -> None:
    longest, longer = "x" * MAX_VALUE_LENGTH, "x" * (MAX_VALUE_LENGTH + 1)
    rows = read(f'{others}a,{longest},c\na,{longer},c\na,"{longer}",c\n')
    assert [reason for _, _, reason in rows[-3:]] == [None, RowReason.TOO_LONG, RowReason.TOO_LONG]
    assert csv.field_size_limit() < MAX_VALUE_LENGTH


VALUES = st.text(st.sampled_from('ab",\n\r é|'), max_size=4)


@given(st.lists(st.lists(VALUES, min_size=1, max_size=4), max_size=12), st.integers(1, 40))
def test_records_are_those_that_were_written(rows: list[list[str]], size: int) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_lines.CsvLines.read_batch, "__defaults__", (size,))
        found = read(text.getvalue())
    read_again = [values for values in csv.reader(io.StringIO(text.getvalue(), newline="")) if "".join(values).strip()]
    assert [values for _, values, _ in found] == [[*values, "", ""][:3] for values in read_again]
    assert all(
        (reason is None) == (len(values) == 3 and not set("\n\r") & set("".join(values)))
        for (_, _, reason), values in zip(found, read_again, strict=True)
    )


@given(st.text(st.sampled_from('ab",\n'), max_size=60), st.integers(1, 20))
def test_batches_do_not_matter(text: str, size: int) -> None:
    whole = read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_lines.CsvLines.read_batch, "__defaults__", (size,))
        assert read(text) == whole


def test_no_line_is_lost_of_many_stray_quotation_marks() -> None:
    rows = read('a,"b,c\n' * 3000)
    assert [line for line, _, _ in rows] == list(range(1, 3001))
    assert pa.array([reason for _, _, reason in rows]).unique().to_pylist() == [RowReason.OPEN_QUOTE]
