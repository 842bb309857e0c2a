"""The language lint: questions that read wrong or give their answer away, told by Spark columns."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

COMPARES = (
    r"\b(before|after|higher|lower|greater|smaller|longer|shorter|later|earlier"
    r"|highest|lowest|greatest|smallest|longest|shortest)\b"
)
"""Words on which a comparison turns: where a name holds one too, nobody can tell which is meant."""

MEASURES = "(highest|lowest) (point|atmospheric pressure)"
"""What is compared and so called itself."""

TELLING = 7
"""Length, with a space on either side, from which an answer is told by a word that begins with it."""

LITTLE_WORDS = "the|a|an|in|of|on|at|by|to|for|and|was|is|did"

# "a hour", "an union": words whose first sound is not what their first letter says; left alone.
SOUNDS_LIKE_CONSONANT = "u[bckmnprst]|eu|ew|one|once|o'"
SOUNDS_LIKE_VOWEL = "hour|hon|heir|[0-9]|[fhlmnrsx]([^a-z]|$)"


def lint(df: DataFrame) -> DataFrame:
    """Say of each question what is wrong with its language.

    That no slot is filled with "None" or an id is seen to before substitution, where names are chosen: a book may be
    called "And Then There Were None".

    Args:
        df: Columns question, answer, choice (whether the answer is one of the named options) and type, and any others.

    Returns:
        The same rows with a column lint: the first fault found, or null. A null question or answer has none.
    """
    return df.withColumn("lint", fault(F.col("question"), F.col("answer"), F.col("choice"), F.col("type")))


def fault(question: Column, answer: Column, choice: Column, type_: Column) -> Column:
    """The first fault of a question, or null.

    Args:
        question: The question's text.
        answer: Its answers.
        choice: Whether the answer is one of the named options and so must stand in the question.
        type_: The question's type.
    """
    stands_in = F.exists(answer, lambda a: F.contains(tokens(question), _told_by(a)) & (tokens(a) != "  "))
    compared = F.regexp_count(F.regexp_replace(question, MEASURES, ""), F.lit(COMPARES))
    checks = {
        "no question mark at the end": ~F.endswith(question, F.lit("?")),
        "no capital at the start": ~question.rlike(r"^['\"“‘(]?[\p{Lu}\p{Lt}\p{Lo}0-9]"),
        "doubled space": question.rlike(r"\s\s") | (F.trim(question) != question),
        "space before punctuation": question.rlike(r" [?!,;:.)](\s|$)|\( "),
        "doubled punctuation": question.rlike(r"[?!][?]$"),
        "empty parentheses": question.rlike(r"\(\s*\)"),
        "no value but None": F.exists(answer, lambda a: a == "None"),
        "an id for an answer": F.exists(answer, lambda a: a.rlike(r"^Q[0-9]+$")),
        "doubled word": question.rlike(
            r"(?i)(?<![\w'’-])(the|a|an|in|of|on|at|by|to|for|and|was|is|did)\s+\1(?![\w'’-])"
        ),
        "a before a vowel": question.rlike(rf"\ba (?!(?i:{SOUNDS_LIKE_CONSONANT}))[aeiou][a-z]"),
        "an before a consonant": question.rlike(rf"\ban (?!(?i:{SOUNDS_LIKE_VOWEL}))[b-df-hj-np-tv-z][a-z]"),
        "a name holds a word of comparison": type_.startswith("2") & (compared > 1),
        "the answer stands in the question": ~choice & stands_in,
    }
    return F.coalesce(*(F.when(condition, F.lit(reason)) for reason, condition in checks.items()))


def _told_by(answer: Column) -> Column:
    """What must not stand in the question: the answer's words; a longer answer also as the beginning of a word, so that
    "South Korean" tells South Korea."""
    words = tokens(answer)
    return F.when(F.length(words) >= TELLING, F.rtrim(words)).otherwise(words)


def tokens(text: Column) -> Column:
    """The words of a text: lower case, letters and digits alone, a space before and after each."""
    words = F.trim(F.regexp_replace(F.lower(text), r"[^\p{L}\p{M}\p{N}]+", " "))
    return F.concat(F.lit(" "), words, F.lit(" "))


def lint_counts(df: DataFrame) -> DataFrame:
    """Count faults.

    Args:
        df: What `lint` returns.

    Returns:
        Columns lint, questions (how many) and examples (up to ten, the least by text), for each fault.
    """
    return (
        df.where(F.col("lint").isNotNull())
        .groupBy("lint")
        .agg(
            F.count(F.lit(1)).alias("questions"),
            F.slice(F.array_sort(F.collect_set("question")), 1, 10).alias("examples"),
        )
    )
