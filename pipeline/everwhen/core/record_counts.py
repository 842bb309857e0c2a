"""Record counts of a stage: how many records it took in, kept, and rejected for each reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

INPUT, KEPT, REJECTED = "input", "kept", "rejected"
"""What is counted of a record: that it entered, and what became of it."""

EXAMPLES = 10
"""Examples of one reason: the least by text."""

EXAMPLE_LENGTH = 200
"""Characters of an example."""

DDL = "record_type string, status string, reason string, records bigint, examples array<string>"
"""The columns of the table `record_counts`."""


def count_input(df: DataFrame, record_type: str, records: Column | None = None) -> DataFrame:
    """Count the records of one type where they enter.

    Args:
        df: One row a record.
        record_type: What a row is.
        records: How many records a row stands for, where it is not one.

    Returns:
        One row of `record_counts`, of status input.
    """
    number = F.count(F.lit(1)) if records is None else F.coalesce(F.sum(records), F.lit(0))
    return df.agg(number.cast("bigint").alias("records")).select(
        F.lit(record_type).alias("record_type"),
        F.lit(INPUT).alias("status"),
        F.lit("").alias("reason"),
        "records",
        F.array().cast("array<string>").alias("examples"),
    )


def state_input(spark: SparkSession, records: Mapping[str, int]) -> DataFrame:
    """Return the rows of status input for records that were counted elsewhere, by type."""
    return spark.createDataFrame([(name, INPUT, "", number, []) for name, number in records.items()], DDL)


def count_outcomes(
    df: DataFrame, record_type: str | Column, reason: Column, example: Column, sum_records: Column | None = None
) -> DataFrame:
    """Count what became of records.

    Args:
        df: One row a record.
        record_type: What a row is; a column where one table has records of several types.
        reason: Why it is rejected; null where it is kept.
        example: A text that shows the record.
        sum_records: How many records a row stands for, where it is not one.

    Returns:
        Rows of `record_counts`: one of status kept, and one of status rejected for each reason, with examples.
    """
    text = F.substring(F.coalesce(example.cast("string"), F.lit("?")), 1, EXAMPLE_LENGTH)
    grouped = (
        df.select(
            (F.lit(record_type) if isinstance(record_type, str) else record_type).alias("record_type"),
            F.coalesce(reason, F.lit("")).alias("reason"),
            text.alias("example"),
            (F.lit(1) if sum_records is None else sum_records).cast("bigint").alias("records"),
        )
        .groupBy("record_type", "reason")
        .agg(F.sum("records").alias("records"), F.min_by("example", "example", EXAMPLES).alias("examples"))
    )
    is_kept = F.col("reason") == ""
    return grouped.select(
        "record_type",
        F.when(is_kept, KEPT).otherwise(REJECTED).alias("status"),
        "reason",
        "records",
        F.when(is_kept, F.array().cast("array<string>")).otherwise(F.array_distinct("examples")).alias("examples"),
    )


def count_records(df: DataFrame, record_type: str, example: Column, entered: DataFrame | None = None) -> DataFrame:
    """Count the records of one type where they enter, and what became of them.

    Args:
        df: One row a record, with its reason: why it is rejected; null where it is kept.
        record_type: What a row is.
        example: A text that shows the record.
        entered: The records where they enter, if that is another data frame.

    Returns:
        Rows of `record_counts`.
    """
    outcomes = count_outcomes(df, record_type, F.col("reason"), example)
    return count_input(df if entered is None else entered, record_type).unionByName(outcomes)


def sum_counts(parts: Iterable[DataFrame]) -> DataFrame:
    """Add up record counts of the same type, status and reason from several readers."""
    together = reduce(DataFrame.unionByName, parts)
    return together.groupBy("record_type", "status", "reason").agg(
        F.sum("records").alias("records"),
        F.slice(F.sort_array(F.array_distinct(F.flatten(F.collect_list("examples")))), 1, EXAMPLES).alias("examples"),
    )


def reconcile(record_counts: DataFrame) -> DataFrame:
    """Compare input with kept and rejected records, type by type.

    Args:
        record_counts: Table `record_counts` of one stage.

    Returns:
        Columns record_type, records_in, records_out (kept and rejected), unexplained (rejected without a reason),
        unknown (rows of another status) and least (the least number in any row).
    """

    def sum_records(condition: str) -> Any:
        return F.coalesce(F.sum(F.when(F.expr(condition), F.col("records"))), F.lit(0))

    return record_counts.groupBy("record_type").agg(
        sum_records("status = 'input'").alias("records_in"),
        sum_records("status in ('kept', 'rejected')").alias("records_out"),
        sum_records("status = 'rejected' and trim(reason) = ''").alias("unexplained"),
        F.count_if(F.expr("status not in ('input', 'kept', 'rejected')")).alias("unknown"),
        F.min("records").alias("least"),
    )


@dataclass
class RecordCounts:
    """Record counts that are added up in Python; input is what was kept and rejected together.

    Attributes:
        records: How many, by record type, status and reason.
        examples: The least examples of what was rejected, by record type and reason.
    """

    records: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def keep(self, record_type: str, records: int = 1) -> None:
        """Count records that are kept."""
        self._count(record_type, KEPT, "", records)

    def reject(self, record_type: str, reason: str, records: int = 1, examples: Iterable[str] = ()) -> None:
        """Count records that are rejected for one reason, and remember the least examples."""
        self._count(record_type, REJECTED, reason, records)
        shown = {text[:EXAMPLE_LENGTH] for text in examples}.union(self.examples.get((record_type, reason), ()))
        if shown:
            self.examples[record_type, reason] = sorted(shown)[:EXAMPLES]

    def decide(self, record_type: str, reason: str | None, records: int = 1) -> None:
        """Count records that are rejected for a reason, or kept where there is none."""
        if reason is None:
            self.keep(record_type, records)
        else:
            self.reject(record_type, reason, records)

    def merge(self, other: RecordCounts) -> None:
        """Add the counts and examples of another."""
        self.records.update(other.records)
        for (record_type, reason), examples in other.examples.items():
            self.reject(record_type, reason, 0, examples)

    def list_rows(self) -> list[dict[str, Any]]:
        """Return the rows of `record_counts`, in a fixed order."""
        return [
            {
                "record_type": record_type,
                "status": status,
                "reason": reason,
                "records": records,
                "examples": self.examples.get((record_type, reason), []) if status == REJECTED else [],
            }
            for (record_type, status, reason), records in sorted(self.records.items())
        ]

    def _count(self, record_type: str, status: str, reason: str, records: int) -> None:
        if records:
            self.records[record_type, status, reason] += records
            self.records[record_type, INPUT, ""] += records
