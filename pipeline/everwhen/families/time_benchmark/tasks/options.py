"""The single choices of free questions about timelines: the answer, and names that surely are none."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.columns import add_once
from everwhen.core.session import checkpoint
from everwhen.families.time_benchmark.evaluation.refusals import NO_ANSWER
from everwhen.families.time_benchmark.facts import list_sides
from everwhen.families.time_benchmark.reasons import CandidateReason
from everwhen.families.time_benchmark.tasks.candidates import Texts
from everwhen.families.time_benchmark.tasks.choice import identify, limit_refusals
from everwhen.families.time_benchmark.tasks.timelines import TIMELINE
from everwhen.temporal.allen import BOUNDS
from everwhen.wikidata.properties import Property

TASKS = ("explicit_reasoning", "order_reasoning", "relative_reasoning", "co_temporality", "counterfactual")
"""The subtasks with both forms."""
DISTRACTORS = 3
COMPARED, TRIED = 24, 8
"""Names of a question and kind that are compared with its answer, and those that are tried, of the least hashes."""
CHAINED = (17, 131, Property.SUBCLASS_OF, 361)
"""Country, administrative unit, subclass and part: a distractor is not above a right name, nor below."""
KINDS = WRONG_TIME, OTHER_TIMELINE, UNMENTIONED = "wrong_time", "other_timeline", "unmentioned"


def offer_choices(
    asked: DataFrame, texts: Texts, facts: DataFrame, mentioned: DataFrame, statements: DataFrame
) -> tuple[DataFrame, DataFrame]:
    """Offer options for questions with one answer.

    Args:
        asked: The free questions that are asked, as `choose_candidates` returns them.
        texts: What they are asked of.
        facts: Table `facts`.
        mentioned: Table `fact_mentions`.
        statements: Table `statements`.

    Returns:
        Rows as of `asked`, of the form single, with a reason where there are too few options; and the columns of the
        table `chains`.
    """
    parameters = {name: F.element_at("parameters", F.lit(name)) for name in (*TIMELINE, "moved")}
    rows = (
        asked.where(F.col("task").isin(*TASKS) & (F.size("answer") == 1))
        .withColumns(
            {
                "entity": F.substr(parameters["entity"], F.lit(2)).cast("bigint"),
                "property": F.substr(parameters["property"], F.lit(2)).cast("int"),
                "side": parameters["side"],
                "moved": parameters["moved"],
            }
        )
        .join(texts.timelines.select("context_id", *TIMELINE, "members"), ["context_id", *TIMELINE])
        .withColumn(
            "gold", F.get(F.filter("members", lambda each: each["name"] == F.get("answer", F.lit(0))), F.lit(0))
        )
        .transform(checkpoint)
    )
    found = (
        _list_members(rows)
        .unionByName(_list_others(rows, texts))
        .unionByName(_list_unmentioned(rows, facts, mentioned, statements))
    )
    compared = _keep_least(found, COMPARED, texts)
    tried = _keep_least(_keep_distinct(compared, rows), TRIED, texts).transform(checkpoint)
    golds = rows.where("gold IS NOT NULL").select(F.col("gold.other").alias("entity"))
    chains = list_chains(tried.select(F.col("other").alias("entity")).unionByName(golds), statements)
    return _build_choices(rows, _drop_chained(tried, rows, chains), texts), chains


def _list_members(rows: DataFrame) -> DataFrame:
    """List the other members of the timelines: those at a wrong time; a moved one comes first."""
    found = rows.select("item_id", "moved", "answer", F.inline("members")).where("name <> answer[0]")
    is_moved = F.coalesce(F.col("statement_id") == F.col("moved"), F.lit(False))
    return _label(found.drop("kind"), WRONG_TIME, is_moved)


def _label(found: DataFrame, kind: str, is_first: Column | None = None) -> DataFrame:
    """Say of the names of other entities what kind of distractor they are, and whether they come first."""
    first = F.lit(False) if is_first is None else is_first
    return found.select("item_id", F.lit(kind).alias("kind"), "other", "name", first.alias("is_first"))


def _list_others(rows: DataFrame, texts: Texts) -> DataFrame:
    """List what other timelines of a text have at the right time."""
    sides = list_sides(texts.facts.drop("entity")).select(
        "context_id", "property", "side", F.col("entity").alias("holder"), "other", _name_other(), *BOUNDS
    )
    may_share = F.coalesce(F.col("earliest_start") <= F.col("days.latest_end"), F.lit(True)) & F.coalesce(
        F.col("latest_end") >= F.col("days.earliest_start"), F.lit(True)
    )
    is_member = F.array_contains("members.other", F.col("other")) | F.array_contains("members.name", F.col("name"))
    is_other = (F.col("holder") != F.col("entity")) & (F.col("other") != F.col("entity"))
    found = rows.join(sides, ["context_id", "property", "side"]).where(is_other & may_share & ~is_member)
    return _label(found, OTHER_TIMELINE)


def _list_unmentioned(rows: DataFrame, facts: DataFrame, mentioned: DataFrame, statements: DataFrame) -> DataFrame:
    """List what a text does not mention, and other entities have by the property: of a class of the right name.

    Of a question without an answer, a class of any member counts.
    """
    known = list_sides(facts).select("property", "side", "other", _name_other()).distinct()
    classes = statements.where(
        (F.col("property") == Property.INSTANCE_OF) & (F.col("rank") != "deprecated") & (F.col("snak") == "value")
    ).select(F.col("subject").alias("other"), F.col("value_item").alias("class"))
    by_hash = Window.partitionBy("property", "side", "class").orderBy(F.xxhash64("other", "class"))
    pool = known.join(classes, "other").withColumn("place", F.row_number().over(by_hash)).where("place <= 64")
    golds = F.when(F.col("gold").isNotNull(), F.array("gold.other")).otherwise(F.col("members.other"))
    asked = rows.select("item_id", "context_id", "property", "side", "members", F.explode(golds).alias("gold_other"))
    asked = asked.join(classes.withColumnRenamed("other", "gold_other"), "gold_other").drop("gold_other").distinct()
    in_text = mentioned.join(facts, "statement_id").select(
        "context_id", F.explode(F.array("subject", "value_item")).alias("other")
    )
    found = asked.join(pool, ["property", "side", "class"]).join(in_text, ["context_id", "other"], "left_anti")
    return _label(found.where(~F.array_contains("members.name", F.col("name"))), UNMENTIONED).distinct()


def _name_other() -> Column:
    """Name the other end of a fact: column name."""
    is_value = F.col("other") == F.col("value_item")
    return F.when(is_value, F.col("value_name")).otherwise(F.col("subject_name")).alias("name")


def _keep_distinct(found: DataFrame, rows: DataFrame) -> DataFrame:
    """Keep names that neither contain the right one, nor lie in it, nor stand in the question."""
    asked = rows.select(
        "item_id",
        _pad_words(F.get("answer", F.lit(0))).alias("answer_words"),
        _pad_words(F.col("question")).alias("question_words"),
    )
    joined = add_once(found.join(asked, "item_id"), _pad_words(F.col("name")).alias("words"))
    overlaps = F.contains("words", "answer_words") | F.contains("answer_words", "words")
    is_asked = F.contains("question_words", "words") & ~F.col("is_first")
    return joined.where(~overlaps & ~is_asked)


def _pad_words(text: Column) -> Column:
    """Write a text as whole words between spaces, so that one of them is no part of another."""
    return F.concat(F.lit(" "), F.trim(F.regexp_replace(F.lower(text), r"[^\p{L}\p{N}\p{M}]+", " ")), F.lit(" "))


def _keep_least(found: DataFrame, most: int, texts: Texts) -> DataFrame:
    """Keep so many names of each question and kind, each once: those of the least hashes."""
    once = ["item_id", "kind", "name"]
    least = Window.partitionBy("item_id", "kind").orderBy(F.col("is_first").desc(), "hash")
    return (
        found.groupBy(*once)
        .agg(F.min("other").alias("other"), F.max("is_first").alias("is_first"))
        .withColumn("hash", texts.hash(F.lit("option"), "item_id", "name"))
        .withColumn("place", F.row_number().over(least))
        .where(F.col("place") <= most)
    )


def list_chains(entities: DataFrame, statements: DataFrame) -> DataFrame:
    """List what entities are parts of, by country, administrative unit, class and whole: columns entity and above."""
    edges = statements.where(
        F.col("property").isin(*CHAINED) & (F.col("rank") != "deprecated") & F.col("value_item").isNotNull()
    ).select(F.col("subject").alias("above"), F.col("value_item").alias("next"))
    found = step = entities.select("entity", F.col("entity").alias("above")).distinct().transform(checkpoint)
    while not step.isEmpty():
        step = step.join(edges, "above").select("entity", F.col("next").alias("above")).distinct()
        step = step.join(found, ["entity", "above"], "left_anti").transform(checkpoint)
        found = found.unionByName(step)
    return found


def _drop_chained(tried: DataFrame, rows: DataFrame, chains: DataFrame) -> DataFrame:
    """Drop the names of what the right one is a part of, or that are parts of it."""
    named = tried.join(rows.select("item_id", F.col("gold.other").alias("right")), "item_id")
    above = chains.select(F.col("entity").alias("other"), F.col("above").alias("right"))
    below = chains.select(F.col("above").alias("other"), F.col("entity").alias("right"))
    return named.join(above, ["other", "right"], "left_anti").join(below, ["other", "right"], "left_anti")


def _build_choices(rows: DataFrame, apart: DataFrame, texts: Texts) -> DataFrame:
    """Build the choices: a name of each kind, then others in the order of the kinds; letters by hash.

    That there is no answer is offered where it is right, and as often where it is not.
    """
    by_hash = Window.partitionBy("item_id", "kind").orderBy(F.col("is_first").desc(), "hash")
    ranked = apart.withColumn("turn", F.row_number().over(by_hash))
    rank = F.when(F.col("turn") == 1, 0).otherwise(F.array_position(F.array(*map(F.lit, KINDS)), F.col("kind")))
    other = F.struct(rank.alias("rank"), "hash", "name", "kind")
    offered = ranked.groupBy("item_id").agg(
        F.slice(F.array_sort(F.collect_list(other)), 1, DISTRACTORS).alias("others")
    )
    single = (
        rows.join(offered, "item_id", "left")
        .withColumn("form", F.lit("single"))
        .transform(lambda each: identify(each, texts))
        .withColumns(
            {
                "answer_type": F.lit("single_choice"),
                "reason": F.when(F.coalesce(F.size("others"), F.lit(0)) < DISTRACTORS, CandidateReason.FEW_OPTIONS),
            }
        )
    )
    kept = limit_refusals(single.transform(checkpoint))
    is_asked = F.col("reason").isNull()
    refused = F.count_if(is_asked & F.col("is_refusal")).over(Window.partitionBy("task"))
    could_offer = is_asked & ~F.col("is_refusal")
    order = Window.partitionBy("task", could_offer).orderBy("item_id")
    kept = kept.withColumn("offers", could_offer & (F.row_number().over(order) <= refused))
    none = F.struct(F.lit(NO_ANSWER).alias("name"), F.lit("none").alias("kind"))
    others = F.transform("others", lambda each: F.struct(each["name"].alias("name"), each["kind"].alias("kind")))
    others = F.when(F.col("offers"), F.concat(F.slice(others, 1, DISTRACTORS - 1), F.array(none))).otherwise(others)
    right = F.struct(F.get("answer", F.lit(0)).alias("name"), F.lit("right").alias("kind"))
    placed = F.array_sort(
        F.transform(
            F.concat(F.array(right), others),
            lambda each: F.struct(texts.hash(F.lit("letter"), "item_id", each["name"]).alias("hash"), each.alias("o")),
        )
    )
    return kept.withColumns({"options": placed["o"]["name"], "option_kinds": placed["o"]["kind"]})
