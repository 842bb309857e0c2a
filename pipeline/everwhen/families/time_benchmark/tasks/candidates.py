"""What all subtasks share: facts and timelines of a text, and the columns of what may be asked."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.time_benchmark.evaluation.tasks import TASKS
from everwhen.families.time_benchmark.facts import find_whole_timelines, list_ends, list_sides
from everwhen.families.time_benchmark.phrases import Clause, write_clause
from everwhen.temporal.allen import BOUNDS
from everwhen.temporal.phrases_spark import write_date

LAST_YEAR = 2025
"""The last year that windows, premises and false times name."""

FORMS = {"extract": "multiple", "duration_compare": "single", "order_compare": "single"}
"""The forms of subtasks that are not free."""
ANSWER_TYPES = {
    **{task: f"{form}_choice" for task, form in FORMS.items()},
    "localization": "time",
    "computation": "duration",
    "timeline": "order",
}
"""The types of answers that are no names."""

VARIANTS = {
    "duration_compare": ("fact", "fact", "span", "span", "fact last", "span last"),
    "order_compare": ("which", "which", "which last", "yes", "no"),
    "relative_reasoning": ("fact", "fact", "date", "date", "within", "within", "within", "within", "none", "none"),
    "co_temporality": ("some", "some", "some", "some", "none"),
    "counterfactual": ("same", "other", "none"),
}
"""By subtask the kinds of questions and answers, in their shares; a text without the kind it draws takes another."""
WRITTEN = 8
"""Candidates of a text and subtask that are written: the next is asked where a question gives its answer away."""

DAYS = "struct<" + ",".join(f"{bound}:date" for bound in BOUNDS) + ">"
"""The type of a struct of bounds."""


@dataclass(frozen=True)
class Texts:
    """What questions are asked of.

    Attributes:
        facts: The facts mentioned within two steps of its root: the columns of the table `facts`, context_id,
            story, and is_single, whether no other statement has the same property and ends.
        timelines: Context_id, entity, entity_phrase, property, side, is_whole and members: the facts of the timeline
            that the text mentions, as an array of structs of statement_id, other, name, name_phrase, kind and bounds.
            Of those that are not whole, since they are long, questions ask of those named in the text.
        years: Context_id and mentioned, array<int>: the years of all times that a text mentions.
        seed: The seed of all choices.
    """

    facts: DataFrame
    timelines: DataFrame
    years: DataFrame
    seed: str

    def hash(self, *columns: Column | str) -> Column:
        """Hash columns, for a choice."""
        return F.xxhash64(F.lit(f"{self.seed}\x1ftime choice"), *columns)


def read_texts(judged: DataFrame, facts: DataFrame, mentioned: DataFrame, seed: str) -> Texts:
    """Read what texts mention.

    Args:
        judged: As `judge_statements` returns them.
        facts: Table `facts`.
        mentioned: Table `fact_mentions`.
        seed: The seed of all choices.
    """
    same = judged.where("value_item IS NOT NULL").groupBy(list_ends().alias("ends"), "property")
    single = same.agg((F.count(F.lit(1)) == 1).alias("is_single"))
    fact_mentions = (
        mentioned.select("context_id", "statement_id", "story", "entity", "is_asked")
        .join(facts, "statement_id")
        .withColumn("ends", list_ends())
        .join(single, ["ends", "property"])
        .drop("ends")
    )
    asked = fact_mentions.where("is_asked").drop("is_asked")
    times = F.array("earliest_start", "latest_start", "earliest_end", "latest_end")
    years = fact_mentions.groupBy("context_id").agg(
        F.array_compact(F.array_distinct(F.flatten(F.collect_list(F.transform(times, F.year))))).alias("mentioned")
    )
    return Texts(asked, _gather_timelines(judged, fact_mentions), years, seed)


def _gather_timelines(judged: DataFrame, fact_mentions: DataFrame) -> DataFrame:
    """Gather the timelines of the entities with stories, all of whose statements are facts."""
    with_story = fact_mentions.where("is_asked").select("context_id", "entity").distinct()
    is_subject = F.col("entity") == F.col("subject")
    sides = list_sides(fact_mentions.drop("entity", "story", "is_asked")).withColumns(
        {
            "name": F.when(is_subject, F.col("value_name")).otherwise(F.col("subject_name")),
            "name_phrase": F.when(is_subject, F.col("value_phrase")).otherwise(F.col("subject_phrase")),
            "entity_phrase": F.when(is_subject, F.col("subject_phrase")).otherwise(F.col("value_phrase")),
        }
    )
    member = F.struct("statement_id", "other", "name", "name_phrase", "kind", *BOUNDS)
    return (
        sides.join(with_story, ["context_id", "entity"])
        .join(find_whole_timelines(judged), ["entity", "property", "side"])
        .groupBy("context_id", "entity", "property", "side")
        .agg(
            F.min("entity_phrase").alias("entity_phrase"),
            F.sort_array(F.collect_list(member)).alias("members"),
            (F.count(F.lit(1)) == F.first("size")).alias("is_whole"),
            F.bool_and("is_single").alias("is_once"),
        )
        .where("size(members) >= 2 AND (is_whole OR is_once)")
        .drop("is_once")
    )


def fill_clause(name: Clause, fact: str | None = None) -> Column:
    """Write a clause about a fact, the columns of the row or the fields of a struct."""
    part = (lambda column: F.col(f"{fact}.{column}")) if fact else F.col
    return write_clause(name, part("property"), part("subject_phrase"), part("value_phrase"))


def write_bound(first: Column, precision: Column) -> Column:
    """Write a time as the texts mention it."""
    return write_date(first, precision, month_first=True)


def build_candidates(
    texts: Texts, rows: DataFrame, task: str, variant: Column | None = None, **asked: Column
) -> DataFrame:
    """Build the candidates of a subtask that come first in each text: they are of the kind that it draws, then by hash.

    Args:
        texts: What is asked of, for the seed.
        rows: Column context_id, and what the columns of `asked` read.
        task: The subtask.
        variant: What kind of question or answer it is, by which texts choose.
        asked: Columns of the table `items`: question, answer, evidence and parameters, and those of accepted, options,
            option_kinds and is_refusal that are not empty; of questions about timelines days, when the answer holds.

    Returns:
        The columns of the table `items` but item_id, words and split; days; and key, fits and hash, their order.
    """
    nothing = F.array().cast("array<string>")
    columns = {
        "task": F.lit(task),
        "level": F.lit(TASKS[task]).cast("tinyint"),
        "form": F.lit(FORMS.get(task, "free")),
        "answer_type": F.lit(ANSWER_TYPES.get(task, "name")),
        "accepted": F.transform(asked["answer"], lambda part: nothing),
        **dict.fromkeys(("options", "option_kinds"), nothing),
        "is_refusal": F.lit(False),
        "days": F.lit(None).cast(DAYS),
        **asked,
        "evidence": F.array_sort(F.array_distinct(asked["evidence"])),
        **{name: F.col(name) for name in ("parameters", "key", "fits", "hash")},
    }
    kinds = VARIANTS.get(task, ())
    drawn = F.pmod(texts.hash(F.lit("kind"), "context_id", F.lit(task)), F.lit(len(kinds))).cast("int")
    fits = F.lit(True) if variant is None else variant == F.get(F.array(*map(F.lit, kinds)), drawn)
    stated = F.filter(F.map_entries("parameters"), lambda each: each["key"] != "effect")
    pairs = F.sort_array(F.transform(stated, lambda each: F.concat_ws("=", each["key"], each["value"])))
    ranked = rows.withColumns({"parameters": asked["parameters"], "fits": fits}).withColumn(
        "key", F.array_join(pairs, "\x1f")
    )
    ranked = ranked.withColumn("hash", texts.hash("context_id", F.lit(task), "key"))
    first = Window.partitionBy("context_id").orderBy(F.col("fits").desc(), "hash", "key")
    return (
        ranked.withColumn("nth", F.row_number().over(first))
        .where(F.col("nth") <= WRITTEN)
        .select("context_id", *(column.alias(name) for name, column in columns.items()))
    )
