"""Write the questions of one task as parquet, from within a Python worker, and say what was written.

Spark's own writer takes rows one by one and spends three quarters of its time on it; here columns are encoded at once.
The files bypass Spark's committer: a task that is tried again, or twice at once, leaves a file of another name, and
only the files whose names reach the driver are the table's.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from everwhen.core.arrays import Ints, Mask
from everwhen.core.record_counts import EXAMPLES, REJECTED, RecordCounts
from everwhen.core.storage import HashedFile
from everwhen.families.complextempqa.compare.pairs import Bound
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.render.bindings import render_bindings, with_wordings
from everwhen.families.complextempqa.render.comparisons import ComparisonRenderer
from everwhen.families.complextempqa.template import Template

TASK_RESULT = "kind string, name string, rows bigint, about string"
"""What a task says: of each file its name, rows and, as JSON, bytes, sha256 and rows by template; of each reason why
bindings were not written, how many and, as JSON, the record type and examples."""

ROWS_A_GROUP = 1 << 16
"""Rows of a row group. With twice as many, one year of one type of a hundred million rows lay in 4 to 7 % of the bytes,
by the statistics of the groups."""

DICTIONARIES = (
    *("type", "template_id", "template_version", "wording", "property", "topic", "split", "year", "rating"),
    *("is_unnamed", "polarity"),
    *("question_country_entity.list.element", "answer_country_entity.list.element", "hops.list.element"),
    *("answer.list.element", "descriptions.list.element.key", "threshold", "counted_over", "calendar"),
    *("question_entity.list.element", "answer_entity.list.element", "head_entity"),
    *("timeframe.start", "timeframe.end"),
)
"""Columns of few values in a row group; the others are written as they are."""

FALSE_FINDS = 0.05
"""The share of row groups that a reader who seeks one question by its id reads in vain. Their Bloom filters take a byte
a row; at one in a hundred they take two."""

TEXTS = ("type", "template_id", "topic", "split", "polarity")
"""Texts of few values: they are dictionaries before they are written, too."""


def count_revealed(counts: RecordCounts, bound: Bound, make: ComparisonRenderer) -> None:
    """Count the comparisons whose names tell which time comes first."""
    rows = np.flatnonzero(bound["reveals_order"])
    template = np.array([f.template for f in make.contexts], dtype=np.int64)[bound["context"][rows]]
    for position in np.unique(template).tolist():
        mine = rows[template == position]
        least = mine[np.argsort(bound["question_id"][mine])[:EXAMPLES]].tolist()
        shown = (f"{make.templates[position].id} {' '.join(make.list_subjects(bound, row))}" for row in least)
        counts.reject("binding", BindingReason.ORDER_REVEALED, len(mine), shown)


def list_rejected(counts: RecordCounts) -> list[dict[str, Any]]:
    """Return what was rejected as rows of TASK_RESULT."""
    return [
        {
            "kind": "rejected",
            "name": row["reason"],
            "rows": row["records"],
            "about": json.dumps({"record_type": row["record_type"], "examples": row["examples"]}),
        }
        for row in counts.list_rows()
        if row["status"] == REJECTED
    ]


def read_rejected(lines: Iterable[Mapping[str, Any]]) -> RecordCounts:
    """Return what was rejected, from rows of TASK_RESULT of all tasks."""
    counts = RecordCounts()
    for line in lines:
        if line["kind"] == "rejected":
            about = json.loads(line["about"])
            counts.reject(about["record_type"], line["name"], line["rows"], about["examples"])
    return counts


class QuestionFile:
    """One parquet file that is being written."""

    def __init__(self, folder: str, name: str, schema: pa.Schema, rows: int) -> None:
        """Open `<folder>/<name>-<a unique part>.parquet` for so many rows at most."""
        self.name = f"{name}-{uuid.uuid4().hex[:12]}.parquet"
        self.rows = 0
        self._file = HashedFile(folder, self.name)
        self._templates: Counter[str] = Counter()
        texts = pa.dictionary(pa.int32(), pa.string())
        self._schema = pa.schema([f.with_type(texts) if f.name in TEXTS else f for f in schema])
        self._parquet = pq.ParquetWriter(
            pa.PythonFile(self._file, mode="w"),
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=list(DICTIONARIES),
            store_schema=False,  # or readers would see the types used here: texts as dictionaries
            bloom_filter_options={"question_id": {"ndv": min(rows, ROWS_A_GROUP), "fpp": FALSE_FINDS}},
        )

    def add(self, rows: pa.Table) -> None:
        """Write rows as one row group.

        Raises:
            ValueError: A column that may not be null holds a null.
        """
        broken = [f.name for f in self._schema if not f.nullable and rows[f.name].null_count]
        if broken:
            raise ValueError(f"table questions: nulls in {', '.join(broken)}")
        columns = [rows[f.name] if rows[f.name].type == f.type else rows[f.name].cast(f.type) for f in self._schema]
        self._parquet.write_table(pa.table(columns, schema=self._schema), row_group_size=ROWS_A_GROUP)
        self.rows += len(rows)
        self._templates.update({c["values"].as_py(): c["counts"].as_py() for c in rows["template_id"].value_counts()})

    def close(self) -> dict[str, Any]:
        """End the file: a row of TASK_RESULT."""
        self._parquet.close()
        self._file.close()
        return {
            "kind": "file",
            "name": self.name,
            "rows": self.rows,
            "about": json.dumps(
                {"bytes": self._file.bytes, "sha256": self._file.sha256, "templates": dict(self._templates)}
            ),
        }


def write_comparisons(
    bound: Bound, make: ComparisonRenderer, folder: str, name: str, schema: pa.Schema
) -> Iterator[dict[str, Any]]:
    """Write what one task has drawn from blocks: one file, sorted.

    Args:
        bound: Pairs or triples, all of one split.
        make: Makes the rows.
        folder: Where the file goes.
        name: How its name begins, after the split.
        schema: Of the table `questions`.

    Yields:
        Rows of TASK_RESULT.
    """
    if not bound:
        return
    rejected = RecordCounts()
    count_revealed(rejected, bound, make)
    order = make.order_rows(bound)
    order = order[bound["reveals_order"][order] == 0]
    if not len(order):
        yield from list_rejected(rejected)
        return
    sink = QuestionFile(folder, f"{make.contexts[int(bound['context'][0])].split}-{name}", schema, len(order))
    for start in range(0, len(order), ROWS_A_GROUP):
        part = take_rows(bound, order[start : start + ROWS_A_GROUP])
        part["wording"] = make.choose_wordings(part)
        part = take_rows(part, make.order_group(part))
        texts, errors = make.render_texts(part)
        if errors:  # numbers are filtered here, and not the columns made of them
            _count_errors(texts, errors, rejected)
            sound = _find_sound(len(texts), errors)
            part, texts = take_rows(part, sound), texts.filter(pa.array(sound))
        if len(texts):
            sink.add(make.build_rows(part, texts, schema))
    yield sink.close()
    yield from list_rejected(rejected)


def take_rows(bound: Bound, rows: Ints | Mask) -> Bound:
    """Return some rows, in this order, or those of a mask."""
    return {column: values[rows] for column, values in bound.items()}


def _count_errors(examples: pa.Array | pa.ChunkedArray, errors: Mapping[int, str], rejected: RecordCounts) -> None:
    """Count the rows that are wrong, with what shows each."""
    for row, reason in errors.items():
        rejected.reject("question", reason, 1, [examples[row].as_py()])


def _find_sound(rows: int, errors: Iterable[int]) -> Mask:
    """Of so many rows those that nothing is wrong with."""
    sound = np.ones(rows, dtype=bool)
    sound[list(errors)] = False
    return sound


def write_bindings(
    batches: Iterable[pa.RecordBatch], templates: Mapping[str, Template], folder: str, name: str, schema: pa.Schema
) -> Iterator[dict[str, Any]]:
    """Write enumerated bindings: one file a split, sorted by template, year, wording and id.

    Args:
        batches: As `everwhen.families.complextempqa.render.slot_texts.with_texts` gives them, in any order.
        templates: The templates, by id.
        folder: Where the files go.
        name: How their names begin, after the split.
        schema: Of the table `questions`.

    Yields:
        Rows of TASK_RESULT.
    """
    read = list(batches)
    if not read or not sum(map(len, read)):
        return
    rejected = RecordCounts()
    in_use = sorted(templates.values(), key=lambda template: template.id)
    keys = [(key, "ascending") for key in ("split", "template", "year", "wording_number", "question_id")]
    ordered = with_wordings(pa.Table.from_batches(read), in_use).sort_by(keys)
    del read  # enumerated bindings are a kilobyte each
    splits = ordered["split"].value_counts().to_pylist()
    at = 0
    for split in splits:
        sink = QuestionFile(folder, f"{split['values']}-{name}", schema, split["counts"])
        for start in range(at, at + split["counts"], ROWS_A_GROUP):
            part = ordered.slice(start, min(ROWS_A_GROUP, at + split["counts"] - start))
            rows, errors = render_bindings(part, in_use, schema)
            if errors:
                _count_errors(pc.coalesce(rows["question"], rows["template_id"].cast(pa.string())), errors, rejected)
                rows = rows.filter(pa.array(_find_sound(len(rows), errors)))
            if len(rows):
                sink.add(rows)
        at += split["counts"]
        yield sink.close()
    yield from list_rejected(rejected)
