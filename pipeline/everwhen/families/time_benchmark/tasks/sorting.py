"""Level 3, Timeline: eight facts of two or more stories in the order of their begins."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.families.time_benchmark.tasks.candidates import Question, Texts, build_candidates, fill_clause
from everwhen.language.wording_spark import capitalize
from everwhen.tables.world import BEGUN, CLOSED

SIZE = 8


def ask_to_sort(texts: Texts) -> DataFrame:
    """Ask to sort eight facts, every two of which surely began one after the other."""
    hash_ = texts.hash("context_id", "statement_id")
    fact = F.struct(
        F.col("latest_start"),
        F.col("earliest_start"),
        "statement_id",
        "story",
        fill_clause("begin").alias("clause"),
        hash_.alias("hash"),
    )
    rows = (
        texts.facts.where(F.col("kind").isin(CLOSED, BEGUN) & F.col("is_single"))
        .groupBy("context_id")
        .agg(F.array_sort(F.collect_list(fact)).alias("facts"))
    )
    # The next that surely began after the last one taken: of facts in the order of their last days, the longest chain.
    empty = F.filter("facts", lambda each: F.lit(False))
    chain = F.aggregate(
        "facts",
        empty,
        lambda taken, each: F.when(
            (F.size(taken) == 0) | (F.element_at(taken, -1)["latest_start"] < each["earliest_start"]),
            F.concat(taken, F.array(each)),
        ).otherwise(taken),
    )
    rows = rows.withColumn("chain", chain).where(F.size("chain") >= SIZE)
    by_hash = F.array_sort(
        "chain",
        lambda one, other: F.when(one["hash"] < other["hash"], -1).when(one["hash"] > other["hash"], 1).otherwise(0),
    )
    rows = rows.withColumn("shown", F.slice(by_hash, 1, SIZE)).where(F.size(F.array_distinct("shown.story")) >= 2)
    in_order = F.array_sort("shown")
    numbers = F.transform(in_order, lambda each: F.array_position("shown.statement_id", each["statement_id"]))
    listed = F.transform(
        "shown",
        lambda each, place: F.concat(F.lit("("), (place + 1).cast("string"), F.lit(") "), capitalize(each["clause"])),
    )
    answer = F.array_join(
        F.transform(numbers, lambda number: F.concat(F.lit("("), number.cast("string"), F.lit(")"))), ""
    )
    return build_candidates(
        texts,
        rows,
        "timeline",
        Question(
            text=F.concat(
                F.lit("Put these events in chronological order, the earliest first:\n"), F.array_join(listed, "\n")
            ),
            answer=F.array(answer),
            evidence=F.col("shown.statement_id"),
            parameters=F.create_map(F.lit("shown"), F.array_join("shown.statement_id", " ")),
        ),
    )
