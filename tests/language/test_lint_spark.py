from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.language.lint import LINT_RULES, find_lint_error
from everwhen.language.lint_spark import find_lint_error as find_lint_error_in_columns
from lint_cases import CASES

REASONS = {*map(str, LINT_RULES), str(RejectReason.ANSWER_IN_QUESTION)}


@pytest.mark.spark
def test_columns_are_judged_as_one_text_is(spark: SparkSession) -> None:
    cases = [(question, answer, choice) for question, answer, choice, _ in CASES]
    frame = spark.createDataFrame(cases, "question string, answer array<string>, choice boolean")
    found = frame.select(find_lint_error_in_columns(F.col("question"), F.col("answer"), F.col("choice"))).collect()
    expected = [find_lint_error(q, a, choice=choice, comparison=False) for q, a, choice in cases]
    assert [row[0] for row in found] == [reason if reason in REASONS else None for reason in expected]
