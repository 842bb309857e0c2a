"""What builds questions on the year of an event: items, what they are derived from, and how they are shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from everwhen.families.event_years.config import Settings
from everwhen.families.event_years.family import FAMILY
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.config import read_section
from everwhen.core.hashing import assign_split, derive_id, refuse_duplicate_ids
from everwhen.core.record_counts import count_records, sum_counts
from everwhen.core.table import Column, Table
from everwhen.families.family_build import CollectionTables, Evidence, FamilyBuild, Items, read_files
from everwhen.language.lint_spark import find_lint_error
from everwhen.language.wording import split_wording
from everwhen.language.wording_spark import capitalize, choose_wordings, join_pieces
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import SUBJECTS

FOLDER = Path(__file__).resolve().parent
NAME = FAMILY.name

WORDINGS = ("In what year was {event}?", "Which was the year of {event}?")
"""A wording keeps its place, by which it is chosen."""

YEARS = Table(
    name="years",
    stage=NAME,
    meaning="A question about the year of an event.",
    columns=(
        Column("question_id", "bigint", "hash of the event's id; unique"),
        Column("question", "string", "the question"),
        Column("answer", "array<string>", "the year"),
        Column("options", "array<string>", "four years, one after the other, of which one is the answer"),
        Column("item_id", "bigint", "the event"),
        Column("wording", "string", "the wording: 0 or 1"),
        Column("split", "string", "train, validation or test, by hash of the event"),
    ),
)
NOTES = Table(
    name="notes",
    stage=NAME,
    meaning="A document: when an event was.",
    columns=(Column("doc_id", "bigint", "the event"), Column("text", "string", "a sentence")),
)
QUERIES = Table(
    name="queries",
    stage=NAME,
    meaning="A question, as retrievers are asked.",
    columns=(Column("query_id", "bigint", "the question's id"), Column("text", "string", "the question")),
)
QRELS = Table(
    name="qrels",
    stage=NAME,
    meaning="The document that answers a question.",
    columns=(
        Column("query_id", "bigint", "the question's id"),
        Column("doc_id", "bigint", "the event"),
        Column("grade", "int", "1"),
    ),
)
PUBLISHED = (YEARS, NOTES, QUERIES, QRELS)
TABLES = (*PUBLISHED, record_counts(NAME))


def ask_years(build: Build) -> None:
    """Write the tables, unless all are there."""
    if build.has_all(NAME, TABLES):
        return
    events = _screen(_word(build, build.read(SUBJECTS).where("kind = 'event'")), build)
    asked = events.where("reason IS NULL")
    refuse_duplicate_ids(asked, "question_id", F.col("question"))
    build.materialize(YEARS, lambda: YEARS.select(asked))
    years = build.read(YEARS)
    note = F.concat(F.lit("In "), F.year("earliest_start"), F.lit(", "), "name", F.lit(" took place."))
    build.materialize(NOTES, lambda: asked.select(F.col("item_id").alias("doc_id"), note.alias("text")))
    query = F.col("question_id").alias("query_id")
    build.materialize(QUERIES, lambda: years.select(query, F.col("question").alias("text")))
    relevant = (F.col("item_id").alias("doc_id"), F.lit(1).alias("grade"))
    build.materialize(QRELS, lambda: years.select(query, *relevant))
    counts = [count_records(events, "event", F.concat(F.lit("Q"), "item_id"))]
    build.materialize(TABLES[-1], partial(sum_counts, counts))


def _word(build: Build, events: DataFrame) -> DataFrame:
    """Add what is asked, answered and offered, and id, wording and split."""
    seed, year = F.lit(build.config.seed), F.year("earliest_start")
    numbers = range(len(WORDINGS))
    wording = choose_wordings({number: F.xxhash64("item_id", F.lit(number)) for number in numbers})[0]
    pieces = F.array(*(F.array(*map(F.lit, split_wording(text))) for text in WORDINGS))
    first = year - F.pmod(F.xxhash64(seed, F.lit("options"), "item_id"), F.lit(4)).cast("int")

    def fill(slot: SparkColumn) -> SparkColumn:
        return F.when(slot == "event", F.col("name"))

    return events.withColumns(
        {
            "question_id": derive_id(F.array(F.xxhash64(seed), "item_id")),
            "question": capitalize(join_pieces(pieces[wording], fill)),
            "answer": F.array(year.cast("string")),
            "options": F.sequence(first, first + 3).cast("array<string>"),
            "wording": wording.cast("string"),
            "split": assign_split(F.concat(F.lit("Q"), "item_id"), build.config),
        }
    )


def _screen(events: DataFrame, build: Build) -> DataFrame:
    """Add the reason why an event is not asked about: its time, its views, or the text of the question."""
    is_popular = F.col("is_popular") | F.lit(not read_section(build.config, NAME, Settings).popular_only)
    is_of_one_year = F.coalesce(F.year("earliest_start") == F.year("latest_end"), F.lit(False))
    reason = F.when(~is_of_one_year, "not of one year").when(~is_popular, "not popular")
    lint = find_lint_error(F.col("question"), F.col("answer"), is_choice=F.lit(False))
    return events.withColumn("reason", F.coalesce(reason, lint))


def collect_evidence(build: Build) -> Evidence:
    """The times of the events."""
    return Evidence(build.read(YEARS).select(F.col("item_id").alias("subject")), (31, 580, 582, 585))


BUILD = FamilyBuild(
    family=FAMILY,
    run=ask_years,
    tables=TABLES,
    published=PUBLISHED,
    items=Items(
        YEARS, "question_id", show=("wording", "question", "answer"), counts=("wording", "split"), split="split"
    ),
    evidence=collect_evidence,
    checks=partial(read_files, FOLDER / "checks"),
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
    collections={"notes": CollectionTables(NOTES, QUERIES, QRELS)},
)
