"""The language lint in Spark columns (`everwhen.language.lint`)."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.language.lint import LINT_RULES, TELLING


def find_lint_error(question: Column, answer: Column, is_choice: Column) -> Column:
    """Find the reason that rejects a question, the first of them; null where it is sound.

    Args:
        question: The question.
        answer: Its answers, array<string>.
        is_choice: Whether it names the answers to choose from.
    """
    rules = [(question.rlike(pattern.pattern), reason) for reason, pattern in LINT_RULES.items()]
    rules.append((~is_choice & is_answer_leaked(question, answer), RejectReason.ANSWER_IN_QUESTION))
    return F.coalesce(*(F.when(is_broken, str(reason)) for is_broken, reason in rules))


def is_answer_leaked(question: Column, answer: Column) -> Column:
    """Whether a question contains an answer's words; a longer one also as the beginning of a word."""
    words = tokenize(question)

    def is_in(value: Column) -> Column:
        tokens = tokenize(value)
        begun = F.when(F.length(tokens) >= TELLING, F.rtrim(tokens)).otherwise(tokens)
        return (F.trim(tokens) != "") & words.contains(begun)

    return F.exists(answer, is_in)


def tokenize(text: Column) -> Column:
    """Return the words of a text: lower case, letters and digits alone, a space before and after each."""
    words = F.trim(F.regexp_replace(F.lower(text), r"[^\p{L}\p{M}\p{N}]+", " "))
    return F.concat(F.lit(" "), words, F.lit(" "))
