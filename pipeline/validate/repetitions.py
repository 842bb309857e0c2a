"""Whether anything stands in a dataset twice: ids, texts, and comparisons with their mirrors.

Great Expectations groups whole rows to tell, and so does Spark: minutes and gigabytes for a hundred million. Here
hashes of 64 bits are grouped, and only rows whose hashes are alike are compared in full: equal rows have equal hashes,
so that the answer is exact. The suite `repetitions` holds the counts to zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import duckdb
from pyspark.sql import SparkSession

from pipeline.validate.suites import SuiteResult, run_suite
from pipeline.validate.views import opened

SHOWN = 3
"""Rows shown of each kind."""

KEYS: Mapping[str, str] = {
    "ids": "question_id",
    "texts": "question",
    # What is compared, of which things and how they are told, whichever comes first.
    "bindings": """struct_pack(template := template_id, property := property, hops := hops,
        things := list_sort(question_entity), told := list_sort(list_transform(descriptions, lambda d: d."key")),
        id := CASE WHEN type NOT LIKE '2%' THEN question_id END)""",
}
"""What must be different in every row, as SQL over the questions."""

ALIKE = "SELECT h FROM (SELECT hash({key}) AS h FROM questions) GROUP BY h HAVING count(*) > 1"

TWICE = """
SELECT {key} AS twice, count(*) AS rows, min(question_id) AS one, max(question_id) AS other
FROM questions WHERE hash({key}) IN (SELECT h FROM alike) GROUP BY 1 HAVING count(*) > 1 ORDER BY 1
"""


def repetitions(db: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """What stands there twice.

    Args:
        db: A connection with the table `questions`.

    Returns:
        For each of KEYS, what is repeated, with the ids of two rows.
    """
    found = {}
    for name, key in KEYS.items():
        db.execute(f"CREATE OR REPLACE TEMP TABLE alike AS {ALIKE.format(key=key)}")
        rows = db.execute(TWICE.format(key=key)).fetchall() if db.table("alike").limit(1).fetchall() else []
        found[name] = [f"{twice} ({n} rows, {one} and {other})" for twice, n, one, other in rows]
    return found


def repetition_suite(spark: SparkSession, dataset: str | Path) -> SuiteResult:
    """The suite `repetitions` on a dataset folder, on a local disk."""
    with opened(dataset) as db:
        found = repetitions(db)
    counts = {name: len(twice) for name, twice in found.items()}
    shown = {f"{name}_shown": "; ".join(twice[:SHOWN]) for name, twice in found.items()}
    row = spark.createDataFrame([{**counts, **shown}])
    return run_suite(spark, row, "repetitions")
