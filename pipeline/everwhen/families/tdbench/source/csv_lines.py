"""Records of a CSV file, by one rule: RFC 4180, as Python's `csv` reads it strictly, an empty line being no record.

A line without a quotation mark is its values, separated by the delimiter: such lines are split in Arrow, many at a
time. A line with one is read by `csv`, with the lines after it where a value has line breaks. What is wrong with a
record is said of it alone: no other record is read in another way because of it.
"""

from __future__ import annotations

import csv
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TextIO

import pyarrow as pa
import pyarrow.compute as pc

from everwhen.families.tdbench.source.reasons import MAX_VALUE_LENGTH, RowReason

BATCH = 8_000_000
"""Characters that are in memory at a time, the line with the last of them in full."""

QUOTE = '"'


class CsvRecord(NamedTuple):
    """A record of a CSV file.

    Attributes:
        line: The line in which it begins, from 1.
        last: The line in which it ends.
        values: Its values; none where the line is empty.
        reason: Why it is no row; None where it may be one.
    """

    line: int
    last: int
    values: list[str]
    reason: str | None


class CsvLines:
    """The lines of a text that are in memory: a batch, and as many more as its last record needs.

    Attributes:
        first: The number of the first of them, from 1.
        texts: The lines with their ends.
    """

    def __init__(self, stream: TextIO) -> None:
        """Begin before the first line."""
        self._stream = stream
        self._used = 0
        self.first = 1
        self.texts: list[str] = []

    def read_batch(self, size: int = BATCH) -> bool:
        """Read the next lines in place of those that records have used, and tell whether there are any."""
        self.first += self._used
        self.texts = self.texts[self._used :] or self._stream.readlines(size)
        self._used = len(self.texts)
        return bool(self.texts)

    def iter_from(self, place: int) -> Iterator[str]:
        """Iterate over the lines from a place on, those that are not in memory yet among them."""
        while True:
            if place == len(self.texts):
                self.texts += islice(self._stream, 1)
            if place == len(self.texts):
                return
            yield self.texts[place]
            place += 1

    def read_record(self, place: int, delimiter: str) -> CsvRecord:
        """Read the record that begins with the line at a place."""
        reader = csv.reader(self.iter_from(place), delimiter=delimiter, strict=True)
        line = self.first + place
        try:
            values = next(reader)
        except csv.Error as error:
            # The lines after it are read again, each by itself: a stray quotation mark takes none along.
            return CsvRecord(line, line, [self.texts[place].rstrip("\r\n")], _explain(error, reader.line_num))
        self._used = max(self._used, place + reader.line_num)
        last = line + reader.line_num - 1
        return CsvRecord(line, last, values, RowReason.LINE_BREAK.with_detail(line=last) if last > line else None)


def _explain(error: csv.Error, lines: int) -> str:
    """Explain why lines are no record."""
    if lines > 1 or "unexpected end" in str(error):
        return str(RowReason.OPEN_QUOTE)
    return str(RowReason.TOO_LONG if "field limit" in str(error) else RowReason.TEXT_AFTER_QUOTE)


def read_records(lines: CsvLines, delimiter: str, width: int) -> Iterator[pa.Table]:
    """Read the records from the next line on, in batches.

    Args:
        lines: The lines; those that are in memory have been read.
        delimiter: What separates values.
        width: How many values a record has.

    Yields:
        Columns line, c0, c1, … and reason, why one is no row. One of another length keeps its first values.
    """
    before = csv.field_size_limit(MAX_VALUE_LENGTH)
    try:
        while lines.read_batch():
            texts = pc.utf8_rtrim(pa.array(lines.texts, pa.string()), characters="\r\n")
            split = pc.split_pattern(texts, delimiter)
            is_plain = pc.and_(
                pc.equal(pc.list_value_length(split), width),
                pc.and_not(pc.less_equal(pc.utf8_length(texts), MAX_VALUE_LENGTH), pc.match_substring(texts, QUOTE)),
            )
            records = _read_others(lines, delimiter, is_plain)
            yield from _build_batches(lines, split, is_plain, records, width)
    finally:
        csv.field_size_limit(before)


def _read_others(lines: CsvLines, delimiter: str, is_plain: pa.Array) -> list[CsvRecord]:
    """Read the records that are not split in Arrow: with quotation marks, of another length, or very long."""
    places, at, free = pc.indices_nonzero(pc.invert(is_plain)).to_pylist(), 0, 0
    records: list[CsvRecord] = []
    while at < len(places):
        alone = list(_read_alone(lines, delimiter, places, at))
        records += alone
        at += len(alone)
        if at < len(places):
            records.append(record := lines.read_record(places[at], delimiter))
            free = record.last - lines.first + 1
            at = bisect_left(places, free, at)
    return [record for record in records if record.values]


def _read_alone(lines: CsvLines, delimiter: str, places: list[int], at: int) -> Iterator[CsvRecord]:
    """Read the records of one line each from a position of `places` on, up to the first that is none.

    It is several times as fast as `Lines.read_record`, and reads such records as that does.
    """
    texts = lines.texts
    reader = csv.reader((texts[places[number]] for number in range(at, len(places))), delimiter=delimiter, strict=True)
    try:
        for number, values in enumerate(reader, 1):
            if reader.line_num > number:
                return
            line = lines.first + places[at + number - 1]
            yield CsvRecord(line, line, values, None)
    except csv.Error:
        return


def _build_batches(
    lines: CsvLines, split: pa.Array, is_plain: pa.Array, records: list[CsvRecord], width: int
) -> Iterator[pa.Table]:
    """Build the records of a batch: those that are split in Arrow, and the others."""
    inside = [line for record in records for line in range(record.line + 1, record.last + 1)]
    numbers = pa.array(range(lines.first, lines.first + len(split)), pa.int64())
    if inside:
        is_plain = pc.and_not(is_plain, pc.is_in(numbers, value_set=pa.array(inside, pa.int64())))
    plain = split.filter(is_plain)
    if len(plain):
        columns = {f"c{place}": pc.list_element(plain, place) for place in range(width)}
        reasons = pa.nulls(len(plain), pa.string())
        yield pa.table({"line": numbers.filter(is_plain), **columns, "reason": reasons})
    if records:
        yield _tabulate(records, width)


def _tabulate(records: list[CsvRecord], width: int) -> pa.Table:
    """Put records into a table: the values as many as the header has names, whatever a record has."""
    rows = [(record.values + [""] * width)[:width] for record in records]
    columns = {f"c{place}": pa.array(column, pa.string()) for place, column in enumerate(zip(*rows, strict=True))}
    reasons = [record.reason or _judge_length(record.values, width) for record in records]
    numbers = pa.array([record.line for record in records], pa.int64())
    return pa.table({"line": numbers, **columns, "reason": pa.array(reasons, pa.string())})


def _judge_length(values: list[str], width: int) -> str | None:
    """Say why a record has another length than the header; None where it has not."""
    if len(values) == width:
        return None
    return RowReason.WRONG_LENGTH.with_detail(found=len(values), expected=width)
