"""Questions whose answer the scorer does not recognise: nobody could be right, so they are not asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.families.tdbench.evaluation.items import GoldQuestion, build_lexicons
from everwhen.families.tdbench.evaluation.recognition import is_recognised
from everwhen.families.tdbench.names import read_names

KEY = ("declaration", "asked", "named", "answer")
"""What decides: the columns that are asked for, the values that the question names, and the answer."""

KEY_DDL = "declaration string, asked array<string>, named array<string>, answer array<string>"


def reject_unrecognised(judged: DataFrame, rows: DataFrame, accepted: DataFrame, declarations: DataFrame) -> DataFrame:
    """Give a reason to questions whose own answer would not be right; each answer of a key is scored once.

    Args:
        judged: Columns of ITEMS, and reason; null where the question is asked.
        rows: Table `rows`.
        accepted: Table `accepted_answers`.
        declarations: Table `declarations`.

    Returns:
        The same columns; the data frame itself where all answers are recognised.
    """
    spark = judged.sparkSession
    keyed = judged.withColumn("named", F.transform("given", lambda pair: pair["value"]))
    asked = keyed.where("reason IS NULL").select(*KEY).distinct().coalesce(spark.sparkContext.defaultParallelism)
    hops = F.transform("hops", lambda step: step["column"]).alias("hops")
    names = read_names(
        judged.select("declaration", "asked", hops).distinct().toArrow(),
        rows.select("declaration", F.explode("fields").alias("column", "value")).distinct().toArrow(),
        accepted.toArrow(),
        declarations.select("declaration", "text").toArrow(),
    )
    shared = spark.sparkContext.broadcast(names)
    unread = asked.mapInArrow(partial(_select_unrecognised, shared), KEY_DDL).toArrow()
    shared.destroy()
    if not len(unread):
        return judged
    found = spark.createDataFrame(unread).withColumn("unread", F.lit(RejectReason.UNRECOGNISED_ANSWER))
    joined = keyed.join(F.broadcast(found), on=list(KEY), how="left")
    return joined.withColumn("reason", F.coalesce("reason", "unread")).select(*judged.columns)


def _select_unrecognised(shared: Broadcast[pa.Table], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    lexicons = build_lexicons(shared.value)
    for batch in batches:
        columns: Sequence[list[object]] = [batch[name].to_pylist() for name in KEY]
        items = [
            GoldQuestion("", "", declaration, tuple(asked), tuple(answer), given=tuple(named))
            for declaration, asked, named, answer in zip(*columns, strict=True)
        ]
        yield batch.filter(pa.array([not is_recognised(item, lexicons) for item in items], pa.bool_()))
