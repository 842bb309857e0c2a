from __future__ import annotations

import pyarrow as pa
import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

from everwhen.language.prose_spark import choose_alone, choose_in_texts, gather_tables, write_sentences_in_spark
from prose_statements import STATEMENTS, state, tell

pytestmark = pytest.mark.spark


def create_rows(spark: SparkSession, count: int) -> list[Row]:
    """Tell statements of players in two texts, over several tasks."""
    rows = [state(54, statement_id=f"Q1${n}", start_time=str(1990 + n)) for n in range(count)]
    table = pa.Table.from_pylist(rows, STATEMENTS).drop_columns(["key", "nth"])
    table = table.append_column("text", pa.array([n % 2 for n in range(count)]))
    statements = spark.createDataFrame(table.append_column("position", pa.array(range(count))))
    told = write_sentences_in_spark(choose_in_texts(statements.repartition(3)), month_first=True)
    return told.orderBy("position").collect()


def test_sentences_of_spark_are_those_of_arrow(spark: SparkSession) -> None:
    rows = create_rows(spark, 12)
    given = [state(54, start_time=str(1990 + row.position), key=row.key, nth=row.nth) for row in rows]
    told = [each["sentence"] for each in tell(given, month_first=True)]
    assert [row.sentence for row in rows] == told
    assert {row.reason for row in rows} == {None}


def test_no_form_is_repeated_in_a_text_until_all_are_used(spark: SparkSession) -> None:
    rows = create_rows(spark, 12)
    for text in (0, 1):
        forms = [row.form for row in rows if row.text == text]
        assert len(set(forms[:4])) == 4
        assert forms[:2] == forms[4:]


def test_a_statement_by_itself_takes_the_form_of_its_id(spark: SparkSession) -> None:
    (row,) = choose_alone(spark.createDataFrame([("Q1$1",)], "statement_id string")).collect()
    assert (row.key, row.nth) == (spark.range(1).select(F.xxhash64(F.lit("Q1$1"))).first()[0], 0)


def test_batches_are_gathered_in_their_order() -> None:
    batches = pa.table({"n": list(range(10))}).to_batches(max_chunksize=3)
    found = [table["n"].to_pylist() for table in gather_tables(batches, 5)]
    assert found == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]]
    assert list(gather_tables([])) == []
