"""The stage: facts, graphs, texts, and what is asked about them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build, run_parallel
from everwhen.core.hashing import assign_split, derive_id, hash_text, refuse_duplicate_ids
from everwhen.core.record_counts import count_outcomes, count_records, state_input, sum_counts
from everwhen.core.session import checkpoint
from everwhen.families.time_benchmark.config import NAME, read_settings
from everwhen.families.time_benchmark.facts import judge_statements
from everwhen.families.time_benchmark.graphs import compose_graphs
from everwhen.families.time_benchmark.reasons import TextReason
from everwhen.families.time_benchmark.rewriting import add_rewritings
from everwhen.families.time_benchmark.tables import CHAINS, CONTEXTS, FACTS, ITEM_SETS, ITEMS, MENTIONS, TABLES
from everwhen.families.time_benchmark.tasks import retrieval, timelines
from everwhen.families.time_benchmark.tasks.candidates import Texts, read_texts
from everwhen.families.time_benchmark.tasks.choice import choose_candidates
from everwhen.families.time_benchmark.tasks.extraction import ask_which_times
from everwhen.families.time_benchmark.tasks.options import TASKS, offer_choices
from everwhen.families.time_benchmark.tasks.sorting import ask_to_sort
from everwhen.families.time_benchmark.texts import compose_texts, join_texts, list_stated
from everwhen.tables.facts import STATEMENTS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import NAMES, TEMPORAL_FACTS

SHORT = 0.8
"""A text with fewer of the words that are asked for is reported: the snapshot has too few facts near its root."""


def run_time(build: Build) -> None:
    """Write the tables of the stage, unless all are there."""
    if build.has_all(NAME, TABLES):
        return
    statements = build.read(STATEMENTS)
    judged = judge_statements(statements, build.read(TEMPORAL_FACTS), build.read(NAMES)).transform(checkpoint)
    facts = build.materialize(FACTS, lambda: judged.where("reason IS NULL"))
    seed = str(build.config.seed)
    context = derive_id(F.array(hash_text(F.lit(seed)), hash_text(F.lit(NAME)), "root"))
    settings = read_settings(build.config)
    graphs = compose_graphs(facts, settings, seed).withColumn("context_id", context)
    composed = compose_texts(graphs, facts, statements).transform(checkpoint)
    mentioned = build.materialize(MENTIONS, lambda: composed)
    split = assign_split(F.col("root"), build.config)

    def write_contexts() -> DataFrame:
        joined = join_texts(composed).withColumn("split", split)
        if settings.rewriting is None:
            return joined.withColumn("rewriting", F.lit(None).cast("string"))
        return add_rewritings(build, joined, list_stated(facts, mentioned), settings.rewriting)

    read = read_texts(judged, facts, mentioned, seed)
    kept = (partial(checkpoint, rows) for rows in (read.facts, read.timelines, read.years))
    contexts, *stored = run_parallel((partial(build.materialize, CONTEXTS, write_contexts), *kept))
    texts = Texts(stored[0], stored[1], stored[2], seed)
    log_short_texts(build, contexts, settings.words)
    asked = ask_all(texts, facts, mentioned)
    candidates = choose_candidates(asked, contexts, texts).transform(checkpoint)
    if settings.forms == "both":
        choices, chains = offer_choices(candidates.where("reason IS NULL"), texts, facts, mentioned, statements)
        candidates = candidates.unionByName(choices.transform(checkpoint), allowMissingColumns=True)
    else:
        chains = CHAINS.select(facts.limit(0).select(F.col("subject").alias("entity"), F.col("subject").alias("above")))
    build.materialize(CHAINS, lambda: chains)
    items = build.materialize(ITEMS, lambda: candidates.where("reason IS NULL"))
    build.materialize(ITEM_SETS.table, lambda: ITEM_SETS.select(items))
    refuse_duplicate_ids(items, "item_id", F.col("question"))
    counts = [
        count_records(judged, "statement of a property in use", F.col("statement_id")),
        *_count_candidates(candidates),
    ]
    if settings.rewriting:
        is_kept = F.when(F.col("rewriting").isNull(), TextReason.NOT_REWRITTEN)
        counts.append(
            count_records(contexts.withColumn("reason", is_kept), "text to rewrite", F.col("root").cast("string"))
        )
    build.materialize(record_counts(NAME), lambda: sum_counts(counts))


def log_short_texts(build: Build, contexts: DataFrame, words: int) -> None:
    """Log how many texts are much shorter than what is asked for, and how long the longest is."""
    is_short = F.col("words") < words * SHORT
    ((n, short, longest),) = contexts.agg(F.count("*"), F.count_if(is_short), F.max("words")).collect()
    if short:
        build.log(
            f"texts with fewer than {words * SHORT:,.0f} words: {short:,} of {n:,}, the longest has {longest:,}; too"
            f" few facts are linked with their roots for {words:,}"
        )


def _count_candidates(candidates: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Count the candidates of each subtask, and what became of them."""
    is_second = (F.col("form") == "single") & F.col("task").isin(*TASKS)
    kind = F.concat(F.when(is_second, "single choice of ").otherwise("candidate of "), "task")
    entered = {
        row["kind"]: row["n"] for row in candidates.groupBy(kind.alias("kind")).agg(F.count("*").alias("n")).collect()
    }
    outcomes = count_outcomes(candidates, kind, F.col("reason"), F.col("question"))
    return state_input(candidates.sparkSession, entered), outcomes


def ask_all(texts: Texts, facts: DataFrame, mentioned: DataFrame) -> DataFrame:
    """Ask all subtasks of all texts: candidates."""
    listed = (timelines.list_windows, timelines.list_anchored, retrieval.list_events)
    windows, anchored, events = run_parallel(partial(lambda rows: checkpoint(rows(texts)), each) for each in listed)
    fact_mentions = mentioned.select("context_id", "statement_id").join(facts, "statement_id")
    spans = retrieval.list_spans(texts, events).transform(checkpoint)
    subtasks: tuple[Callable[[], DataFrame], ...] = (
        lambda: timelines.ask_around(texts, anchored, timelines.list_dates(texts)),
        lambda: retrieval.ask_between(texts, spans),
        lambda: ask_which_times(texts, fact_mentions),
        lambda: timelines.ask_if(texts, windows),
        lambda: retrieval.compare_durations(texts, spans),
        lambda: retrieval.compare_order(texts, events),
        lambda: timelines.ask_in_window(texts, windows),
        lambda: timelines.ask_kth(texts),
        lambda: timelines.ask_while(texts, anchored),
        lambda: retrieval.ask_when(texts),
        lambda: ask_to_sort(texts),
    )
    # In one plan the subtasks of the sample took 21 s and one by one 17 s; two at a time, with fewer anchors, 6 s.
    parts = run_parallel(partial(lambda ask: checkpoint(ask()), ask) for ask in subtasks)
    return reduce(DataFrame.unionByName, parts)
