"""Which candidates a text asks, how often none is right, and when a third option is offered."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.families.time_benchmark.tasks.candidates import WRITTEN, Texts, build_candidates
from everwhen.families.time_benchmark.tasks.choice import choose_candidates, limit_refusals, offer_thirds

pytestmark = pytest.mark.spark


@pytest.fixture
def texts(spark: SparkSession) -> Texts:
    nothing = spark.range(0).toDF("context_id")
    return Texts(nothing, nothing, nothing, "seed")


def ask(texts: Texts, rows: DataFrame, task: str) -> DataFrame:
    """Build candidates of rows with columns context_id, text, name and variant."""
    return build_candidates(
        texts,
        rows,
        task,
        F.col("variant"),
        question=F.col("text"),
        answer=F.array("name"),
        evidence=F.array("text"),
        parameters=F.create_map(F.lit("text"), F.col("text")),
    )


def test_a_text_writes_the_first_candidates_of_each_subtask(spark: SparkSession, texts: Texts) -> None:
    rows = spark.createDataFrame(
        [(text, f"Who was {n}?", "Bo", "some") for text in (1, 2) for n in range(20)],
        "context_id bigint, text string, name string, variant string",
    )
    found = ask(texts, rows, "co_temporality").groupBy("context_id").count().collect()
    assert {tuple(row) for row in found} == {(1, WRITTEN), (2, WRITTEN)}


@pytest.mark.parametrize("variant", ["same", "other", "none"])
def test_a_text_asks_the_kind_that_it_draws(spark: SparkSession, texts: Texts, variant: str) -> None:
    rows = spark.createDataFrame(
        [
            (text, f"{kind} {n}?", "Bo", kind)
            for text in range(30)
            for kind in ("same", "other", "none")
            for n in (1, 2)
        ],
        "context_id bigint, text string, name string, variant string",
    )
    contexts = spark.range(30).select(
        F.col("id").alias("context_id"), F.lit(9).alias("words"), F.lit("a").alias("split")
    )
    asked = choose_candidates(ask(texts, rows, "counterfactual"), contexts, texts).collect()
    kinds = [row["question"].split()[0] for row in asked]
    assert len(asked) == 30
    assert 4 <= kinds.count(variant) <= 16


def test_a_question_with_its_answer_gives_way_to_the_next(spark: SparkSession, texts: Texts) -> None:
    rows = spark.createDataFrame(
        [(1, f"Who met Bo in {year}?", "Bo", "some") for year in range(5)] + [(1, "Who met Ada?", "Bo", "none")],
        "context_id bigint, text string, name string, variant string",
    )
    contexts = spark.createDataFrame([(1, 9, "train")], "context_id bigint, words int, split string")
    asked = choose_candidates(ask(texts, rows, "co_temporality"), contexts, texts).where("reason IS NULL").collect()
    assert [row["question"] for row in asked] == ["Who met Ada?"]


def list_choices(spark: SparkSession, *rows: tuple[str, str, int, bool]) -> DataFrame:
    """List choices: task, form, how many, and whether there is no answer."""
    return spark.createDataFrame(
        [
            (f"{task}{form}{is_none}{n}", task, form, is_none, None)
            for task, form, count, is_none in rows
            for n in range(count)
        ],
        "item_id string, task string, form string, is_refusal boolean, reason string",
    )


@pytest.mark.parametrize(
    ("task", "form", "kept"),
    [
        ("relative_reasoning", "free", 5),
        ("relative_reasoning", "single", 5),
        ("counterfactual", "single", 8),
        ("counterfactual", "free", 10),
    ],
)
def test_only_so_many_have_no_answer(spark: SparkSession, task: str, form: str, kept: int) -> None:
    rows = limit_refusals(list_choices(spark, (task, form, 20, False), (task, form, 10, True)))
    assert rows.where("reason IS NULL AND is_refusal").count() == kept
    assert rows.where("reason IS NULL AND NOT is_refusal").count() == 20


def test_a_third_option_is_wrong_twice_as_often_as_right_of_each_kind(spark: SparkSession) -> None:
    kinds = {True: ["other", "other", "right"], False: ["right", "other", "other"]}
    counts = {("fact", True): 3, ("fact", False): 20, ("span", True): 0, ("span", False): 5}
    rows = spark.createDataFrame(
        [
            (
                f"{asked}{is_third}{n}",
                "duration_compare",
                "single",
                {"asked": asked},
                kinds[is_third],
                list("abc"),
                None,
            )
            for (asked, is_third), count in counts.items()
            for n in range(count)
        ],
        "item_id string, task string, form string, parameters map<string,string>, option_kinds array<string>,"
        " options array<string>, reason string",
    )
    found = offer_thirds(rows).select(F.col("parameters.asked"), F.size("options").alias("n"), "option_kinds").collect()
    assert (
        sorted((row["asked"], row["n"]) for row in found) == [("fact", 2)] * 14 + [("fact", 3)] * 9 + [("span", 2)] * 5
    )
    assert sum(row["option_kinds"][-1] == "right" and row["n"] == 3 for row in found) == 3
