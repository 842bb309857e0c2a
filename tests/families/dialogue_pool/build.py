"""What builds the pool: its documents, queries and qrels."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from everwhen.families.dialogue_pool.config import NAME, Settings
from everwhen.families.dialogue_pool.family import FAMILY
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.config import read_section
from everwhen.core.record_counts import count_input, count_outcomes, sum_counts
from everwhen.core.table import Column, Table
from everwhen.families.family_build import CollectionTables, FamilyBuild, Items, read_files
from everwhen.tables.record_counts import record_counts

FOLDER = Path(__file__).resolve().parent

MESSAGES = Table(
    name="messages",
    stage=NAME,
    meaning="A message.",
    columns=(Column("doc_id", "bigint", "its number; unique"), Column("text", "string", "time, sender and text")),
)
QUERIES = Table(
    name="queries",
    stage=NAME,
    meaning="A question that one message answers.",
    columns=(
        Column("query_id", "bigint", "its number; unique"),
        Column("text", "string", "the question"),
        Column("short", "string", "the question without its mark"),
        Column("answer", "array<string>", "who sent the message"),
        Column("year", "string", "the year that the question names; null where it names none", nullable=True),
        Column("wording", "string", "the only wording"),
    ),
)
QRELS = Table(
    name="qrels",
    stage=NAME,
    meaning="A message that is relevant to a question.",
    columns=(
        Column("query_id", "bigint", "the question"),
        Column("doc_id", "bigint", "the message"),
        Column("grade", "int", "1"),
        Column("reason", "string", "why it is relevant"),
    ),
)
TABLES = (MESSAGES, QUERIES, QRELS, record_counts(NAME))


def publish_pool(build: Build) -> None:
    """Write the tables, unless all are there."""
    if build.has_all(NAME, TABLES):
        return
    rows = build.spark.read.json(read_section(build.config, NAME, Settings).file)
    number = F.col("id").cast("bigint")
    year = F.nullif(F.regexp_extract("question", r"\b(\d{4})\b", 1), F.lit(""))
    build.materialize(MESSAGES, lambda: rows.select(number.alias("doc_id"), F.col("pos_document").alias("text")))
    build.materialize(
        QUERIES,
        lambda: rows.select(
            number.alias("query_id"),
            F.col("question").alias("text"),
            F.rtrim("question", F.lit("?")).alias("short"),
            F.array("answer").alias("answer"),
            year.alias("year"),
            F.lit("who").alias("wording"),
        ),
    )
    grade, reason = F.lit(1).alias("grade"), F.concat(F.lit("sent by "), "answer").alias("reason")
    build.materialize(QRELS, lambda: rows.select(number.alias("query_id"), number.alias("doc_id"), grade, reason))
    counts = [
        count_input(rows, "message"),
        count_outcomes(rows, "message", F.lit(None).cast("string"), number.cast("string")),
    ]
    build.materialize(TABLES[-1], partial(sum_counts, counts))


BUILD = FamilyBuild(
    family=FAMILY,
    run=publish_pool,
    tables=TABLES,
    published=(MESSAGES, QUERIES, QRELS),
    items=Items(QUERIES, "query_id", show=("wording", "text", "answer")),
    evidence=None,
    checks=partial(read_files, FOLDER / "checks"),
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
    licences=lambda dataset: {"pool": None},
    collections={"messages": CollectionTables(MESSAGES, QUERIES, QRELS)},
)
