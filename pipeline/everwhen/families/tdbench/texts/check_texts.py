"""Rejects questions that read wrong or give their answer away, in Spark columns (`everwhen.language.lint`)."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.families.tdbench.question_reasons import QuestionReason
from everwhen.families.tdbench.texts.times import MARK
from everwhen.language.lint import LINT_RULES, TELLING

VALUES = r" \| "
"""Separates the values of several asked columns."""


def find_text_error(question: Column, answer: Column, is_choice: Column) -> Column:
    """Find the reason that rejects a question; null where it is sound.

    Args:
        question: The question; null where there is no template, with a `MARK` where a slot has no value.
        answer: Its answers, array<string>.
        is_choice: Whether it names the answers to choose from.
    """
    error = F.when(question.isNull() | question.contains(MARK), str(QuestionReason.NOT_FILLED))
    for reason, pattern in LINT_RULES.items():
        error = error.when(question.rlike(pattern.pattern), str(reason))
    return error.when(~is_choice & _is_answer_in(question, answer), str(RejectReason.ANSWER_IN_QUESTION))


def _is_answer_in(question: Column, answer: Column) -> Column:
    """Whether a question contains the words of an answer; a longer one also as the beginning of a word."""
    words = _tokenize(question)

    def is_in(value: Column) -> Column:
        tokens = _tokenize(value)
        begun = F.when(F.length(tokens) >= TELLING, F.rtrim(tokens)).otherwise(tokens)
        return (F.trim(tokens) != "") & words.contains(begun)

    values = F.flatten(F.transform(answer, lambda each: F.split(each, VALUES)))
    return F.exists(values, is_in)


def _tokenize(text: Column) -> Column:
    """Return the words of a text: lower case, letters and digits alone, a space before and after each."""
    words = F.trim(F.regexp_replace(F.lower(text), r"[^\p{L}\p{M}\p{N}]+", " "))
    return F.concat(F.lit(" "), words, F.lit(" "))
