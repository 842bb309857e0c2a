"""Level 3, Timeline: eight facts of two or more stories in the order of their begins."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.families.time_benchmark.tasks.candidates import Texts, build_candidates, fill_clause
from everwhen.language.wording_spark import capitalize, fill_wording
from everwhen.tables.world import BEGUN, CLOSED

SIZE = 8
QUESTION = "Put these events in chronological order, the earliest first:\n{events}"


def ask_to_sort(texts: Texts) -> DataFrame:
    """Ask to sort eight facts, every two of which surely began one after the other."""
    hash_ = texts.hash("context_id", "statement_id").alias("hash")
    clause = capitalize(fill_clause("begin")).alias("clause")
    fact = F.struct("latest_start", "earliest_start", "statement_id", "story", clause, hash_)
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
    by_hash = F.array_sort("chain", lambda one, other: F.when(one["hash"] < other["hash"], -1).otherwise(1))
    rows = rows.withColumn("shown", F.slice(by_hash, 1, SIZE)).where(F.size(F.array_distinct("shown.story")) >= 2)
    in_order = F.array_sort("shown")

    def write_number(each: Column) -> Column:
        return fill_wording("({number})", number=F.array_position("shown.statement_id", each["statement_id"]))

    listed = F.transform("shown", lambda each: F.concat_ws(" ", write_number(each), each["clause"]))
    answer = F.array_join(F.transform(in_order, write_number), "")
    return build_candidates(
        texts,
        rows,
        "timeline",
        question=fill_wording(QUESTION, events=F.array_join(listed, "\n")),
        answer=F.array(answer),
        evidence=F.col("shown.statement_id"),
        parameters=F.create_map(F.lit("shown"), F.array_join("shown.statement_id", " ")),
    )
