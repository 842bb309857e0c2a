"""Records of a CSV file, by one rule: RFC 4180, as Python's `csv` reads it strictly, a line without values being none.

Lines without a quotation mark are their values, separated by the delimiter: where many such lines follow each other,
they are split in Arrow, four times as fast. What is wrong with a record is said of it alone: no other record is read in
another way because of it.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TextIO

import pyarrow as pa
import pyarrow.compute as pc

from everwhen.families.tdbench.source.reasons import MAX_VALUE_LENGTH, RowReason

BATCH = 1_000_000
"""Characters that are in memory at a time, the record with the last of them in full."""


class CsvRecord(NamedTuple):
    """A record of a CSV file: the line in which it begins, from 1; its values; why it is no row, or None; its text."""

    line: int
    values: list[str]
    reason: str | None
    text: str


class CsvLines:
    """The lines of a text, of which those that were read in vain can be put back.

    Attributes:
        number: The number of the next line, from 1.
    """

    def __init__(self, stream: TextIO) -> None:
        """Begin before the first line."""
        self._stream, self._waiting = stream, deque[str]()
        self.number = 1

    def read_batch(self, size: int = BATCH) -> list[str]:
        """Read the next lines with their ends: those that were put back, or else some of so many characters."""
        texts = list(self._waiting) or self._stream.readlines(size)
        self._waiting.clear()
        self.number += len(texts)
        return texts

    def put_back(self, texts: Sequence[str]) -> None:
        """Put back the last lines that were read."""
        self._waiting.extendleft(reversed(texts))
        self.number -= len(texts)

    def iter_records(self, delimiter: str) -> Iterator[CsvRecord]:
        """Iterate over the records from the next line on; no line is read before its record is asked for."""
        taken: list[str] = []

        def take_line() -> str:
            line = self._waiting.popleft() if self._waiting else self._stream.readline()
            taken.append(line)
            return line

        while True:
            try:
                for values in csv.reader(iter(take_line, ""), delimiter=delimiter, strict=True):
                    line, self.number = self.number, self.number + len(taken)
                    has_break, text = len(taken) > 1, "".join(taken).rstrip("\r\n")
                    taken.clear()
                    if any(map(str.strip, values)):
                        reason = RowReason.LINE_BREAK.with_detail(line=self.number - 1) if has_break else None
                        yield CsvRecord(line, values, reason, text)
                return
            except csv.Error as error:
                # The lines after it are read again, each by itself: a stray quotation mark takes none along.
                first, *others = filter(None, taken)
                taken.clear()
                self._waiting.extendleft(reversed(others))
                self.number += 1
                text = first.rstrip("\r\n")
                yield CsvRecord(self.number - 1, [text], _explain(error, 1 + len(others)), text)


def _explain(error: csv.Error, lines: int) -> str:
    """Explain why lines are no record."""
    if lines > 1 or "unexpected end" in str(error):
        return str(RowReason.OPEN_QUOTE)
    return str(RowReason.TOO_LONG if "field limit" in str(error) else RowReason.TEXT_AFTER_QUOTE)


def read_records(lines: CsvLines, delimiter: str, width: int) -> Iterator[pa.Table]:
    """Read the records from the next line on, in batches.

    Args:
        lines: The lines.
        delimiter: What separates values.
        width: How many values a record has.

    Yields:
        Columns line, c0, c1, …, reason (why one is no row) and text. One of another length keeps its first values.
    """
    before = csv.field_size_limit(MAX_VALUE_LENGTH)
    try:
        while texts := lines.read_batch():
            if (split := _split(texts, delimiter, width)) is not None:
                numbers = pa.array(range(lines.number - len(texts), lines.number), pa.int64())
                columns = [pc.list_element(split, place) for place in range(width)]
                table = _tabulate(numbers, columns, pa.nulls(len(texts), pa.string()), _strip_ends(texts))
                joined = pc.replace_substring(table["text"], delimiter, "")
                yield table.filter(pc.not_equal(pc.utf8_trim_whitespace(joined), ""))
                continue
            end = lines.number
            lines.put_back(texts)
            records = []
            for record in lines.iter_records(delimiter):
                records.append(record)
                if lines.number >= end:
                    break
            if records:
                numbers, values, reasons, shown = zip(*(_fit(record, width) for record in records), strict=True)
                yield _tabulate(pa.array(numbers, pa.int64()), zip(*values, strict=True), reasons, shown)
    finally:
        csv.field_size_limit(before)


def _split(texts: list[str], delimiter: str, width: int) -> pa.Array | None:
    """Split lines into values; None where one has a quotation mark, or another number of values, or is very long."""
    lines = _strip_ends(texts)
    split = pc.split_pattern(lines, delimiter)
    is_plain = pc.and_(
        pc.equal(pc.list_value_length(split), width), pc.less_equal(pc.utf8_length(lines), MAX_VALUE_LENGTH)
    )
    is_plain = pc.and_not(is_plain, pc.match_substring(lines, '"'))
    return split if pc.all(is_plain).as_py() else None


def _strip_ends(texts: list[str]) -> pa.Array:
    """Strip lines of their ends."""
    return pc.utf8_rtrim(pa.array(texts, pa.string()), characters="\r\n")


def _fit(record: CsvRecord, width: int) -> CsvRecord:
    """Give a record as many values as the header has names, and the reason if it has not."""
    line, values, reason, text = record
    if len(values) == width:
        return record
    reason = reason or RowReason.WRONG_LENGTH.with_detail(found=len(values), expected=width)
    return CsvRecord(line, (values + [""] * width)[:width], reason, text)


def _tabulate(numbers: pa.Array, values: Iterable[Any], reasons: Any, texts: Any) -> pa.Table:
    """Put records into a table."""
    columns = {**{f"c{place}": column for place, column in enumerate(values)}, "reason": reasons, "text": texts}
    return pa.table({"line": numbers, **{name: pa.array(column, pa.string()) for name, column in columns.items()}})
