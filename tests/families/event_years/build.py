"""What builds questions on the year of an event: items, what they are derived from, and how they are shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from everwhen.families.event_years.config import Settings
from everwhen.families.event_years.family import FAMILY
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.config import read_section
from everwhen.core.record_counts import count_input, count_outcomes, sum_counts
from everwhen.core.table import Column, Table
from everwhen.families.family_build import Evidence, FamilyBuild, Items, read_files
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import SUBJECTS

FOLDER = Path(__file__).resolve().parent

YEARS = Table(
    name="years",
    stage="event_years",
    meaning="A question about the year of an event.",
    columns=(
        Column("question_id", "bigint", "hash of the event's id; unique"),
        Column("question", "string", "the question"),
        Column("answer", "array<string>", "the year"),
        Column("options", "array<string>", "four years, one after the other, of which one is the answer"),
        Column("item_id", "bigint", "the event"),
        Column("wording", "string", "the only wording"),
    ),
)
TABLES = (YEARS, record_counts("event_years"))


def ask_years(build: Build) -> None:
    """Write the tables, unless all are there."""
    if build.has_all("event_years", TABLES):
        return
    events = _screen(build)
    year = F.year("earliest_start")
    first = year - F.pmod(F.xxhash64(F.lit(build.config.seed), F.lit("options"), "item_id"), F.lit(4)).cast("int")
    kept = events.where("reason IS NULL").select(
        F.xxhash64(F.lit(build.config.seed), "item_id").bitwiseAND(2**63 - 1).alias("question_id"),
        F.concat(F.lit("In what year was "), "name", F.lit("?")).alias("question"),
        F.array(year.cast("string")).alias("answer"),
        F.sequence(first, first + 3).cast("array<string>").alias("options"),
        "item_id",
        F.lit("in what year").alias("wording"),
    )
    build.materialize(YEARS, lambda: kept)
    counts = [
        count_input(events, "event"),
        count_outcomes(events, "event", F.col("reason"), F.concat(F.lit("Q"), "item_id")),
    ]
    build.materialize(TABLES[1], partial(sum_counts, counts))


def _screen(build: Build) -> DataFrame:
    """The events, with why one is not asked about."""
    popular_only = read_section(build.config, "event_years", Settings).popular_only
    same_year = F.year("earliest_start") == F.year("latest_end")
    return (
        build.read(SUBJECTS)
        .where("kind = 'event'")
        .withColumn(
            "reason",
            F.when(~F.coalesce(same_year, F.lit(False)), "not of one year").when(
                F.lit(popular_only) & ~F.col("is_popular"), "not popular"
            ),
        )
    )


def collect_evidence(build: Build) -> Evidence:
    """The times of the events."""
    return Evidence(build.read(YEARS).select(F.col("item_id").alias("subject")), (31, 580, 582, 585))


BUILD = FamilyBuild(
    family=FAMILY,
    run=ask_years,
    tables=TABLES,
    published=(YEARS,),
    items=Items(YEARS, "question_id", show=("wording", "question", "answer"), counts=("wording",)),
    evidence=collect_evidence,
    checks=partial(read_files, FOLDER / "checks"),
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
)
