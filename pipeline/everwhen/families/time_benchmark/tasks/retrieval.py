"""Level 1: when facts were, how long it was from one to another, which lasted longer or was first."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.families.time_benchmark.phrases import Clause
from everwhen.families.time_benchmark.tasks.candidates import Texts, build_candidates, fill_clause, write_bound
from everwhen.language.wording_spark import capitalize, fill_wording
from everwhen.tables.world import BEGUN, CLOSED, ENDED, POINT
from everwhen.temporal.phrases_spark import measure_duration, write_amount, write_duration
from everwhen.temporal.precision import Precision

PAIRED = 10
"""Facts, or events, of a text that are paired with each other: those of the least hashes."""
LONGER_TRUE, LONGER = "Which of these was true for longer?", "Which of these was longer?"
SAME_DAY = "Both on the same day"
NEARLY_EQUAL = "The two lengths differ by less than a tenth of the longer"


def ask_when(texts: Texts) -> DataFrame:
    """Localization: when a fact was that our facts hold once."""
    start = write_bound(F.col("earliest_start"), F.col("start_precision"))
    end = write_bound(F.col("earliest_end"), F.col("end_precision"))
    point = write_bound(F.col("latest_start"), F.col("start_precision"))
    kind = F.col("kind")
    answer = (
        F.when(kind == BEGUN, F.concat(F.lit("Since "), start))
        .when(kind == ENDED, F.concat(F.lit("Until "), write_bound(F.col("latest_end"), F.col("end_precision"))))
        .when(kind == POINT, write_bound(F.col("earliest_end"), F.col("end_precision")))
        .when(start == end, point)
        .otherwise(F.concat(F.lit("From "), start, F.lit(" to "), end))
    )
    return build_candidates(
        texts,
        texts.facts.where("is_single"),
        "localization",
        question=fill_clause("when"),
        answer=F.array(answer),
        evidence=F.array("statement_id"),
        parameters=F.create_map(F.lit("statement"), F.col("statement_id")),
    )


def list_events(texts: Texts) -> DataFrame:
    """List begins and ends of facts that are held once: statement_id, edge, first, last, precision and clause."""
    facts = texts.facts.where("is_single")
    sides: tuple[tuple[Clause, tuple[str, ...], str, str, str], ...] = (
        ("begin", (CLOSED, BEGUN), "earliest_start", "latest_start", "start_precision"),
        ("end", (CLOSED, ENDED), "earliest_end", "latest_end", "end_precision"),
    )
    starts, ends = (
        facts.where(F.col("kind").isin(*kinds)).select(
            "context_id",
            "statement_id",
            F.lit(edge).alias("edge"),
            F.col(first).alias("first"),
            F.col(last).alias("last"),
            F.col(precision).alias("precision"),
            fill_clause(edge).alias("clause"),
        )
        for edge, kinds, first, last, precision in sides
    )
    return starts.unionByName(ends)


def pair(texts: Texts, rows: DataFrame, *key: str) -> DataFrame:
    """Pair rows of one text, each pair once in an order by hash: structs one and two."""
    place = F.array_sort(
        F.collect_list(F.struct(texts.hash("context_id", *key).alias("hash"), F.struct("*").alias("row")))
    )
    gathered = rows.groupBy("context_id").agg(F.slice(place, 1, PAIRED).alias("rows"))
    placed = gathered.select("context_id", F.posexplode("rows").alias("place", "chosen"), "rows")
    others = F.slice("rows", F.col("place") + 2, PAIRED)
    pairs = placed.where(F.size("rows") > F.col("place") + 1).select(
        "context_id", F.col("chosen.row").alias("one"), F.explode(others).alias("other")
    )
    return pairs.select("context_id", "one", F.col("other.row").alias("two")).where(
        F.col("one.statement_id") != F.col("two.statement_id")
    )


def list_spans(texts: Texts, events: DataFrame) -> DataFrame:
    """List spans from one event to a surely later one, both mentioned in one precision: structs a and b."""
    pairs = pair(texts, events, "statement_id", "edge").where("one.precision = two.precision")
    is_first = F.col("one.last") < F.col("two.first")
    return pairs.where(is_first | (F.col("two.last") < F.col("one.first"))).select(
        "context_id",
        F.when(is_first, F.col("one")).otherwise(F.col("two")).alias("a"),
        F.when(is_first, F.col("two")).otherwise(F.col("one")).alias("b"),
    )


def ask_between(texts: Texts, spans: DataFrame) -> DataFrame:
    """Computation: how long it was from one event to a later one."""
    precision = F.col("a.precision")
    unit = F.when(precision == Precision.DAY, "day").when(precision == Precision.MONTH, "month").otherwise("year")
    measured = measure_duration(F.col("a.first"), F.col("b.first"))
    duration = write_duration(measured)
    months = F.when(
        (unit == "month") & (measured["years"] > 0),
        write_amount(measured["years"] * 12 + measured["months"], "month", in_words=False),
    )
    days = F.when(unit == "day", write_amount(F.date_diff("b.first", "a.first"), "day", in_words=False))
    day = F.when(unit == "day", "day on which").otherwise(F.concat(unit, F.lit(" in which")))
    wording = "How long was it from the {day} {a} to the {day} {b}?"
    return build_candidates(
        texts,
        spans,
        "computation",
        question=fill_wording(wording, day=day, a=F.col("a.clause"), b=F.col("b.clause")),
        answer=F.array(F.regexp_replace(duration, ", | and ", " ")),
        evidence=F.array("a.statement_id", "b.statement_id"),
        parameters=F.create_map(F.lit("from"), _name_event("a"), F.lit("to"), _name_event("b")),
        accepted=F.array(F.array_compact(F.array(duration, months, days))),
    )


def _name_event(event: str) -> Column:
    return F.concat_ws(" ", f"{event}.edge", f"{event}.statement_id")


def compare_durations(texts: Texts, spans: DataFrame) -> DataFrame:
    """Duration Compare: which of two facts or spans was longer, or whether they differ by less than a tenth."""
    lasting = texts.facts.where((F.col("kind") == CLOSED) & F.col("is_single")).select(
        "context_id",
        "statement_id",
        F.array(F.concat_ws(" ", F.lit("hold"), "statement_id")).alias("terms"),
        fill_clause("hold").alias("clause"),
        F.greatest(F.date_diff("earliest_end", "latest_start") + 1, F.lit(1)).alias("least"),
        (F.date_diff("latest_end", "earliest_start") + 1).alias("most"),
    )
    between = spans.select(
        "context_id",
        F.concat_ws(" ", "a.edge", "a.statement_id", "b.edge", "b.statement_id").alias("statement_id"),
        F.array(_name_event("a"), _name_event("b")).alias("terms"),
        fill_wording("the time from when {a} to when {b}", a=F.col("a.clause"), b=F.col("b.clause")).alias("clause"),
        F.date_diff("b.first", "a.last").alias("least"),
        F.date_diff("b.last", "a.first").alias("most"),
    )
    parts = []
    for rows, kind, question in ((lasting, "fact", LONGER_TRUE), (between, "span", LONGER)):
        pairs = pair(texts, rows, "statement_id")
        one_longer = F.col("two.most") * 10 <= F.col("one.least") * 9
        two_longer = F.col("one.most") * 10 <= F.col("two.least") * 9
        longer = F.greatest("one.least", "two.least")
        gap = F.greatest(F.col("one.most") - F.col("two.least"), F.col("two.most") - F.col("one.least"))
        right = F.when(one_longer, 0).when(two_longer, 1).when(gap * 10 < longer, 2)
        options = _offer_clauses(NEARLY_EQUAL)
        parts.append(
            _choose(texts, pairs.withColumn("right", right), "duration_compare", kind, F.lit(question), options)
        )
    return parts[0].unionByName(parts[1])


def compare_order(texts: Texts, events: DataFrame) -> DataFrame:
    """Order Compare: which of two events was first, or both on one day; or whether one was before the other."""
    named = events.withColumn("terms", F.array(F.concat_ws(" ", "edge", "statement_id")))
    pairs = pair(texts, named, "statement_id", "edge")
    is_day = (F.col("one.first") == F.col("two.last")) & (F.col("one.last") == F.col("two.first"))
    is_first, is_second = F.col("one.last") < F.col("two.first"), F.col("two.last") < F.col("one.first")
    first = pairs.withColumn("right", F.when(is_first, 0).when(is_second, 1).when(is_day, 2))
    yes = pairs.withColumn("right", F.when(is_first, 0).when(is_second | is_day, 1))
    clauses = {"one": F.col("one.clause"), "two": F.col("two.clause")}
    is_before = fill_wording("Is it true that {one} before {two}?", **clauses)
    which, answers = F.lit("Which happened first?"), (F.lit("Yes"), F.lit("No"))
    return _choose(texts, first, "order_compare", "which", which, _offer_clauses(SAME_DAY)).unionByName(
        _choose(texts, yes, "order_compare", "whether", is_before, answers)
    )


def _offer_clauses(third: str) -> Sequence[Column]:
    """Offer the clauses of two rows, and that neither of them is right."""
    return (capitalize(F.col("one.clause")), capitalize(F.col("two.clause")), F.lit(third))


def _choose(
    texts: Texts, pairs: DataFrame, task: str, kind: str, question: Column, options: Sequence[Column]
) -> DataFrame:
    """Ask a single choice about two rows, which have clauses and terms.

    Args:
        texts: What is asked of.
        pairs: As `pair` returns them, and right, the place of the right option; null of what is not asked.
        task: The subtask.
        kind: What kind of choice it is, by which texts choose.
        question: The question.
        options: The options.
    """
    kinds = F.array(*(F.when(F.col("right") == place, "right").otherwise("other") for place in range(len(options))))
    terms = (F.array_join("one.terms", " "), F.array_join("two.terms", " "))
    ids = F.filter(F.split(F.concat_ws(" ", *terms), " "), lambda _, place: place % 2 == 1)
    variants = {"whether": ("yes", "no")}.get(kind, (kind, kind, f"{kind} last"))
    return build_candidates(
        texts,
        pairs.where("right IS NOT NULL AND one.clause <> two.clause"),
        task,
        F.get(F.array(*map(F.lit, variants)), F.col("right")),
        question=question,
        answer=F.array(F.get(F.array(*options), F.col("right"))),
        evidence=ids,
        parameters=F.map_from_arrays(F.array(*map(F.lit, ("one", "two", "asked"))), F.array(*terms, F.lit(kind))),
        options=F.array(*options),
        option_kinds=kinds,
    )
